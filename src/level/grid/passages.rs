//! The passages between the cells of a maze.

use crate::level::grid::bitmap::Bitmap;
use crate::level::grid::tile::Direction;

/// The open passages of a maze: for each cell whether it is joined to the cell to its right and to the cell below it.
/// The last column has no passage to the right, the last row none downwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passages {
    /// Open to the right.
    pub east: Bitmap,
    /// Open downwards.
    pub south: Bitmap,
}

impl Passages {
    /// A grid of cells with all passages closed.
    pub fn new((columns, rows): (usize, usize)) -> Self {
        Self { east: Bitmap::new(columns, rows), south: Bitmap::new(columns, rows) }
    }

    /// The neighbour of a cell, if the grid has one.
    pub const fn neighbour(&self, (column, row): (usize, usize), direction: Direction) -> Option<(usize, usize)> {
        let (dx, dy) = direction.offset();
        let (column, row) = (column.wrapping_add_signed(dx as isize), row.wrapping_add_signed(dy as isize));
        if column < self.east.width() && row < self.east.height() { Some((column, row)) } else { None }
    }

    /// Whether the passage from a cell to its neighbour is open.
    pub fn is_open(&self, (column, row): (usize, usize), direction: Direction) -> bool {
        match direction {
            Direction::Up => row > 0 && self.south.get(column, row - 1),
            Direction::Right => self.east.get(column, row),
            Direction::Down => self.south.get(column, row),
            Direction::Left => column > 0 && self.east.get(column - 1, row),
        }
    }

    /// Opens the passage from a cell to its neighbour, which the grid must have.
    pub fn open(&mut self, (column, row): (usize, usize), direction: Direction) {
        match direction {
            Direction::Up => self.south.set(column, row - 1),
            Direction::Right => self.east.set(column, row),
            Direction::Down => self.south.set(column, row),
            Direction::Left => self.east.set(column - 1, row),
        }
    }

    /// How many passages of a cell are open.
    pub fn degree(&self, cell: (usize, usize)) -> usize {
        Direction::ALL.into_iter().filter(|direction| self.is_open(cell, *direction)).count()
    }
}
