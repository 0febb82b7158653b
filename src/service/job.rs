//! What the service runs: a source, which is made once however many jobs need it, and the job that uses it.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;

use crate::level;
use crate::level::work::JobContext;
use crate::service::error::Error;

/// Names a value in the cache and in the single flight, for ever. Keys of different types of values must differ.
pub type Key = Bytes;

/// A value that the cache can keep.
pub trait Weigh: Send + Sync + 'static {
    /// Bytes that it takes, those on the heap included.
    fn bytes(&self) -> usize;
}

/// Something that jobs are done with: a level, or several. Of all jobs that need it at the same time, one makes it.
pub trait Source: Send + 'static {
    /// What it makes.
    type Output: Weigh;

    /// Names what it makes.
    fn key(&self) -> Key;

    /// Most bytes that making it takes, the output included.
    fn cost(&self) -> u64;

    /// How its job waits for a worker.
    fn priority(&self) -> Priority;

    /// Levels that it makes, for the metrics.
    fn levels(&self) -> u64;

    /// Makes it, on a worker.
    ///
    /// # Errors
    /// Where there is no such thing, or the job is cancelled.
    fn build(self, context: &mut JobContext) -> Result<Self::Output, level::error::Error>;
}

/// How a job waits for a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// Before all others: for short jobs that hold memory while they wait.
    First,
    /// In the order of arrival.
    Normal,
    /// In the order of arrival, for jobs that may take seconds. They get no more than half of the workers and of the
    /// queue, so that they hold up only each other.
    Slow {
        /// The tiles of the level, to which its time is proportional.
        work: u64,
    },
}

/// What a job makes of a source.
pub struct Job<S, F> {
    /// Names the value. Jobs with the same key run once and share the value, and the cache keeps it. A job without a
    /// key runs for its own caller alone.
    pub key: Option<Key>,
    /// What the job needs.
    pub source: S,
    /// Most bytes that the job takes beside what the source makes, its value included.
    pub cost: u64,
    /// When the caller stops waiting, and the job is cancelled.
    pub deadline: Instant,
    /// Makes the value, on a worker.
    pub run: F,
}

/// The function of a [`Job`] that makes a value `V` of what a source `S` makes.
pub trait Run<S: Source, V>: FnOnce(&Arc<S::Output>, &mut JobContext) -> Result<V, Error> + Send + 'static {}

impl<S: Source, V, F: FnOnce(&Arc<S::Output>, &mut JobContext) -> Result<V, Error> + Send + 'static> Run<S, V> for F {}

/// Whether making a value made its source, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheStatus {
    /// No source was made for it.
    Hit,
    /// A source was made for it.
    Miss,
    /// It waited for a source that another caller's job made.
    Collapsed,
}

/// A value, and how it came about.
#[derive(Debug)]
pub struct Outcome<V> {
    /// The value, shared with the cache and other callers.
    pub value: Arc<V>,
    /// Whether a source was made for it.
    pub status: CacheStatus,
}
