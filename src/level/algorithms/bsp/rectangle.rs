//! Rooms in a whole rectangle. Each part is a rectangle, and a cut is only made where both sides can hold their rooms.
//! Why such a position always exists:
//!
//! * A part can hold a number of rooms for one of two reasons, which [`capacity`] checks. Either the rooms fit in
//!   columns and rows of one shape: then a wall between two of the columns leaves two parts that hold their columns. Or
//!   the table has a cut for this rectangle, or for a smaller one within it: then the same cut here leaves parts that
//!   are no smaller.
//! * A part that can hold a number of rooms can hold fewer: remove the wall between two of them, and the rest stays
//!   valid.
//! * A part that can hold a number of rooms can still hold them if it is larger. So the valid positions of a cut are a
//!   range: at one end the first side has its least length, at the other end the second side has its least length.
//!
//! A cut halves the number of rooms and divides the longer side of the part. If no position is valid for this, less
//! even divisions of the rooms are tried, and then the shorter side. The position is random among the valid ones within
//! the jitter, if possible among those that make no corridors. If none is within the jitter, it is the valid one
//! nearest to it.
//!
//! Each cut has one door, so the rooms form a tree, and all are connected. A door always fits, because no side of a
//! room is shorter than a door. With loops, other pairs of rooms with a shared wall get doors too.

mod capacity;
mod doors;
mod loops;
mod partition;
mod unbuildable;
mod walls;

use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::bsp::rectangle::capacity::{Capacity, RectangleDemand};
use crate::level::algorithms::bsp::rectangle::partition::{CutRules, Partition, RectanglePart};
use crate::level::algorithms::bsp::streams::{CUTS, DOORS, LOOPS};
use crate::level::error::Error;
use crate::level::grid::{Bitmap, Door, Grid, Layout, OpenTiles, Plan, Room};
use crate::level::parameters::options::{FRACTION_UNIT, OptionId};
use crate::level::work::{Cancel, Cancelled, JobContext};

/// The bitmap of open tiles. For each room its cut, its number and its door. With loops, for each room also its four
/// sides and up to two more doors, which are held twice while the list of doors grows.
pub(crate) fn work_bytes(blueprint: &Blueprint) -> u64 {
    let (area, options) = (blueprint.size().area(), blueprint.options());
    let loops = match options.get(OptionId::Loops) {
        0 => 0,
        fraction => 4 * 8 + 24 + (2 * 24 * fraction).div_ceil(FRACTION_UNIT),
    };
    area / 4 + (64 + loops) * options.get(OptionId::Rooms).min(area)
}

/// The longest side of a rectangle for which [`estimate`] decides whether the rooms fit. If they do not, the error
/// takes a few dozen tables of the capacity: about a millisecond for this side, dozens for the largest table.
const MAX_SIDE_OF_QUICK_CHECK: u32 = 48;

/// What each room needs.
fn demand(blueprint: &Blueprint) -> RectangleDemand {
    let (size, options) = (blueprint.size(), blueprint.options());
    let inside = [size.width - 2, size.height - 2];
    let side = options.get(OptionId::MinSide).max(options.get(OptionId::DoorSize));
    RectangleDemand { inside, area: options.get(OptionId::MinRoomArea), side }
}

/// The error of rooms that do not fit.
fn unbuildable(blueprint: &Blueprint) -> Error {
    let options = blueprint.options();
    let sides = [options.get(OptionId::MinSide), options.get(OptionId::DoorSize)];
    Error::Unbuildable(unbuildable::errors(demand(blueprint), sides, options.get(OptionId::Rooms)))
}

/// The nanoseconds of a run. Refuses rooms that do not fit into a small rectangle.
pub(crate) fn estimate(blueprint: &Blueprint) -> Result<u64, Error> {
    let demand = demand(blueprint);
    let is_small = demand.inside.iter().all(|side| *side <= MAX_SIDE_OF_QUICK_CHECK);
    if !is_small || Capacity::of(demand, blueprint.options().get(OptionId::Rooms)).is_some() {
        return Ok(blueprint.nanos(5_000, 600));
    }
    Err(unbuildable(blueprint))
}

/// The rooms of a blueprint without a mask.
pub(crate) fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let (size, options) = (blueprint.size(), blueprint.options());
    let (rooms, door) = (options.get(OptionId::Rooms), options.get(OptionId::DoorSize));
    let demand = demand(blueprint);
    let inside = demand.inside;
    let Some(capacity) = Capacity::of(demand, rooms) else { return Err(unbuildable(blueprint)) };
    let whole = RectanglePart { corner: [1, 1], sides: inside, rooms: rooms as u32 };
    let rules = CutRules { capacity, jitter: options.get(OptionId::Jitter), roomy: Capacity::roomy(demand) };
    let mut cuts = blueprint.streams().stream(CUTS, 0);
    let partition = Partition::random(whole, &rules, &mut cuts, context.cancel)?;

    let numbers = &mut context.buffers.indices;
    number(&partition.rooms, numbers);
    let mut rng = blueprint.streams().stream(DOORS, 0);
    let mut doors = doors::random_doors(&partition, numbers, door as u32, &mut rng, context.cancel)?;
    let mut rooms = partition.rooms;
    reorder(&mut rooms, numbers);
    let loops = options.get(OptionId::Loops);
    if loops > 0 {
        let mut rng = blueprint.streams().stream(LOOPS, 0);
        loops::add_doors(&rooms, &mut doors, door as u32, loops, &mut rng, context.cancel)?;
    }
    doors.sort_unstable_by_key(|door| (door.first.y, door.first.x));

    let mut open = context.buffers.bitmaps.take(size.width as usize, size.height as usize);
    open.clear();
    paint(&mut open, &rooms, &doors, context.cancel)?;
    Ok(Layout { grid: Grid::new(OpenTiles::Rooms(open)), parents: None, plan: Some(Plan { rooms, doors }) })
}

/// Writes the number of each room into `numbers`: its rank in row-major order of the top left corners.
fn number(rooms: &[Room], numbers: &mut Vec<u32>) {
    let mut order: Vec<_> = (0..).zip(rooms).map(|(index, room): (u32, _)| (room.y, room.x, index)).collect();
    order.sort_unstable();
    numbers.clear();
    numbers.resize(rooms.len(), 0);
    for (number, (_, _, index)) in (0..).zip(order) {
        numbers[index as usize] = number;
    }
}

/// Moves each room to the index that is its number, and its number with it: afterwards both lists are in order.
fn reorder(rooms: &mut [Room], numbers: &mut [u32]) {
    for i in 0..rooms.len() {
        while numbers[i] as usize != i {
            let target = numbers[i] as usize;
            rooms.swap(i, target);
            numbers.swap(i, target);
        }
    }
}

fn paint(open: &mut Bitmap, rooms: &[Room], doors: &[Door], cancel: Cancel) -> Result<(), Cancelled> {
    for chunk in rooms.chunks(1024) {
        cancel.check()?;
        for room in chunk {
            for y in room.y..room.y + room.height {
                open.set_run(room.x as usize, y as usize, room.width as usize);
            }
        }
    }
    for tile in doors.iter().flat_map(Door::tiles) {
        open.set(tile.x as usize, tile.y as usize);
    }
    Ok(())
}
