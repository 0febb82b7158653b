//! Rooms inside a mask: connected sets of tiles, found by a search that may take cuts back.
//!
//! A cut lies on one line, whose [chords] part what it cuts into two connected sides. Its door is drawn at once, and the
//! tiles along both sides of the door stay open from then on, so that no later wall can shut it. Which lines are tried,
//! and in which order, [`lines`] says; the [search] gives each side its rooms and goes on in both.
//!
//! What cannot be counted out cannot be promised for each number of rooms, but it must not hang on luck either: whether
//! a recipe is built is decided by a few searches that know nothing of its seed. Each visits a bounded number of tiles,
//! so no clock has a part in it. Where the search of the seed itself does not come to an end, the rooms are those of the
//! first of them that did.
//!
//! Given up against the [rectangle](super::rectangle): rooms that are rectangles, sides that are no shorter than a door,
//! and every number of rooms up to one that is known beforehand. Kept: the exact number of rooms, each in one piece with
//! no fewer tiles than asked for; walls between all rooms; one door of exactly the right length in each cut.

mod chords;
mod demand;
mod lines;
mod loops;
mod plot;
mod search;

use crate::level::grid::{Floor, Grid};
use crate::level::layout::{Door, Layout, Plan, Room};
use crate::level::mask::Mask;
use crate::level::options::Opt;
use crate::level::parameters::Fault;
use crate::level::recipe::Recipe;
use crate::level::rng::{Rng, Seed, Streams};
use crate::level::work::{Halt, Stopped, Work};

use super::super::Failure;
use super::{CUTS, LOOPS};
use demand::Demand;
use plot::{Part, Plot};
use search::Search;

/// So many searches that do not know the seed decide whether a recipe is built.
const DECIDING: u64 = 8;

/// Most bytes that a run holds. For each tile of the board, whose rows are up to twice as long as those of the level:
/// the part that it belongs to, its piece, and whether it is kept. For each tile inside: its place in its part, and on
/// the way there; it may wait for a visit, and be a piece of its own; and it may be a place for a door.
pub(super) fn work_bytes(recipe: &Recipe) -> u64 {
    let area = recipe.size().area();
    area * (2 * 9 + 8 + 8 + 24) + area / 4
}

/// The rooms of a recipe inside its mask, which must be in one piece.
pub(super) fn generate(recipe: &Recipe, mask: &Mask, work: &mut Work) -> Result<Layout, Failure> {
    let mut search = Search::new(mask);
    let demand = demand(recipe);
    let decider = match decide(recipe, &demand, &mut search, work.halt)? {
        Decision::Built(decider) => decider,
        Decision::Failed(most) => return Err(refuse(recipe, &demand, most, &mut search, work.halt)?),
    };
    let mut own = recipe.streams().stream(CUTS, 0);
    if !search.run(&demand, &mut own, work.halt)? {
        search.run(&demand, &mut deciding(recipe, decider), work.halt)?;
    }
    let (plot, rooms, mut doors) = search.finish(&demand);
    let share = recipe.options().get(Opt::Loops);
    if share > 0 {
        let mut places = recipe.streams().stream(LOOPS, 0);
        loops::draw(plot, mask, &mut doors, demand.door, share, &mut places, work.halt)?;
    }
    doors.sort_unstable_by_key(|door| (door.first.y, door.first.x));

    let mut open = work.scratch.planes.take(recipe.size().width as usize, recipe.size().height as usize);
    open.clear();
    for room in rooms {
        plot.paint(*room, &mut open);
    }
    for tile in doors.iter().flat_map(Door::tiles) {
        open.set(tile.x as usize, tile.y as usize);
    }
    let rooms = rooms.iter().map(|room| outline(plot, *room)).collect();
    Ok(Layout { grid: Grid::new(Floor::Rooms(open)), parents: None, plan: Some(Plan { rooms, doors }) })
}

/// What the searches are after; numbers without measure become ones that are just too large.
fn demand(recipe: &Recipe) -> Demand {
    let (options, beyond) = (recipe.options(), recipe.inside() + 1);
    let count = |option| options.get(option).min(beyond) as u32;
    let (rooms, area, door) = (count(Opt::Rooms), count(Opt::MinRoomArea), count(Opt::DoorSize));
    // where there are several, each has a door along some of its tiles
    let area = if rooms > 1 { area.max(door) } else { area };
    Demand { rooms, area, door, jitter: options.get(Opt::Jitter) }
}

/// The random numbers of a deciding search: a function of the recipe without its seed.
fn deciding(recipe: &Recipe, number: u64) -> Rng {
    let size = recipe.size();
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

fn decide(recipe: &Recipe, demand: &Demand, search: &mut Search, halt: Halt) -> Result<Decision, Stopped> {
    let mut most = 1;
    if demand.rooms <= demand.most(recipe.inside() as u32) {
        for number in 0..DECIDING {
            if search.run(demand, &mut deciding(recipe, number), halt)? {
                return Ok(Decision::Built(number));
            }
            most = most.max(search.most());
        }
    }
    Ok(Decision::Failed(most))
}

/// The largest number of rooms that the first of the deciding searches builds, as far as halving the range finds it
/// with as much work as to decide. One room is always built.
fn most_built(recipe: &Recipe, demand: &Demand, guess: u32, search: &mut Search, halt: Halt) -> Result<u32, Stopped> {
    let (mut built, mut failed) = (1, demand.rooms.min(demand.most(recipe.inside() as u32) + 1));
    let (mut guess, mut visited) = (Some(guess), 0);
    while built + 1 < failed && visited <= DECIDING * search.patience() {
        let rooms = guess.take().map_or(built.midpoint(failed), |guess| guess.clamp(built + 1, failed - 1));
        if search.run(&Demand { rooms, ..*demand }, &mut deciding(recipe, 0), halt)? {
            built = rooms;
        } else {
            failed = rooms;
        }
        visited += search.visited();
    }
    Ok(built)
}

/// The faults of a recipe that no deciding search builds.
fn refuse(recipe: &Recipe, demand: &Demand, most: u32, search: &mut Search, halt: Halt) -> Result<Failure, Stopped> {
    let (options, inside) = (recipe.options(), recipe.inside());
    let value = |option: Opt| option.row().kind.format(options.get(option));
    let fault = |option: Opt, message| Fault::new(option.row().name, format!("is too large: {message}"));
    if options.get(Opt::MinRoomArea) > inside {
        let message = format!("the mask has {inside} tiles inside");
        return Ok(Failure::Unbuildable(vec![fault(Opt::MinRoomArea, message)]));
    }
    let built = most_built(recipe, demand, most, search, halt)?;
    let message = format!(
        "{} rooms were not found in this mask, at most {built} were, with min_room_area {}, door_size {} and jitter {}",
        value(Opt::Rooms),
        value(Opt::MinRoomArea),
        value(Opt::DoorSize),
        value(Opt::Jitter),
    );
    Ok(Failure::Unbuildable(vec![fault(Opt::Rooms, message)]))
}

/// The bounding box of a room and its tiles.
fn outline(plot: &Plot, room: Part) -> Room {
    let [[left, right], [top, bottom]] = plot.bounds(room);
    Room { x: left, y: top, width: right - left + 1, height: bottom - top + 1, area: room.area().into() }
}
