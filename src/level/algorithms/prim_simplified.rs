//! Simplified Prim, the frontier-cell method: grow one tree from the first cell; each step takes a random cell that
//! touches the tree, uniformly, and joins it to a random neighbour in the tree.
//!
//! The list of cells that touch the tree is unordered, so that a random one is removed in constant time. The processor
//! could not predict whether a neighbour is new to the list, so there is no branch: each neighbour is written past the
//! end of the list, and the end moves only if the neighbour is new.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::cell_bytes::{CellBytes, SHIFT};
use crate::level::algorithms::choices::{CHOICES, ELIGIBLE, Rolls, choice_index, open_directions};
use crate::level::error::Error;
use crate::level::grid::{Direction, Layout, LevelKind};
use crate::level::parameters::options::OptionId;
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled, JobContext, recycled};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "prim_simplified",
    aliases: &[],
    summary: "grows from one cell: each step joins a random cell that touches the tree to a random neighbour in it",
    character: "short straight branches outwards from the first cell, very many dead ends; many tutorials call it \
                Prim, but its mazes are not minimum spanning trees as those of prim and kruskal",
    source: "the frontier-cell method: Wikipedia, Maze generation algorithm, there modified Prim; Walter Pullen, Think \
             Labyrinth: Maze algorithms; what Jamis Buck calls simplified Prim is growing_tree with mix 0",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| 2 * blueprint.size().area(),
    estimate: |blueprint| Ok(blueprint.nanos(4_000, 0)),
    generate,
};

/// A cell that does not touch the tree yet.
const UNTOUCHED: u8 = 1 << UNTOUCHED_SHIFT;
const UNTOUCHED_SHIFT: u32 = 6;

/// The flag of a cell in the tree, in the same byte as its direction. The byte of a cell in the list is 0, and so is
/// that of the border.
const IN_TREE: u8 = ELIGIBLE;

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut cells = CellBytes::fill(&mut context.buffers.tile_map, blueprint.shape(), UNTOUCHED, 0);
    // one entry more than cells, because each neighbour is written past the end first
    let frontier = recycled(&mut context.buffers.indices, cells.count() + 1);
    grow(&mut cells, frontier, blueprint.streams().stream(0, 0), context.cancel)?;
    Ok(cells.tree(&mut context.buffers.bitmaps, None))
}

/// Grows the tree over all cells, from the first one on.
fn grow(cells: &mut CellBytes, frontier: &mut [u32], mut rng: Rng, cancel: Cancel) -> Result<(), Cancelled> {
    let (steps, mut index) = (cells.steps(), cells.first());
    let mut parent = Direction::Up as u8;
    let (mut len, mut rolls) = (0, Rolls::new());
    let bytes = &mut *cells.bytes;
    bytes[index] = 0;
    for visited in 0_usize.. {
        if visited.is_multiple_of(4096) {
            cancel.check()?;
        }
        bytes[index] = IN_TREE | parent << SHIFT;
        for step in steps {
            let neighbour = index.wrapping_add(step);
            let byte = bytes[neighbour];
            frontier[len] = neighbour as u32;
            len += usize::from(byte >> UNTOUCHED_SHIFT);
            bytes[neighbour] = byte & !UNTOUCHED;
        }
        if len == 0 {
            break;
        }
        let pick = rng.below(len as u32) as usize;
        index = frontier[pick] as usize;
        len -= 1;
        frontier[pick] = frontier[len];
        parent = CHOICES[choice_index(open_directions(bytes, index, steps), rolls.next(&mut rng))];
    }
    Ok(())
}
