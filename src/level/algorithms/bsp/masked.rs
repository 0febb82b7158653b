//! Rooms inside a mask: connected sets of tiles, found by a search with backtracking.
//!
//! A cut lies on one line. Some of the line's [segments] become wall, so that the part falls into two connected sides.
//! The cut gets its door at once. The tiles along both sides of the door are reserved: they must stay open, so that no
//! later wall can block the door. [`lines`] decides which lines are tried, and in which order; the [search] divides the
//! rooms between the two sides and continues in both.
//!
//! The possible numbers of rooms are not known beforehand, but they must not depend on the seed. So a few searches that
//! do not use the seed, the deciding searches, find out whether a blueprint can be built. Each visits a bounded number
//! of tiles and uses no clock. If one of them succeeds, a search with the seed follows. If that fails, the level gets
//! the rooms of the first deciding search that succeeded.
//!
//! Unlike in a [rectangle](crate::level::algorithms::bsp::rectangle), rooms are not rectangles, their sides may be
//! shorter than a door, and there is no known number up to which every number of rooms can be built. As in a rectangle,
//! the number of rooms is exact, each room is connected and has at least the requested area, there are walls between
//! all rooms, and each cut has one door of exactly the requested length.

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

/// The most bytes that a run holds. For each tile of the board of [`Ownership`], which has up to twice as many tiles as
/// the level: the number of its part, the number of its piece, and for how many doors it is reserved. For each tile
/// inside the mask: an entry in the list of tiles and one in the list that divides a part; an entry in the list of
/// tiles whose neighbours must be visited; if it is a piece of its own, two entries in the list of touched pieces; and
/// a position of a door, or a third of a room with its door, in lists that grow by doubling.
pub(crate) fn work_bytes(blueprint: &Blueprint) -> u64 {
    let area = blueprint.size().area();
    area * (2 * 9 + 8 + 8 + 4 + 36) + area / 4
}

/// The rooms of a blueprint inside its mask, which must be connected.
pub(crate) fn generate(blueprint: &Blueprint, mask: &Mask, context: &mut JobContext) -> Result<Layout, Error> {
    let mut search = RoomSearch::new(mask);
    let demand = demand(blueprint);
    let decider = match decide(blueprint, &demand, &mut search, context.cancel)? {
        Decision::Built(decider) => decider,
        Decision::Failed(most) => return Err(unbuildable(blueprint, &demand, most, &mut search, context.cancel)?),
    };
    let mut own_rng = blueprint.streams().stream(CUTS, 0);
    if !search.run(&demand, &mut own_rng, context.cancel)? {
        search.run(&demand, &mut deciding_rng(blueprint, decider), context.cancel)?;
    }
    let (ownership, rooms, mut doors) = search.finish(&demand);
    let loops = blueprint.options().get(OptionId::Loops);
    if loops > 0 {
        let mut rng = blueprint.streams().stream(LOOPS, 0);
        loops::add_doors(ownership, mask, &mut doors, demand.door, loops, &mut rng, context.cancel)?;
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

/// The most nanoseconds of a run: those of a search for rooms that finds none. Refuses rooms that are larger than the
/// mask. Only a search can tell whether other rooms fit.
pub(crate) fn estimate(blueprint: &Blueprint) -> Result<u64, Error> {
    let inside = blueprint.inside();
    if blueprint.options().get(OptionId::MinRoomArea) <= inside {
        return Ok(blueprint.nanos(10_000_000, 0));
    }
    Err(error(OptionId::MinRoomArea, format!("is too large: the mask has {inside} tiles inside")))
}

fn error(option: OptionId, message: String) -> Error {
    Error::Unbuildable(vec![ParameterError::new(option.row().name, message)])
}

/// What the searches must find. A number that is larger than the number of tiles becomes that number plus one: still
/// too large, but a `u32`.
fn demand(blueprint: &Blueprint) -> MaskDemand {
    let (options, too_large) = (blueprint.options(), blueprint.inside() + 1);
    let count = |option| options.get(option).min(too_large) as u32;
    let (rooms, area, door) = (count(OptionId::Rooms), count(OptionId::MinRoomArea), count(OptionId::DoorSize));
    // if there are several rooms, each has a door along some of its tiles, so it needs at least that many
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
    /// All failed. The number is the most rooms that one of them had at any time.
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

/// The largest number of rooms that the deciding searches find if together they visit about as many tiles as a decision
/// may. First the search number 0 bisects the range of room numbers, from `guess` on. Then all searches try one room
/// more than the largest number found, until all fail. One room is always found.
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
fn unbuildable(
    blueprint: &Blueprint,
    demand: &MaskDemand,
    most: u32,
    search: &mut RoomSearch,
    cancel: Cancel,
) -> Result<Error, Cancelled> {
    if let Err(error) = estimate(blueprint) {
        return Ok(error);
    }
    let options = blueprint.options();
    let value = |option: OptionId| option.row().kind.format(options.get(option));
    let built = most_built(blueprint, demand, most, search, cancel)?;
    let message = format!(
        "cannot be built: no search found {} rooms in this mask with min_room_area {}, door_size {} and jitter {}; at \
         most {built} were found",
        value(OptionId::Rooms),
        value(OptionId::MinRoomArea),
        value(OptionId::DoorSize),
        value(OptionId::Jitter),
    );
    Ok(error(OptionId::Rooms, message))
}

/// A room's bounding box, and the number of its tiles.
fn outline(ownership: &Ownership, room: MaskPart) -> Room {
    let [[left, right], [top, bottom]] = ownership.bounds(room);
    Room { x: left, y: top, width: right - left + 1, height: bottom - top + 1, area: room.area().into() }
}

#[cfg(test)]
mod tests;
