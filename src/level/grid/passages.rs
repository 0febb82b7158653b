//! The passages between the cells of a maze.

use crate::level::grid::bitmap::Bitmap;
use crate::level::grid::tile::Direction;

/// The open passages of a maze: for each cell whether the one to its right and the one below it are joined to it.
/// The last column has none to the right, the last row none below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passages {
    /// Open to the right.
    pub east: Bitmap,
    /// Open downwards.
    pub south: Bitmap,
}

impl Passages {
    /// A grid of cells, all shut.
    pub fn new((columns, rows): (usize, usize)) -> Self {
        Self { east: Bitmap::new(columns, rows), south: Bitmap::new(columns, rows) }
    }

    /// The cell next to one, if the grid has it.
    pub const fn neighbour(&self, (column, row): (usize, usize), way: Direction) -> Option<(usize, usize)> {
        let (dx, dy) = way.offset();
        let (column, row) = (column.wrapping_add_signed(dx as isize), row.wrapping_add_signed(dy as isize));
        if column < self.east.width() && row < self.east.height() { Some((column, row)) } else { None }
    }

    /// Whether the passage from a cell to the next is open.
    pub fn is_open(&self, (column, row): (usize, usize), way: Direction) -> bool {
        match way {
            Direction::Up => row > 0 && self.south.get(column, row - 1),
            Direction::Right => self.east.get(column, row),
            Direction::Down => self.south.get(column, row),
            Direction::Left => column > 0 && self.east.get(column - 1, row),
        }
    }

    /// Opens the passage from a cell to the next, which the grid must have.
    pub fn open(&mut self, (column, row): (usize, usize), way: Direction) {
        match way {
            Direction::Up => self.south.set(column, row - 1),
            Direction::Right => self.east.set(column, row),
            Direction::Down => self.south.set(column, row),
            Direction::Left => self.east.set(column - 1, row),
        }
    }

    /// How many passages of a cell are open.
    pub fn degree(&self, cell: (usize, usize)) -> usize {
        Direction::ALL.into_iter().filter(|way| self.is_open(cell, *way)).count()
    }
}
