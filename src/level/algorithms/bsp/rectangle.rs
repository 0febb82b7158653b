//! Rooms in a whole rectangle, counted out: each part is a rectangle, and a cut only chooses among the places that leave
//! both sides able to hold their rooms. Why there always is one:
//!
//! * A part holds the rooms that it can be cut into. By its [`capacity`] it holds columns and rows of one shape, and
//!   the wall between two columns leaves two parts that hold theirs; or a table knows a cut for it, or for a smaller
//!   rectangle within it, whose cut leaves parts of this one that are no smaller.
//! * A part that holds some rooms holds any fewer: take the wall between two of them away and the rest stays as it is.
//! * What holds some rooms still does when it grows, so the good places of a cut are all those from the least length of
//!   its one side to the least length of the other.
//!
//! A cut shares the rooms by halves and takes the longer side; only where that has no good place are the shares made
//! less even, and only then the shorter side is tried. The place is drawn from the good ones within the jitter, where
//! possible from those that make no corridors; where the jitter has none, it is the good one next to it.
//!
//! Each cut has one door, so the rooms are a tree and all joined. A door always has a place, because no side of a room
//! is shorter than a door. Other rooms that lie wall to wall get doors where loops are asked for.

mod capacity;
mod doors;
mod loops;
mod partition;
mod refusal;
mod walls;

use crate::level::algorithms::blueprint::Blueprint;
use crate::level::grid::{Bitmap, Door, Grid, Layout, OpenTiles, Plan, Room};
use crate::level::parameters::options::{FRACTION_UNIT, OptionId};
use crate::level::work::{Cancel, Cancelled, JobContext};

use crate::level::algorithms::bsp::streams::{CUTS, DOORS, LOOPS};
use crate::level::error::Error;
use capacity::{Capacity, Demand};
use partition::{Part, Partition, Rules};

/// A bit a tile; a room, its cut, its number and its door; for loops its four sides, up to two more doors, and the
/// doors twice while they grow.
pub(crate) fn work_bytes(blueprint: &Blueprint) -> u64 {
    let (area, options) = (blueprint.size().area(), blueprint.options());
    let loops = match options.get(OptionId::Loops) {
        0 => 0,
        share => 4 * 8 + 24 + (2 * 24 * share).div_ceil(FRACTION_UNIT),
    };
    area / 4 + (64 + loops) * options.get(OptionId::Rooms).min(area)
}

/// The rooms of a blueprint without a mask.
pub(crate) fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let (size, options) = (blueprint.size(), blueprint.options());
    let inside = [size.width - 2, size.height - 2];
    let (rooms, door) = (options.get(OptionId::Rooms), options.get(OptionId::DoorSize));
    let demand = Demand { inside, area: options.get(OptionId::MinRoomArea), side: door };
    let Some(capacity) = Capacity::of(demand, rooms) else {
        return Err(Error::Unbuildable(refusal::refuse(demand, rooms)));
    };
    let whole = Part { corner: [1, 1], sides: inside, rooms: rooms as u32 };
    let rules = Rules { capacity, jitter: options.get(OptionId::Jitter), roomy: Capacity::roomy(demand) };
    let mut cuts = blueprint.streams().stream(CUTS, 0);
    let partition = Partition::draw(whole, &rules, &mut cuts, context.cancel)?;

    let numbers = &mut context.buffers.indices;
    number(&partition.rooms, numbers);
    let mut places = blueprint.streams().stream(DOORS, 0);
    let mut doors = doors::draw(&partition, numbers, door as u32, &mut places, context.cancel)?;
    let mut rooms = partition.rooms;
    reorder(&mut rooms, numbers);
    let share = options.get(OptionId::Loops);
    if share > 0 {
        let mut places = blueprint.streams().stream(LOOPS, 0);
        loops::draw(&rooms, &mut doors, door as u32, share, &mut places, context.cancel)?;
    }
    doors.sort_unstable_by_key(|door| (door.first.y, door.first.x));

    let mut open = context.buffers.planes.take(size.width as usize, size.height as usize);
    open.clear();
    paint(&mut open, &rooms, &doors, context.cancel)?;
    Ok(Layout { grid: Grid::new(OpenTiles::Rooms(open)), parents: None, plan: Some(Plan { rooms, doors }) })
}

/// Writes the number of each room into `numbers`: its rank by the row, then the column, of its top left corner.
fn number(rooms: &[Room], numbers: &mut Vec<u32>) {
    let mut order: Vec<_> = (0..).zip(rooms).map(|(index, room): (u32, _)| (room.y, room.x, index)).collect();
    order.sort_unstable();
    numbers.clear();
    numbers.resize(rooms.len(), 0);
    for (number, (_, _, index)) in (0..).zip(order) {
        numbers[index as usize] = number;
    }
}

/// Moves each room to its number, in place; the numbers are then in order too.
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
    for some in rooms.chunks(1024) {
        cancel.check()?;
        for room in some {
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
