//! Rooms inside a mask: connected sets of tiles, found by a search with backtracking.
//!
//! A cut lies on one line. Some of the line's [segments] become wall, so that the part falls into two connected sides.
//! The cut gets its door at once, and the tiles along both sides of the door are reserved: they must stay open, so that
//! no later wall can block the door. [`lines`] decides which lines are tried, and in which order; the [search] divides
//! the rooms between the two sides and goes on in both.
//!
//! Which numbers of rooms are possible is not known beforehand, but it must not depend on the seed. So a few searches
//! that do not use the seed decide whether a blueprint can be built. Each visits a bounded number of tiles and uses no
//! clock. If the seed's own search fails, the level has the rooms of the first deciding search that succeeded.
//!
//! Unlike in a [rectangle](crate::level::algorithms::bsp::rectangle), rooms are not rectangles, their sides may be
//! shorter than a door, and not every number of rooms up to a known one can be built. As there, the number of rooms is
//! exact, each room is connected and has at least the requested area, there are walls between all rooms, and each cut
//! has one door of exactly the requested length.

mod demand;
#[cfg(test)]
mod fixtures;
mod lines;
mod loops;
mod ownership;
mod search;
mod segments;

use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::bsp::masked::demand::MaskDemand;
use crate::level::algorithms::bsp::masked::ownership::{MaskPart, Ownership};
use crate::level::algorithms::bsp::masked::search::RoomSearch;
use crate::level::algorithms::bsp::streams::{CUTS, LOOPS};
use crate::level::error::{Error, ParameterError};
use crate::level::grid::{Door, Grid, Layout, Mask, OpenTiles, Plan, Room};
use crate::level::parameters::options::OptionId;
use crate::level::rng::{Rng, Seed, Streams};
use crate::level::work::{Cancel, Cancelled, JobContext};

/// The number of searches without the seed that decide whether a blueprint can be built.
const DECIDING_SEARCHES: u64 = 8;

/// The most bytes that a run holds. For each tile of the board, whose rows are up to twice as long as those of the
/// level: its part, its piece, and whether it is reserved. For each tile inside the mask: its entry in the list of
/// tiles and in the list that divides a part; a pending visit; a piece of its own, listed twice; and a position of a
/// door, or a third of a room with its door, in lists that grow by doubling.
pub(crate) fn work_bytes(blueprint: &Blueprint) -> u64 {
    let area = blueprint.size().area();
    area * (2 * 9 + 8 + 8 + 4 + 36) + area / 4
}

/// The rooms of a blueprint inside its mask, which must be in one piece.
pub(crate) fn generate(blueprint: &Blueprint, mask: &Mask, context: &mut JobContext) -> Result<Layout, Error> {
    let mut search = RoomSearch::new(mask);
    let demand = demand(blueprint);
    let decider = match decide(blueprint, &demand, &mut search, context.cancel)? {
        Decision::Built(decider) => decider,
        Decision::Failed(most) => return Err(refuse(blueprint, &demand, most, &mut search, context.cancel)?),
    };
    let mut own_rng = blueprint.streams().stream(CUTS, 0);
    if !search.run(&demand, &mut own_rng, context.cancel)? {
        search.run(&demand, &mut deciding_rng(blueprint, decider), context.cancel)?;
    }
    let (ownership, rooms, mut doors) = search.finish(&demand);
    let loops = blueprint.options().get(OptionId::Loops);
    if loops > 0 {
        let mut rng = blueprint.streams().stream(LOOPS, 0);
        loops::draw(ownership, mask, &mut doors, demand.door, loops, &mut rng, context.cancel)?;
    }
    doors.sort_unstable_by_key(|door| (door.first.y, door.first.x));

    let mut open = context.buffers.bitmaps.take(blueprint.size().width as usize, blueprint.size().height as usize);
    open.clear();
    for room in rooms {
        ownership.paint(*room, &mut open);
    }
    for tile in doors.iter().flat_map(Door::tiles) {
        open.set(tile.x as usize, tile.y as usize);
    }
    let rooms = rooms.iter().map(|room| outline(ownership, *room)).collect();
    Ok(Layout { grid: Grid::new(OpenTiles::Rooms(open)), parents: None, plan: Some(Plan { rooms, doors }) })
}

/// What the searches must find. Huge numbers are replaced by ones that are just too large.
fn demand(blueprint: &Blueprint) -> MaskDemand {
    let (options, too_large) = (blueprint.options(), blueprint.inside() + 1);
    let count = |option| options.get(option).min(too_large) as u32;
    let (rooms, area, door) = (count(OptionId::Rooms), count(OptionId::MinRoomArea), count(OptionId::DoorSize));
    // each of several rooms has a door along some of its tiles
    let area = if rooms > 1 { area.max(door) } else { area };
    MaskDemand { rooms, area, door, jitter: options.get(OptionId::Jitter) }
}

/// The random numbers of a deciding search: a function of the blueprint without its seed.
fn deciding_rng(blueprint: &Blueprint, number: u64) -> Rng {
    let size = blueprint.size();
    let shape = u64::from(size.width) << 32 | u64::from(size.height);
    Streams::new(&Seed::Integer(0), "rooms in a mask", shape).stream(CUTS, number)
}

/// The result of the deciding searches.
enum Decision {
    /// The search with this number was the first to succeed.
    Built(u64),
    /// All failed. This is the largest number of rooms that one of them had at any time.
    Failed(u32),
}

fn decide(
    blueprint: &Blueprint,
    demand: &MaskDemand,
    search: &mut RoomSearch,
    cancel: Cancel,
) -> Result<Decision, Cancelled> {
    let mut most = 1;
    if demand.rooms <= demand.most(blueprint.inside() as u32) {
        for number in 0..DECIDING_SEARCHES {
            if search.run(demand, &mut deciding_rng(blueprint, number), cancel)? {
                return Ok(Decision::Built(number));
            }
            most = most.max(search.most());
        }
    }
    Ok(Decision::Failed(most))
}

/// The largest number of rooms that deciding searches find within as much work as the decision may take. The first
/// search bisects the range; then all of them try one room more, again and again. One room is always found.
fn most_built(
    blueprint: &Blueprint,
    demand: &MaskDemand,
    guess: u32,
    search: &mut RoomSearch,
    cancel: Cancel,
) -> Result<u32, Cancelled> {
    let wanted = demand.rooms.min(demand.most(blueprint.inside() as u32) + 1);
    let mut visited = 0;
    let mut finds = |rooms: u32, number: u64| {
        if visited > DECIDING_SEARCHES * search.visit_budget() {
            return Ok(false);
        }
        let found = search.run(&MaskDemand { rooms, ..*demand }, &mut deciding_rng(blueprint, number), cancel)?;
        visited += search.visited();
        Ok(found)
    };
    let (mut built, mut failed) = (1, wanted);
    let mut guess = Some(guess);
    while built + 1 < failed {
        let rooms = guess.take().map_or(built.midpoint(failed), |guess| guess.clamp(built + 1, failed - 1));
        if finds(rooms, 0)? { built = rooms } else { failed = rooms }
    }
    let mut number = 1;
    while built + 1 < wanted && number < DECIDING_SEARCHES {
        if finds(built + 1, number)? {
            (built, number) = (built + 1, 0);
        } else {
            number += 1;
        }
    }
    Ok(built)
}

/// The error of a blueprint that no deciding search can build.
fn refuse(
    blueprint: &Blueprint,
    demand: &MaskDemand,
    most: u32,
    search: &mut RoomSearch,
    cancel: Cancel,
) -> Result<Error, Cancelled> {
    let (options, inside) = (blueprint.options(), blueprint.inside());
    let value = |option: OptionId| option.row().kind.format(options.get(option));
    let refuse = |option: OptionId, message| Error::Unbuildable(vec![ParameterError::new(option.row().name, message)]);
    if options.get(OptionId::MinRoomArea) > inside {
        return Ok(refuse(OptionId::MinRoomArea, format!("is too large: the mask has {inside} tiles inside")));
    }
    let built = most_built(blueprint, demand, most, search, cancel)?;
    let message = format!(
        "cannot be built: no search found {} rooms in this mask with min_room_area {}, door_size {} and jitter {}; at \
         most {built} were found",
        value(OptionId::Rooms),
        value(OptionId::MinRoomArea),
        value(OptionId::DoorSize),
        value(OptionId::Jitter),
    );
    Ok(refuse(OptionId::Rooms, message))
}

/// The bounding box of a room and its tiles.
fn outline(ownership: &Ownership, room: MaskPart) -> Room {
    let [[left, right], [top, bottom]] = ownership.bounds(room);
    Room { x: left, y: top, width: right - left + 1, height: bottom - top + 1, area: room.area().into() }
}

#[cfg(test)]
mod tests;
