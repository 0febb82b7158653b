//! Checks what room maps in masks promise, by flood fill of the tiles and without the program's own plan.

use std::collections::BTreeSet;

use mazed::level::Level;
use mazed::level::grid::{Direction, Door, Room, Tile};

use crate::masked_rooms::masks::Mask;
use crate::planes::{Labels, Plane, at, flood, plane, positions, size, tile};

/// What a level must fulfil.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) rooms: u64,
    pub(crate) area: u64,
    pub(crate) door: u64,
    pub(crate) loops: u64,
}

/// A level as the program describes it.
#[derive(Debug, Clone)]
pub(crate) struct Map {
    open: Plane,
    void: Plane,
    rooms: Vec<Room>,
    doors: Vec<Door>,
    endpoints: [Tile; 2],
}

/// Returns the description of a broken promise as an error, unless `holds` is true.
fn hold(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

impl Map {
    pub(crate) fn of(level: &Level) -> Self {
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

    /// Checks all promises; the error describes the first that is broken.
    pub(crate) fn check(&self, terms: &Terms, mask: &Mask) -> Result<(), String> {
        self.check_tiles(mask)?;
        let labels = self.check_rooms(terms)?;
        for door in &self.doors {
            self.check_door(door, terms.door, &labels, mask)?;
        }
        self.check_pairs(terms, &pairs(&labels, &mask.inside, terms.door as usize))
    }

    /// Checks which tiles are open and void, and the endpoints.
    fn check_tiles(&self, mask: &Mask) -> Result<(), String> {
        hold(size(&self.open) == size(&mask.inside), || "another size than the mask".into())?;
        for (x, y) in positions(&self.open) {
            hold(mask.inside[y][x] || !self.open[y][x], || format!("[{x},{y}] is outside and open"))?;
            let is_void = mask.spaces[y][x] && !touches(&self.open, x, y);
            hold(self.void[y][x] == is_void, || format!("void at [{x},{y}] should be {is_void}"))?;
        }
        let mut open = positions(&self.open).filter(|&(x, y)| self.open[y][x]).map(|(x, y)| tile(x, y));
        let first = open.next();
        let last = open.next_back().or(first);
        hold(self.endpoints.map(Some) == [first, last], || format!("the endpoints are not {first:?} and {last:?}"))?;
        hold(flood(&self.open).1.len() == 1, || "not every open tile is reached".into())
    }

    /// Checks the rooms with all doors shut, and returns the room of each tile.
    fn check_rooms(&self, terms: &Terms) -> Result<Labels, String> {
        let mut shut = self.open.clone();
        for door in &self.doors {
            hold(u64::from(door.length) == terms.door, || format!("{door:?} has another length"))?;
            for tile in door.tiles() {
                hold(at(&shut, tile), || format!("{tile:?} of {door:?} is shut, or belongs to two doors"))?;
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

    /// Checks a door, whose tiles are known to be open: what lies along its sides and at its ends.
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
        hold(keeps_sides, || format!("{door:?} does not have its two rooms along its sides"))?;
        hold(endpoints.iter().all(|end| !at(&self.open, *end)), || format!("{door:?} has an open end"))
    }

    /// Checks the number of doors against the pairs of rooms that could have one, and their order.
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

/// The pairs of rooms between which a door fits: there is a straight run of shut tiles inside the mask, and along each
/// of its two sides lies one of the rooms.
fn pairs(labels: &Labels, inside: &Plane, door: usize) -> BTreeSet<[u32; 2]> {
    let mut pairs = BTreeSet::new();
    let is_shut = |x: usize, y: usize| {
        let is_inside = inside.get(y).and_then(|row| row.get(x)) == Some(&true);
        is_inside && labels[y][x].is_none()
    };
    for (x, y) in positions(inside).filter(|&(x, y)| is_shut(x, y)) {
        let down = |i: usize| is_shut(x, y + i).then(|| [labels[y + i][x - 1], labels[y + i][x + 1]]);
        let right = |i: usize| is_shut(x + i, y).then(|| [labels[y - 1][x + i], labels[y + 1][x + i]]);
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

pub(crate) fn picture(map: &Map) -> String {
    let is_door = |at: Tile| map.doors.iter().any(|door| door.tiles().any(|tile| tile == at));
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

/// Two rooms with a door between them, and the terms that they fulfil.
fn two_rooms() -> (Mask, Map, Terms) {
    let rows = ["       ", " ##### ", " ##### ", " #   # ", "       "].map(str::to_owned);
    let picture = ["#######", "#..#..#", "#..+..#", "#.###.#", "### ###"];
    let is = |characters: &str| plane((7, 5), |x, y| characters.contains(char::from(picture[y].as_bytes()[x])));
    let room = |x| Room { x, y: 1, width: 2, height: 3, area: 5 };
    let door = Door { first: tile(3, 2), along: Direction::Down, length: 1, rooms: [0, 1] };
    let (rooms, doors) = (vec![room(1), room(4)], vec![door]);
    let map = Map { open: is(".+"), void: is(" "), rooms, doors, endpoints: [tile(1, 1), tile(5, 3)] };
    (Mask::read("two rooms", rows.to_vec(), 1), map, Terms { rooms: 2, area: 5, door: 1, loops: 0 })
}

#[test]
fn the_check_finds_every_broken_promise() {
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
