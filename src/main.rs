//! The program: arguments, signals, runtime, exit codes (0 stopped by a signal, 1 failed, 2 bad settings).

use std::io;
use std::process::ExitCode;

use mazed::config::{Action, Settings};
use mazed::healthcheck;
use mazed::telemetry::Log;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

/// A request makes dozens of small allocations: with glibc's allocator they are a quarter of its CPU time. glibc also
/// keeps the memory of large responses long after they were sent.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let log = Log::to_stderr();
    let settings = match Settings::read(std::env::args_os()) {
        Ok(settings) => settings,
        Err(error) => {
            log.explain(&error);
            return error.exit_code().into();
        }
    };
    let outcome = match settings.action {
        Some(Action::Healthcheck) => healthcheck::ask(&settings.addr),
        None => tokio::runtime::Runtime::new().and_then(|runtime| runtime.block_on(serve(&log, settings.clone()))),
    };
    let Err(error) = outcome else { return ExitCode::SUCCESS };
    log.error(settings.log_format, &format!("{}: {error}", settings.addr));
    ExitCode::FAILURE
}

async fn serve(log: &Log, settings: Settings) -> io::Result<()> {
    // before anything else: the first process of a container ignores a signal that it has no handler for yet
    let mut signals = Signals(signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    log.start(&settings);
    tracing::debug!("signals are handled");
    for warning in Settings::unknown_variables() {
        tracing::warn!("{warning}");
    }
    let listener = TcpListener::bind(&*settings.addr.resolve()?).await?;
    tracing::info!("listening on http://{}", listener.local_addr()?);
    let (stop, stopped) = oneshot::channel();
    let shutdown = async { _ = stopped.await };
    // one task counts the signals: two tasks could each see one of two signals at once, and one signal would be lost
    let second_signal = async {
        signals.next().await;
        _ = stop.send(());
        signals.next().await;
    };
    tokio::select! {
        () = mazed::serve(listener, settings, shutdown) => {
            tracing::info!("stopped");
            Ok(())
        }
        () = second_signal => Err(io::Error::other("stopped by a second signal")),
    }
}

/// The signals that ask the program to stop.
struct Signals(Signal, Signal);

impl Signals {
    async fn next(&mut self) {
        tokio::select! { _ = self.0.recv() => {}, _ = self.1.recv() => {} }
    }
}
