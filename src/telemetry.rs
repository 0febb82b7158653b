//! What the service tells its operator: log lines on stderr, and numbers for Prometheus.

mod log;
mod metrics;

pub use log::{panic_text, start_log};
pub use metrics::{Metrics, UNMATCHED};
pub use prometheus_client::encoding::prometheus_text::CONTENT_TYPE;
