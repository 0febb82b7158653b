//! Log lines on stderr, which never hold up the program.
//!
//! Stderr is often a pipe. If its reader stops, a write waits for ever, and so would every request that logs, and the
//! end of the program too. So lines wait in a short queue for a thread that writes them. A line that finds the queue
//! full is lost and counted.

use std::any::Any;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::channel;
use std::time::Duration;
use std::{panic, thread};

use tracing::subscriber::with_default;
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::config::{LogFormat, ReadError, Settings};
use crate::telemetry::metrics::COMMIT;
use crate::telemetry::process::{count_lost_lines, count_panic};

/// Lines that may wait. What clients send is cut in log lines, so they take a few megabytes at most.
const QUEUED_LINES: usize = 1024;

/// How long the end of the program waits for the reader of stderr.
const LAST_LINES: Duration = Duration::from_millis(1500);

/// The log of the program. When it is dropped, the lines that still wait are written, as far as stderr takes them.
pub struct Log {
    queue: NonBlocking,
    writer: Option<WorkerGuard>,
}

impl Log {
    /// A log that writes to stderr, for the lifetime of the program.
    pub fn to_stderr() -> Self {
        let queue = NonBlockingBuilder::default().lossy(true).buffered_lines_limit(QUEUED_LINES).thread_name("log");
        let (queue, writer) = queue.finish(io::stderr());
        count_lost_lines(queue.error_counter());
        Self { queue, writer: Some(writer) }
    }

    /// Logs what the program reports from now on, and panics too.
    pub fn start(&self, settings: &Settings) {
        let lines = tracing_subscriber::fmt()
            // reports of a log line that cannot be written would go to stderr, and wait there
            .log_internal_errors(false)
            .with_env_filter(EnvFilter::new(&settings.log))
            .with_writer(self.queue.clone())
            .with_ansi(io::stderr().is_terminal());
        match settings.log_format {
            LogFormat::Text => lines.init(),
            LogFormat::Json => lines.json().flatten_event(true).init(),
        }
        let (format, queue) = (settings.log_format, self.queue.clone());
        panic::set_hook(Box::new(move |panic| {
            count_panic();
            let thread = thread::current();
            let (name, place) = (thread.name().unwrap_or("unnamed"), panic.location().map(ToString::to_string));
            let (text, place) = (panic_text(panic.payload()), place.unwrap_or_default());
            log_in_any_case(&queue, format, &format!("thread {name} panicked at {place}: {text}"));
        }));
        tracing::info!(version = env!("CARGO_PKG_VERSION"), commit = COMMIT, ?settings, "starting");
    }

    /// Logs an error that the operator must see whatever the log filter is, such as why the program ends. The log need
    /// not have been started.
    pub fn error(&self, format: LogFormat, message: &str) {
        log_in_any_case(&self.queue, format, message);
    }

    /// Says why there are no settings: as log lines if these are to be JSON, else as command lines do it.
    pub fn explain(&self, error: &ReadError) {
        match error {
            // help goes to stdout
            ReadError::Usage(text) if !text.use_stderr() => _ = text.print(),
            ReadError::Bad { messages, is_json: true } => {
                for message in messages {
                    self.error(LogFormat::Json, message);
                }
            }
            ReadError::Usage(_) | ReadError::Bad { .. } => {
                // one line of the queue
                _ = self.queue.clone().write_all(error.to_string().as_bytes());
            }
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let writer = self.writer.take();
        let (done, ended) = channel();
        // The library waits for the writer, but not for ever. Then it reports that on stdout, which may be the same
        // pipe as stderr: so a thread does this, and the program need not wait for it.
        let spawned = thread::Builder::new().spawn(move || {
            drop(writer);
            _ = done.send(());
        });
        if spawned.is_ok() {
            _ = ended.recv_timeout(LAST_LINES);
        }
    }
}

fn log_in_any_case(queue: &NonBlocking, format: LogFormat, message: &str) {
    let lines = tracing_subscriber::fmt()
        .log_internal_errors(false)
        .with_max_level(LevelFilter::ERROR)
        .with_writer(queue.clone())
        .with_ansi(io::stderr().is_terminal());
    let log = || tracing::error!(target: "mazed", "{message}");
    match format {
        LogFormat::Text => with_default(lines.finish(), log),
        LogFormat::Json => with_default(lines.json().flatten_event(true).finish(), log),
    }
}

/// The message of a panic.
pub fn panic_text(cause: &(dyn Any + Send)) -> &str {
    let text = cause.downcast_ref::<&str>().copied().or(cause.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("unknown")
}
