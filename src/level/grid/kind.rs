//! The two kinds of levels.

use crate::level::grid::tile::{Size, Tile};

/// What a level is made of, and where its *positions* lie: the tiles that an algorithm may open one by one. Any other
/// open tile lies between two positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelKind {
    /// A maze: its positions are its cells, on the tiles with odd x and odd y.
    Maze,
    /// A room map: its positions are all tiles inside the border.
    Rooms,
}

impl LevelKind {
    /// Tiles from one position to the next.
    pub(crate) const fn spacing(self) -> u32 {
        match self {
            Self::Maze => 2,
            Self::Rooms => 1,
        }
    }

    /// Columns and rows of positions.
    pub(crate) const fn positions(self, size: Size) -> (usize, usize) {
        match self {
            Self::Maze => size.cells(),
            Self::Rooms => (size.width as usize - 2, size.height as usize - 2),
        }
    }

    /// The tile of a position.
    pub(crate) const fn tile(self, column: u32, row: u32) -> Tile {
        Tile { x: self.spacing() * column + 1, y: self.spacing() * row + 1 }
    }
}
