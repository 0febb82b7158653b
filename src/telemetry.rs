//! What the operator sees of the service: log lines on stderr, and metrics for Prometheus.

mod log;
mod metrics;

pub use log::{Log, lines_lost, panic_text};
pub use metrics::{Generation, Metrics, Overload, UNMATCHED};
pub use prometheus_client::encoding::prometheus_text::CONTENT_TYPE;
