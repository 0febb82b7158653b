//! Aldous and Broder: walk at random until every cell is visited. The first step into a cell opens the passage that the
//! walk came through. Every perfect maze of the size has the same probability.
//!
//! The walk does not look for unvisited cells: it finds the last ones by chance. It takes some 20 steps for each cell
//! at 41 tiles a side, 50 at 401, and 90 at 4001. So the number of cells is limited.
//!
//! If a random direction leads across the border, the walk stays where it is for that step. This equals a random walk
//! on a grid in which a cell of the rim has a loop (an edge to itself) for each missing neighbour. A step along a loop
//! enters no new cell, so it opens no passage. With the loops each cell has four directions of equal weight, so all
//! trees have the same weight, and the distribution is still uniform.

use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::cell_bytes::{CellBytes, SHIFT};
use crate::level::algorithms::{Algorithm, walk_limit};
use crate::level::error::{Error, ParameterError};
use crate::level::grid::{Direction, Layout, LevelKind};
use crate::level::parameters::options::OptionId;
use crate::level::rng::Rng;
use crate::level::work::{Buffers, Cancel, Cancelled, JobContext};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "aldous_broder",
    aliases: &[],
    summary: "one random walk until every cell is visited, which opens the passage of each first visit: every maze is \
              equally likely; up to 4000000 cells",
    character: "no bias at all: every perfect maze of the size is equally likely, as with wilson, which is several \
                times as fast",
    source: "David Aldous, The random walk construction of uniform spanning trees and uniform labelled trees, 1990; \
             Andrei Broder, Generating random spanning trees, 1989",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area(),
    estimate,
    generate,
};

/// The largest number of cells: that of 4001 by 4001 tiles, which take a third of a second. The steps for each cell
/// grow with the square of the logarithm of the number of cells, and the number of steps for one seed is known only at
/// the end. A level of the longest sides would take about ten seconds, while `wilson` takes one for the same
/// distribution.
const MOST_CELLS: usize = 2_000 * 2_000;

/// The byte of an unvisited cell. The byte of a visited cell holds only its direction.
const UNVISITED: u8 = 1;
const BORDER: u8 = 2;

/// The steps for one random word: each takes two of its 64 bits as a direction.
const STEPS: usize = 32;

fn estimate(blueprint: &Blueprint) -> Result<u64, Error> {
    let count = blueprint.shape().count();
    if count > MOST_CELLS {
        return Err(Error::Unbuildable(vec![ParameterError::new("algo", too_many_cells(count))]));
    }
    if blueprint.mask().is_none() {
        return Ok(blueprint.nanos(30_000, 0));
    }
    let Buffers { tile_map, trail, indices, .. } = &mut Buffers::default();
    estimate_walk(&CellBytes::fill(tile_map, blueprint.shape(), UNVISITED, BORDER), trail, indices, Cancel::never())
}

/// The nanoseconds of a walk in a mask, or an error if they may be too many. `visited` and `queue` are working memory.
fn estimate_walk(cells: &CellBytes, visited: &mut Vec<u8>, queue: &mut Vec<u32>, cancel: Cancel) -> Result<u64, Error> {
    let (_, farthest) = cells.steps_from(cells.middle(), visited, queue, cancel)?;
    walk_limit::estimate(most_steps(cells.count() as u64, farthest))
}

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let Buffers { tile_map, trail, indices, bitmaps, .. } = &mut *context.buffers;
    let mut cells = CellBytes::fill(tile_map, blueprint.shape(), UNVISITED, BORDER);
    if cells.count() > MOST_CELLS {
        return Err(Error::Unbuildable(vec![ParameterError::new("algo", too_many_cells(cells.count()))]));
    }
    if blueprint.mask().is_some() {
        estimate_walk(&cells, trail, indices, context.cancel)?;
    }
    walk(&mut cells, blueprint.streams().stream(0, 0), context.cancel)?;
    Ok(cells.tree(bitmaps, None))
}

/// An upper bound of the mean number of steps until a walk has visited `cells` cells. From one of them, no other is
/// more than `farthest` steps away. The bound is the smaller one of two:
///
/// - `4 * cells * (cells - 1)`: the steps to go along each passage of some maze in both directions (Aleliunas, Karp,
///   Lipton, Lovasz and Rackoff, "Random walks, universal traversal sequences, and the complexity of maze problems",
///   1979).
/// - `4 * cells * 2 * farthest * (1 + logarithm)`: the steps between the two cells that are farthest from each other,
///   at most `2 * farthest`, times one plus the natural logarithm of the number of cells (Matthews, "Covering problems
///   for Markov chains", 1988).
///
/// [`walk_limit`] explains the four steps for each cell.
fn most_steps(cells: u64, farthest: u64) -> u64 {
    // the natural logarithm, rounded up: 0.7 is a little more than that of 2
    let logarithm = (7 * u64::from(cells.ilog2() + 1)).div_ceil(10);
    4 * cells * (cells - 1).min(2 * farthest * (1 + logarithm))
}

fn too_many_cells(cells: usize) -> String {
    format!(
        "aldous_broder makes mazes of up to {MOST_CELLS} cells (2000 x 2000, which are 4001 x 4001 tiles), and these \
         are {cells}; take a smaller size, or wilson, which draws from the same distribution without this limit"
    )
}

/// Walks from the first cell until every cell was visited.
fn walk(cells: &mut CellBytes, mut rng: Rng, cancel: Cancel) -> Result<(), Cancelled> {
    let (steps, mut index, mut unvisited) = (cells.steps(), cells.first(), cells.count() - 1);
    let bytes = &mut *cells.bytes;
    bytes[index] = (Direction::Up as u8) << SHIFT;
    for words in 0_usize.. {
        if words.is_multiple_of(256) {
            cancel.check()?;
        }
        let mut directions = rng.word();
        for _ in 0..STEPS {
            if unvisited == 0 {
                return Ok(());
            }
            let direction = directions as u8 & 3;
            directions >>= 2;
            let next = index.wrapping_add(steps[usize::from(direction)]);
            let there = bytes[next];
            // the processor nearly always predicts this branch, so the next step need not wait until this byte is
            // loaded
            if there & (UNVISITED | BORDER) == 0 {
                index = next;
            } else if there & UNVISITED != 0 {
                index = next;
                bytes[index] = (direction ^ 2) << SHIFT;
                unvisited -= 1;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::work::Buffers;

    #[test]
    fn the_error_of_a_level_that_is_too_large_names_the_limit_and_an_alternative() {
        let pairs = [("algo", "aldous_broder"), ("width", "4003"), ("height", "4001"), ("seed", "7")];
        let recipe = Recipe::from_pairs(&pairs, Limits::of_side(16_001)).unwrap();
        let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
        let Err(Error::Unbuildable(faults)) = generate(recipe.blueprint(), &mut context) else { unreachable!() };
        assert_eq!(faults[0].parameter, "algo");
        for part in ["4000000 cells", "4001 x 4001", "4002000", "wilson"] {
            assert!(faults[0].message.contains(part), "{}", faults[0].message);
        }
    }
}
