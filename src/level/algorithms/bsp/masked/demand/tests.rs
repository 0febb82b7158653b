use super::*;
use crate::level::recipe::MAX_ROOM_MASK_SIDE;

const fn demand(area: u32, door: u32, jitter: u64) -> MaskDemand {
    MaskDemand { rooms: 1, area, door, jitter }
}

#[test]
fn the_bound_counts_rooms_and_the_doors_between_them() {
    for (area, door) in [(1, 1), (9, 1), (9, 3), (1, 4), (60, 2)] {
        let demand = demand(area, door, 0);
        for rooms in 1..50 {
            let tiles = rooms * area + (rooms - 1) * door;
            assert_eq!((demand.most(tiles - 1), demand.most(tiles)), (rooms - 1, rooms), "{demand:?}");
        }
    }
}

#[test]
fn each_side_gets_half_of_the_rooms_if_it_is_within_the_window() {
    // two of five rooms on 40 of 100 tiles, plus or minus eight
    let demand = demand(1, 1, 2_000);
    let divided = |sides, larger_first| demand.divide_rooms(MaskPart::of_area(100, 5), sides, larger_first);
    for larger_first in [false, true] {
        assert_eq!(divided([32, 68], larger_first), Some([2, 3]));
        assert_eq!(divided([48, 52], larger_first), Some([2, 3]));
        assert_eq!(divided([52, 48], larger_first), Some([3, 2]));
        // otherwise in proportion to the tiles: 1.5 is rounded to two, a little less to one
        assert_eq!(divided([30, 70], larger_first), Some([2, 3]));
        assert_eq!(divided([29, 71], larger_first), Some([1, 4]));
        assert_eq!(divided([70, 30], larger_first), Some([4, 1]));
        assert_eq!(divided([1, 99], larger_first), Some([1, 4]), "at least one");
    }
    let wide = MaskDemand { jitter: 3_000, ..demand };
    let divided =
        [false, true].map(|larger_first| wide.divide_rooms(MaskPart::of_area(100, 5), [52, 48], larger_first));
    assert_eq!(divided, [Some([2, 3]), Some([3, 2])], "where both are possible, the coin decides");
}

#[test]
fn a_side_gets_half_of_the_rooms_only_if_it_holds_them_easily() {
    // 41 of 100 tiles are within the window and hold eight rooms of four, but only three of them easily
    let demand = demand(4, 1, 2_000);
    assert_eq!(demand.most(41), 8);
    let divided = |rooms| demand.divide_rooms(MaskPart::of_area(101, rooms), [41, 59], false);
    assert_eq!([6, 8, 20, 21].map(divided), [Some([3, 3]), Some([3, 5]), Some([8, 12]), None]);
    // one room is always easy
    assert_eq!(demand.divide_rooms(MaskPart::of_area(10, 2), [4, 5], false), Some([1, 1]));
    assert_eq!(demand.divide_rooms(MaskPart::of_area(10, 2), [3, 6], false), None);
}

#[test]
fn each_side_can_hold_its_rooms_and_no_other_division_is_nearer_to_the_proportion() {
    for (area, door, jitter) in [(1, 1, 0), (1, 2, 9_000), (3, 1, 2_000), (4, 2, 2_000), (9, 1, 5_000)] {
        let demand = demand(area, door, jitter);
        for (one, other) in (1..40).flat_map(|one| (1..40).map(move |other| (one, other))) {
            let most = [one, other].map(|tiles| demand.most(tiles));
            for rooms in 2..=most[0] + most[1] + 1 {
                let part = MaskPart::of_area(one + other + door, rooms);
                let can_be = |first: &u32| *first <= most[0] && rooms - first <= most[1];
                let far = |first: &u32| (first * (one + other)).abs_diff(rooms * one);
                let nearest = (1..rooms).filter(can_be).min_by_key(far);
                for larger_first in [false, true] {
                    let divided = demand.divide_rooms(part, [one, other], larger_first);
                    assert_eq!(divided.is_some(), nearest.is_some(), "{demand:?} {part:?} {one} {other}");
                    let (Some([first, second]), Some(nearest)) = (divided, nearest) else { continue };
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
fn a_part_is_dense_beyond_a_fifth_of_what_it_can_hold() {
    let demand = demand(9, 1, 9_000);
    assert_eq!(demand.most(499), 50);
    assert_eq!([10, 11].map(|rooms| demand.is_dense(MaskPart::of_area(499, rooms))), [false, true]);
    // the window of a dense part has the fixed jitter
    assert_eq!(demand.window(MaskPart::of_area(499, 10), 480), (24, 456));
    assert_eq!(demand.window(MaskPart::of_area(499, 12), 480), (192, 288));
    assert_eq!(
        (demand.pitch(), MaskDemand { door: 5, ..demand }.pitch(), MaskDemand { area: 15, ..demand }.pitch()),
        (4, 6, 4)
    );
}

#[test]
fn sides_are_balanced_within_the_window_and_in_a_dense_part_if_none_is_tiny() {
    let demand = demand(9, 1, 2_000);
    // 240 of 480 tiles, plus or minus 48
    for (small, is_balanced) in [(191, false), (192, true), (240, true), (288, true)] {
        assert_eq!(demand.is_balanced(MaskPart::of_area(499, 10), [small, 480 - small]), is_balanced);
        assert_eq!(demand.is_balanced(MaskPart::of_area(499, 10), [480 - small, small]), is_balanced);
    }
    // two of five rooms: 192 of 480 tiles, plus or minus 38.4, on either side
    for (small, is_balanced) in [(153, false), (154, true), (192, true), (230, true), (231, false)] {
        assert_eq!(demand.is_balanced(MaskPart::of_area(499, 5), [small, 480 - small]), is_balanced);
        assert_eq!(demand.is_balanced(MaskPart::of_area(499, 5), [480 - small, small]), is_balanced);
    }
    for (small, is_balanced) in [(29, false), (30, true), (240, true)] {
        assert_eq!(demand.is_balanced(MaskPart::of_area(499, 11), [small, 480 - small]), is_balanced);
        assert_eq!(demand.is_balanced(MaskPart::of_area(499, 11), [480 - small, small]), is_balanced);
    }
}

#[test]
fn the_tighter_part_has_fewer_tiles_for_each_room_and_its_door() {
    let demand = demand(9, 1, 0);
    assert!(demand.is_tighter(MaskPart::of_area(19, 2), MaskPart::of_area(10, 1)));
    assert!(!demand.is_tighter(MaskPart::of_area(10, 1), MaskPart::of_area(19, 2)));
    assert!(demand.is_tighter(MaskPart::of_area(99, 3), MaskPart::of_area(49, 1)));
    // as tight as each other: 20 tiles for each room
    assert!(
        demand.is_tighter(MaskPart::of_area(19, 1), MaskPart::of_area(39, 2))
            && demand.is_tighter(MaskPart::of_area(39, 2), MaskPart::of_area(19, 1))
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
        let divided = demand.divide_rooms(MaskPart::of_area(most, rooms), sides, true);
        assert_eq!(divided.is_some(), demand.most(sides[1]) >= rooms - half);
        assert!(demand.is_balanced(MaskPart::of_area(most, rooms), sides));
        assert!(demand.is_tighter(MaskPart::of_area(most, rooms), MaskPart::of_area(most, rooms - 1)));
    }
    // few rooms on many more tiles than a mask can have
    let tiles = u32::MAX / 4;
    let demand = demand(tiles / 2, tiles / 2, 9_000);
    assert_eq!((demand.most(tiles), demand.most(2 * tiles)), (1, 2));
    assert_eq!(demand.divide_rooms(MaskPart::of_area(2 * tiles, 2), [tiles; 2], false), Some([1, 1]));
    assert!(demand.is_balanced(MaskPart::of_area(2 * tiles, 2), [tiles; 2]));
    assert!(demand.is_tighter(MaskPart::of_area(tiles, 1), MaskPart::of_area(2 * tiles, 1)));
}
