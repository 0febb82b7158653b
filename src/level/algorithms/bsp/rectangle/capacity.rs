//! How many rooms fit into a rectangle, and how long a side must be for a number of rooms.
//!
//! There are two ways to find out. A formula for rooms of one shape in columns and rows takes no time and works for
//! every size. If it finds too few, a table of all possible cuts is exact for small rectangles; a larger rectangle
//! holds at least as many rooms as the largest one of the table that fits into it.

use std::ops::RangeInclusive;

/// A rectangle, and what each room in it must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RectangleDemand {
    /// Columns and rows of the rectangle.
    pub(crate) inside: [u32; 2],
    /// Least tiles of a room.
    pub(crate) area: u64,
    /// Least length of each side of a room.
    pub(crate) side: u64,
}

/// A minimal shape of a room: with either side one tile shorter it would be too small.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoomShape {
    /// Length along the axis in question. Both axes have the same shapes, since each shape can be turned.
    along: u64,
    /// Length across it.
    across: u64,
}

/// The longest side of a rectangle in the table: the time to fill it grows with the third power.
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

    /// The largest number of rooms of one shape in columns and rows. Each room needs one column and one row of wall
    /// behind it; one of each is added to the rectangle, because its last column and row need none.
    fn most_in_grid(self) -> u64 {
        let [width, height] = self.inside.map(|side| u64::from(side) + 1);
        let counts = self.shapes().into_iter().map(|shape| width / (shape.along + 1) * (height / (shape.across + 1)));
        counts.max().unwrap_or(0)
    }

    /// All minimal shapes that may fit, the narrowest first.
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

/// The largest number of a range for which `holds` is true, found by bisection: it must be true up to some number and
/// false beyond.
pub(crate) fn last(range: RangeInclusive<u64>, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = range.into_inner();
    let mut found = None;
    while low <= high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            found = Some(middle);
            low = middle + 1;
        } else if middle == 0 {
            break;
        } else {
            high = middle - 1;
        }
    }
    found
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
    /// A capacity by which so many rooms are possible; `None` if they are not.
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

    /// The capacity for rooms that are not corridors: no side is shorter than half the side of a square room.
    pub(crate) fn roomy(demand: RectangleDemand) -> Self {
        let side = demand.area.isqrt().div_ceil(2).max(demand.side);
        Self::Grid(RectangleDemand { side, ..demand }.shapes())
    }

    /// The least length of a part that is `across` wide and can hold so many rooms; `None` if no length is enough, or
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

/// The largest number of rooms that cuts can make of each small rectangle. It is larger than that of the formula where
/// shapes can be mixed.
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

/// The largest number of rooms on both sides of a cut of `length`, given the largest number for each shorter length.
fn best_cut(row: &[u16], length: usize) -> u16 {
    let sides = &row[..length];
    let half = &sides[..length.div_ceil(2)];
    // never wraps, for the table has fewer tiles than a `u16` has values; without a check the loop is vectorised
    half.iter().zip(sides.iter().rev()).fold(0, |most, (a, b)| most.max(a.wrapping_add(*b)))
}

#[cfg(test)]
mod tests;
