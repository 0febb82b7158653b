//! The cache: values of any type, by key, within one budget of bytes.

use std::any::Any;
use std::sync::Arc;

use moka::policy::EvictionPolicy;

use crate::service::job::{Key, Weigh};

/// Keeps the values used last.
pub(super) struct Cache(moka::sync::Cache<Key, Entry>);

#[derive(Clone)]
struct Entry {
    value: Arc<dyn Any + Send + Sync>,
    bytes: usize,
}

/// What an entry costs beyond its own bytes: its node in the map, its link in the order of use, allocators' headers.
const OVERHEAD: usize = 256;

/// After an entry above this size the cache does its upkeep at once. Otherwise moka puts it off for up to dozens of
/// writes, which for large entries would hold many times the budget.
const LARGE: usize = 64 << 10;

impl Cache {
    /// An empty cache that holds up to `bytes`.
    pub(super) fn new(bytes: u64) -> Self {
        let cache = moka::sync::Cache::builder()
            .max_capacity(bytes)
            // for small responses; the table would otherwise grow by being copied again and again
            .initial_capacity(usize::try_from(bytes / 8192).unwrap_or(0))
            .weigher(|key: &Key, entry: &Entry| u32::try_from(weight(key, entry.bytes)).unwrap_or(u32::MAX))
            // the default policy may turn a new entry away in favour of often used ones: a large level that is asked
            // for twice in a row would then be made twice
            .eviction_policy(EvictionPolicy::lru())
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

    /// Does what moka put off: evictions, and the count of entries and bytes.
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
    OVERHEAD + key.len() + bytes
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
    fn a_large_body_is_kept_and_the_budget_with_it() {
        let cache = Cache::new(64 << 20);
        for i in 0..10 {
            let key = Key::from(format!("/{i}"));
            cache.put(&key, body(32 << 20));
            assert!(cache.get::<Vec<u8>>(&key).is_some(), "the newest is kept");
            assert!(cache.bytes() <= 64 << 20);
        }
    }

    #[test]
    fn small_bodies_stay_within_the_budget() {
        let cache = Cache::new(1 << 20);
        for i in 0..5_000 {
            cache.put(&Key::from(format!("/{i}")), body(1_000));
        }
        cache.0.run_pending_tasks();
        assert!(cache.bytes() <= 1 << 20);
        assert!(cache.entries() > 700, "most of the budget is used");
    }

    #[test]
    fn a_body_above_the_budget_is_not_kept() {
        let cache = Cache::new(1 << 20);
        let key = Key::from_static(b"/");
        cache.put(&key, body(2 << 20));
        assert!(cache.get::<Vec<u8>>(&key).is_none());
    }

    #[test]
    fn a_value_of_another_type_is_none() {
        let cache = Cache::new(1 << 20);
        let key = Key::from_static(b"/");
        cache.put(&key, body(9));
        assert!(cache.get::<crate::level::Level>(&key).is_none());
        assert!(cache.get::<Vec<u8>>(&key).is_some());
    }
}
