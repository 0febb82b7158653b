//! What is asked for, and how much of it some tiles can hold.
//!
//! No count of tiles says how many rooms a shape really holds. It bounds them from above, and up to two fifths of that
//! bound are found in most shapes where a door fits. A part that is to hold more than a fifth is crowded: there cuts keep
//! to a jitter of their own, and least rooms are laid out in rows.

use crate::level::algorithms::bsp::cut::window;
use crate::level::algorithms::bsp::masked::ownership::Part;

/// What every search of a blueprint is after.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Demand {
    /// Rooms in all.
    pub(crate) rooms: u32,
    /// Least tiles of a room.
    pub(crate) area: u32,
    /// Tiles of a door.
    pub(crate) door: u32,
    /// How far a cut may stray from its share of the tiles, as a fraction of the smaller side's.
    pub(crate) jitter: u64,
}

/// The jitter of crowded parts: less leaves too few lines to choose from, more makes sides that are too small.
const JITTER_IN_CROWDS: u64 = 2_000;

impl Demand {
    /// The most rooms that so many tiles can hold: each takes its area, and each but one a door.
    pub(crate) fn most(&self, tiles: u32) -> u32 {
        let (tiles, area, door) = (u64::from(tiles), u64::from(self.area), u64::from(self.door));
        ((tiles + door) / (area + door)) as u32
    }

    /// Whether so many tiles surely hold some rooms, as far as trial tells.
    fn is_easy(&self, rooms: u32, tiles: u32) -> bool {
        5 * u64::from(rooms) <= 2 * u64::from(self.most(tiles))
    }

    /// Whether a part should hold so many rooms that its cuts have to be thrifty.
    pub(crate) fn is_crowded(&self, part: Part) -> bool {
        5 * u64::from(part.rooms) > u64::from(self.most(part.area()))
    }

    /// The side of a square of the least room, and a wall.
    pub(crate) fn pitch(&self) -> u32 {
        self.area.isqrt().max(self.door) + 1
    }

    /// The least and the greatest share of `tiles` for the smaller half of a part's rooms.
    pub(crate) fn window(&self, part: Part, tiles: u32) -> (u32, u32) {
        let jitter = if self.is_crowded(part) { JITTER_IN_CROWDS } else { self.jitter };
        window(tiles + 1, part.rooms / 2, part.rooms, jitter)
    }

    /// Whether the sides of a part are what a line within the window is tried for. In a crowded part it is enough that
    /// no side is a mere scrap: to wait for better ones costs too many lines.
    pub(crate) fn is_fair(&self, part: Part, sides: [u32; 2]) -> bool {
        let both = sides[0] + sides[1];
        if self.is_crowded(part) {
            return sides[0].min(sides[1]) >= both / 16;
        }
        let (near, far) = self.window(part, both);
        sides.iter().any(|side| (near..=far).contains(side))
    }

    /// How many of its rooms each side of a part gets: half of them each, where that is within the window and sure to
    /// be found, else as many as befits its tiles. `larger_first` says which side is asked first to take the larger
    /// half. `None` where the sides cannot hold them all.
    pub(crate) fn shares(&self, part: Part, sides: [u32; 2], larger_first: bool) -> Option<[u32; 2]> {
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
            let share = ((2 * rooms * tiles + both) / (2 * both)) as u32;
            let least = part.rooms.saturating_sub(most[1]).max(1);
            let first = share.clamp(least, most[0].min(part.rooms - 1));
            Some([first, part.rooms - first])
        })
    }

    /// Whether one part has less to spare than another.
    pub(crate) fn is_tighter(&self, one: Part, other: Part) -> bool {
        let need = |part: Part| u64::from(part.rooms) * u64::from(self.area + self.door);
        let have = |part: Part| u64::from(part.area() + self.door);
        need(one) * have(other) >= need(other) * have(one)
    }
}

#[cfg(test)]
mod tests;
