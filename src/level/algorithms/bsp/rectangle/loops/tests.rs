use super::*;
use crate::level::recipe::MAX_SIDE;
use crate::level::rng::{Seed, Streams};

#[test]
fn every_wall_position_can_be_read_back() {
    for (axis, wall, along) in [(Axis::X, 0, 1), (Axis::X, MAX_SIDE, MAX_SIDE), (Axis::Y, 2, MAX_SIDE)] {
        assert_eq!(read_wall_position(wall_position(axis, wall, along)), (axis, wall, along));
    }
}

/// Three by three rooms, each four tiles a side. All pairs in columns have doors, and those in the first row: four
/// pairs remain.
fn nine_rooms() -> (Vec<Room>, Vec<Door>) {
    let room = |i: u32| Room { x: 1 + i % 3 * 5, y: 1 + i / 3 * 5, width: 4, height: 4, area: 16 };
    let mut doors: Vec<_> = (0..6).map(|i| make_door(Axis::Y, 5 + i / 3 * 5, 2 + i % 3 * 5, 2, [i, i + 3])).collect();
    doors.extend([0, 1].map(|i| make_door(Axis::X, 5 + i * 5, 1, 2, [i, i + 1])));
    ((0..9).map(room).collect(), doors)
}

#[test]
fn all_sets_of_pairs_and_all_positions_are_equally_likely() {
    let streams = Streams::new(&Seed::Integer(7), "test", 0);
    let (mut sets, mut positions) = ([0_u32; 16], [0_u32; 3]);
    for i in 0..6_000 {
        let (rooms, mut doors) = nine_rooms();
        let tree = doors.clone();
        add_doors(&rooms, &mut doors, 2, 5_000, &mut streams.stream(0, i), Cancel::never()).unwrap();
        assert!(tree.iter().all(|door| doors.contains(door)));
        let mut set = 0;
        for door in doors.iter().filter(|door| !tree.contains(door)) {
            let pairs = [[3, 4], [4, 5], [6, 7], [7, 8]];
            set |= 1 << pairs.iter().position(|pair| *pair == door.rooms).unwrap();
            assert_eq!((door.along, door.first.x % 5, door.length), (Direction::Down, 0, 2));
            positions[door.first.y as usize % 5 - 1] += 1;
        }
        sets[set] += 1;
    }
    let (pairs, others): (Vec<_>, Vec<_>) = (0..16_usize).partition(|set| set.count_ones() == 2);
    assert!(others.into_iter().all(|set| sets[set] == 0), "{sets:?}");
    // each of six sets a thousand times, plus or minus four standard deviations of 29
    assert!(pairs.iter().all(|set| sets[*set].abs_diff(1_000) < 116), "{sets:?}");
    // and each of three positions four thousand times, with a standard deviation of 52
    assert!(positions.iter().all(|count| count.abs_diff(4_000) < 207), "{positions:?}");
}

#[test]
fn a_fraction_is_rounded_to_whole_pairs_halves_up() {
    let streams = Streams::new(&Seed::Integer(7), "test", 0);
    for (fraction, more) in
        [(1, 0), (1_249, 0), (1_250, 1), (3_749, 1), (3_750, 2), (8_749, 3), (8_750, 4), (10_000, 4)]
    {
        let (rooms, mut doors) = nine_rooms();
        let tree = doors.len();
        add_doors(&rooms, &mut doors, 2, fraction, &mut streams.stream(0, 0), Cancel::never()).unwrap();
        assert_eq!(doors.len() - tree, more, "{fraction}");
    }
}
