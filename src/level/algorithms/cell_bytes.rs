//! A byte for each cell and a border around them, for algorithms that walk from cell to cell.
//!
//! Thanks to the border no step has to check whether it leaves the grid. Each algorithm decides what the bytes mean
//! while it runs. When it ends, the two bits from [`SHIFT`] on must be the direction from each cell to its parent, for
//! [`CellBytes::tree`].

use crate::level::grid::{Bitmap, Grid, Layout, OpenTiles, Parents, Passages, Shape, StoredPath, Tree, spread};
use crate::level::work::{BitmapPool, Cancel, Cancelled};

/// The lower one of the two bits that hold a direction.
pub(crate) const SHIFT: u32 = 4;

/// The bytes of the cells of a grid, row by row. Between two rows there is one byte of border: it is to the right of
/// the upper row's last cell and to the left of the lower row's first cell. A cell outside a mask has the byte of the
/// border.
pub(crate) struct CellBytes<'a> {
    pub(crate) bytes: &'a mut [u8],
    shape: Shape<'a>,
    stride: usize,
    first: usize,
    count: usize,
}

impl<'a> CellBytes<'a> {
    /// Fills `buffer` with `inside` for each cell of `shape` and `border` around them.
    pub(crate) fn fill(buffer: &'a mut Vec<u8>, shape: Shape<'a>, inside: u8, border: u8) -> Self {
        let Shape { columns, rows, .. } = shape;
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
        let mut first = stride + 1;
        if let Some(cells) = shape.inside {
            let outside = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))).filter(|(x, y)| !cells.get(*x, *y));
            outside.for_each(|(x, y)| bytes[stride * (y + 1) + 1 + x] = border);
            first += bytes[first..].iter().position(|byte| *byte == inside).unwrap_or(0);
        }
        Self { bytes, shape, stride, first, count: shape.count() }
    }

    /// The index of the first cell.
    pub(crate) const fn first(&self) -> usize {
        self.first
    }

    /// The index of the cell at this column and row.
    pub(crate) const fn index(&self, (column, row): (usize, usize)) -> usize {
        self.stride * (row + 1) + 1 + column
    }

    /// The index of the cell in the middle of the rectangle. If it is outside the mask: of the next cell inside, in
    /// row-major order, or of the first cell if no cell inside follows.
    pub(crate) fn middle(&self) -> usize {
        let (border, middle) = (self.bytes[0], self.index((self.shape.columns / 2, self.shape.rows / 2)));
        self.bytes[middle..].iter().position(|byte| *byte != border).map_or(self.first, |offset| middle + offset)
    }

    /// The column and row of the cell at this index.
    const fn position(&self, index: usize) -> (usize, usize) {
        ((index - 1) % self.stride, (index - 1) / self.stride - 1)
    }

    /// For each direction the number to add to an index, with wrapping, to get the index of the neighbour.
    pub(crate) const fn steps(&self) -> [usize; 4] {
        [self.stride.wrapping_neg(), 1, self.stride, usize::MAX]
    }

    /// The number of cells.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// The distances in steps from one cell to all others, found by breadth-first search: their sum and their maximum.
    /// `visited` and `queue` are working memory.
    pub(crate) fn steps_from(
        &self,
        index: usize,
        visited: &mut Vec<u8>,
        queue: &mut Vec<u32>,
        cancel: Cancel,
    ) -> Result<(u64, u64), Cancelled> {
        let border = self.bytes[0];
        visited.clear();
        visited.extend(self.bytes.iter().map(|byte| u8::from(*byte == border)));
        visited[index] = 1;
        queue.clear();
        queue.push(index as u32);
        let (mut sum, mut most, mut begin) = (0, 0, 0);
        for steps in 0_u64.. {
            let end = queue.len();
            if begin == end {
                break;
            }
            cancel.check()?;
            (sum, most) = (sum + steps * (end - begin) as u64, steps);
            for i in begin..end {
                for step in self.steps() {
                    let next = (queue[i] as usize).wrapping_add(step);
                    if std::mem::replace(&mut visited[next], 1) == 0 {
                        queue.push(next as u32);
                    }
                }
            }
            begin = end;
        }
        Ok((sum, most))
    }

    /// The maze in which each cell is joined to its parent. Only the first cell has no parent; its direction must be
    /// up.
    pub(crate) fn tree(&self, bitmaps: &mut BitmapPool, path: Option<StoredPath>) -> Layout {
        let Shape { columns, rows, inside } = self.shape;
        let mut directions = bitmaps.take(2 * columns, rows);
        let mut passages = bitmaps.passages((columns, rows));
        let (mask, stride) = (passages.east.last_word_mask(), passages.east.row(0).len());
        let (east, south) = (passages.east.words_mut(), passages.south.words_mut());
        let bytes = self.bytes[self.index((0, 0))..].chunks_exact(self.stride).take(rows);
        for (y, row) in bytes.enumerate() {
            let pairs = directions.row_mut(y).chunks_mut(2);
            for ((pair, cells), x) in pairs.zip(row[..columns].chunks(64)).zip(0..) {
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
        if let Some(inside) = inside {
            shut_outside(&mut passages, inside);
        }
        let parents = Parents::Stored(Tree { root: self.position(self.first), directions, path });
        Layout { grid: Grid::new(OpenTiles::Maze(passages)), parents: Some(parents), plan: None }
    }
}

/// Shuts all passages except those between two cells inside the mask. [`CellBytes::tree`] opens a passage for every
/// byte, also for those of the root and of cells outside, which have no parent.
fn shut_outside(passages: &mut Passages, inside: &Bitmap) {
    for y in 0..inside.height() {
        let row = inside.row(y);
        let next = |i: usize| row.get(i + 1).copied().unwrap_or(0);
        for (i, east) in passages.east.row_mut(y).iter_mut().enumerate() {
            *east &= row[i] & (row[i] >> 1 | next(i) << 63);
        }
        for (i, south) in passages.south.row_mut(y).iter_mut().enumerate() {
            *south &= row[i] & if y + 1 < inside.height() { inside.row(y + 1)[i] } else { 0 };
        }
    }
}

/// Two words for up to 64 cells: the lower bits of their directions, and the higher bits.
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
