//! Masks: which part of a rectangle a level may use.
//!
//! A mask has a character for each tile: a space is outside, anything else inside. Of a maze, the cells whose characters
//! are inside are part of it, and a passage between two of them may open whatever its own character is. Of a room map,
//! the tiles inside the border whose characters are inside are part of it. A tile that touches no open one is void where
//! its character is a space, else a wall.

use std::borrow::Borrow;

use sha2::{Digest, Sha256};

use crate::level::grid::kind::LevelKind;
use crate::level::grid::{Bitmap, Size, Tile, spread};
use crate::level::work::{Cancel, Cancelled};

/// A mask that was read: some rectangle, and what of it may be open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    size: Size,
    ground: LevelKind,
    /// A one for each place inside: in row `y` and column `x` for the tile that [`LevelKind::tile`] says.
    places: Bitmap,
    /// A one for each tile whose character is a space. In mazes those that touch a cell are left out: they are walls in
    /// each of them.
    outside: Bitmap,
    /// Made once, for it takes as long as to read the mask.
    name: String,
}

impl Mask {
    /// Reads a mask whose rows are `rows`, at least three of at least three characters.
    ///
    /// # Errors
    /// Says which row has another length than the first one. Sides are the caller's to check.
    pub fn read(rows: &[impl Borrow<str>], ground: LevelKind) -> Result<Self, String> {
        let rows: Vec<&str> = rows.iter().map(Borrow::borrow).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        let mut outside = Bitmap::new(width, rows.len());
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
        let places = places_inside(&outside, size, ground);
        if ground == LevelKind::Maze {
            shut_around_cells(&mut outside, &places);
        }
        let name = name(size, &places, &outside);
        Ok(Self { size, ground, places, outside, name })
    }

    /// The sides of the rectangle in tiles.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// A one for each place inside: each cell of a maze, in its column and row of cells, or each tile of a room map, in
    /// its column and row inside the border.
    pub const fn places(&self) -> &Bitmap {
        &self.places
    }

    /// Whether it leaves nothing out: all places are inside. Such a mask is none.
    pub fn has_all_places(&self) -> bool {
        self.places.count() == self.places.width() as u64 * self.places.height() as u64
    }

    /// The first and the last place inside, in row order. Both are open in every level, and no other tile that is comes
    /// before or behind them.
    pub fn endpoints(&self) -> Option<[Tile; 2]> {
        let filled = |y: &usize| self.places.row(*y).iter().any(|word| *word > 0);
        let (top, bottom) = ((0..self.places.height()).find(filled)?, (0..self.places.height()).rfind(filled)?);
        let bits_before = |word: usize| word as u32 * 64;
        let first = self.places.row(top).iter().enumerate().find(|(_, word)| **word > 0);
        let last = self.places.row(bottom).iter().enumerate().rfind(|(_, word)| **word > 0);
        let left = first.map(|(i, word)| bits_before(i) + word.trailing_zeros())?;
        let right = last.map(|(i, word)| bits_before(i) + word.ilog2())?;
        Some([self.ground.tile(left, top as u32), self.ground.tile(right, bottom as u32)])
    }

    /// Whether a tile can be open in some level of this mask: it is a place inside, or lies between two of them.
    pub fn may_be_open(&self, tile: Tile) -> bool {
        let has = |x: u32, y: u32| {
            let (column, row) = (x.wrapping_sub(1) / self.ground.spacing(), y.wrapping_sub(1) / self.ground.spacing());
            let (column, row) = (column as usize, row as usize);
            column < self.places.width() && row < self.places.height() && self.places.get(column, row)
        };
        let Tile { x, y } = tile;
        match (self.ground, x % 2, y % 2) {
            (LevelKind::Rooms, ..) | (_, 1, 1) => has(x, y),
            (_, 0, 1) => x > 0 && has(x - 1, y) && has(x + 1, y),
            (_, 1, 0) => y > 0 && has(x, y - 1) && has(x, y + 1),
            _ => false,
        }
    }

    /// A one for each tile whose character is a space and which touches no tile that is open in every level of this mask.
    pub(crate) const fn outside(&self) -> &Bitmap {
        &self.outside
    }

    /// The most tiles that are void in a level of this mask.
    pub fn most_void(&self) -> u64 {
        self.outside.count()
    }

    /// Names the mask: two masks of the same name give the same levels.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A place of each piece that the places fall into, as far as they lie side by side: of at most `most` pieces, and
    /// how many there are.
    ///
    /// # Errors
    /// Where the job is told to stop.
    pub fn pieces(&self, most: usize, cancel: Cancel) -> Result<(Vec<Tile>, usize), Cancelled> {
        let mut left = self.places.clone();
        let (columns, rows) = (left.width(), left.height());
        let (mut found, mut count, mut steps) = (Vec::new(), 0, 0_u32);
        let mut waiting = Vec::new();
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            if !take(&mut left, x, y) {
                continue;
            }
            count += 1;
            if found.len() < most {
                found.push(self.ground.tile(x as u32, y as u32));
            }
            waiting.push((x as u32, y as u32));
            while let Some((x, y)) = waiting.pop() {
                steps += 1;
                if steps.is_multiple_of(4096) {
                    cancel.check()?;
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
        self.places.bytes() + self.outside.bytes()
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
    pub inside: Option<&'a Bitmap>,
}

impl<'a> Shape<'a> {
    /// All cells of a rectangle.
    pub const fn rectangle((columns, rows): (usize, usize)) -> Self {
        Self { columns, rows, inside: None }
    }

    /// The cells that the mask of a maze leaves.
    pub const fn masked(mask: &'a Mask) -> Self {
        let cells = mask.places();
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
fn name(size: Size, places: &Bitmap, outside: &Bitmap) -> String {
    let mut digest = Sha256::new();
    digest.update([size.width.to_le_bytes(), size.height.to_le_bytes()].concat());
    for word in places.words().iter().chain(outside.words()) {
        digest.update(word.to_le_bytes());
    }
    digest.finalize().iter().fold(String::new(), |name, byte| name + &format!("{byte:02x}"))
}

/// Takes a bit out of a plane; `false` where it was not there.
fn take(plane: &mut Bitmap, x: usize, y: usize) -> bool {
    let word = &mut plane.row_mut(y)[x / 64];
    let bit = 1 << (x % 64);
    let was = *word & bit > 0;
    *word &= !bit;
    was
}

/// The places whose tiles are not outside.
fn places_inside(outside: &Bitmap, size: Size, ground: LevelKind) -> Bitmap {
    let (columns, rows) = ground.places(size);
    let mut places = Bitmap::new(columns, rows);
    for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
        let tile = ground.tile(x as u32, y as u32);
        if !outside.get(tile.x as usize, tile.y as usize) {
            places.set(x, y);
        }
    }
    places
}

/// Takes out of `outside` what touches a cell.
fn shut_around_cells(outside: &mut Bitmap, cells: &Bitmap) {
    let mut near = vec![0; outside.width().div_ceil(64)];
    for row in 0..cells.height() {
        for (i, word) in near.iter_mut().enumerate() {
            *word = cells.row(row).get(i / 2).map_or(0, |cells| spread((cells >> (i % 2 * 32)) as u32) << 1);
        }
        widen(&mut near);
        for y in 2 * row..2 * row + 3 {
            for (word, near) in outside.row_mut(y).iter_mut().zip(&near) {
                *word &= !near;
            }
        }
    }
}

/// Adds to the ones of a row those beside them.
pub(crate) fn widen(row: &mut [u64]) {
    let mut before = 0;
    for i in 0..row.len() {
        let word = row[i];
        let behind = row.get(i + 1).map_or(0, |next| next << 63);
        row[i] |= word << 1 | word >> 1 | before >> 63 | behind;
        before = word;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::level::grid::{Grid, OpenTiles};

    fn mask(rows: &[&str]) -> Mask {
        Mask::read(rows, LevelKind::Maze).unwrap()
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
                let read = Mask::read(&rows, LevelKind::Maze).unwrap();
                let is_inside = |x: usize, y: usize| rows[y].as_bytes()[x] != b' ';
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    let around = |at: usize, most: usize| at.saturating_sub(1)..=(at + 1).min(most - 1);
                    let mut near = around(y, height).flat_map(|y| around(x, width).map(move |x| (x, y)));
                    let touches = near.any(|(x, y)| x % 2 == 1 && y % 2 == 1 && is_inside(x, y));
                    assert_eq!(read.outside.get(x, y), !is_inside(x, y) && !touches, "[{x},{y}] {inside} of {width}");
                    if x % 2 == 1 && y % 2 == 1 {
                        assert_eq!(read.places().get(x / 2, y / 2), is_inside(x, y));
                    }
                }
            }
        }
    }

    #[test]
    fn of_a_room_map_void_is_what_is_outside_and_touches_no_open_tile() {
        for (width, height, seed) in [(3, 4, 1), (64, 9, 2), (65, 8, 3), (130, 7, 4)] {
            let (rows, open) = (random(width, height, 4, seed), random(width, height, 1, seed + 9));
            let read = Mask::read(&rows, LevelKind::Rooms).unwrap();
            let mut tiles = Bitmap::new(width, height);
            let all = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            let has = |rows: &[String], x: usize, y: usize| rows[y].as_bytes()[x] != b' ';
            all().filter(|&(x, y)| has(&open, x, y)).for_each(|(x, y)| tiles.set(x, y));
            let mut grid = Grid::new(OpenTiles::Rooms(tiles));
            grid.set_mask(&Arc::new(read.clone()));
            let void = grid.outline.unwrap().void;
            for (x, y) in all() {
                let near = |at: usize, most: usize| at.saturating_sub(1)..(at + 2).min(most);
                let touches = near(y, height).any(|y| near(x, width).any(|x| has(&open, x, y)));
                assert_eq!(void.get(x, y), !has(&rows, x, y) && !touches, "[{x},{y}]");
                let tile = Tile { x: x as u32, y: y as u32 };
                let on_border = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
                assert_eq!(read.may_be_open(tile), has(&rows, x, y) && !on_border, "[{x},{y}]");
            }
        }
    }

    #[test]
    fn a_ragged_mask_is_told_its_row() {
        let read = |rows: &[&str]| Mask::read(rows, LevelKind::Maze);
        assert!(read(&["###", "##", "###"]).unwrap_err().contains("row 1 has 2"));
        assert!(read(&["##", "###", "##"]).unwrap_err().contains("row 1 has 3"));
        assert!(read(&["미로방", "###", "###"]).is_ok(), "characters are counted, not bytes");
    }

    #[test]
    fn the_ends_are_the_first_and_the_last_cell() {
        let none = mask(&["   ", "# #", "   "]);
        assert_eq!(none.endpoints(), None);
        let some = mask(&["     ", "   # ", "     ", " #   ", "     "]);
        assert_eq!(some.endpoints(), Some([Tile { x: 3, y: 1 }, Tile { x: 1, y: 3 }]));
        let wide = mask(&[&" ".repeat(301), &format!("{}#{}", " ".repeat(161), " ".repeat(139)), &" ".repeat(301)]);
        assert_eq!(wide.endpoints(), Some([Tile { x: 161, y: 1 }; 2]));
    }

    #[test]
    fn pieces_are_counted_and_each_is_named() {
        let one = mask(&["#####", "#####", "#####", "#####", "#####"]);
        assert!(one.has_all_places());
        assert_eq!(one.pieces(9, Cancel::never()), Ok((vec![Tile { x: 1, y: 1 }], 1)));
        let two = mask(&["#####", "##  #", "#####", "#  ##", "#####"]);
        assert_eq!(two.pieces(9, Cancel::never()), Ok((vec![Tile { x: 1, y: 1 }, Tile { x: 3, y: 3 }], 2)), "diagonal");
        assert_eq!(two.pieces(1, Cancel::never()), Ok((vec![Tile { x: 1, y: 1 }], 2)));
        assert_eq!(two.pieces(1, Cancel::when(&|| true)).map(|(_, count)| count), Ok(2), "too little work to ask");
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
