//! Wilson: from a cell outside the tree walk at random until the tree is met, cut every loop off the walk, and take what
//! is left into the tree. Every perfect maze of the size has the same chance.
//!
//! Loops cut themselves off: each cell the walk comes by keeps the direction in which the walk left it last, and the
//! last directions, followed from the start, are the walk without its loops. The tree's law does not depend on where
//! the walks start, nor does their total length, so they start in scan order, which is kind to the cache. That length
//! does depend on where the tree begins: from the middle it takes half of the steps that it takes from a corner, 9 for
//! each cell at 401 tiles a side. At the end the way between the two is turned round, for the root of a level is its
//! first cell.
//!
//! A step across the border is drawn, but not taken. That is the walk on the same grid with a loop of one step at every
//! cell of the rim. No tree holds such a loop; and as each cell now has four ways of equal weight, all trees weigh
//! the same: the law is still the uniform one, and two coins are a direction without any rejection.

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
    summary: "random walks without their loops, each one added where it meets the tree: every maze with equal chance",
    character: "no bias at all: each perfect maze of the size has the same chance, as with aldous_broder; even texture, \
                winding ways of every length, many dead ends",
    source: "David Wilson, Generating random spanning trees more quickly than the cover time, 1996",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area(),
    generate,
};

/// What a cell's byte holds beside its direction: nothing, until it comes into the tree.
const OUTSIDE: u8 = 0;
const IN_TREE: u8 = 1;
const BORDER: u8 = 2;
/// Where none of these is set, a walk goes on.
const ENDS: u8 = IN_TREE | BORDER;

/// Steps whose directions come from one word of coins.
const STEPS: usize = 32;

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let Buffers { board, trail, indices, planes, .. } = &mut *context.buffers;
    let mut cells = CellBytes::fill(board, blueprint.shape(), OUTSIDE, BORDER);
    let root = cells.middle();
    if blueprint.mask().is_some() {
        let (steps, _) = cells.steps_from(root, trail, indices, context.cancel)?;
        walk_limit::check(4 * steps)?;
    }
    grow(&mut cells, root, blueprint.streams().stream(0, 0), context.cancel)?;
    turn_round(&mut cells, root);
    Ok(cells.tree(planes, None))
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
        let mut coins = rng.word();
        for _ in 0..STEPS {
            let direction = coins as u8 & 3;
            coins >>= 2;
            bytes[index] = direction << SHIFT;
            let next = index.wrapping_add(steps[usize::from(direction)]);
            let there = bytes[next];
            // a branch that is nearly always foretold, so that no step waits for the byte of the one before
            if there & ENDS == 0 {
                index = next;
            } else if there & IN_TREE != 0 {
                take_in(bytes, start, steps);
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

/// The first cell outside the tree from `from` on; it is looked for in eight bytes at a time, for it is nearly always
/// among the first eight, but nobody can foretell which.
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
    bytes[from..].iter().position(|byte| byte & ENDS == 0).map(|offset| from + offset)
}

/// Takes the way from `start` to the tree into the tree.
#[inline]
fn take_in(bytes: &mut [u8], start: usize, steps: [usize; 4]) {
    let mut index = start;
    while bytes[index] & IN_TREE == 0 {
        let step = steps[usize::from(bytes[index] >> SHIFT & 3)];
        bytes[index] |= IN_TREE;
        index = index.wrapping_add(step);
    }
}

/// Turns the way from the first cell to the root round, so that the first cell is the root.
fn turn_round(cells: &mut CellBytes, root: usize) {
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
    fn the_next_cell_outside_the_tree_is_found_wherever_it_is() {
        let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
        for len in 0..60 {
            let mut byte = || [OUTSIDE | 3 << SHIFT, IN_TREE | 3 << SHIFT, IN_TREE, BORDER][rng.below(4) as usize];
            let sparse: Vec<_> = (0..len).map(|_| byte().max(byte()).max(byte()) & !(3 << SHIFT)).collect();
            let dense: Vec<_> = (0..len).map(|_| byte()).collect();
            for (bytes, from) in [sparse, dense].iter().flat_map(|bytes| (0..=len).map(move |from| (bytes, from))) {
                let plain = (from..len).find(|index| bytes[*index] & ENDS == OUTSIDE);
                assert_eq!(next_outside(bytes, from), plain, "from {from} of {bytes:?}");
            }
        }
    }

    #[test]
    fn every_way_leads_to_the_first_cell() {
        for (columns, rows) in [(1, 1), (1, 9), (9, 1), (2, 2), (20, 30)] {
            let mut buffer = Vec::new();
            let mut cells = CellBytes::fill(&mut buffer, Shape::rectangle((columns, rows)), OUTSIDE, BORDER);
            let (steps, first) = (cells.steps(), cells.first());
            let root = first + rows / 2 * steps[2] + columns / 2;
            grow(&mut cells, root, Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0), Cancel::never()).unwrap();
            turn_round(&mut cells, root);
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
