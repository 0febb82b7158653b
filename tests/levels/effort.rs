//! The effort of levels against an explorer that is written from the definition alone; the range of difficulties that
//! each algorithm reaches, which the page of algorithms shows; and what the difficulty is good for.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use std::{env, fs};

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::{Direction, Door, Plan, Tile};
use mazed::level::parameters::options::FRACTION_UNIT;
use mazed::level::queries::effort::{Rating, rate};
use mazed::level::work::Buffers;

use crate::fixtures::{build, context};
use crate::oracle::{open_neighbours, open_tiles};

/// Rows plus columns.
fn distance(one: Tile, other: Tile) -> u32 {
    one.x.abs_diff(other.x) + one.y.abs_diff(other.y)
}

/// The steps of the explorer.
pub(crate) fn effort(level: &Level) -> u64 {
    match level.plan() {
        _ if level.start() == level.exit() => 0,
        Some(plan) => Rooms::of(level, plan).effort(),
        None => effort_in_maze(level),
    }
}

fn effort_in_maze(level: &Level) -> u64 {
    let (mut trail, mut visited, mut effort) = (vec![level.start()], HashSet::from([level.start()]), 0);
    let openings = level.grid().openings.into_iter().flatten().collect::<Vec<_>>();
    while let Some(&tile) = trail.last() {
        if tile == level.exit() {
            return effort;
        }
        let beside = open_neighbours(level, tile).filter(|next| !openings.contains(next) && !visited.contains(next));
        // neighbours come clockwise from up, and of equal ones this takes the first
        match beside.min_by_key(|next| distance(*next, level.exit())) {
            Some(next) => {
                visited.insert(next);
                trail.push(next);
            }
            None => _ = trail.pop(),
        }
        effort += 1;
    }
    panic!("{}: no exit", level.recipe())
}

/// The rooms of a level, found without a look at the plan's own rooms.
struct Rooms<'a> {
    level: &'a Level,
    doors: Vec<&'a Door>,
    /// The room of each tile that is on no door.
    of_tile: HashMap<Tile, usize>,
}

impl<'a> Rooms<'a> {
    fn of(level: &'a Level, plan: &'a Plan) -> Self {
        let doors: Vec<_> = plan.doors.iter().collect();
        let on_door: HashSet<_> = doors.iter().flat_map(|door| door.tiles()).collect();
        let openings = level.grid().openings.into_iter().flatten().collect::<Vec<_>>();
        let is_in_room = |tile: &Tile| !on_door.contains(tile) && !openings.contains(tile);
        let mut of_tile = HashMap::new();
        let mut count = 0;
        for first in open_tiles(level).into_iter().filter(is_in_room) {
            if of_tile.contains_key(&first) {
                continue;
            }
            let mut waiting = vec![first];
            while let Some(tile) = waiting.pop() {
                if of_tile.insert(tile, count).is_none() {
                    waiting.extend(open_neighbours(level, tile).filter(is_in_room));
                }
            }
            count += 1;
        }
        assert_eq!(count, plan.rooms.len(), "{}", level.recipe());
        Self { level, doors, of_tile }
    }

    /// The two rooms of a door, found beside its first tile.
    fn beside(&self, door: &Door) -> [usize; 2] {
        let beside = Direction::ALL.iter().filter_map(|direction| self.of_tile.get(&door.first.step(*direction)));
        let rooms: Vec<_> = beside.copied().collect();
        assert_eq!(rooms.len(), 2, "{}: only two tiles of rooms touch a door's tile", self.level.recipe());
        [rooms[0], rooms[1]]
    }

    /// The rooms that the explorer sees from a tile: its own, or both of its door.
    fn seen_from(&self, tile: Tile) -> Vec<usize> {
        match self.of_tile.get(&tile) {
            Some(room) => vec![*room],
            None => self.beside(self.door_at(tile).unwrap()).to_vec(),
        }
    }

    fn door_at(&self, tile: Tile) -> Option<&'a Door> {
        self.doors.iter().copied().find(|door| door.tiles().any(|of_door| of_door == tile))
    }

    /// Whether a tile is in a room, or on one of its doors.
    fn is_seen(&self, tile: Tile, room: usize) -> bool {
        let openings = self.level.grid().openings.into_iter().flatten().collect::<Vec<_>>();
        !openings.contains(&tile) && self.seen_from(tile).contains(&room)
    }

    /// The steps of a shortest path over what is seen of a room.
    fn steps(&self, from: Tile, to: Tile, room: usize) -> u64 {
        let (mut waiting, mut met) = (VecDeque::from([(from, 0)]), HashSet::from([from]));
        while let Some((tile, steps)) = waiting.pop_front() {
            if tile == to {
                return steps;
            }
            for next in open_neighbours(self.level, tile).filter(|next| self.is_seen(*next, room)) {
                if met.insert(next) {
                    waiting.push_back((next, steps + 1));
                }
            }
        }
        panic!("{}: {to:?} is not in the room of {from:?}", self.level.recipe())
    }

    /// The best door tile from a room to a room that is not visited, with its place in the order.
    fn next(&self, room: usize, visited: &HashSet<usize>) -> Option<((u32, u32, u32), Tile)> {
        let doors = self.doors.iter().filter(|door| {
            let rooms = self.beside(door);
            rooms.contains(&room) && rooms.iter().any(|room| !visited.contains(room))
        });
        let order = |tile: Tile| (distance(tile, self.level.exit()), tile.y, tile.x);
        doors.flat_map(|door| door.tiles()).map(|tile| (order(tile), tile)).min_by_key(|(order, _)| *order)
    }

    /// The tile of a room beside a door's tile.
    fn across(&self, door: Tile, room: usize) -> Tile {
        let mut beside = open_neighbours(self.level, door).filter(|tile| self.of_tile.get(tile) == Some(&room));
        let tile = beside.next().unwrap();
        assert_eq!(beside.next(), None);
        tile
    }

    fn effort(&self) -> u64 {
        let (start, exit) = (self.level.start(), self.level.exit());
        let mut rooms = self.seen_from(start);
        let seen = rooms.iter().filter(|room| self.is_seen(exit, **room)).map(|room| self.steps(start, exit, *room));
        if let Some(steps) = seen.min() {
            return steps;
        }
        let mut visited: HashSet<_> = rooms.iter().copied().collect();
        // on a door: the room that the explorer takes comes last
        rooms.sort_by_key(|room| {
            let first = self.next(*room, &visited).map(|(order, _)| order);
            (first.is_some(), std::cmp::Reverse(first))
        });
        // each room with the door tile by which the explorer came
        let mut trail: Vec<_> = rooms.iter().map(|room| (*room, start)).collect();
        let (mut tile, mut effort) = (start, 0);
        loop {
            let (room, came_by) = *trail.last().unwrap();
            if self.is_seen(exit, room) {
                return effort + self.steps(tile, exit, room);
            }
            let (door, into) = if let Some((_, door)) = self.next(room, &visited) {
                let into = self.seen_from(door).into_iter().find(|into| *into != room).unwrap();
                visited.insert(into);
                trail.push((into, door));
                (door, into)
            } else {
                trail.pop();
                (came_by, trail.last().unwrap().0)
            };
            effort += self.steps(tile, door, room) + 1;
            tile = self.across(door, into);
        }
    }
}

/// The ratings of a recipe's levels for so many seeds.
fn ratings(pairs: &[(&str, &str)], seeds: u32) -> Vec<Rating> {
    let mut buffers = Buffers::default();
    let mut rating = |seed: u32| {
        let mut context = context(&mut buffers);
        let level = build(&[pairs, &[("seed", &*seed.to_string())]].concat(), &mut context);
        let found = rate(&level, &mut context).unwrap();
        buffers.recycle(level.into_layout());
        found
    };
    (0..seeds).map(&mut rating).collect()
}

/// The difficulties of them in ascending order.
fn difficulties(pairs: &[(&str, &str)], seeds: u32) -> Vec<u64> {
    let mut found: Vec<_> = ratings(pairs, seeds).iter().map(|rating| rating.difficulty.units()).collect();
    found.sort_unstable();
    found
}

/// The seeds of the table of ranges, and its sides.
const SEEDS: u32 = 400;
const SIDES: [&str; 3] = ["21", "41", "81"];

/// What stands before and behind the table.
const TABLE: [&str; 2] = ["<!-- difficulties -->\n", "<!-- end of difficulties -->\n"];

#[test]
fn the_page_of_algorithms_shows_the_range_of_difficulties() {
    let mut table = vec!["| algorithm | 21 x 21 | 41 x 41 | 81 x 81 |\n| --- | --- | --- | --- |\n".to_owned()];
    let decimal = |units: u64| format!("{}.{:02}", units / FRACTION_UNIT, (units % FRACTION_UNIT + 50) / 100);
    for algorithm in ALGORITHMS {
        let cells = SIDES.map(|side| {
            let found = difficulties(&[("algo", algorithm.name), ("size", side)], SEEDS);
            let [least, most] = [5, 95].map(|percent| found[found.len() * percent / 100]);
            format!("{} to {}", decimal(least), decimal(most))
        });
        table.push(format!("| {} | {} |\n", algorithm.name, cells.join(" | ")));
    }
    let table = table.concat();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/algorithms.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(TABLE[0]).unwrap();
    let (shown, behind) = rest.split_once(TABLE[1]).unwrap();
    if env::var_os("MAZED_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, [before, TABLE[0], &table, TABLE[1], behind].concat()).unwrap();
    } else {
        assert_eq!(shown, table, "run this test with MAZED_BLESS=1 if the second is right");
    }
}
