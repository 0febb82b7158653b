//! Hunt and kill: walk to a random unvisited neighbour as long as there is one, then hunt: the first unvisited cell in
//! scan order that touches a visited one is joined to it, and the walk goes on from there.
//!
//! On a full rectangle the first unvisited cell in scan order is always one that touches: what is above it and to its
//! left comes before it, so it is visited. One pointer that only moves on does all hunts together in one scan. Where
//! parts of the board are void that does not hold, and to scan again for each hunt could take the square of the time;
//! there the cells that may be hunted are kept in an [ordered set](frontier).

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::cell_bytes::{CellBytes, SHIFT};
use crate::level::algorithms::choices::{CHOICES, COUNTS, Rolls, choice, strides, ways};
use crate::level::error::Error;
use crate::level::grid::{Direction, Layout, LevelKind};
use crate::level::parameters::options::OptionId;
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled, JobContext};
use frontier::Frontier;

mod frontier;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "hunt_and_kill",
    aliases: &[],
    summary: "a random walk; where it is stuck it goes on from the first unvisited cell that touches a visited one",
    character: "long winding corridors and few dead ends, as with dfs, but the ways between places are shorter; the \
                first rows are opened first",
    source: "Jamis Buck, Mazes for Programmers, 2015",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area(),
    generate,
};

/// A cell not yet visited: one that counts for the walk.
const UNVISITED: u8 = COUNTS;

/// What a cell's byte holds beside its direction, once it is visited. The border does not have it.
const VISITED: u8 = 1 << VISITED_SHIFT;
const VISITED_SHIFT: u32 = 7;

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut cells = CellBytes::fill(&mut context.buffers.board, blueprint.shape(), UNVISITED, 0);
    let rng = blueprint.streams().stream(0, 0);
    if blueprint.mask().is_none() {
        walk(&mut cells, &mut Scan(0), rng, context.cancel)?;
    } else {
        let mut frontier = Frontier::new(&mut context.buffers.indices, cells.bytes.len());
        walk(&mut cells, &mut frontier, rng, context.cancel)?;
    }
    Ok(cells.tree(&mut context.buffers.planes, None))
}

/// Finds where to go on from.
trait Hunt {
    /// Hears of each visit, of the directions in which there are unvisited cells, and of the steps there.
    fn visited(&mut self, index: usize, ways: u8, steps: [usize; 4]);

    /// The first unvisited cell that touches a visited one.
    fn find(&mut self, bytes: &[u8]) -> Option<usize>;
}

/// Takes the first unvisited cell, from this place on.
struct Scan(usize);

impl Hunt for Scan {
    fn visited(&mut self, _: usize, _: u8, _: [usize; 4]) {}

    fn find(&mut self, bytes: &[u8]) -> Option<usize> {
        let offset = bytes[self.0..].iter().position(|byte| byte & UNVISITED != 0)?;
        self.0 += offset;
        Some(self.0)
    }
}

impl Hunt for Frontier<'_> {
    fn visited(&mut self, index: usize, mut ways: u8, steps: [usize; 4]) {
        self.remove(index);
        while ways > 0 {
            self.insert(index.wrapping_add(steps[ways.trailing_zeros() as usize]));
            ways &= ways - 1;
        }
    }

    fn find(&mut self, _: &[u8]) -> Option<usize> {
        self.least()
    }
}

/// Walks from the first cell until every cell is visited.
fn walk(cells: &mut CellBytes, hunt: &mut impl Hunt, mut rng: Rng, cancel: Cancel) -> Result<(), Cancelled> {
    let (steps, mut index) = (cells.steps(), cells.first());
    let (strides, mut rolls) = (strides(steps), Rolls::new());
    let bytes = &mut *cells.bytes;
    bytes[index] = VISITED | (Direction::Up as u8) << SHIFT;
    for visited in 0_usize.. {
        if visited.is_multiple_of(4096) {
            cancel.check()?;
        }
        let open = ways(bytes, index, steps);
        hunt.visited(index, open, steps);
        if open > 0 {
            let choice = choice(open, rolls.next(&mut rng));
            index = index.wrapping_add(strides[choice]);
            bytes[index] = VISITED | (CHOICES[choice] ^ 2) << SHIFT;
        } else {
            let Some(found) = hunt.find(bytes) else { break };
            index = found;
            let parent = CHOICES[choice(visited_ways(bytes, index, steps), rolls.next(&mut rng))];
            bytes[index] = VISITED | parent << SHIFT;
        }
    }
    Ok(())
}

/// A bit for each direction in which there is a visited cell.
fn visited_ways(bytes: &[u8], index: usize, steps: [usize; 4]) -> u8 {
    let ways = (0..4).map(|i| bytes[index.wrapping_add(steps[i])] >> VISITED_SHIFT << i);
    ways.fold(0, |mask, way| mask | way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::grid::Shape;
    use crate::level::rng::{Seed, Streams};

    /// Looks through the whole board for each hunt.
    struct Plain([usize; 4]);

    impl Hunt for Plain {
        fn visited(&mut self, _: usize, _: u8, _: [usize; 4]) {}

        fn find(&mut self, bytes: &[u8]) -> Option<usize> {
            let touches = |index: &usize| visited_ways(bytes, *index, self.0) > 0;
            (0..bytes.len()).filter(|index| bytes[*index] == UNVISITED).find(touches)
        }
    }

    /// How a test walks over a board.
    type StoredPath = fn(&mut CellBytes, Rng);

    const SCAN: StoredPath = |cells, rng| walk(cells, &mut Scan(0), rng, Cancel::never()).unwrap();
    const PLAIN: StoredPath = |cells, rng| walk(cells, &mut Plain(cells.steps()), rng, Cancel::never()).unwrap();
    const FRONTIER: StoredPath = |cells, rng| {
        let mut buffer = vec![u32::MAX; 3];
        let mut frontier = Frontier::new(&mut buffer, cells.bytes.len());
        walk(cells, &mut frontier, rng, Cancel::never()).unwrap();
    };

    /// The board after a walk, where of 100 cells so many are void.
    fn board(size: (usize, usize), void: u32, seed: u64, walk: StoredPath) -> Vec<u8> {
        let streams = Streams::new(&Seed::Integer(seed.into()), "test", 0);
        let (mut buffer, mut holes) = (Vec::new(), streams.stream(1, 0));
        let mut cells = CellBytes::fill(&mut buffer, Shape::rectangle(size), UNVISITED, 0);
        let first = cells.first();
        for byte in &mut cells.bytes[first + 1..] {
            *byte = if holes.below(100) < void { 0 } else { *byte };
        }
        walk(&mut cells, streams.stream(0, 0));
        buffer
    }

    #[test]
    fn on_a_rectangle_every_hunt_finds_the_same() {
        for (seed, size) in (0..).zip([(1, 1), (1, 50), (50, 1), (2, 2), (20, 20), (33, 70), (100, 64)]) {
            let scanned = board(size, 0, seed, SCAN);
            assert!(board(size, 0, seed, FRONTIER) == scanned, "{size:?}");
            assert!(board(size, 0, seed, PLAIN) == scanned, "{size:?}");
        }
    }

    #[test]
    fn on_a_board_with_void_cells_the_frontier_finds_the_first_cell_that_touches() {
        let mut scan_fails = 0;
        for seed in 0..200 {
            let (size, void) = ((10 + seed as usize % 17, 10 + seed as usize % 13), seed as u32 % 40);
            let plain = board(size, void, seed, PLAIN);
            assert!(board(size, void, seed, FRONTIER) == plain, "seed {seed}");
            scan_fails += u32::from(board(size, void, seed, SCAN) != plain);
        }
        assert!(scan_fails > 100, "the boards ask for more than a scan: {scan_fails}");
    }
}
