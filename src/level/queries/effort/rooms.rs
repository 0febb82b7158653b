//! The explorer in a map of rooms.
//!
//! It visits each room once before it goes back for good, so what it remembers of a room is the door by which it came
//! and how many of its doors it has tried. It passes a door always by the same tile, the nearest to the exit.

use crate::level::Level;
use crate::level::grid::{Direction, Door, LevelKind, Plan, Tile};
use crate::level::parameters::options::OptionId;
use crate::level::queries::effort::room_map::{RoomMap, label_bytes};
use crate::level::recipe::Recipe;
use crate::level::work::{Cancelled, JobContext};

/// Steps of the explorer from start to exit; `None` if it does not find the exit.
pub(super) fn walk(level: &Level, plan: &Plan, context: &mut JobContext) -> Result<Option<u64>, Cancelled> {
    Explorer::new(RoomMap::of(level, plan, context)?, level.exit()).walk(level.start())
}

/// Most bytes that a walk holds: three words for each room, two for each door, and in a mask those of the labels.
pub(super) fn work_bytes(recipe: &Recipe) -> u64 {
    if recipe.algorithm().kind != LevelKind::Rooms {
        return 0;
    }
    let size = recipe.size();
    // each room has a tile of its own and a wall to its right and below, or is as small in a mask
    let most = if recipe.mask().is_some() { size.area() } else { size.area().div_ceil(4) };
    let rooms = recipe.options().get(OptionId::Rooms).min(most);
    // without loops the doors are a tree; with them no two join the same rooms, and a planar graph has three times as
    // many edges as nodes at most
    let doors = if recipe.options().get(OptionId::Loops) == 0 { rooms } else { 3 * rooms };
    let labels = if recipe.mask().is_some() { label_bytes(size) } else { 0 };
    12 * rooms + 8 * doors + labels
}

/// Where the start or the exit is.
#[derive(Debug, Clone, Copy)]
enum Location {
    Room(u32),
    Door(u32),
}

/// What the explorer knows and remembers.
struct Explorer<'a> {
    map: RoomMap<'a>,
    exit: Tile,
    /// The start, if it is on a door, and that door.
    on_door: Option<(u32, Tile)>,
    /// The doors of all rooms, room by room. Those of a visited room are in the order in which they are taken.
    doors: Vec<u32>,
    /// Where the doors of each room end in this list.
    ends: Vec<u32>,
    /// Where those of each room begin that the explorer has not tried.
    untried: Vec<u32>,
    /// The door by which the explorer first came into each room.
    entered: Vec<u32>,
}

/// Instead of the number of a door: the room is not visited.
const UNVISITED: u32 = u32::MAX;

/// Instead of the number of a door: the explorer began here.
const BEGINNING: u32 = u32::MAX - 1;

impl<'a> Explorer<'a> {
    fn new(map: RoomMap<'a>, exit: Tile) -> Self {
        let Plan { rooms, doors } = map.plan;
        let mut untried = vec![0; rooms.len()];
        for room in doors.iter().flat_map(|door| door.rooms) {
            untried[room as usize] += 1;
        }
        let mut end = 0;
        for count in &mut untried {
            (*count, end) = (end, end + *count);
        }
        let (mut ends, mut of_rooms) = (untried.clone(), vec![0; end as usize]);
        for (door, number) in doors.iter().zip(0..) {
            for room in door.rooms {
                let end = &mut ends[room as usize];
                of_rooms[*end as usize] = number;
                *end += 1;
            }
        }
        Self { map, exit, on_door: None, entered: vec![UNVISITED; ends.len()], doors: of_rooms, ends, untried }
    }

    fn walk(mut self, start: Tile) -> Result<Option<u64>, Cancelled> {
        if start == self.exit {
            return Ok(Some(0));
        }
        let [Some(start_location), Some(exit_location)] = [start, self.exit].map(|tile| self.locate(tile)) else {
            return Ok(None);
        };
        let (mut room, mut tile, mut effort) = match (start_location, exit_location) {
            (Location::Room(room), _) => (room, start, 0),
            (Location::Door(door), Location::Door(same)) if door == same => return Ok(Some(start.distance(self.exit))),
            (Location::Door(number), _) => {
                self.on_door = Some((number, start));
                let door = &self.map.plan.doors[number as usize];
                let Some(room) = self.first_room(start, number, exit_location)? else { return Ok(None) };
                self.enter(other_room(door, room), BEGINNING);
                self.enter(room, number);
                (room, start.step(self.map.towards(door, room)), 1)
            }
        };
        if self.on_door.is_none() {
            self.enter(room, BEGINNING);
        }
        for moves in 0_usize.. {
            if moves.is_multiple_of(1024) {
                self.map.cancel.check()?;
            }
            if let Some(steps) = self.steps_to_exit(tile, room, exit_location)? {
                return Ok(Some(effort + steps));
            }
            let next = self.next_door(room);
            let number = next.unwrap_or(self.entered[room as usize]);
            if number == BEGINNING {
                break;
            }
            let door = &self.map.plan.doors[number as usize];
            let here = self.map.towards(door, room);
            let middle = match self.on_door {
                Some((same, start)) if same == number => start,
                _ => self.nearest(door),
            };
            effort += self.map.steps(tile, middle.step(here), room)? + 2;
            tile = middle.step(here.back());
            room = other_room(door, room);
            if next.is_some() {
                self.enter(room, number);
            }
        }
        Ok(None)
    }

    /// The room or door of a tile.
    fn locate(&self, tile: Tile) -> Option<Location> {
        let Plan { rooms, doors } = self.map.plan;
        let room = (0..rooms.len() as u32).find(|room| self.map.is_in(tile, *room));
        let is_of = |door: &Door| nearest_tile(door, tile) == tile;
        room.map(Location::Room).or_else(|| doors.iter().position(is_of).map(|door| Location::Door(door as u32)))
    }

    /// In which room an explorer begins that starts on a door and does not see the exit there.
    fn first_room(&mut self, start: Tile, number: u32, exit: Location) -> Result<Option<u32>, Cancelled> {
        let door = &self.map.plan.doors[number as usize];
        let mut nearest: Option<(u64, u32)> = None;
        for room in door.rooms {
            let first = start.step(self.map.towards(door, room));
            if let Some(steps) = self.steps_to_exit(first, room, exit)?
                && nearest.is_none_or(|(least, _)| steps < least)
            {
                nearest = Some((steps, room));
            }
        }
        let doors = door.rooms.into_iter().flat_map(|room| self.doors_of(room).iter().map(move |door| (*door, room)));
        let others = doors.filter(|(door, _)| *door != number);
        let first = others.min_by_key(|(number, _)| self.order(*number));
        Ok(nearest.map(|(_, room)| room).or(first.map(|(_, room)| room)))
    }

    /// The doors of a room that the explorer has not tried.
    fn doors_of(&self, room: u32) -> &[u32] {
        &self.doors[self.untried[room as usize] as usize..self.ends[room as usize] as usize]
    }

    /// Comes into a room for the first time.
    fn enter(&mut self, room: u32, door: u32) {
        self.entered[room as usize] = door;
        let range = self.untried[room as usize] as usize..self.ends[room as usize] as usize;
        let mut doors = std::mem::take(&mut self.doors);
        doors[range].sort_unstable_by_key(|door| self.order(*door));
        self.doors = doors;
    }

    /// The next door of a room that leads to a room without a visit.
    fn next_door(&mut self, room: u32) -> Option<u32> {
        let doors = self.doors_of(room).iter();
        let is_new = |door: &&u32| {
            let room = other_room(&self.map.plan.doors[**door as usize], room);
            self.entered[room as usize] == UNVISITED
        };
        let (tried, door) = doors.zip(1..).find(|(door, _)| is_new(door)).map(|(door, tried)| (tried, *door))?;
        self.untried[room as usize] += tried;
        Some(door)
    }

    /// The steps from a tile of a room to the exit, if the explorer sees it from the room.
    fn steps_to_exit(&mut self, from: Tile, room: u32, exit: Location) -> Result<Option<u64>, Cancelled> {
        match exit {
            Location::Room(of) => (of == room).then(|| self.map.steps(from, self.exit, room)).transpose(),
            Location::Door(door) => {
                let door = &self.map.plan.doors[door as usize];
                if !door.rooms.contains(&room) {
                    return Ok(None);
                }
                let beside = self.exit.step(self.map.towards(door, room));
                Ok(Some(self.map.steps(from, beside, room)? + 1))
            }
        }
    }

    /// The tile of a door that is nearest to the exit; of two, the first in row-major order.
    fn nearest(&self, door: &Door) -> Tile {
        nearest_tile(door, self.exit)
    }

    /// The key by which the explorer chooses a door: the smallest one wins.
    fn order(&self, door: u32) -> (u64, u32, u32) {
        let tile = self.nearest(&self.map.plan.doors[door as usize]);
        (tile.distance(self.exit), tile.y, tile.x)
    }
}

/// The tile of a door that is nearest to another tile. There is only one: the tiles lie in a line.
const fn nearest_tile(door: &Door, to: Tile) -> Tile {
    let Tile { x, y } = door.first;
    match door.along {
        Direction::Right => Tile { x: clamp(to.x, x, door.length), y },
        _ => Tile { x, y: clamp(to.y, y, door.length) },
    }
}

/// The number nearest to `to` among so many from `first` on.
const fn clamp(to: u32, first: u32, length: u32) -> u32 {
    if to < first {
        first
    } else if to - first < length {
        to
    } else {
        first + length - 1
    }
}

const fn other_room(door: &Door, room: u32) -> u32 {
    door.rooms[if door.rooms[0] == room { 1 } else { 0 }]
}
