//! What a job works with: buffers that outlive it, and a way to be cancelled.

mod bitmap_pool;
mod buffers;

pub use crate::level::cancel::{Cancel, Cancelled};
pub(crate) use bitmap_pool::BitmapPool;
pub use buffers::Buffers;
pub(crate) use buffers::{Candidate, recycled};

/// Most bytes that a job holds whatever the size of its level: tables, and buffers for one part of the level.
pub const FIXED_BYTES: u64 = 128 << 10;

/// What a job is given besides its input.
pub struct JobContext<'a> {
    /// Memory that the job before left.
    pub buffers: &'a mut Buffers,
    /// Whether the job is to end early.
    pub cancel: Cancel<'a>,
}
