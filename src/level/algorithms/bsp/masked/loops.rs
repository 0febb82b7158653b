//! More doors than the cuts have, in the walls of a mask: loops in the tree of rooms.

use crate::level::grid::{Door, Mask};
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

use crate::level::algorithms::bsp::cut::{Axis, make_door, share_of};
use crate::level::algorithms::bsp::masked::ownership::Ownership;

/// A place for a door: the two rooms, and the door's first tile. A tile of wall lies between two rooms along one axis at
/// the most, so that the tile tells the axis.
type Place = ([u32; 2], u32);

/// Draws doors of `length` tiles for a share of the pairs of rooms that have none and for which one fits, rounded to a
/// whole number of pairs, a half up: any such set of pairs alike, and any place of a pair. `doors` holds the doors of
/// the cuts, each of a pair of its own, and takes the new ones.
pub(crate) fn draw(
    plot: &Ownership,
    mask: &Mask,
    doors: &mut Vec<Door>,
    length: u32,
    share: u64,
    rng: &mut Rng,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let mut joined: Vec<_> = doors.iter().map(|door| door.rooms).collect();
    joined.sort_unstable();
    let mut places = places(plot, mask, length, cancel)?;
    places.retain(|(rooms, _)| joined.binary_search(rooms).is_err());
    places.sort_unstable();
    let mut left = places.chunk_by(|one, other| one.0 == other.0).count() as u32;
    let mut wanted = share_of(left, share);
    for of_pair in places.chunk_by(|one, other| one.0 == other.0) {
        // as likely as it takes for all that are wanted among those that are left
        if rng.below(left) < wanted {
            let (rooms, first) = of_pair[rng.below(of_pair.len() as u32) as usize];
            let [x, y] = plot.place(first);
            let across = |axis| rooms_beside(plot, axis, first) == Some(rooms);
            let (axis, wall, start) = if across(Axis::X) { (Axis::X, x, y) } else { (Axis::Y, y, x) };
            doors.push(make_door(axis, wall, start, length, rooms));
            wanted -= 1;
        }
        left -= 1;
    }
    Ok(())
}

/// Every place for a door of so many tiles.
fn places(plot: &Ownership, mask: &Mask, length: u32, cancel: Cancel) -> Result<Vec<Place>, Cancelled> {
    let mut places = Vec::new();
    for (i, &tile) in plot.all().iter().enumerate() {
        if i % 4096 == 0 {
            cancel.check()?;
        }
        for axis in [Axis::X, Axis::Y] {
            let Some(rooms) = rooms_beside(plot, axis, tile) else { continue };
            let mut run = (1..length).map(|i| tile + i * plot.step(axis.other()));
            if run.all(|tile| mask.may_be_open(plot.tile(tile)) && rooms_beside(plot, axis, tile) == Some(rooms)) {
                places.push((rooms, tile));
            }
        }
    }
    Ok(places)
}

/// The two rooms that a tile of wall lies between, the smaller number first.
fn rooms_beside(plot: &Ownership, axis: Axis, tile: u32) -> Option<[u32; 2]> {
    let [before, behind] = [tile - plot.step(axis), tile + plot.step(axis)].map(|beside| plot.owner(beside));
    let (before, behind) = (before? - 1, behind? - 1);
    let is_wall = plot.owner(tile).is_none() && before != behind;
    is_wall.then(|| [before.min(behind), before.max(behind)])
}

#[cfg(test)]
mod tests;
