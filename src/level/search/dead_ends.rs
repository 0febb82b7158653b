//! Fills the dead ends of a maze, 64 cells at a time.
//!
//! A dead end is a cell with one open passage. Bit operations find the dead ends among 64 cells at once, so a few
//! sweeps down and up over a copy of the level fill most of them. The others are filled cell by cell.

use crate::level::grid::{Bitmap, Direction, Passages, Tile};
use crate::level::work::{BitmapPool, Cancel, Cancelled};

/// Most sweeps over a level; a sweep that finds no dead end is the last. In a `kruskal` level of 4001 tiles a side, a
/// seventh of the cells is left after so many sweeps. Each further sweep would take longer than it saves.
const SWEEPS: usize = 16;

/// A copy of a maze in which dead ends are filled. A cell has an index: the number of the bit of its passage to the
/// right. A set of directions is a bit set: bit `d` stands for the direction numbered `d`.
pub(crate) struct DeadEndFiller {
    /// The open passages: for each row of cells the words of its passages to the right, then the words of its passages
    /// downwards. A row of closed passages comes before the first row, and at least one zero bit after the last column.
    /// So every cell has a bit to read in all four directions.
    pub(crate) open: Bitmap,
    columns: usize,
    /// Words of a row for the passages to the right, and as many for the passages downwards.
    pub(crate) stride: usize,
    /// For the bit set of one direction: what to add (wrapping) to a cell's index to get the next cell in that
    /// direction.
    steps: [usize; 16],
    /// For the bit set of one direction: what to add to a cell's index to get the bit of the passage in that direction.
    passages: [usize; 16],
    /// The cells of start and exit, which are not filled. If such a tile is a passage, these are the two cells beside
    /// it.
    endpoints: [usize; 4],
}

/// Observes which cells are filled, and where the one passage of each leads.
pub(crate) trait FillObserver {
    /// Called for a word of 64 cells: those with a one in `filled` are filled. The three words of `open` have a one for
    /// each open passage to the right, downwards and to the left.
    fn on_cells(&mut self, word: usize, filled: u64, open: [u64; 3]);

    /// Called when the cell of an index is filled; `direction` is the bit set of its one open direction.
    fn on_cell(&mut self, index: usize, direction: usize);
}

/// Ignores which cells are filled.
impl FillObserver for () {
    fn on_cells(&mut self, _: usize, _: u64, _: [u64; 3]) {}

    fn on_cell(&mut self, _: usize, _: usize) {}
}

impl DeadEndFiller {
    /// Copies a maze, to fill all of its dead ends except the cells of the two tiles `endpoints` inside the border.
    #[expect(clippy::inline_always, reason = "41 tiles a side take 5.5 ns a cell to fill instead of 6.2")]
    #[inline(always)]
    pub(crate) fn new(Passages { east, south }: &Passages, bitmaps: &mut BitmapPool, endpoints: [Tile; 2]) -> Self {
        let (columns, rows) = (east.width(), east.height());
        let stride = columns / 64 + 1;
        let row_bits = 128 * stride;
        let mut open = bitmaps.take(row_bits, rows + 1);
        open.row_mut(0).fill(0);
        for row in 0..rows {
            let (right, down) = open.row_mut(row + 1).split_at_mut(stride);
            copy_row(east.row(row), right);
            copy_row(south.row(row), down);
        }
        let index = |tile: Tile| (tile.y as usize / 2 + 1) * row_bits + tile.x as usize / 2;
        let [[a, b], [c, d]] = endpoints.map(|tile| cells_of(tile).map(index));
        Self {
            open,
            columns,
            stride,
            steps: by_bit_set([row_bits.wrapping_neg(), 1, row_bits, usize::MAX]),
            passages: by_bit_set([(row_bits / 2).wrapping_neg(), 0, row_bits / 2, usize::MAX]),
            endpoints: [a, b, c, d],
        }
    }

    /// The passages that are still open.
    pub(crate) fn remaining(&self, bitmaps: &mut BitmapPool) -> Passages {
        let rows = self.open.height() - 1;
        let mut passages = bitmaps.passages((self.columns, rows));
        for row in 0..rows {
            let (right, down) = self.open.row(row + 1).split_at(self.stride);
            copy_row(right, passages.east.row_mut(row));
            copy_row(down, passages.south.row_mut(row));
        }
        passages
    }

    /// Fills all dead ends.
    pub(crate) fn fill(&mut self, observer: &mut impl FillObserver, cancel: Cancel) -> Result<(), Cancelled> {
        let rows = self.open.height() - 1;
        let endpoint_rows = self.endpoints.map(|index| index / self.open.width());
        for sweep in 0..SWEEPS {
            cancel.check()?;
            let mut filled = 0;
            for i in 0..rows {
                let row = if sweep % 2 == 0 { 1 + i } else { rows - i };
                // `fill_row` does not check for start and exit, so their rows are left to `fill_chains` below
                if !endpoint_rows.contains(&row) {
                    filled |= self.fill_row(row, observer);
                }
            }
            if filled == 0 {
                break;
            }
        }
        for row in 1..=rows {
            if row % 64 == 0 {
                cancel.check()?;
            }
            self.fill_chains(row, observer);
        }
        Ok(())
    }

    /// Fills the dead ends of a row, 64 cells at once. Returns zero if there are none.
    fn fill_row(&mut self, row: usize, observer: &mut impl FillObserver) -> u64 {
        let stride = self.stride;
        let words = &mut self.open.words_mut()[(2 * row - 1) * stride..][..3 * stride];
        let (north, here) = words.split_at_mut(stride);
        let (east, south) = here.split_at_mut(stride);
        // the passages to the right of the previous word, written once the dead ends of this word are known
        let (mut before, mut all) = (0, 0);
        for i in 0..stride {
            let [up, right, down] = [north[i], east[i], south[i]];
            let left = right << 1 | before >> 63;
            let dead = one_of([up, right, down, left]);
            observer.on_cells(2 * row * stride + i, dead, [right, down, left]);
            north[i] = up & !dead;
            south[i] = down & !dead;
            if i > 0 {
                east[i - 1] = before & !(dead << 63);
            }
            before = right & !(dead | dead >> 1);
            all |= dead;
        }
        east[stride - 1] = before;
        all
    }

    /// Fills each dead end of a row, and from there each cell that becomes a dead end, up to the next junction.
    fn fill_chains(&mut self, row: usize, observer: &mut impl FillObserver) {
        let first = 2 * row * self.stride;
        for i in first..first + self.stride {
            let words = self.open.words();
            let left = words[i] << 1 | words[i - 1] >> 63;
            let mut dead = one_of([words[i - self.stride], words[i], words[i + self.stride], left]);
            while dead > 0 {
                self.fill_chain(64 * i + dead.trailing_zeros() as usize, observer);
                dead &= dead - 1;
            }
        }
    }

    /// Fills cell after cell, as long as the next one is a dead end. Each passage is closed one step late, so that no
    /// step has to wait for a write of the step before.
    fn fill_chain(&mut self, mut index: usize, observer: &mut impl FillObserver) {
        let mut directions = self.directions(index);
        // the passage to close next; bit 0 is in the row of closed passages, so to close it first changes nothing
        let mut late = 0;
        while directions.is_power_of_two() && !self.endpoints.contains(&index) {
            let direction = directions;
            observer.on_cell(index, direction);
            let passage = index.wrapping_add(self.passages[direction]);
            index = index.wrapping_add(self.steps[direction]);
            directions = self.directions(index) & !back(direction);
            self.close(late);
            late = passage;
        }
        self.close(late);
    }

    fn close(&mut self, passage: usize) {
        self.open.words_mut()[passage / 64] &= !(1 << (passage % 64));
    }

    /// The open directions of a cell, as a bit set.
    #[inline]
    fn directions(&self, index: usize) -> usize {
        let words = self.open.words();
        let open = |passage: usize| (words[passage / 64] >> (passage % 64) & 1) as usize;
        (0..4).fold(0, |set, i| set | open(index.wrapping_add(self.passages[1 << i])) << i)
    }

    /// The steps from start to exit, if only a single path is left.
    pub(crate) fn follow(&self, start: Tile, exit: Tile, cancel: Cancel) -> Result<Option<Vec<Direction>>, Cancelled> {
        let mut moves = Vec::new();
        let (mut tile, mut index) = (start, self.endpoints[0]);
        let mut open = self.directions(index);
        if start.cell().is_none() && start != exit {
            // the start is a passage: go to the cell beside it that is the exit or leads to the exit
            let onwards = if start.y % 2 == 1 { Direction::Right } else { Direction::Down };
            let directions = [onwards.back(), onwards];
            let good =
                |i: usize| start.step(directions[i]) == exit || !self.directions(self.endpoints[i]).is_power_of_two();
            if good(0) == good(1) {
                return Ok(None);
            }
            let i = usize::from(good(1));
            moves.push(directions[i]);
            (tile, index) = (start.step(directions[i]), self.endpoints[i]);
            open = self.directions(index) & !back(1 << directions[i] as usize);
        }
        while tile != exit {
            if moves.len() % 8192 < 2 {
                cancel.check()?;
            }
            if !open.is_power_of_two() {
                return Ok(None);
            }
            let direction = Direction::from_bits(open.trailing_zeros() as u8);
            moves.push(direction);
            tile = tile.step(direction);
            // if the exit is a passage, the path ends halfway to the next cell
            if tile != exit {
                moves.push(direction);
                tile = tile.step(direction);
            }
            index = index.wrapping_add(self.steps[open]);
            open = self.directions(index) & !back(open);
        }
        Ok(Some(moves))
    }
}

/// The cell on a tile, twice; if the tile is a passage, the two cells that it joins, the left or upper one first.
fn cells_of(tile: Tile) -> [Tile; 2] {
    match (tile.x % 2, tile.y % 2) {
        (0, _) => [Direction::Left, Direction::Right].map(|direction| tile.step(direction)),
        (_, 0) => [Direction::Up, Direction::Down].map(|direction| tile.step(direction)),
        _ => [tile; 2],
    }
}

/// A table from the bit set of one direction to the value of that direction.
const fn by_bit_set(of: [usize; 4]) -> [usize; 16] {
    let mut table = [0; 16];
    [table[1], table[2], table[4], table[8]] = of;
    table
}

/// The bit set of the opposite direction.
const fn back(direction: usize) -> usize {
    (direction << 2 | direction >> 2) & 15
}

/// Copies the words that both rows have, and fills the rest of `to` with zeros.
fn copy_row(from: &[u64], to: &mut [u64]) {
    let shared = from.len().min(to.len());
    to[..shared].copy_from_slice(&from[..shared]);
    to[shared..].fill(0);
}

/// A one where exactly one of four words has a one.
const fn one_of([a, b, c, d]: [u64; 4]) -> u64 {
    (a ^ b ^ c ^ d) & !(a & b | c & d)
}
