//! HTTP, and the only module that knows axum. It parses a request into a recipe and a query, has the service run a job,
//! and sends the value of the job as a response. It names no algorithm, solver or format, but reads their tables.
//!
//! Follow one request: `server` accepts its connection, `routes` resolves it to a row of [`ROUTES`], the `frontend`
//! checks its limits and starts its deadline, the row's handler reads it (`body`, `negotiation`) and has the service
//! run a job, and the `frontend` counts and logs the response. A new route is a row of [`ROUTES`] and a handler in a
//! file here.

mod access_log;
mod activity;
mod algorithms;
mod app;
mod backlog;
mod body;
mod caller;
mod connections;
mod cors;
mod document;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod foreign_bytes;
mod frontend;
mod health;
mod json_number;
mod level_query;
mod limits;
mod negotiation;
pub mod open_files;
mod openapi;
mod pace;
mod pick;
mod precondition;
mod problem;
mod random;
mod reply;
mod resource;
mod route;
mod routes;
pub mod server;
mod stream;
mod tracked;
mod unread;
mod url_path;

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::config::Settings;
use crate::level::recipe;
use crate::service::{Limits, Service};
use crate::telemetry::Metrics;
use app::App;
use document::Document;
use frontend::Frontend;
use server::{Front, Readiness};

pub use route::{Audience, Route};
pub use routes::ROUTES;

/// What the service listens on.
#[derive(Debug)]
pub struct Listeners {
    /// For clients. Without a listener for operators this one answers everything.
    pub public: TcpListener,
    /// For operators: probes and metrics, beside the reach and the limits of clients.
    pub admin: Option<TcpListener>,
}

impl From<TcpListener> for Listeners {
    fn from(public: TcpListener) -> Self {
        Self { public, admin: None }
    }
}

/// Serves on these listeners until `shutdown` resolves, then lets requests under way end and stops. The caller brings
/// both, so that a test can listen on a port of its own and stop when it likes.
pub async fn serve(listeners: impl Into<Listeners>, settings: Settings, shutdown: impl Future<Output = ()>) {
    let metrics = Arc::new(Metrics::new(ROUTES.iter().map(|route| route.path)));
    metrics.set_limits(&settings);
    let limits = Limits {
        cache_bytes: settings.cache_bytes as u64,
        workers: settings.workers as u32,
        work_bytes: settings.work_bytes as u64,
        queue: settings.queue as u32,
        unread_bytes: settings.unread_bytes as u64,
    };
    let service = Service::new(limits, Arc::clone(&metrics));
    serve_by(service, metrics, listeners.into(), settings, shutdown).await;
}

/// Serves with this service, and stops the service at the end.
async fn serve_by(
    service: Service,
    metrics: Arc<Metrics>,
    listeners: Listeners,
    settings: Settings,
    shutdown: impl Future<Output = ()>,
) {
    let readiness = Readiness::default();
    let recipe_limits = recipe::Limits { max_side: settings.max_side, max_room_mask_side: settings.max_room_mask_side };
    let catalogue = Document::json(&algorithms::catalogue(recipe_limits, &settings, ROUTES));
    let app = App::new(&settings, service.clone(), Arc::clone(&metrics), readiness.clone(), recipe_limits, catalogue);
    let front = |listener, audiences: &[Audience]| {
        let frontend = Frontend::new(routes::router(app.clone(), audiences), &settings, readiness.clone());
        Front { listener, for_client: move |client: SocketAddr| frontend.for_client(client.ip()) }
    };
    let Listeners { public, admin } = listeners;
    let (public, admin) = match admin {
        None => (front(public, &[Audience::Clients, Audience::Probes, Audience::Operators]), None),
        Some(admin) => (
            front(public, &[Audience::Clients, Audience::Probes]),
            Some(front(admin, &[Audience::Probes, Audience::Operators])),
        ),
    };
    server::run(public, admin, &settings, readiness, &metrics, shutdown).await;
    // no client is left to wait for the jobs that still run
    service.stop();
}

#[cfg(test)]
mod tests;
