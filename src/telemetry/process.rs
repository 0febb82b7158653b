//! What there is once in a process, whatever service runs in it: log lines, panics, and what Linux counts of it.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(target_os = "linux")]
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
#[cfg(target_os = "linux")]
use prometheus_client::metrics::gauge::ConstGauge;
use tracing_appender::non_blocking::ErrorCounter;

/// The lines that the log has lost: like stderr, there is one log for all.
static LOST_LINES: OnceLock<ErrorCounter> = OnceLock::new();

static PANICS: AtomicU64 = AtomicU64::new(0);

/// Shows the lost lines of this log.
pub(super) fn count_lost_lines(lost: ErrorCounter) {
    LOST_LINES.get_or_init(|| lost);
}

/// Counts a panic.
pub(super) fn count_panic() {
    PANICS.fetch_add(1, Ordering::Relaxed);
}

/// Reads the counts when Prometheus asks for them.
#[derive(Debug)]
pub(super) struct ProcessMetrics;

impl Collector for ProcessMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let lost = ConstCounter::new(LOST_LINES.get().map_or(0, |lost| lost.dropped_lines() as u64));
        write(&mut encoder, "mazed_log_lines_lost", "Log lines lost because the reader of stderr was too slow", &lost)?;
        let panics = ConstCounter::new(PANICS.load(Ordering::Relaxed));
        write(&mut encoder, "mazed_panics", "Panics of any thread", &panics)?;
        #[cfg(target_os = "linux")]
        if let Ok(linux) = Linux::read() {
            linux.write(&mut encoder)?;
        }
        Ok(())
    }
}

fn write(encoder: &mut DescriptorEncoder, name: &str, help: &str, metric: &impl EncodeMetric) -> fmt::Result {
    metric.encode(encoder.encode_descriptor(name, help, None, metric.metric_type())?)
}

/// The time of so many ticks, in which Linux counts.
#[cfg(target_os = "linux")]
fn time(ticks: u64) -> Duration {
    Duration::from_micros(ticks * 1_000_000 / procfs::ticks_per_second())
}

/// What Linux counts of this process.
#[cfg(target_os = "linux")]
struct Linux {
    stat: procfs::process::Stat,
    open_files: usize,
    max_files: Option<u64>,
    /// Since the epoch of Unix.
    started: Duration,
}

#[cfg(target_os = "linux")]
impl Linux {
    fn read() -> procfs::ProcResult<Self> {
        use procfs::process::{LimitValue, Process};

        let process = Process::myself()?;
        let stat = process.stat()?;
        let max_files = match process.limits()?.max_open_files.soft_limit {
            LimitValue::Value(files) => Some(files),
            LimitValue::Unlimited => None,
        };
        let started = Duration::from_secs(procfs::boot_time_secs()?) + time(stat.starttime);
        Ok(Self { open_files: process.fd_count()?, max_files, started, stat })
    }

    /// Writes the metrics that the client libraries of Prometheus have in common.
    fn write(&self, encoder: &mut DescriptorEncoder) -> fmt::Result {
        let Self { stat, open_files, max_files, started } = self;
        let cpu = ConstCounter::new(time(stat.utime + stat.stime).as_secs_f64());
        write(encoder, "process_cpu_seconds", "CPU time, of user and system", &cpu)?;
        let resident = stat.rss * procfs::page_size();
        write(encoder, "process_resident_memory_bytes", "Resident memory", &ConstGauge::new(resident))?;
        write(encoder, "process_virtual_memory_bytes", "Virtual memory", &ConstGauge::new(stat.vsize))?;
        write(encoder, "process_open_fds", "Open file descriptors", &ConstGauge::new(*open_files as u64))?;
        if let Some(files) = *max_files {
            write(encoder, "process_max_fds", "The limit on open file descriptors", &ConstGauge::new(files))?;
        }
        write(
            encoder,
            "process_start_time_seconds",
            "When the process began, in Unix time",
            &ConstGauge::new(started.as_secs_f64()),
        )?;
        write(encoder, "process_threads", "Threads", &ConstGauge::new(stat.num_threads))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, set_hook, take_hook};

    use super::*;

    #[test]
    fn a_panic_is_counted() {
        let report = take_hook();
        set_hook(Box::new(move |panic| {
            count_panic();
            report(panic);
        }));
        let before = PANICS.load(Ordering::Relaxed);
        assert!(catch_unwind(|| panic!("broken on purpose")).is_err());
        assert!(PANICS.load(Ordering::Relaxed) > before);
    }
}
