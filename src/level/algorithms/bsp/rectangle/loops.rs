//! More doors than the cuts have: loops in the tree of rooms.
//!
//! Two rooms share one stretch of wall at the most, so the pairs of rooms are the stretches. To find them all walls are
//! laid end to end, columns before rows: the sides of the rooms before a wall and of those behind one, each sorted by
//! their place there, then meet in one go.

use crate::level::algorithms::bsp::cut::{Axis, make_door, share_of};
use crate::level::algorithms::bsp::rectangle::walls::{Side, span, stretches};
use crate::level::grid::{Direction, Door, Room};
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

/// Draws doors of `length` tiles for a share of the pairs of rooms that have none and for which one fits, in
/// [`FRACTION_UNIT`](crate::level::options::FRACTION_UNIT)s and rounded to a whole number of pairs, a half up: any such set of pairs alike, and any place of
/// a pair. `doors` holds the doors of the cuts, each of a pair of its own, and takes the new ones; then they are in the
/// order of their places.
pub(crate) fn draw(
    rooms: &[Room],
    doors: &mut Vec<Door>,
    length: u32,
    share: u64,
    rng: &mut Rng,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let [before, behind] = [true, false].map(|before| sides(rooms, before));
    let side = |&packed: &u64| {
        let (start, room) = ((packed >> 32) as u32, packed as u32);
        let (axis, ..) = read_place(start);
        let (first, past) = span(&rooms[room as usize], axis.other());
        Side { start, end: start + past - first, room }
    };
    let pairs = || {
        let stretches = stretches(before.iter().map(side), behind.iter().map(side));
        stretches.filter(|stretch| stretch.places(length) > 0)
    };
    let mut left = 0_u32;
    for _ in pairs() {
        if left.is_multiple_of(1024) {
            cancel.check()?;
        }
        left += 1;
    }
    doors.sort_unstable_by_key(place_of);
    let cuts = doors.len();
    left -= cuts as u32;
    let mut wanted = share_of(left, share);
    doors.reserve_exact(wanted as usize);
    let mut joined = 0;
    for stretch in pairs() {
        if joined < cuts && stretch.contains(place_of(&doors[joined])) {
            joined += 1;
            continue;
        }
        if left.is_multiple_of(1024) {
            cancel.check()?;
        }
        // as likely as it takes for all that are wanted among those that are left
        if rng.below(left) < wanted {
            let (axis, wall, start) = read_place(stretch.start + rng.below(stretch.places(length)));
            doors.push(make_door(axis, wall, start, length, stretch.rooms));
            wanted -= 1;
        }
        left -= 1;
    }
    Ok(())
}

/// The sides of all rooms that lie before a wall, or of all behind one, in the order of their places: the place above,
/// the room's number below.
fn sides(rooms: &[Room], before: bool) -> Vec<u64> {
    let mut sides = Vec::with_capacity(2 * rooms.len());
    for (room, number) in rooms.iter().zip(0_u64..) {
        for axis in [Axis::X, Axis::Y] {
            let (first, past) = span(room, axis);
            let wall = if before { past } else { first - 1 };
            let (start, _) = span(room, axis.other());
            sides.push(u64::from(place(axis, wall, start)) << 32 | number);
        }
    }
    sides.sort_unstable();
    sides
}

/// A tile of the walls laid end to end: which axis they part, column or row of the wall, and where along it.
const fn place(axis: Axis, wall: u32, along: u32) -> u32 {
    (axis as u32) << 30 | wall << 16 | along
}

const fn read_place(place: u32) -> (Axis, u32, u32) {
    let axis = if place >> 30 == 0 { Axis::X } else { Axis::Y };
    (axis, place >> 16 & 0x3fff, place & 0xffff)
}

/// The place of a door's first tile.
fn place_of(door: &Door) -> u32 {
    match door.along {
        Direction::Down | Direction::Up => place(Axis::X, door.first.x, door.first.y),
        Direction::Right | Direction::Left => place(Axis::Y, door.first.y, door.first.x),
    }
}

#[cfg(test)]
mod tests;
