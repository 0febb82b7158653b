//! The cells of a level, and the order of the edges between them.

use crate::level::grid::{Bitmap, Shape};
use crate::level::rng::Streams;

/// Cells along a side of a block: a row of a block is one word of the grid.
pub(crate) const SIDE: usize = 64;

/// The purposes of the random numbers.
pub(crate) const WEIGHTS: u8 = 0;
const TIES: u8 = 1;

/// The cells of a level and the random numbers that order their edges.
pub(crate) struct Field<'a> {
    pub(crate) streams: Streams,
    pub(crate) shape: Shape<'a>,
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) block_columns: usize,
}

impl<'a> Field<'a> {
    pub(crate) const fn new(streams: Streams, shape: Shape<'a>) -> Self {
        let Shape { columns, rows, .. } = shape;
        Self { streams, shape, columns, rows, block_columns: columns.div_ceil(SIDE) }
    }

    /// The number of the edge to the right of a cell, or below it.
    pub(crate) const fn edge(&self, column: usize, row: usize, down: bool) -> u32 {
        ((row * self.columns + column) << 1) as u32 | down as u32
    }

    /// Whether an edge is between two of the cells `inside`.
    pub(crate) fn is_inside(&self, inside: &Bitmap, edge: u32) -> bool {
        let (cell, down) = (edge as usize >> 1, edge as usize & 1);
        let (column, row) = (cell % self.columns, cell / self.columns);
        inside.get(column, row) && inside.get(column + 1 - down, row + down)
    }

    /// The tie-break of an edge among edges of equal weight: 64 random bits, then the number of the edge, so that no
    /// two edges are equal.
    pub(crate) fn tie(&self, edge: u32) -> (u64, u32) {
        (self.streams.word(TIES, edge.into()), edge)
    }
}
