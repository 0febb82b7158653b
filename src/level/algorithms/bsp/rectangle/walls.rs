//! Walls: which rooms they separate, and where doors fit.

use crate::level::algorithms::bsp::cut::Axis;
use crate::level::grid::Room;

/// The side of a room along a wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoomSide {
    /// Its first position along the wall.
    pub(crate) start: u32,
    /// The first position past its end.
    pub(crate) end: u32,
    pub(crate) room: u32,
}

/// A stretch of a wall: all along it there is the same room on the first side, and the same room on the second side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    pub(crate) start: u32,
    length: u32,
    /// The rooms before and after the wall.
    pub(crate) rooms: [u32; 2],
}

impl Stretch {
    /// The number of positions where a door of `door` tiles fits.
    pub(crate) const fn positions(&self, door: u32) -> u32 {
        (self.length + 1).saturating_sub(door)
    }

    /// Whether a position lies in the stretch.
    pub(crate) const fn contains(&self, position: u32) -> bool {
        self.start <= position && position < self.start + self.length
    }
}

/// The stretches of a wall, given the sides of the rooms before and after the wall, both in order along it. Where two
/// stretches meet, another wall ends at this wall. No door may stand there, even if the other wall has a door at that
/// end.
pub(crate) fn stretches(
    mut before: impl Iterator<Item = RoomSide>,
    mut after: impl Iterator<Item = RoomSide>,
) -> impl Iterator<Item = Stretch> {
    let mut sides = [before.next(), after.next()];
    std::iter::from_fn(move || {
        loop {
            let [Some(a), Some(b)] = sides else { return None };
            let (start, end) = (a.start.max(b.start), a.end.min(b.end));
            if a.end == end {
                sides[0] = before.next();
            }
            if b.end == end {
                sides[1] = after.next();
            }
            if start < end {
                return Some(Stretch { start, length: end - start, rooms: [a.room, b.room] });
            }
        }
    })
}

/// The first position of a room along an axis, and the one past its last.
pub(crate) const fn span(room: &Room, axis: Axis) -> (u32, u32) {
    match axis {
        Axis::X => (room.x, room.x + room.width),
        Axis::Y => (room.y, room.y + room.height),
    }
}
