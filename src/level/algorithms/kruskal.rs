//! Kruskal: take the pairs of neighbouring cells in order of random weights, and join two cells if no path between them
//! is open yet.
//!
//! On a large level the plain algorithm jumps about in memory: it is three times as slow as on a small one. So the
//! level is cut into [blocks](block) of 64 by 64 cells, and each block is solved with its own edges only. Two rules say
//! when the decision of a block holds for the whole level:
//!
//! - The cycle rule: an edge that closes a cycle is the heaviest edge of that cycle, so it is in no minimum spanning
//!   tree.
//! - The cut rule: an edge that joins two trees is the lightest of the block's edges that leave either tree. If one of
//!   the trees has no cell on the block's rim, the block has *all* edges that leave this tree, so the edge is in the
//!   minimum spanning tree.
//!
//! The block cannot decide on an edge between two trees that both reach its rim. These edges, and those between blocks,
//! go to a [pass over the whole level](global): together they are under a tenth of an edge for each cell. No two edges
//! are equal in the order of edges, so there is only one minimum spanning tree, and the result is the tree of the plain
//! algorithm; a test compares the two.

mod block;
mod field;
mod global;
#[cfg(test)]
mod tests;

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::kruskal::block::{Block, BlockBuffers, RIM_CELLS};
use crate::level::algorithms::kruskal::field::{Field, SIDE};
use crate::level::algorithms::kruskal::global::join_blocks;
use crate::level::error::Error;
use crate::level::grid::{Layout, LevelKind, Passages};
use crate::level::parameters::options::OptionId;
use crate::level::work::{Cancelled, JobContext, PendingEdge, recycled};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "kruskal",
    aliases: &[],
    summary: "opens the lightest wall that still joins two parts: a minimum spanning tree of random weights",
    character: "even texture without direction, many short dead ends; one family with prim, whose mazes are minimum \
                spanning trees of random weights too",
    source: "Joseph Kruskal, On the shortest spanning subtree of a graph, 1956; by blocks with the cycle and cut rules \
             of Robert Tarjan, Data structures and network algorithms, 1983",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid],
    work_bytes,
    estimate: |blueprint| Ok(blueprint.nanos(12_000, 0)),
    generate,
};

/// The cells with their passages, and the memory for the undecided edges of all blocks. The latter is counted for each
/// block in full, because a narrow level has many blocks that are mostly empty.
fn work_bytes(blueprint: &Blueprint) -> u64 {
    let (columns, rows) = blueprint.size().cells();
    let blocks = columns.div_ceil(SIDE) * rows.div_ceil(SIDE);
    let left_over = (RIM_CELLS + 2 * SIDE) * size_of::<PendingEdge>() + RIM_CELLS * size_of::<u32>();
    blueprint.size().area() + (blocks * left_over) as u64
}

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let field = Field::new(blueprint.streams(), blueprint.shape());
    Ok(Layout::maze(span(&field, context)?))
}

/// The passages of the minimum spanning tree.
fn span(field: &Field, context: &mut JobContext) -> Result<Passages, Cancelled> {
    let mut passages = context.buffers.bitmaps.passages((field.columns, field.rows));
    let (words, candidates) = (&mut context.buffers.indices, &mut context.buffers.candidates);
    let blocks = field.block_columns * field.rows.div_ceil(SIDE);
    candidates.clear();
    if blocks > 1 {
        // the undecided edges of a block are fewer than its rim cells on four sides; its edges to other blocks are
        // counted on two sides only
        let (columns, rows) = (field.columns * field.rows.div_ceil(SIDE), field.rows * field.block_columns);
        candidates.reserve_exact(3 * (columns + rows));
    }
    let mut buffers = BlockBuffers::split(recycled(words, BlockBuffers::WORDS));
    for number in 0..blocks {
        context.cancel.check()?;
        Block::new(field, number).solve(&mut buffers, candidates, &mut passages);
    }
    if blocks > 1 {
        join_blocks(field, candidates, recycled(words, blocks * RIM_CELLS), &mut passages, context.cancel)?;
    }
    Ok(passages)
}
