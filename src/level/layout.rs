//! What an algorithm makes: which tiles are open, and what it knows about them beyond that.

use super::grid::{Bits, Direction, Grid, Passages, Tile};

/// The open tiles of a level with its rooms and doors, before start and exit are placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Which tiles are open.
    pub grid: Grid,
    /// Which way leads to the root of a perfect maze, where the algorithm knows it.
    pub parents: Option<Parents>,
    /// Rooms and doors, of room maps only.
    pub plan: Option<Plan>,
}

/// Rooms and the doors between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Rooms, in the row order of their top left corners.
    pub rooms: Vec<Room>,
    /// Doors.
    pub doors: Vec<Door>,
}

/// One room: its bounding box in tiles and its open tiles.
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
    /// Its first tile, the topmost or leftmost.
    pub first: Tile,
    /// [`Direction::Right`] or [`Direction::Down`]: where its other tiles lie.
    pub along: Direction,
    /// Tiles.
    pub length: u32,
    /// The numbers of the two rooms that it joins, the smaller one first.
    pub rooms: [u32; 2],
}

impl Door {
    /// Its tiles, from the first on.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        std::iter::successors(Some(self.first), |tile| Some(tile.step(self.along))).take(self.length as usize)
    }
}

/// For each cell of a perfect maze the direction of the next cell on the way to one of them, the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parents {
    /// Two bits each.
    Stored {
        /// The lower bit of the direction's number.
        low: Bits,
        /// The higher bit.
        high: Bits,
        /// Column and row of the root, whose own direction means nothing.
        root: (usize, usize),
    },
    /// To the right where the passage there is open, else downwards; the root is the last cell.
    RightElseDown,
}

impl Parents {
    /// Column and row of the root.
    pub const fn root(&self, passages: &Passages) -> (usize, usize) {
        match self {
            Self::Stored { root, .. } => *root,
            Self::RightElseDown => (passages.east.width() - 1, passages.east.height() - 1),
        }
    }

    /// The way on from a cell that is not the root.
    pub fn direction(&self, passages: &Passages, column: usize, row: usize) -> Direction {
        match self {
            Self::Stored { low, high, .. } => {
                Direction::from_bits(u8::from(low.get(column, row)) | u8::from(high.get(column, row)) << 1)
            }
            Self::RightElseDown if passages.east.get(column, row) => Direction::Right,
            Self::RightElseDown => Direction::Down,
        }
    }

    /// Bytes on the heap.
    pub const fn bytes(&self) -> usize {
        match self {
            Self::Stored { low, high, .. } => low.bytes() + high.bytes(),
            Self::RightElseDown => 0,
        }
    }
}

/// The passages of the tree in which each cell but the first is joined to the next in its stored direction.
fn passages_of(low: &Bits, high: &Bits) -> Passages {
    let mut passages = Passages::new((low.width(), low.height()));
    let (mask, rows) = (low.last_word_mask(), low.height());
    for y in 0..rows {
        let (east, south) = (passages.east.row_mut(y), passages.south.row_mut(y));
        let (low_row, high_row) = (low.row(y), high.row(y));
        let last = east.len() - 1;
        for i in 0..=last {
            let left = |i: usize| low_row[i] & high_row[i];
            let from_right = left(i) >> 1 | if i < last { left(i + 1) << 63 } else { 0 };
            east[i] = low_row[i] & !high_row[i] | from_right;
            south[i] = !low_row[i] & high_row[i];
        }
        if y + 1 < rows {
            for (i, (low, high)) in low.row(y + 1).iter().zip(high.row(y + 1)).enumerate() {
                south[i] |= !low & !high & if i < last { u64::MAX } else { mask };
            }
        }
    }
    passages
}

impl Layout {
    /// A maze without more knowledge than its passages.
    pub const fn maze(passages: Passages) -> Self {
        Self { grid: Grid::Maze(passages), parents: None, plan: None }
    }

    /// A perfect maze that is known by the parents of its cells, where the root is the first cell and its direction up.
    pub fn tree(low: Bits, high: Bits) -> Self {
        let grid = Grid::Maze(passages_of(&low, &high));
        Self { grid, parents: Some(Parents::Stored { low, high, root: (0, 0) }), plan: None }
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
