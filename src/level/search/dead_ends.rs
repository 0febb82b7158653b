//! Fills the dead ends of a maze, 64 cells at a time.
//!
//! A dead end is a cell with one open passage. Bits tell of 64 cells at once which they are, so a few sweeps down and up
//! over a copy of the level fill most of them; what they leave is filled cell by cell.

use crate::level::grid::{Bitmap, Direction, Passages, Tile};
use crate::level::work::{BitmapPool, Cancel, Cancelled};

/// Sweeps over a level, unless one finds no dead end before. Of a `kruskal` level of 4001 tiles a side they leave a
/// seventh of the cells; each further one would take longer than what it saves.
const SWEEPS: usize = 16;

/// What is left of a maze. A cell is known by its place: the number of the bit of its passage to the right. A set of
/// directions is a mask, bit `d` for the direction numbered `d`.
pub(crate) struct Maze {
    /// For each row of cells the words of its passages to the right, then those of its passages downwards. Before them
    /// is a row of shut ones, and behind the last column at least one bit, so that no cell lacks a neighbour to look
    /// at.
    pub(crate) plane: Bitmap,
    columns: usize,
    /// Words of either kind in a row.
    pub(crate) stride: usize,
    /// What to add, wrapping, to a place for the next cell in a direction, by the mask of it alone.
    steps: [usize; 16],
    /// And what for the bit of the passage there.
    doors: [usize; 16],
    /// The cells of start and exit, two where one of them is the passage between these. They are not filled.
    kept: [usize; 4],
}

/// Is told of each cell that is filled, with its one passage.
pub(crate) trait Notes {
    /// Of the 64 cells of a word those that `dead` has are filled. A one in the other words is a passage of a cell to
    /// the right, downwards, to the left.
    fn cells(&mut self, word: usize, dead: u64, ways: [u64; 3]);

    /// The cell at a place is filled, of which `way` is the mask of the direction that is open.
    fn cell(&mut self, place: usize, way: usize);
}

/// Who only wants to know what is left takes no notes.
impl Notes for () {
    fn cells(&mut self, _: usize, _: u64, _: [u64; 3]) {}

    fn cell(&mut self, _: usize, _: usize) {}
}

impl Maze {
    /// The maze, to be filled but for the cells of two tiles inside the border.
    #[expect(clippy::inline_always, reason = "41 tiles a side take 5.5 ns a cell to fill instead of 6.2")]
    #[inline(always)]
    pub(crate) fn copy(Passages { east, south }: &Passages, planes: &mut BitmapPool, endpoints: [Tile; 2]) -> Self {
        let (columns, rows) = (east.width(), east.height());
        let stride = columns / 64 + 1;
        let pitch = 128 * stride;
        let mut plane = planes.take(pitch, rows + 1);
        plane.row_mut(0).fill(0);
        for row in 0..rows {
            let (right, down) = plane.row_mut(row + 1).split_at_mut(stride);
            copy_row(east.row(row), right);
            copy_row(south.row(row), down);
        }
        let place = |tile: Tile| (tile.y as usize / 2 + 1) * pitch + tile.x as usize / 2;
        let [[a, b], [c, d]] = endpoints.map(|end| cells_of(end).map(place));
        Self {
            plane,
            columns,
            stride,
            steps: by_mask([pitch.wrapping_neg(), 1, pitch, usize::MAX]),
            doors: by_mask([(pitch / 2).wrapping_neg(), 0, pitch / 2, usize::MAX]),
            kept: [a, b, c, d],
        }
    }

    /// What is left, as it came.
    pub(crate) fn passages(&self, planes: &mut BitmapPool) -> Passages {
        let rows = self.plane.height() - 1;
        let mut passages = planes.passages((self.columns, rows));
        for row in 0..rows {
            let (right, down) = self.plane.row(row + 1).split_at(self.stride);
            copy_row(right, passages.east.row_mut(row));
            copy_row(down, passages.south.row_mut(row));
        }
        passages
    }

    /// Fills all dead ends.
    pub(crate) fn fill(&mut self, notes: &mut impl Notes, cancel: Cancel) -> Result<(), Cancelled> {
        let rows = self.plane.height() - 1;
        let kept = self.kept.map(|place| place / self.plane.width());
        for sweep in 0..SWEEPS {
            cancel.check()?;
            let mut filled = 0;
            for i in 0..rows {
                let row = if sweep % 2 == 0 { 1 + i } else { rows - i };
                // that most rows need not look out for start and exit is worth leaving theirs to the end
                if !kept.contains(&row) {
                    filled |= self.fill_row(row, notes);
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
            self.fill_chains(row, notes);
        }
        Ok(())
    }

    /// Fills the dead ends of a row, 64 cells at once. The result is zero where there are none.
    fn fill_row(&mut self, row: usize, notes: &mut impl Notes) -> u64 {
        let stride = self.stride;
        let words = &mut self.plane.words_mut()[(2 * row - 1) * stride..][..3 * stride];
        let (north, here) = words.split_at_mut(stride);
        let (east, south) = here.split_at_mut(stride);
        // the passages to the right of the word before; written once it is known what this word fills
        let (mut before, mut all) = (0, 0);
        for i in 0..stride {
            let [up, right, down] = [north[i], east[i], south[i]];
            let left = right << 1 | before >> 63;
            let dead = one_of([up, right, down, left]);
            notes.cells(2 * row * stride + i, dead, [right, down, left]);
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

    /// Fills each dead end of a row, and what it makes one, to the next junction.
    fn fill_chains(&mut self, row: usize, notes: &mut impl Notes) {
        let first = 2 * row * self.stride;
        for i in first..first + self.stride {
            let words = self.plane.words();
            let left = words[i] << 1 | words[i - 1] >> 63;
            let mut dead = one_of([words[i - self.stride], words[i], words[i + self.stride], left]);
            while dead > 0 {
                self.fill_chain(64 * i + dead.trailing_zeros() as usize, notes);
                dead &= dead - 1;
            }
        }
    }

    /// Fills cell by cell, as long as each is a dead end. A passage is shut one step late, so that no step waits for
    /// what the one before it wrote.
    fn fill_chain(&mut self, mut place: usize, notes: &mut impl Notes) {
        let mut ways = self.ways(place);
        // at first a bit of the row of shut ones
        let mut late = 0;
        while ways.is_power_of_two() && !self.kept.contains(&place) {
            let way = ways;
            notes.cell(place, way);
            let door = place.wrapping_add(self.doors[way]);
            place = place.wrapping_add(self.steps[way]);
            ways = self.ways(place) & !back(way);
            self.shut(late);
            late = door;
        }
        self.shut(late);
    }

    fn shut(&mut self, door: usize) {
        self.plane.words_mut()[door / 64] &= !(1 << (door % 64));
    }

    /// The directions that are open from a cell.
    #[inline]
    fn ways(&self, place: usize) -> usize {
        let words = self.plane.words();
        let open = |door: usize| (words[door / 64] >> (door % 64) & 1) as usize;
        (0..4).fold(0, |ways, i| ways | open(place.wrapping_add(self.doors[1 << i])) << i)
    }

    /// The steps from start to exit, if what is left is one path.
    pub(crate) fn follow(&self, start: Tile, exit: Tile, cancel: Cancel) -> Result<Option<Vec<Direction>>, Cancelled> {
        let mut moves = Vec::new();
        let (mut tile, mut place) = (start, self.kept[0]);
        let mut ways = self.ways(place);
        if start.cell().is_none() && start != exit {
            // off the passage, to the cell that is the exit or leads on
            let onwards = if start.y % 2 == 1 { Direction::Right } else { Direction::Down };
            let directions = [onwards.back(), onwards];
            let good = |i: usize| start.step(directions[i]) == exit || !self.ways(self.kept[i]).is_power_of_two();
            if good(0) == good(1) {
                return Ok(None);
            }
            let i = usize::from(good(1));
            moves.push(directions[i]);
            (tile, place) = (start.step(directions[i]), self.kept[i]);
            ways = self.ways(place) & !back(1 << directions[i] as usize);
        }
        while tile != exit {
            if moves.len() % 8192 < 2 {
                cancel.check()?;
            }
            if !ways.is_power_of_two() {
                return Ok(None);
            }
            let direction = Direction::from_bits(ways.trailing_zeros() as u8);
            moves.push(direction);
            tile = tile.step(direction);
            // the exit may be the passage
            if tile != exit {
                moves.push(direction);
                tile = tile.step(direction);
            }
            place = place.wrapping_add(self.steps[ways]);
            ways = self.ways(place) & !back(ways);
        }
        Ok(Some(moves))
    }
}

/// The cell that a tile is, twice, or the two that it joins, the left or upper one first.
fn cells_of(tile: Tile) -> [Tile; 2] {
    match (tile.x % 2, tile.y % 2) {
        (0, _) => [Direction::Left, Direction::Right].map(|direction| tile.step(direction)),
        (_, 0) => [Direction::Up, Direction::Down].map(|direction| tile.step(direction)),
        _ => [tile; 2],
    }
}

/// What each direction has, by the mask of it alone.
const fn by_mask(of: [usize; 4]) -> [usize; 16] {
    let mut table = [0; 16];
    [table[1], table[2], table[4], table[8]] = of;
    table
}

/// The mask of the opposite direction.
const fn back(way: usize) -> usize {
    (way << 2 | way >> 2) & 15
}

/// Copies the words that both rows have; what `to` has beyond them is zero.
fn copy_row(from: &[u64], to: &mut [u64]) {
    let shared = from.len().min(to.len());
    to[..shared].copy_from_slice(&from[..shared]);
    to[shared..].fill(0);
}

/// A one where exactly one of four words has a one.
const fn one_of([a, b, c, d]: [u64; 4]) -> u64 {
    (a ^ b ^ c ^ d) & !(a & b | c & d)
}
