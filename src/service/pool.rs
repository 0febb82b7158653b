//! The pool: one lane of workers for each class of jobs.

use std::time::Duration;

use crate::level::work::Price;
use crate::service::admission::{Class, Places};
use crate::service::lane::{Admission, Lane};

/// All workers.
pub(super) struct Pool {
    lanes: [Lane; Class::ALL.len()],
    bytes: u64,
}

impl Pool {
    /// Starts `workers` threads for each class. All jobs that run at one time may hold `bytes` together, and of each
    /// class `queue` more may wait.
    pub(super) fn new(workers: u32, queue: u32, bytes: u64) -> Self {
        let places = Places { workers: workers as usize, queue: queue as usize };
        Self { lanes: Class::ALL.map(|class| Lane::new(class, places, class.bytes(bytes))), bytes }
    }

    /// The class of jobs of this price, or the most bytes that a job may hold if it holds more.
    pub(super) fn class_of(&self, price: Price) -> Result<Class, u64> {
        Class::of(price, self.bytes).ok_or(Class::Large.bytes(self.bytes))
    }

    /// Runs a job, now or later. If the job is refused, this call hands it [`Admission::Refused`] before it returns.
    /// `holds_output` says whether the job holds memory while it waits.
    pub(super) fn submit(
        &self,
        price: Price,
        holds_output: bool,
        time_left: Duration,
        job: impl FnOnce(Admission) + Send + 'static,
    ) {
        // a price above all classes was refused before
        let class = Class::of(price, self.bytes).unwrap_or(Class::Large);
        self.lanes[class as usize].submit(price, holds_output, time_left, job);
    }

    /// The most bytes that the jobs hold which run.
    pub(super) fn held_bytes(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.load().held_bytes).sum()
    }

    /// Jobs that run.
    pub(super) fn running(&self) -> usize {
        self.lanes.iter().map(|lane| lane.load().running).sum()
    }

    /// Jobs that wait.
    pub(super) fn waiting(&self) -> usize {
        self.lanes.iter().map(|lane| lane.load().waiting).sum()
    }
}
