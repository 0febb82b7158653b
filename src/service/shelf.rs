//! The shelf: how many bytes of finished bodies there may be, in the cache and on their way to clients together.
//!
//! A job gives its memory back when its body is done, but the body lives until the last client has read it, and clients
//! can be slow. So a body takes a place on the shelf for as long as its bytes are held by anybody.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A budget of bytes, in units of [`UNIT`].
pub(super) struct Shelf(Arc<Semaphore>);

/// Bytes of one permit: few, so that small bodies in the cache do not count for more than they weigh there.
const UNIT: usize = 64;

/// A body with its place on the shelf.
struct Placed {
    body: Vec<u8>,
    _place: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Placed {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

impl Shelf {
    /// An empty shelf for so many bytes.
    pub(super) fn new(bytes: u64) -> Self {
        let units = usize::try_from(bytes).unwrap_or(usize::MAX) / UNIT;
        Self(Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS))))
    }

    /// Makes a body shareable, or drops it where the shelf is full.
    pub(super) fn hold(&self, body: Vec<u8>) -> Option<Bytes> {
        let units = u32::try_from(body.capacity().div_ceil(UNIT)).ok()?;
        let place = Arc::clone(&self.0).try_acquire_many_owned(units).ok()?;
        Some(Bytes::from_owner(Placed { body, _place: place }))
    }
}
