//! Depth-first search, also called the recursive backtracker: from the first cell on walk to a random unvisited
//! neighbour as long as there is one, else go back one step.
//!
//! Each step of the walk depends on the one before, so the speed depends on how soon the next cell is known. To go on,
//! the walk reads the bytes of the four neighbours, which give a mask of directions, and looks up the mask and a roll
//! in a table. To go back, it takes the direction from a stack, and need not wait for the byte of any cell.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::cell_bytes::{CellBytes, SHIFT};
use crate::level::algorithms::choices::{CHOICES, ELIGIBLE, ROLL_SIDES, choice_index, open_directions, strides};
use crate::level::error::Error;
use crate::level::grid::{Direction, Layout, LevelKind, StoredPath, Tile};
use crate::level::parameters::options::OptionId;
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled, JobContext};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "dfs",
    aliases: &["recursive_backtracker"],
    summary: "a random walk from the first cell that backs up where it is stuck: randomised depth-first search",
    character: "long winding corridors, few and short dead ends, long paths between any two cells",
    source: "Robert Tarjan, Depth-first search and linear graph algorithms, 1972; as a maze: Jamis Buck, Mazes for \
             Programmers, 2015",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area(),
    estimate: |blueprint| Ok(blueprint.nanos(4_000, 0)),
    generate,
};

/// The byte of an unvisited cell. Visited cells and the border are not eligible.
const UNVISITED: u8 = ELIGIBLE;

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut cells = CellBytes::fill(&mut context.buffers.tile_map, blueprint.shape(), UNVISITED, 0);
    let exit = blueprint.exit.and_then(Tile::cell);
    let exit_index = exit.map(|cell| cells.index(cell));
    let mut walk = Walk::new(&mut cells, &mut context.buffers.trail, blueprint.streams().stream(0, 0));
    // when the walk reaches the exit, the stack is the path to it
    let path = match exit_index {
        Some(exit_index) => {
            walk.until(|index, _| index == exit_index, context.cancel)?;
            exit.map(|cell| StoredPath::pack(cell, walk.stack()))
        }
        None => None,
    };
    walk.until(|_, unvisited| unvisited == 0, context.cancel)?;
    Ok(cells.tree(&mut context.buffers.bitmaps, path))
}

/// A walk that visits every cell, from the first one on.
struct Walk<'a, 'b> {
    cells: &'a mut CellBytes<'b>,
    index: usize,
    unvisited: usize,
    /// The first `depth` entries are the directions of the steps from the first cell to this one. The others are
    /// unused: the walk has backed up over them.
    trail: &'a mut [u8],
    depth: usize,
    rng: Rng,
    rolls: [u64; 16],
}

impl<'a, 'b> Walk<'a, 'b> {
    fn new(cells: &'a mut CellBytes<'b>, trail: &'a mut Vec<u8>, mut rng: Rng) -> Self {
        let index = cells.first();
        if trail.len() < cells.count() {
            trail.resize(cells.count(), 0);
        }
        cells.bytes[index] = (Direction::Up as u8) << SHIFT;
        let (unvisited, rolls) = (cells.count() - 1, rng.digits::<{ ROLL_SIDES as u64 }, 16>());
        Self { cells, index, unvisited, trail, depth: 0, rng, rolls }
    }

    /// The directions of the steps from the first cell to this one.
    fn stack(&self) -> &[u8] {
        &self.trail[..self.depth]
    }

    #[inline(never)] // as a function of its own the loop keeps all its variables in registers
    /// Continues the walk until `done` is true of the current cell and the number of unvisited cells.
    fn until(&mut self, done: impl Fn(usize, usize) -> bool, cancel: Cancel) -> Result<(), Cancelled> {
        let steps = self.cells.steps();
        let strides = strides(steps);
        let (bytes, trail, mut rolls) = (&mut *self.cells.bytes, &mut *self.trail, self.rolls);
        let (mut index, mut unvisited, mut depth) = (self.index, self.unvisited, self.depth);
        while !done(index, unvisited) {
            if unvisited.is_multiple_of(4096) {
                cancel.check()?;
            }
            if unvisited.is_multiple_of(16) {
                rolls = self.rng.digits::<{ ROLL_SIDES as u64 }, 16>();
            }
            let mut mask = open_directions(bytes, index, steps);
            while mask == 0 {
                depth -= 1;
                index = index.wrapping_sub(steps[usize::from(trail[depth] & 3)]);
                mask = open_directions(bytes, index, steps);
            }
            let choice = choice_index(mask, rolls[unvisited % 16] as u8);
            let direction = CHOICES[choice];
            trail[depth] = direction;
            depth += 1;
            index = index.wrapping_add(strides[choice]);
            // the direction back to the parent
            bytes[index] = (direction & 3 ^ 2) << SHIFT;
            unvisited -= 1;
        }
        (self.index, self.unvisited, self.depth, self.rolls) = (index, unvisited, depth, rolls);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::work::Buffers;

    #[test]
    fn a_large_level_needs_no_large_stack() {
        let build = || {
            let pairs = [("algo", "recursive_backtracker"), ("size", "1001"), ("seed", "7")];
            let recipe = Recipe::from_pairs(&pairs, Limits::of_side(1001)).unwrap();
            let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
            Level::build(recipe, &mut context).unwrap()
        };
        let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(build).unwrap();
        assert!(thread.join().unwrap().parents().is_some());
    }
}
