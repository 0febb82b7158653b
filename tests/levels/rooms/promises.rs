//! The promises of room maps: the number of rooms, their sizes, their doors, and what an error says.

use proptest::prelude::*;

use crate::rooms::{RoomRequest, named};

/// A request without its number of rooms, and that number as a percentage of the largest possible one.
fn any_request() -> impl Strategy<Value = (RoomRequest, u64)> {
    let size = (3..=60u32, 3..=60u32);
    // a third of the requests ask for as many rooms as possible
    let percent = prop_oneof![1 => Just(100), 2 => 0..100u64];
    let options = (prop_oneof![1..=12u64, 1..=80u64], 1..=5u64, 0..=9_000u32, any::<u64>());
    let loops = prop_oneof![Just(0), Just(5_000), Just(10_000), 0..=10_000u64];
    let side = prop_oneof![1 => Just(None), 2 => (1..=9u64).prop_map(Some)];
    (size, options, loops, side, percent).prop_map(|(size, (area, door, jitter, seed), loops, side, percent)| {
        (RoomRequest { size, rooms: 1, area, door, jitter, seed, loops, side }, percent)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_promise_is_kept_for_any_options((request, percent) in any_request()) {
        let most = request.most();
        if most > 0 {
            RoomRequest { rooms: (most * percent / 100).max(1), ..request }.check();
        } else {
            let (width, height) = (u64::from(request.size.0 - 2), u64::from(request.size.1 - 2));
            let side = request.door.max(request.side.unwrap_or(1));
            prop_assert!(side > width.min(height) || request.area > width * height, "one room would fit");
        }
    }

    #[test]
    fn the_number_that_an_error_names_can_be_built_and_one_more_cannot((request, percent) in any_request()) {
        let most = request.most();
        let rooms = most + 1 + percent / 5;
        let Err(errors) = RoomRequest { rooms, ..request.clone() }.build() else {
            return Err(TestCaseError::fail(format!("{rooms} rooms, but at most {most}")));
        };
        prop_assert!(!errors.is_empty());
        for jitter in [0, 2_000, 9_000] {
            let seed = request.seed.wrapping_add(jitter.into());
            let other = RoomRequest { rooms, jitter, seed, ..request.clone() };
            prop_assert_eq!(&other.build().expect_err("the same error for every seed and jitter"), &errors);
        }
        if let Some(most) = named(&errors, "rooms", "at most ") {
            RoomRequest { rooms: most, ..request.clone() }.check();
            assert!(RoomRequest { rooms: most + 1, ..request.clone() }.build().is_err());
        }
        if let Some(area) = named(&errors, "min_room_area", "up to ") {
            RoomRequest { rooms, area, ..request.clone() }.check();
            assert!(RoomRequest { rooms, area: area + 1, ..request.clone() }.build().is_err());
        }
        if let Some(door) = named(&errors, "door_size", "up to ") {
            let with_door = |door: u64| {
                // a least side as long as the door has to be lowered too, as the error says
                let side = request.side.map(|side| if side == request.door { door.min(side) } else { side });
                RoomRequest { rooms, door, side, ..request.clone() }
            };
            with_door(door).check();
            assert!(with_door(door + 1).build().is_err());
        }
        if let Some(side) = named(&errors, "min_side", "up to ") {
            RoomRequest { rooms, side: Some(side), ..request.clone() }.check();
            assert!(RoomRequest { rooms, side: Some(side + 1), ..request.clone() }.build().is_err());
        }
    }
}

#[test]
fn a_thousand_seeds_keep_every_promise_at_each_size() {
    for (size, rooms, area, door) in [
        ((3, 3), 1, 1, 1),
        ((3, 60), 29, 1, 1),
        ((4, 5), 2, 2, 1),
        ((21, 21), 10, 25, 1),
        ((21, 21), 43, 4, 1),
        ((41, 41), 21, 9, 1),
        ((41, 41), 100, 9, 3),
        ((41, 41), 174, 4, 1),
        ((60, 37), 12, 30, 4),
    ] {
        for seed in 0..1_000 {
            let (jitter, loops) = ([0, 2_000, 9_000][seed as usize % 3], [0, 5_000, 10_000][seed as usize / 3 % 3]);
            RoomRequest { size, rooms, area, door, jitter, seed, loops, side: None }.check();
        }
    }
}

#[test]
fn the_largest_number_of_rooms_is_built_for_every_seed_and_one_more_for_none() {
    for (size, area, door) in
        [((41, 41), 1, 1), ((41, 41), 4, 1), ((41, 41), 25, 1), ((33, 50), 7, 2), ((12, 59), 13, 3)]
    {
        let request = RoomRequest { size, rooms: 1, area, door, jitter: 2_000, seed: 0, loops: 0, side: None };
        let most = request.most();
        for seed in 0..200 {
            let jitter = seed as u32 * 45;
            RoomRequest { rooms: most, jitter, seed, ..request.clone() }.check();
            assert!(RoomRequest { rooms: most + 1, jitter, seed, ..request.clone() }.build().is_err());
        }
    }
}

#[test]
fn a_larger_map_holds_no_fewer_rooms() {
    // up to 130 tiles a side the largest number comes from a table of all cuts, beyond that from a formula
    for (area, door) in [(10, 2), (13, 1), (7, 1), (26, 3), (60, 1)] {
        let mut least = 0;
        for (width, height) in [(128, 128), (129, 130), (130, 130), (131, 130), (131, 131), (140, 131), (160, 150)] {
            let request = RoomRequest {
                size: (width, height),
                rooms: 1,
                area,
                door,
                jitter: 2_000,
                seed: 3,
                loops: 0,
                side: None,
            };
            let most = request.most();
            assert!(most >= least, "{area} {door}: {most} at {width}x{height}, {least} before");
            least = most;
            for seed in 0..5 {
                RoomRequest { rooms: most, seed, ..request.clone() }.check();
            }
        }
    }
}

#[test]
fn large_maps_keep_every_promise() {
    for (size, rooms, area, door) in [
        ((401, 401), 100, 9, 1),
        ((401, 233), 2_000, 20, 2),
        ((130, 130), 4_096, 1, 1),
        ((131, 400), 0, 11, 3),
        ((400, 131), 0, 500, 1),
        ((700, 300), 0, 1, 1),
    ] {
        let request = RoomRequest { size, rooms, area, door, jitter: 5_000, seed: 7, loops: 10_000, side: None };
        let most = request.most();
        RoomRequest { rooms: if rooms == 0 { most } else { rooms }, ..request.clone() }.check();
        assert!(RoomRequest { rooms: most + 1, ..request }.build().is_err());
    }
}

#[test]
fn huge_numbers_give_an_error_at_once() {
    let huge = (1 << 53) - 1;
    for (rooms, area, door) in [(huge, huge, huge), (huge, 1, 1), (1, huge, 1), (1, 1, huge), (2, 2_000_000, huge)] {
        for size in [(3, 3), (41, 41), (130, 130), (4001, 4001), (4001, 3)] {
            let errors = RoomRequest { size, rooms, area, door, jitter: 0, seed: 1, loops: 0, side: None }
                .build()
                .expect_err("far too much");
            assert!(!errors.is_empty(), "{size:?} {rooms} {area} {door}");
        }
    }
}

#[test]
fn loops_change_neither_the_rooms_nor_the_other_doors() {
    for seed in 0..300 {
        let request =
            RoomRequest { size: (60, 50), rooms: 40, area: 9, door: 2, jitter: 5_000, seed, loops: 0, side: None };
        let tree = request.build().unwrap();
        let tree = tree.plan().unwrap();
        for loops in [1, 2_500, 10_000] {
            let level = RoomRequest { loops, ..request.clone() }.build().unwrap();
            let plan = level.plan().unwrap();
            assert_eq!(plan.rooms, tree.rooms, "{seed}");
            assert!(tree.doors.iter().all(|door| plan.doors.contains(door)), "{seed}");
        }
    }
}

#[test]
fn the_same_recipe_gives_the_same_rooms_after_other_levels() {
    let request =
        RoomRequest { size: (60, 41), rooms: 30, area: 12, door: 2, jitter: 4_000, seed: 7, loops: 0, side: None };
    let first = request.build().unwrap();
    let other = RoomRequest { seed: 8, ..request.clone() }.build().unwrap();
    let again = request.build().unwrap();
    assert_eq!((first.grid(), first.plan()), (again.grid(), again.plan()));
    assert_ne!(first.grid(), other.grid());
}
