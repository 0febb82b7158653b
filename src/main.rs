//! The program: arguments, signals, runtime, exit codes (0 stopped by a signal, 1 failed, 2 bad settings).

use std::io;
use std::process::ExitCode;

use mazed::config::{Action, Address, Settings, container_limit};
use mazed::healthcheck;
use mazed::http::{Listeners, open_files};
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
    let log_format = settings.log_format;
    let outcome = match settings.action {
        Some(Action::Healthcheck) => {
            let address = settings.admin_addr.0.as_ref().unwrap_or(&settings.addr);
            healthcheck::ask(address).map_err(|error| of(address, &error))
        }
        None => tokio::runtime::Runtime::new().and_then(|runtime| runtime.block_on(serve(&log, settings))),
    };
    let Err(error) = outcome else { return ExitCode::SUCCESS };
    log.error(log_format, &error.to_string());
    ExitCode::FAILURE
}

async fn serve(log: &Log, settings: Settings) -> io::Result<()> {
    // before anything else: the first process of a container ignores a signal that it has no handler for yet
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let [terminate, interrupt, hangup] = kinds.map(signal);
    let mut signals = Signals(terminate?, interrupt?, hangup?);
    log.start(&settings);
    tracing::debug!("signals are handled");
    for warning in Settings::unknown_variables().into_iter().chain(settings.memory_warning(container_limit())) {
        tracing::warn!("{warning}");
    }
    open_files::provide(&settings);
    let public = listen(&settings.addr).await?;
    tracing::info!("listening on http://{}", public.local_addr()?);
    let admin = match &settings.admin_addr.0 {
        Some(address) => Some(listen(address).await?),
        None => None,
    };
    if let Some(admin) = &admin {
        tracing::info!("probes and metrics on http://{}", admin.local_addr()?);
    }
    let (stop, stopped) = oneshot::channel();
    let shutdown = async { _ = stopped.await };
    // one task counts the signals: two tasks could each see one of two signals at once, and one signal would be lost
    let second_signal = async {
        signals.next().await;
        _ = stop.send(());
        signals.next().await;
    };
    tokio::select! {
        () = mazed::serve(Listeners { public, admin }, settings, shutdown) => {
            tracing::info!("stopped");
            Ok(())
        }
        () = second_signal => Err(io::Error::other("stopped by a second signal")),
    }
}

async fn listen(address: &Address) -> io::Result<TcpListener> {
    let listener = async { TcpListener::bind(&*address.resolve()?).await };
    listener.await.map_err(|error| of(address, &error))
}

/// An error that says which address it is about.
fn of(address: &Address, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{address}: {error}"))
}

/// The signals that ask the program to stop. A hangup is one of them: it means that the terminal is gone, or comes from
/// an operator who would like settings to be read again, which only a new process does.
struct Signals(Signal, Signal, Signal);

impl Signals {
    async fn next(&mut self) {
        tokio::select! { _ = self.0.recv() => {}, _ = self.1.recv() => {}, _ = self.2.recv() => {} }
    }
}
