//! Admission: how many jobs run at once, how much memory they hold together, and how many may wait.
//!
//! A semaphore of workers behind a semaphore of places. Each worker stands for an equal share of the memory, and a
//! job takes as many workers as the shares it needs; the largest takes them all and runs alone. Both semaphores are fair,
//! so a large job is not overtaken for ever by small ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Trouble;

/// The two semaphores.
pub(super) struct Admission {
    places: Arc<Semaphore>,
    workers: Arc<Semaphore>,
    running: Arc<AtomicI64>,
    place_count: u32,
    worker_count: u32,
    /// Bytes that each worker stands for.
    share: u64,
}

/// Lets one job run; belongs inside the job, which may outlive whoever asked for it.
pub(super) struct Permit {
    _workers: OwnedSemaphorePermit,
    _place: OwnedSemaphorePermit,
    running: Arc<AtomicI64>,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.running.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Admission {
    /// Room for `workers` jobs that hold `bytes` together, and for `queue` more that wait.
    pub(super) fn new(workers: u32, queue: u32, bytes: u64) -> Self {
        // a running job keeps its place, so there are places for those who run and those who wait
        let place_count = workers.saturating_add(queue);
        Self {
            places: Arc::new(Semaphore::new(place_count as usize)),
            workers: Arc::new(Semaphore::new(workers as usize)),
            running: Arc::default(),
            place_count,
            worker_count: workers,
            share: (bytes / u64::from(workers)).max(1),
        }
    }

    /// Lets a job in that needs so many bytes, if there is room for it at once.
    pub(super) fn admit_now(&self, bytes: u64) -> Option<Permit> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let workers = Arc::clone(&self.workers).try_acquire_many_owned(self.shares(bytes)).ok()?;
        Some(self.permit(place, workers))
    }

    /// Waits until a job that needs so many bytes may run.
    ///
    /// # Errors
    /// [`Trouble::Busy`] at once where there is no place to wait, [`Trouble::Deadline`] where the wait takes too long.
    pub(super) async fn admit(&self, bytes: u64, deadline: Instant) -> Result<Permit, Trouble> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Trouble::Busy)?;
        let workers = Arc::clone(&self.workers).acquire_many_owned(self.shares(bytes));
        match tokio::time::timeout_at(deadline.into(), workers).await {
            Ok(Ok(workers)) => Ok(self.permit(place, workers)),
            // the semaphore is never closed, so it is time that ran out
            Ok(Err(_)) | Err(_) => Err(Trouble::Deadline),
        }
    }

    /// Workers that a job takes; never more than there are, for it would wait for ever.
    fn shares(&self, bytes: u64) -> u32 {
        bytes.div_ceil(self.share).clamp(1, self.worker_count.into()) as u32
    }

    fn permit(&self, place: OwnedSemaphorePermit, workers: OwnedSemaphorePermit) -> Permit {
        self.running.fetch_add(1, Ordering::Relaxed);
        Permit { _workers: workers, _place: place, running: Arc::clone(&self.running) }
    }

    /// Jobs that run.
    pub(super) fn running(&self) -> i64 {
        self.running.load(Ordering::Relaxed)
    }

    /// Jobs that wait.
    pub(super) fn queued(&self) -> i64 {
        let jobs = self.place_count as usize - self.places.available_permits();
        (jobs.cast_signed() as i64 - self.running()).max(0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(50)
    }

    #[tokio::test]
    async fn no_more_run_than_there_are_workers_and_no_more_wait_than_there_are_places() {
        let admission = Arc::new(Admission::new(2, 1, 200));
        let first = admission.admit(1, soon()).await.unwrap();
        let _second = admission.admit(100, soon()).await.unwrap();
        let waiting = tokio::spawn({
            let admission = Arc::clone(&admission);
            async move { admission.admit(1, Instant::now() + Duration::from_secs(60)).await.map(drop) }
        });
        tokio::task::yield_now().await;
        assert_eq!((admission.running(), admission.queued()), (2, 1));
        assert_eq!(admission.admit(1, soon()).await.err(), Some(Trouble::Busy));
        drop(first);
        assert_eq!(waiting.await.unwrap(), Ok(()));
    }

    #[tokio::test]
    async fn a_job_larger_than_all_runs_alone() {
        let admission = Admission::new(2, 1, 200);
        let largest = admission.admit(u64::MAX, soon()).await.unwrap();
        assert_eq!(admission.running(), 1);
        assert_eq!(admission.admit(1, soon()).await.err(), Some(Trouble::Deadline));
        drop(largest);
        assert!(admission.admit(1, soon()).await.is_ok());
    }
}
