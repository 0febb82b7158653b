//! Log lines on stderr.

use std::any::Any;
use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, Settings};

/// Sends log lines to stderr from now on.
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
}

/// The message of a panic.
pub fn panic_text(cause: &(dyn Any + Send)) -> &str {
    let text = cause.downcast_ref::<&str>().copied().or(cause.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("unknown")
}
