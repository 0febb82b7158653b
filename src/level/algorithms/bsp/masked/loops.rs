//! Doors besides those of the cuts, in the walls inside a mask. The doors of the cuts join the rooms to a tree; these
//! make loops in it.

use crate::level::algorithms::bsp::cut::{Axis, fraction_of, make_door};
use crate::level::algorithms::bsp::masked::ownership::Ownership;
use crate::level::grid::{Door, Mask};
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

/// A possible door: its two rooms, and its first tile. Its axis is not stored, because a wall tile lies between the
/// same two rooms along at most one axis.
type PossibleDoor = ([u32; 2], u32);

/// Adds a door of `length` tiles for some of the pairs of rooms that have no door yet and for which one fits.
/// `fraction` is the fraction of these pairs, in [`FRACTION_UNIT`](crate::level::parameters::options::FRACTION_UNIT)s;
/// their number is rounded, halves up. Every set of that many pairs is equally likely, and so is every position of a
/// door. `doors` holds the doors of the cuts, no two of them for the same pair; the new ones are appended.
pub(crate) fn add_doors(
    ownership: &Ownership,
    mask: &Mask,
    doors: &mut Vec<Door>,
    length: u32,
    fraction: u64,
    rng: &mut Rng,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let mut joined: Vec<_> = doors.iter().map(|door| door.rooms).collect();
    joined.sort_unstable();
    let mut possible = possible_doors(ownership, mask, length, cancel)?;
    possible.retain(|(rooms, _)| joined.binary_search(rooms).is_err());
    possible.sort_unstable();
    let mut remaining = possible.chunk_by(|one, other| one.0 == other.0).count() as u32;
    let mut wanted = fraction_of(remaining, fraction);
    for of_pair in possible.chunk_by(|one, other| one.0 == other.0) {
        // selection sampling: of the remaining pairs exactly `wanted` get a door
        if rng.below(remaining) < wanted {
            let (rooms, first) = of_pair[rng.below(of_pair.len() as u32) as usize];
            let [x, y] = ownership.position(first);
            let across = |axis| rooms_beside(ownership, axis, first) == Some(rooms);
            let (axis, wall, start) = if across(Axis::X) { (Axis::X, x, y) } else { (Axis::Y, y, x) };
            doors.push(make_door(axis, wall, start, length, rooms));
            wanted -= 1;
        }
        remaining -= 1;
    }
    Ok(())
}

/// All possible doors of `length` tiles.
fn possible_doors(
    ownership: &Ownership,
    mask: &Mask,
    length: u32,
    cancel: Cancel,
) -> Result<Vec<PossibleDoor>, Cancelled> {
    let mut possible = Vec::new();
    for (i, &tile) in ownership.all().iter().enumerate() {
        if i % 4096 == 0 {
            cancel.check()?;
        }
        for axis in [Axis::X, Axis::Y] {
            let Some(rooms) = rooms_beside(ownership, axis, tile) else { continue };
            let mut run = (1..length).map(|i| tile + i * ownership.step(axis.other()));
            if run.all(|tile| {
                mask.may_be_open(ownership.tile(tile)) && rooms_beside(ownership, axis, tile) == Some(rooms)
            }) {
                possible.push((rooms, tile));
            }
        }
    }
    Ok(possible)
}

/// The two rooms on both sides of a wall tile along an axis, the smaller number first; `None` if the tile does not lie
/// between two rooms.
fn rooms_beside(ownership: &Ownership, axis: Axis, tile: u32) -> Option<[u32; 2]> {
    let [before, after] =
        [tile - ownership.step(axis), tile + ownership.step(axis)].map(|beside| ownership.owner(beside));
    let (before, after) = (before? - 1, after? - 1);
    let is_wall = ownership.owner(tile).is_none() && before != after;
    is_wall.then(|| [before.min(after), before.max(after)])
}

#[cfg(test)]
mod tests;
