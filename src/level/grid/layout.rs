//! What an algorithm makes: which tiles are open, and what else it knows about them.

use crate::level::grid::packed::{Grid, OpenTiles};
use crate::level::grid::parents::Parents;
use crate::level::grid::passages::Passages;
use crate::level::grid::tile::{Direction, Tile};

/// The open tiles of a level with its rooms and doors, before start and exit are chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Which tiles are open.
    pub grid: Grid,
    /// The parents of the cells of a perfect maze, if the algorithm has them at hand.
    pub parents: Option<Parents>,
    /// Rooms and doors, of room maps only.
    pub plan: Option<Plan>,
}

/// Rooms and the doors between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Rooms, in the row-major order of their first tiles.
    pub rooms: Vec<Room>,
    /// Doors.
    pub doors: Vec<Door>,
}

/// One room, a connected set of tiles: its bounding box and the number of its open tiles. Without a mask the room fills
/// the box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Leftmost column.
    pub x: u32,
    /// Topmost row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Open tiles.
    pub area: u64,
}

/// An opening between two rooms: a straight run of tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Door {
    /// The topmost or leftmost tile.
    pub first: Tile,
    /// The direction from the first tile to the others: [`Direction::Right`] or [`Direction::Down`].
    pub along: Direction,
    /// The number of tiles.
    pub length: u32,
    /// The numbers of the two rooms that it joins, the smaller one first.
    pub rooms: [u32; 2],
}

impl Door {
    /// The tiles of the door, from the first one on.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        std::iter::successors(Some(self.first), |tile| Some(tile.step(self.along))).take(self.length as usize)
    }
}

impl Layout {
    /// A maze without parents.
    pub const fn maze(passages: Passages) -> Self {
        Self { grid: Grid::new(OpenTiles::Maze(passages)), parents: None, plan: None }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let plan = self
            .plan
            .as_ref()
            .map_or(0, |plan| plan.rooms.capacity() * size_of::<Room>() + plan.doors.capacity() * size_of::<Door>());
        self.grid.bytes() + self.parents.as_ref().map_or(0, Parents::bytes) + plan
    }
}
