//! Planes that served before: the words of levels that nobody needs any more, for the next ones.
//!
//! To touch fresh memory costs five times what `binary_tree` does in it.

use super::grid::{Bits, Floor, Grid, Passages};
use super::layout::{Layout, Parents};

/// The words of a few planes, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Planes(Vec<Vec<u64>>);

/// Planes that are kept: those of two or three mazes.
const KEPT: usize = 8;

impl Planes {
    /// A plane over spare words where there are some, and then with whatever they hold: every word is still to be
    /// written.
    pub(super) fn take(&mut self, width: usize, height: usize) -> Bits {
        let words = Bits::words_of(width, height);
        // none that is much larger: a small level may be kept for long, and would hold all of it
        let fits = |spare: &Vec<u64>| (words..=2 * words).contains(&spare.capacity());
        match self.0.iter().rposition(fits) {
            Some(spare) => Bits::over(self.0.remove(spare), width, height),
            None => Bits::new(width, height),
        }
    }

    /// Passages between so many columns and rows of cells; every word is still to be written, as in [`Planes::take`].
    pub(super) fn passages(&mut self, (columns, rows): (usize, usize)) -> Passages {
        Passages { east: self.take(columns, rows), south: self.take(columns, rows) }
    }

    /// Takes a plane back.
    pub(super) fn give(&mut self, plane: Bits) {
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push(plane.into_words());
    }

    /// Takes the planes of a grid back.
    pub(super) fn give_grid(&mut self, grid: Grid) {
        match grid.floor {
            Floor::Maze(Passages { east, south }) => [east, south].into_iter().for_each(|plane| self.give(plane)),
            Floor::Rooms(open) => self.give(open),
        }
    }

    /// Takes all planes of a layout back.
    pub(super) fn give_all(&mut self, layout: Layout) {
        self.give_grid(layout.grid);
        if let Some(Parents::Stored(tree)) = layout.parents {
            self.give(tree.directions);
        }
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(|words| words.capacity() * size_of::<u64>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_serves_again_where_it_is_not_much_too_large() {
        let mut planes = Planes::default();
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
        let mut planes = Planes::default();
        for height in 1..=100 {
            planes.give(Bits::new(64, height));
        }
        assert_eq!(planes.bytes(), (93..=100).sum::<usize>() * 8);
    }
}
