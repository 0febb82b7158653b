//! Planes that served before: the words of levels that nobody needs any more, for the next ones.
//!
//! To touch fresh memory costs five times what `binary_tree` does in it.

use crate::level::grid::{Bitmap, Grid, Layout, OpenTiles, Parents, Passages};

/// The words of a few planes, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct BitmapPool(Vec<Vec<u64>>);

/// Planes that are kept: those of two or three mazes.
const KEPT: usize = 8;

impl BitmapPool {
    /// A plane over spare words where there are some, and then with whatever they hold: every word is still to be
    /// written.
    pub(crate) fn take(&mut self, width: usize, height: usize) -> Bitmap {
        let words = Bitmap::words_of(width, height);
        // none that is much larger: a small level may be kept for long, and would hold all of it
        let fits = |spare: &Vec<u64>| (words..=2 * words).contains(&spare.capacity());
        match self.0.iter().rposition(fits) {
            Some(spare) => Bitmap::over(self.0.remove(spare), width, height),
            None => Bitmap::new(width, height),
        }
    }

    /// Passages between so many columns and rows of cells; every word is still to be written, as in [`BitmapPool::take`].
    pub(crate) fn passages(&mut self, (columns, rows): (usize, usize)) -> Passages {
        Passages { east: self.take(columns, rows), south: self.take(columns, rows) }
    }

    /// Takes a plane back.
    pub(crate) fn give(&mut self, plane: Bitmap) {
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push(plane.into_words());
    }

    /// Takes the planes of a grid back.
    pub(crate) fn give_grid(&mut self, grid: Grid) {
        match grid.floor {
            OpenTiles::Maze(Passages { east, south }) => [east, south].into_iter().for_each(|plane| self.give(plane)),
            OpenTiles::Rooms(open) => self.give(open),
        }
    }

    /// Takes all planes of a layout back.
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
    fn a_plane_serves_again_where_it_is_not_much_too_large() {
        let mut planes = BitmapPool::default();
        let mut plane = planes.take(640, 10);
        plane.set_run(0, 0, 640);
        planes.give(plane);
        assert_eq!(
            (planes.take(640, 11).bytes(), planes.take(640, 4).bytes()),
            (880, 320),
            "too small, much too large"
        );
        assert_eq!(planes.bytes(), 800, "still there");
        assert_eq!(planes.take(320, 10).bytes(), 800);
        assert_eq!(planes.bytes(), 0);
    }

    #[test]
    fn only_a_few_are_kept() {
        let mut planes = BitmapPool::default();
        for height in 1..=100 {
            planes.give(Bitmap::new(64, height));
        }
        assert_eq!(planes.bytes(), (93..=100).sum::<usize>() * 8);
    }
}
