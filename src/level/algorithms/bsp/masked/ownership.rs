//! Which part owns which tile inside a mask.

use crate::level::algorithms::bsp::cut::Axis;
use crate::level::grid::{Bitmap, Mask, Tile};

/// A connected set of tiles that will be cut into a number of rooms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MaskPart {
    /// The start of its tiles in the list of all tiles.
    first: u32,
    /// The end of its tiles in that list.
    past: u32,
    /// The number of the part, which marks its tiles in [`Ownership`].
    pub(crate) number: u32,
    /// Rooms that it will be cut into.
    pub(crate) rooms: u32,
}

impl MaskPart {
    /// The number of its tiles.
    pub(crate) const fn area(self) -> u32 {
        self.past - self.first
    }

    /// A part with a number of tiles but no positions, for tests that only count them.
    #[cfg(test)]
    pub(crate) const fn of_area(area: u32, rooms: u32) -> Self {
        Self { first: 0, past: area, number: NO_OWNER, rooms }
    }
}

/// The smallest rectangle around a part: for each axis the lowest and the highest position.
pub(crate) type Bounds = [[u32; 2]; 2];

/// The side of a cut that a tile lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutSide {
    First,
    Second,
    /// Neither: the tile becomes wall.
    Wall,
}

/// The tiles inside a mask, divided into parts. The board is the level with its rows padded to a power of two, and a
/// tile is its index on the board: `row << shift | column`. So column and row are found without a division. No tile
/// inside the mask lies on the border of the board.
#[derive(Debug)]
pub(crate) struct Ownership {
    shift: u32,
    /// All tiles; those of a part are contiguous.
    tiles: Vec<u32>,
    /// For each tile of the board the number of its part, or [`NO_OWNER`].
    owners: Vec<u32>,
    /// For each tile of the board how many doors it is reserved for.
    reservations: Vec<u8>,
    /// The highest part number that is in use.
    last_number: u32,
    /// Working memory of a division: the tiles of the second side, and those of the wall.
    divided: [Vec<u32>; 2],
}

/// The part number of a tile that belongs to no part.
const NO_OWNER: u32 = 0;

impl Ownership {
    /// The tiles of a mask; none belongs to a part yet.
    pub(crate) fn new(mask: &Mask) -> Self {
        let size = mask.size();
        let shift = size.width.next_power_of_two().ilog2();
        let board = (size.height as usize) << shift;
        let mut ownership = Self {
            shift,
            tiles: Vec::with_capacity(mask.positions().count() as usize),
            owners: vec![NO_OWNER; board],
            reservations: vec![0; board],
            last_number: NO_OWNER,
            divided: [Vec::new(), Vec::new()],
        };
        ownership.read_tiles(mask);
        ownership
    }

    fn read_tiles(&mut self, mask: &Mask) {
        let inner = mask.positions();
        let all = (0..inner.height()).flat_map(|row| (0..inner.width()).map(move |column| (column, row)));
        let inside = all.filter(|&(column, row)| inner.get(column, row));
        let shift = self.shift;
        self.tiles.clear();
        self.tiles.extend(inside.map(|(column, row)| (row as u32 + 1) << shift | (column as u32 + 1)));
    }

    /// Makes all tiles one part, in row-major order. Reserves only the first and the last tile, which are start and
    /// exit if the request names none.
    pub(crate) fn reset(&mut self, mask: &Mask, rooms: u32) -> MaskPart {
        self.read_tiles(mask);
        self.reservations.fill(0);
        for end in [self.tiles.first(), self.tiles.last()].into_iter().flatten() {
            self.reservations[*end as usize] += 1;
        }
        self.last_number = NO_OWNER + 1;
        let whole = MaskPart { first: 0, past: self.tiles.len() as u32, number: self.last_number, rooms };
        self.restore(whole);
        whole
    }

    /// The number of tiles of the board.
    pub(crate) const fn board(&self) -> usize {
        self.owners.len()
    }

    /// The tiles of a part.
    pub(crate) fn tiles(&self, part: MaskPart) -> &[u32] {
        &self.tiles[part.first as usize..part.past as usize]
    }

    /// The smallest rectangle around a part.
    pub(crate) fn bounds(&self, part: MaskPart) -> Bounds {
        let mut bounds = [[u32::MAX, 0]; 2];
        for &tile in self.tiles(part) {
            for ([low, high], position) in bounds.iter_mut().zip(self.position(tile)) {
                (*low, *high) = (position.min(*low), position.max(*high));
            }
        }
        bounds
    }

    /// Whether a tile belongs to a part.
    pub(crate) fn owns(&self, part: MaskPart, tile: u32) -> bool {
        self.owners[tile as usize] == part.number
    }

    /// The number of the part that a tile belongs to, if any.
    pub(crate) fn owner(&self, tile: u32) -> Option<u32> {
        Some(self.owners[tile as usize]).filter(|owner| *owner != NO_OWNER)
    }

    /// Column and row of a tile.
    pub(crate) const fn position(&self, tile: u32) -> [u32; 2] {
        [tile & ((1 << self.shift) - 1), tile >> self.shift]
    }

    /// The tile at a column and row.
    pub(crate) const fn at(&self, [column, row]: [u32; 2]) -> u32 {
        row << self.shift | column
    }

    /// The distance on the board between neighbouring tiles along an axis.
    pub(crate) const fn step(&self, axis: Axis) -> u32 {
        match axis {
            Axis::X => 1,
            Axis::Y => 1 << self.shift,
        }
    }

    /// Whether a tile is reserved: it must stay open.
    pub(crate) fn is_reserved(&self, tile: u32) -> bool {
        self.reservations[tile as usize] > 0
    }

    /// Reserves the tiles along both sides of a door if `is_reserved`, else removes their reservation for this door.
    pub(crate) fn set_reserved_beside(&mut self, axis: Axis, door: u32, length: u32, is_reserved: bool) {
        for i in 0..length {
            let tile = door + i * self.step(axis.other());
            for beside in [tile - self.step(axis), tile + self.step(axis)] {
                let count = &mut self.reservations[beside as usize];
                *count = if is_reserved { *count + 1 } else { *count - 1 };
            }
        }
    }

    /// Divides a part into two sides: `side_of` says to which side a tile belongs, `rooms` how many rooms each side
    /// gets. The tiles of each side keep their order.
    pub(crate) fn divide(
        &mut self,
        part: MaskPart,
        rooms: [u32; 2],
        mut side_of: impl FnMut(u32) -> CutSide,
    ) -> [MaskPart; 2] {
        let [second, wall] = &mut self.divided;
        second.clear();
        wall.clear();
        let numbers = [self.last_number + 1, self.last_number + 2];
        self.last_number += 2;
        let (first, past) = (part.first as usize, part.past as usize);
        let mut end = first;
        for i in first..past {
            let tile = self.tiles[i];
            match side_of(tile) {
                CutSide::First => {
                    self.owners[tile as usize] = numbers[0];
                    self.tiles[end] = tile;
                    end += 1;
                }
                CutSide::Second => {
                    self.owners[tile as usize] = numbers[1];
                    second.push(tile);
                }
                CutSide::Wall => {
                    self.owners[tile as usize] = NO_OWNER;
                    wall.push(tile);
                }
            }
        }
        let middle = end + second.len();
        self.tiles[end..middle].copy_from_slice(second);
        self.tiles[middle..past].copy_from_slice(wall);
        [
            MaskPart { first: part.first, past: end as u32, number: numbers[0], rooms: rooms[0] },
            MaskPart { first: end as u32, past: middle as u32, number: numbers[1], rooms: rooms[1] },
        ]
    }

    /// Undoes the division of a part: all tiles of both sides, and those of the wall between them, belong to the part
    /// again.
    pub(crate) fn restore(&mut self, part: MaskPart) {
        for &tile in &self.tiles[part.first as usize..part.past as usize] {
            self.owners[tile as usize] = part.number;
        }
    }

    /// Numbers rooms from 1 on, in row-major order of their first tiles, and gives their tiles these numbers.
    pub(crate) fn number_rooms(&mut self, rooms: &mut [MaskPart]) {
        let tiles = &self.tiles;
        rooms.sort_by_cached_key(|room| tiles[room.first as usize..room.past as usize].iter().copied().min());
        for (room, number) in rooms.iter_mut().zip(NO_OWNER + 1..) {
            room.number = number;
            self.restore(*room);
        }
    }

    /// A tile of the board as a tile of the level.
    pub(crate) const fn tile(&self, tile: u32) -> Tile {
        let [x, y] = self.position(tile);
        Tile { x, y }
    }

    /// Opens the tiles of a part in `open`.
    pub(crate) fn paint(&self, part: MaskPart, open: &mut Bitmap) {
        for &tile in self.tiles(part) {
            let [x, y] = self.position(tile);
            open.set(x as usize, y as usize);
        }
    }

    /// All tiles inside the mask, in no particular order.
    pub(crate) fn all(&self) -> &[u32] {
        &self.tiles
    }
}

#[cfg(test)]
mod tests;
