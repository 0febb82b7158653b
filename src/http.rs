//! HTTP: the only place that knows axum.

pub mod server;
mod stall;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use server::Readiness;

/// The patterns of all routes.
pub const ROUTES: [&str; 2] = ["/healthz", "/readyz"];

/// All routes.
pub fn router(readiness: Readiness) -> Router {
    let ready = async move || {
        if readiness.is_ready() { (StatusCode::OK, "ready") } else { (StatusCode::SERVICE_UNAVAILABLE, "draining") }
    };
    Router::new().route("/healthz", get(async || "ok")).route("/readyz", get(ready))
}
