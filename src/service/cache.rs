//! The cache: levels and finished bodies side by side, by name, within one budget of bytes.

use std::sync::Arc;

use moka::policy::EvictionPolicy;

use crate::level::Level;
use crate::service::Kept;

/// Something kept.
#[derive(Clone)]
pub(super) enum Entry {
    /// A level, under its recipe's canonical query.
    Level(Arc<Level>),
    /// A body, under its address.
    Body(Kept),
}

/// Keeps the entries used last.
pub(super) struct Cache(moka::sync::Cache<Arc<str>, Entry>);

/// What an entry costs beyond its own bytes: its node in the map, its place in the order of use, allocators' headers.
const OVERHEAD: usize = 256;

/// Entries above this are followed by the cache's own upkeep at once; it is otherwise put off for up to dozens of
/// writes, which for large entries would hold many times the budget.
const LARGE: usize = 64 << 10;

impl Cache {
    /// An empty cache that holds up to `bytes`.
    pub(super) fn new(bytes: u64) -> Self {
        let cache = moka::sync::Cache::builder()
            .max_capacity(bytes)
            // for small answers; the table would otherwise grow by being copied again and again
            .initial_capacity(usize::try_from(bytes / 8192).unwrap_or(0))
            .weigher(|name: &Arc<str>, entry: &Entry| u32::try_from(weight(name, entry)).unwrap_or(u32::MAX))
            // the default policy may turn a new entry away in favour of often used ones: a large level that is asked
            // for twice in a row would then be made twice
            .eviction_policy(EvictionPolicy::lru())
            .build();
        Self(cache)
    }

    /// The body of this address.
    pub(super) fn body(&self, address: &str) -> Option<Kept> {
        match self.0.get(address)? {
            Entry::Body(kept) => Some(kept),
            Entry::Level(_) => None,
        }
    }

    /// The level of this canonical query.
    pub(super) fn level(&self, name: &str) -> Option<Arc<Level>> {
        match self.0.get(name)? {
            Entry::Level(level) => Some(level),
            Entry::Body(_) => None,
        }
    }

    /// Keeps an entry, unless it is larger than the whole budget.
    pub(super) fn insert(&self, name: &Arc<str>, entry: Entry) {
        let large = weight(name, &entry) > LARGE;
        self.0.insert(Arc::clone(name), entry);
        if large {
            self.upkeep();
        }
    }

    /// Does what was put off: evictions, and the count of entries and bytes.
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

fn weight(name: &str, entry: &Entry) -> usize {
    let bytes = match entry {
        Entry::Level(level) => level.bytes(),
        Entry::Body(Kept { body, label }) => body.len() + label.len(),
    };
    OVERHEAD + name.len() + bytes
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn body(bytes: usize) -> Entry {
        Entry::Body(Kept { body: Bytes::from(vec![0; bytes]), label: Bytes::new() })
    }

    #[test]
    fn a_large_body_is_kept_and_the_budget_with_it() {
        let cache = Cache::new(64 << 20);
        for i in 0..10 {
            let name = Arc::from(format!("/{i}"));
            cache.insert(&name, body(32 << 20));
            assert!(cache.body(&name).is_some(), "the newest is kept");
            assert!(cache.bytes() <= 64 << 20);
        }
    }

    #[test]
    fn small_bodies_stay_within_the_budget() {
        let cache = Cache::new(1 << 20);
        for i in 0..5_000 {
            cache.insert(&Arc::from(format!("/{i}")), body(1_000));
        }
        cache.0.run_pending_tasks();
        assert!(cache.bytes() <= 1 << 20);
        assert!(cache.entries() > 700, "most of the budget is used");
    }

    #[test]
    fn a_body_above_the_budget_is_not_kept() {
        let cache = Cache::new(1 << 20);
        let name = Arc::from("/");
        cache.insert(&name, body(2 << 20));
        assert!(cache.body(&name).is_none());
    }
}
