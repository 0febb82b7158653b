//! How many rooms fit into a rectangle, and how long a side must be for a number of rooms.
//!
//! A formula and a table find this out. The formula is for rooms of one shape in columns and rows: it takes no time and
//! works for every size. If it finds too few rooms, the table of all possible cuts has the exact number for small
//! rectangles. A larger rectangle holds at least as many rooms as the largest rectangle of the table that fits into it.

use crate::level::parameters::columns_and_rows::most_in_columns_and_rows;

/// A rectangle, and what each room in it must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RectangleDemand {
    /// Columns and rows of the rectangle.
    pub(crate) inside: [u32; 2],
    /// The least number of tiles of a room.
    pub(crate) area: u64,
    /// The least length of each side of a room.
    pub(crate) side: u64,
}

/// A minimal shape of a room: if either side were one tile shorter, it would be too small.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoomShape {
    /// Length along one axis. The same shapes serve for either axis, since each shape can be turned.
    along: u64,
    /// Length along the other axis.
    across: u64,
}

/// The longest side of a rectangle in the table. The time to fill the table grows with its third power.
const MAX_TABLE_SIDE: u32 = 128;

impl RectangleDemand {
    /// Tiles of the rectangle.
    pub(crate) fn tiles(self) -> u64 {
        self.inside.into_iter().map(u64::from).product()
    }

    /// Its longer side.
    fn longest(self) -> u32 {
        let [width, height] = self.inside;
        width.max(height)
    }

    /// The largest number of rooms for which [`Capacity::of`] finds a capacity.
    pub(crate) fn most(self) -> u64 {
        if self.area > self.tiles() { 0 } else { self.most_in_grid().max(Table::new(self).most(self.inside)) }
    }

    /// The largest number of rooms of one shape in columns and rows.
    fn most_in_grid(self) -> u64 {
        most_in_columns_and_rows(self.inside, self.area, self.side)
    }

    /// All minimal shapes that may fit, those with the least `along` first.
    fn shapes(self) -> Vec<RoomShape> {
        let longest = u64::from(self.longest());
        let mut shapes: Vec<RoomShape> = Vec::new();
        for along in self.side.max(self.area.div_ceil(longest))..=longest {
            let across = self.area.div_ceil(along).max(self.side);
            if across <= longest && shapes.last().is_none_or(|narrower| across < narrower.across) {
                shapes.push(RoomShape { along, across });
            }
            if across == self.side {
                break;
            }
        }
        shapes
    }
}

/// Knows for each part of the rectangle whether it can hold a number of rooms.
#[derive(Debug)]
pub(crate) enum Capacity {
    /// By the formula: rooms of one of these shapes in columns and rows.
    Grid(Vec<RoomShape>),
    /// By the formula or by the table.
    Table(Vec<RoomShape>, Table),
}

impl Capacity {
    /// A capacity that shows that `rooms` rooms are possible; `None` if they are not.
    pub(crate) fn of(demand: RectangleDemand, rooms: u64) -> Option<Self> {
        if demand.most_in_grid() >= rooms {
            return Some(Self::Grid(demand.shapes()));
        }
        if demand.area > demand.tiles() {
            return None;
        }
        let table = Table::new(demand);
        (table.most(demand.inside) >= rooms).then(|| Self::Table(demand.shapes(), table))
    }

    /// The capacity for rooms that are not corridors: none has a side shorter than half the side of a square room of
    /// the least area.
    pub(crate) fn roomy(demand: RectangleDemand) -> Self {
        let side = demand.area.isqrt().div_ceil(2).max(demand.side);
        Self::Grid(RectangleDemand { side, ..demand }.shapes())
    }

    /// The least length of a part that is `across` wide and can hold `rooms` rooms. `None` if no length is enough, or
    /// no length up to that of the rectangle.
    pub(crate) fn least_length(&self, across: u32, rooms: u32) -> Option<u64> {
        match self {
            Self::Grid(shapes) => least_length_in_grid(shapes, across, rooms),
            Self::Table(shapes, table) => {
                let lengths = [least_length_in_grid(shapes, across, rooms), table.least_length(across, rooms)];
                lengths.into_iter().flatten().min()
            }
        }
    }
}

/// The least length by the formula.
fn least_length_in_grid(shapes: &[RoomShape], across: u32, rooms: u32) -> Option<u64> {
    let lengths = shapes.iter().filter_map(|shape| {
        let abreast = (u64::from(across) + 1) / (shape.across + 1);
        (abreast > 0).then(|| u64::from(rooms).div_ceil(abreast) * (shape.along + 1) - 1)
    });
    lengths.min()
}

/// For each small rectangle the largest number of rooms that cuts can make of it. It is larger than the number by the
/// formula where rooms of different shapes fit better.
#[derive(Debug)]
pub(crate) struct Table {
    /// A row for each width from 0, with a count for each height from 0. A turned rectangle has the same count.
    counts: Vec<u16>,
    stride: usize,
}

impl Table {
    fn new(demand: RectangleDemand) -> Self {
        let longest = demand.longest().min(MAX_TABLE_SIDE) as usize;
        let stride = longest + 1;
        let mut table = Self { counts: vec![0; stride * stride], stride };
        for width in 1..=longest {
            for height in 1..=width {
                let room = height as u64 >= demand.side && (width * height) as u64 >= demand.area;
                let cut = best_cut(table.row(height), width).max(best_cut(table.row(width), height));
                let most = cut.max(u16::from(room));
                table.counts[width * stride + height] = most;
                table.counts[height * stride + width] = most;
            }
        }
        table
    }

    fn row(&self, across: usize) -> &[u16] {
        &self.counts[across * self.stride..][..self.stride]
    }

    /// The count of a rectangle; of a larger one, the count of the largest rectangle of the table within it.
    fn most(&self, inside: [u32; 2]) -> u64 {
        let [width, height] = inside.map(|side| (side as usize).min(self.stride - 1));
        self.row(width)[height].into()
    }

    fn least_length(&self, across: u32, rooms: u32) -> Option<u64> {
        let row = self.row((across as usize).min(self.stride - 1));
        let length = row.partition_point(|&most| u32::from(most) < rooms);
        (length < row.len()).then_some(length as u64)
    }
}

/// The largest number of rooms on both sides of a cut together, for a rectangle of `length`. `row` has the largest
/// number for each shorter length.
fn best_cut(row: &[u16], length: usize) -> u16 {
    let sides = &row[..length];
    let half = &sides[..length.div_ceil(2)];
    // the sum never wraps, because the table has fewer tiles than a `u16` has values; without an overflow check the
    // compiler vectorises the loop
    half.iter().zip(sides.iter().rev()).fold(0, |most, (a, b)| most.max(a.wrapping_add(*b)))
}

#[cfg(test)]
mod tests;
