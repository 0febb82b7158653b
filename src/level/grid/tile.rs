//! Tiles, directions and the size of a level.

use serde::{Serialize, Serializer};

/// The sides of a level in tiles, walls included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Size {
    /// Tiles in all.
    pub const fn area(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Columns and rows of cells of a maze of this size; both sides must be odd.
    pub const fn cells(self) -> (usize, usize) {
        (self.width as usize / 2, self.height as usize / 2)
    }

    /// Whether `tile` is a tile of the level, its border included.
    pub const fn contains(self, tile: Tile) -> bool {
        tile.x < self.width && tile.y < self.height
    }
}

/// One square of the grid: `x` counts columns to the right, `y` rows down, both from 0. Written as `[x, y]`.
///
/// ```
/// use mazed::level::grid::{Direction, Tile};
///
/// let tile = Tile { x: 1, y: 1 };
/// assert_eq!(tile.step(Direction::Right).step(Direction::Down), Tile { x: 2, y: 2 });
/// // in a maze the cells are on the tiles with odd x and odd y
/// assert_eq!(Tile { x: 3, y: 1 }.cell(), Some((1, 0)));
/// assert_eq!(Tile { x: 2, y: 1 }.cell(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
}

impl Tile {
    /// The neighbour in a direction. Wraps at the limits of `u32`, so the step must stay inside the level.
    pub const fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.offset();
        Self { x: self.x.wrapping_add_signed(dx), y: self.y.wrapping_add_signed(dy) }
    }

    /// The Manhattan distance to another tile: the columns and rows between them.
    pub const fn distance(self, other: Self) -> u64 {
        self.x.abs_diff(other.x) as u64 + self.y.abs_diff(other.y) as u64
    }

    /// Column and row of the cell on this tile of a maze, if there is one.
    pub const fn cell(self) -> Option<(usize, usize)> {
        if self.x % 2 == 1 && self.y % 2 == 1 { Some((self.x as usize / 2, self.y as usize / 2)) } else { None }
    }
}

impl Serialize for Tile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.x, self.y).serialize(serializer)
    }
}

/// One of the four directions, clockwise from up.
///
/// ```
/// use mazed::level::grid::Direction;
///
/// assert_eq!(Direction::Up.to_the_right(), Direction::Right);
/// assert_eq!(Direction::Up.back(), Direction::Down);
/// assert_eq!(Direction::ALL.map(|direction| char::from(direction.letter())), ['U', 'R', 'D', 'L']);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Direction {
    /// Towards row 0.
    Up = 0,
    /// Towards the last column.
    Right = 1,
    /// Towards the last row.
    Down = 2,
    /// Towards column 0.
    Left = 3,
}

impl Direction {
    /// All four, in clockwise order; the index of each is its number.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// The direction of this number; only its lowest two bits count.
    pub const fn from_bits(bits: u8) -> Self {
        Self::ALL[(bits & 3) as usize]
    }

    /// A quarter turn clockwise.
    pub const fn to_the_right(self) -> Self {
        Self::from_bits(self as u8 + 1)
    }

    /// A quarter turn anticlockwise.
    pub const fn to_the_left(self) -> Self {
        Self::from_bits(self as u8 + 3)
    }

    /// The opposite direction.
    pub const fn back(self) -> Self {
        Self::from_bits(self as u8 + 2)
    }

    /// The change of `(x, y)` that one step makes.
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Self::Up => (0, -1),
            Self::Right => (1, 0),
            Self::Down => (0, 1),
            Self::Left => (-1, 0),
        }
    }

    /// `U`, `R`, `D` or `L`.
    pub const fn letter(self) -> u8 {
        match self {
            Self::Up => b'U',
            Self::Right => b'R',
            Self::Down => b'D',
            Self::Left => b'L',
        }
    }
}
