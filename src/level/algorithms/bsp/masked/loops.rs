//! Doors beyond those of the cuts, in the walls of a mask: they make loops in the tree of rooms.

use crate::level::algorithms::bsp::cut::{Axis, fraction_of, make_door};
use crate::level::algorithms::bsp::masked::ownership::Ownership;
use crate::level::grid::{Door, Mask};
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

/// A possible door: its two rooms, and its first tile. A tile of wall lies between two rooms along at most one axis, so
/// the tile determines the axis.
type PossibleDoor = ([u32; 2], u32);

/// Adds doors of `length` tiles for a fraction of the pairs of rooms that have no door yet and for which one fits; the
/// number of pairs is rounded, halves up. Every set of that many pairs is equally likely, and so is every position of a
/// door. `doors` has the doors of the cuts, one for each pair of its own; the new ones are appended.
pub(crate) fn draw(
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

/// All possible doors of so many tiles.
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

/// The two rooms that a tile of wall lies between, the smaller number first.
fn rooms_beside(ownership: &Ownership, axis: Axis, tile: u32) -> Option<[u32; 2]> {
    let [before, behind] =
        [tile - ownership.step(axis), tile + ownership.step(axis)].map(|beside| ownership.owner(beside));
    let (before, behind) = (before? - 1, behind? - 1);
    let is_wall = ownership.owner(tile).is_none() && before != behind;
    is_wall.then(|| [before.min(behind), before.max(behind)])
}

#[cfg(test)]
mod tests;
