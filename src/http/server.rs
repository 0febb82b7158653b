//! The accept loop and its shutdown. It knows connections, not requests.
//!
//! `axum::serve` sets no limit on the time that a request's head takes, so one client that sends half a head holds its
//! connection for ever, and a graceful shutdown waits for it. Here each wait has a limit.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::BoxError;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::HttpService;
use hyper_util::rt::{TokioIo, TokioTimer};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tracing::{debug, info, warn};

use crate::config::Settings;
use crate::http::backlog;
use crate::http::stream::ClientStream;
use crate::telemetry::Metrics;

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

/// Answers requests on `listener` until `shutdown` resolves, then shuts down in three steps:
///
/// 1. for the readiness delay it goes on serving, while `readiness` says no, so that load balancers stop sending
///    requests first; the service reads `readiness` too, and ends each connection with its next response;
/// 2. it stops accepting, closes idle connections and lets the others finish their request;
/// 3. at the drain timeout it cuts those that are left.
pub async fn run<S>(
    listener: TcpListener,
    for_client: impl Fn(SocketAddr) -> S,
    settings: &Settings,
    readiness: Readiness,
    metrics: &Metrics,
    shutdown: impl Future<Output = ()>,
) where
    S: Answer,
{
    let (stage, _) = watch::channel(Stage::Serving);
    let acceptor = Acceptor::new(listener, for_client, settings, &stage, metrics);
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
    info!(connections = stage.receiver_count(), "draining: no new connections");
    stage.send_replace(Stage::Draining);
    if timeout(settings.drain_timeout, stage.closed()).await.is_err() {
        warn!(connections = stage.receiver_count(), "cutting connections that did not finish in time");
        stage.send_replace(Stage::Cut);
        stage.closed().await;
    }
}

/// Accepts connections and has a task serve each.
struct Acceptor<'a, F> {
    listener: TcpListener,
    /// Makes the service for the connection of a client.
    for_client: F,
    protocol: http1::Builder,
    idle_timeout: Duration,
    slots: Arc<Semaphore>,
    stage: &'a watch::Sender<Stage>,
    metrics: &'a Metrics,
}

impl<'a, S: Answer, F: Fn(SocketAddr) -> S> Acceptor<'a, F> {
    fn new(
        listener: TcpListener,
        for_client: F,
        settings: &Settings,
        stage: &'a watch::Sender<Stage>,
        metrics: &'a Metrics,
    ) -> Self {
        let mut protocol = http1::Builder::new();
        protocol
            .timer(TokioTimer::new())
            // runs while the server waits for a head, so it limits idle connections too
            .header_read_timeout(settings.idle_timeout)
            .max_buf_size(settings.max_header_bytes);
        let slots = Arc::new(Semaphore::new(settings.connections));
        Self { listener, for_client, protocol, idle_timeout: settings.idle_timeout, slots, stage, metrics }
    }

    /// Accepts connections for ever. At the limit on connections, the next one waits in the system's queue until
    /// another ends.
    async fn accept_for_ever(&self) {
        // the semaphore is never closed
        while let Ok(permit) = Arc::clone(&self.slots).acquire_owned().await {
            let (stream, client) = accept(&self.listener).await;
            self.start(permit, stream, client);
        }
    }

    /// Accepts the connections that are open to their clients already, and no others.
    async fn accept_last(&self) {
        backlog::ignore_new_connections(&self.listener);
        let _elapsed = timeout(LAST_REQUEST, self.accept_for_ever()).await;
    }

    fn start(&self, permit: OwnedSemaphorePermit, stream: TcpStream, client: SocketAddr) {
        // a small response must not wait until the client has acknowledged the one before it
        let _best_effort = stream.set_nodelay(true);
        let slot = Slot::new(permit, self.metrics.connections.clone());
        let stream = TokioIo::new(ClientStream::new(stream, self.idle_timeout));
        let connection = self.protocol.serve_connection(stream, (self.for_client)(client));
        tokio::spawn(serve(connection, self.stage.subscribe(), slot, self.metrics.bad_requests.clone()));
    }
}

/// A service that answers the requests of a connection: any hyper service that can move between threads.
pub trait Answer:
    HttpService<Incoming, Future: Send, Error: Send, ResBody: Body<Data: Send, Error: Into<BoxError>> + Send + 'static>
    + Clone
    + Send
    + 'static
{
}

impl<S> Answer for S where
    S: HttpService<
            Incoming,
            Future: Send,
            Error: Send,
            ResBody: Body<Data: Send, Error: Into<BoxError>> + Send + 'static,
        > + Clone
        + Send
        + 'static
{
}

/// After the readiness delay, the server waits this long for connections and requests that are on their way.
const LAST_REQUEST: Duration = Duration::from_millis(100);

/// Serves one connection to its end.
async fn serve<S: Answer>(
    connection: http1::Connection<TokioIo<ClientStream>, S>,
    mut stage: watch::Receiver<Stage>,
    _slot: Slot,
    bad_requests: Counter,
) {
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        biased;
        ended = &mut connection => Some(ended),
        _ = stage.wait_for(|stage| *stage >= Stage::Draining) => None,
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

/// The permit of a connection. Its task holds it and releases it however the task ends.
struct Slot {
    _permit: OwnedSemaphorePermit,
    open: Gauge,
}

impl Slot {
    fn new(permit: OwnedSemaphorePermit, open: Gauge) -> Self {
        open.inc();
        Self { _permit: permit, open }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.open.dec();
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
