//! Kruskal: take the pairs of neighbouring cells in order of random weights, and join two cells if no path between them
//! is open yet.
//!
//! Taken literally that jumps about in memory: it is three times as slow on a large level as on a small one. So the
//! level is cut into [blocks](block) of 64 by 64 cells, each solved with its own edges only. Two rules say when a
//! block's answer holds for the whole level:
//!
//! - The cycle rule: an edge that closes a cycle is the heaviest edge of that cycle, so it is in no minimum spanning
//!   tree.
//! - The cut rule: an edge that joins two trees is the lightest that leaves either. If one of the trees has no cell on
//!   the block's rim, the block has *all* edges of that tree, so the edge is in the minimum spanning tree.
//!
//! What is left are edges between two trees that both reach the rim. They go, with the edges between blocks, to a [pass
//! over the whole level](global): under a tenth of an edge per cell. The order of edges is total, so the result is the
//! tree that the plain algorithm finds; a test compares the two.

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
    generate,
};

/// The cells with their passages, and what the blocks leave over: a narrow level has many blocks that are mostly empty.
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

/// The minimum spanning tree.
fn span(field: &Field, context: &mut JobContext) -> Result<Passages, Cancelled> {
    let mut passages = context.buffers.bitmaps.passages((field.columns, field.rows));
    let (words, candidates) = (&mut context.buffers.indices, &mut context.buffers.candidates);
    let blocks = field.block_columns * field.rows.div_ceil(SIDE);
    candidates.clear();
    if blocks > 1 {
        // each block leaves fewer edges than it has rim cells on four sides, and has edges to other blocks on two sides
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
