//! What a job is on its way to a worker, and what its callers get.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use crate::level::work::Price;
use crate::service::error::Error;
use crate::service::job::{CacheStatus, Key, Source};
use crate::service::single_flight::Leader;
use crate::telemetry::JobTimes;

/// What a leader hands to its followers: a value of any type and its cache status, or an error.
pub(super) type Shared = Result<(Arc<dyn Any + Send + Sync>, CacheStatus), Error>;

/// The leader's part of a job: everything but its source.
pub(super) struct Task<F> {
    pub(super) leader: Leader<Shared>,
    /// The times of the request that began the task.
    pub(super) times: JobTimes,
    pub(super) algorithm: &'static str,
    pub(super) key: Option<Key>,
    pub(super) price: Price,
    pub(super) response: Range<u64>,
    pub(super) deadline: Instant,
    pub(super) run: F,
}

/// A source, and what making its output takes.
pub(super) struct Priced<S> {
    pub(super) source: S,
    pub(super) price: Price,
}

/// How a task gets the output of its source.
pub(super) enum Supply<S: Source> {
    /// The output exists already.
    Ready(Arc<S::Output>, CacheStatus),
    /// The task makes the output, for itself and for the followers of this leader.
    Make(Priced<S>, Key, Leader<Shared>),
}

impl<S: Source> Supply<S> {
    /// Returns whether the task alone needs the output. If so, a source that is still to be made is unregistered.
    pub(super) fn cancel_if_abandoned(&self) -> bool {
        match self {
            Self::Ready(..) => true,
            Self::Make(.., leader) => leader.cancel_if_abandoned(),
        }
    }
}
