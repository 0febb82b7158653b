//! Climbs from two cells of a tree towards its root until they meet.
//!
//! Both climb at once, a step of each in turn, and each leaves [`Milestones`] by which the other notices that it has
//! come upon a cell of the first. So the work is in proportion to the path between the two cells, however large the
//! tree and however far its root.

use crate::level::cancel::{Cancel, Cancelled};
use crate::level::grid::Direction;

/// Steps of each climb between two checks for cancellation: at first, and at most. Buffers grow by as much.
const BLOCKS: [usize; 2] = [32, 4096];

/// Climbs from each of two cells, given by column and row, until one comes upon a cell where the other has been.
/// Appends the steps of each climb up to that cell to its list, two from each cell to the next.
///
/// A cell has an index, `stride` indices a row, and `direction` returns the number of the direction from the cell of an
/// index to its parent. Each step waits for the one before it, so `direction` must be quick: it is a type parameter, so
/// that it is compiled into the loop.
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
                // at the root one climb waits for the other
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

/// Climbs from one cell up to the root. If the other cell is the root there is nothing to notice on the way.
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

/// What to add, wrapping, to a cell's index for the next cell in each direction.
const fn steps(stride: usize) -> [usize; 4] {
    [stride.wrapping_neg(), 1, stride, usize::MAX]
}

/// Some of the cells that a climb has visited, and how long it was at each.
///
/// To store all of them would take a table as long as the climb. The hash of a cell's index gives it a rank: one cell
/// in `2^(r + 1)` has rank `r`. There are a few slots for each rank, and a newer cell overwrites an older one. Two
/// climbs that have met go on over the same cells. If one of them is `n` cells ahead, the other soon comes to a cell of
/// a rank so high that the first has visited only a few such cells since: after a small part of `n` cells.
struct Milestones([u64; Self::RANKS << Self::SLOT_BITS]);

impl Milestones {
    /// An index has fewer bits.
    const RANKS: usize = 32;

    /// Slots for each rank, as a power of two.
    const SLOT_BITS: usize = 3;

    /// The slot of a cell.
    #[inline]
    const fn slot(index: usize) -> usize {
        // two rounds of multiplication: in a straight corridor indices are evenly spaced, and their hashes must not be
        let hash = (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) | 1 << 32;
        let rank = hash.leading_zeros() as usize;
        let slot = rank << Self::SLOT_BITS | hash as usize >> 3 & ((1 << Self::SLOT_BITS) - 1);
        // changes nothing, but saves a bounds check
        slot & ((Self::RANKS << Self::SLOT_BITS) - 1)
    }

    /// How long the climb was at a cell, if the slot still holds it.
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
        // no index is as large
        Self([u64::MAX; Self::RANKS << Self::SLOT_BITS])
    }
}
