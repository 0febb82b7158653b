//! Walls: which rooms they part, and where doors fit.

use crate::level::algorithms::bsp::cut::Axis;
use crate::level::grid::Room;

/// The side of a room along a wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    /// Where it starts.
    pub(crate) start: u32,
    /// The first place past it.
    pub(crate) end: u32,
    pub(crate) room: u32,
}

/// A stretch of a wall with one room all along each side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    pub(crate) start: u32,
    length: u32,
    /// The rooms before and behind the wall.
    pub(crate) rooms: [u32; 2],
}

impl Stretch {
    /// In how many places a door of so many tiles fits.
    pub(crate) const fn places(&self, door: u32) -> u32 {
        (self.length + 1).saturating_sub(door)
    }

    /// Whether it holds this place.
    pub(crate) const fn contains(&self, place: u32) -> bool {
        self.start <= place && place < self.start + self.length
    }
}

/// The stretches between the sides before and behind a wall, all in their order along it. Between two stretches at
/// least one side has the foot of a crossing wall, and no door may stand there, even if that wall has a door of its own
/// at its foot.
pub(crate) fn stretches(
    mut before: impl Iterator<Item = Side>,
    mut behind: impl Iterator<Item = Side>,
) -> impl Iterator<Item = Stretch> {
    let mut sides = [before.next(), behind.next()];
    std::iter::from_fn(move || {
        loop {
            let [Some(a), Some(b)] = sides else { return None };
            let (start, end) = (a.start.max(b.start), a.end.min(b.end));
            if a.end == end {
                sides[0] = before.next();
            }
            if b.end == end {
                sides[1] = behind.next();
            }
            if start < end {
                return Some(Stretch { start, length: end - start, rooms: [a.room, b.room] });
            }
        }
    })
}

/// The first tile of a room along an axis, and the one past its last.
pub(crate) const fn span(room: &Room, axis: Axis) -> (u32, u32) {
    match axis {
        Axis::X => (room.x, room.x + room.width),
        Axis::Y => (room.y, room.y + room.height),
    }
}
