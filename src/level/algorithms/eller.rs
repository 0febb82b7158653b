//! Eller: make the maze row by row, remembering only which cells of the current row are joined by passages above it.
//!
//! First, a coin (a random bit) for each pair of neighbours in a row decides whether to join them; it is ignored if
//! they are joined already. Then a coin for each cell of the row decides whether to shut the passage below the cell. If
//! all passages below a set would be shut, a random one of them stays open: so each set continues in the next row. A
//! cell below a shut passage begins a set of its own. In the last row all neighbours that are not yet joined are
//! joined.
//!
//! Each set is a ring: each of its cells has links to the set's next cell on the left and on the right, cyclically. The
//! paths above cannot cross, so the sets of a row do not interleave. So two neighbours in a row belong to the same set
//! only if they are also neighbours in its ring. With this check, to join two rings takes two loads and four stores,
//! and so does removing a cell, both without a branch. Only coins that are ones take a step.
//!
//! Cells are removed from left to right. If all cells of a set are removed, each is alone in its ring in the end,
//! whichever of them stays open. So that cell is chosen at random afterwards, from a copy of the links to the right as
//! they were before.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::error::Error;
use crate::level::grid::{Layout, LevelKind, ones};
use crate::level::parameters::options::OptionId;
use crate::level::rng::Rng;
use crate::level::work::JobContext;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "eller",
    aliases: &[],
    summary: "joins random neighbours row by row, and opens at least one passage downwards from every set of joined \
              cells",
    character: "a vertical bias, with three passages down for two across; the last row joins all sets and has the \
                longest corridors",
    source: "Marlin Eller, unpublished; as described by Walter Pullen, Think Labyrinth: Maze algorithms",
    revision: 2,
    kind: LevelKind::Maze,
    masks: false,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area() + 12 * u64::from(blueprint.size().width),
    estimate: |blueprint| Ok(blueprint.nanos(2_000, 0)),
    generate,
};

/// Rows that share one stream of coins.
const BAND: usize = 64;

/// Takes 64 coins from each random word. For every 64 columns of a row, a first word is for the joins and a second one
/// for the passages to shut. After the coins of a row comes a random number for each set of two or more cells that they
/// would shut.
fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut passages = context.buffers.bitmaps.passages(blueprint.size().cells());
    let mut sets = Sets::new(&mut context.buffers.indices, passages.east.width());
    let streams = blueprint.streams();
    let (stride, valid) = (passages.east.row(0).len(), passages.east.last_word_mask());
    let cells = |i| if i + 1 < stride { u64::MAX } else { valid };
    let pairs = |i| if i + 1 < stride { u64::MAX } else { valid >> 1 };
    let (east, south) = (passages.east.words_mut(), passages.south.words_mut());
    let (east, last_east) = east.split_at_mut(east.len() - stride);
    let (south, last_south) = south.split_at_mut(east.len());
    let bands = east.chunks_mut(BAND * stride).zip(south.chunks_mut(BAND * stride));
    for ((east, south), band) in bands.zip(0..) {
        context.cancel.check()?;
        let mut coins = streams.stream(0, band);
        for (east, south) in east.chunks_exact_mut(stride).zip(south.chunks_exact_mut(stride)) {
            for (i, (east, south)) in east.iter_mut().zip(&mut *south).enumerate() {
                *east = sets.join(64 * i, coins.word() & pairs(i));
                *south = cells(i) & !coins.word();
            }
            sets.remember();
            for i in 0..stride {
                let (alone, single) = sets.remove(64 * i, cells(i) & !south[i]);
                south[i] |= single;
                for bit in ones(alone ^ single) {
                    let column = sets.one_of(64 * i + bit as usize, &mut coins);
                    south[column / 64] |= 1 << (column % 64);
                }
            }
        }
    }
    for (i, east) in last_east.iter_mut().enumerate() {
        *east = sets.join(64 * i, pairs(i));
    }
    last_south.fill(0);
    Ok(Layout::maze(passages))
}

/// The sets of a row: for each column the next one of its set on either side, cyclically.
struct Sets<'a> {
    left: &'a mut [u32],
    right: &'a mut [u32],
    /// The columns to the right before any was removed in this row.
    remembered: &'a mut [u32],
}

impl<'a> Sets<'a> {
    /// One set for each column.
    fn new(buffer: &'a mut Vec<u32>, columns: usize) -> Self {
        if buffer.len() < 3 * columns {
            buffer.clear();
            buffer.resize(3 * columns, 0);
        }
        let (left, rest) = buffer.split_at_mut(columns);
        let (right, rest) = rest.split_at_mut(columns);
        let remembered = &mut rest[..columns];
        for ((left, right), column) in left.iter_mut().zip(&mut *right).zip(0..) {
            (*left, *right) = (column, column);
        }
        Self { left, right, remembered }
    }

    /// Makes `b` the next column to the right of `a`.
    #[inline]
    fn link(&mut self, a: usize, b: usize) {
        self.right[a] = b as u32;
        self.left[b] = a as u32;
    }

    /// Joins columns with their right neighbours: bit i of `coins` is for column `first + i`. Returns the ones of those
    /// pairs that were in different sets.
    #[inline]
    fn join(&mut self, first: usize, coins: u64) -> u64 {
        let mut joined = coins;
        for bit in ones(coins) {
            let column = first + bit as usize;
            let (after, before) = (self.right[column] as usize, self.left[column + 1] as usize);
            // if the two are in the same set already, no link changes
            self.link(before, after);
            self.link(column, column + 1);
            joined ^= u64::from(after == column + 1) << bit;
        }
        joined
    }

    /// Remembers the links to the right as they are before columns are removed.
    fn remember(&mut self) {
        self.remembered.copy_from_slice(self.right);
    }

    /// Removes columns from their sets, and gives each a set of its own: bit i of `coins` is for column `first + i`.
    /// Returns the ones of those columns that were the last in their set, and the ones of those that were alone in it
    /// before any column of the row was removed.
    #[inline]
    fn remove(&mut self, first: usize, coins: u64) -> (u64, u64) {
        let (mut alone, mut single) = (0, 0);
        for bit in ones(coins) {
            let column = first + bit as usize;
            let (before, after) = (self.left[column] as usize, self.right[column] as usize);
            self.link(before, after);
            self.link(column, column);
            alone |= u64::from(after == column) << bit;
            single |= u64::from(self.remembered[column] as usize == column) << bit;
        }
        (alone, single)
    }

    /// A random column of the set that `last` was the last column of, before any column was removed. At least two
    /// columns were in it.
    #[inline]
    fn one_of(&self, last: usize, rng: &mut Rng) -> usize {
        let next = |column: usize| self.remembered[column] as usize;
        // from the last column of a ring the next one is the first
        let second = next(last);
        let third = next(second);
        let fourth = next(third);
        let (is_pair, is_triple) = (third == last, fourth == last);
        if !is_pair && !is_triple && next(fourth) != last {
            let count = std::iter::successors(Some(second), |column| Some(next(*column))).position(|it| it == last);
            return (0..rng.below(count.map_or(1, |count| count as u32 + 1))).fold(last, |column, _| next(column));
        }
        // nearly every set has two, three or four columns: it takes no branch to tell which
        let count = 4 - 2 * u32::from(is_pair) - u32::from(is_triple);
        [last, second, third, fourth][rng.below(count) as usize]
    }
}

#[cfg(test)]
mod tests;
