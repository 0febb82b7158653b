//! Checks what room maps promise, by flood fill of the tiles and without the program's own plan.

use std::collections::BTreeSet;

use mazed::level::Level;
use mazed::level::grid::{Direction, Door, Plan, Room, Tile};
use mazed::level::parameters::options::OptionId;

use crate::planes::{Labels, flood, plane};
use crate::rooms::RoomRequest;

/// The first promise that the level does not keep.
pub(crate) fn broken_promise(request: &RoomRequest, level: &Level) -> Option<String> {
    let (width, height) = (request.size.0 as usize, request.size.1 as usize);
    let tile = |x, y| level.grid().is_open(Tile { x: x as u32, y: y as u32 });
    let mut open = plane((width, height), tile);
    let plan: &Plan = level.plan()?;

    let on_border = |x, y| x == 0 || y == 0 || x + 1 == width || y + 1 == height;
    if (0..height).any(|y| (0..width).any(|x| on_border(x, y) && open[y][x])) {
        return Some("the border is open".into());
    }
    if flood(&open).1.len() != 1 {
        return Some("not all open tiles are connected".into());
    }
    for Tile { x, y } in plan.doors.iter().flat_map(Door::tiles) {
        if !std::mem::take(&mut open[y as usize][x as usize]) {
            return Some(format!("the door's tile [{x},{y}] is shut, or belongs to two doors"));
        }
    }
    let (labels, sets) = flood(&open);
    if sets != plan.rooms {
        return Some(format!("the rooms are {sets:?}"));
    }
    let pairs = pairs(&labels, request.door as usize);
    // a door for each cut, and for a fraction of the other pairs
    let doors = request.rooms - 1 + ((pairs.len() as u64 + 1 - request.rooms) * request.loops + 5_000) / 10_000;
    if sets.len() as u64 != request.rooms || plan.doors.len() as u64 != doors {
        return Some(format!("{} rooms, {} doors and {} pairs", sets.len(), plan.doors.len(), pairs.len()));
    }
    let joined: BTreeSet<_> = plan.doors.iter().map(|door| door.rooms).collect();
    if joined.len() != plan.doors.len() || !joined.is_subset(&pairs) {
        return Some("two doors join the same rooms, or a door joins rooms without a shared wall".into());
    }
    // if the request leaves the least side out, the recipe says what it is
    let side = request.side.unwrap_or_else(|| level.recipe().options().get(OptionId::MinSide)).max(request.door);
    let is_legal = |room: &Room| {
        let (width, height) = (u64::from(room.width), u64::from(room.height));
        room.area == width * height && room.area >= request.area && width.min(height) >= side
    };
    if let Some(room) = sets.iter().find(|room| !is_legal(room)) {
        return Some(format!("{room:?} is no room"));
    }
    if let Some(door) = plan.doors.iter().find(|door| !is_door(door, request.door, &labels, level)) {
        return Some(format!("{door:?} is no door"));
    }
    if !plan.doors.is_sorted_by_key(|door| (door.first.y, door.first.x)) {
        return Some("the doors are out of order".into());
    }
    let is_thick = |x: usize, y: usize| {
        let mut near: Vec<_> = (y - 1..=y + 1).flat_map(|y| labels[y][x - 1..=x + 1].iter().flatten()).collect();
        near.sort_unstable();
        near.dedup();
        near.len() < 2
    };
    let mut inner = (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (x, y)));
    inner.find(|&(x, y)| !open[y][x] && is_thick(x, y)).map(|tile| format!("the wall at {tile:?} is thick"))
}

/// The pairs of rooms between which a door of some length fits: there is a straight run of shut tiles, and along each
/// of its two sides lies one of the rooms.
fn pairs(labels: &Labels, door: usize) -> BTreeSet<[u32; 2]> {
    let (height, width) = (labels.len(), labels[0].len());
    let mut pairs = BTreeSet::new();
    for (y, x) in (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (y, x))) {
        let across = |i: usize| [labels[y + i][x - 1], labels[y + i][x], labels[y + i][x + 1]];
        let down = |i: usize| [labels[y - 1][x + i], labels[y][x + i], labels[y + 1][x + i]];
        let runs = [
            (y + door < height).then(|| (0..door).map(across).collect::<Vec<_>>()),
            (x + door < width).then(|| (0..door).map(down).collect()),
        ];
        for run in runs.into_iter().flatten() {
            if let [Some(a), None, Some(b)] = run[0]
                && a != b
                && run.iter().all(|tiles| *tiles == run[0])
            {
                pairs.insert([a.min(b), a.max(b)]);
            }
        }
    }
    pairs
}

/// Whether a door is one straight run of the right length, with one of its rooms along each side and walls at both
/// ends.
fn is_door(door: &Door, length: u64, labels: &Labels, level: &Level) -> bool {
    let label = |tile: Tile| labels[tile.y as usize][tile.x as usize];
    let [low, high] = door.rooms.map(Some);
    let (across, back) = (door.along.to_the_right(), door.along.to_the_left());
    let tiles: Vec<_> = door.tiles().collect();
    let sides: Vec<_> = tiles.iter().map(|tile| [label(tile.step(across)), label(tile.step(back))]).collect();
    let endpoints = [tiles[0].step(door.along.back()), tiles[tiles.len() - 1].step(door.along)];
    tiles.len() as u64 == length
        && matches!(door.along, Direction::Right | Direction::Down)
        && low < high
        && sides.iter().all(|side| *side == sides[0])
        && (sides[0] == [low, high] || sides[0] == [high, low])
        && endpoints.iter().all(|end| !level.grid().is_open(*end))
}
