use super::*;
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
    let shares = |sides, larger_first| demand.shares(Part::of_area(100, 5), sides, larger_first);
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
    let shares = [false, true].map(|larger_first| wide.shares(Part::of_area(100, 5), [52, 48], larger_first));
    assert_eq!(shares, [Some([2, 3]), Some([3, 2])], "where both ways will do, the coin says");
}

#[test]
fn half_of_the_rooms_is_too_much_where_it_is_not_easy() {
    // 41 of 100 tiles are within the window and hold eight rooms of four, but only three of them easily
    let demand = demand(4, 1, 2_000);
    assert_eq!(demand.most(41), 8);
    let shares = |rooms| demand.shares(Part::of_area(101, rooms), [41, 59], false);
    assert_eq!([6, 8, 20, 21].map(shares), [Some([3, 3]), Some([3, 5]), Some([8, 12]), None]);
    // one room is always easy
    assert_eq!(demand.shares(Part::of_area(10, 2), [4, 5], false), Some([1, 1]));
    assert_eq!(demand.shares(Part::of_area(10, 2), [3, 6], false), None);
}

#[test]
fn each_side_can_hold_what_it_gets_and_nothing_is_nearer_to_what_befits_it() {
    for (area, door, jitter) in [(1, 1, 0), (1, 2, 9_000), (3, 1, 2_000), (4, 2, 2_000), (9, 1, 5_000)] {
        let demand = demand(area, door, jitter);
        for (one, other) in (1..40).flat_map(|one| (1..40).map(move |other| (one, other))) {
            let most = [one, other].map(|tiles| demand.most(tiles));
            for rooms in 2..=most[0] + most[1] + 1 {
                let part = Part::of_area(one + other + door, rooms);
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
    assert_eq!([10, 11].map(|rooms| demand.is_crowded(Part::of_area(499, rooms))), [false, true]);
    // its window is that of a jitter of its own
    assert_eq!(demand.window(Part::of_area(499, 10), 480), (24, 456));
    assert_eq!(demand.window(Part::of_area(499, 12), 480), (192, 288));
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
        assert_eq!(demand.is_fair(Part::of_area(499, 10), [small, 480 - small]), is_fair);
        assert_eq!(demand.is_fair(Part::of_area(499, 10), [480 - small, small]), is_fair);
    }
    // two of five rooms: on either side
    for (small, is_fair) in [(153, false), (154, true), (192, true), (230, true), (231, false)] {
        assert_eq!(demand.is_fair(Part::of_area(499, 5), [small, 480 - small]), is_fair);
        assert_eq!(demand.is_fair(Part::of_area(499, 5), [480 - small, small]), is_fair);
    }
    for (small, is_fair) in [(29, false), (30, true), (240, true)] {
        assert_eq!(demand.is_fair(Part::of_area(499, 11), [small, 480 - small]), is_fair);
        assert_eq!(demand.is_fair(Part::of_area(499, 11), [480 - small, small]), is_fair);
    }
}

#[test]
fn the_tighter_part_has_fewer_tiles_for_each_room_and_its_door() {
    let demand = demand(9, 1, 0);
    assert!(demand.is_tighter(Part::of_area(19, 2), Part::of_area(10, 1)));
    assert!(!demand.is_tighter(Part::of_area(10, 1), Part::of_area(19, 2)));
    assert!(demand.is_tighter(Part::of_area(99, 3), Part::of_area(49, 1)));
    // as tight as each other: 20 tiles for each room
    assert!(
        demand.is_tighter(Part::of_area(19, 1), Part::of_area(39, 2))
            && demand.is_tighter(Part::of_area(39, 2), Part::of_area(19, 1))
    );
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let most = MAX_ROOM_MASK_SIDE * MAX_ROOM_MASK_SIDE;
    for (area, door) in [(1, 1), (1, most), (most, 1), (most, most)] {
        let demand = demand(area, door, 9_000);
        let half = demand.most(most / 2);
        let rooms = (2 * half).max(2);
        let sides = [most / 2, most / 2 - 1];
        let shares = demand.shares(Part::of_area(most, rooms), sides, true);
        assert_eq!(shares.is_some(), demand.most(sides[1]) >= rooms - half);
        assert!(demand.is_fair(Part::of_area(most, rooms), sides));
        assert!(demand.is_tighter(Part::of_area(most, rooms), Part::of_area(most, rooms - 1)));
    }
    // and few rooms on many more tiles than there can be
    let tiles = u32::MAX / 4;
    let demand = demand(tiles / 2, tiles / 2, 9_000);
    assert_eq!((demand.most(tiles), demand.most(2 * tiles)), (1, 2));
    assert_eq!(demand.shares(Part::of_area(2 * tiles, 2), [tiles; 2], false), Some([1, 1]));
    assert!(demand.is_fair(Part::of_area(2 * tiles, 2), [tiles; 2]));
    assert!(demand.is_tighter(Part::of_area(tiles, 1), Part::of_area(2 * tiles, 1)));
}
