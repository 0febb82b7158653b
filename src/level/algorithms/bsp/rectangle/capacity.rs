//! How many rooms fit into a rectangle, and how long a side must be to hold some of them.
//!
//! Two answers stand behind one question. In closed form rooms of one shape stand in columns and rows, which is at once
//! and for any size. Where that falls short, a table tries every cut and is exact for small rectangles; a large one
//! holds at least what the largest of the table within it does.

use std::ops::RangeInclusive;

/// A rectangle for rooms, and what each of them must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Demand {
    /// Columns and rows of the rectangle.
    pub(crate) inside: [u32; 2],
    /// Least tiles of a room.
    pub(crate) area: u64,
    /// Least length of each side of a room.
    pub(crate) side: u64,
}

/// A smallest shape that a room can have: one tile less on either side and it is no room any more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Length along the axis in question. The shapes are the same for both axes, since each can be turned.
    along: u64,
    /// Length across it.
    across: u64,
}

/// The longest side of a rectangle in the table, whose time grows with the third power.
const LONGEST_OF_TABLE: u32 = 128;

impl Demand {
    /// Tiles of the rectangle.
    pub(crate) fn tiles(self) -> u64 {
        self.inside.into_iter().map(u64::from).product()
    }

    /// Its longer side.
    fn longest(self) -> u32 {
        let [width, height] = self.inside;
        width.max(height)
    }

    /// The most rooms that [`Capacity::of`] finds room for.
    pub(crate) fn most(self) -> u64 {
        if self.area > self.tiles() { 0 } else { self.most_in_grid().max(Table::new(self).most(self.inside)) }
    }

    /// The most rooms of one shape that stand in columns and rows. Each takes a column and a row of wall with it, for
    /// which the rectangle has one of each to spare: its last room needs none.
    fn most_in_grid(self) -> u64 {
        let [width, height] = self.inside.map(|side| u64::from(side) + 1);
        let counts = self.shapes().into_iter().map(|shape| width / (shape.along + 1) * (height / (shape.across + 1)));
        counts.max().unwrap_or(0)
    }

    /// Every smallest shape that may fit, the narrowest first.
    fn shapes(self) -> Vec<Shape> {
        let longest = u64::from(self.longest());
        let mut shapes: Vec<Shape> = Vec::new();
        for along in self.side.max(self.area.div_ceil(longest))..=longest {
            let across = self.area.div_ceil(along).max(self.side);
            if across <= longest && shapes.last().is_none_or(|narrower| across < narrower.across) {
                shapes.push(Shape { along, across });
            }
            if across == self.side {
                break;
            }
        }
        shapes
    }
}

/// The largest number of a range for which `holds`, if it holds up to some number and for none beyond.
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

/// What tells, for any part of the rectangle, whether it holds a number of rooms.
#[derive(Debug)]
pub(crate) enum Capacity {
    /// Rooms of one of these shapes in columns and rows.
    Grid(Vec<Shape>),
    /// The same, or any rooms that cuts can make of a rectangle of the table.
    Table(Vec<Shape>, Table),
}

impl Capacity {
    /// What makes `rooms` rooms possible; `None` where nothing does.
    pub(crate) fn of(demand: Demand, rooms: u64) -> Option<Self> {
        if demand.most_in_grid() >= rooms {
            return Some(Self::Grid(demand.shapes()));
        }
        if demand.area > demand.tiles() {
            return None;
        }
        let table = Table::new(demand);
        (table.most(demand.inside) >= rooms).then(|| Self::Table(demand.shapes(), table))
    }

    /// The same for rooms that are no mere corridors: no side is shorter than half that of a square room.
    pub(crate) fn roomy(demand: Demand) -> Self {
        let side = demand.area.isqrt().div_ceil(2).max(demand.side);
        Self::Grid(Demand { side, ..demand }.shapes())
    }

    /// The least length of a part that is `across` wide and holds `rooms` rooms; `None` where no length is enough, or
    /// none that the rectangle has.
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

/// The least length for rooms of one shape in columns and rows.
fn least_length_in_grid(shapes: &[Shape], across: u32, rooms: u32) -> Option<u64> {
    let lengths = shapes.iter().filter_map(|shape| {
        let abreast = (u64::from(across) + 1) / (shape.across + 1);
        (abreast > 0).then(|| u64::from(rooms).div_ceil(abreast) * (shape.along + 1) - 1)
    });
    lengths.min()
}

/// The most rooms that any order of cuts makes of each rectangle up to a square. More than columns and rows of one
/// shape where shapes can be mixed.
#[derive(Debug)]
pub(crate) struct Table {
    /// A row for each width from 0, in it a count for each height from 0. A turned rectangle holds as many.
    counts: Vec<u16>,
    stride: usize,
}

impl Table {
    fn new(demand: Demand) -> Self {
        let longest = demand.longest().min(LONGEST_OF_TABLE) as usize;
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

    /// Of a rectangle beyond the table, the most that the part of it within the table holds.
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

/// The most rooms on both sides of any cut of `length`, given the most for each length that is shorter.
fn best_cut(row: &[u16], length: usize) -> u16 {
    let sides = &row[..length];
    let half = &sides[..length.div_ceil(2)];
    // never wraps, for the table has fewer tiles than a `u16` has values; without a check the loop is vectorised
    half.iter().zip(sides.iter().rev()).fold(0, |most, (a, b)| most.max(a.wrapping_add(*b)))
}

#[cfg(test)]
mod tests;
