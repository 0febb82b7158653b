//! The packed grid: which tiles are open, one bit each, and the geometry of tiles and directions.
//!
//! Two layouts stand behind one type. A maze keeps two bits a *cell* (is the passage to the right open, is the one
//! below), a quarter of a byte for four tiles; a room map keeps one bit a *tile*. Whoever only wants tiles asks
//! [`Grid::read_row`], which gives any row of either layout as bits, 64 tiles a word; nothing ever holds a tile array.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::mask::Mask;

/// The sides of a level in tiles, walls included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Size {
    /// Tiles in all.
    pub const fn area(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Columns and rows of cells of a maze of this size; both sides must be odd.
    pub const fn cells(self) -> (usize, usize) {
        (self.width as usize / 2, self.height as usize / 2)
    }

    /// Whether `tile` is a tile of the level, its border included.
    pub const fn contains(self, tile: Tile) -> bool {
        tile.x < self.width && tile.y < self.height
    }
}

/// One square of the grid: `x` counts columns to the right, `y` rows down, both from 0. Written as `[x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
}

impl Tile {
    /// The neighbour one step on; wraps at the edges of `u32`, so ask only where a border keeps the step inside.
    pub const fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.offset();
        Self { x: self.x.wrapping_add_signed(dx), y: self.y.wrapping_add_signed(dy) }
    }

    /// Column and row of the cell that stands on this tile of a maze, if one does.
    pub const fn cell(self) -> Option<(usize, usize)> {
        if self.x % 2 == 1 && self.y % 2 == 1 { Some((self.x as usize / 2, self.y as usize / 2)) } else { None }
    }
}

impl Serialize for Tile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.x, self.y).serialize(serializer)
    }
}

/// A side of a tile, clockwise from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Direction {
    /// Towards row 0.
    Up = 0,
    /// Towards the last column.
    Right = 1,
    /// Towards the last row.
    Down = 2,
    /// Towards column 0.
    Left = 3,
}

impl Direction {
    /// All four, in clockwise order; the index of each is its number.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// The direction of this number, of which only the lowest two bits count.
    pub const fn from_bits(bits: u8) -> Self {
        Self::ALL[(bits & 3) as usize]
    }

    /// A quarter turn clockwise.
    pub const fn to_the_right(self) -> Self {
        Self::from_bits(self as u8 + 1)
    }

    /// A quarter turn anticlockwise.
    pub const fn to_the_left(self) -> Self {
        Self::from_bits(self as u8 + 3)
    }

    /// The opposite direction.
    pub const fn back(self) -> Self {
        Self::from_bits(self as u8 + 2)
    }

    /// The change of `(x, y)` that one step makes.
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Self::Up => (0, -1),
            Self::Right => (1, 0),
            Self::Down => (0, 1),
            Self::Left => (-1, 0),
        }
    }

    /// `U`, `R`, `D` or `L`.
    pub const fn letter(self) -> u8 {
        match self {
            Self::Up => b'U',
            Self::Right => b'R',
            Self::Down => b'D',
            Self::Left => b'L',
        }
    }
}

/// A rectangle of bits, row by row, each row padded to whole words; bit 0 of a word is its leftmost column. The padding
/// is always zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    stride: usize,
    width: usize,
    height: usize,
}

impl Bits {
    /// All zero.
    pub fn new(width: usize, height: usize) -> Self {
        let stride = width.div_ceil(64);
        Self { words: vec![0; stride * height], stride, width, height }
    }

    /// The same over words that served before, with whatever they hold: every one is still to be written, the padding
    /// too.
    pub(super) fn over(mut words: Vec<u64>, width: usize, height: usize) -> Self {
        let stride = width.div_ceil(64);
        words.resize(stride * height, 0);
        Self { words, stride, width, height }
    }

    /// Words that so many columns and rows take.
    pub(super) const fn words_of(width: usize, height: usize) -> usize {
        width.div_ceil(64) * height
    }

    /// Its words, to serve again.
    pub(super) fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// Sets all bits to zero.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Columns.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// The bit at column `x` of row `y`.
    pub fn get(&self, x: usize, y: usize) -> bool {
        debug_assert!(x < self.width && y < self.height);
        self.words[y * self.stride + x / 64] >> (x % 64) & 1 == 1
    }

    /// Sets the bit at column `x` of row `y` to one.
    pub fn set(&mut self, x: usize, y: usize) {
        debug_assert!(x < self.width && y < self.height);
        self.words[y * self.stride + x / 64] |= 1 << (x % 64);
    }

    /// Sets `length` bits of row `y` to one, from column `x` on.
    pub fn set_run(&mut self, x: usize, y: usize, length: usize) {
        self.change_run(x, y, length, |word, run| *word |= run);
    }

    /// Sets `length` bits of row `y` to zero, from column `x` on.
    pub fn clear_run(&mut self, x: usize, y: usize, length: usize) {
        self.change_run(x, y, length, |word, run| *word &= !run);
    }

    /// Changes each word that holds some of `length` bits of row `y`, from column `x` on, given a mask of them.
    #[inline]
    fn change_run(&mut self, x: usize, y: usize, length: usize, change: impl Fn(&mut u64, u64)) {
        debug_assert!(x + length <= self.width && y < self.height);
        let row = self.row_mut(y);
        let (mut x, end) = (x, x + length);
        while x < end {
            let bits = (64 - x % 64).min(end - x);
            change(&mut row[x / 64], (u64::MAX >> (64 - bits)) << (x % 64));
            x += bits;
        }
    }

    /// The words of row `y`.
    pub fn row(&self, y: usize) -> &[u64] {
        &self.words[y * self.stride..][..self.stride]
    }

    /// The words of row `y`, to write; the padding must stay zero.
    pub fn row_mut(&mut self, y: usize) -> &mut [u64] {
        &mut self.words[y * self.stride..][..self.stride]
    }

    /// The words of all rows, one row behind the other.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The same, to write; the padding must stay zero.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// The bits of the last word of a row that are columns, as a mask.
    pub const fn last_word_mask(&self) -> u64 {
        u64::MAX >> ((64 - self.width % 64) % 64)
    }

    /// Ones in all.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Bytes on the heap.
    pub const fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

/// The open passages of a maze: for each cell whether the one to its right and the one below it are joined to it.
/// The last column has none to the right, the last row none below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passages {
    /// Open to the right.
    pub east: Bits,
    /// Open downwards.
    pub south: Bits,
}

impl Passages {
    /// A grid of cells, all shut.
    pub fn new((columns, rows): (usize, usize)) -> Self {
        Self { east: Bits::new(columns, rows), south: Bits::new(columns, rows) }
    }

    /// The cell next to one, if the grid has it.
    pub const fn neighbour(&self, (column, row): (usize, usize), way: Direction) -> Option<(usize, usize)> {
        let (dx, dy) = way.offset();
        let (column, row) = (column.wrapping_add_signed(dx as isize), row.wrapping_add_signed(dy as isize));
        if column < self.east.width() && row < self.east.height() { Some((column, row)) } else { None }
    }

    /// Whether the passage from a cell to the next is open.
    pub fn is_open(&self, (column, row): (usize, usize), way: Direction) -> bool {
        match way {
            Direction::Up => row > 0 && self.south.get(column, row - 1),
            Direction::Right => self.east.get(column, row),
            Direction::Down => self.south.get(column, row),
            Direction::Left => column > 0 && self.east.get(column - 1, row),
        }
    }

    /// Opens the passage from a cell to the next, which the grid must have.
    pub fn open(&mut self, (column, row): (usize, usize), way: Direction) {
        match way {
            Direction::Up => self.south.set(column, row - 1),
            Direction::Right => self.east.set(column, row),
            Direction::Down => self.south.set(column, row),
            Direction::Left => self.east.set(column - 1, row),
        }
    }

    /// How many passages of a cell are open.
    pub fn degree(&self, cell: (usize, usize)) -> usize {
        Direction::ALL.into_iter().filter(|way| self.is_open(cell, *way)).count()
    }
}

/// The open tiles inside the border, in one of two layouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Floor {
    /// A maze: cells on the tiles with odd x and odd y, joined by passages.
    Maze(Passages),
    /// A room map: a one where a tile is open.
    Rooms(Bits),
}

/// What of a rectangle is part of a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// What may be open.
    pub mask: Arc<Mask>,
    /// A one for each tile that is no part of this level, not even as a wall.
    pub void: Bits,
}

/// Which tiles of a level are open, which are walls, and which are void.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// What is open inside the border.
    pub floor: Floor,
    /// What of the rectangle is part of the level, where not all of it is.
    pub outline: Option<Outline>,
    /// The tiles of the border that are open: none, or one beside the start and one beside the exit.
    pub openings: Option<[Tile; 2]>,
}

impl Grid {
    /// A whole rectangle with a closed border.
    pub const fn new(floor: Floor) -> Self {
        Self { floor, outline: None, openings: None }
    }

    /// Its sides in tiles.
    pub fn size(&self) -> Size {
        match &self.floor {
            Floor::Maze(Passages { east, .. }) => {
                Size { width: east.width() as u32 * 2 + 1, height: east.height() as u32 * 2 + 1 }
            }
            Floor::Rooms(open) => Size { width: open.width() as u32, height: open.height() as u32 },
        }
    }

    /// Whether a tile of the level is open; `false` outside it.
    pub fn is_open(&self, tile: Tile) -> bool {
        if !self.size().contains(tile) {
            return false;
        }
        let (x, y) = (tile.x as usize, tile.y as usize);
        let inside = match &self.floor {
            Floor::Rooms(open) => open.get(x, y),
            Floor::Maze(Passages { east, south }) => match (x % 2, y % 2) {
                (1, 1) => self.outline.as_ref().is_none_or(|outline| outline.mask.places().get(x / 2, y / 2)),
                (0, 1) => x > 0 && x / 2 < east.width() && east.get(x / 2 - 1, y / 2),
                (1, 0) => y > 0 && y / 2 < south.height() && south.get(x / 2, y / 2 - 1),
                _ => false,
            },
        };
        inside || self.openings.is_some_and(|openings| openings.contains(&tile))
    }

    /// Whether a tile of the level is void; `false` outside it.
    pub fn is_void(&self, tile: Tile) -> bool {
        let is_void = |outline: &Outline| outline.void.get(tile.x as usize, tile.y as usize);
        self.size().contains(tile) && self.outline.as_ref().is_some_and(is_void)
    }

    /// Takes the outline that a mask gives to what is open by now.
    pub(super) fn set_mask(&mut self, mask: &Arc<Mask>) {
        // which cells of a maze are open is known by its mask alone, so that goes first
        self.outline = Some(Outline { mask: Arc::clone(mask), void: Bits::new(0, 0) });
        let void = mask.void_of(self);
        self.outline = Some(Outline { mask: Arc::clone(mask), void });
    }

    /// Words that a row takes in [`Grid::read_row`].
    pub fn words_per_row(&self) -> usize {
        (self.size().width as usize).div_ceil(64)
    }

    /// Writes row `y` into `out` ([`Grid::words_per_row`] words), a one for each open tile, leftmost tile in bit 0.
    pub fn read_row(&self, y: usize, out: &mut [u64]) {
        match (&self.floor, &self.outline) {
            (Floor::Rooms(open), _) => out.copy_from_slice(open.row(y)),
            (Floor::Maze(Passages { east, .. }), outline) if y % 2 == 1 => {
                let passages = east.row(y / 2);
                let last = passages.len() - 1;
                match outline {
                    Some(Outline { mask, .. }) => weave(out, passages, |word| mask.places().row(y / 2)[word]),
                    None => weave(out, passages, |word| if word < last { u64::MAX } else { east.last_word_mask() }),
                }
            }
            (Floor::Maze(Passages { south, .. }), _) => {
                if y == 0 || y / 2 == south.height() {
                    out.fill(0);
                } else {
                    weave_only(out, south.row(y / 2 - 1));
                }
            }
        }
        for tile in self.openings.iter().flatten().filter(|tile| tile.y as usize == y) {
            out[tile.x as usize / 64] |= 1 << (tile.x % 64);
        }
    }

    /// Bytes on the heap, those of the mask left out: the recipe has it too.
    pub fn bytes(&self) -> usize {
        let floor = match &self.floor {
            Floor::Maze(Passages { east, south }) => east.bytes() + south.bytes(),
            Floor::Rooms(open) => open.bytes(),
        };
        floor + self.outline.as_ref().map_or(0, |outline| outline.void.bytes())
    }
}

/// A row of cells as tiles: cell `c` is tile `2c + 1`, its passage to the right tile `2c + 2`.
fn weave(out: &mut [u64], passages: &[u64], cells: impl Fn(usize) -> u64) {
    let mut carry = 0;
    for (i, tiles) in out.iter_mut().enumerate() {
        let (word, shift) = (i / 2, i % 2 * 32);
        let (cell, open) = match passages.get(word) {
            Some(open) => (spread((cells(word) >> shift) as u32), spread((open >> shift) as u32)),
            None => (0, 0),
        };
        *tiles = cell << 1 | open << 2 | carry;
        // the passage of the word's 32nd cell is the first tile of the next word
        carry = open >> 62;
    }
}

/// A row between two rows of cells as tiles: the passage below cell `c` is tile `2c + 1`.
fn weave_only(out: &mut [u64], passages: &[u64]) {
    for (i, tiles) in out.iter_mut().enumerate() {
        *tiles = passages.get(i / 2).map_or(0, |open| spread((open >> (i % 2 * 32)) as u32) << 1);
    }
}

/// The places of the ones of a word, from the lowest on.
#[inline]
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}

/// Moves bit `i` to bit `2i` (Morton's interleaving with zeros).
pub(super) const fn spread(bits: u32) -> u64 {
    let mut x = bits as u64;
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333_3333_3333;
    (x | x << 1) & 0x5555_5555_5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_agree_with_is_open(grid: &Grid) {
        let size = grid.size();
        let mut row = vec![u64::MAX; grid.words_per_row()];
        for y in 0..size.height {
            grid.read_row(y as usize, &mut row);
            for x in 0..row.len() as u32 * 64 {
                let bit = row[x as usize / 64] >> (x % 64) & 1 == 1;
                assert_eq!(bit, grid.is_open(Tile { x, y }), "[{x}, {y}] of {size:?}");
            }
        }
    }

    #[test]
    fn rows_of_any_width_agree_with_single_tiles() {
        for columns in [1, 2, 31, 32, 33, 63, 64, 65, 95, 96, 97, 130] {
            let mut passages = Passages::new((columns, 4));
            for y in 0..4 {
                for x in 0..columns {
                    if x + 1 < columns && (x * 7 + y) % 3 != 0 {
                        passages.east.set(x, y);
                    }
                    if y < 3 && (x * 5 + y) % 4 != 1 {
                        passages.south.set(x, y);
                    }
                }
            }
            rows_agree_with_is_open(&Grid::new(Floor::Maze(passages)));
        }
    }

    #[test]
    fn a_run_is_its_single_bits() {
        for (x, length) in (0..140).flat_map(|x| [0, 1, 2, 63, 64, 65, 140].map(|length: usize| (x, length))) {
            let length = length.min(140 - x);
            let (mut run, mut single) = (Bits::new(140, 3), Bits::new(140, 3));
            run.set_run(x, 1, length);
            (x..x + length).for_each(|x| single.set(x, 1));
            assert_eq!(run, single, "{length} from {x}");
            run.set_run(0, 1, 140);
            run.clear_run(x, 1, length);
            single.clear();
            (0..x).chain(x + length..140).for_each(|x| single.set(x, 1));
            assert_eq!(run, single, "all but {length} from {x}");
        }
    }

    #[test]
    fn tiles_outside_are_shut() {
        let grid = Grid::new(Floor::Maze(Passages::new((2, 2))));
        assert!(!grid.is_open(Tile { x: 5, y: 1 }));
        assert!(!grid.is_open(Tile { x: 1, y: u32::MAX }));
    }

    #[test]
    fn four_right_turns_come_back() {
        for d in Direction::ALL {
            assert_eq!(d.to_the_right().to_the_left(), d);
            assert_eq!(d.to_the_right().to_the_right(), d.back());
        }
    }
}
