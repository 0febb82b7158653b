//! A byte for each cell and a border around them, for algorithms that walk from cell to cell.
//!
//! The border spares every step the question whether it leaves the grid. What the bytes mean is the algorithm's affair,
//! but for one thing: at the end each cell holds the direction of its parent in the bits from [`SHIFT`] on.

use super::super::grid::Bits;
use super::super::layout::Layout;

/// The lower of the two bits of a direction.
pub(super) const SHIFT: u32 = 4;

/// The cells of a grid, row by row. One byte of border between two rows stands for the end of one and the beginning of
/// the next.
pub(super) struct Cells<'a> {
    pub(super) bytes: &'a mut [u8],
    stride: usize,
    columns: usize,
    rows: usize,
}

impl<'a> Cells<'a> {
    /// Fills `buffer` with `inside` for each cell and `border` around them.
    pub(super) fn fill(buffer: &'a mut Vec<u8>, (columns, rows): (usize, usize), inside: u8, border: u8) -> Self {
        let stride = columns + 1;
        let len = stride * (rows + 2) + 1;
        if buffer.len() < len {
            buffer.resize(len, 0);
        }
        let bytes = &mut buffer[..len];
        bytes[..=stride].fill(border);
        for row in bytes[stride + 1..].chunks_exact_mut(stride).take(rows) {
            row[..columns].fill(inside);
            row[columns] = border;
        }
        bytes[stride * (rows + 1)..].fill(border);
        Self { bytes, stride, columns, rows }
    }

    /// The index of the first cell.
    pub(super) const fn first(&self) -> usize {
        self.stride + 1
    }

    /// What to add, wrapping, to a cell's index for the next cell in each direction.
    pub(super) const fn steps(&self) -> [usize; 4] {
        [self.stride.wrapping_neg(), 1, self.stride, usize::MAX]
    }

    /// Cells in all.
    pub(super) const fn count(&self) -> usize {
        self.columns * self.rows
    }

    /// The maze in which each cell but the first is joined to the next in its direction; the first one's must be up.
    pub(super) fn tree(&self) -> Layout {
        let (mut low, mut high) = (Bits::new(self.columns, self.rows), Bits::new(self.columns, self.rows));
        let rows = self.bytes[self.first()..].chunks_exact(self.stride).take(self.rows);
        for (y, row) in rows.enumerate() {
            let planes = low.row_mut(y).iter_mut().zip(high.row_mut(y));
            for ((low, high), cells) in planes.zip(row[..self.columns].chunks(64)) {
                for (i, eight) in cells.chunks(8).enumerate() {
                    let mut bytes = [0; 8];
                    bytes[..eight.len()].copy_from_slice(eight);
                    let eight = u64::from_le_bytes(bytes) >> SHIFT;
                    *low |= gather(eight) << (8 * i);
                    *high |= gather(eight >> 1) << (8 * i);
                }
            }
        }
        Layout::tree(low, high)
    }
}

/// The lowest bit of each byte, as eight bits.
const fn gather(bytes: u64) -> u64 {
    (bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
