//! A byte for each cell and a border around them, for algorithms that walk from cell to cell.
//!
//! The border spares every step the question whether it leaves the grid. What the bytes mean is the algorithm's affair,
//! but for one thing: at the end each cell holds the direction of its parent in the bits from [`SHIFT`] on.

use super::super::grid::{Grid, spread};
use super::super::layout::{Layout, Parents, Tree, Way};
use super::super::planes::Planes;

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
    pub(super) fn tree(&self, planes: &mut Planes, way: Option<Way>) -> Layout {
        let mut directions = planes.take(2 * self.columns, self.rows);
        let mut passages = planes.passages((self.columns, self.rows));
        let (mask, stride) = (passages.east.last_word_mask(), passages.east.row(0).len());
        let (east, south) = (passages.east.words_mut(), passages.south.words_mut());
        let rows = self.bytes[self.first()..].chunks_exact(self.stride).take(self.rows);
        for (y, row) in rows.enumerate() {
            let pairs = directions.row_mut(y).chunks_mut(2);
            for ((pair, cells), x) in pairs.zip(row[..self.columns].chunks(64)).zip(0..) {
                let [low, high] = planes_of(cells);
                for (i, word) in pair.iter_mut().enumerate() {
                    *word = spread((low >> (32 * i)) as u32) | spread((high >> (32 * i)) as u32) << 1;
                }
                let i = y * stride + x;
                let (right, down, left) = (low & !high, high & !low, low & high);
                east[i] = right | left >> 1;
                south[i] = down;
                if x > 0 {
                    east[i - 1] |= left << 63;
                }
                if y > 0 {
                    south[i - stride] |= !low & !high & if x + 1 < stride { u64::MAX } else { mask };
                }
            }
        }
        let parents = Parents::Stored(Tree { directions, way });
        Layout { grid: Grid::Maze(passages), parents: Some(parents), plan: None }
    }
}

/// The lower and the higher bits of the directions of up to 64 cells.
fn planes_of(cells: &[u8]) -> [u64; 2] {
    let (mut low, mut high) = (0, 0);
    for (i, eight) in cells.chunks(8).enumerate() {
        let mut bytes = [0; 8];
        bytes[..eight.len()].copy_from_slice(eight);
        let eight = u64::from_le_bytes(bytes) >> SHIFT;
        low |= gather(eight) << (8 * i);
        high |= gather(eight >> 1) << (8 * i);
    }
    [low, high]
}

/// The lowest bit of each byte, as eight bits.
const fn gather(bytes: u64) -> u64 {
    (bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
