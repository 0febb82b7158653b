//! The description of the API, as YAML and as JSON.

use std::sync::LazyLock;

use axum::response::Response;

use crate::http::document::Document;
use crate::http::frontend::Call;
use crate::http::problem::Problem;

/// The `openapi.yaml` that this program was built with.
const OPENAPI: &str = include_str!("../../openapi.yaml");

static YAML: LazyLock<Document> = LazyLock::new(|| Document::new("application/yaml", OPENAPI));

static JSON: LazyLock<Option<Document>> = LazyLock::new(|| {
    let parsed = serde_saphyr::from_str::<serde_json::Value>(OPENAPI)
        .inspect_err(|error| tracing::error!(%error, "openapi.yaml is broken"));
    parsed.ok().map(|value| Document::json(&value))
});

pub(super) async fn yaml(call: Call) -> Result<Response, Problem> {
    YAML.reply(call.request.headers())
}

pub(super) async fn json(call: Call) -> Result<Response, Problem> {
    JSON.as_ref().ok_or_else(|| Problem::Internal("openapi.yaml is no JSON".into()))?.reply(call.request.headers())
}
