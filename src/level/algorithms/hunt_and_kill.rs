//! Hunt and kill: from the first cell on walk to a random unvisited neighbour as long as there is one. Then hunt: find
//! the first unvisited cell in row-major order that touches a visited cell, join the two, and continue the walk from
//! the found cell.
//!
//! In a full rectangle the first unvisited cell in row-major order always touches a visited one, because the cells
//! above it and to its left come before it. So all hunts together are a single scan, by one index that only moves
//! forward. With void cells this does not hold, and a new scan for each hunt could take time in the square of the
//! number of cells. So with a mask an [ordered set](frontier) holds the cells that a hunt may find.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::cell_bytes::{CellBytes, SHIFT};
use crate::level::algorithms::choices::{CHOICES, ELIGIBLE, Rolls, choice_index, open_directions, strides};
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
    summary: "a random walk from the first cell; where it is stuck it goes on from the first unvisited cell that \
              touches a visited one",
    character: "long winding corridors and few dead ends, as with dfs, but shorter paths between cells; the first rows \
                are opened first",
    source: "Jamis Buck, Mazes for Programmers, 2015",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area(),
    estimate: |blueprint| Ok(blueprint.nanos(3_000, 0)),
    generate,
};

/// The byte of an unvisited cell. The walk may enter it.
const UNVISITED: u8 = ELIGIBLE;

/// The flag of a visited cell, in the same byte as its direction. The border does not have the flag.
const VISITED: u8 = 1 << VISITED_SHIFT;
const VISITED_SHIFT: u32 = 7;

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut cells = CellBytes::fill(&mut context.buffers.tile_map, blueprint.shape(), UNVISITED, 0);
    let rng = blueprint.streams().stream(0, 0);
    if blueprint.mask().is_none() {
        walk(&mut cells, &mut Scan(0), rng, context.cancel)?;
    } else {
        let mut frontier = Frontier::new(&mut context.buffers.indices, cells.bytes.len());
        walk(&mut cells, &mut frontier, rng, context.cancel)?;
    }
    Ok(cells.tree(&mut context.buffers.bitmaps, None))
}

/// Finds the cell from which the walk continues.
trait Hunt {
    /// Called with the current cell of the walk: `directions` has a bit for each direction in which there is an
    /// unvisited cell.
    fn visited(&mut self, index: usize, directions: u8, steps: [usize; 4]);

    /// The first unvisited cell that touches a visited one; `None` if there is none.
    fn find(&mut self, bytes: &[u8]) -> Option<usize>;
}

/// Finds the first unvisited cell at this index or after it.
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
    fn visited(&mut self, index: usize, mut directions: u8, steps: [usize; 4]) {
        self.remove(index);
        while directions > 0 {
            self.insert(index.wrapping_add(steps[directions.trailing_zeros() as usize]));
            directions &= directions - 1;
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
        let open = open_directions(bytes, index, steps);
        hunt.visited(index, open, steps);
        if open > 0 {
            let choice = choice_index(open, rolls.next(&mut rng));
            index = index.wrapping_add(strides[choice]);
            bytes[index] = VISITED | (CHOICES[choice] ^ 2) << SHIFT;
        } else {
            let Some(found) = hunt.find(bytes) else { break };
            index = found;
            let parent = CHOICES[choice_index(visited_directions(bytes, index, steps), rolls.next(&mut rng))];
            bytes[index] = VISITED | parent << SHIFT;
        }
    }
    Ok(())
}

/// A mask with a bit for each direction in which there is a visited cell.
fn visited_directions(bytes: &[u8], index: usize, steps: [usize; 4]) -> u8 {
    let bits = (0..4).map(|i| bytes[index.wrapping_add(steps[i])] >> VISITED_SHIFT << i);
    bits.fold(0, |mask, bit| mask | bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::grid::Shape;
    use crate::level::rng::{Seed, Streams};

    /// The reference implementation: each hunt scans all bytes from the start. It knows the offsets to the four
    /// neighbours.
    struct Oracle([usize; 4]);

    impl Hunt for Oracle {
        fn visited(&mut self, _: usize, _: u8, _: [usize; 4]) {}

        fn find(&mut self, bytes: &[u8]) -> Option<usize> {
            let touches = |index: &usize| visited_directions(bytes, *index, self.0) > 0;
            (0..bytes.len()).filter(|index| bytes[*index] == UNVISITED).find(touches)
        }
    }

    /// A walk over all cells, with one of the hunts.
    type Walk = fn(&mut CellBytes, Rng);

    const SCAN: Walk = |cells, rng| walk(cells, &mut Scan(0), rng, Cancel::never()).unwrap();
    const ORACLE: Walk = |cells, rng| walk(cells, &mut Oracle(cells.steps()), rng, Cancel::never()).unwrap();
    const FRONTIER: Walk = |cells, rng| {
        let mut buffer = vec![u32::MAX; 3];
        let mut frontier = Frontier::new(&mut buffer, cells.bytes.len());
        walk(cells, &mut frontier, rng, Cancel::never()).unwrap();
    };

    /// The bytes after a walk over a rectangle in which about `void` percent of the cells are void.
    fn bytes_after(size: (usize, usize), void: u32, seed: u64, walk: Walk) -> Vec<u8> {
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
    fn in_a_rectangle_all_hunts_find_the_same() {
        for (seed, size) in (0..).zip([(1, 1), (1, 50), (50, 1), (2, 2), (20, 20), (33, 70), (100, 64)]) {
            let scanned = bytes_after(size, 0, seed, SCAN);
            assert!(bytes_after(size, 0, seed, FRONTIER) == scanned, "{size:?}");
            assert!(bytes_after(size, 0, seed, ORACLE) == scanned, "{size:?}");
        }
    }

    #[test]
    fn with_void_cells_the_frontier_finds_what_the_reference_finds() {
        let mut scan_fails = 0;
        for seed in 0..200 {
            let (size, void) = ((10 + seed as usize % 17, 10 + seed as usize % 13), seed as u32 % 40);
            let expected = bytes_after(size, void, seed, ORACLE);
            assert!(bytes_after(size, void, seed, FRONTIER) == expected, "seed {seed}");
            scan_fails += u32::from(bytes_after(size, void, seed, SCAN) != expected);
        }
        assert!(scan_fails > 100, "a scan fails in {scan_fails} masks only");
    }
}
