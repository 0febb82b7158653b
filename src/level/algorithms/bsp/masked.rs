//! Rooms inside a mask: connected sets of tiles, found by a search that may take cuts back.
//!
//! A cut lies on one line, whose [chords] part what it cuts into two connected sides. Its door is drawn at once, and the
//! tiles along both sides of the door stay open from then on, so that no later wall can shut it. Which lines are tried,
//! and in which order, [`lines`] says; the [search] gives each side its rooms and goes on in both.
//!
//! What cannot be counted out cannot be promised for each number of rooms, but it must not hang on luck either: whether
//! a blueprint is built is decided by a few searches that know nothing of its seed. Each visits a bounded number of tiles,
//! so no clock has a part in it. Where the search of the seed itself does not come to an end, the rooms are those of the
//! first of them that did.
//!
//! Given up against the [rectangle](super::rectangle): rooms that are rectangles, sides that are no shorter than a door,
//! and every number of rooms up to one that is known beforehand. Kept: the exact number of rooms, each in one piece with
//! no fewer tiles than asked for; walls between all rooms; one door of exactly the right length in each cut.

mod demand;
#[cfg(test)]
mod fixtures;
mod lines;
mod loops;
mod ownership;
mod search;
mod segments;

use crate::level::algorithms::blueprint::Blueprint;
use crate::level::error::ParameterError;
use crate::level::grid::{Door, Grid, Layout, Mask, OpenTiles, Plan, Room};
use crate::level::parameters::options::OptionId;
use crate::level::rng::{Rng, Seed, Streams};
use crate::level::work::{Cancel, Cancelled, JobContext};

use crate::level::algorithms::bsp::streams::{CUTS, LOOPS};
use crate::level::error::Error;
use demand::Demand;
use ownership::{Ownership, Part};
use search::Search;

/// So many searches that do not know the seed decide whether a blueprint is built.
const DECIDING: u64 = 8;

/// Most bytes that a run holds. For each tile of the board, whose rows are up to twice as long as those of the level:
/// the part that it belongs to, its piece, and whether it is kept. For each tile inside: its place in its part, and on
/// the way there; it may wait for a visit, and be a piece of its own, noted twice; and it may be a place for a door, or a third of a
/// room with its door, all in lists that grow.
pub(crate) fn work_bytes(blueprint: &Blueprint) -> u64 {
    let area = blueprint.size().area();
    area * (2 * 9 + 8 + 8 + 4 + 36) + area / 4
}

/// The rooms of a blueprint inside its mask, which must be in one piece.
pub(crate) fn generate(blueprint: &Blueprint, mask: &Mask, context: &mut JobContext) -> Result<Layout, Error> {
    let mut search = Search::new(mask);
    let demand = demand(blueprint);
    let decider = match decide(blueprint, &demand, &mut search, context.cancel)? {
        Decision::Built(decider) => decider,
        Decision::Failed(most) => return Err(refuse(blueprint, &demand, most, &mut search, context.cancel)?),
    };
    let mut own = blueprint.streams().stream(CUTS, 0);
    if !search.run(&demand, &mut own, context.cancel)? {
        search.run(&demand, &mut deciding(blueprint, decider), context.cancel)?;
    }
    let (plot, rooms, mut doors) = search.finish(&demand);
    let share = blueprint.options().get(OptionId::Loops);
    if share > 0 {
        let mut places = blueprint.streams().stream(LOOPS, 0);
        loops::draw(plot, mask, &mut doors, demand.door, share, &mut places, context.cancel)?;
    }
    doors.sort_unstable_by_key(|door| (door.first.y, door.first.x));

    let mut open = context.buffers.planes.take(blueprint.size().width as usize, blueprint.size().height as usize);
    open.clear();
    for room in rooms {
        plot.paint(*room, &mut open);
    }
    for tile in doors.iter().flat_map(Door::tiles) {
        open.set(tile.x as usize, tile.y as usize);
    }
    let rooms = rooms.iter().map(|room| outline(plot, *room)).collect();
    Ok(Layout { grid: Grid::new(OpenTiles::Rooms(open)), parents: None, plan: Some(Plan { rooms, doors }) })
}

/// What the searches are after; numbers without measure become ones that are just too large.
fn demand(blueprint: &Blueprint) -> Demand {
    let (options, beyond) = (blueprint.options(), blueprint.inside() + 1);
    let count = |option| options.get(option).min(beyond) as u32;
    let (rooms, area, door) = (count(OptionId::Rooms), count(OptionId::MinRoomArea), count(OptionId::DoorSize));
    // where there are several, each has a door along some of its tiles
    let area = if rooms > 1 { area.max(door) } else { area };
    Demand { rooms, area, door, jitter: options.get(OptionId::Jitter) }
}

/// The random numbers of a deciding search: a function of the blueprint without its seed.
fn deciding(blueprint: &Blueprint, number: u64) -> Rng {
    let size = blueprint.size();
    let shape = u64::from(size.width) << 32 | u64::from(size.height);
    Streams::new(&Seed::Integer(0), "rooms in a mask", shape).stream(CUTS, number)
}

/// What the deciding searches found.
enum Decision {
    /// The one of this number, the first that did, built the rooms.
    Built(u64),
    /// None did. One of them had so many at some time.
    Failed(u32),
}

fn decide(blueprint: &Blueprint, demand: &Demand, search: &mut Search, cancel: Cancel) -> Result<Decision, Cancelled> {
    let mut most = 1;
    if demand.rooms <= demand.most(blueprint.inside() as u32) {
        for number in 0..DECIDING {
            if search.run(demand, &mut deciding(blueprint, number), cancel)? {
                return Ok(Decision::Built(number));
            }
            most = most.max(search.most());
        }
    }
    Ok(Decision::Failed(most))
}

/// The largest number of rooms that deciding searches find with as much work as it takes to decide: the first of them
/// halves the range, the others try one room more, and again. One room is always found.
fn most_built(
    blueprint: &Blueprint,
    demand: &Demand,
    guess: u32,
    search: &mut Search,
    cancel: Cancel,
) -> Result<u32, Cancelled> {
    let wanted = demand.rooms.min(demand.most(blueprint.inside() as u32) + 1);
    let mut visited = 0;
    let mut finds = |rooms: u32, number: u64| {
        if visited > DECIDING * search.patience() {
            return Ok(false);
        }
        let found = search.run(&Demand { rooms, ..*demand }, &mut deciding(blueprint, number), cancel)?;
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
    while built + 1 < wanted && number < DECIDING {
        if finds(built + 1, number)? {
            (built, number) = (built + 1, 0);
        } else {
            number += 1;
        }
    }
    Ok(built)
}

/// The faults of a blueprint that no deciding search builds.
fn refuse(
    blueprint: &Blueprint,
    demand: &Demand,
    most: u32,
    search: &mut Search,
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
fn outline(plot: &Ownership, room: Part) -> Room {
    let [[left, right], [top, bottom]] = plot.bounds(room);
    Room { x: left, y: top, width: right - left + 1, height: bottom - top + 1, area: room.area().into() }
}

#[cfg(test)]
mod tests;
