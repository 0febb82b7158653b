//! The budget of response bytes: a limit on the responses in the cache and those on their way to clients together.
//!
//! A job gives its memory back when its response is made. But the response lives until the last client has read it, and
//! clients can be slow. So each response takes its bytes from this budget and gives them back when it is dropped. A job
//! reserves them before it begins: if no client reads, the service must not make levels that it cannot answer with.
//!
//! Of a response only the least and the most bytes are known beforehand, and a path is nearly always far shorter than
//! the longest possible one. So a job reserves the least, and begins only if there is also room for the rest. It counts
//! as rest at most a quarter of what clients may leave unread: otherwise the largest responses would hardly ever begin.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A budget of bytes. A clone is the same budget.
#[derive(Clone)]
pub(super) struct ResponseBudget {
    permits: Arc<Semaphore>,
    /// All units.
    all: usize,
    /// The most units that count as the rest of a response.
    most_rest: usize,
    /// Units that only small responses may take.
    for_small: usize,
}

/// Bytes of one permit. Rounding a response up to whole permits must add less than the cache adds for each entry;
/// otherwise small cached responses would use up this budget.
const UNIT: usize = 64;

/// Bodies up to this length are copied into a block of their own size.
const MAX_COPIED: usize = 16 << 10;

/// A response of at most so many bytes is small. Clients that leave large ones unread leave room for small ones.
const SMALL: u64 = 64 << 10;

/// The permits for a response that is still to be made.
pub struct Reservation {
    permits: OwnedSemaphorePermit,
    budget: Arc<Semaphore>,
}

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

/// The units that so many bytes take, rounded up.
fn units(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX).div_ceil(UNIT)
}

impl ResponseBudget {
    /// An unused budget for the responses in the cache and those that clients have not read.
    pub(super) fn new(cache_bytes: u64, unread_bytes: u64) -> Self {
        let all = usize::try_from(cache_bytes + unread_bytes).unwrap_or(usize::MAX) / UNIT;
        let all = all.min(Semaphore::MAX_PERMITS);
        Self {
            permits: Arc::new(Semaphore::new(all)),
            all,
            most_rest: units(unread_bytes / 4),
            for_small: units(unread_bytes / 8),
        }
    }

    /// Bytes that are taken.
    pub(super) fn used(&self) -> usize {
        self.all.saturating_sub(self.permits.available_permits()) * UNIT
    }

    /// Reserves the bytes of a response that has `bytes.start` at least and `bytes.end` at most. `None` if there is no
    /// room for it.
    pub(super) fn reserve(&self, bytes: &Range<u64>) -> Option<Reservation> {
        let (least, more) = self.units_of(bytes);
        let permits = Arc::clone(&self.permits).try_acquire_many_owned(u32::try_from(least).ok()?).ok()?;
        let has_room = self.permits.available_permits() >= more;
        has_room.then(|| Reservation { permits, budget: Arc::clone(&self.permits) })
    }

    /// Whether there is room for a response now.
    pub(super) fn has_room(&self, bytes: &Range<u64>) -> bool {
        let (least, more) = self.units_of(bytes);
        self.permits.available_permits() >= least + more
    }

    /// The units of the least bytes, and those that must be free beside them: what counts as the rest, and what only
    /// small responses may take.
    fn units_of(&self, bytes: &Range<u64>) -> (usize, usize) {
        let least = units(bytes.start);
        let rest = units(bytes.end).saturating_sub(least).min(self.most_rest);
        (least, rest + if bytes.end > SMALL { self.for_small } else { 0 })
    }
}

impl Reservation {
    /// Takes the bytes that the response has in fact, until its last clone is dropped. `None` if they are more than
    /// were reserved, and the budget has no room for them.
    pub fn settle(self, mut body: Vec<u8>) -> Option<Bytes> {
        let Self { mut permits, budget } = self;
        // A small body grew by doubling, and the cache may keep it for long. Shrinking it would not do: the allocator
        // leaves a block of which half is used as it is.
        if body.len() <= MAX_COPIED && body.capacity() > body.len() {
            body = body.as_slice().to_vec();
        }
        let units = body.capacity().div_ceil(UNIT);
        match units.checked_sub(permits.num_permits()) {
            Some(0) => {}
            Some(more) => permits.merge(budget.try_acquire_many_owned(u32::try_from(more).ok()?).ok()?),
            None => drop(permits.split(permits.num_permits() - units)),
        }
        Some(Bytes::from_owner(Tracked { body, _permits: permits }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units that are free.
    fn free(budget: &ResponseBudget) -> usize {
        budget.permits.available_permits()
    }

    #[test]
    fn a_response_takes_what_it_has_in_fact_until_its_last_clone_is_dropped() {
        let budget = ResponseBudget::new(6_400, 6_400);
        for (reserved, bytes, taken) in [(0..640, 640, 10), (640..6_400, 640, 10), (640..700, 65, 2), (0..0, 0, 0)] {
            let reservation = budget.reserve(&reserved).unwrap();
            assert_eq!(free(&budget), 200 - reserved.start as usize / 64, "{reserved:?}");
            let response = reservation.settle(vec![0; bytes]).unwrap();
            let clone = response.clone();
            drop(response);
            assert_eq!(free(&budget), 200 - taken, "{reserved:?}");
            drop(clone);
            assert_eq!(free(&budget), 200);
        }
        drop(budget.reserve(&(640..640)));
        assert_eq!(free(&budget), 200, "a job that ends without a response gives its bytes back");
    }

    #[test]
    fn a_response_takes_what_its_block_holds_and_a_small_one_gets_a_block_of_its_own_size() {
        let budget = ResponseBudget::new(0, 64 << 20);
        for (bytes, capacity, counted) in
            [(640, 640, 640), (640, 64_000, 640), (MAX_COPIED, 64_000, MAX_COPIED), (MAX_COPIED + 64, 64_000, 64_000)]
        {
            let mut body = Vec::with_capacity(capacity);
            body.resize(bytes, 7);
            let response = budget.reserve(&(0..1)).unwrap().settle(body).unwrap();
            assert_eq!((response.len(), budget.used()), (bytes, counted), "{bytes} bytes in a block of {capacity}");
        }
    }

    #[test]
    fn a_response_begins_only_if_there_is_room_for_its_least_and_some_of_its_rest() {
        let budget = ResponseBudget::new(0, 6_400);
        // the rest counts as 1,600 bytes at most
        assert!(budget.has_room(&(4_800..60_000)) && !budget.has_room(&(4_801..60_000)));
        assert!(budget.has_room(&(6_400..6_400)) && !budget.has_room(&(6_401..6_401)));
        let held = budget.reserve(&(4_800..6_400)).unwrap();
        assert!(budget.reserve(&(0..1_601)).is_some(), "the rest of the other counts for nothing");
        assert!(budget.reserve(&(64..1_664)).is_none());
        assert_eq!(free(&budget), 25, "what was refused holds nothing");
        let whole = held.settle(vec![0; 6_400]).unwrap();
        assert!(budget.reserve(&(0..1)).is_none() && budget.reserve(&(0..0)).is_some());
        drop(whole);
        let (one, other) = (budget.reserve(&(0..1_600)).unwrap(), budget.reserve(&(0..1_600)).unwrap());
        let large = one.settle(vec![0; 6_000]).unwrap();
        assert!(other.settle(vec![0; 1_600]).is_none(), "more than was reserved, and no room");
        drop(large);
        assert_eq!(free(&budget), 100);
    }

    #[test]
    fn large_responses_leave_room_for_small_ones() {
        const LARGE: u64 = SMALL + 64;
        let budget = ResponseBudget::new(0, 8 * LARGE);
        let large: Vec<_> = std::iter::from_fn(|| budget.reserve(&(LARGE..LARGE))).collect();
        assert_eq!(large.len(), 7, "an eighth is left");
        assert!(!budget.has_room(&(0..LARGE)) && budget.has_room(&(SMALL..SMALL)));
        assert!(budget.reserve(&(SMALL..SMALL)).is_some());
    }
}
