//! Admission: which jobs may run beside each other, which wait, and which are refused.
//!
//! Every job has a [`Price`], which is known before it runs: the most bytes that it holds, and about how long it runs.
//! By its price it belongs to one of three [`Class`]es. Each class has as many workers as the others, a queue of its
//! own, and a part of the memory for jobs. So a job waits only for jobs of its own class: a small level never waits for
//! a large one, and a flood of small levels does not keep a large one from being made. The workers of the classes share
//! the processors by the system's priorities: those of smaller jobs go first whenever they have something to do.
//!
//! A job is refused for good if it needs more memory than any class has. It is refused for now if its class has too
//! many waiting jobs, or if these take so long that the job's own time would be over before it could begin.

use std::ops::Add;
use std::time::Duration;

use crate::level::work::{Buffers, Price};
use crate::telemetry::Overload;

/// Jobs of similar price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Under a millisecond: most levels that games ask for.
    Small,
    /// Up to a tenth of a second.
    Medium,
    /// All others.
    Large,
}

impl Class {
    pub(super) const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    /// The longest time of a job of this class, in nanoseconds.
    const fn max_nanos(self) -> u64 {
        match self {
            Self::Small => 1_000_000,
            Self::Medium => 100_000_000,
            Self::Large => u64::MAX,
        }
    }

    /// The memory that the jobs of this class may hold together, of so many bytes for all jobs.
    pub(super) const fn bytes(self, all: u64) -> u64 {
        match self {
            Self::Small | Self::Medium => all / 8,
            Self::Large => all / 4 * 3,
        }
    }

    /// How far the system puts the workers of this class behind others, as a nice value.
    pub(super) const fn niceness(self) -> i32 {
        match self {
            Self::Small => 0,
            Self::Medium => 5,
            Self::Large => 10,
        }
    }

    /// The class of jobs of this price, where all jobs may hold so many bytes. `None` if the price is above what any
    /// class allows.
    pub(super) fn of(price: Price, all_bytes: u64) -> Option<Self> {
        let holds = |class: &Self| price.nanos <= class.max_nanos() && price.bytes <= class.bytes(all_bytes);
        Self::ALL.into_iter().find(holds)
    }
}

/// What the jobs of one class, or of all, take together.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Load {
    /// Jobs that run.
    pub(super) running: usize,
    /// Jobs that wait.
    pub(super) waiting: usize,
    /// The time of all jobs that wait.
    pub(super) waiting_nanos: u64,
    /// The most bytes that the running ones hold.
    pub(super) held_bytes: u64,
}

impl Add for Load {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            running: self.running + other.running,
            waiting: self.waiting + other.waiting,
            waiting_nanos: self.waiting_nanos.saturating_add(other.waiting_nanos),
            held_bytes: self.held_bytes + other.held_bytes,
        }
    }
}

/// The limits of one class.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClassLimits {
    /// Jobs that run at once.
    pub(super) workers: usize,
    /// Jobs that may wait while every worker runs one.
    pub(super) queue: usize,
}

/// What becomes of a job.
pub(super) enum Admission<'a> {
    /// The job runs now, with the buffers of a worker.
    Run(&'a mut Buffers),
    /// The job does not run.
    Refused(Busy),
}

/// Why a job is refused for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy {
    /// The limit that the job met.
    pub limit: Overload,
    /// When a job like this one may be taken.
    pub retry_after: Duration,
}

impl Busy {
    /// A refusal because of a limit that may be free again at any time.
    pub const fn soon(limit: Overload) -> Self {
        Self { limit, retry_after: Duration::from_secs(1) }
    }
}

impl ClassLimits {
    /// Decides whether a job that has so much time left may join the others of its class.
    pub(super) fn admit(self, load: Load, price: Price, time_left: Duration) -> Result<(), Busy> {
        // A job that can run at once waits until a worker takes it. So the limit is on waiting and running jobs
        // together.
        let is_full = load.running + load.waiting >= self.workers + self.queue;
        // no matter how long a job runs, it may wait if no other job does
        let is_late = load.waiting > 0 && self.wait(load.waiting_nanos.saturating_add(price.nanos)) > time_left;
        let limit = match () {
            () if is_full => Overload::Queue,
            () if is_late => Overload::Wait,
            () => return Ok(()),
        };
        Err(Busy { limit, retry_after: self.wait(load.waiting_nanos) })
    }

    /// How long the workers take for so much work.
    fn wait(self, nanos: u64) -> Duration {
        Duration::from_nanos(nanos / self.workers as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEGABYTE: u64 = 1 << 20;

    #[test]
    fn a_class_is_the_first_that_holds_both_time_and_bytes() {
        for (bytes, nanos, class) in [
            (0, 0, Some(Class::Small)),
            (32 * MEGABYTE, 1_000_000, Some(Class::Small)),
            (0, 1_000_001, Some(Class::Medium)),
            (32 * MEGABYTE, 100_000_000, Some(Class::Medium)),
            (32 * MEGABYTE + 1, 0, Some(Class::Large)),
            (0, 100_000_001, Some(Class::Large)),
            (192 * MEGABYTE, u64::MAX, Some(Class::Large)),
            (192 * MEGABYTE + 1, 0, None),
        ] {
            assert_eq!(Class::of(Price { bytes, nanos }, 256 * MEGABYTE), class, "{bytes} bytes, {nanos} ns");
        }
    }

    #[test]
    fn the_classes_together_hold_no_more_than_all_bytes() {
        for all in [1 << 20, (1 << 20) + 7, 256 * MEGABYTE, u64::MAX] {
            let sum: u128 = Class::ALL.iter().map(|class| u128::from(class.bytes(all))).sum();
            assert!(sum <= u128::from(all) && sum + 16 >= u128::from(all), "{all}");
        }
    }

    #[test]
    fn a_job_is_refused_if_its_class_is_full_or_its_time_would_be_over() {
        const LIMITS: ClassLimits = ClassLimits { workers: 2, queue: 3 };
        let second = Duration::from_secs(1);
        let load = |running, waiting, waiting_nanos| Load { running, waiting, waiting_nanos, held_bytes: 0 };
        let refused = |load, nanos| LIMITS.admit(load, Price { bytes: 0, nanos }, second).err();
        let busy = |limit, millis| Some(Busy { limit, retry_after: Duration::from_millis(millis) });
        assert_eq!(refused(load(0, 0, 0), u64::MAX), None, "nothing waits");
        assert_eq!(refused(load(2, 2, 1_000), 1_000), None);
        assert_eq!(refused(load(2, 3, 8_000_000_000), 0), busy(Overload::Queue, 4_000));
        assert_eq!(refused(load(0, 5, 0), 0), busy(Overload::Queue, 0));
        assert_eq!(refused(load(2, 1, 1_500_000_000), 500_000_000), None, "a second of work for two workers");
        assert_eq!(refused(load(2, 1, 1_500_000_000), 500_000_002), busy(Overload::Wait, 750));
        assert_eq!(refused(load(2, 1, u64::MAX), u64::MAX).map(|busy| busy.limit), Some(Overload::Wait));
    }
}
