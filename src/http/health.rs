//! Routes for the orchestrator: whether the service is alive, whether it is ready, and its metrics. None of them waits
//! for a job or for memory.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::http::frontend::Call;
use crate::http::problem::Problem;
use crate::http::reply::NO_STORE;
use crate::telemetry;

pub(super) async fn healthz(_: Call) -> Result<Response, Problem> {
    Ok(([(header::CACHE_CONTROL, NO_STORE)], "ok").into_response())
}

pub(super) async fn readyz(call: Call) -> Result<Response, Problem> {
    if call.app.readiness.is_ready() {
        Ok(([(header::CACHE_CONTROL, NO_STORE)], "ready").into_response())
    } else {
        Err(Problem::Draining)
    }
}

pub(super) async fn metrics(Call { app, .. }: Call) -> Result<Response, Problem> {
    let content_type = [(header::CONTENT_TYPE, telemetry::CONTENT_TYPE)];
    Ok((content_type, [(header::CACHE_CONTROL, NO_STORE)], app.measure()).into_response())
}
