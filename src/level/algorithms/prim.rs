//! Prim: grow one tree from the first cell, always along the lightest edge that leaves it.
//!
//! If all weights were different, this would give Kruskal's tree. Weights from 0 to 99 make many edges equal, and of
//! equal edges the newest goes first. This gives the mazes a look of their own, and the priority queue is simply one
//! stack for each of the hundred weights. An edge is as old as the cell that brought it to the tree; the edges of one
//! cell come in the order up, right, down, left, so the one to the left is the newest of them.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::cell_bytes::{CellBytes, SHIFT};
use crate::level::error::Error;
use crate::level::grid::{Direction, Layout, LevelKind};
use crate::level::parameters::options::OptionId;
use crate::level::work::{Cancel, Cancelled, JobContext};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "prim",
    aliases: &[],
    summary: "grows from one cell along the lightest edge that leaves the tree, by random weights from 0 to 99",
    character: "short winding branches and many dead ends around the first cell; one family with kruskal: both make \
                minimum spanning trees of random weights, here with equal weights, of which the newest goes first",
    source: "Robert Prim, Shortest connection networks and some generalizations, 1957",
    revision: 2,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| 2 * blueprint.size().area(),
    estimate: |blueprint| Ok(blueprint.nanos(9_000, 0)),
    generate,
};

/// The number of different weights.
const WEIGHTS: usize = 100;

/// The flag of a cell in the tree, in the same byte as its direction. The border has the flag too. The byte of any
/// other cell is the least weight of an edge from the tree to the cell.
const IN_TREE: u8 = 0x80;

/// The byte of a cell that no edge joins to the tree yet: greater than any weight.
const UNTOUCHED: u8 = WEIGHTS as u8;

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut cells = CellBytes::fill(&mut context.buffers.tile_map, blueprint.shape(), UNTOUCHED, IN_TREE);
    let mut stacks = Stacks::new(&mut context.buffers.indices, cells.count());
    let mut rng = blueprint.streams().stream(0, 0);
    grow(
        &mut cells,
        &mut stacks,
        |_| rng.digits::<{ WEIGHTS as u64 }, 4>().map(|weight| weight as u8),
        context.cancel,
    )?;
    Ok(cells.tree(&mut context.buffers.bitmaps, None))
}

/// Grows the tree over all cells. For each cell that joins the tree, `weigh` gives the weights of its edges, one for
/// each direction. The weights of edges to cells in the tree are ignored, so each edge keeps its first weight.
fn grow(
    cells: &mut CellBytes,
    stacks: &mut Stacks,
    mut weigh: impl FnMut(usize) -> [u8; 4],
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let steps = cells.steps();
    let mut index = cells.first();
    let mut parent = Direction::Up as u8;
    for left in (0..cells.count()).rev() {
        if left.is_multiple_of(4096) {
            cancel.check()?;
        }
        cells.bytes[index] = IN_TREE | parent << SHIFT;
        for ((step, weight), direction) in steps.into_iter().zip(weigh(index)).zip(0..) {
            let neighbour = index.wrapping_add(step);
            let known = cells.bytes[neighbour];
            // As a signed number the byte of a cell in the tree is less than any weight. An edge as light as the one
            // that is known counts too: it is the newer one.
            let wanted = weight.cast_signed() <= known.cast_signed();
            cells.bytes[neighbour] = if wanted { weight } else { known };
            stacks.push_if(wanted, weight, (neighbour as u32) << 2 | (direction ^ 2));
        }
        // skips cells that joined the tree by a lighter edge: their other entries are still in the stacks
        while left > 0
            && let Some(entry) = stacks.pop()
        {
            index = entry as usize >> 2;
            parent = entry as u8 & 3;
            if cells.bytes[index] < IN_TREE {
                break;
            }
        }
    }
    Ok(())
}

/// The words of a chunk. The first word of a stack's first chunk is unused; in each later chunk it is the index of the
/// last word of the chunk before.
const CHUNK: usize = 32;

/// A stack for each weight, in chunks of one pool.
struct Stacks<'a> {
    pool: &'a mut Vec<u32>,
    /// For each stack the index of its newest entry, or, if it is empty, of the first word of its first chunk. The
    /// first chunk of the stack of a weight is the chunk with that number.
    tops: [u32; WEIGHTS],
    /// A bit for each stack that is not empty.
    filled: [u64; 2],
    /// The index of the first free chunk, 0 if there is none. The first word of a free chunk is the index of the next
    /// free one.
    free: u32,
    /// The number of words of the pool that have ever been in use.
    used: u32,
}

impl<'a> Stacks<'a> {
    /// Empty stacks for a tree of `cells` cells.
    fn new(pool: &'a mut Vec<u32>, cells: usize) -> Self {
        let used = WEIGHTS * CHUNK;
        // more than is ever in use, so that the pool is never moved; memory that is never touched costs nothing
        pool.reserve((used + cells).saturating_sub(pool.len()));
        if pool.len() < used {
            pool.resize(used, 0);
        }
        let tops = std::array::from_fn(|weight| (weight * CHUNK) as u32);
        Self { pool, tops, filled: [0; 2], free: 0, used: used as u32 }
    }

    /// Pushes `entry` if `wanted`. The processor could not predict a branch on `wanted`, so there is none.
    #[inline]
    fn push_if(&mut self, wanted: bool, weight: u8, entry: u32) {
        let top = self.tops[usize::from(weight)] + 1;
        if (top as usize).is_multiple_of(CHUNK) {
            if wanted {
                self.push_in_new_chunk(weight, entry);
            }
            return;
        }
        self.pool[top as usize] = entry;
        self.tops[usize::from(weight)] = top - u32::from(!wanted);
        self.filled[usize::from(weight / 64)] |= u64::from(wanted) << (weight % 64);
    }

    /// Removes the newest entry of the least weight.
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let [low, high] = self.filled;
        let weight = if low > 0 { low.trailing_zeros() } else { 64 + high.trailing_zeros() } as usize;
        let top = *self.tops.get(weight)?;
        let entry = self.pool[top as usize];
        self.tops[weight] = top - 1;
        if (top as usize - 1).is_multiple_of(CHUNK) {
            self.leave_chunk(weight, top - 1);
        }
        Some(entry)
    }

    /// Pushes `entry` to a stack whose last chunk is full.
    #[cold]
    fn push_in_new_chunk(&mut self, weight: u8, entry: u32) {
        let chunk = if self.free > 0 {
            let next = self.pool[self.free as usize];
            std::mem::replace(&mut self.free, next)
        } else {
            self.used += CHUNK as u32;
            self.used - CHUNK as u32
        };
        if self.pool.len() < self.used as usize {
            // grows by an eighth, because doubling would hold far more than is needed
            let more = (self.pool.len() / 8).next_multiple_of(CHUNK).max(CHUNK);
            self.pool.reserve_exact(more);
            self.pool.resize(self.pool.len() + more, 0);
        }
        let top = &mut self.tops[usize::from(weight)];
        self.pool[chunk as usize] = std::mem::replace(top, chunk + 1);
        self.pool[chunk as usize + 1] = entry;
    }

    /// Frees the last chunk of a stack, which is empty now. A stack's first chunk is never freed: then the whole stack
    /// is empty.
    #[cold]
    fn leave_chunk(&mut self, weight: usize, chunk: u32) {
        if chunk as usize == weight * CHUNK {
            self.filled[weight / 64] &= !(1 << (weight % 64));
        } else {
            self.tops[weight] = std::mem::replace(&mut self.pool[chunk as usize], self.free);
            self.free = chunk;
        }
    }
}

#[cfg(test)]
mod tests;
