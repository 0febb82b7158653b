//! The budget of response bytes: how many there may be, in the cache and on their way to clients together.
//!
//! A job gives its memory back when its response is made, but the response lives until the last client has read it, and
//! clients can be slow. So a response holds its share of the budget for as long as its bytes live.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A budget of bytes, in units of a few bytes. A clone is the same budget.
#[derive(Clone)]
pub struct ResponseBudget(Arc<Semaphore>);

/// Bytes of one permit: few, so that small responses in the cache do not count for more than they weigh there.
const UNIT: usize = 64;

/// A response with its share of the budget.
struct Tracked {
    body: Vec<u8>,
    _share: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Tracked {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

impl ResponseBudget {
    /// An unused budget of so many bytes.
    pub(super) fn new(bytes: u64) -> Self {
        let units = usize::try_from(bytes).unwrap_or(usize::MAX) / UNIT;
        Self(Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS))))
    }

    /// Makes a response shareable; `None` where the budget is used up.
    pub fn track(&self, body: Vec<u8>) -> Option<Bytes> {
        let units = u32::try_from(body.capacity().div_ceil(UNIT)).ok()?;
        let share = Arc::clone(&self.0).try_acquire_many_owned(units).ok()?;
        Some(Bytes::from_owner(Tracked { body, _share: share }))
    }
}
