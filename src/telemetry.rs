//! What the operator sees of the service: log lines on stderr, and metrics for Prometheus.

mod job_times;
mod log;
mod metrics;
mod process;

pub use job_times::JobTimes;
pub use log::{Log, panic_text};
pub use metrics::{Answered, Generation, Metrics, Overload, UNMATCHED};
pub use prometheus_client::encoding::prometheus_text::CONTENT_TYPE;
