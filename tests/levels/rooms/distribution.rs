//! How cuts and doors are distributed.

use mazed::level::grid::{Plan, Tile};

use crate::rooms::RoomRequest;

/// Pearson's statistic for the counts of equally likely outcomes.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / f64::from(counts.len() as u32);
    counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

#[test]
fn the_cuts_of_two_rooms_are_uniform_in_the_jitter_range() {
    // The wall leaves 38 tiles, 19 on each side. Jitter moves the wall by up to 3.8, 9.5 or 17.1 tiles, on either axis,
    // and both rooms still have their area. A uniform distribution exceeds the limit once in a thousand times, at 13,
    // 37 and 69 degrees of freedom
    for (area, jitter, stray, limit) in
        [(9, 2_000, 3, 34.53), (361, 2_000, 3, 34.53), (9, 5_000, 9, 69.35), (9, 9_000, 17, 111.06)]
    {
        let positions = 2 * stray + 1;
        let mut counts = vec![0; 2 * positions as usize];
        for seed in 0..500 {
            let level = RoomRequest { size: (41, 41), rooms: 2, area, door: 1, jitter, seed, loops: 0, side: Some(1) }
                .build()
                .unwrap();
            let first = level.plan().unwrap().rooms[0];
            let (axis, length) = if first.height == 39 { (0, first.width) } else { (1, first.height) };
            counts[(axis * positions + length - (19 - stray)) as usize] += 1;
        }
        assert!(chi_square(&counts) < limit, "{area} {jitter}: {counts:?}");
        // with 500 seeds only the widest range is likely to miss a position
        assert!(stray == 17 || counts.iter().all(|&count| count > 0), "{area} {jitter}: {counts:?}");
    }
}

#[test]
fn a_cut_stays_within_the_jitter_where_both_sides_are_buildable_there() {
    // one of three rooms gets 12.67 of 38 tiles, plus or minus 2.53; its area takes ten, that of the two others takes
    // 19
    for seed in 0..500 {
        let level =
            RoomRequest { size: (41, 41), rooms: 3, area: 361, door: 1, jitter: 2_000, seed, loops: 0, side: Some(1) }
                .build()
                .unwrap();
        let rooms = &level.plan().unwrap().rooms;
        let whole = rooms.iter().find(|room| room.width.max(room.height) == 39).unwrap();
        assert!((11..=15).contains(&whole.width.min(whole.height)), "{seed}: {rooms:?}");
    }
}

#[test]
fn without_a_least_side_no_room_is_a_corridor_if_a_cut_can_avoid_it() {
    for seed in 0..500 {
        let level =
            RoomRequest { size: (41, 41), rooms: 21, area: 9, door: 1, jitter: 9_000, seed, loops: 0, side: Some(1) }
                .build()
                .unwrap();
        let rooms = &level.plan().unwrap().rooms;
        assert!(rooms.iter().all(|room| room.width.min(room.height) > 1), "{seed}: {rooms:?}");
    }
}

#[test]
fn the_door_of_two_rooms_is_uniform_in_its_wall() {
    let mut counts = [0; 37];
    for seed in 0..500 {
        let request =
            RoomRequest { size: (41, 41), rooms: 2, area: 9, door: 3, jitter: 2_000, seed, loops: 0, side: None };
        let level = request.build().unwrap();
        let Tile { x, y } = level.plan().unwrap().doors[0].first;
        let position = if level.plan().unwrap().rooms[0].height == 39 { y } else { x };
        counts[position as usize - 1] += 1;
    }
    // a uniform distribution exceeds 67.99 once in a thousand times, at 36 degrees of freedom
    assert!(chi_square(&counts) < 67.99, "{counts:?}");
    // 500 uniform draws miss one of the positions once in a million times
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn a_door_is_uniform_in_its_wall_but_for_the_end_of_a_crossing_wall() {
    let mut counts = [0; 38];
    for seed in 0..1_000 {
        let request =
            RoomRequest { size: (41, 41), rooms: 3, area: 9, door: 1, jitter: 2_000, seed, loops: 0, side: None };
        let level = request.build().unwrap();
        let Plan { rooms, doors } = level.plan().unwrap();
        // one room is as long as the level; the wall between the two others ends at that room's wall
        let whole = rooms.iter().position(|room| room.width.max(room.height) == 39).unwrap();
        let is_upright = rooms[whole].height == 39;
        let others = (0..3).filter(|&i| i != whole).map(|i| rooms[i]);
        let wall_end =
            others.map(|room| if is_upright { room.y + room.height } else { room.x + room.width }).min().unwrap();
        let door = doors.iter().find(|door| door.rooms.contains(&(whole as u32))).unwrap();
        let position = if is_upright { door.first.y } else { door.first.x };
        assert_ne!(position, wall_end);
        counts[(position - 1 - u32::from(position > wall_end)) as usize] += 1;
    }
    // a uniform distribution exceeds 69.35 once in a thousand times, at 37 degrees of freedom
    assert!(chi_square(&counts) < 69.35, "{counts:?}");
}

#[test]
fn the_smaller_part_lies_on_each_of_the_four_sides_equally_often() {
    // the first cut gives one room to one part and two rooms to the other; the part with one room is the smaller one
    let mut counts = [0; 4];
    for seed in 0..1_000 {
        let request =
            RoomRequest { size: (41, 41), rooms: 3, area: 9, door: 1, jitter: 2_000, seed, loops: 0, side: None };
        let level = request.build().unwrap();
        let rooms = &level.plan().unwrap().rooms;
        let whole = rooms.iter().find(|room| room.width.max(room.height) == 39).unwrap();
        let side = 2 * usize::from(whole.height == 39) + usize::from(whole.x + whole.y > 2);
        counts[side] += 1;
    }
    // a uniform distribution exceeds 16.27 once in a thousand times, at 3 degrees of freedom
    assert!(chi_square(&counts) < 16.27, "{counts:?}");
}
