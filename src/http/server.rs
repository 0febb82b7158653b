//! The accept loop and its shutdown. It knows connections, not requests.
//!
//! `axum::serve` sets no limit on the time that a request's head takes, so one client that sends half a head holds its
//! connection for ever, and a graceful shutdown waits for it. Here each wait has a limit.

use std::future::pending;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use prometheus_client::metrics::counter::Counter;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tracing::{debug, info, warn};

use crate::config::Settings;
use crate::http::backlog;
use crate::http::connections::{Connections, Slot};
use crate::http::stream::{ClientStream, ClientTimes};
use crate::http::tracked::Tracked;
use crate::telemetry::Metrics;

pub use crate::http::tracked::Answer;

/// Whether load balancers should send requests here. Clones share one state.
#[derive(Debug, Clone, Default)]
pub struct Readiness {
    draining: Arc<AtomicBool>,
}

impl Readiness {
    /// `false` from the moment that the server begins to stop.
    pub fn is_ready(&self) -> bool {
        !self.draining.load(Ordering::Relaxed)
    }
}

/// The stage of the shutdown, which all connections watch. A connection holds its receiver until it ends, so the sender
/// sees when all connections are gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Serving,
    /// Finish the current request, then close.
    Draining,
    /// Close.
    Cut,
}

/// A listener and what answers its clients.
#[derive(Debug)]
pub struct Front<F> {
    /// Where clients connect.
    pub listener: TcpListener,
    /// Makes the service for the connection of a client.
    pub for_client: F,
}

/// The most connections of the listener for operators.
pub(super) const ADMIN_CONNECTIONS: usize = 16;

/// Answers requests until `shutdown` resolves, then shuts down in three steps:
///
/// 1. for the readiness delay it goes on serving, while `readiness` says no, so that load balancers stop sending
///    requests first; the services read `readiness` too, and end each connection with its next response;
/// 2. it stops accepting, closes idle connections and lets the others finish their request;
/// 3. at the drain timeout it cuts those that are left.
///
/// The listener for operators, if there is one, is served until all of that is over.
pub async fn run<S: Answer, F: Fn(SocketAddr) -> S>(
    public: Front<F>,
    admin: Option<Front<F>>,
    settings: &Settings,
    readiness: Readiness,
    metrics: &Metrics,
    shutdown: impl Future<Output = ()>,
) {
    let stage = Stages::new();
    let admin_stage = Stages::new();
    let public = Acceptor::new(public, settings, settings.connections, &stage, metrics);
    let admin = admin.map(|admin| Acceptor::new(admin, settings, ADMIN_CONNECTIONS, &admin_stage, metrics));
    let serving_admin = async {
        match &admin {
            Some(admin) => admin.accept_for_ever().await,
            None => pending().await,
        }
    };
    tokio::select! {
        () = serving_admin => {}
        () = serve_public(public, &stage, settings, &readiness, shutdown) => {}
    }
    drop(admin);
    admin_stage.close(LAST_REQUEST).await;
}

/// Serves until all steps of the shutdown are over.
async fn serve_public<S: Answer, F: Fn(SocketAddr) -> S>(
    acceptor: Acceptor<'_, F>,
    stages: &Stages,
    settings: &Settings,
    readiness: &Readiness,
    shutdown: impl Future<Output = ()>,
) {
    {
        let mut serving = pin!(acceptor.accept_for_ever());
        tokio::select! {
            () = &mut serving => {}
            () = shutdown => {}
        }
        readiness.draining.store(true, Ordering::Relaxed);
        info!(seconds = settings.readiness_delay.as_secs_f64(), "stopping: not ready any more, but still serving");
        let _elapsed = timeout(settings.readiness_delay, serving).await;
    }
    acceptor.accept_last().await;
    // closes the listener
    drop(acceptor);
    info!(connections = stages.connections(), "draining: no new connections");
    stages.close(settings.drain_timeout).await;
}

/// Tells the connections of a listener how far the shutdown is, and knows when all of them are gone.
struct Stages(watch::Sender<Stage>);

impl Stages {
    fn new() -> Self {
        Self(watch::channel(Stage::Serving).0)
    }

    fn connections(&self) -> usize {
        self.0.receiver_count()
    }

    /// Lets the connections end, and cuts those that are left at the limit.
    async fn close(&self, limit: Duration) {
        self.0.send_replace(Stage::Draining);
        if timeout(limit, self.0.closed()).await.is_err() {
            warn!(connections = self.connections(), "cutting connections that did not finish in time");
            self.0.send_replace(Stage::Cut);
            self.0.closed().await;
        }
    }
}

/// Accepts connections and has a task serve each.
struct Acceptor<'a, F> {
    front: Front<F>,
    protocol: http1::Builder,
    times: ClientTimes,
    connections: Arc<Connections>,
    stages: &'a Stages,
    metrics: &'a Metrics,
}

impl<'a, S: Answer, F: Fn(SocketAddr) -> S> Acceptor<'a, F> {
    fn new(front: Front<F>, settings: &Settings, limit: usize, stages: &'a Stages, metrics: &'a Metrics) -> Self {
        backlog::widen(&front.listener);
        let mut protocol = http1::Builder::new();
        protocol
            .timer(TokioTimer::new())
            // runs while the server waits for a head, so it limits idle connections
            .header_read_timeout(settings.idle_timeout)
            .max_header_size(settings.max_header_bytes)
            .max_buf_size(settings.max_header_bytes);
        let times = ClientTimes { head: settings.head_timeout, idle: settings.idle_timeout };
        let connections = Connections::new(limit, metrics.connections.clone());
        Self { front, protocol, times, connections, stages, metrics }
    }

    /// Accepts connections for ever.
    async fn accept_for_ever(&self) {
        loop {
            let permit = self.connections.reserve().await;
            let (stream, client) = accept(&self.front.listener).await;
            self.start(self.connections.take(permit), stream, client);
        }
    }

    /// Accepts the connections that are open to their clients already, and no others.
    async fn accept_last(&self) {
        backlog::ignore_new_connections(&self.front.listener);
        let _elapsed = timeout(LAST_REQUEST, self.accept_for_ever()).await;
    }

    fn start(&self, slot: Arc<Slot>, stream: TcpStream, client: SocketAddr) {
        backlog::set_options(&stream);
        let stream = TokioIo::new(ClientStream::new(stream, self.times, Arc::clone(slot.activity())));
        let service = Tracked::new((self.front.for_client)(client), Arc::clone(&slot));
        let connection = self.protocol.serve_connection(stream, service);
        tokio::spawn(serve(connection, self.stages.0.subscribe(), slot, self.metrics.bad_requests.clone()));
    }
}

/// After the readiness delay, the server waits this long for connections and requests that are on their way.
const LAST_REQUEST: Duration = Duration::from_millis(100);

/// Serves one connection to its end.
async fn serve<S: Answer>(
    connection: http1::Connection<TokioIo<ClientStream>, Tracked<S>>,
    mut stage: watch::Receiver<Stage>,
    slot: Arc<Slot>,
    bad_requests: Counter,
) {
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        biased;
        ended = &mut connection => Some(ended),
        _ = stage.wait_for(|stage| *stage >= Stage::Draining) => None,
        () = slot.activity().shall_end() => return debug!("an idle connection makes room for another one"),
    };
    // a request on its way would be lost if the connection were closed at once
    let ended = match ended {
        None => timeout(LAST_REQUEST, &mut connection).await.ok(),
        ended => ended,
    };
    let ended = if ended.is_some() {
        ended
    } else {
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            biased;
            ended = &mut connection => Some(ended),
            _ = stage.wait_for(|stage| *stage >= Stage::Cut) => None,
        }
    };
    if let Some(Err(error)) = ended {
        // hyper itself has answered this request, before any route saw it
        bad_requests.inc_by(error.is_parse().into());
        debug!(%error, "connection ended early");
    }
}

/// Waits for the next connection and tries again after errors: a lack of files or memory is over once connections end.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    const LONGEST_PAUSE: Duration = Duration::from_secs(1);
    let mut pause = Duration::from_millis(10);
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if concerns_one_client(&error) => {}
            Err(error) => {
                warn!(%error, ?pause, "cannot accept connections; trying again");
                sleep(pause).await;
                pause = LONGEST_PAUSE.min(pause * 2);
            }
        }
    }
}

/// Whether the error is only that a client left before its connection was accepted.
fn concerns_one_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionRefused
            | ErrorKind::Interrupted
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_left_is_no_reason_to_pause() {
        for kind in [ErrorKind::ConnectionAborted, ErrorKind::ConnectionReset, ErrorKind::Interrupted] {
            assert!(concerns_one_client(&kind.into()), "{kind}");
        }
        // too many open files
        assert!(!concerns_one_client(&io::Error::from_raw_os_error(24)));
        assert!(!concerns_one_client(&ErrorKind::OutOfMemory.into()));
    }
}
