use std::cell::Cell;

use super::*;
use crate::level::algorithms::bsp::masked::fixtures::mask_of;
use crate::level::algorithms::disjoint_set::{SINGLE, find, union};
use crate::level::rng::{Seed, Streams};

fn rng(index: u64) -> Rng {
    Streams::new(&Seed::Integer(7), "test", 0).stream(0, index)
}

const fn demand(rooms: u32, area: u32, door: u32) -> MaskDemand {
    MaskDemand { rooms, area, door, jitter: 2_000 }
}

/// Twelve by ten tiles without a corner.
fn nicked() -> Mask {
    let mut rows = ["############"; 10];
    rows[..3].fill("#########   ");
    mask_of(&rows)
}

/// A comb: teeth of ten tiles on a back.
fn comb() -> Mask {
    let mut rows = ["# # # # # # # # # #"; 10];
    rows[9] = "###################";
    mask_of(&rows)
}

/// A corridor one tile wide in which no tile has neighbours on two opposite sides.
fn staircase() -> Mask {
    let row = |y: usize| format!("{}##{}", " ".repeat(y), " ".repeat(20 - y));
    mask_of(&(0..20).map(row).collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>())
}

/// The rooms and doors that a search found.
fn found(search: &mut RoomSearch, demand: &MaskDemand) -> (Vec<Vec<u32>>, Vec<Door>) {
    let (ownership, rooms, doors) = search.finish(demand);
    (rooms.iter().map(|room| ownership.tiles(*room).to_vec()).collect(), doors)
}

#[test]
fn rooms_are_found_in_a_rectangle_with_a_nick() {
    let mask = nicked();
    let mut search = RoomSearch::new(&mask);
    for (stream, door) in (0..60).zip([1, 2].into_iter().cycle()) {
        let demand = demand(7, 6, door);
        assert_eq!(search.run(&demand, &mut rng(stream), Cancel::never()), Ok(true));
        assert!((7..=search.visit_budget()).contains(&search.visited()), "{}", search.visited());
        assert!(search.most() >= 7);
        let (ownership, rooms, doors) = search.finish(&demand);
        assert_eq!((rooms.len(), doors.len()), (7, 6));
        assert!(rooms.iter().all(|room| room.rooms == 1 && room.area() >= 6), "{rooms:?}");
        assert!(rooms.iter().all(|room| ownership.tiles(*room).iter().all(|tile| ownership.owns(*room, *tile))));
        let mut links = [SINGLE; 7];
        for door in doors {
            for tile in door.tiles() {
                assert_eq!(ownership.owner(ownership.at([tile.x, tile.y])), None);
            }
            let sets = door.rooms.map(|room| find(&mut links, room));
            assert_ne!(sets[0].0, sets[1].0, "doors join all rooms, without a loop");
            union(&mut links, sets[0], sets[1]);
        }
    }
}

#[test]
fn all_positions_of_a_door_are_equally_likely() {
    let mask = mask_of(&["#####"; 4]);
    let mut search = RoomSearch::new(&mask);
    let mut counts = [0_u32; 4];
    for stream in 0..2_000 {
        let demand = MaskDemand { jitter: 0, ..demand(2, 4, 1) };
        assert_eq!(search.run(&demand, &mut rng(stream), Cancel::never()), Ok(true));
        let (_, doors) = found(&mut search, &demand);
        assert_eq!(doors[0].first.x, 3, "the middle");
        counts[doors[0].first.y as usize - 1] += 1;
    }
    // each 500 times, plus or minus four standard deviations of 19
    assert!(counts.iter().all(|count| count.abs_diff(500) < 78), "{counts:?}");
}

#[test]
fn a_line_that_leaves_one_tooth_of_a_comb_is_postponed() {
    // long teeth, so that lines across them are tried first
    let mut rows = ["# # # # #"; 30];
    rows[29] = "#########";
    let mask = mask_of(&rows);
    let mut search = RoomSearch::new(&mask);
    for stream in 0..100 {
        let demand = demand(2, 5, 1);
        assert_eq!(search.run(&demand, &mut rng(stream), Cancel::never()), Ok(true));
        let (_, rooms, _) = search.finish(&demand);
        let least = rooms.iter().map(|room| room.area()).min();
        assert!(least > Some(48), "at least two teeth: {rooms:?}");
    }
}

#[test]
fn postponed_lines_are_tried_in_the_end() {
    // a staircase with room for a door at its upper end only
    let row = |y: usize| format!("{}##{}", " ".repeat(y + 3), " ".repeat(20 - y));
    let mut rows: Vec<_> = (0..20).map(row).collect();
    rows[0].replace_range(..3, "###");
    let mask = mask_of(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let mut search = RoomSearch::new(&mask);
    for stream in 0..20 {
        assert_eq!(search.run(&demand(2, 1, 1), &mut rng(stream), Cancel::never()), Ok(true));
    }
}

/// Demands that no search can fulfil.
fn impossible() -> [(Mask, MaskDemand); 4] {
    [
        (staircase(), demand(2, 1, 1)),
        (nicked(), demand(2, 1, 13)),
        (nicked(), demand(37, 2, 1)),
        (comb(), demand(22, 4, 1)),
    ]
}

#[test]
fn the_visit_budget_ends_a_search() {
    let mut overrun = 0;
    for (mask, demand) in impossible() {
        let mut search = RoomSearch::new(&mask);
        let tiles = mask.positions().count();
        assert_eq!(search.visit_budget(), 100 * tiles);
        for stream in 0..20 {
            assert_eq!(search.run(&demand, &mut rng(stream), Cancel::never()), Ok(false), "{demand:?}");
            // when the budget is used up, a search still finishes one step: a line, its cut, and the lines of one side
            let most = search.visit_budget() + 3 * tiles;
            assert!(search.visited() <= most, "{} of {most}", search.visited());
            assert!(search.most() <= demand.rooms);
            overrun += u32::from(search.visited() > search.visit_budget());
        }
    }
    assert!(overrun > 0, "the budget was never used up");
}

#[test]
fn a_search_does_not_depend_on_earlier_ones() {
    let mut stopped = 0;
    for (mask, impossible) in impossible() {
        let demand = if impossible.rooms == 2 { demand(1, 1, 1) } else { demand(6, 4, 1) };
        let mut search = RoomSearch::new(&mask);
        for stream in 0..20 {
            let mut fresh = RoomSearch::new(&mask);
            let found_rooms = fresh.run(&demand, &mut rng(stream), Cancel::never());
            assert_eq!(found_rooms, Ok(true));
            search.run(&impossible, &mut rng(stream), Cancel::never()).unwrap();
            // a search that succeeds but whose rooms are not taken, and one that is cancelled
            search.run(&demand, &mut rng(stream + 1), Cancel::never()).unwrap();
            stopped += u32::from(search.run(&impossible, &mut rng(stream), Cancel::when(&|| true)).is_err());
            assert_eq!(search.run(&demand, &mut rng(stream), Cancel::never()), found_rooms);
            assert_eq!((search.visited(), search.most()), (fresh.visited(), fresh.most()));
            assert_eq!(found(&mut search, &demand), found(&mut fresh, &demand));
        }
    }
    assert!(stopped > 0, "no search took long enough to be cancelled");
}

#[test]
fn a_search_keeps_checking_for_cancellation() {
    let mut rows = vec!["#".repeat(40); 40];
    rows[0].replace_range(20.., &" ".repeat(20));
    let (mask, demand) = (mask_of(&rows.iter().map(String::as_str).collect::<Vec<_>>()), demand(520, 2, 1));
    let mut search = RoomSearch::new(&mask);
    let checks = Cell::new(0);
    let count = || {
        checks.set(checks.get() + 1);
        false
    };
    assert_eq!(search.run(&demand, &mut rng(0), Cancel::when(&count)), Ok(false));
    // a check every 4,096 tiles, and at most one step more
    assert!((search.visited() / 8_192..=search.visited() / 4_096).contains(&checks.get()), "{}", checks.get());
    let checks = Cell::new(0);
    let third = || {
        checks.set(checks.get() + 1);
        checks.get() == 3
    };
    assert_eq!(search.run(&demand, &mut rng(0), Cancel::when(&third)), Err(Cancelled));
    assert_eq!(checks.get(), 3);
    assert!(search.visited() < 4 * 8_192);
    assert_eq!(
        search.run(&MaskDemand { rooms: 2, ..demand }, &mut rng(0), Cancel::when(&|| true)),
        Ok(true),
        "too short for a check"
    );
}
