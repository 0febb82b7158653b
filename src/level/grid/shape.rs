//! The cells of a maze.

use crate::level::grid::bitmap::Bitmap;
use crate::level::grid::mask::Mask;

/// The cells that a maze is to join: all cells of a rectangle, or those inside a mask.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'a> {
    /// Columns of cells.
    pub columns: usize,
    /// Rows of cells.
    pub rows: usize,
    /// A one for each cell inside, unless all cells are.
    pub inside: Option<&'a Bitmap>,
}

impl<'a> Shape<'a> {
    /// All cells of a rectangle.
    pub const fn rectangle((columns, rows): (usize, usize)) -> Self {
        Self { columns, rows, inside: None }
    }

    /// The cells inside the mask of a maze.
    pub const fn masked(mask: &'a Mask) -> Self {
        let cells = mask.positions();
        Self { columns: cells.width(), rows: cells.height(), inside: Some(cells) }
    }

    /// The number of cells that the maze joins.
    pub fn count(self) -> usize {
        self.inside.map_or(self.columns * self.rows, |cells| cells.count() as usize)
    }

    /// Whether the maze joins this cell of the rectangle.
    pub fn contains(self, column: usize, row: usize) -> bool {
        self.inside.is_none_or(|cells| cells.get(column, row))
    }
}
