//! Buffers that outlive the job that filled them.

use crate::level::grid::Layout;
use crate::level::work::bitmap_pool::BitmapPool;

/// Memory that a worker uses for one job after the other. What the buffers contain between two jobs has no meaning.
///
/// Touching fresh memory for the first time often costs more than the work done in it, so a worker hands the same
/// buffers to all of its jobs. [`JobContext`](crate::level::work::JobContext) has an example.
#[derive(Debug, Default)]
pub struct Buffers {
    /// A byte for each tile or cell: the map that a search or an algorithm marks.
    pub tile_map: Vec<u8>,
    /// A byte for each step of a walk.
    pub(crate) trail: Vec<u8>,
    /// Tile or cell numbers: a stack, a queue, a disjoint set.
    pub indices: Vec<u32>,
    /// Steps to each tile.
    pub(crate) steps: Vec<i32>,
    /// Edges between cells that wait for a decision.
    pub(crate) candidates: Vec<PendingEdge>,
    /// Bitmaps of levels that were dropped.
    pub(crate) bitmaps: BitmapPool,
}

/// An edge between two cells of a maze that is not decided yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PendingEdge {
    /// The rank of the edge in the order of decisions. The algorithm breaks ties by other means.
    pub(crate) order: u32,
    /// The number of the edge in the level.
    pub(crate) edge: u32,
    /// The numbers of the two sets of cells that the edge would join.
    pub(crate) endpoints: [u32; 2],
}

impl Buffers {
    /// Bytes that the buffers hold.
    pub fn bytes(&self) -> usize {
        self.tile_map.capacity()
            + self.trail.capacity()
            + self.indices.capacity() * size_of::<u32>()
            + self.steps.capacity() * size_of::<i32>()
            + self.candidates.capacity() * size_of::<PendingEdge>()
            + self.bitmaps.bytes()
    }

    /// Takes over the memory of a layout that is no longer needed.
    pub fn recycle(&mut self, layout: Layout) {
        self.bitmaps.give_all(layout);
    }
}

/// The first `len` items of a buffer, with arbitrary content. A shorter buffer is replaced by one of this length.
pub(crate) fn recycled<T: Copy + Default>(buffer: &mut Vec<T>, len: usize) -> &mut [T] {
    if buffer.len() < len {
        // the short buffer is freed before the long one is made; zeroed memory costs nothing until it is touched
        *buffer = Vec::new();
        *buffer = vec![T::default(); len];
    }
    &mut buffer[..len]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::grid::{Bitmap, Grid, OpenTiles, Parents, Passages, Tree};

    #[test]
    fn all_bitmaps_of_a_recycled_layout_are_used_again() {
        let mut buffers = Buffers::default();
        let (columns, rows) = (100, 70);
        let passages = Passages::new((columns, rows));
        let directions = Bitmap::new(2 * columns, rows);
        let memory = |bitmap: &Bitmap| bitmap.words().as_ptr();
        let cells = [memory(&passages.east), memory(&passages.south)];
        let tree = memory(&directions);
        let parents = Some(Parents::Stored(Tree { root: (0, 0), directions, path: None }));
        buffers.recycle(Layout { grid: Grid::new(OpenTiles::Maze(passages)), parents, plan: None });
        assert_eq!(buffers.bytes(), 2 * 2 * rows * 8 + 4 * rows * 8);
        assert_eq!(memory(&buffers.bitmaps.take(2 * columns, rows)), tree);
        let again = buffers.bitmaps.passages((columns, rows));
        assert!(cells.contains(&memory(&again.east)) && cells.contains(&memory(&again.south)));
        assert_eq!(buffers.bytes(), 0);

        let open = Bitmap::new(columns, rows);
        let tiles = memory(&open);
        buffers.recycle(Layout { grid: Grid::new(OpenTiles::Rooms(open)), parents: None, plan: None });
        assert_eq!(memory(&buffers.bitmaps.take(columns, rows)), tiles);
    }

    #[test]
    fn a_buffer_that_is_long_enough_is_used_again_as_it_is() {
        let mut buffer = vec![1_u8; 100];
        let memory = buffer.as_ptr();
        assert_eq!(recycled(&mut buffer, 40), [1; 40]);
        assert_eq!(buffer.as_ptr(), memory);
        assert_eq!(recycled(&mut buffer, 101), [0; 101]);
    }

    #[test]
    fn the_bytes_of_all_buffers_are_counted() {
        let buffers = Buffers {
            tile_map: Vec::with_capacity(1),
            trail: Vec::with_capacity(10),
            indices: Vec::with_capacity(100),
            steps: Vec::with_capacity(1_000),
            candidates: Vec::with_capacity(10_000),
            bitmaps: BitmapPool::default(),
        };
        assert_eq!(buffers.bytes(), 1 + 10 + 400 + 4_000 + 160_000);
    }
}
