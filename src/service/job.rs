//! What the service runs: jobs, and the sources that they use. A source is made once, however many jobs need it.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;

use crate::level;
use crate::level::error::ParameterError;
use crate::level::work::{JobContext, Price};
use crate::service::error::Error;
use crate::service::response_budget::Reservation;

/// Names a value in the cache and in the single flight. A key always names the same value, and values of different
/// types must have different keys.
pub type Key = Bytes;

/// A value that the cache can keep.
pub trait Weigh: Send + Sync + 'static {
    /// Bytes of the value, including those on the heap.
    fn bytes(&self) -> usize;
}

/// Makes what jobs work on: a level, or measurements of several. If several jobs need it at the same time, one of them
/// makes it for all.
pub trait Source: Send + 'static {
    /// The type of its output.
    type Output: Weigh;

    /// The key of its output.
    fn key(&self) -> Key;

    /// The algorithm that makes it, for the metrics.
    fn algorithm(&self) -> &'static str;

    /// The error for a job that needs so many bytes, where `max_bytes` are allowed. It names the parameter that takes
    /// the most, and the remedy.
    fn too_large(&self, bytes: u64, max_bytes: u64) -> ParameterError;

    /// What became of the levels of an output, for the metrics.
    fn levels(output: &Self::Output) -> Levels;

    /// Makes the output, on a worker.
    ///
    /// # Errors
    /// If the output cannot be made, or the job is cancelled.
    fn build(self, context: &mut JobContext) -> Result<Self::Output, level::error::Error>;
}

/// How many levels were made for an output, and how many turned out not to suit their recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels {
    /// Those that were made.
    pub made: u64,
    /// Those whose start or exit is a wall.
    pub refused: u64,
}

/// Makes a value from the output of a source.
pub struct Job<S, F> {
    /// Names the value. Jobs with the same key run once and share the value, and the cache keeps it. A job without a
    /// key runs for its own caller alone.
    pub key: Option<Key>,
    /// The source of which the job needs the output.
    pub source: S,
    /// What making the output of the source takes, the output included.
    pub source_price: Price,
    /// What the job takes beside that, its value included.
    pub price: Price,
    /// The least and the most bytes of the response that the value holds. The job does not begin unless the budget of
    /// responses has room for it.
    pub response: Range<u64>,
    /// When the caller stops waiting, and the job is cancelled.
    pub deadline: Instant,
    /// Makes the value, on a worker.
    pub run: F,
}

/// The function of a [`Job`] that makes a value `V` from the output of a source `S`.
/// The reservation is for its response.
pub trait Run<S: Source, V>:
    FnOnce(&Arc<S::Output>, &mut JobContext, Reservation) -> Result<V, Error> + Send + 'static
{
}

impl<S, V, F> Run<S, V> for F
where
    S: Source,
    F: FnOnce(&Arc<S::Output>, &mut JobContext, Reservation) -> Result<V, Error> + Send + 'static,
{
}

/// Whether a source had to be made to get a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheStatus {
    /// No source was made: the cache had the value, or the source's output.
    Hit,
    /// The source was made for this value.
    Miss,
    /// Another caller's job made the source, and this value waited for it.
    Collapsed,
}

/// A value, and whether a source was made for it.
#[derive(Debug)]
pub struct Outcome<V> {
    /// The value, shared with the cache and other callers.
    pub value: Arc<V>,
    /// Whether a source was made for it.
    pub status: CacheStatus,
}
