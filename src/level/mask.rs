//! Masks: which part of a rectangle a level may use.
//!
//! A mask has a character for each tile: a space is outside, anything else inside. Of a maze, the cells whose characters
//! are inside are part of it, and a passage between two of them may open whatever its own character is. A tile that
//! touches no cell is void where its character is a space, else a wall.

use std::borrow::Borrow;

use sha2::{Digest, Sha256};

use super::grid::{Bits, Size, Tile, spread};
use super::work::{Halt, Stopped};

/// A mask that was read: some rectangle, and what of it is part of a maze.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    size: Size,
    /// A one for each cell inside.
    cells: Bits,
    /// A one for each tile that is no part of the level, not even as a wall.
    void: Bits,
    /// Tiles inside the border that are outside.
    left_out: u64,
    /// Made once, for it takes as long as to read the mask.
    name: String,
}

impl Mask {
    /// Reads a mask whose rows are `rows`.
    ///
    /// # Errors
    /// Says which row has another length than the first one. Sides are the caller's to check.
    pub fn read(rows: &[impl Borrow<str>]) -> Result<Self, String> {
        let rows: Vec<&str> = rows.iter().map(Borrow::borrow).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        let mut outside = Bits::new(width, rows.len());
        for (y, row) in rows.iter().enumerate() {
            let mut length = 0;
            for character in row.chars() {
                if character == ' ' && length < width {
                    outside.set(length, y);
                }
                length += 1;
            }
            if length != width {
                return Err(format!(
                    "is ragged: row {y} has {length} characters, row 0 has {width}; a row has one character for each \
                     tile"
                ));
            }
        }
        let size = Size { width: width as u32, height: rows.len() as u32 };
        let inner = |x: usize, y: usize| x > 0 && y > 0 && x + 1 < width && y + 1 < rows.len();
        let left_out =
            (0..rows.len()).map(|y| (0..width).filter(|x| inner(*x, y) && outside.get(*x, y)).count() as u64);
        let left_out = left_out.sum();
        let cells = cells_inside(&outside, size);
        let void = void_tiles(outside, &cells);
        let name = name(size, &cells, &void);
        Ok(Self { size, cells, void, left_out, name })
    }

    /// The sides of the rectangle in tiles.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// A one for each cell inside.
    pub const fn cells(&self) -> &Bits {
        &self.cells
    }

    /// A one for each tile that is void.
    pub const fn void(&self) -> &Bits {
        &self.void
    }

    /// Whether it leaves nothing out of a maze: all cells are inside. Such a mask is none.
    pub fn has_all_cells(&self) -> bool {
        self.cells.count() == self.cells.width() as u64 * self.cells.height() as u64
    }

    /// Whether it leaves nothing out of a room map: all tiles inside the border are inside. Such a mask is none.
    pub const fn has_all_tiles(&self) -> bool {
        self.left_out == 0
    }

    /// The first and the last cell inside, in row order.
    pub fn ends(&self) -> Option<[Tile; 2]> {
        let filled = |y: &usize| self.cells.row(*y).iter().any(|word| *word > 0);
        let (top, bottom) = ((0..self.cells.height()).find(filled)?, (0..self.cells.height()).rfind(filled)?);
        let bits_before = |word: usize| word as u32 * 64;
        let first = self.cells.row(top).iter().enumerate().find(|(_, word)| **word > 0);
        let last = self.cells.row(bottom).iter().enumerate().rfind(|(_, word)| **word > 0);
        let left = first.map(|(i, word)| bits_before(i) + word.trailing_zeros())?;
        let right = last.map(|(i, word)| bits_before(i) + word.ilog2())?;
        let tile = |column: u32, row: usize| Tile { x: 2 * column + 1, y: 2 * row as u32 + 1 };
        Some([tile(left, top), tile(right, bottom)])
    }

    /// Whether a tile can be open in some maze of this mask: it is a cell inside, or lies between two of them.
    pub fn may_be_open(&self, tile: Tile) -> bool {
        let (x, y) = (tile.x as usize, tile.y as usize);
        let has = |x: usize, y: usize| {
            x / 2 < self.cells.width() && y / 2 < self.cells.height() && { self.cells.get(x / 2, y / 2) }
        };
        match (x % 2, y % 2) {
            (1, 1) => has(x, y),
            (0, 1) => x > 0 && has(x - 1, y) && has(x + 1, y),
            (1, 0) => y > 0 && has(x, y - 1) && has(x, y + 1),
            _ => false,
        }
    }

    /// Names the mask: two masks of the same name give the same levels.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A cell of each piece that the cells fall into, as far as passages between neighbours may join them: of at most
    /// `most` pieces, and how many there are.
    ///
    /// # Errors
    /// Where the job is told to stop.
    pub fn pieces(&self, most: usize, halt: Halt) -> Result<(Vec<Tile>, usize), Stopped> {
        let mut left = self.cells.clone();
        let (columns, rows) = (left.width(), left.height());
        let (mut found, mut count, mut steps) = (Vec::new(), 0, 0_u32);
        let mut waiting = Vec::new();
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            if !take(&mut left, x, y) {
                continue;
            }
            count += 1;
            if found.len() < most {
                found.push(Tile { x: 2 * x as u32 + 1, y: 2 * y as u32 + 1 });
            }
            waiting.push((x as u32, y as u32));
            while let Some((x, y)) = waiting.pop() {
                steps += 1;
                if steps.is_multiple_of(4096) {
                    halt.check()?;
                }
                let (x, y) = (x as usize, y as usize);
                for (x, y) in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
                    if x < columns && y < rows && take(&mut left, x, y) {
                        waiting.push((x as u32, y as u32));
                    }
                }
            }
        }
        Ok((found, count))
    }

    /// Bytes on the heap.
    pub const fn bytes(&self) -> usize {
        self.cells.bytes() + self.void.bytes()
    }
}

/// The cells that a maze is to join: all of a rectangle, or those that a mask leaves.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'a> {
    /// Columns of cells.
    pub columns: usize,
    /// Rows of cells.
    pub rows: usize,
    /// A one for each cell inside, where not all are.
    pub inside: Option<&'a Bits>,
}

impl<'a> Shape<'a> {
    /// All cells of a rectangle.
    pub const fn rectangle((columns, rows): (usize, usize)) -> Self {
        Self { columns, rows, inside: None }
    }

    /// The cells that a mask leaves.
    pub const fn masked(mask: &'a Mask) -> Self {
        let cells = mask.cells();
        Self { columns: cells.width(), rows: cells.height(), inside: Some(cells) }
    }

    /// Cells in all.
    pub fn count(self) -> usize {
        self.inside.map_or(self.columns * self.rows, |cells| cells.count() as usize)
    }

    /// Whether a cell of the rectangle is inside.
    pub fn contains(self, column: usize, row: usize) -> bool {
        self.inside.is_none_or(|cells| cells.get(column, row))
    }
}

/// SHA-256, so that nobody can make two masks of one name by design.
fn name(size: Size, cells: &Bits, void: &Bits) -> String {
    let mut digest = Sha256::new();
    digest.update([size.width.to_le_bytes(), size.height.to_le_bytes()].concat());
    for word in cells.words().iter().chain(void.words()) {
        digest.update(word.to_le_bytes());
    }
    digest.finalize().iter().fold(String::new(), |name, byte| name + &format!("{byte:02x}"))
}

/// Takes a bit out of a plane; `false` where it was not there.
fn take(plane: &mut Bits, x: usize, y: usize) -> bool {
    let word = &mut plane.row_mut(y)[x / 64];
    let bit = 1 << (x % 64);
    let was = *word & bit > 0;
    *word &= !bit;
    was
}

/// The cells whose tiles are not outside.
fn cells_inside(outside: &Bits, size: Size) -> Bits {
    let (columns, rows) = size.cells();
    let mut cells = Bits::new(columns, rows);
    for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
        if !outside.get(2 * x + 1, 2 * y + 1) {
            cells.set(x, y);
        }
    }
    cells
}

/// What of `outside` touches no cell.
fn void_tiles(mut outside: Bits, cells: &Bits) -> Bits {
    let mut touched = vec![0; outside.width().div_ceil(64)];
    for y in 0..outside.height() {
        touched.fill(0);
        // the row of cells above or at this row of tiles, and the one below it
        for row in [y.saturating_sub(1) / 2, y / 2] {
            if row < cells.height() && 2 * row < y + 1 && y < 2 * row + 3 {
                touch(&mut touched, cells.row(row));
            }
        }
        for (word, touched) in outside.row_mut(y).iter_mut().zip(&touched) {
            *word &= !touched;
        }
    }
    outside
}

/// Marks the tiles of a row that touch one of `cells`: the cell's own column, 2c + 1, and those beside it.
fn touch(touched: &mut [u64], cells: &[u64]) {
    let mut carry = 0;
    for (i, touched) in touched.iter_mut().enumerate() {
        let columns = cells.get(i / 2).map_or(0, |word| spread((word >> (i % 2 * 32)) as u32));
        *touched |= columns | columns << 1 | columns << 2 | carry;
        // the last cell of the word touches the first tile of the next one
        carry = columns >> 62;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(rows: &[&str]) -> Mask {
        Mask::read(rows).unwrap()
    }

    /// A mask of random characters, `inside` in eight of them inside.
    fn random(width: usize, height: usize, inside: u64, mut state: u64) -> Vec<String> {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 40
        };
        let mut row = |_| (0..width).map(|_| if next() % 8 < inside { '#' } else { ' ' }).collect();
        (0..height).map(&mut row).collect()
    }

    #[test]
    fn void_is_what_is_outside_and_touches_no_cell() {
        for (width, height, seed) in [(3, 3, 1), (9, 5, 2), (63, 7, 3), (65, 9, 4), (129, 31, 5), (131, 33, 6)] {
            for inside in 0..=8 {
                let rows = random(width, height, inside, seed);
                let read = Mask::read(&rows).unwrap();
                let is_inside = |x: usize, y: usize| rows[y].as_bytes()[x] != b' ';
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    let around = |at: usize, most: usize| at.saturating_sub(1)..=(at + 1).min(most - 1);
                    let mut near = around(y, height).flat_map(|y| around(x, width).map(move |x| (x, y)));
                    let touches = near.any(|(x, y)| x % 2 == 1 && y % 2 == 1 && is_inside(x, y));
                    assert_eq!(read.void().get(x, y), !is_inside(x, y) && !touches, "[{x},{y}] {inside} of {width}");
                    if x % 2 == 1 && y % 2 == 1 {
                        assert_eq!(read.cells().get(x / 2, y / 2), is_inside(x, y));
                    }
                }
            }
        }
    }

    #[test]
    fn a_ragged_mask_is_told_its_row() {
        assert!(Mask::read(&["###", "##"]).unwrap_err().contains("row 1 has 2"));
        assert!(Mask::read(&["##", "###", "##"]).unwrap_err().contains("row 1 has 3"));
        assert!(Mask::read(&["미로방", "###"]).is_ok(), "characters are counted, not bytes");
    }

    #[test]
    fn the_ends_are_the_first_and_the_last_cell() {
        let none = mask(&["   ", "# #", "   "]);
        assert_eq!(none.ends(), None);
        let some = mask(&["     ", "   # ", "     ", " #   ", "     "]);
        assert_eq!(some.ends(), Some([Tile { x: 3, y: 1 }, Tile { x: 1, y: 3 }]));
        let wide = mask(&[&" ".repeat(301), &format!("{}#{}", " ".repeat(161), " ".repeat(139)), &" ".repeat(301)]);
        assert_eq!(wide.ends(), Some([Tile { x: 161, y: 1 }; 2]));
    }

    #[test]
    fn pieces_are_counted_and_each_is_named() {
        let one = mask(&["#####", "#####", "#####", "#####", "#####"]);
        assert!(one.has_all_cells() && one.has_all_tiles());
        assert_eq!(one.pieces(9, Halt::never()), Ok((vec![Tile { x: 1, y: 1 }], 1)));
        let two = mask(&["#####", "##  #", "#####", "#  ##", "#####"]);
        assert_eq!(two.pieces(9, Halt::never()), Ok((vec![Tile { x: 1, y: 1 }, Tile { x: 3, y: 3 }], 2)), "diagonal");
        assert_eq!(two.pieces(1, Halt::never()), Ok((vec![Tile { x: 1, y: 1 }], 2)));
        assert_eq!(two.pieces(1, Halt::when(&|| true)).map(|(_, count)| count), Ok(2), "too little work to ask");
    }

    #[test]
    fn names_tell_masks_apart_but_not_characters_that_mean_the_same() {
        let names = [
            mask(&["###", "###", "###"]),
            mask(&["   ", "   ", "   "]),
            mask(&["   ", " # ", "   "]),
            mask(&["    ", " #  ", "   #"]),
        ];
        let names = names.each_ref().map(Mask::name);
        assert_eq!(names[0], names[2], "a cell's surroundings are walls, whatever was drawn there");
        assert_ne!(names[0], names[1]);
        assert_ne!(names[0], names[3]);
        assert_eq!(names[0].len(), 64);
    }
}
