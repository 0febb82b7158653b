//! The program: arguments, signals, runtime, exit codes (0 stopped as told, 1 failed, 2 bad settings).

use std::io::{self, Write};
use std::process::ExitCode;

use mazed::config::{Action, Settings};
use mazed::{healthcheck, telemetry};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

/// Requests allocate dozens of small things each, which glibc's allocator makes a quarter of their cost; it also keeps
/// the memory of large answers for long after they are gone.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let settings = Settings::read(std::env::args_os()).unwrap_or_else(|error| error.exit());
    let outcome = match settings.action {
        Some(Action::Healthcheck) => healthcheck::ask(settings.addr),
        None => start(settings.clone()),
    };
    let Err(error) = outcome else { return ExitCode::SUCCESS };
    // last words must be seen whatever is logged
    let _lost = writeln!(io::stderr(), "mazed: {}: {error}", settings.addr);
    ExitCode::FAILURE
}

fn start(settings: Settings) -> io::Result<()> {
    tokio::runtime::Runtime::new()?.block_on(serve(settings))
}

async fn serve(settings: Settings) -> io::Result<()> {
    // before anything else: without a handler the signal is lost where this is the first process of a container
    let mut signals = Signals::listen()?;
    telemetry::start_log(&settings);
    tracing::debug!("signals are handled");
    let listener = TcpListener::bind(settings.addr).await?;
    tracing::info!("listening on http://{}", listener.local_addr()?);
    let (stop, told) = oneshot::channel();
    let shutdown = async { _ = told.await };
    // one listener counts: two of them could be told of two signals at once, of which one would then be lost
    let second = async {
        signals.next().await;
        _ = stop.send(());
        signals.next().await;
    };
    tokio::select! {
        () = mazed::serve(listener, settings, shutdown) => Ok(()),
        () = second => Err(io::Error::other("stopped by a second signal")),
    }
}

/// The signals that ask the program to stop.
struct Signals(Signal, Signal);

impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self(signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?))
    }

    async fn next(&mut self) {
        tokio::select! { _ = self.0.recv() => {}, _ = self.1.recv() => {} }
    }
}
