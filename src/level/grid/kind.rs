//! The two kinds of levels.

use crate::level::grid::tile::{Size, Tile};

/// What a level is made of: where its places lie. What is open besides lies between two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelKind {
    /// The cells of a maze, on odd tiles.
    Maze,
    /// Every tile inside the border.
    Rooms,
}

impl LevelKind {
    /// Tiles from one place to the next.
    pub(crate) const fn spacing(self) -> u32 {
        match self {
            Self::Maze => 2,
            Self::Rooms => 1,
        }
    }

    /// Columns and rows of places.
    pub(crate) const fn places(self, size: Size) -> (usize, usize) {
        match self {
            Self::Maze => size.cells(),
            Self::Rooms => (size.width as usize - 2, size.height as usize - 2),
        }
    }

    /// The tile of a place.
    pub(crate) const fn tile(self, column: u32, row: u32) -> Tile {
        Tile { x: self.spacing() * column + 1, y: self.spacing() * row + 1 }
    }
}
