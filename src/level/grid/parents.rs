//! The parents of the cells of a perfect maze.

use crate::level::grid::bitmap::Bitmap;
use crate::level::grid::passages::Passages;
use crate::level::grid::tile::Direction;

/// For each cell of a perfect maze the direction of the next cell on the way to one of them, the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parents {
    /// Two bits each.
    Stored(Tree),
    /// To the right where the passage there is open, else downwards; the root is the last cell.
    RightElseDown,
    /// Upwards where the passage there is open, else along the run of joined cells in the row to the one cell that has
    /// it, and in the first row to the left; the root is the first cell.
    UpElseAlongRun,
}

/// Parents that were written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Column and row of the root.
    pub(crate) root: (usize, usize),
    /// The number of each cell's direction, in two columns of bits a cell, so that a step reads one word. The root's
    /// own is up.
    pub(crate) directions: Bitmap,
    /// The way to one cell, where the algorithm had it at hand.
    pub(crate) way: Option<StoredPath>,
}

/// The way from the root of a tree to one of its cells, two bits a step.
///
/// Depth-first search has it on its stack when it comes to the cell. To copy it there, at most a quarter of a byte a
/// cell, spares the solver a walk in which each step waits for the one before it: at 401 tiles a side, from corner to
/// corner, it has the path in 0.04 ns for each cell of the level instead of 0.9.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPath {
    /// Column and row of the cell.
    pub(crate) cell: (usize, usize),
    /// Steps from cell to cell.
    pub(crate) length: usize,
    /// The numbers of their directions, four to a byte, the first one lowest.
    pub(crate) packed: Vec<u8>,
}

impl Tree {
    /// Bytes on the heap of one over so many columns and rows of cells that knows no [`StoredPath`].
    pub(crate) const fn bytes_of((columns, rows): (usize, usize)) -> usize {
        Bitmap::words_of(2 * columns, rows) * size_of::<u64>()
    }
}

impl StoredPath {
    /// The way to a cell, from the numbers of its directions.
    pub(crate) fn pack(cell: (usize, usize), steps: &[u8]) -> Self {
        let four = |[a, b, c, d]: [u8; 4]| a & 3 | (b & 3) << 2 | (c & 3) << 4 | d << 6;
        let (whole, rest) = steps.as_chunks::<4>();
        let mut packed: Vec<_> = whole.iter().copied().map(four).collect();
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        packed.push(four(last));
        Self { cell, length: steps.len(), packed }
    }
}

impl Parents {
    /// Column and row of the root.
    pub const fn root(&self, passages: &Passages) -> (usize, usize) {
        match self {
            Self::Stored(tree) => tree.root,
            Self::UpElseAlongRun => (0, 0),
            Self::RightElseDown => (passages.east.width() - 1, passages.east.height() - 1),
        }
    }

    /// The way on from a cell that is not the root.
    pub fn direction(&self, passages: &Passages, column: usize, row: usize) -> Direction {
        match self {
            Self::Stored(tree) => {
                Direction::from_bits((tree.directions.row(row)[column / 32] >> (2 * (column % 32))) as u8)
            }
            Self::RightElseDown if passages.east.get(column, row) => Direction::Right,
            Self::RightElseDown => Direction::Down,
            Self::UpElseAlongRun => up_else_along_run(passages, column, row),
        }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Stored(tree) => tree.directions.bytes() + tree.way.as_ref().map_or(0, |way| way.packed.capacity()),
            Self::RightElseDown | Self::UpElseAlongRun => 0,
        }
    }
}

/// What [`Parents::UpElseAlongRun`] says of a cell. Of the columns from the cell on, either the one that opens upwards
/// comes first or the end of the run; then the opening is behind the cell.
fn up_else_along_run(passages: &Passages, column: usize, row: usize) -> Direction {
    let Some(above) = row.checked_sub(1) else { return Direction::Left };
    if passages.south.get(column, above) {
        return Direction::Up;
    }
    let mut ahead = u64::MAX << (column % 64);
    let words = passages.south.row(above).iter().zip(passages.east.row(row));
    for (openings, joins) in words.skip(column / 64) {
        let (opening, end) = (openings & ahead, !joins & ahead);
        if opening | end != 0 {
            return if opening.trailing_zeros() <= end.trailing_zeros() { Direction::Right } else { Direction::Left };
        }
        ahead = u64::MAX;
    }
    Direction::Left
}
