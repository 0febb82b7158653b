//! Masks: which part of a rectangle a level may use.
//!
//! A mask has a character for each tile: a space is outside, any other character is inside. In a maze only the
//! characters of the cells count: the maze joins the cells inside, and a passage between two of them may open whatever
//! its own character is. A room map may open the tiles inside the border whose characters are inside. A tile that
//! touches no open tile is void if its character is a space, and a wall otherwise.

use std::borrow::Borrow;

use sha2::{Digest, Sha256};

use crate::level::grid::bitmap::{Bitmap, spread, widen};
use crate::level::grid::kind::LevelKind;
use crate::level::grid::tile::{Size, Tile};

/// A mask that was read: the sides of its rectangle, and which tiles of it may be open.
///
/// ```
/// use mazed::level::grid::{LevelKind, Mask, Tile};
///
/// // an L of three cells
/// let rows = ["#####", "##  #", "#####", "#####", "#####"];
/// let mask = Mask::read(&rows, LevelKind::Maze).expect("rows of equal length");
/// assert_eq!(mask.positions().count(), 3);
/// assert_eq!(mask.endpoints(), Some([Tile { x: 1, y: 1 }, Tile { x: 3, y: 3 }]));
/// assert!(!mask.may_be_open(Tile { x: 3, y: 1 }));
///
/// let error = Mask::read(&["###", "##", "###"], LevelKind::Maze).unwrap_err();
/// assert!(error.starts_with("is ragged: row 1 has 2 characters, row 0 has 3"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    size: Size,
    kind: LevelKind,
    /// A one for each position inside: [`LevelKind::tile`] says which tile column `x` of row `y` is.
    positions: Bitmap,
    /// A one for each tile whose character is a space. In a maze, tiles that touch a cell inside the mask are left out:
    /// such a tile is a wall or open, never void.
    outside: Bitmap,
    /// Stored because computing it takes as long as reading the mask.
    digest: String,
}

impl Mask {
    /// Reads a mask from its rows: at least three, of at least three characters each. The caller checks the sides.
    ///
    /// # Errors
    /// Names the first row whose length differs from that of row 0.
    pub fn read(rows: &[impl Borrow<str>], kind: LevelKind) -> Result<Self, String> {
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
        let positions = positions_inside(&outside, size, kind);
        if kind == LevelKind::Maze {
            clear_around_cells(&mut outside, &positions);
        }
        let digest = digest(size, &positions, &outside);
        Ok(Self { size, kind, positions, outside, digest })
    }

    /// The sides of the rectangle in tiles.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// What kind of level the mask was read for.
    pub(crate) const fn kind(&self) -> LevelKind {
        self.kind
    }

    /// A one for each position inside: for a maze a bit for each cell, for a room map a bit for each tile inside the
    /// border.
    pub const fn positions(&self) -> &Bitmap {
        &self.positions
    }

    /// Whether all positions are inside. Such a mask leaves nothing out: it gives the same level as no mask.
    pub fn is_full(&self) -> bool {
        self.positions.count() == self.positions.width() as u64 * self.positions.height() as u64
    }

    /// The first and the last position inside, in row-major order; `None` if no position is inside. Both are open in
    /// every level of this mask, and no open tile inside the border comes before the first or after the last.
    pub fn endpoints(&self) -> Option<[Tile; 2]> {
        let filled = |y: &usize| self.positions.row(*y).iter().any(|word| *word > 0);
        let (top, bottom) = ((0..self.positions.height()).find(filled)?, (0..self.positions.height()).rfind(filled)?);
        let bits_before = |word: usize| word as u32 * 64;
        let first = self.positions.row(top).iter().enumerate().find(|(_, word)| **word > 0);
        let last = self.positions.row(bottom).iter().enumerate().rfind(|(_, word)| **word > 0);
        let left = first.map(|(i, word)| bits_before(i) + word.trailing_zeros())?;
        let right = last.map(|(i, word)| bits_before(i) + word.ilog2())?;
        Some([self.kind.tile(left, top as u32), self.kind.tile(right, bottom as u32)])
    }

    /// Whether a tile can be open in some level of this mask: a position inside, or a tile between two of them.
    pub fn may_be_open(&self, tile: Tile) -> bool {
        let has = |x: u32, y: u32| {
            let (column, row) = (x.wrapping_sub(1) / self.kind.spacing(), y.wrapping_sub(1) / self.kind.spacing());
            let (column, row) = (column as usize, row as usize);
            column < self.positions.width() && row < self.positions.height() && self.positions.get(column, row)
        };
        let Tile { x, y } = tile;
        match (self.kind, x % 2, y % 2) {
            (LevelKind::Rooms, ..) | (_, 1, 1) => has(x, y),
            (_, 0, 1) => x > 0 && has(x - 1, y) && has(x + 1, y),
            (_, 1, 0) => y > 0 && has(x, y - 1) && has(x, y + 1),
            _ => false,
        }
    }

    /// A one for each tile whose character is a space and which touches no tile that is open in every level of this
    /// mask.
    pub(crate) const fn outside(&self) -> &Bitmap {
        &self.outside
    }

    /// The most tiles that are void in a level of this mask.
    pub fn most_void(&self) -> u64 {
        self.outside.count()
    }

    /// Identifies the mask: two masks with the same digest give the same levels.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Bytes on the heap.
    pub const fn bytes(&self) -> usize {
        self.positions.bytes() + self.outside.bytes()
    }
}

/// SHA-256: with a weaker hash a client could make two masks with the same digest, and the cache would answer a request
/// for one with the level of the other.
fn digest(size: Size, positions: &Bitmap, outside: &Bitmap) -> String {
    let mut sha = Sha256::new();
    sha.update([size.width.to_le_bytes(), size.height.to_le_bytes()].concat());
    for word in positions.words().iter().chain(outside.words()) {
        sha.update(word.to_le_bytes());
    }
    sha.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// The positions whose tiles are not outside.
fn positions_inside(outside: &Bitmap, size: Size, kind: LevelKind) -> Bitmap {
    let (columns, rows) = kind.positions(size);
    let mut positions = Bitmap::new(columns, rows);
    for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
        let tile = kind.tile(x as u32, y as u32);
        if !outside.get(tile.x as usize, tile.y as usize) {
            positions.set(x, y);
        }
    }
    positions
}

/// Clears the bits of `outside` that touch a cell.
fn clear_around_cells(outside: &mut Bitmap, cells: &Bitmap) {
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

#[cfg(test)]
mod tests;
