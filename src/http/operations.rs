//! For the orchestrator: is the service alive, is it ready, how is it doing. None of these waits for a job or a place.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::http::App;
use crate::http::conditional::NO_STORE;
use crate::http::problem::Problem;
use crate::telemetry;

pub(super) async fn healthz() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, NO_STORE)], "ok")
}

pub(super) async fn readyz(State(app): State<App>) -> Result<Response, Problem> {
    if app.readiness.is_ready() {
        Ok(([(header::CACHE_CONTROL, NO_STORE)], "ready").into_response())
    } else {
        Err(Problem::Draining)
    }
}

pub(super) async fn metrics(State(app): State<App>) -> impl IntoResponse {
    app.service.measure();
    ([(header::CONTENT_TYPE, telemetry::CONTENT_TYPE)], [(header::CACHE_CONTROL, NO_STORE)], app.metrics.encode())
}
