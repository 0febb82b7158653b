//! Random numbers: seeds for requests that name none, and ids for requests that bring none.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The next random number.
///
/// It is the keyed hash of a counter. The standard library asks the kernel for the keys by a system call. In a
/// statically linked program the generators of the crate `rand` open `/dev/urandom`, which an empty root directory does
/// not have.
pub(super) fn number() -> u64 {
    static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    KEYS.hash_one(COUNT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::number;

    #[test]
    fn numbers_are_spread_over_all_bits_and_do_not_come_again() {
        let numbers: Vec<u64> = (0..1000).map(|_| number()).collect();
        assert_eq!(numbers.iter().collect::<HashSet<_>>().len(), numbers.len());
        for bit in 0..64 {
            let ones = numbers.iter().filter(|number| *number >> bit & 1 == 1).count();
            assert!((400..600).contains(&ones), "bit {bit} is set in {ones} of 1000");
        }
    }
}
