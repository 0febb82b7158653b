//! `min_side`: no side of a room is shorter, and as many rooms fit as cuts can make that keep to it.

use mazed::level::grid::Room;
use mazed::level::parameters::options::OptionId;
use mazed::level::recipe::{Limits, Recipe};

use crate::rooms::RoomRequest;

/// The largest number of rooms that any cuts of a rectangle make: tries each cut recursively.
fn oracle(width: u64, height: u64, area: u64, side: u64) -> u64 {
    if width.min(height) < side || width * height < area {
        return 0;
    }
    let cuts = |length: u64, most: &dyn Fn(u64) -> u64| {
        let both = (1..length.saturating_sub(1)).map(|first| (most(first), most(length - 1 - first)));
        both.filter(|(a, b)| *a > 0 && *b > 0).map(|(a, b)| a + b).max().unwrap_or(0)
    };
    let across = cuts(width, &|width| oracle(width, height, area, side));
    let down = cuts(height, &|height| oracle(width, height, area, side));
    across.max(down).max(1)
}

/// A request with a least side, for one room.
fn request(size: (u32, u32), [area, door, side]: [u64; 3], jitter: u32, seed: u64) -> RoomRequest {
    RoomRequest { size, rooms: 1, area, door, jitter, seed, loops: 0, side: Some(side) }
}

#[test]
fn as_many_rooms_fit_as_any_cuts_can_make() {
    for (width, height) in (3..=13).flat_map(|width| (3..=13).map(move |height| (width, height))) {
        for options in [[1, 1, 1], [1, 1, 2], [4, 1, 1], [4, 1, 3], [9, 1, 2], [6, 2, 1], [10, 2, 3], [12, 3, 2]] {
            let [area, door, side] = options;
            let most = oracle(u64::from(width) - 2, u64::from(height) - 2, area, side.max(door));
            let request = request((width, height), options, 9_000, u64::from(width * height));
            assert_eq!(request.most(), most, "{request:?}");
            if most > 0 {
                RoomRequest { rooms: most, ..request.clone() }.check();
                assert!(RoomRequest { rooms: most + 1, ..request }.build().is_err());
            }
        }
    }
}

#[test]
fn no_side_is_shorter_for_any_seed() {
    for (size, options) in [
        ((41, 41), [9, 1, 3]),
        ((41, 41), [9, 1, 4]),
        ((41, 41), [1, 1, 2]),
        ((41, 41), [25, 2, 5]),
        ((21, 21), [4, 1, 2]),
        ((60, 33), [40, 3, 5]),
        ((100, 20), [1, 1, 7]),
    ] {
        let most = request(size, options, 0, 0).most();
        for seed in 0..400 {
            // few rooms, many, and as many as fit
            let rooms = [most.div_ceil(5), most.div_ceil(2), most][seed as usize % 3];
            let jitter = [9_000, 2_000, 9_000, 0][seed as usize % 4];
            RoomRequest { rooms, ..request(size, options, jitter, seed) }.check();
        }
    }
}

/// The shorter side of each room.
fn shorter_sides(request: &RoomRequest) -> Vec<u32> {
    let level = request.build().unwrap();
    level.plan().unwrap().rooms.iter().map(|room: &Room| room.width.min(room.height)).collect()
}

#[test]
fn by_default_no_room_is_narrower_than_the_smallest_square_one() {
    let default =
        RoomRequest { size: (41, 41), rooms: 21, area: 9, door: 1, jitter: 9_000, seed: 0, loops: 0, side: None };
    let narrow = |side| {
        let is_narrow = |seed: &u64| {
            shorter_sides(&RoomRequest { seed: *seed, side, ..default.clone() }).iter().any(|length| *length < 3)
        };
        (0..300).filter(is_narrow).count()
    };
    assert_eq!(narrow(None), 0);
    assert!(narrow(Some(1)) > 250, "a least side of 1 permits {} levels with narrow rooms", narrow(Some(1)));
}

/// The least side of a recipe that leaves it out, the number of rooms, and its canonical text.
fn resolved(pairs: &[(&str, &str)]) -> (u64, u64, String) {
    let pairs = [&[("algo", "bsp"), ("seed", "7")], pairs].concat();
    let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap();
    let [side, rooms] = [OptionId::MinSide, OptionId::Rooms].map(|option| recipe.options().get(option));
    (side, rooms, recipe.to_string())
}

#[test]
fn the_default_follows_the_area_the_door_and_the_number_of_rooms() {
    for (pairs, side, rooms) in [
        (&[("size", "41")][..], 3, 21),
        (&[("size", "41"), ("min_room_area", "24")], 4, 7),
        (&[("size", "41"), ("door_size", "5")], 5, 7),
        (&[("size", "41"), ("min_room_area", "25"), ("rooms", "36")], 5, 36),
        (&[("size", "41"), ("min_room_area", "25"), ("rooms", "43")], 1, 43),
        (&[("width", "3"), ("height", "41")], 1, 1),
        (&[("size", "41"), ("min_side", "8")], 8, 2),
        (&[("size", "41"), ("min_side", "3")], 3, 21),
        (&[("size", "41"), ("min_side", "1")], 1, 21),
    ] {
        let (found, count, text) = resolved(pairs);
        assert_eq!((found, count), (side, rooms), "{pairs:?}");
        // the canonical text names the same recipe, and leaves out what is the default
        let again: Vec<_> = text.split('&').map(|pair| pair.split_once('=').unwrap()).collect();
        let again = Recipe::from_pairs(&again, Limits::of_side(4001)).unwrap();
        assert_eq!((again.options().get(OptionId::MinSide), again.to_string()), (side, text.clone()));
        assert_eq!(text.contains("min_side"), ["8", "1"].iter().any(|side| pairs.contains(&("min_side", side))));
    }
}

#[test]
fn what_could_be_built_without_the_option_still_can_if_it_is_left_out() {
    for (width, height) in (3..=16).flat_map(|width| (3..=16).map(move |height| (width, height))) {
        for (area, door) in [(1, 1), (3, 1), (9, 1), (9, 2), (12, 1), (25, 1), (30, 4)] {
            let most = request((width, height), [area, door, 1], 0, 0).most();
            for rooms in 1..=most {
                let left_out = RoomRequest { rooms, side: None, ..request((width, height), [area, door, 1], 2_000, 5) };
                left_out.check();
            }
            assert!(
                RoomRequest { rooms: most + 1, side: None, ..request((width, height), [area, door, 1], 2_000, 5) }
                    .build()
                    .is_err()
            );
        }
    }
}

#[test]
fn a_request_that_cannot_be_built_names_the_least_side_as_a_remedy() {
    let request = RoomRequest { rooms: 40, ..request((41, 41), [9, 1, 7], 2_000, 1) };
    let errors = request.build().expect_err("25 rooms of 7 tiles a side fit");
    let messages: Vec<_> = errors.iter().map(|error| (error.parameter.as_str(), error.message.as_str())).collect();
    assert_eq!(
        messages,
        [
            ("rooms", "is too large: 40 do not fit, at most 25 fit with min_room_area 9, min_side 7 and door_size 1"),
            ("min_side", "is too large: 40 rooms fit with min_side up to 4"),
        ]
    );
}
