//! Rooms in a whole rectangle. Each part is a rectangle, and a cut is only made where both sides can hold their rooms.
//! Why such a position always exists:
//!
//! * A part can hold a number of rooms for one of two reasons. Either columns and rows of rooms of one shape fit, as
//!   its [`capacity`] knows: then a wall between two columns leaves two parts that hold their columns. Or a table has a
//!   cut for this rectangle, or for a smaller one within it, and the same cut leaves parts here that are no smaller.
//! * A part that can hold some rooms can hold fewer: remove the wall between two of them, and the rest stays valid.
//! * A part that can hold some rooms still can when it grows. So the valid positions of a cut are a range: from the
//!   least length of the first side to the least length of the second.
//!
//! A cut halves the rooms and divides the longer side of the part. If that has no valid position, less even divisions
//! of the rooms are tried, and then the shorter side. The position is random among the valid ones within the jitter,
//! and if possible among those that make no corridors; if the jitter contains none, it is the nearest valid one.
//!
//! Each cut has one door, so the rooms form a tree, and all are connected. A door always fits, because no side of a
//! room is shorter than a door. With loops, other pairs of rooms with a shared wall get doors too.

mod capacity;
mod doors;
mod loops;
mod partition;
mod refusal;
mod walls;

use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::bsp::rectangle::capacity::{Capacity, RectangleDemand};
use crate::level::algorithms::bsp::rectangle::partition::{CutRules, Partition, RectanglePart};
use crate::level::algorithms::bsp::streams::{CUTS, DOORS, LOOPS};
use crate::level::error::Error;
use crate::level::grid::{Bitmap, Door, Grid, Layout, OpenTiles, Plan, Room};
use crate::level::parameters::options::{FRACTION_UNIT, OptionId};
use crate::level::work::{Cancel, Cancelled, JobContext};

/// A bit a tile; for each room its cut, its number and its door; with loops also its four sides and up to two more
/// doors, twice while the list of doors grows.
pub(crate) fn work_bytes(blueprint: &Blueprint) -> u64 {
    let (area, options) = (blueprint.size().area(), blueprint.options());
    let loops = match options.get(OptionId::Loops) {
        0 => 0,
        fraction => 4 * 8 + 24 + (2 * 24 * fraction).div_ceil(FRACTION_UNIT),
    };
    area / 4 + (64 + loops) * options.get(OptionId::Rooms).min(area)
}

/// The rooms of a blueprint without a mask.
pub(crate) fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let (size, options) = (blueprint.size(), blueprint.options());
    let inside = [size.width - 2, size.height - 2];
    let (rooms, door) = (options.get(OptionId::Rooms), options.get(OptionId::DoorSize));
    let demand = RectangleDemand { inside, area: options.get(OptionId::MinRoomArea), side: door };
    let Some(capacity) = Capacity::of(demand, rooms) else {
        return Err(Error::Unbuildable(refusal::refuse(demand, rooms)));
    };
    let whole = RectanglePart { corner: [1, 1], sides: inside, rooms: rooms as u32 };
    let rules = CutRules { capacity, jitter: options.get(OptionId::Jitter), roomy: Capacity::roomy(demand) };
    let mut cuts = blueprint.streams().stream(CUTS, 0);
    let partition = Partition::draw(whole, &rules, &mut cuts, context.cancel)?;

    let numbers = &mut context.buffers.indices;
    number(&partition.rooms, numbers);
    let mut rng = blueprint.streams().stream(DOORS, 0);
    let mut doors = doors::draw(&partition, numbers, door as u32, &mut rng, context.cancel)?;
    let mut rooms = partition.rooms;
    reorder(&mut rooms, numbers);
    let loops = options.get(OptionId::Loops);
    if loops > 0 {
        let mut rng = blueprint.streams().stream(LOOPS, 0);
        loops::draw(&rooms, &mut doors, door as u32, loops, &mut rng, context.cancel)?;
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

/// Moves each room to the index that is its number; the numbers are then in order too.
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
