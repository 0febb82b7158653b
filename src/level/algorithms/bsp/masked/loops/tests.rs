use std::collections::BTreeMap;

use super::*;
use crate::level::algorithms::bsp::masked::fixtures::mask_of;
use crate::level::algorithms::bsp::masked::ownership::CutSide;
use crate::level::grid::Direction;
use crate::level::rng::{Seed, Streams};

fn rng(index: u64) -> Rng {
    Streams::new(&Seed::Integer(7), "test", 0).stream(0, index)
}

/// A plan of rooms from a picture: rooms are digits from 1 on, in row-major order, and `#` is wall.
fn plan(rows: &[&str]) -> (Mask, Ownership) {
    let mask = mask_of(rows);
    let mut ownership = Ownership::new(&mask);
    let mut rest = ownership.reset(&mask, 9);
    let digit = |[x, y]: [u32; 2]| rows[y as usize - 1].as_bytes()[x as usize - 1];
    let digits: BTreeMap<_, _> = ownership.all().iter().map(|tile| (*tile, digit(ownership.position(*tile)))).collect();
    let mut rooms = Vec::new();
    for room in b'1'.. {
        let side_of = |tile| match digits[&tile] {
            b'#' => CutSide::Wall,
            digit if digit == room => CutSide::First,
            _ => CutSide::Second,
        };
        let [first, others] = ownership.divide(rest, [1, 9], side_of);
        if first.area() == 0 {
            break;
        }
        rooms.push(first);
        rest = others;
    }
    ownership.number_rooms(&mut rooms);
    (mask, ownership)
}

/// Three by three rooms, each four tiles a side. All pairs in columns have doors, and those in the first row: four
/// pairs remain.
fn nine_rooms() -> (Mask, Ownership, Vec<Door>) {
    let row = |y: usize| -> String {
        let digit = |x: usize| if x % 5 == 4 { '#' } else { char::from(b'1' + (y / 5 * 3 + x / 5) as u8) };
        (0..14).map(|x| if y % 5 == 4 { '#' } else { digit(x) }).collect()
    };
    let rows: Vec<_> = (0..14).map(row).collect();
    let (mask, ownership) = plan(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let mut doors: Vec<_> = (0..6).map(|i| make_door(Axis::Y, 5 + i / 3 * 5, 2 + i % 3 * 5, 2, [i, i + 3])).collect();
    doors.extend([0, 1].map(|i| make_door(Axis::X, 5 + i * 5, 1, 2, [i, i + 1])));
    (mask, ownership, doors)
}

#[test]
fn all_sets_of_pairs_and_all_positions_are_equally_likely() {
    let (mask, ownership, tree) = nine_rooms();
    let (mut sets, mut positions) = ([0_u32; 16], [0_u32; 3]);
    for stream in 0..6_000 {
        let mut doors = tree.clone();
        add_doors(&ownership, &mask, &mut doors, 2, 5_000, &mut rng(stream), Cancel::never()).unwrap();
        assert_eq!(doors[..tree.len()], tree);
        let mut set = 0;
        for door in &doors[tree.len()..] {
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
    let (mask, ownership, tree) = nine_rooms();
    for (fraction, more) in
        [(1, 0), (1_249, 0), (1_250, 1), (3_749, 1), (3_750, 2), (8_749, 3), (8_750, 4), (10_000, 4)]
    {
        let mut doors = tree.clone();
        add_doors(&ownership, &mask, &mut doors, 2, fraction, &mut rng(0), Cancel::never()).unwrap();
        assert_eq!(doors.len() - tree.len(), more, "{fraction}");
    }
}

/// How often each door is chosen if all pairs get one.
fn count(rows: &[&str], length: u32, streams: u64) -> Vec<(Door, u32)> {
    let (mask, ownership) = plan(rows);
    let mut counts: Vec<(Door, u32)> = Vec::new();
    for stream in 0..streams {
        let mut doors = Vec::new();
        add_doors(&ownership, &mask, &mut doors, length, 10_000, &mut rng(stream), Cancel::never()).unwrap();
        for door in doors {
            match counts.iter_mut().find(|(other, _)| *other == door) {
                Some((_, count)) => *count += 1,
                None => counts.push((door, 1)),
            }
        }
    }
    counts.sort_by_key(|(door, _)| (door.rooms, door.first.y, door.first.x));
    counts
}

#[test]
fn two_rooms_that_meet_around_a_corner_are_one_pair_with_equally_likely_doors() {
    let corner = ["11#2", "11#2", "###2", "2222"];
    let door = |axis, wall, start, length| make_door(axis, wall, start, length, [0, 1]);
    let counts = count(&corner, 1, 4_000);
    let doors = [door(Axis::X, 3, 1, 1), door(Axis::X, 3, 2, 1), door(Axis::Y, 3, 1, 1), door(Axis::Y, 3, 2, 1)];
    assert_eq!(counts.iter().map(|count| count.0).collect::<Vec<_>>(), doors);
    // each a thousand times, plus or minus four standard deviations of 27
    assert!(counts.iter().all(|(_, count)| count.abs_diff(1_000) < 110), "{counts:?}");
    let counts = count(&corner, 2, 100);
    let doors = [door(Axis::X, 3, 1, 2), door(Axis::Y, 3, 1, 2)];
    assert_eq!(counts.iter().map(|count| count.0).collect::<Vec<_>>(), doors);
    assert_eq!(count(&corner, 3, 10), []);
}

#[test]
fn the_second_room_may_lie_before_the_first_and_no_room_is_joined_to_itself() {
    let doors = count(&["###1", "22#1", "22#1", "2##1"], 1, 100);
    let door = |start| make_door(Axis::X, 3, start, 1, [0, 1]);
    assert_eq!(doors.iter().map(|count| count.0).collect::<Vec<_>>(), [2, 3].map(door));
    assert_eq!(count(&["11111", "1###1", "11111"], 1, 10), []);
}

#[test]
fn no_door_lies_outside_the_mask_or_between_other_rooms() {
    // the wall between the first two rooms has two tiles that are outside the mask
    let holed = ["1111111", "####  #", "2222222", "2####22", "2#333#2", "2222222"];
    let starts = |length| -> Vec<_> {
        count(&holed, length, 300).iter().map(|(door, _)| (door.rooms, door.first.x, door.first.y)).collect()
    };
    assert_eq!(starts(3), [([0, 1], 1, 2), ([0, 1], 2, 2), ([1, 2], 3, 4)]);
    assert_eq!(starts(4), [([0, 1], 1, 2)]);
    let between = ["111#22", "######", "333333"];
    assert_eq!(
        count(&between, 2, 100).iter().map(|(door, _)| (door.rooms, door.first.x)).collect::<Vec<_>>(),
        [([0, 2], 1), ([0, 2], 2), ([1, 2], 5)]
    );
}

#[test]
fn a_cancelled_search_for_doors_stops() {
    let (mask, ownership, mut doors) = nine_rooms();
    let result = add_doors(&ownership, &mask, &mut doors, 2, 5_000, &mut rng(0), Cancel::when(&|| true));
    assert_eq!((result, doors.len()), (Err(Cancelled), 8));
}
