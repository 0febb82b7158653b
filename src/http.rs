//! HTTP: the only place that knows axum. It turns a request into a recipe and a question, and what the service says
//! into a response; it names no algorithm, solver or form, but reads their tables.
//!
//! A new route is a row of [`ROUTES`] and a handler in a file here.

mod accept;
mod ask;
mod body;
mod catalogue;
mod conditional;
mod gate;
mod limits;
mod maze;
mod observe;
mod operations;
mod problem;
mod query;
mod reference;
pub mod server;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::{MethodRouter, get};
use bytes::Bytes;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::config::{LogRequests, Settings};
use crate::level::recipe;
use crate::render::RenderOptions;
use crate::service;
use crate::service::Service;
use crate::telemetry::Metrics;
use gate::Gate;
use maze::distances::Distances;
use maze::path::Path;
use maze::pick;
use maze::spawns::Spawns;
use maze::stats::Stats;
use maze::verify::Verify;
use problem::Problem;
use server::Readiness;

/// One route: a path, the methods that it answers, and what answers them.
pub struct Route {
    /// The path.
    pub path: &'static str,
    /// The methods; others are answered 405.
    pub methods: &'static [&'static str],
    /// The parameters that it reads beside those of a recipe, where it asks about one.
    pub parameters: Option<&'static [&'static str]>,
    handler: fn() -> MethodRouter<App>,
}

/// Who may be asked may also be asked for the head alone.
const READ: &[&str] = &["GET", "HEAD"];

/// The same with the parameters in a body: a mask is too long for an address.
const ASK: &[&str] = &["GET", "HEAD", "POST"];

/// Every route.
pub const ROUTES: &[Route] = &[
    question::<RenderOptions>(),
    question::<Path>(),
    question::<Distances>(),
    question::<Stats>(),
    question::<Spawns>(),
    Route { methods: &["POST"], handler: ask::by_body_only::<Verify>, ..question::<Verify>() },
    Route { parameters: Some(pick::PARAMETERS), ..plain(pick::PATH, || get(pick::show)) },
    plain("/algorithms", || get(catalogue::show)),
    plain("/openapi.yaml", || get(reference::openapi_yaml)),
    plain("/openapi.json", || get(reference::openapi_json)),
    plain("/healthz", || get(operations::healthz)),
    plain("/readyz", || get(operations::readyz)),
    plain("/metrics", || get(operations::metrics)),
];

/// A route that answers a question about a level.
const fn question<Q: ask::Question>() -> Route {
    let handler = ask::by_query_and_body::<Q>;
    Route { path: Q::PATH, methods: ASK, parameters: Some(Q::PARAMETERS), handler }
}

/// A route that is only read, and reads no recipe.
const fn plain(path: &'static str, handler: fn() -> MethodRouter<App>) -> Route {
    Route { path, methods: READ, parameters: None, handler }
}

/// What handlers share.
#[derive(Clone)]
struct App(Arc<Shared>);

struct Shared {
    service: Service,
    metrics: Arc<Metrics>,
    readiness: Readiness,
    recipe_limits: recipe::Limits,
    max_answer_bytes: u64,
    max_url_bytes: usize,
    max_body_bytes: u64,
    /// A permit for each byte of request bodies that may be held at once.
    bodies: Arc<Semaphore>,
    /// A permit for each series of levels that may be looked through at once.
    picks: Semaphore,
    request_timeout: Duration,
    log_requests: LogRequests,
    catalogue: Bytes,
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Serves on `listener` until `shutdown` resolves, then lets requests under way end and stops. The caller brings both,
/// so that a test can listen on a port of its own and stop when it likes.
pub async fn serve(listener: TcpListener, settings: Settings, shutdown: impl Future<Output = ()>) {
    let metrics = Arc::new(Metrics::new(ROUTES.iter().map(|route| route.path)));
    let limits = service::Limits {
        cache_bytes: settings.cache_bytes as u64,
        workers: settings.workers as u32,
        work_bytes: settings.work_bytes as u64,
        queue: settings.queue as u32,
        unread_bytes: settings.unread_bytes as u64,
        deadline: settings.request_timeout,
    };
    let service = Service::new(limits, Arc::clone(&metrics));
    let readiness = Readiness::default();
    let app = App::new(&settings, service.clone(), Arc::clone(&metrics), readiness.clone());
    server::run(listener, Gate::new(router(app.clone()), app), &settings, readiness, &metrics, shutdown).await;
    // nobody is left to wait for the jobs that still run
    service.stop();
}

impl App {
    fn new(settings: &Settings, service: Service, metrics: Arc<Metrics>, readiness: Readiness) -> Self {
        let max_answer_bytes = settings.max_answer_bytes as u64;
        let recipe_limits =
            recipe::Limits { max_side: settings.max_side, max_room_mask_side: settings.max_room_mask_side };
        let catalogue = catalogue::catalogue(recipe_limits, settings);
        Self(Arc::new(Shared {
            service,
            metrics,
            readiness,
            recipe_limits,
            max_answer_bytes,
            max_url_bytes: settings.max_url_bytes,
            max_body_bytes: settings.max_body_bytes as u64,
            bodies: Arc::new(Semaphore::new(settings.bodies_bytes.min(Semaphore::MAX_PERMITS))),
            picks: Semaphore::new(settings.workers),
            request_timeout: settings.request_timeout,
            log_requests: settings.log_requests,
            catalogue: catalogue.to_string().into(),
        }))
    }
}

fn router(app: App) -> Router {
    let routes = ROUTES.iter().fold(Router::new(), |router, route| {
        router.route(route.path, (route.handler)().fallback(async || Problem::MethodNotAllowed))
    });
    routes.fallback(async || Problem::NotFound).with_state(app)
}
