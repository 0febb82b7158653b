//! The cache: values of any type, by key, within one budget of bytes.

use std::any::Any;
use std::sync::Arc;

use moka::policy::EvictionPolicy;
use prometheus_client::metrics::counter::Counter;

use crate::service::job::{Key, Weigh};

/// Keeps the most recently used values. Large ones have a part of the budget for themselves, so that they push out only
/// each other, never the thousands of small ones that most clients ask for.
pub(super) struct Cache {
    small: Part,
    large: Part,
}

type Part = moka::sync::Cache<Key, Entry>;

#[derive(Clone)]
struct Entry {
    value: Arc<dyn Any + Send + Sync>,
    bytes: usize,
}

/// Bytes that an entry takes beside its key and its value: its node in the map and its slot in the table, its link in
/// the list of recent use, a dozen reference counts, and what the allocator rounds up. Measured with mimalloc as the
/// growth of resident memory by 140,000 responses about levels of 5 by 5 tiles, of which older ones are evicted.
const OVERHEAD: usize = 576;

/// From so many bytes on, a value is counted as the block that the allocator takes for it.
const SMALL: usize = 8 << 10;

/// From so many bytes on, the allocator has no sizes of blocks.
const HUGE: usize = 16 << 20;

/// A heavier entry is large. After putting one the cache evicts others at once: moka alone would put this off for up to
/// dozens of writes, and dozens of large entries hold many times their part of the budget.
const LARGE: usize = 64 << 10;

/// The most slots that are made ahead: the table of a large cache would take hundreds of megabytes while it is empty.
const MAX_SLOTS: usize = 1 << 16;

impl Cache {
    /// An empty cache that holds up to `bytes`: three quarters of them in small entries, a quarter in large ones. It
    /// counts the entries that it evicts.
    pub(super) fn new(bytes: u64, evictions: &Counter) -> Self {
        let large = bytes / 4;
        // enough slots for small responses of 8 KiB: a table that grows is copied each time
        let slots = usize::try_from(bytes / 8192).unwrap_or(MAX_SLOTS).min(MAX_SLOTS);
        Self { small: part(bytes - large, slots, evictions), large: part(large, 0, evictions) }
    }

    /// The value of this key, if it is of this type.
    pub(super) fn get<V: Weigh>(&self, key: &[u8]) -> Option<Arc<V>> {
        self.small.get(key).or_else(|| self.large.get(key))?.value.downcast().ok()
    }

    /// Keeps a value, unless it is larger than its part of the budget.
    pub(super) fn put<V: Weigh>(&self, key: &Key, value: Arc<V>) {
        let bytes = value.bytes();
        let entry = Entry { value, bytes };
        if weight(key, bytes) > LARGE {
            self.large.insert(key.clone(), entry);
            self.large.run_pending_tasks();
        } else {
            self.small.insert(key.clone(), entry);
        }
    }

    /// Does what moka has put off: evicts entries, and updates the counts of entries and bytes.
    pub(super) fn upkeep(&self) {
        self.small.run_pending_tasks();
        self.large.run_pending_tasks();
    }

    /// Entries held, as of the last upkeep.
    pub(super) fn entries(&self) -> u64 {
        self.small.entry_count() + self.large.entry_count()
    }

    /// Bytes held, as of the last upkeep.
    pub(super) fn bytes(&self) -> u64 {
        self.small.weighted_size() + self.large.weighted_size()
    }
}

/// A part of the cache, with a budget of its own and so many slots from the start.
fn part(bytes: u64, slots: usize, evictions: &Counter) -> Part {
    let evictions = evictions.clone();
    moka::sync::Cache::builder()
        .max_capacity(bytes)
        .initial_capacity(slots)
        .weigher(|key: &Key, entry: &Entry| u32::try_from(weight(key, entry.bytes)).unwrap_or(u32::MAX))
        // moka's default policy may reject a new entry in favour of often used ones: a large level that a client
        // requests twice in a row would then be made twice
        .eviction_policy(EvictionPolicy::lru())
        .eviction_listener(move |_, _, cause| {
            if cause.was_evicted() {
                evictions.inc();
            }
        })
        .build()
}

const fn weight(key: &Key, bytes: usize) -> usize {
    OVERHEAD + key.len() + allocated(bytes)
}

/// Bytes that the allocator takes for a value. mimalloc has four sizes of blocks for each power of two: a response of
/// 335 KiB takes 384 KiB. [`OVERHEAD`] counts what is rounded up of small values; the largest are mapped as they are.
const fn allocated(bytes: usize) -> usize {
    match bytes {
        SMALL..HUGE => bytes.next_multiple_of(1 << (bytes.ilog2() - 2)),
        _ => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Weigh for Vec<u8> {
        fn bytes(&self) -> usize {
            self.len()
        }
    }

    fn body(bytes: usize) -> Arc<Vec<u8>> {
        Arc::new(vec![0; bytes])
    }

    #[test]
    fn large_bodies_push_out_only_each_other() {
        let cache = Cache::new(64 << 20, &Counter::default());
        let small: Vec<_> = (0..1_000).map(|i| Key::from(format!("/small/{i}"))).collect();
        for key in &small {
            cache.put(key, body(20_000));
        }
        for i in 0..10 {
            let key = Key::from(format!("/{i}"));
            cache.put(&key, body(13 << 20));
            assert!(cache.get::<Vec<u8>>(&key).is_some(), "the newest is kept");
        }
        cache.upkeep();
        assert!(cache.bytes() <= 64 << 20);
        assert!(small.iter().all(|key| cache.get::<Vec<u8>>(key).is_some()));
    }

    #[test]
    fn the_counts_are_those_of_both_parts() {
        let cache = Cache::new(64 << 20, &Counter::default());
        cache.put(&Key::from_static(b"/a"), body(1_000));
        cache.put(&Key::from_static(b"/b"), body(1 << 20));
        cache.upkeep();
        assert_eq!(cache.entries(), 2);
        // two characters of each key, and both values
        assert_eq!(cache.bytes() as usize, 2 * (OVERHEAD + 2) + 1_000 + (1 << 20));
    }

    #[test]
    fn a_large_value_weighs_the_block_that_it_takes() {
        for (bytes, block) in [
            (1_000, 1_000),
            (8 << 10, 8 << 10),
            ((8 << 10) + 1, 10 << 10),
            (342_910, 384 << 10),
            (384 << 10, 384 << 10),
            ((16 << 20) - 1, 16 << 20),
            ((16 << 20) + 1, (16 << 20) + 1),
        ] {
            assert_eq!(weight(&Key::new(), bytes), OVERHEAD + block, "{bytes}");
        }
    }

    #[test]
    fn small_bodies_stay_within_the_budget() {
        let evictions = Counter::default();
        let cache = Cache::new(1 << 20, &evictions);
        for i in 0..5_000 {
            cache.put(&Key::from(format!("/{i}")), body(1_000));
        }
        cache.upkeep();
        assert!(cache.bytes() <= 3 << 18);
        assert!(cache.entries() > 480, "most of their part of the budget is used");
    }

    #[test]
    fn a_body_above_a_quarter_of_the_budget_is_not_kept() {
        let cache = Cache::new(4 << 20, &Counter::default());
        let [small, large, too_large] = ["/small", "/large", "/too-large"].map(Key::from);
        cache.put(&small, body(1_000));
        cache.put(&large, body((1 << 20) - 1_000));
        cache.put(&too_large, body(1 << 20));
        assert!(cache.get::<Vec<u8>>(&too_large).is_none());
        assert!(cache.get::<Vec<u8>>(&large).is_none() || cache.get::<Vec<u8>>(&small).is_some());
    }

    #[test]
    fn a_value_of_another_type_is_none() {
        let cache = Cache::new(1 << 20, &Counter::default());
        let key = Key::from_static(b"/");
        cache.put(&key, body(9));
        assert!(cache.get::<crate::level::Level>(&key).is_none());
        assert!(cache.get::<Vec<u8>>(&key).is_some());
    }
}
