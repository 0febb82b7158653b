//! The price of a job.

use std::ops::Add;

/// What a job takes, as far as it is known before the job runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Price {
    /// The most bytes that the job holds.
    pub bytes: u64,
    /// About how many nanoseconds it runs on the machine of `docs/performance.md`; where the time varies widely, as in
    /// masks, the most that it may take.
    pub nanos: u64,
}

impl Add for Price {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { bytes: self.bytes.saturating_add(other.bytes), nanos: self.nanos.saturating_add(other.nanos) }
    }
}
