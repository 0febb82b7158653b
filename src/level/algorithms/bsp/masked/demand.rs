//! The requested rooms, and how many of them some number of tiles can hold.
//!
//! How many rooms a part can really hold depends on its shape. The number of its tiles only gives an upper bound: see
//! [`MaskDemand::most`]. In most shapes where a door fits, up to two fifths of the bound can be found. A part that
//! should hold more than one fifth of the bound is dense: cuts in it use a fixed jitter, and prefer lines that leave
//! whole rows of minimal rooms.

use crate::level::algorithms::bsp::cut::window;
use crate::level::algorithms::bsp::masked::ownership::MaskPart;

/// What every search of a blueprint must find.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MaskDemand {
    /// The number of rooms.
    pub(crate) rooms: u32,
    /// The least number of tiles of a room.
    pub(crate) area: u32,
    /// The number of tiles of a door.
    pub(crate) door: u32,
    /// How far the number of tiles of the smaller side may deviate from its ideal number, as a fraction of the ideal
    /// number.
    pub(crate) jitter: u64,
}

/// The jitter of dense parts: with less there are too few lines to choose from, with more the sides become too small.
const DENSE_JITTER: u64 = 2_000;

impl MaskDemand {
    /// The upper bound of the number of rooms in `tiles` tiles: n rooms need at least `n * area + (n - 1) * door`
    /// tiles, because each takes its area, and each but one a door.
    pub(crate) fn most(&self, tiles: u32) -> u32 {
        let (tiles, area, door) = (u64::from(tiles), u64::from(self.area), u64::from(self.door));
        ((tiles + door) / (area + door)) as u32
    }

    /// Whether a search finds `rooms` rooms in `tiles` tiles without difficulty. Experience says so up to two fifths of
    /// the upper bound.
    fn is_easy(&self, rooms: u32, tiles: u32) -> bool {
        5 * u64::from(rooms) <= 2 * u64::from(self.most(tiles))
    }

    /// Whether a part should hold so many rooms that its cuts have to be wall-sparing: more than one fifth of the upper
    /// bound.
    pub(crate) fn is_dense(&self, part: MaskPart) -> bool {
        5 * u64::from(part.rooms) > u64::from(self.most(part.area()))
    }

    /// The side of a minimal square room with its wall.
    pub(crate) fn pitch(&self) -> u32 {
        self.area.isqrt().max(self.door) + 1
    }

    /// The least and the greatest number of tiles for the side with the smaller half of a part's rooms, if both sides
    /// together have `tiles` tiles.
    pub(crate) fn window(&self, part: MaskPart, tiles: u32) -> (u32, u32) {
        let jitter = if self.is_dense(part) { DENSE_JITTER } else { self.jitter };
        window(tiles + 1, part.rooms / 2, part.rooms, jitter)
    }

    /// Whether the sides of a part are balanced: one of them is within the window. In a dense part it is enough that no
    /// side is tiny, because a search for better lines would take too long.
    pub(crate) fn is_balanced(&self, part: MaskPart, sides: [u32; 2]) -> bool {
        let both = sides[0] + sides[1];
        if self.is_dense(part) {
            return sides[0].min(sides[1]) >= both / 16;
        }
        let (near, far) = self.window(part, both);
        sides.iter().any(|side| (near..=far).contains(side))
    }

    /// How many of a part's rooms each side gets. If possible one side gets the smaller half, `rooms / 2`, and the
    /// other the larger half: the former must be within the window, and both must hold their half without difficulty.
    /// Otherwise the rooms are divided in proportion to the tiles. `larger_first` says whether the first side is the
    /// first one that is tried for the larger half. `None` if the sides cannot hold all rooms.
    pub(crate) fn divide_rooms(&self, part: MaskPart, sides: [u32; 2], larger_first: bool) -> Option<[u32; 2]> {
        let rooms = part.rooms;
        let most = sides.map(|tiles| self.most(tiles));
        if most.contains(&0) || u64::from(most[0]) + u64::from(most[1]) < rooms.into() {
            return None;
        }
        let both = sides[0] + sides[1];
        let few = rooms / 2;
        let (near, far) = self.window(part, both);
        let halves = |small: usize| {
            let large = 1 - small;
            let within = (near..=far).contains(&sides[small]);
            let easy = within && self.is_easy(few, sides[small]) && self.is_easy(rooms - few, sides[large]);
            easy.then(|| if small == 0 { [few, rooms - few] } else { [rooms - few, few] })
        };
        let order = if larger_first { [1, 0] } else { [0, 1] };
        order.into_iter().find_map(halves).or_else(|| {
            let (rooms, tiles, both) = (u64::from(rooms), u64::from(sides[0]), u64::from(both));
            let proportion = ((2 * rooms * tiles + both) / (2 * both)) as u32;
            let least = part.rooms.saturating_sub(most[1]).max(1);
            let first = proportion.clamp(least, most[0].min(part.rooms - 1));
            Some([first, part.rooms - first])
        })
    }

    /// Whether `one` has at most as many tiles for each room, doors included, as `other`.
    pub(crate) fn is_tighter(&self, one: MaskPart, other: MaskPart) -> bool {
        let need = |part: MaskPart| u64::from(part.rooms) * u64::from(self.area + self.door);
        let have = |part: MaskPart| u64::from(part.area() + self.door);
        need(one) * have(other) >= need(other) * have(one)
    }
}

#[cfg(test)]
mod tests;
