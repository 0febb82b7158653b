//! Buffers that outlive the job that filled them.

use crate::level::grid::Layout;
use crate::level::work::bitmap_pool::BitmapPool;

/// Memory that one job leaves to the next. What it holds between two jobs means nothing.
///
/// Touching fresh memory for the first time often costs more than the work done in it, so a worker hands the same
/// buffers to all of its jobs.
#[derive(Debug, Default)]
pub struct Buffers {
    /// A byte for each tile or cell.
    pub board: Vec<u8>,
    /// A byte for each step of a walk.
    pub(crate) trail: Vec<u8>,
    /// Tile or cell numbers: a stack, a queue, a disjoint set.
    pub indices: Vec<u32>,
    /// Steps to each tile.
    pub(crate) steps: Vec<i32>,
    /// Edges between cells that wait for a decision.
    pub(crate) candidates: Vec<Candidate>,
    /// Bitmaps of levels that were dropped.
    pub(crate) planes: BitmapPool,
}

/// An edge between two cells of a maze that is not decided yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Where it stands in the order of decisions: edges of equal order are compared by other means.
    pub(crate) order: u32,
    /// The number of the edge in the level.
    pub(crate) edge: u32,
    /// The numbers of the two sets of cells that it would join.
    pub(crate) endpoints: [u32; 2],
}

impl Buffers {
    /// Bytes that the buffers hold.
    pub fn bytes(&self) -> usize {
        self.board.capacity()
            + self.trail.capacity()
            + self.indices.capacity() * size_of::<u32>()
            + self.steps.capacity() * size_of::<i32>()
            + self.candidates.capacity() * size_of::<Candidate>()
            + self.planes.bytes()
    }

    /// Takes over the memory of a layout that is needed no more.
    pub fn recycle(&mut self, layout: Layout) {
        self.planes.give_all(layout);
    }
}

/// The first `len` items of a buffer, with whatever they hold.
pub(crate) fn recycled<T: Copy + Default>(buffer: &mut Vec<T>, len: usize) -> &mut [T] {
    if buffer.len() < len {
        // the short buffer is freed before the long one is made; zeroed memory costs nothing until it is touched
        *buffer = Vec::new();
        *buffer = vec![T::default(); len];
    }
    &mut buffer[..len]
}
