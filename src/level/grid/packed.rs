//! The packed grid: which tiles are open.

use std::sync::Arc;

use crate::level::grid::bitmap::{Bitmap, spread, widen};
use crate::level::grid::mask::Mask;
use crate::level::grid::passages::Passages;
use crate::level::grid::tile::{Size, Tile};

/// The open tiles inside the border, in one of two layouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenTiles {
    /// A maze: cells on the tiles with odd x and odd y, joined by passages.
    Maze(Passages),
    /// A room map: a one where a tile is open.
    Rooms(Bitmap),
}

/// Which part of its rectangle belongs to a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// Which tiles may be open.
    pub mask: Arc<Mask>,
    /// A one for each tile that does not belong to this level, not even as a wall.
    pub void: Bitmap,
}

/// Which tiles of a level are open, which are walls, and which are void.
///
/// ```
/// use mazed::level::grid::{Direction, Grid, OpenTiles, Passages, Tile};
///
/// // two cells side by side, joined by one passage
/// let mut passages = Passages::new((2, 1));
/// passages.open((0, 0), Direction::Right);
/// let grid = Grid::new(OpenTiles::Maze(passages));
/// assert_eq!((grid.size().width, grid.size().height), (5, 3));
/// assert!(grid.is_open(Tile { x: 2, y: 1 }) && !grid.is_open(Tile { x: 2, y: 2 }));
///
/// // a row as bits, the leftmost tile lowest
/// let mut row = vec![0; grid.words_per_row()];
/// grid.read_row(1, &mut row);
/// assert_eq!(row, [0b01110]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// The open tiles inside the border.
    pub open_tiles: OpenTiles,
    /// Which part of the rectangle belongs to the level, unless all of it does.
    pub outline: Option<Outline>,
    /// The tiles of the border that are open: none, or one beside the start and one beside the exit.
    pub openings: Option<[Tile; 2]>,
}

impl Grid {
    /// A whole rectangle with a closed border.
    pub const fn new(open_tiles: OpenTiles) -> Self {
        Self { open_tiles, outline: None, openings: None }
    }

    /// The sides of the level in tiles.
    pub fn size(&self) -> Size {
        match &self.open_tiles {
            OpenTiles::Maze(Passages { east, .. }) => {
                Size { width: east.width() as u32 * 2 + 1, height: east.height() as u32 * 2 + 1 }
            }
            OpenTiles::Rooms(open) => Size { width: open.width() as u32, height: open.height() as u32 },
        }
    }

    /// Whether a tile of the level is open; `false` outside it.
    pub fn is_open(&self, tile: Tile) -> bool {
        if !self.size().contains(tile) {
            return false;
        }
        let (x, y) = (tile.x as usize, tile.y as usize);
        let inside = match &self.open_tiles {
            OpenTiles::Rooms(open) => open.get(x, y),
            OpenTiles::Maze(Passages { east, south }) => match (x % 2, y % 2) {
                (1, 1) => self.outline.as_ref().is_none_or(|outline| outline.mask.positions().get(x / 2, y / 2)),
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

    /// Sets the outline that follows from a mask and the tiles that are open now.
    pub(crate) fn set_mask(&mut self, mask: &Arc<Mask>) {
        // `void_outside` reads rows of the grid, and to read a row the grid needs the mask, which says which cells of a
        // maze are open: so the mask is stored first
        self.outline = Some(Outline { mask: Arc::clone(mask), void: Bitmap::new(0, 0) });
        let void = self.void_outside(mask.outside());
        self.outline = Some(Outline { mask: Arc::clone(mask), void });
    }

    /// A one for each tile of `outside` that touches no open tile.
    fn void_outside(&self, outside: &Bitmap) -> Bitmap {
        let mut void = outside.clone();
        let mut open = vec![0; self.words_per_row()];
        for y in 0..void.height() {
            self.read_row(y, &mut open);
            widen(&mut open);
            for near in y.saturating_sub(1)..(y + 2).min(void.height()) {
                for (word, open) in void.row_mut(near).iter_mut().zip(&open) {
                    *word &= !open;
                }
            }
        }
        void
    }

    /// The number of words of a row that [`Grid::read_row`] writes.
    pub fn words_per_row(&self) -> usize {
        (self.size().width as usize).div_ceil(64)
    }

    /// Writes row `y` into `out` ([`Grid::words_per_row`] words), a one for each open tile, leftmost tile in bit 0.
    pub fn read_row(&self, y: usize, out: &mut [u64]) {
        match (&self.open_tiles, &self.outline) {
            (OpenTiles::Rooms(open), _) => out.copy_from_slice(open.row(y)),
            (OpenTiles::Maze(Passages { east, .. }), outline) if y % 2 == 1 => {
                let passages = east.row(y / 2);
                let last = passages.len() - 1;
                match outline {
                    Some(Outline { mask, .. }) => weave(out, passages, |word| mask.positions().row(y / 2)[word]),
                    None => weave(out, passages, |word| if word < last { u64::MAX } else { east.last_word_mask() }),
                }
            }
            (OpenTiles::Maze(Passages { south, .. }), _) => {
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

    /// Bytes on the heap, without those of the mask, which belongs to the recipe.
    pub fn bytes(&self) -> usize {
        let bytes = match &self.open_tiles {
            OpenTiles::Maze(Passages { east, south }) => east.bytes() + south.bytes(),
            OpenTiles::Rooms(open) => open.bytes(),
        };
        bytes + self.outline.as_ref().map_or(0, |outline| outline.void.bytes())
    }
}

/// Writes a row of cells as tiles: cell `c` becomes tile `2c + 1`, its passage to the right becomes tile `2c + 2`.
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

/// Writes the row between two rows of cells as tiles: the passage below cell `c` becomes tile `2c + 1`.
fn weave_only(out: &mut [u64], passages: &[u64]) {
    for (i, tiles) in out.iter_mut().enumerate() {
        *tiles = passages.get(i / 2).map_or(0, |open| spread((open >> (i % 2 * 32)) as u32) << 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::grid::Direction;

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
            rows_agree_with_is_open(&Grid::new(OpenTiles::Maze(passages)));
        }
    }

    #[test]
    fn a_run_is_its_single_bits() {
        for (x, length) in (0..140).flat_map(|x| [0, 1, 2, 63, 64, 65, 140].map(|length: usize| (x, length))) {
            let length = length.min(140 - x);
            let (mut run, mut single) = (Bitmap::new(140, 3), Bitmap::new(140, 3));
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
    fn tiles_outside_are_closed() {
        let grid = Grid::new(OpenTiles::Maze(Passages::new((2, 2))));
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
