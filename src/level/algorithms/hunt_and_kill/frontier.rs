//! A set of indices that knows its least: a bit for each index, above each 32 bits one that says whether any of them
//! is set, and so on up to a single word. Each operation takes at most a step a level.

use crate::level::work::recycled;

/// Levels of bits: 32^6 indices are more than the cells of any board.
const LEVELS: usize = 6;

/// Cells that may be hunted.
pub(crate) struct Frontier<'a> {
    words: &'a mut [u32],
    /// Where each level begins, the lowest first.
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

    /// Takes an index out, if it is there.
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

    /// The least index.
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
    fn it_is_a_set_that_knows_its_least() {
        let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
        for len in [1, 32, 33, 1_000, 40_000] {
            let mut buffer = vec![u32::MAX; 10];
            let mut frontier = Frontier::new(&mut buffer, len);
            let mut plain = BTreeSet::new();
            for step in 0..20_000 {
                let index = rng.below(len as u32) as usize;
                // fills up at first, then runs empty
                if rng.below(20_000) > step {
                    frontier.insert(index);
                    plain.insert(index);
                } else {
                    let index = if rng.below(2) == 0 { index } else { plain.first().copied().unwrap_or(index) };
                    frontier.remove(index);
                    plain.remove(&index);
                }
                assert_eq!(frontier.least(), plain.first().copied(), "of {len}");
            }
        }
    }
}
