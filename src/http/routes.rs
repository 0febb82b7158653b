//! The table of routes. A new one is a row here and a handler in a file beside this one.

use axum::Router;
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};

use crate::http::app::App;
use crate::http::frontend::{Call, RouteHandler};
use crate::http::level_query::LevelQuery;
use crate::http::pick::Pick;
use crate::http::problem::Problem;
use crate::http::route::{Audience, Route};
use crate::http::{algorithms, health, level_query, openapi, pick, resource};
use crate::level::queries::distances::DistancesQuery;
use crate::level::queries::path::PathQuery;
use crate::level::queries::solution::SolutionQuery;
use crate::level::queries::spawns::SpawnsQuery;
use crate::level::queries::stats::StatsQuery;
use crate::level::queries::verify::VerifyQuery;
use crate::render::Render;
use crate::telemetry;

/// HEAD works wherever GET does.
const READ: &[&str] = &["GET", "HEAD"];

/// GET and HEAD, and POST with the parameters in a body: a mask is too long for a URL.
const READ_OR_POST: &[&str] = &["GET", "HEAD", "POST"];

/// Every route.
pub static ROUTES: &[Route] = &[
    level_query::<SolutionQuery>("/maze"),
    level_query::<PathQuery>("/maze/path"),
    level_query::<DistancesQuery>("/maze/distances"),
    level_query::<StatsQuery>("/maze/stats"),
    level_query::<SpawnsQuery>("/maze/spawns"),
    Route {
        methods: &["POST"],
        handlers: |route| post(RouteHandler::new(route, level_query::post::<VerifyQuery>)),
        ..level_query::<VerifyQuery>("/maze/verify")
    },
    Route {
        parameters: Some(pick::parameters),
        ..read("/maze/pick", |route| get(RouteHandler::new(route, resource::get::<Pick>)))
    },
    read("/algorithms", |route| get(RouteHandler::new(route, algorithms::get))),
    read("/openapi.yaml", |route| get(RouteHandler::new(route, openapi::yaml))),
    read("/openapi.json", |route| get(RouteHandler::new(route, openapi::json))),
    Route { audience: Audience::Probes, ..read("/healthz", |route| get(RouteHandler::new(route, health::healthz))) },
    Route { audience: Audience::Probes, ..read("/readyz", |route| get(RouteHandler::new(route, health::readyz))) },
    Route { audience: Audience::Operators, ..read("/metrics", |route| get(RouteHandler::new(route, health::metrics))) },
];

/// The route of all requests whose path is in no row, for metrics and logs.
static UNMATCHED: Route = Route { methods: &[], ..read(telemetry::UNMATCHED, |_| MethodRouter::new()) };

/// A route that answers a query about the level of a recipe.
const fn level_query<Q: Render>(path: &'static str) -> Route {
    let handlers = |route| {
        get(RouteHandler::new(route, resource::get::<LevelQuery<Q>>))
            .post(RouteHandler::new(route, level_query::post::<Q>))
    };
    let parameters = Some(level_query::parameters::<Q> as fn() -> _);
    let audience = Audience::Clients;
    Route { path, methods: READ_OR_POST, parameters, needs_seed: Q::NEEDS_SEED, audience, handlers }
}

/// A route without POST, and without a recipe.
const fn read(path: &'static str, handlers: fn(&'static Route) -> MethodRouter<App>) -> Route {
    Route { path, methods: READ, parameters: None, needs_seed: false, audience: Audience::Clients, handlers }
}

/// The router of the rows with these audiences.
pub(super) fn router(app: App, audiences: &[Audience]) -> Router {
    let rows = ROUTES.iter().filter(|route| audiences.contains(&route.audience));
    let routes = rows.fold(Router::new(), |router, route| {
        router.route(route.path, (route.handlers)(route).fallback(RouteHandler::new(route, method_not_allowed)))
    });
    routes.fallback(RouteHandler::new(&UNMATCHED, not_found)).with_state(app)
}

async fn method_not_allowed(_: Call) -> Result<Response, Problem> {
    Err(Problem::MethodNotAllowed)
}

async fn not_found(_: Call) -> Result<Response, Problem> {
    Err(Problem::NotFound)
}
