//! Who owns which tile: the tiles inside a mask, divided into parts.

use crate::level::grid::{Bitmap, Mask, Tile};

use crate::level::algorithms::bsp::cut::Axis;

/// A connected set of tiles that becomes a number of rooms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// Where its tiles stand among all: from here on.
    first: u32,
    /// And up to here.
    past: u32,
    /// What its tiles bear.
    pub(crate) number: u32,
    /// Rooms that come of it.
    pub(crate) rooms: u32,
}

impl Part {
    /// Its tiles.
    pub(crate) const fn area(self) -> u32 {
        self.past - self.first
    }
}

/// The smallest rectangle around a part: for each axis the lowest and the highest place.
pub(crate) type Bounds = [[u32; 2]; 2];

/// The side of a cut that a tile comes to lie on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    First,
    Second,
    /// Neither: it becomes wall.
    Wall,
}

/// The tiles inside a mask. A tile is its place on a board whose rows are as long as the next power of two says, so that
/// column and row are read without a division; no tile lies on the edge of the board.
#[derive(Debug)]
pub(crate) struct Ownership {
    shift: u32,
    /// All tiles, those of a part side by side.
    tiles: Vec<u32>,
    /// For each tile of the board the number of the part that it belongs to, 0 for none.
    owners: Vec<u32>,
    /// For each tile of the board how many claims there are that it stays open.
    kept: Vec<u8>,
    /// The numbers of parts that were given out.
    numbers: u32,
    /// Second sides and walls on their way to their places.
    moved: [Vec<u32>; 2],
}

/// What no part is numbered.
const NOBODY: u32 = 0;

impl Ownership {
    /// The tiles of a mask, which nobody owns yet.
    pub(crate) fn new(mask: &Mask) -> Self {
        let size = mask.size();
        let shift = size.width.next_power_of_two().ilog2();
        let board = (size.height as usize) << shift;
        let mut plot = Self {
            shift,
            tiles: Vec::with_capacity(mask.positions().count() as usize),
            owners: vec![NOBODY; board],
            kept: vec![0; board],
            numbers: NOBODY,
            moved: [Vec::new(), Vec::new()],
        };
        plot.read_tiles(mask);
        plot
    }

    fn read_tiles(&mut self, mask: &Mask) {
        let places = mask.positions();
        let all = (0..places.height()).flat_map(|row| (0..places.width()).map(move |column| (column, row)));
        let inside = all.filter(|&(column, row)| places.get(column, row));
        let shift = self.shift;
        self.tiles.clear();
        self.tiles.extend(inside.map(|(column, row)| (row as u32 + 1) << shift | (column as u32 + 1)));
    }

    /// All tiles in row order as one part, and nothing kept but the first and the last one.
    pub(crate) fn reset(&mut self, mask: &Mask, rooms: u32) -> Part {
        self.read_tiles(mask);
        self.kept.fill(0);
        for end in [self.tiles.first(), self.tiles.last()].into_iter().flatten() {
            self.kept[*end as usize] += 1;
        }
        self.numbers = NOBODY + 1;
        let whole = Part { first: 0, past: self.tiles.len() as u32, number: self.numbers, rooms };
        self.give_back(whole);
        whole
    }

    /// Tiles of the board.
    pub(crate) const fn board(&self) -> usize {
        self.owners.len()
    }

    /// The tiles of a part.
    pub(crate) fn tiles(&self, part: Part) -> &[u32] {
        &self.tiles[part.first as usize..part.past as usize]
    }

    /// The smallest rectangle around a part.
    pub(crate) fn bounds(&self, part: Part) -> Bounds {
        let mut bounds = [[u32::MAX, 0]; 2];
        for &tile in self.tiles(part) {
            for ([low, high], place) in bounds.iter_mut().zip(self.place(tile)) {
                (*low, *high) = (place.min(*low), place.max(*high));
            }
        }
        bounds
    }

    /// Whether a tile is one of a part.
    pub(crate) fn owns(&self, part: Part, tile: u32) -> bool {
        self.owners[tile as usize] == part.number
    }

    /// The number of the part that a tile belongs to, if it belongs to any.
    pub(crate) fn owner(&self, tile: u32) -> Option<u32> {
        Some(self.owners[tile as usize]).filter(|owner| *owner != NOBODY)
    }

    /// Column and row of a tile.
    pub(crate) const fn place(&self, tile: u32) -> [u32; 2] {
        [tile & ((1 << self.shift) - 1), tile >> self.shift]
    }

    /// The tile at a column and row.
    pub(crate) const fn at(&self, [column, row]: [u32; 2]) -> u32 {
        row << self.shift | column
    }

    /// Tiles of the board from one tile to the next along an axis.
    pub(crate) const fn step(&self, axis: Axis) -> u32 {
        match axis {
            Axis::X => 1,
            Axis::Y => 1 << self.shift,
        }
    }

    /// Whether a tile must stay open.
    pub(crate) fn is_kept(&self, tile: u32) -> bool {
        self.kept[tile as usize] > 0
    }

    /// Claims the tiles along both sides of a door, that they stay open, or takes the claim back.
    pub(crate) fn keep_beside(&mut self, axis: Axis, door: u32, length: u32, claim: bool) {
        for i in 0..length {
            let tile = door + i * self.step(axis.other());
            for beside in [tile - self.step(axis), tile + self.step(axis)] {
                let kept = &mut self.kept[beside as usize];
                *kept = if claim { *kept + 1 } else { *kept - 1 };
            }
        }
    }

    /// Divides a part: the sides that `side_of` tells of its tiles become parts of so many rooms, in the same order as
    /// before.
    pub(crate) fn divide(&mut self, part: Part, rooms: [u32; 2], mut side_of: impl FnMut(u32) -> Side) -> [Part; 2] {
        let [second, wall] = &mut self.moved;
        second.clear();
        wall.clear();
        let numbers = [self.numbers + 1, self.numbers + 2];
        self.numbers += 2;
        let (first, past) = (part.first as usize, part.past as usize);
        let mut at = first;
        for i in first..past {
            let tile = self.tiles[i];
            match side_of(tile) {
                Side::First => {
                    self.owners[tile as usize] = numbers[0];
                    self.tiles[at] = tile;
                    at += 1;
                }
                Side::Second => {
                    self.owners[tile as usize] = numbers[1];
                    second.push(tile);
                }
                Side::Wall => {
                    self.owners[tile as usize] = NOBODY;
                    wall.push(tile);
                }
            }
        }
        let middle = at + second.len();
        self.tiles[at..middle].copy_from_slice(second);
        self.tiles[middle..past].copy_from_slice(wall);
        [
            Part { first: part.first, past: at as u32, number: numbers[0], rooms: rooms[0] },
            Part { first: at as u32, past: middle as u32, number: numbers[1], rooms: rooms[1] },
        ]
    }

    /// Gives a part all its tiles back, those of its sides and of its walls.
    pub(crate) fn give_back(&mut self, part: Part) {
        for &tile in &self.tiles[part.first as usize..part.past as usize] {
            self.owners[tile as usize] = part.number;
        }
    }

    /// Numbers rooms from 1 on, in row order of their first tiles, and gives their tiles in this order.
    pub(crate) fn number_rooms(&mut self, rooms: &mut [Part]) {
        let tiles = &self.tiles;
        rooms.sort_by_cached_key(|room| tiles[room.first as usize..room.past as usize].iter().copied().min());
        for (room, number) in rooms.iter_mut().zip(NOBODY + 1..) {
            room.number = number;
            self.give_back(*room);
        }
    }

    /// The tile that stands here on the board.
    pub(crate) const fn tile(&self, tile: u32) -> Tile {
        let [x, y] = self.place(tile);
        Tile { x, y }
    }

    /// Opens the tiles of a part.
    pub(crate) fn paint(&self, part: Part, open: &mut Bitmap) {
        for &tile in self.tiles(part) {
            let [x, y] = self.place(tile);
            open.set(x as usize, y as usize);
        }
    }

    /// All tiles inside the mask, in no order.
    pub(crate) fn all(&self) -> &[u32] {
        &self.tiles
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::iter;

    use super::*;
    use crate::level::grid::LevelKind;

    /// A mask of what is drawn: all that is no space, inside a border. The first character is that of column and row 1.
    pub(crate) fn draw(rows: &[&str]) -> Mask {
        let border = " ".repeat(rows[0].len() + 2);
        let inside = rows.iter().map(|row| format!(" {row} "));
        let rows: Vec<_> = iter::once(border.clone()).chain(inside).chain([border.clone()]).collect();
        Mask::read(&rows, LevelKind::Rooms).unwrap()
    }

    /// A part of so many tiles, which has no place anywhere.
    pub(crate) const fn part(area: u32, rooms: u32) -> Part {
        Part { first: 0, past: area, number: NOBODY, rooms }
    }

    fn places(plot: &Ownership, part: Part) -> Vec<[u32; 2]> {
        plot.tiles(part).iter().map(|tile| plot.place(*tile)).collect()
    }

    /// The places of the tiles that must stay open.
    fn kept(plot: &Ownership) -> Vec<[u32; 2]> {
        (0..plot.board() as u32).filter(|tile| plot.is_kept(*tile)).map(|tile| plot.place(tile)).collect()
    }

    /// Divides a part by a column.
    fn divide(plot: &mut Ownership, part: Part, rooms: [u32; 2], column: u32) -> [Part; 2] {
        let columns = (1 << plot.shift) - 1;
        plot.divide(part, rooms, |tile| match (tile & columns).cmp(&column) {
            std::cmp::Ordering::Less => Side::First,
            std::cmp::Ordering::Equal => Side::Wall,
            std::cmp::Ordering::Greater => Side::Second,
        })
    }

    #[test]
    fn a_tile_is_the_place_where_it_was_drawn() {
        // eight columns with the border: the board is no wider
        let mask = draw(&["  ## #", "#    #"]);
        let mut plot = Ownership::new(&mask);
        assert_eq!(plot.board(), 8 * 4);
        let whole = plot.reset(&mask, 3);
        assert_eq!((whole.area(), whole.rooms), (5, 3));
        assert_eq!(places(&plot, whole), [[3, 1], [4, 1], [6, 1], [1, 2], [6, 2]]);
        for &tile in plot.all() {
            let [x, y] = plot.place(tile);
            assert_eq!((plot.at([x, y]), plot.tile(tile)), (tile, Tile { x, y }));
            assert_eq!(plot.place(tile + plot.step(Axis::X)), [x + 1, y]);
            assert_eq!(plot.place(tile - plot.step(Axis::Y)), [x, y - 1]);
        }
        assert_eq!(plot.bounds(whole), [[1, 6], [1, 2]]);
        let mut open = Bitmap::new(8, 4);
        plot.paint(whole, &mut open);
        assert_eq!((open.count(), open.get(3, 1), open.get(1, 2), open.get(5, 1)), (5, true, true, false));
    }

    #[test]
    fn sides_keep_their_order_and_a_part_that_has_its_tiles_back_is_whole() {
        let mask = draw(&["#######", "##   ##", "#######"]);
        let mut plot = Ownership::new(&mask);
        let whole = plot.reset(&mask, 9);
        let before = places(&plot, whole);
        // the second time the tiles stand in another order
        for [column, other] in [[4, 2], [3, 6]] {
            let here = places(&plot, whole);
            let sides = divide(&mut plot, whole, [4, 5], column);
            let of = |keep: fn(u32, u32) -> bool| -> Vec<_> {
                here.iter().copied().filter(|place| keep(place[0], column)).collect()
            };
            let expected = [of(|x, column| x < column), of(|x, column| x > column)];
            assert_eq!(sides.map(|side| places(&plot, side)), expected);
            assert_eq!(sides.map(|side| side.rooms), [4, 5]);
            for &tile in plot.all() {
                let is_in = [0, 1].map(|side| expected[side].contains(&plot.place(tile)));
                assert_eq!(sides.map(|side| plot.owns(side, tile)), is_in);
                let owner = is_in.iter().position(|is_in| *is_in).map(|side| sides[side].number);
                assert_eq!((plot.owner(tile), plot.owns(whole, tile)), (owner, false));
            }
            // cut once more, on the side where the column lies
            let again = sides[usize::from(other > column)];
            let rest = sides[usize::from(other < column)];
            let parts = divide(&mut plot, again, [1, 1], other);
            assert_eq!(places(&plot, rest), expected[usize::from(other < column)]);
            assert!(plot.tiles(rest).iter().all(|tile| plot.owns(rest, *tile)));
            assert!(parts.iter().all(|part| ![again, rest, whole].iter().any(|old| old.number == part.number)));
            plot.give_back(whole);
            assert!(plot.all().iter().all(|tile| plot.owner(*tile) == Some(whole.number)));
            let mut back = places(&plot, whole);
            back.sort_unstable_by_key(|[x, y]| (*y, *x));
            assert_eq!(back, before);
        }
        assert_ne!(places(&plot, whole), before, "else a reset has nothing to put in order");
        let whole = plot.reset(&mask, 1);
        assert_eq!(places(&plot, whole), before);
    }

    #[test]
    fn a_tile_is_kept_as_long_as_a_door_beside_it_is_there() {
        let mask = draw(&["#####"; 5]);
        let mut plot = Ownership::new(&mask);
        plot.reset(&mask, 1);
        let endpoints = [[1, 1], [5, 5]];
        assert_eq!(kept(&plot), endpoints);
        let doors = [(Axis::X, plot.at([3, 3]), 2), (Axis::Y, plot.at([2, 2]), 3)];
        let claim = |plot: &mut Ownership, (axis, door, length): (Axis, u32, u32), claim: bool| {
            plot.keep_beside(axis, door, length, claim);
        };
        claim(&mut plot, doors[0], true);
        let first = [[1, 1], [2, 3], [4, 3], [2, 4], [4, 4], [5, 5]];
        assert_eq!(kept(&plot), first);
        claim(&mut plot, doors[1], true);
        assert_eq!(kept(&plot), [[1, 1], [2, 1], [3, 1], [4, 1], [2, 3], [3, 3], [4, 3], [2, 4], [4, 4], [5, 5]]);
        // both have [2,3] and [4,3] beside them
        claim(&mut plot, doors[1], false);
        assert_eq!(kept(&plot), first);
        claim(&mut plot, doors[1], true);
        claim(&mut plot, doors[0], false);
        assert_eq!(kept(&plot), [[1, 1], [2, 1], [3, 1], [4, 1], [2, 3], [3, 3], [4, 3], [5, 5]]);
        plot.reset(&mask, 1);
        assert_eq!(kept(&plot), endpoints, "a reset forgets all doors");
        let mask = draw(&["  #", "###", "#  "]);
        let mut plot = Ownership::new(&mask);
        plot.reset(&mask, 1);
        assert_eq!(kept(&plot), [[3, 1], [1, 3]]);
    }

    #[test]
    fn rooms_are_numbered_in_row_order_of_their_first_tiles() {
        let mask = draw(&["  # # ", "# # ##", "####  "]);
        let mut plot = Ownership::new(&mask);
        let whole = plot.reset(&mask, 3);
        // so that the tiles of a part are not in row order any more
        divide(&mut plot, whole, [1, 2], 3);
        plot.give_back(whole);
        let [first, rest] = divide(&mut plot, whole, [1, 2], 2);
        let [second, third] = divide(&mut plot, rest, [1, 1], 5);
        assert_eq!(places(&plot, third), [[6, 2]]);
        let mut rooms = [first, third, second];
        plot.number_rooms(&mut rooms);
        assert_eq!(rooms.map(|room| room.number), [1, 2, 3]);
        assert_eq!(rooms.map(|room| plot.bounds(room)), [[[3, 4], [1, 3]], [[1, 1], [2, 3]], [[6, 6], [2, 2]]]);
        let owner = |place| plot.owner(plot.at(place));
        assert_eq!([[3, 1], [4, 3], [1, 2], [1, 3], [6, 2]].map(owner), [1, 1, 2, 2, 3].map(Some));
        assert_eq!([[2, 3], [5, 1], [5, 2], [2, 1]].map(owner), [None; 4]);
    }
}
