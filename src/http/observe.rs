//! Around every request: counts it, times it, and logs it where that is worth a line.

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

use super::App;
use crate::config::LogRequests;

/// Requests that take longer are logged.
const SLOW: Duration = Duration::from_secs(1);

pub(super) async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();
    let uri = request.uri().clone();
    let response = next.run(request).await;
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
