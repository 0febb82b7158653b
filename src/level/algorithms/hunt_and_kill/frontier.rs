//! A set of indices that finds its least element fast. The lowest level has one bit for each index. Each level above
//! has one bit for each 32 bits of the level below, which says whether any of them is set, up to a level of a single
//! word. Every operation takes at most one step on each level.

use crate::level::work::recycled;

/// The number of levels: 32^6 indices are more than the cells of the largest maze.
const LEVELS: usize = 6;

/// The indices of the unvisited cells that touch visited ones.
pub(crate) struct Frontier<'a> {
    words: &'a mut [u32],
    /// The index of the first word of each level, the lowest level first.
    levels: [usize; LEVELS],
}

impl<'a> Frontier<'a> {
    /// An empty set for indices below `len`.
    pub(crate) fn new(buffer: &'a mut Vec<u32>, len: usize) -> Self {
        let (mut below, mut end) = (len, 0);
        let levels = [(); LEVELS].map(|()| {
            below = below.div_ceil(32);
            end += below;
            end - below
        });
        let words = recycled(buffer, end);
        words.fill(0);
        Self { words, levels }
    }

    /// Adds an index.
    pub(crate) fn insert(&mut self, mut index: usize) {
        for level in self.levels {
            let word = &mut self.words[level + index / 32];
            let was = std::mem::replace(word, *word | 1 << (index % 32));
            if was > 0 {
                break;
            }
            index /= 32;
        }
    }

    /// Removes an index, if it is in the set.
    pub(crate) fn remove(&mut self, mut index: usize) {
        for level in self.levels {
            let word = &mut self.words[level + index / 32];
            *word &= !(1 << (index % 32));
            if *word > 0 {
                break;
            }
            index /= 32;
        }
    }

    /// The least index of the set.
    pub(crate) fn least(&self) -> Option<usize> {
        self.levels.iter().rev().try_fold(0, |above, level| {
            let word = self.words[level + above];
            (word > 0).then(|| above * 32 + word.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::level::rng::{Seed, Streams};

    #[test]
    fn the_least_element_is_that_of_an_ordered_set() {
        let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
        for len in [1, 32, 33, 1_000, 40_000] {
            let mut buffer = vec![u32::MAX; 10];
            let mut frontier = Frontier::new(&mut buffer, len);
            let mut expected = BTreeSet::new();
            for step in 0..20_000 {
                let index = rng.below(len as u32) as usize;
                // more insertions at first, more removals later
                if rng.below(20_000) > step {
                    frontier.insert(index);
                    expected.insert(index);
                } else {
                    let index = if rng.below(2) == 0 { index } else { expected.first().copied().unwrap_or(index) };
                    frontier.remove(index);
                    expected.remove(&index);
                }
                assert_eq!(frontier.least(), expected.first().copied(), "of {len}");
            }
        }
    }
}
