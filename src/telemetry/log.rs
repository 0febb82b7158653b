//! Log lines on stderr.

use std::any::Any;
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::thread;

use tracing::subscriber::with_default;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::config::{LogFormat, ReadError, Settings};

/// Sends log lines to stderr from now on, and panics too, as log lines.
pub fn start_log(settings: &Settings) {
    let lines = tracing_subscriber::fmt()
        // if the reader of stderr is gone, reporting that on stderr would panic in the request that wrote the log line
        .log_internal_errors(false)
        .with_env_filter(EnvFilter::new(&settings.log))
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    match settings.log_format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
    let format = settings.log_format;
    panic::set_hook(Box::new(move |panic| {
        let thread = thread::current();
        let (name, place) = (thread.name().unwrap_or("unnamed"), panic.location().map(ToString::to_string));
        let (text, place) = (panic_text(panic.payload()), place.unwrap_or_default());
        log_in_any_case(format, &format!("thread {name} panicked at {place}: {text}"));
    }));
}

/// Logs an error that the operator must see whatever the log filter is, such as why the program ends. The log need not
/// have been started.
pub fn log_in_any_case(format: LogFormat, message: &str) {
    let lines = tracing_subscriber::fmt()
        .log_internal_errors(false)
        .with_max_level(LevelFilter::ERROR)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    let log = || tracing::error!(target: "mazed", "{message}");
    match format {
        LogFormat::Text => with_default(lines.finish(), log),
        LogFormat::Json => with_default(lines.json().flatten_event(true).finish(), log),
    }
}

/// Says why there are no settings: as log lines if these are to be JSON, else as command lines do it.
pub fn explain(error: &ReadError) {
    match error {
        // help goes to stdout
        ReadError::Usage(text) => _ = text.print(),
        ReadError::Bad { messages, is_json: true } => {
            for message in messages {
                log_in_any_case(LogFormat::Json, message);
            }
        }
        ReadError::Bad { .. } => _ = write!(io::stderr(), "{error}"),
    }
}

/// The message of a panic.
pub fn panic_text(cause: &(dyn Any + Send)) -> &str {
    let text = cause.downcast_ref::<&str>().copied().or(cause.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("unknown")
}
