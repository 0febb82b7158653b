//! The cache: values of any type, by key, within one budget of bytes.

use std::any::Any;
use std::sync::Arc;

use moka::policy::EvictionPolicy;
use prometheus_client::metrics::counter::Counter;

use crate::service::job::{Key, Weigh};

/// Keeps the most recently used values.
pub(super) struct Cache(moka::sync::Cache<Key, Entry>);

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

/// After putting a larger entry the cache evicts others at once. moka alone would put this off for up to dozens of
/// writes, and dozens of large entries hold many times the budget.
const LARGE: usize = 64 << 10;

impl Cache {
    /// An empty cache that holds up to `bytes`, and counts the entries that it evicts.
    pub(super) fn new(bytes: u64, evictions: Counter) -> Self {
        let cache = moka::sync::Cache::builder()
            .max_capacity(bytes)
            // enough slots for small responses of 8 KiB: a table that grows is copied each time
            .initial_capacity(usize::try_from(bytes / 8192).unwrap_or(0))
            .weigher(|key: &Key, entry: &Entry| u32::try_from(weight(key, entry.bytes)).unwrap_or(u32::MAX))
            // moka's default policy may reject a new entry in favour of often used ones: a large level that a client
            // requests twice in a row would then be made twice
            .eviction_policy(EvictionPolicy::lru())
            .eviction_listener(move |_, _, cause| {
                if cause.was_evicted() {
                    evictions.inc();
                }
            })
            .build();
        Self(cache)
    }

    /// The value of this key, if it is of this type.
    pub(super) fn get<V: Weigh>(&self, key: &[u8]) -> Option<Arc<V>> {
        self.0.get(key)?.value.downcast().ok()
    }

    /// Keeps a value, unless it is larger than the whole budget.
    pub(super) fn put<V: Weigh>(&self, key: &Key, value: Arc<V>) {
        let bytes = value.bytes();
        self.0.insert(key.clone(), Entry { value, bytes });
        if weight(key, bytes) > LARGE {
            self.upkeep();
        }
    }

    /// Does what moka has put off: evicts entries, and updates the counts of entries and bytes.
    pub(super) fn upkeep(&self) {
        self.0.run_pending_tasks();
    }

    /// Entries held, as of the last upkeep.
    pub(super) fn entries(&self) -> u64 {
        self.0.entry_count()
    }

    /// Bytes held, as of the last upkeep.
    pub(super) fn bytes(&self) -> u64 {
        self.0.weighted_size()
    }
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
    fn a_large_body_is_kept_within_the_budget() {
        let cache = Cache::new(64 << 20, Counter::default());
        for i in 0..10 {
            let key = Key::from(format!("/{i}"));
            cache.put(&key, body(32 << 20));
            assert!(cache.get::<Vec<u8>>(&key).is_some(), "the newest is kept");
            assert!(cache.bytes() <= 64 << 20);
        }
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
        let cache = Cache::new(1 << 20, evictions.clone());
        for i in 0..5_000 {
            cache.put(&Key::from(format!("/{i}")), body(1_000));
        }
        cache.0.run_pending_tasks();
        assert!(cache.bytes() <= 1 << 20);
        assert!(cache.entries() > 640, "most of the budget is used");
        assert_eq!(evictions.get() + cache.entries(), 5_000);
    }

    #[test]
    fn a_body_above_the_budget_is_not_kept() {
        let cache = Cache::new(1 << 20, Counter::default());
        let key = Key::from_static(b"/");
        cache.put(&key, body(2 << 20));
        assert!(cache.get::<Vec<u8>>(&key).is_none());
    }

    #[test]
    fn a_value_of_another_type_is_none() {
        let cache = Cache::new(1 << 20, Counter::default());
        let key = Key::from_static(b"/");
        cache.put(&key, body(9));
        assert!(cache.get::<crate::level::Level>(&key).is_none());
        assert!(cache.get::<Vec<u8>>(&key).is_some());
    }
}
