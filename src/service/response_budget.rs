//! The budget of response bytes: a limit on the responses in the cache and those on their way to clients together.
//!
//! A job gives its memory back when its response is made. But the response lives until the last client has read it, and
//! clients can be slow. So each response takes its bytes from this budget and gives them back when it is dropped.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A budget of bytes. A clone is the same budget.
#[derive(Clone)]
pub struct ResponseBudget(Arc<Semaphore>);

/// Bytes of one permit. Rounding a response up to whole permits must add less than the cache adds for each entry;
/// otherwise small cached responses would use up this budget.
const UNIT: usize = 64;

/// A response with its permits.
struct Tracked {
    body: Vec<u8>,
    _permits: OwnedSemaphorePermit,
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

    /// Takes the bytes of a response from the budget, until its last clone is dropped. `None` if the budget is used up.
    pub fn track(&self, body: Vec<u8>) -> Option<Bytes> {
        let units = u32::try_from(body.capacity().div_ceil(UNIT)).ok()?;
        let permits = Arc::clone(&self.0).try_acquire_many_owned(units).ok()?;
        Some(Bytes::from_owner(Tracked { body, _permits: permits }))
    }
}
