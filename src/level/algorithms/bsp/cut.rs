//! What the cuts in a rectangle and in a mask have in common: an axis, a position within the jitter, and a door.

use crate::level::grid::{Direction, Door, Tile};
use crate::level::parameters::options::FRACTION_UNIT;

/// One of the two axes of the grid; `axis as usize` is its index in an array like `[width, height]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    /// Along the width: positions are columns.
    X = 0,
    /// Along the height: positions are rows.
    Y = 1,
}

impl Axis {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::X => Self::Y,
            Self::Y => Self::X,
        }
    }
}

/// A door of `length` tiles through the wall in column or row `wall`; `start` is the position of its first tile along
/// the wall.
pub(crate) fn make_door(axis: Axis, wall: u32, start: u32, length: u32, mut rooms: [u32; 2]) -> Door {
    rooms.sort_unstable();
    let (first, along) = match axis {
        Axis::X => (Tile { x: wall, y: start }, Direction::Down),
        Axis::Y => (Tile { x: start, y: wall }, Direction::Right),
    };
    Door { first, along, length, rooms }
}

/// The least and the greatest length of the side that gets `few` of the `rooms` rooms of a part. The ideal length is in
/// proportion to the rooms: `(length - 1) * few / rooms`, because the wall takes one of the part's `length` tiles. The
/// length may deviate by a fraction `jitter` of the ideal, but at least by half a tile, so that some whole number is
/// allowed. Exact, in integers.
pub(crate) fn window(length: u32, few: u32, rooms: u32, jitter: u64) -> (u32, u32) {
    let unit = u64::from(rooms) * FRACTION_UNIT;
    let proportion = u64::from(length - 1) * u64::from(few);
    let ideal = proportion * FRACTION_UNIT;
    let deviation = (proportion * jitter).max(unit / 2);
    (ideal.saturating_sub(deviation).div_ceil(unit) as u32, ((ideal + deviation) / unit) as u32)
}

/// `fraction` of a number of pairs, counted in [`FRACTION_UNIT`]s: rounded to the nearest whole number, halves up.
pub(crate) fn fraction_of(pairs: u32, fraction: u64) -> u32 {
    ((u64::from(pairs) * fraction + FRACTION_UNIT / 2) / FRACTION_UNIT) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_lies_around_the_length_in_proportion_to_the_rooms() {
        // 38 tiles without the wall: 19 each, plus or minus 3.8
        assert_eq!(window(39, 1, 2, 2_000), (16, 22));
        assert_eq!(window(39, 1, 2, 0), (19, 19));
        assert_eq!(window(39, 1, 2, 9_000), (2, 36));
        // 9 tiles: 4.5 each, so that two lengths are equally near
        assert_eq!(window(10, 1, 2, 0), (4, 5));
        assert_eq!(window(10, 1, 2, 1_000), (4, 5));
        assert_eq!(window(10, 1, 2, 5_000), (3, 6));
        // a third of 38 is 12.67
        assert_eq!(window(39, 1, 3, 0), (13, 13));
        assert_eq!(window(39, 1, 3, 2_000), (11, 15));
    }
}
