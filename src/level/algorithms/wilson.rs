//! Wilson: from a cell outside the tree walk at random until the walk meets the tree. Remove all loops from the walk,
//! and add the rest of it to the tree. Repeat this until no cell is outside. Every perfect maze of the size has the
//! same probability.
//!
//! To remove the loops needs no extra work: each cell of the walk keeps the direction in which the walk last left it,
//! and following these directions from the start gives the walk without its loops.
//!
//! Neither the distribution of the tree nor the total length of all walks depends on where the walks start. So they
//! start in row-major order, which suits the processor's cache. But the total length does depend on the cell where the
//! tree begins. From the middle the walks take 9 steps for each cell at 401 tiles a side, from a corner twice as many.
//! So the tree begins in the middle. The root of a level must be its first cell, so at the end the path from the first
//! cell to the middle is reversed.
//!
//! If a random direction leads across the border, the walk stays where it is for that step. This equals a random walk
//! on a grid in which a cell of the rim has a loop (an edge to itself) for each missing neighbour. No tree contains a
//! loop of this kind, and with them each cell has four directions of equal weight. So all trees have the same weight,
//! the distribution is still uniform, and any two random bits are a direction: none is rejected.

use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::cell_bytes::{CellBytes, SHIFT};
use crate::level::algorithms::{Algorithm, walk_limit};
use crate::level::error::Error;
use crate::level::grid::{Direction, Layout, LevelKind};
use crate::level::parameters::options::OptionId;
use crate::level::rng::Rng;
use crate::level::work::{Buffers, Cancel, Cancelled, JobContext};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "wilson",
    aliases: &[],
    summary: "random walks without their loops, each added where it meets the tree: every maze is equally likely",
    character: "no bias at all: every perfect maze of the size is equally likely, as with aldous_broder; even texture, \
                winding paths of every length, many dead ends",
    source: "David Wilson, Generating random spanning trees more quickly than the cover time, 1996",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area(),
    estimate,
    generate,
};

/// The states of a cell: the lower bits of its byte, which also holds its direction from [`SHIFT`] on.
const OUTSIDE: u8 = 0;
const IN_TREE: u8 = 1;
const BORDER: u8 = 2;
/// The bits of which a cell in the tree or of the border has one. A walk just steps on to a cell without them.
const NOT_OUTSIDE: u8 = IN_TREE | BORDER;

/// The steps for one random word: each takes two of its 64 bits as a direction.
const STEPS: usize = 32;

fn estimate(blueprint: &Blueprint) -> Result<u64, Error> {
    if blueprint.mask().is_none() {
        return Ok(blueprint.nanos(8_000, 0));
    }
    let Buffers { tile_map, trail, indices, .. } = &mut Buffers::default();
    estimate_walk(&CellBytes::fill(tile_map, blueprint.shape(), OUTSIDE, BORDER), trail, indices, Cancel::never())
}

/// The nanoseconds of the walks in a mask, or an error if they may be too many. `visited` and `queue` are working
/// memory.
fn estimate_walk(cells: &CellBytes, visited: &mut Vec<u8>, queue: &mut Vec<u32>, cancel: Cancel) -> Result<u64, Error> {
    let (steps, _) = cells.steps_from(cells.middle(), visited, queue, cancel)?;
    walk_limit::estimate(4 * steps)
}

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let Buffers { tile_map, trail, indices, bitmaps, .. } = &mut *context.buffers;
    let mut cells = CellBytes::fill(tile_map, blueprint.shape(), OUTSIDE, BORDER);
    let root = cells.middle();
    if blueprint.mask().is_some() {
        estimate_walk(&cells, trail, indices, context.cancel)?;
    }
    grow(&mut cells, root, blueprint.streams().stream(0, 0), context.cancel)?;
    reverse_path(&mut cells, root);
    Ok(cells.tree(bitmaps, None))
}

/// Grows the tree over all cells, from its root on.
fn grow(cells: &mut CellBytes, root: usize, mut rng: Rng, cancel: Cancel) -> Result<(), Cancelled> {
    let (steps, first) = (cells.steps(), cells.first());
    let bytes = &mut *cells.bytes;
    bytes[root] = IN_TREE;
    let Some(mut start) = next_outside(bytes, first) else { return Ok(()) };
    let mut index = start;
    for words in 0_usize.. {
        if words.is_multiple_of(256) {
            cancel.check()?;
        }
        let mut directions = rng.word();
        for _ in 0..STEPS {
            let direction = directions as u8 & 3;
            directions >>= 2;
            bytes[index] = direction << SHIFT;
            let next = index.wrapping_add(steps[usize::from(direction)]);
            let there = bytes[next];
            // the processor nearly always predicts this branch, so the next step need not wait until this byte is
            // loaded
            if there & NOT_OUTSIDE == 0 {
                index = next;
            } else if there & IN_TREE != 0 {
                add_path(bytes, start, steps);
                match next_outside(bytes, start + 1) {
                    Some(outside) => start = outside,
                    None => return Ok(()),
                }
                index = start;
            }
        }
    }
    Ok(())
}

/// The first cell outside the tree at or after `from`. The search takes eight bytes at a time: the cell is nearly
/// always among the first eight, but the processor could not predict which of them it is.
#[inline]
fn next_outside(bytes: &[u8], mut from: usize) -> Option<usize> {
    while let Some(eight) = bytes[from..].first_chunk() {
        let eight = u64::from_le_bytes(*eight);
        let outside = !(eight | eight >> 1) & 0x0101_0101_0101_0101;
        if outside > 0 {
            return Some(from + outside.trailing_zeros() as usize / 8);
        }
        from += 8;
    }
    bytes[from..].iter().position(|byte| byte & NOT_OUTSIDE == 0).map(|offset| from + offset)
}

/// Adds the path from `start` to the tree.
#[inline]
fn add_path(bytes: &mut [u8], start: usize, steps: [usize; 4]) {
    let mut index = start;
    while bytes[index] & IN_TREE == 0 {
        let step = steps[usize::from(bytes[index] >> SHIFT & 3)];
        bytes[index] |= IN_TREE;
        index = index.wrapping_add(step);
    }
}

/// Reverses the path from the first cell to the root, so that the first cell becomes the root.
fn reverse_path(cells: &mut CellBytes, root: usize) {
    let (steps, mut index) = (cells.steps(), cells.first());
    let mut back = Direction::Up as u8;
    loop {
        let direction = cells.bytes[index] >> SHIFT & 3;
        cells.bytes[index] = IN_TREE | back << SHIFT;
        if index == root {
            break;
        }
        back = direction ^ 2;
        index = index.wrapping_add(steps[usize::from(direction)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::grid::Shape;
    use crate::level::rng::{Seed, Streams};

    #[test]
    fn the_next_cell_outside_the_tree_is_found_at_every_position() {
        let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
        for len in 0..60 {
            let mut byte = || [OUTSIDE | 3 << SHIFT, IN_TREE | 3 << SHIFT, IN_TREE, BORDER][rng.below(4) as usize];
            let sparse: Vec<_> = (0..len).map(|_| byte().max(byte()).max(byte()) & !(3 << SHIFT)).collect();
            let dense: Vec<_> = (0..len).map(|_| byte()).collect();
            for (bytes, from) in [sparse, dense].iter().flat_map(|bytes| (0..=len).map(move |from| (bytes, from))) {
                let expected = (from..len).find(|index| bytes[*index] & NOT_OUTSIDE == OUTSIDE);
                assert_eq!(next_outside(bytes, from), expected, "from {from} of {bytes:?}");
            }
        }
    }

    #[test]
    fn every_path_leads_to_the_first_cell() {
        for (columns, rows) in [(1, 1), (1, 9), (9, 1), (2, 2), (20, 30)] {
            let mut buffer = Vec::new();
            let mut cells = CellBytes::fill(&mut buffer, Shape::rectangle((columns, rows)), OUTSIDE, BORDER);
            let (steps, first) = (cells.steps(), cells.first());
            let root = first + rows / 2 * steps[2] + columns / 2;
            grow(&mut cells, root, Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0), Cancel::never()).unwrap();
            reverse_path(&mut cells, root);
            assert_eq!(cells.bytes[first] >> SHIFT, Direction::Up as u8);
            for mut index in (0..rows).flat_map(|row| (0..columns).map(move |column| first + row * steps[2] + column)) {
                let mut left = columns * rows;
                while index != first {
                    index = index.wrapping_add(steps[usize::from(cells.bytes[index] >> SHIFT & 3)]);
                    left -= 1;
                    assert!(left > 0, "{columns}x{rows}: a loop");
                }
            }
        }
    }
}
