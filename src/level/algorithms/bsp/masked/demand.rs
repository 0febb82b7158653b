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
mod tests {
    use super::*;
    use crate::level::algorithms::bsp::masked::ownership::tests::part;
    use crate::level::recipe::MAX_ROOM_MASK_SIDE;

    const fn demand(area: u32, door: u32, jitter: u64) -> Demand {
        Demand { rooms: 1, area, door, jitter }
    }

    #[test]
    fn so_many_tiles_hold_rooms_and_the_doors_between_them() {
        for (area, door) in [(1, 1), (9, 1), (9, 3), (1, 4), (60, 2)] {
            let demand = demand(area, door, 0);
            for rooms in 1..50 {
                let tiles = rooms * area + (rooms - 1) * door;
                assert_eq!((demand.most(tiles - 1), demand.most(tiles)), (rooms - 1, rooms), "{demand:?}");
            }
        }
    }

    #[test]
    fn each_side_gets_half_of_the_rooms_where_it_is_within_the_window() {
        // two of five rooms on 40 of 100 tiles, give or take eight
        let demand = demand(1, 1, 2_000);
        let shares = |sides, larger_first| demand.shares(part(100, 5), sides, larger_first);
        for larger_first in [false, true] {
            assert_eq!(shares([32, 68], larger_first), Some([2, 3]));
            assert_eq!(shares([48, 52], larger_first), Some([2, 3]));
            assert_eq!(shares([52, 48], larger_first), Some([3, 2]));
            // else as many as befits the tiles: one and a half is two, a little less is one
            assert_eq!(shares([30, 70], larger_first), Some([2, 3]));
            assert_eq!(shares([29, 71], larger_first), Some([1, 4]));
            assert_eq!(shares([70, 30], larger_first), Some([4, 1]));
            assert_eq!(shares([1, 99], larger_first), Some([1, 4]), "one at least");
        }
        let wide = Demand { jitter: 3_000, ..demand };
        let shares = [false, true].map(|larger_first| wide.shares(part(100, 5), [52, 48], larger_first));
        assert_eq!(shares, [Some([2, 3]), Some([3, 2])], "where both ways will do, the coin says");
    }

    #[test]
    fn half_of_the_rooms_is_too_much_where_it_is_not_easy() {
        // 41 of 100 tiles are within the window and hold eight rooms of four, but only three of them easily
        let demand = demand(4, 1, 2_000);
        assert_eq!(demand.most(41), 8);
        let shares = |rooms| demand.shares(part(101, rooms), [41, 59], false);
        assert_eq!([6, 8, 20, 21].map(shares), [Some([3, 3]), Some([3, 5]), Some([8, 12]), None]);
        // one room is always easy
        assert_eq!(demand.shares(part(10, 2), [4, 5], false), Some([1, 1]));
        assert_eq!(demand.shares(part(10, 2), [3, 6], false), None);
    }

    #[test]
    fn each_side_can_hold_what_it_gets_and_nothing_is_nearer_to_what_befits_it() {
        for (area, door, jitter) in [(1, 1, 0), (1, 2, 9_000), (3, 1, 2_000), (4, 2, 2_000), (9, 1, 5_000)] {
            let demand = demand(area, door, jitter);
            for (one, other) in (1..40).flat_map(|one| (1..40).map(move |other| (one, other))) {
                let most = [one, other].map(|tiles| demand.most(tiles));
                for rooms in 2..=most[0] + most[1] + 1 {
                    let part = part(one + other + door, rooms);
                    let can_be = |first: &u32| *first <= most[0] && rooms - first <= most[1];
                    let far = |first: &u32| (first * (one + other)).abs_diff(rooms * one);
                    let nearest = (1..rooms).filter(can_be).min_by_key(far);
                    for larger_first in [false, true] {
                        let shares = demand.shares(part, [one, other], larger_first);
                        assert_eq!(shares.is_some(), nearest.is_some(), "{demand:?} {part:?} {one} {other}");
                        let (Some([first, second]), Some(nearest)) = (shares, nearest) else { continue };
                        assert_eq!(first + second, rooms);
                        assert!((1..rooms).contains(&first) && can_be(&first), "{demand:?} {part:?} {one} {other}");
                        let is_half = first == rooms / 2 || second == rooms / 2;
                        assert!(is_half || far(&first) == far(&nearest), "{demand:?} {part:?} {one} {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_part_is_crowded_beyond_a_fifth_of_what_it_can_hold() {
        let demand = demand(9, 1, 9_000);
        assert_eq!(demand.most(499), 50);
        assert_eq!([10, 11].map(|rooms| demand.is_crowded(part(499, rooms))), [false, true]);
        // its window is that of a jitter of its own
        assert_eq!(demand.window(part(499, 10), 480), (24, 456));
        assert_eq!(demand.window(part(499, 12), 480), (192, 288));
        assert_eq!(
            (demand.pitch(), Demand { door: 5, ..demand }.pitch(), Demand { area: 15, ..demand }.pitch()),
            (4, 6, 4)
        );
    }

    #[test]
    fn sides_are_fair_within_the_window_and_in_a_crowded_part_if_none_is_a_scrap() {
        let demand = demand(9, 1, 2_000);
        // 240 of 480 tiles, give or take 48
        for (small, is_fair) in [(191, false), (192, true), (240, true), (288, true)] {
            assert_eq!(demand.is_fair(part(499, 10), [small, 480 - small]), is_fair);
            assert_eq!(demand.is_fair(part(499, 10), [480 - small, small]), is_fair);
        }
        // two of five rooms: on either side
        for (small, is_fair) in [(153, false), (154, true), (192, true), (230, true), (231, false)] {
            assert_eq!(demand.is_fair(part(499, 5), [small, 480 - small]), is_fair);
            assert_eq!(demand.is_fair(part(499, 5), [480 - small, small]), is_fair);
        }
        for (small, is_fair) in [(29, false), (30, true), (240, true)] {
            assert_eq!(demand.is_fair(part(499, 11), [small, 480 - small]), is_fair);
            assert_eq!(demand.is_fair(part(499, 11), [480 - small, small]), is_fair);
        }
    }

    #[test]
    fn the_tighter_part_has_fewer_tiles_for_each_room_and_its_door() {
        let demand = demand(9, 1, 0);
        assert!(demand.is_tighter(part(19, 2), part(10, 1)));
        assert!(!demand.is_tighter(part(10, 1), part(19, 2)));
        assert!(demand.is_tighter(part(99, 3), part(49, 1)));
        // as tight as each other: 20 tiles for each room
        assert!(demand.is_tighter(part(19, 1), part(39, 2)) && demand.is_tighter(part(39, 2), part(19, 1)));
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let most = MAX_ROOM_MASK_SIDE * MAX_ROOM_MASK_SIDE;
        for (area, door) in [(1, 1), (1, most), (most, 1), (most, most)] {
            let demand = demand(area, door, 9_000);
            let half = demand.most(most / 2);
            let rooms = (2 * half).max(2);
            let sides = [most / 2, most / 2 - 1];
            let shares = demand.shares(part(most, rooms), sides, true);
            assert_eq!(shares.is_some(), demand.most(sides[1]) >= rooms - half);
            assert!(demand.is_fair(part(most, rooms), sides));
            assert!(demand.is_tighter(part(most, rooms), part(most, rooms - 1)));
        }
        // and few rooms on many more tiles than there can be
        let tiles = u32::MAX / 4;
        let demand = demand(tiles / 2, tiles / 2, 9_000);
        assert_eq!((demand.most(tiles), demand.most(2 * tiles)), (1, 2));
        assert_eq!(demand.shares(part(2 * tiles, 2), [tiles; 2], false), Some([1, 1]));
        assert!(demand.is_fair(part(2 * tiles, 2), [tiles; 2]));
        assert!(demand.is_tighter(part(tiles, 1), part(2 * tiles, 1)));
    }
}
