//! The description of the API, as YAML and as JSON.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use crate::http::frontend::Call;
use crate::http::problem::Problem;
use crate::http::reply::NO_CACHE;

/// The `openapi.yaml` that this program was built with.
const OPENAPI: &str = include_str!("../../openapi.yaml");

static OPENAPI_JSON: LazyLock<Option<Bytes>> = LazyLock::new(|| {
    let parsed = serde_saphyr::from_str::<serde_json::Value>(OPENAPI)
        .inspect_err(|error| tracing::error!(%error, "openapi.yaml is broken"));
    parsed.ok().map(|value| value.to_string().into())
});

pub(super) async fn yaml(_: Call) -> Result<Response, Problem> {
    Ok(([(header::CONTENT_TYPE, "application/yaml")], [(header::CACHE_CONTROL, NO_CACHE)], OPENAPI).into_response())
}

pub(super) async fn json(_: Call) -> Result<Response, Problem> {
    let json = OPENAPI_JSON.clone().ok_or(Problem::Internal)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], [(header::CACHE_CONTROL, NO_CACHE)], json).into_response())
}
