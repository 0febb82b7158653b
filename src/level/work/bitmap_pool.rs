//! A pool of bitmaps: the memory of levels that were dropped, for the next levels.
//!
//! The first write to fresh memory takes five times as long as `binary_tree` takes to make a maze there.

use crate::level::grid::{Bitmap, Grid, Layout, OpenTiles, Parents, Passages};

/// The words of a few bitmaps, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct BitmapPool(Vec<Vec<u64>>);

/// Bitmaps that the pool holds at most: those of two or three mazes.
const CAPACITY: usize = 8;

impl BitmapPool {
    /// Takes a bitmap from the pool if one fits, otherwise makes one. Its bits are arbitrary: the caller must write
    /// every word.
    pub(crate) fn take(&mut self, width: usize, height: usize) -> Bitmap {
        let words = Bitmap::words_of(width, height);
        // a much larger one does not fit: a small level that lives long would hold all of that memory
        let fits = |spare: &Vec<u64>| (words..=2 * words).contains(&spare.capacity());
        match self.0.iter().rposition(fits) {
            Some(spare) => Bitmap::over(self.0.remove(spare), width, height),
            None => Bitmap::new(width, height),
        }
    }

    /// Passages between this many columns and rows of cells. The bits are arbitrary, as with [`BitmapPool::take`].
    pub(crate) fn passages(&mut self, (columns, rows): (usize, usize)) -> Passages {
        Passages { east: self.take(columns, rows), south: self.take(columns, rows) }
    }

    /// Takes a bitmap back. If the pool is full, it drops the oldest.
    pub(crate) fn give(&mut self, bitmap: Bitmap) {
        if self.0.len() == CAPACITY {
            self.0.remove(0);
        }
        self.0.push(bitmap.into_words());
    }

    /// Takes the bitmaps of a grid back.
    pub(crate) fn give_grid(&mut self, grid: Grid) {
        match grid.open_tiles {
            OpenTiles::Maze(Passages { east, south }) => [east, south].into_iter().for_each(|bitmap| self.give(bitmap)),
            OpenTiles::Rooms(open) => self.give(open),
        }
    }

    /// Takes all bitmaps of a layout back.
    pub(crate) fn give_all(&mut self, layout: Layout) {
        self.give_grid(layout.grid);
        if let Some(Parents::Stored(tree)) = layout.parents {
            self.give(tree.directions);
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|words| words.capacity() * size_of::<u64>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bitmap_is_used_again_if_it_is_not_much_too_large() {
        let mut pool = BitmapPool::default();
        let mut bitmap = pool.take(640, 10);
        bitmap.set_run(0, 0, 640);
        pool.give(bitmap);
        assert_eq!((pool.take(640, 11).bytes(), pool.take(640, 4).bytes()), (880, 320), "too small, much too large");
        assert_eq!(pool.bytes(), 800, "still there");
        assert_eq!(pool.take(320, 10).bytes(), 800);
        assert_eq!(pool.bytes(), 0);
    }

    #[test]
    fn a_full_pool_drops_the_oldest() {
        let mut pool = BitmapPool::default();
        for height in 1..=100 {
            pool.give(Bitmap::new(64, height));
        }
        assert_eq!(pool.bytes(), (93..=100).sum::<usize>() * 8);
    }
}
