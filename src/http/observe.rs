//! What is kept of every request: a count, its time, and a log line where it is worth one.

use std::time::{Duration, Instant};

use axum::http::{Method, Request, StatusCode, Uri};

use crate::config::LogRequests;
use crate::telemetry::Metrics;

/// Requests that take longer are logged.
const SLOW: Duration = Duration::from_secs(1);

/// A request under way.
pub(super) struct Observed {
    began: Instant,
    method: Method,
    uri: Uri,
}

impl Observed {
    pub(super) fn new<B>(request: &Request<B>) -> Self {
        Self { began: Instant::now(), method: request.method().clone(), uri: request.uri().clone() }
    }

    /// Counts the request and logs it: each one where that is set, else what broke, timed out or was slow. A server
    /// that sheds load answers 503 by the thousand; the metrics tell that.
    pub(super) fn answered(self, status: StatusCode, metrics: &Metrics, log: LogRequests) {
        let Self { began, method, uri } = self;
        let time = began.elapsed();
        metrics.count_request(uri.path(), method.as_str(), status.as_u16(), time);
        let failed = status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE;
        let (status, millis) = (status.as_u16(), time.as_millis() as u64);
        if failed || time > SLOW {
            tracing::warn!(%method, %uri, status, millis, "request");
        } else if log == LogRequests::All {
            tracing::info!(%method, %uri, status, millis, "request");
        }
    }
}
