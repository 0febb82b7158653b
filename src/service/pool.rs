//! The pool: one lane of workers for each class of jobs.

use crate::level::work::Price;
use crate::service::admission::{Class, ClassLimits, Load};
use crate::service::lane::Lane;

/// All workers.
pub(super) struct Pool {
    lanes: [Lane; Class::ALL.len()],
    bytes: u64,
}

impl Pool {
    /// Starts `workers` threads for each class. All jobs that run at one time may hold `bytes` together, and of each
    /// class `queue` more may wait.
    pub(super) fn new(workers: u32, queue: u32, bytes: u64) -> Self {
        let limits = ClassLimits { workers: workers as usize, queue: queue as usize };
        Self { lanes: Class::ALL.map(|class| Lane::new(class, limits, class.bytes(bytes))), bytes }
    }

    /// The most bytes that a job may hold.
    pub(super) const fn max_job_bytes(&self) -> u64 {
        Class::Large.bytes(self.bytes)
    }

    /// The lane of jobs of this price, which holds no more than the most bytes of a job.
    pub(super) fn lane(&self, price: Price) -> &Lane {
        &self.lanes[Class::of(price, self.bytes).unwrap_or(Class::Large) as usize]
    }

    /// What the jobs of all classes take now.
    pub(super) fn load(&self) -> Load {
        self.lanes.iter().map(Lane::load).fold(Load::default(), |sum, lane| sum + lane)
    }
}
