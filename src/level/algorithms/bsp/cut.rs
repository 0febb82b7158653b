//! What the cuts of both constructions have in common: an axis, a place within the jitter, and a door.

use crate::level::grid::{Direction, Door, Tile};
use crate::level::parameters::options::FRACTION_UNIT;

/// One of the two directions of the grid; its number is its place in a pair of lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    /// Along the columns' numbers.
    X = 0,
    /// Along the rows' numbers.
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

/// A door through the wall in column or row `wall`, from `start` on along it.
pub(crate) fn make_door(axis: Axis, wall: u32, start: u32, length: u32, mut rooms: [u32; 2]) -> Door {
    rooms.sort_unstable();
    let (first, along) = match axis {
        Axis::X => (Tile { x: wall, y: start }, Direction::Down),
        Axis::Y => (Tile { x: start, y: wall }, Direction::Right),
    };
    Door { first, along, length, rooms }
}

/// The least and the greatest length that `few` of `rooms` rooms should get of `length`: their share, give or take
/// `jitter` of it, but half a tile at least, so that a whole number of tiles is among them. Exact, in whole numbers.
pub(crate) fn window(length: u32, few: u32, rooms: u32, jitter: u64) -> (u32, u32) {
    let unit = u64::from(rooms) * FRACTION_UNIT;
    let share = u64::from(length - 1) * u64::from(few);
    let ideal = share * FRACTION_UNIT;
    let stray = (share * jitter).max(unit / 2);
    (ideal.saturating_sub(stray).div_ceil(unit) as u32, ((ideal + stray) / unit) as u32)
}

/// How many of so many pairs of rooms a share of them is, in [`FRACTION_UNIT`]s: rounded, a half up.
pub(crate) fn share_of(pairs: u32, share: u64) -> u32 {
    ((u64::from(pairs) * share + FRACTION_UNIT / 2) / FRACTION_UNIT) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_lies_around_the_share_of_the_rooms() {
        // 38 tiles beside the wall: 19 each, give or take 3.8
        assert_eq!(window(39, 1, 2, 2_000), (16, 22));
        assert_eq!(window(39, 1, 2, 0), (19, 19));
        assert_eq!(window(39, 1, 2, 9_000), (2, 36));
        // 9 tiles: four and a half each, so that two places are equally near
        assert_eq!(window(10, 1, 2, 0), (4, 5));
        assert_eq!(window(10, 1, 2, 1_000), (4, 5));
        assert_eq!(window(10, 1, 2, 5_000), (3, 6));
        // a third of 38 is 12.67
        assert_eq!(window(39, 1, 3, 0), (13, 13));
        assert_eq!(window(39, 1, 3, 2_000), (11, 15));
    }
}
