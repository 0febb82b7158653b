//! Rooms in masks keep their promises, checked tile by tile from the promises alone: by flood fill, not by the plan, and
//! knowing nothing of how the rooms are found.

#![expect(clippy::expect_used, clippy::panic, reason = "a failed expectation is what a test is for")]

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::thread;

use mazed::level::Level;
use mazed::level::error::{Error, ParameterError};
use mazed::level::grid::{Direction, Door, Room, Tile};
use mazed::level::parameters::options::OptionId;
use mazed::level::parameters::{Parameters, Value};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::work::{Buffers, Cancel, JobContext};
use proptest::prelude::*;

const SIDE: usize = 41;

/// Seeds for which a recipe that is built is built.
const SEEDS: u64 = 200;

/// Seeds for which a recipe that is refused is tried, for a refusal takes far longer than a level.
const REFUSED_SEEDS: usize = 3;

/// Seeds for which the rooms that a refusal names are built.
const NAMED_SEEDS: usize = 8;

const AREAS: [u64; 4] = [1, 4, 9, 25];
const DOORS: [u64; 3] = [1, 2, 3];
const JITTERS: [u64; 3] = [0, 2_000, 9_000];
const LOOPS: [u64; 3] = [0, 5_000, 10_000];

/// A truth for each tile, row by row.
type Plane = Vec<Vec<bool>>;

/// The number of the connected set that a tile is in, if it is in one.
type Labels = Vec<Vec<Option<u32>>>;

fn plane((width, height): (usize, usize), holds: impl Fn(usize, usize) -> bool) -> Plane {
    (0..height).map(|y| (0..width).map(|x| holds(x, y)).collect()).collect()
}

fn size(plane: &Plane) -> (usize, usize) {
    (plane[0].len(), plane.len())
}

fn places(plane: &Plane) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
    let (width, height) = size(plane);
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

/// Whether the plane holds at a tile; nothing does outside of it.
fn at(plane: &Plane, tile: Tile) -> bool {
    plane.get(tile.y as usize).and_then(|row| row.get(tile.x as usize)) == Some(&true)
}

const fn tile(x: usize, y: usize) -> Tile {
    Tile { x: x as u32, y: y as u32 }
}

/// Numbers the connected sets of a plane that does not hold on its border, in row order of their first tiles; with each
/// its bounding box and its size.
fn flood(plane: &Plane) -> (Labels, Vec<Room>) {
    let (columns, rows) = size(plane);
    let mut labels = vec![vec![None; columns]; rows];
    let mut sets = Vec::new();
    for (x, y) in places(plane) {
        if !plane[y][x] || labels[y][x].is_some() {
            continue;
        }
        let label = Some(sets.len() as u32);
        let (mut left, mut right, mut bottom, mut area) = (x, x, y, 0);
        let mut queue = VecDeque::from([(x, y)]);
        labels[y][x] = label;
        while let Some((x, y)) = queue.pop_front() {
            (left, right, bottom, area) = (left.min(x), right.max(x), bottom.max(y), area + 1);
            for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                if plane[y][x] && labels[y][x].is_none() {
                    labels[y][x] = label;
                    queue.push_back((x, y));
                }
            }
        }
        let (width, height) = ((right - left + 1) as u32, (bottom - y + 1) as u32);
        sets.push(Room { x: left as u32, y: y as u32, width, height, area });
    }
    (labels, sets)
}

struct Mask {
    name: String,
    rows: Vec<String>,
    /// Where its characters are spaces.
    spaces: Plane,
    /// Where tiles can be open.
    inside: Plane,
    /// The longest door of [`DOORS`] that fits everywhere; 0 where none does.
    widest_door: u64,
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n", self.name, self.rows.join("\n"))
    }
}

impl Mask {
    fn read(name: &str, rows: Vec<String>, widest_door: u64) -> Self {
        let spaces: Plane = rows.iter().map(|row| row.chars().map(|character| character == ' ').collect()).collect();
        let inside = plane(size(&spaces), |x, y| !spaces[y][x] && !is_on_border(size(&spaces), x, y));
        Self { name: name.to_owned(), rows, spaces, inside, widest_door }
    }

    fn of_plane(name: &str, plane: &Plane, widest_door: u64) -> Self {
        // anything but a space is inside, of however many bytes
        let character = |(place, inside): (usize, &bool)| match (inside, place % 7) {
            (false, _) => ' ',
            (true, 3) => '░',
            (true, _) => '#',
        };
        Self::read(name, plane.iter().map(|row| row.iter().enumerate().map(character).collect()).collect(), widest_door)
    }

    fn draw(name: &str, widest_door: u64, is_inside: impl Fn(usize, usize) -> bool) -> Self {
        Self::of_plane(name, &plane((SIDE, SIDE), is_inside), widest_door)
    }

    fn tiles(&self) -> u64 {
        self.inside.iter().flatten().filter(|inside| **inside).count() as u64
    }

    /// More rooms than this do not fit: each takes its area, and each but one a door.
    fn bound(&self, area: u64, door: u64) -> u64 {
        (self.tiles() + door) / (area + door)
    }
}

const fn is_on_border((width, height): (usize, usize), x: usize, y: usize) -> bool {
    x == 0 || y == 0 || x + 1 == width || y + 1 == height
}

/// The largest connected set of a plane, its border left out.
fn largest_piece(plane: &Plane) -> Plane {
    let inner = self::plane(size(plane), |x, y| plane[y][x] && !is_on_border(size(plane), x, y));
    let (labels, sets) = flood(&inner);
    let largest = (0..).zip(&sets).max_by_key(|(_, set)| set.area).map(|(label, _)| label);
    self::plane(size(plane), |x, y| inner[y][x] && labels[y][x] == largest)
}

/// A small generator of numbers, for masks that are the same in every run.
struct Numbers(u64);

impl Numbers {
    const fn below(&mut self, bound: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound) as usize
    }
}

fn masks() -> Vec<Mask> {
    let from_middle = |at: usize| at.abs_diff(SIDE / 2);
    let distance = move |x, y| from_middle(x).pow(2) + from_middle(y).pow(2);
    let between = |at: usize| (8..=10).contains(&(at % 10)) || at.is_multiple_of(10);
    vec![
        Mask::draw("ring", 3, move |x, y| (64..=380).contains(&distance(x, y))),
        Mask::draw("cross", 3, move |x, y| from_middle(x) <= 6 || from_middle(y) <= 6),
        Mask::draw("L", 3, |x, y| x <= 13 || y >= 27),
        Mask::draw("disc", 3, move |x, y| distance(x, y) <= 380),
        Mask::draw("pillars of one tile", 3, |x, y| !(x % 4 == 0 && y % 4 == 0)),
        Mask::draw("pillars of four tiles", 3, |x, y| (1..4).contains(&(x % 5)) || (1..4).contains(&(y % 5))),
        holes(),
        Mask::draw("blobs on necks", 1, move |x, y| {
            x < 38 && y < 38 && (!between(x) || y % 10 == 4) && (!between(y) || x % 10 == 4)
        }),
        Mask::draw("comb of teeth one wide", 1, |x, y| y <= 3 || x % 2 == 1),
        Mask::draw("comb of teeth three wide", 3, |x, y| y <= 3 || x % 4 > 0),
        spiral("spiral one wide", 1, 20, 1),
        spiral("spiral three wide", 3, 10, 3),
        spiral("spiral six wide", 3, 5, 6),
        cave(),
        Mask::draw("hourglass", 3, move |x, y| from_middle(x) < from_middle(y).clamp(2, 17)),
        Mask::draw("diagonal steps two wide", 2, |x, y| {
            let (i, j) = (x.wrapping_sub(1) / 2, y.wrapping_sub(1) / 2);
            i <= 18 && j <= 18 && ((i + j) % 3 > 0 || j == 0 || i == 18)
        }),
        staircase(),
    ]
}

/// A hall with holes of random sizes, three tiles or more between them.
fn holes() -> Mask {
    let mut numbers = Numbers(1);
    let mut inside = plane((SIDE, SIDE), |_, _| true);
    for _ in 0..400 {
        let (width, height) = (2 + numbers.below(5), 2 + numbers.below(5));
        let (x, y) = (4 + numbers.below((SIDE - width - 7) as u64), 4 + numbers.below((SIDE - height - 7) as u64));
        let is_free = (y - 3..y + height + 3).all(|y| inside[y][x - 3..x + width + 3].iter().all(|inside| *inside));
        if is_free {
            (y..y + height).for_each(|y| inside[y][x..x + width].fill(false));
        }
    }
    Mask::of_plane("holes", &inside, 3)
}

/// A corridor that winds inwards through a square of `stations`, one tile between its arms.
fn spiral(name: &str, widest_door: u64, stations: usize, width: usize) -> Mask {
    let mut inside = plane((SIDE, SIDE), |_, _| false);
    let mut visited = plane((stations, stations), |_, _| false);
    let (mut here, mut way) = (tile(0, 0), Direction::Right);
    visited[0][0] = true;
    for _ in 1..stations * stations {
        let is_new = |next: Tile| visited.get(next.y as usize).and_then(|row| row.get(next.x as usize)) == Some(&false);
        if !is_new(here.step(way)) {
            way = way.to_the_right();
        }
        let next = here.step(way);
        let from = |a: u32, b: u32| 1 + a.min(b) as usize * (width + 1);
        let to = |a: u32, b: u32| 1 + a.max(b) as usize * (width + 1) + width;
        for row in &mut inside[from(here.y, next.y)..to(here.y, next.y)] {
            row[from(here.x, next.x)..to(here.x, next.x)].fill(true);
        }
        visited[next.y as usize][next.x as usize] = true;
        here = next;
    }
    Mask::of_plane(name, &inside, widest_door)
}

fn cave() -> Mask {
    cave_of(SIDE, 43, 4)
}

/// The largest cave of a cellular automaton that begins with so much rock in a hundred; without a round it is scattered
/// rock.
fn cave_of(side: usize, percent: usize, rounds: usize) -> Mask {
    let mut numbers = Numbers(5);
    let mut rock = plane((side, side), |_, _| false);
    rock.iter_mut().flatten().for_each(|rock| *rock = numbers.below(100) < percent);
    for _ in 0..rounds {
        let around = |at: usize| at - 1..=at + 1;
        let next = plane((side, side), |x, y| {
            let rocks = |y: usize| rock[y][around(x)].iter().filter(|rock| **rock).count();
            is_on_border((side, side), x, y) || around(y).map(rocks).sum::<usize>() >= 5
        });
        rock = next;
    }
    Mask::of_plane("cave", &largest_piece(&plane((side, side), |x, y| !rock[y][x])), 1)
}

/// One tile wide and nowhere three tiles straight on, so that no tile can part two others.
fn staircase() -> Mask {
    Mask::draw("staircase one wide", 0, |x, y| x == y || x == y + 1)
}

/// Whether a square of so many tiles a side can be pushed from anywhere to anywhere and covers every tile on its way.
fn is_as_wide_as(inside: &Plane, side: usize) -> bool {
    let fits = |x: usize, y: usize| {
        let rows = inside.get(y..y + side);
        rows.is_some_and(|rows| {
            rows.iter().all(|row| row.get(x..x + side).is_some_and(|run| run.iter().all(|inside| *inside)))
        })
    };
    let squares = plane(size(inside), fits);
    let is_covered =
        |x: usize, y: usize| (y + 1 - side.min(y)..=y).any(|y| squares[y][x + 1 - side.min(x)..=x].contains(&true));
    flood(&squares).1.len() == 1 && places(inside).all(|(x, y)| !inside[y][x] || is_covered(x, y))
}

#[test]
fn the_masks_are_in_one_piece_and_as_wide_as_they_say() {
    for mask in masks() {
        assert_eq!(flood(&mask.inside).1.len(), 1, "{mask:?}");
        assert!(mask.tiles() < 39 * 39, "{mask:?}");
        for door in 2..=3 {
            assert_eq!(is_as_wide_as(&mask.inside, door as usize), door <= mask.widest_door, "{door}: {mask:?}");
        }
    }
}

/// What a room map is asked for, beside its mask.
#[derive(Debug, Clone)]
struct Wish {
    /// The default where there is none.
    rooms: Option<u64>,
    area: u64,
    door: u64,
    /// In ten-thousandths.
    jitter: u64,
    /// In ten-thousandths.
    loops: u64,
    seed: u64,
}

impl Wish {
    fn recipe(&self, mask: &Mask) -> Recipe {
        let fraction = |value: u64| format!("{}.{:04}", value / 10_000, value % 10_000);
        let mut texts = vec![
            ("algo", "bsp".to_owned()),
            ("min_room_area", self.area.to_string()),
            ("door_size", self.door.to_string()),
            ("jitter", fraction(self.jitter)),
            ("loops", fraction(self.loops)),
            ("seed", self.seed.to_string()),
        ];
        texts.extend(self.rooms.map(|rooms| ("rooms", rooms.to_string())));
        let texts = texts.into_iter().map(|(name, text)| (name.into(), Ok(Value::Bare(text.into()))));
        let rows = Value::Rows(mask.rows.iter().map(|row| row.as_str().into()).collect());
        let mut given = Parameters::new(texts.chain([("mask".into(), Ok(rows))]).collect());
        let recipe = Recipe::read(&mut given, Limits::of_side(4001), || 0);
        given.finish(recipe, Vec::new).expect("a readable recipe")
    }

    fn build(&self, mask: &Mask, buffers: &mut Buffers) -> Result<Level, Vec<ParameterError>> {
        match Level::build(self.recipe(mask), &mut JobContext { buffers, cancel: Cancel::never() }) {
            Ok(level) => Ok(level),
            Err(Error::Unbuildable(faults)) => Err(faults),
            Err(other) => panic!("{self:?}: {other:?} in {mask:?}"),
        }
    }

    /// The number of rooms that is asked for or the default.
    fn rooms(&self, mask: &Mask) -> u64 {
        self.recipe(mask).options().get(OptionId::Rooms)
    }

    /// Builds the level; tells why it is refused, or which promise it breaks.
    fn try_to_keep(&self, mask: &Mask, buffers: &mut Buffers) -> Result<(), String> {
        let level = self.build(mask, buffers).map_err(|faults| format!("refused: {faults:?}"))?;
        let terms = Terms { rooms: self.rooms(mask), area: self.area, door: self.door, loops: self.loops };
        let map = Map::of(&level);
        let kept = map.check(&terms, mask).map_err(|broken| format!("{broken}\n{}", picture(&map)));
        buffers.recycle(level.into_layout());
        kept
    }

    fn keep(&self, mask: &Mask, buffers: &mut Buffers) {
        if let Err(broken) = self.try_to_keep(mask, buffers) {
            panic!("{self:?}: {broken}\nin {mask:?}");
        }
    }

    /// The largest number of rooms that a refusal of this wish must name; `None` where not even one room fits.
    fn most_named(&self, faults: &[ParameterError], mask: &Mask) -> Option<u64> {
        let fault_of = |parameter| faults.iter().find(|fault| fault.parameter == parameter);
        if self.area > mask.tiles() {
            assert!(fault_of("min_room_area").is_some(), "{self:?}: {faults:?} in {mask:?}");
            return None;
        }
        let (_, named) = fault_of("rooms")?.message.split_once("at most ")?;
        named.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
    }
}

/// Holds wishes that differ in nothing but seed and loops to their promises: all are built, or all are refused alike
/// and the rooms that the refusal names are built.
fn keep_for_all_seeds(wishes: &[Wish], mask: &Mask, buffers: &mut Buffers) {
    let first = &wishes[0];
    let Err(faults) = first.build(mask, buffers) else {
        return wishes.iter().for_each(|wish| wish.keep(mask, buffers));
    };
    for wish in &wishes[..wishes.len().min(REFUSED_SEEDS)] {
        let others = wish.build(mask, buffers).err();
        assert_eq!(others.as_ref(), Some(&faults), "{wish:?} after {first:?} in {mask:?}");
    }
    let most = first.most_named(&faults, mask);
    let fits_one = first.area <= mask.tiles();
    assert_eq!(most.is_some(), fits_one, "{first:?}: {faults:?} in {mask:?}");
    if let Some(most) = most {
        assert!((1..first.rooms(mask)).contains(&most), "{first:?}: {faults:?} in {mask:?}");
        for wish in &wishes[..wishes.len().min(NAMED_SEEDS)] {
            Wish { rooms: Some(most), ..wish.clone() }.keep(mask, buffers);
        }
    }
}

/// What a level must keep to.
#[derive(Debug, Clone)]
struct Terms {
    rooms: u64,
    area: u64,
    door: u64,
    loops: u64,
}

/// What a level says of itself.
#[derive(Debug, Clone)]
struct Map {
    open: Plane,
    void: Plane,
    rooms: Vec<Room>,
    doors: Vec<Door>,
    endpoints: [Tile; 2],
}

fn hold(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

impl Map {
    fn of(level: &Level) -> Self {
        let (grid, plan) = (level.grid(), level.plan().expect("rooms"));
        let size = (grid.size().width as usize, grid.size().height as usize);
        Self {
            open: plane(size, |x, y| grid.is_open(tile(x, y))),
            void: plane(size, |x, y| grid.is_void(tile(x, y))),
            rooms: plan.rooms.clone(),
            doors: plan.doors.clone(),
            endpoints: [level.start(), level.exit()],
        }
    }

    /// Tells the first promise that is not kept.
    fn check(&self, terms: &Terms, mask: &Mask) -> Result<(), String> {
        self.check_tiles(mask)?;
        let labels = self.check_rooms(terms)?;
        for door in &self.doors {
            self.check_door(door, terms.door, &labels, mask)?;
        }
        self.check_pairs(terms, &pairs(&labels, &mask.inside, terms.door as usize))
    }

    /// What is open, what is void, and the ends.
    fn check_tiles(&self, mask: &Mask) -> Result<(), String> {
        hold(size(&self.open) == size(&mask.inside), || "another size than the mask".into())?;
        for (x, y) in places(&self.open) {
            hold(mask.inside[y][x] || !self.open[y][x], || format!("[{x},{y}] is outside and open"))?;
            let is_void = mask.spaces[y][x] && !touches(&self.open, x, y);
            hold(self.void[y][x] == is_void, || format!("void at [{x},{y}] should be {is_void}"))?;
        }
        let mut open = places(&self.open).filter(|&(x, y)| self.open[y][x]).map(|(x, y)| tile(x, y));
        let first = open.next();
        let last = open.next_back().or(first);
        hold(self.endpoints.map(Some) == [first, last], || format!("the ends are not {first:?} and {last:?}"))?;
        hold(flood(&self.open).1.len() == 1, || "not every open tile is reached".into())
    }

    /// The rooms, with all doors shut; gives the room of each tile.
    fn check_rooms(&self, terms: &Terms) -> Result<Labels, String> {
        let mut shut = self.open.clone();
        for door in &self.doors {
            hold(u64::from(door.length) == terms.door, || format!("{door:?} has another length"))?;
            for tile in door.tiles() {
                hold(at(&shut, tile), || format!("{tile:?} of {door:?} is closed, or of two doors"))?;
                shut[tile.y as usize][tile.x as usize] = false;
            }
        }
        let (labels, sets) = flood(&shut);
        hold(sets == self.rooms, || format!("the plan has {:?}, the level {sets:?}", self.rooms))?;
        hold(sets.len() as u64 == terms.rooms, || format!("{} rooms", sets.len()))?;
        let small = sets.iter().find(|room| room.area < terms.area);
        hold(small.is_none(), || format!("{small:?} is too small"))?;
        Ok(labels)
    }

    /// A door, whose tiles were found open, along its sides and at its ends.
    fn check_door(&self, door: &Door, length: u64, labels: &Labels, mask: &Mask) -> Result<(), String> {
        let label = |tile: Tile| labels[tile.y as usize][tile.x as usize];
        let along = door.along;
        let tiles: Vec<_> = door.tiles().collect();
        let endpoints = [tiles[0].step(along.back()), tiles[tiles.len() - 1].step(along)];
        let sides = |tile: &Tile| [label(tile.step(along.to_the_right())), label(tile.step(along.to_the_left()))];
        let [low, high] = door.rooms.map(Some);
        let is_between = |sides: [Option<u32>; 2]| sides == [low, high] || sides == [high, low];
        let is_straight = matches!(along, Direction::Right | Direction::Down) && tiles.len() as u64 == length;
        hold(is_straight && low < high, || format!("{door:?} is no straight run between two rooms"))?;
        hold(tiles.iter().all(|tile| at(&mask.inside, *tile)), || format!("{door:?} is outside"))?;
        let one_side = sides(&tiles[0]);
        let keeps_sides = is_between(one_side) && tiles.iter().all(|tile| sides(tile) == one_side);
        hold(keeps_sides, || format!("{door:?} has not its two rooms along its sides"))?;
        hold(endpoints.iter().all(|end| !at(&self.open, *end)), || format!("{door:?} has an open end"))
    }

    /// How many doors there are, of those that fit, and their order.
    fn check_pairs(&self, terms: &Terms, pairs: &BTreeSet<[u32; 2]>) -> Result<(), String> {
        let joined: BTreeSet<_> = self.doors.iter().map(|door| door.rooms).collect();
        hold(joined.len() == self.doors.len(), || "two doors join the same rooms".into())?;
        hold(joined.is_subset(pairs), || format!("{joined:?} are joined, but only {pairs:?} can be"))?;
        let tree = terms.rooms - 1;
        let loops = ((pairs.len() as u64 - tree) * terms.loops + 5_000) / 10_000;
        let doors = self.doors.len() as u64;
        hold(doors == tree + loops, || format!("{doors} doors, not {tree} and {loops}"))?;
        let is_sorted = self.doors.is_sorted_by_key(|door| (door.first.y, door.first.x));
        hold(is_sorted, || "the doors are out of order".into())
    }
}

/// Whether a tile or one of the eight around it is open.
fn touches(open: &Plane, x: usize, y: usize) -> bool {
    let (width, height) = size(open);
    let near = |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
    near(y, height).any(|y| open[y][near(x, width)].contains(&true))
}

/// The pairs of rooms between which a door fits: straight runs of closed tiles inside with one room along one side and
/// another along the other.
fn pairs(labels: &Labels, inside: &Plane, door: usize) -> BTreeSet<[u32; 2]> {
    let mut pairs = BTreeSet::new();
    let is_closed = |x: usize, y: usize| {
        let is_inside = inside.get(y).and_then(|row| row.get(x)) == Some(&true);
        is_inside && labels[y][x].is_none()
    };
    for (x, y) in places(inside).filter(|&(x, y)| is_closed(x, y)) {
        let down = |i: usize| is_closed(x, y + i).then(|| [labels[y + i][x - 1], labels[y + i][x + 1]]);
        let right = |i: usize| is_closed(x + i, y).then(|| [labels[y - 1][x + i], labels[y + 1][x + i]]);
        for (first, is_one_run) in
            [(down(0), (1..door).all(|i| down(i) == down(0))), (right(0), (1..door).all(|i| right(i) == right(0)))]
        {
            if let (Some([Some(a), Some(b)]), true) = (first, is_one_run)
                && a != b
            {
                pairs.insert([a.min(b), a.max(b)]);
            }
        }
    }
    pairs
}

fn picture(map: &Map) -> String {
    let is_door = |place: Tile| map.doors.iter().any(|door| door.tiles().any(|tile| tile == place));
    let character = |x: usize, y: usize| match (map.open[y][x], map.void[y][x]) {
        (true, _) => {
            if is_door(tile(x, y)) {
                '+'
            } else {
                '.'
            }
        }
        (false, true) => ' ',
        (false, false) => '#',
    };
    let (width, height) = size(&map.open);
    (0..height).map(|y| (0..width).map(|x| character(x, y)).chain(['\n']).collect::<String>()).collect()
}

/// Two rooms with a door between them, and what they are.
fn two_rooms() -> (Mask, Map, Terms) {
    let rows = ["       ", " ##### ", " ##### ", " #   # ", "       "].map(str::to_owned);
    let drawn = ["#######", "#..#..#", "#..+..#", "#.###.#", "### ###"];
    let is = |characters: &str| plane((7, 5), |x, y| characters.contains(char::from(drawn[y].as_bytes()[x])));
    let room = |x| Room { x, y: 1, width: 2, height: 3, area: 5 };
    let door = Door { first: tile(3, 2), along: Direction::Down, length: 1, rooms: [0, 1] };
    let (rooms, doors) = (vec![room(1), room(4)], vec![door]);
    let map = Map { open: is(".+"), void: is(" "), rooms, doors, endpoints: [tile(1, 1), tile(5, 3)] };
    (Mask::read("two rooms", rows.to_vec(), 1), map, Terms { rooms: 2, area: 5, door: 1, loops: 0 })
}

#[test]
fn the_check_sees_every_broken_promise() {
    let (mask, map, terms) = two_rooms();
    assert_eq!(map.check(&terms, &mask), Ok(()));
    assert_eq!(map.check(&Terms { loops: 10_000, ..terms.clone() }, &mask), Ok(()), "there is no other pair");
    let wrongs: [fn(&mut Map); 16] = [
        |map| map.open[0][1] = true,
        |map| map.open[3][2] = true,
        |map| map.open[1][3] = true,
        |map| map.open[2][3] = false,
        |map| map.open[1][1] = false,
        |map| map.void[4][3] = false,
        |map| map.void[4][2] = true,
        |map| map.rooms[0].area = 6,
        |map| map.rooms.swap(0, 1),
        |map| map.doors.clear(),
        |map| map.doors.push(map.doors[0]),
        |map| map.doors[0].along = Direction::Right,
        |map| map.doors[0].along = Direction::Up,
        |map| map.doors[0].rooms = [1, 0],
        |map| map.doors[0].length = 2,
        |map| map.endpoints[1] = tile(4, 2),
    ];
    for (number, wrong) in wrongs.iter().enumerate() {
        let mut map = map.clone();
        wrong(&mut map);
        assert!(map.check(&terms, &mask).is_err(), "{number}");
    }
    for terms in
        [Terms { rooms: 3, ..terms.clone() }, Terms { area: 6, ..terms.clone() }, Terms { door: 2, ..terms.clone() }]
    {
        assert!(map.check(&terms, &mask).is_err(), "{terms:?}");
    }
}

#[test]
fn a_mask_that_leaves_nothing_out_keeps_the_same_promises() {
    let mut buffers = Buffers::default();
    let whole = Mask::draw("whole", 3, |x, y| !is_on_border((SIDE, SIDE), x, y));
    for seed in 0..SEEDS {
        let (door, loops) = (DOORS[seed as usize % 3], LOOPS[seed as usize / 3 % 3]);
        Wish { rooms: Some(1 + seed / 3), area: 9, door, jitter: 2_000, loops, seed }.keep(&whole, &mut buffers);
    }
}

/// The counts of rooms that are asked for in a mask: a few, the default, and shares of the most that can be.
fn counts(bound: u64) -> [Option<u64>; 10] {
    let share = |percent: u64| Some((bound * percent / 100).max(1));
    [Some(1), Some(2), Some(3), None, share(10), share(25), share(40), share(60), share(100), share(120)]
}

/// Runs something for each mask, all at once, and gathers what it finds.
fn in_every_mask<T: Send>(run: impl Fn(usize, &Mask, &mut Buffers) -> Vec<T> + Sync) -> Vec<T> {
    let (masks, run) = (masks(), &run);
    thread::scope(|scope| {
        let start = |(number, mask)| scope.spawn(move || run(number, mask, &mut Buffers::default()));
        let runs: Vec<_> = masks.iter().enumerate().map(start).collect();
        runs.into_iter().flat_map(|run| run.join().expect("kept promises")).collect()
    })
}

#[test]
fn every_promise_holds_in_every_mask() {
    in_every_mask(|number, mask, buffers| {
        // every count with two of the twelve pairs of area and door, others in each mask
        for (which, pair) in (0..10).flat_map(|which| [0, 1].map(|more| (which, 5 * number + 2 * which + more))) {
            let (area, door) = (AREAS[pair % 4], DOORS[pair % 3]);
            let rooms = counts(mask.bound(area, door))[which];
            for (first, jitter) in (0..).zip(JITTERS) {
                let loops = |seed: u64| LOOPS[seed as usize / 3 % 3];
                let wish = |seed| Wish { rooms, area, door, jitter, loops: loops(seed), seed };
                let wishes: Vec<_> = (first..SEEDS).step_by(3).map(wish).collect();
                keep_for_all_seeds(&wishes, mask, buffers);
            }
        }
        Vec::<()>::new()
    });
}

/// Some of the counts up to one, that one and the one before included.
fn some_up_to(most: u64) -> BTreeSet<u64> {
    let some = [1, 2, 3, most / 8, most / 4, most / 2, most * 3 / 4, most.saturating_sub(1), most];
    some.into_iter().filter(|count| (1..=most).contains(count)).collect()
}

/// Which counts of rooms are not built, or not as promised, and why the first of them is not.
fn failures(wish: &Wish, counts: BTreeSet<u64>, mask: &Mask, buffers: &mut Buffers) -> Option<String> {
    let mut failed = BTreeSet::new();
    let mut why = None;
    for (rooms, seed) in counts.into_iter().flat_map(|rooms| [1, 2, 3].map(|seed| (rooms, seed))) {
        let jitter = JITTERS[seed as usize % 3];
        if let Err(broken) = (Wish { rooms: Some(rooms), jitter, seed, ..wish.clone() }).try_to_keep(mask, buffers) {
            failed.insert(rooms);
            why.get_or_insert_with(|| format!("{rooms} rooms, jitter {jitter}, seed {seed}: {broken}"));
        }
    }
    why.map(|why| format!("{failed:?} rooms, {why}"))
}

#[test]
fn up_to_two_fifths_of_the_bound_all_are_built() {
    let failures = in_every_mask(|_, mask, buffers| {
        let doors = DOORS.into_iter().filter(|door| *door <= mask.widest_door);
        let options = doors.flat_map(|door| AREAS.map(|area| (door, area)));
        let failures = options.filter_map(|(door, area)| {
            let bound = mask.bound(area.max(door), door);
            let wish = Wish { rooms: None, area, door, jitter: 0, loops: 0, seed: 0 };
            let failures = failures(&wish, some_up_to(bound * 2 / 5), mask, buffers)?;
            Some(format!("{}, area {area}, door {door}, bound {bound}: {failures}", mask.name))
        });
        failures.collect()
    });
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn large_caves_and_scattered_rock_hold_rooms_as_well() {
    let mut buffers = Buffers::default();
    for (side, percent, rounds) in [(129, 45, 3), (257, 45, 2), (257, 47, 5), (129, 30, 0), (257, 20, 0)] {
        let mask = cave_of(side, percent, rounds);
        let wish = Wish { rooms: None, area: 9, door: 1, jitter: 0, loops: 0, seed: 0 };
        let most = mask.bound(9, 1) * 2 / 5;
        let counts = [2, most / 4, wish.rooms(&mask), most / 2, most];
        let failed = failures(&wish, counts.into(), &mask, &mut buffers);
        assert_eq!(failed, None, "{percent} % of {side} x {side}, {rounds} rounds");
    }
}

/// A level of not many rooms, which must be there; one room where there is no place for a door.
fn some_wish(mask: &Mask, door: u64, seed: u64) -> Wish {
    let (area, jitter) = (AREAS[seed as usize % 4], JITTERS[seed as usize % 3]);
    let rooms = if mask.widest_door == 0 { 1 } else { (mask.bound(area.max(door), door) / 3).max(1) };
    Wish { rooms: Some(rooms), area, door, jitter, loops: 0, seed }
}

#[test]
fn loops_leave_the_rooms_and_their_doors_as_they_are() {
    in_every_mask(|_, mask, buffers| {
        for wish in (0..12).map(|seed| some_wish(mask, 1, seed)) {
            let tree = wish.build(mask, buffers).expect("not many rooms");
            let tree = tree.plan().expect("rooms");
            for loops in [1, 2_500, 10_000] {
                let level = Wish { loops, ..wish.clone() }.build(mask, buffers).expect("what is built without loops");
                let plan = level.plan().expect("rooms");
                assert_eq!(plan.rooms, tree.rooms, "{wish:?} in {mask:?}");
                assert!(tree.doors.iter().all(|door| plan.doors.contains(door)), "{wish:?} in {mask:?}");
                buffers.recycle(level.into_layout());
            }
        }
        Vec::<()>::new()
    });
}

#[test]
fn the_same_recipe_gives_the_same_rooms_whatever_was_built_before() {
    in_every_mask(|number, mask, buffers| {
        let door = DOORS[number % 3].min(mask.widest_door.max(1));
        let mut differ = false;
        for wish in (0..12).map(|seed| Wish { loops: 5_000, ..some_wish(mask, door, seed) }) {
            let first = wish.build(mask, &mut Buffers::default()).expect("not many rooms");
            let other = Wish { seed: wish.seed + 100, ..wish.clone() }.build(mask, buffers).expect("for every seed");
            differ |= other.plan() != first.plan();
            buffers.recycle(other.into_layout());
            let again = wish.build(mask, buffers).expect("built before");
            assert_eq!(again.into_layout(), first.into_layout(), "{wish:?} in {mask:?}");
        }
        assert!(differ || mask.widest_door == 0, "no two seeds differ in {mask:?}");
        Vec::<()>::new()
    });
}

#[test]
fn a_staircase_one_tile_wide_has_no_place_for_a_door() {
    let (mask, mut buffers) = (staircase(), Buffers::default());
    for (seed, rooms) in (0..20).flat_map(|seed| [2, 3, 30].map(|rooms| (seed, rooms))) {
        let wish = Wish { rooms: Some(rooms), area: 1, door: 1, jitter: 2_000, loops: 0, seed };
        let faults = wish.build(&mask, &mut buffers).expect_err("no place for a door");
        assert_eq!(wish.most_named(&faults, &mask), Some(1), "{faults:?}");
        Wish { rooms: Some(1), ..wish }.keep(&mask, &mut buffers);
    }
}

#[test]
fn a_mask_that_is_not_one_piece_is_at_fault_itself() {
    let mut buffers = Buffers::default();
    let nothing = Mask::draw("nothing", 0, |_, _| false);
    let walls_only = Mask::draw("nothing but a border", 0, |x, y| is_on_border((SIDE, SIDE), x, y));
    let corners = Mask::draw("squares corner to corner", 0, |x, y| (x < 20) == (y < 20));
    for mask in [nothing, walls_only, corners] {
        let wish = |seed| Wish { rooms: Some(2), area: 1, door: 1, jitter: 2_000, loops: 0, seed };
        let faults = wish(0).build(&mask, &mut buffers).expect_err("a mask that falls apart");
        assert!(faults.iter().any(|fault| fault.parameter == "mask"), "{faults:?} for {mask:?}");
        for seed in 1..10 {
            assert_eq!(wish(seed).build(&mask, &mut buffers).err().as_ref(), Some(&faults), "{mask:?}");
        }
    }
}

/// The largest piece of random rectangles, with random holes in them; the border is drawn or left out.
fn any_mask() -> impl Strategy<Value = Mask> {
    let boxes = |largest: usize, most: usize| {
        prop::collection::vec((0..28_usize, 0..28_usize, 1..=largest, 1..=largest), 0..=most)
    };
    ((5..=30_usize, 5..=30_usize), boxes(14, 8), boxes(4, 8), any::<bool>()).prop_map(|(size, blobs, holes, border)| {
        let is_in = |boxes: &[(usize, usize, usize, usize)], x: usize, y: usize| {
            boxes.iter().any(|&(left, top, width, height)| x.wrapping_sub(left) < width && y.wrapping_sub(top) < height)
        };
        // one blob that is never out of the rectangle
        let is_inside = |x: usize, y: usize| (x < 5 && y < 5 || is_in(&blobs, x, y)) && !is_in(&holes, x, y);
        let piece = largest_piece(&plane(size, is_inside));
        let drawn = plane(size, |x, y| piece[y][x] || border && is_on_border(size, x, y));
        Mask::of_plane("random", &drawn, 0)
    })
}

/// Options, and a share of the rooms that there can be at the most, in percent.
fn any_wish() -> impl Strategy<Value = (Wish, u64)> {
    let area = prop_oneof![3 => 1..=6_u64, 1 => 1..=60_u64];
    let loops = prop_oneof![Just(0), Just(10_000), 0..=10_000_u64];
    // seeds are told apart by adding to them
    (area, 1..=4_u64, 0..=9_000_u64, loops, 0..u64::MAX / 2, 0..=120_u64).prop_map(
        |(area, door, jitter, loops, seed, share)| (Wish { rooms: None, area, door, jitter, loops, seed }, share),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_promise_holds_in_any_mask((mask, (wish, share)) in (any_mask(), any_wish())) {
        let (width, height) = size(&mask.inside);
        let (tiles, whole) = (mask.tiles(), (width - 2) * (height - 2));
        prop_assume!(tiles > 0 && tiles < whole as u64);
        let rooms = Some((mask.bound(wish.area, wish.door) * share / 100).max(1));
        let wishes: Vec<_> = (0..6).map(|more| Wish { rooms, seed: wish.seed + more, ..wish.clone() }).collect();
        keep_for_all_seeds(&wishes, &mask, &mut Buffers::default());
    }
}
