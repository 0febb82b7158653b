//! Doors besides those of the cuts. The doors of the cuts join the rooms to a tree; these make loops in it.
//!
//! Two rooms share at most one stretch of wall, so each stretch stands for one pair of rooms. To find all stretches in
//! a single pass, all walls are numbered through as if they were laid end to end, columns before rows: this gives each
//! tile of a wall its wall position. The sides of rooms that lie before a wall are one list, the sides that lie after a
//! wall another. Both lists are sorted by wall position and merged.

use crate::level::algorithms::bsp::cut::{Axis, fraction_of, make_door};
use crate::level::algorithms::bsp::rectangle::walls::{RoomSide, span, stretches};
use crate::level::grid::{Direction, Door, Room};
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

/// Adds a door of `length` tiles for some of the pairs of rooms that have no door yet and for which one fits.
/// `fraction` is the fraction of these pairs, in [`FRACTION_UNIT`](crate::level::parameters::options::FRACTION_UNIT)s;
/// their number is rounded, halves up. Every set of that many pairs is equally likely, and so is every position of a
/// door. `doors` holds the doors of the cuts, no two of them for the same pair; the new ones are appended.
pub(crate) fn add_doors(
    rooms: &[Room],
    doors: &mut Vec<Door>,
    length: u32,
    fraction: u64,
    rng: &mut Rng,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let [before, after] = [true, false].map(|before| sides(rooms, before));
    let side = |&packed: &u64| {
        let (start, room) = ((packed >> 32) as u32, packed as u32);
        let (axis, ..) = read_wall_position(start);
        let (first, past) = span(&rooms[room as usize], axis.other());
        RoomSide { start, end: start + past - first, room }
    };
    let pairs = || {
        let stretches = stretches(before.iter().map(side), after.iter().map(side));
        stretches.filter(|stretch| stretch.positions(length) > 0)
    };
    let mut remaining = 0_u32;
    for _ in pairs() {
        if remaining.is_multiple_of(1024) {
            cancel.check()?;
        }
        remaining += 1;
    }
    doors.sort_unstable_by_key(wall_position_of);
    let cuts = doors.len();
    remaining -= cuts as u32;
    let mut wanted = fraction_of(remaining, fraction);
    doors.reserve_exact(wanted as usize);
    let mut joined = 0;
    for stretch in pairs() {
        if joined < cuts && stretch.contains(wall_position_of(&doors[joined])) {
            joined += 1;
            continue;
        }
        if remaining.is_multiple_of(1024) {
            cancel.check()?;
        }
        // selection sampling: of the remaining pairs exactly `wanted` get a door
        if rng.below(remaining) < wanted {
            let (axis, wall, start) = read_wall_position(stretch.start + rng.below(stretch.positions(length)));
            doors.push(make_door(axis, wall, start, length, stretch.rooms));
            wanted -= 1;
        }
        remaining -= 1;
    }
    Ok(())
}

/// The sides of all rooms that lie before a wall, or of those that lie after one, sorted. A side is a word: its wall
/// position in the upper half, the number of its room in the lower.
fn sides(rooms: &[Room], before: bool) -> Vec<u64> {
    let mut sides = Vec::with_capacity(2 * rooms.len());
    for (room, number) in rooms.iter().zip(0_u64..) {
        for axis in [Axis::X, Axis::Y] {
            let (first, past) = span(room, axis);
            let wall = if before { past } else { first - 1 };
            let (start, _) = span(room, axis.other());
            sides.push(u64::from(wall_position(axis, wall, start)) << 32 | number);
        }
    }
    sides.sort_unstable();
    sides
}

/// The wall position of a tile: the axis that the wall cuts, the column or row of the wall, and the position along it.
const fn wall_position(axis: Axis, wall: u32, along: u32) -> u32 {
    (axis as u32) << 30 | wall << 16 | along
}

const fn read_wall_position(position: u32) -> (Axis, u32, u32) {
    let axis = if position >> 30 == 0 { Axis::X } else { Axis::Y };
    (axis, position >> 16 & 0x3fff, position & 0xffff)
}

/// The wall position of a door's first tile.
fn wall_position_of(door: &Door) -> u32 {
    match door.along {
        Direction::Down | Direction::Up => wall_position(Axis::X, door.first.x, door.first.y),
        Direction::Right | Direction::Left => wall_position(Axis::Y, door.first.y, door.first.x),
    }
}

#[cfg(test)]
mod tests;
