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

    /// A part of so many tiles for tests that count them only: it lies nowhere.
    #[cfg(test)]
    pub(crate) const fn of_area(area: u32, rooms: u32) -> Self {
        Self { first: 0, past: area, number: NOBODY, rooms }
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
mod tests;
