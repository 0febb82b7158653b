//! What the operator sees of the service: log lines on stderr, and metrics for Prometheus.

mod log;
mod metrics;

pub use log::{explain, log_in_any_case, panic_text, start_log};
pub use metrics::{Generation, Metrics, Overload, UNMATCHED};
pub use prometheus_client::encoding::prometheus_text::CONTENT_TYPE;
