//! What tests of handlers need: the state that handlers share, without a server.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::config::Settings;
use crate::http::app::App;
use crate::http::document::Document;
use crate::http::server::Readiness;
use crate::level::recipe;
use crate::service::{Limits, Service};
use crate::telemetry::Metrics;

/// Longer than any test takes.
pub(super) const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) fn settings(flags: &[&str]) -> Settings {
    Settings::read([&["mazed"], flags].concat()).unwrap()
}

/// A service with two workers.
pub(super) fn service(metrics: Arc<Metrics>) -> Service {
    let limits = Limits { cache_bytes: 8 << 20, workers: 2, work_bytes: 64 << 20, queue: 100, unread_bytes: 8 << 20 };
    Service::new(limits, metrics)
}

/// The state of a server with these flags of the command line.
pub(super) fn app(flags: &[&str]) -> App {
    let metrics = Arc::new(Metrics::new(["/maze"]));
    let limits = recipe::Limits::of_side(4001);
    let service = service(Arc::clone(&metrics));
    App::new(&settings(flags), service, metrics, Readiness::default(), limits, Document::json(&Value::Null))
}
