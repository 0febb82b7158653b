//! Around every request: refuses a body that is too large, counts the request, times it, and logs it where that is worth a
//! line.

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::App;
use super::problem::Problem;
use crate::config::LogRequests;

/// Requests that take longer are logged.
const SLOW: Duration = Duration::from_secs(1);

pub(super) async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();
    let uri = request.uri().clone();
    let response = match declared_body_bytes(&request) {
        Some(bytes) if bytes > app.max_body_bytes => {
            Problem::BodyTooLarge { max_bytes: app.max_body_bytes }.into_response()
        }
        _ => next.run(request).await,
    };
    let (status, time) = (response.status(), began.elapsed());
    app.metrics.count_request(route.as_ref().map(MatchedPath::as_str), &method, status, time);
    let worth_a_line = status.is_server_error() || time > SLOW;
    if worth_a_line || app.log_requests == LogRequests::All {
        let (status, millis) = (status.as_u16(), time.as_millis() as u64);
        if worth_a_line {
            tracing::warn!(%method, %uri, status, millis, "request");
        } else {
            tracing::info!(%method, %uri, status, millis, "request");
        }
    }
    response
}

/// What the client says of its body's size. A body of unknown size is bounded where it is read, and no route reads one.
fn declared_body_bytes(request: &Request) -> Option<u64> {
    request.headers().get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
