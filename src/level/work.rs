//! What a job works with: buffers that later jobs use again, and cancellation.

mod bitmap_pool;
mod buffers;
mod price;

pub use crate::level::cancel::{Cancel, Cancelled};
pub(crate) use bitmap_pool::BitmapPool;
pub use buffers::Buffers;
pub(crate) use buffers::{PendingEdge, recycled};
pub use price::Price;

/// Most bytes that a job holds whatever the size of its level: tables, and buffers for one part of the level.
pub const FIXED_BYTES: u64 = 128 << 10;

/// About how many nanoseconds a job takes whatever the size of its level.
pub const FIXED_NANOS: u64 = 10_000;

/// What every job takes besides its input.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use mazed::level::Level;
/// use mazed::level::error::Error;
/// use mazed::level::recipe::{Limits, Recipe};
/// use mazed::level::work::{Buffers, Cancel, JobContext};
///
/// let mut buffers = Buffers::default();
/// let recipe = |seed| Recipe::from_pairs(&[("size", "101"), ("seed", seed)], Limits::of_side(101)).unwrap();
///
/// // a job with a deadline; afterwards its memory is used for the next job
/// let deadline = Instant::now() + Duration::from_secs(60);
/// let is_late = || Instant::now() > deadline;
/// let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::when(&is_late) };
/// let level = Level::build(recipe("7"), &mut context).unwrap();
/// buffers.recycle(level.into_layout());
/// assert!(buffers.bytes() > 0);
///
/// // a job that is cancelled
/// let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::when(&|| true) };
/// assert_eq!(Level::build(recipe("8"), &mut context).err(), Some(Error::Cancelled));
/// ```
pub struct JobContext<'a> {
    /// Memory that earlier jobs used.
    pub buffers: &'a mut Buffers,
    /// Says whether the job must end early.
    pub cancel: Cancel<'a>,
}
