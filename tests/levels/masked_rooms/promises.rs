//! The promises of room maps in masks.

use std::collections::BTreeSet;
use std::thread;

use mazed::level::work::Buffers;

use crate::masked_rooms::masks::{Mask, cave_of, is_on_border, masks, staircase};
use crate::masked_rooms::request::{MaskedRequest, check_for_all_seeds};
use crate::masked_rooms::{AREAS, DOORS, JITTERS, LOOPS, SEEDS, SIDE};

#[test]
fn a_mask_without_void_tiles_keeps_the_same_promises() {
    let mut buffers = Buffers::default();
    let whole = Mask::draw("whole", 3, |x, y| !is_on_border((SIDE, SIDE), x, y));
    for seed in 0..SEEDS {
        let (door, loops) = (DOORS[seed as usize % 3], LOOPS[seed as usize / 3 % 3]);
        MaskedRequest { rooms: Some(1 + seed / 3), area: 9, door, jitter: 2_000, loops, seed }
            .check(&whole, &mut buffers);
    }
}

/// The numbers of rooms to request in a mask: some small ones, the default, and percentages of the upper bound.
fn counts(bound: u64) -> [Option<u64>; 10] {
    let of_bound = |percent: u64| Some((bound * percent / 100).max(1));
    [
        Some(1),
        Some(2),
        Some(3),
        None,
        of_bound(10),
        of_bound(25),
        of_bound(40),
        of_bound(60),
        of_bound(100),
        of_bound(120),
    ]
}

/// Calls `run` for each mask, in parallel, and collects the results.
fn in_every_mask<T: Send>(run: impl Fn(usize, &Mask, &mut Buffers) -> Vec<T> + Sync) -> Vec<T> {
    let (masks, run) = (masks(), &run);
    thread::scope(|scope| {
        let start = |(number, mask)| scope.spawn(move || run(number, mask, &mut Buffers::default()));
        let runs: Vec<_> = masks.iter().enumerate().map(start).collect();
        runs.into_iter().flat_map(|run| run.join().expect("promises that hold")).collect()
    })
}

#[test]
fn every_promise_holds_in_every_mask() {
    in_every_mask(|number, mask, buffers| {
        // each number of rooms with two of the twelve pairs of area and door; each mask has different pairs
        for (which, pair) in (0..10).flat_map(|which| [0, 1].map(|more| (which, 5 * number + 2 * which + more))) {
            let (area, door) = (AREAS[pair % 4], DOORS[pair % 3]);
            let rooms = counts(mask.bound(area, door))[which];
            for (first, jitter) in (0..).zip(JITTERS) {
                let loops = |seed: u64| LOOPS[seed as usize / 3 % 3];
                let request = |seed| MaskedRequest { rooms, area, door, jitter, loops: loops(seed), seed };
                let requests: Vec<_> = (first..SEEDS).step_by(3).map(request).collect();
                check_for_all_seeds(&requests, mask, buffers);
            }
        }
        Vec::<()>::new()
    });
}

/// Some numbers of rooms up to `most`, among them `most` and the one before it.
fn some_up_to(most: u64) -> BTreeSet<u64> {
    let some = [1, 2, 3, most / 8, most / 4, most / 2, most * 3 / 4, most.saturating_sub(1), most];
    some.into_iter().filter(|count| (1..=most).contains(count)).collect()
}

/// Which numbers of rooms give an error or break a promise, and what is wrong with the first of them.
fn failures(request: &MaskedRequest, counts: BTreeSet<u64>, mask: &Mask, buffers: &mut Buffers) -> Option<String> {
    let mut failed = BTreeSet::new();
    let mut why = None;
    for (rooms, seed) in counts.into_iter().flat_map(|rooms| [1, 2, 3].map(|seed| (rooms, seed))) {
        let jitter = JITTERS[seed as usize % 3];
        if let Err(broken) =
            (MaskedRequest { rooms: Some(rooms), jitter, seed, ..request.clone() }).try_to_fulfil(mask, buffers)
        {
            failed.insert(rooms);
            why.get_or_insert_with(|| format!("{rooms} rooms, jitter {jitter}, seed {seed}: {broken}"));
        }
    }
    why.map(|why| format!("{failed:?} rooms, {why}"))
}

#[test]
fn every_count_up_to_two_fifths_of_the_bound_can_be_built() {
    let failures = in_every_mask(|_, mask, buffers| {
        let doors = DOORS.into_iter().filter(|door| *door <= mask.widest_door);
        let options = doors.flat_map(|door| AREAS.map(|area| (door, area)));
        let failures = options.filter_map(|(door, area)| {
            let bound = mask.bound(area.max(door), door);
            let request = MaskedRequest { rooms: None, area, door, jitter: 0, loops: 0, seed: 0 };
            let failures = failures(&request, some_up_to(bound * 2 / 5), mask, buffers)?;
            Some(format!("{}, area {area}, door {door}, bound {bound}: {failures}", mask.name))
        });
        failures.collect()
    });
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn large_caves_and_scattered_rocks_hold_rooms_too() {
    let mut buffers = Buffers::default();
    for (side, percent, rounds) in [(129, 45, 3), (257, 45, 2), (257, 47, 5), (129, 30, 0), (257, 20, 0)] {
        let mask = cave_of(side, percent, rounds);
        let request = MaskedRequest { rooms: None, area: 9, door: 1, jitter: 0, loops: 0, seed: 0 };
        let most = mask.bound(9, 1) * 2 / 5;
        let counts = [2, most / 4, request.rooms(&mask), most / 2, most];
        let failed = failures(&request, counts.into(), &mask, &mut buffers);
        assert_eq!(failed, None, "{percent} % of {side} x {side}, {rounds} rounds");
    }
}

/// A request for so few rooms that it must succeed; for one room if no door fits.
fn some_request(mask: &Mask, door: u64, seed: u64) -> MaskedRequest {
    let (area, jitter) = (AREAS[seed as usize % 4], JITTERS[seed as usize % 3]);
    let rooms = if mask.widest_door == 0 { 1 } else { (mask.bound(area.max(door), door) / 3).max(1) };
    MaskedRequest { rooms: Some(rooms), area, door, jitter, loops: 0, seed }
}

#[test]
fn loops_change_neither_the_rooms_nor_the_other_doors() {
    in_every_mask(|_, mask, buffers| {
        for request in (0..12).map(|seed| some_request(mask, 1, seed)) {
            let tree = request.build(mask, buffers).expect("few rooms");
            let tree = tree.plan().expect("rooms");
            for loops in [1, 2_500, 10_000] {
                let level =
                    MaskedRequest { loops, ..request.clone() }.build(mask, buffers).expect("built without loops");
                let plan = level.plan().expect("rooms");
                assert_eq!(plan.rooms, tree.rooms, "{request:?} in {mask:?}");
                assert!(tree.doors.iter().all(|door| plan.doors.contains(door)), "{request:?} in {mask:?}");
                buffers.recycle(level.into_layout());
            }
        }
        Vec::<()>::new()
    });
}

#[test]
fn the_same_recipe_gives_the_same_rooms_after_other_levels() {
    in_every_mask(|number, mask, buffers| {
        let door = DOORS[number % 3].min(mask.widest_door.max(1));
        let mut differ = false;
        for request in (0..12).map(|seed| MaskedRequest { loops: 5_000, ..some_request(mask, door, seed) }) {
            let first = request.build(mask, &mut Buffers::default()).expect("few rooms");
            let other = MaskedRequest { seed: request.seed + 100, ..request.clone() }
                .build(mask, buffers)
                .expect("for every seed");
            differ |= other.plan() != first.plan();
            buffers.recycle(other.into_layout());
            let again = request.build(mask, buffers).expect("built before");
            assert_eq!(again.into_layout(), first.into_layout(), "{request:?} in {mask:?}");
        }
        assert!(differ || mask.widest_door == 0, "no two seeds differ in {mask:?}");
        Vec::<()>::new()
    });
}

#[test]
fn in_a_staircase_one_tile_wide_no_door_fits() {
    let (mask, mut buffers) = (staircase(), Buffers::default());
    for (seed, rooms) in (0..20).flat_map(|seed| [2, 3, 30].map(|rooms| (seed, rooms))) {
        let request = MaskedRequest { rooms: Some(rooms), area: 1, door: 1, jitter: 2_000, loops: 0, seed };
        let errors = request.build(&mask, &mut buffers).expect_err("no door fits");
        assert_eq!(request.most_named(&errors, &mask), Some(1), "{errors:?}");
        MaskedRequest { rooms: Some(1), ..request }.check(&mask, &mut buffers);
    }
}

#[test]
fn a_mask_in_several_pieces_is_the_error_itself() {
    let mut buffers = Buffers::default();
    let nothing = Mask::draw("nothing", 0, |_, _| false);
    let walls_only = Mask::draw("nothing but a border", 0, |x, y| is_on_border((SIDE, SIDE), x, y));
    let corners = Mask::draw("squares corner to corner", 0, |x, y| (x < 20) == (y < 20));
    for mask in [nothing, walls_only, corners] {
        let request = |seed| MaskedRequest { rooms: Some(2), area: 1, door: 1, jitter: 2_000, loops: 0, seed };
        let errors = request(0).build(&mask, &mut buffers).expect_err("a mask in several pieces");
        assert!(errors.iter().any(|error| error.parameter == "mask"), "{errors:?} for {mask:?}");
        for seed in 1..10 {
            assert_eq!(request(seed).build(&mask, &mut buffers).err().as_ref(), Some(&errors), "{mask:?}");
        }
    }
}
