//! Climbs from two cells of a tree towards its root until they meet.
//!
//! Both climbs run at once and take turns, step by step. Each leaves [`Milestones`] at some of its cells, so that the
//! other climb notices when it comes to a cell that the first has visited. So the work is in proportion to the path
//! between the two cells, however large the tree is and however far its root.

use crate::level::cancel::{Cancel, Cancelled};
use crate::level::grid::Direction;

/// Steps of each climb between two checks for cancellation: at first, and at most. The lists of steps grow in such
/// blocks.
const BLOCKS: [usize; 2] = [32, 4096];

/// Climbs from each of two cells, given by column and row, until one climb comes to a cell that the other has visited.
/// Appends to each list the steps of one climb up to that cell, two steps (from tile to tile) for each cell.
///
/// The index of a cell is `row * stride + column`. `direction` takes the index of a cell and returns the number of the
/// direction to its parent. Each step waits for the one before, so `direction` must be quick: it is a type parameter,
/// so that it is compiled into the loop.
pub(crate) fn until_met(
    moves: &mut [Vec<Direction>; 2],
    cells: [(usize, usize); 2],
    root: (usize, usize),
    stride: usize,
    direction: impl Fn(usize) -> u64,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let index_of = |(column, row)| row * stride + column;
    let (mut indices, root) = (cells.map(index_of), index_of(root));
    if let Some(i) = (0..2).find(|i| indices[1 - i] == root) {
        return to_root(&mut moves[i], indices[i], root, stride, direction, cancel);
    }
    let mut lengths = [moves[0].len(), moves[1].len()];
    let mut milestones = [Milestones::default(), Milestones::default()];
    let steps = steps(stride);
    let mut block = BLOCKS[0];
    loop {
        cancel.check()?;
        let mut rest = [0, 1].map(|_| [].as_mut_slice());
        for ((moves, length), rest) in moves.iter_mut().zip(lengths).zip(&mut rest) {
            moves.resize(length + 2 * block, Direction::Up);
            *rest = &mut moves[length..];
        }
        let starts = lengths;
        for _ in 0..block {
            for i in [0, 1] {
                let index = indices[i];
                let slot = Milestones::slot(index);
                if let Some(length) = milestones[1 - i].length(slot, index) {
                    lengths[1 - i] = length;
                    moves[0].truncate(lengths[0]);
                    moves[1].truncate(lengths[1]);
                    return Ok(());
                }
                milestones[i].leave(slot, index, lengths[i]);
                // a climb that has reached the root waits for the other
                if index != root {
                    let direction = direction(index);
                    let at = lengths[i] - starts[i];
                    rest[i][at..at + 2].fill(Direction::from_bits(direction as u8));
                    indices[i] = index.wrapping_add(steps[direction as usize & 3]);
                    lengths[i] += 2;
                }
            }
        }
        block = BLOCKS[1].min(2 * block);
    }
}

/// Climbs from one cell up to the root. Used if the other cell is the root: then no milestones are needed.
fn to_root(
    moves: &mut Vec<Direction>,
    mut index: usize,
    root: usize,
    stride: usize,
    direction: impl Fn(usize) -> u64,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let steps = steps(stride);
    let mut block = BLOCKS[0];
    while index != root {
        cancel.check()?;
        let mut length = moves.len();
        moves.resize(length + 2 * block, Direction::Up);
        for pair in moves[length..].chunks_exact_mut(2) {
            if index == root {
                break;
            }
            let direction = direction(index);
            pair.fill(Direction::from_bits(direction as u8));
            index = index.wrapping_add(steps[direction as usize & 3]);
            length += 2;
        }
        moves.truncate(length);
        block = BLOCKS[1].min(2 * block);
    }
    Ok(())
}

/// For each direction, what to add (wrapping) to the index of a cell to get the next cell in that direction.
const fn steps(stride: usize) -> [usize; 4] {
    [stride.wrapping_neg(), 1, stride, usize::MAX]
}

/// Some of the cells that a climb has visited, and the length of the climb at each.
///
/// To store all cells would take a table as long as the climb. Instead the hash of a cell's index gives the cell a
/// rank: one cell in `2^(r + 1)` has rank `r`. The table has a few slots for each rank, and a newer cell overwrites an
/// older one.
///
/// After two climbs have met, both go on over the same cells. Suppose that the first is `n` cells ahead of the second.
/// A cell of high rank stays in the table of the first for long, because the first visits few cells of that rank. The
/// second comes to such a cell after a small part of `n` cells, and finds it in the table.
struct Milestones([u64; Self::RANKS << Self::SLOT_BITS]);

impl Milestones {
    /// An index has fewer than 32 bits, so more ranks would not be used.
    const RANKS: usize = 32;

    /// Slots for each rank, as a power of two.
    const SLOT_BITS: usize = 3;

    /// The slot of a cell.
    #[inline]
    const fn slot(index: usize) -> usize {
        // two rounds of multiplication: the indices of a straight corridor are evenly spaced, and their hashes must not
        // be
        let hash = (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) | 1 << 32;
        let rank = hash.leading_zeros() as usize;
        let slot = rank << Self::SLOT_BITS | hash as usize >> 3 & ((1 << Self::SLOT_BITS) - 1);
        // the mask changes nothing, but saves a bounds check
        slot & ((Self::RANKS << Self::SLOT_BITS) - 1)
    }

    /// The length of the climb at a cell, if the slot still holds that cell.
    #[inline]
    const fn length(&self, slot: usize, index: usize) -> Option<usize> {
        let stored = self.0[slot];
        if stored as u32 == index as u32 { Some((stored >> 32) as usize) } else { None }
    }

    #[inline]
    const fn leave(&mut self, slot: usize, index: usize, length: usize) {
        self.0[slot] = index as u64 | (length as u64) << 32;
    }
}

impl Default for Milestones {
    fn default() -> Self {
        // an empty slot: no cell has so large an index
        Self([u64::MAX; Self::RANKS << Self::SLOT_BITS])
    }
}
