//! A level unpacked to one mark for each tile. The mark is a byte for searches that record which tiles they visited,
//! and a word for searches that count steps.

use crate::level::grid::{Direction, Grid, Size, Tile};
use crate::level::work::recycled;

/// The mark of an open tile that no search has visited yet. The mark of a wall is 0.
pub(crate) const OPEN: u8 = 0x80;

/// Steps to an open tile that no search has visited yet: more than to any visited tile.
pub(crate) const UNMET: i32 = i32::MAX;

/// Steps to a wall: fewer than to any tile, so that no search finds a shorter path to it.
pub(crate) const NO_STEPS: i32 = -1;

/// What a map holds for a tile.
pub(crate) trait Mark: Copy + Default {
    /// The mark of a wall.
    const WALL: Self;

    /// The marks of eight tiles before a search; a one is an open tile.
    fn unpack(bits: u8) -> [Self; 8];
}

impl Mark for u8 {
    const WALL: Self = 0;

    fn unpack(bits: u8) -> [Self; 8] {
        unpack_byte(bits)
    }
}

impl Mark for i32 {
    const WALL: Self = NO_STEPS;

    fn unpack(bits: u8) -> [Self; 8] {
        // a compare and a select, four tiles at once
        [1, 2, 4, 8, 16, 32, 64, 128].map(|bit| if i32::from(bits) & bit == bit { UNMET } else { NO_STEPS })
    }
}

/// A mark for each tile, in row-major order, with walls around them: a row above, a row below, and one tile after each
/// row that serves as the end of this row and the beginning of the next. So a step from an open tile, even on the
/// border, never leaves the map. The first tile of a map of bytes is one of these walls and may hold any mark.
pub(crate) struct TileMap<'a, T = u8> {
    pub(crate) tiles: &'a mut [T],
    stride: u32,
}

impl<'a, T: Mark> TileMap<'a, T> {
    /// Marks in the map of a level of this size.
    pub(crate) const fn len(size: Size) -> usize {
        // a row is written in whole words; the next row overwrites the marks beyond the end of the row
        (size.width as usize + 1) * (size.height as usize + 2) + 64
    }

    /// Unpacks `grid` into `buffer`.
    #[inline(never)] // inlined, it would take registers from the search after it
    pub(crate) fn unpack(grid: &Grid, buffer: &'a mut Vec<T>) -> Self {
        let size = grid.size();
        let (width, height, stride) = (size.width as usize, size.height as usize, size.width as usize + 1);
        let buffer = recycled(buffer, Self::len(size));
        let (above, tiles) = buffer.split_at_mut(stride);
        above.fill(T::WALL);
        let mut row = vec![0; grid.words_per_row()];
        for y in 0..height {
            grid.read_row(y, &mut row);
            let out = &mut tiles[y * stride..];
            for (out, word) in out.chunks_exact_mut(64).zip(&row) {
                for (out, bits) in out.chunks_exact_mut(8).zip(word.to_le_bytes()) {
                    out.copy_from_slice(&T::unpack(bits));
                }
            }
            out[width] = T::WALL;
        }
        tiles[height * stride..][..stride].fill(T::WALL);
        Self { tiles: buffer, stride: stride as u32 }
    }

    /// The index of a tile.
    pub(crate) const fn index(&self, tile: Tile) -> u32 {
        (tile.y + 1) * self.stride + tile.x
    }

    /// The tile of an index.
    pub(crate) const fn tile(&self, index: u32) -> Tile {
        Tile { x: index % self.stride, y: index / self.stride - 1 }
    }

    /// For each direction, what to add (wrapping) to the index of a tile to get the next tile in that direction.
    pub(crate) const fn steps(&self) -> [u32; 4] {
        [self.stride.wrapping_neg(), 1, self.stride, u32::MAX]
    }

    /// The index of the next tile in a direction.
    pub(crate) const fn step(&self, index: u32, direction: Direction) -> u32 {
        index.wrapping_add(self.steps()[direction as usize])
    }
}

/// Fetches the tiles above and below `index` into the processor's cache. On a large map a search mostly waits for
/// these.
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "this processor has no such instruction"))]
#[inline]
pub(crate) fn prefetch<T: Mark>(map: &TileMap<T>, index: u32) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "a search on 4001 x 4001 tiles takes 12.0 ns a cell instead of 15.6")]
    for direction in [Direction::Up, Direction::Down] {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let tile = map.tiles.as_ptr().wrapping_add(map.step(index, direction) as usize);
        // SAFETY: a prefetch is a hint; it faults on no address and changes nothing that the program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(tile.cast()) };
    }
}

/// Eight bits as eight bytes, [`OPEN`] for each one.
const fn unpack_byte(bits: u8) -> [u8; 8] {
    // copies the byte into all eight bytes, keeps bit i of byte i, and carries that bit to the top bit of its byte
    let selected = (bits as u64 * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let top = (selected + 0x007f_7f7f_7f7f_7f7f) & 0x8080_8080_8080_8080;
    (top | selected & 0x8000_0000_0000_0000).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::grid::{Bitmap, OpenTiles};

    #[test]
    fn a_map_of_open_tiles_has_walls_around_it() {
        walls_surround(OPEN);
        walls_surround(UNMET);
    }

    /// Widths around whole words, whatever the buffer held before.
    fn walls_surround<T: Mark + PartialEq + std::fmt::Debug>(open_mark: T) {
        let mut buffer = vec![open_mark; 100_000];
        for (width, height) in [1, 2, 3, 7, 63, 64, 65, 127, 128, 130].into_iter().flat_map(|w| [(w, 1), (w, 5)]) {
            let mut open = Bitmap::new(width, height);
            (0..height).for_each(|y| open.set_run(0, y, width));
            let grid = Grid::new(OpenTiles::Rooms(open));
            let map = TileMap::<T>::unpack(&grid, &mut buffer);
            let Size { width, height } = grid.size();
            for tile in (0..height).flat_map(|y| (0..width).map(move |x| Tile { x, y })) {
                let index = map.index(tile);
                assert_eq!(map.tile(index), tile);
                assert_eq!(map.tiles[index as usize], open_mark, "{tile:?} of {width}x{height}");
                for direction in Direction::ALL {
                    let next = map.tiles[map.step(index, direction) as usize];
                    let inside = grid.is_open(tile.step(direction));
                    assert_eq!(
                        next,
                        if inside { open_mark } else { T::WALL },
                        "{direction:?} of {tile:?} of {width}x{height}"
                    );
                }
            }
        }
    }

    #[test]
    fn bits_become_marks_in_order() {
        for bits in 0..=255 {
            for (i, (byte, word)) in u8::unpack(bits).into_iter().zip(i32::unpack(bits)).enumerate() {
                let open = bits >> i & 1 == 1;
                assert_eq!(byte, if open { OPEN } else { 0 }, "bit {i} of {bits:#b}");
                assert_eq!(word, if open { UNMET } else { NO_STEPS }, "bit {i} of {bits:#b}");
            }
        }
    }
}
