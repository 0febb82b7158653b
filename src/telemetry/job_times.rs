//! How long the jobs of a request waited and ran, for its line in the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::task_local;

task_local! {
    static CURRENT: JobTimes;
}

/// The times of the jobs that ran for one request. A clone adds to the same times. Jobs that other requests began are
/// not among them.
///
/// They reach the workers beside the job itself, because they say nothing of its value, which many requests may share.
#[derive(Debug, Clone, Default)]
pub struct JobTimes(Arc<Microseconds>);

#[derive(Debug, Default)]
struct Microseconds {
    waited: AtomicU64,
    worked: AtomicU64,
}

impl JobTimes {
    /// Runs the handler of a request. [`JobTimes::current`] finds these times there.
    pub async fn during<F: Future>(&self, handler: F) -> F::Output {
        CURRENT.scope(self.clone(), handler).await
    }

    /// The times of the request whose handler runs now; those of no request elsewhere.
    pub fn current() -> Self {
        CURRENT.try_with(Self::clone).unwrap_or_default()
    }

    /// Adds the time for which a job waited for a worker.
    pub fn add_wait(&self, time: Duration) {
        add(&self.0.waited, time);
    }

    /// Adds the time for which a worker worked.
    pub fn add_work(&self, time: Duration) {
        add(&self.0.worked, time);
    }

    /// Seconds for which jobs waited; `None` if none began.
    pub fn waited(&self) -> Option<f64> {
        seconds(&self.0.waited)
    }

    /// Seconds for which workers worked; `None` if no job has come so far.
    pub fn worked(&self) -> Option<f64> {
        seconds(&self.0.worked)
    }
}

fn add(sum: &AtomicU64, time: Duration) {
    // zero stands for no job
    sum.fetch_add((time.as_micros() as u64).max(1), Ordering::Relaxed);
}

fn seconds(sum: &AtomicU64) -> Option<f64> {
    let micros = sum.load(Ordering::Relaxed);
    (micros > 0).then(|| Duration::from_micros(micros).as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_handler_of_a_request_finds_its_times() {
        let times = JobTimes::default();
        assert_eq!((times.waited(), times.worked()), (None, None));
        times
            .during(async {
                JobTimes::current().add_wait(Duration::ZERO);
                JobTimes::current().add_wait(Duration::from_millis(2));
                JobTimes::current().add_work(Duration::from_millis(3));
            })
            .await;
        JobTimes::current().add_work(Duration::from_secs(9));
        assert_eq!((times.waited(), times.worked()), (Some(0.002_001), Some(0.003)));
    }
}
