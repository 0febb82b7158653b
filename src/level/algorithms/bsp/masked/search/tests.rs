use std::cell::Cell;

use super::*;
use crate::level::algorithms::bsp::masked::fixtures::draw;
use crate::level::algorithms::disjoint_set::{SINGLE, find, union};
use crate::level::rng::{Seed, Streams};

fn rng(index: u64) -> Rng {
    Streams::new(&Seed::Integer(7), "test", 0).stream(0, index)
}

const fn demand(rooms: u32, area: u32, door: u32) -> Demand {
    Demand { rooms, area, door, jitter: 2_000 }
}

/// Twelve by ten tiles without a corner.
fn nicked() -> Mask {
    let mut rows = ["############"; 10];
    rows[..3].fill("#########   ");
    draw(&rows)
}

/// Teeth of ten tiles on a back.
fn comb() -> Mask {
    let mut rows = ["# # # # # # # # # #"; 10];
    rows[9] = "###################";
    draw(&rows)
}

/// A way one tile wide without two tiles on both sides of a third one.
fn staircase() -> Mask {
    let row = |y: usize| format!("{}##{}", " ".repeat(y), " ".repeat(20 - y));
    draw(&(0..20).map(row).collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>())
}

/// The rooms and doors that a search found.
fn found(search: &mut Search, demand: &Demand) -> (Vec<Vec<u32>>, Vec<Door>) {
    let (plot, rooms, doors) = search.finish(demand);
    (rooms.iter().map(|room| plot.tiles(*room).to_vec()).collect(), doors)
}

#[test]
fn rooms_are_found_in_a_rectangle_with_a_nick() {
    let mask = nicked();
    let mut search = Search::new(&mask);
    for (stream, door) in (0..60).zip([1, 2].into_iter().cycle()) {
        let demand = demand(7, 6, door);
        assert_eq!(search.run(&demand, &mut rng(stream), Cancel::never()), Ok(true));
        assert!((7..=search.patience()).contains(&search.visited()), "{}", search.visited());
        assert!(search.most() >= 7);
        let (plot, rooms, doors) = search.finish(&demand);
        assert_eq!((rooms.len(), doors.len()), (7, 6));
        assert!(rooms.iter().all(|room| room.rooms == 1 && room.area() >= 6), "{rooms:?}");
        assert!(rooms.iter().all(|room| plot.tiles(*room).iter().all(|tile| plot.owns(*room, *tile))));
        let mut links = [SINGLE; 7];
        for door in doors {
            for tile in door.tiles() {
                assert_eq!(plot.owner(plot.at([tile.x, tile.y])), None);
            }
            let sets = door.rooms.map(|room| find(&mut links, room));
            assert_ne!(sets[0].0, sets[1].0, "doors join all rooms, without a loop");
            union(&mut links, sets[0], sets[1]);
        }
    }
}

#[test]
fn every_place_for_a_door_is_as_likely_as_any_other() {
    let mask = draw(&["#####"; 4]);
    let mut search = Search::new(&mask);
    let mut counts = [0_u32; 4];
    for stream in 0..2_000 {
        let demand = Demand { jitter: 0, ..demand(2, 4, 1) };
        assert_eq!(search.run(&demand, &mut rng(stream), Cancel::never()), Ok(true));
        let (_, doors) = found(&mut search, &demand);
        assert_eq!(doors[0].first.x, 3, "the middle");
        counts[doors[0].first.y as usize - 1] += 1;
    }
    // each 500 times, give or take four standard deviations of 19
    assert!(counts.iter().all(|count| count.abs_diff(500) < 78), "{counts:?}");
}

#[test]
fn a_line_that_leaves_one_tooth_of_a_comb_is_put_off() {
    // so long that lines across the teeth are tried first
    let mut rows = ["# # # # #"; 30];
    rows[29] = "#########";
    let mask = draw(&rows);
    let mut search = Search::new(&mask);
    for stream in 0..100 {
        let demand = demand(2, 5, 1);
        assert_eq!(search.run(&demand, &mut rng(stream), Cancel::never()), Ok(true));
        let (_, rooms, _) = search.finish(&demand);
        let least = rooms.iter().map(|room| room.area()).min();
        assert!(least > Some(48), "two teeth at least: {rooms:?}");
    }
}

#[test]
fn what_was_put_off_is_tried_in_the_end() {
    // a staircase with room for a door at its upper end only
    let row = |y: usize| format!("{}##{}", " ".repeat(y + 3), " ".repeat(20 - y));
    let mut rows: Vec<_> = (0..20).map(row).collect();
    rows[0].replace_range(..3, "###");
    let mask = draw(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let mut search = Search::new(&mask);
    for stream in 0..20 {
        assert_eq!(search.run(&demand(2, 1, 1), &mut rng(stream), Cancel::never()), Ok(true));
    }
}

/// Demands of which none is met.
fn unmet() -> [(Mask, Demand); 4] {
    [
        (staircase(), demand(2, 1, 1)),
        (nicked(), demand(2, 1, 13)),
        (nicked(), demand(37, 2, 1)),
        (comb(), demand(22, 4, 1)),
    ]
}

#[test]
fn patience_ends_a_search() {
    let mut overrun = 0;
    for (mask, demand) in unmet() {
        let mut search = Search::new(&mask);
        let tiles = mask.positions().count();
        assert_eq!(search.patience(), 100 * tiles);
        for stream in 0..20 {
            assert_eq!(search.run(&demand, &mut rng(stream), Cancel::never()), Ok(false), "{demand:?}");
            // the last line, its cut and the lines of one side
            let most = search.patience() + 3 * tiles;
            assert!(search.visited() <= most, "{} of {most}", search.visited());
            assert!(search.most() <= demand.rooms);
            overrun += u32::from(search.visited() > search.patience());
        }
    }
    assert!(overrun > 0, "patience never ended");
}

#[test]
fn a_search_leaves_nothing_behind() {
    let mut stopped = 0;
    for (mask, unmet) in unmet() {
        let demand = if unmet.rooms == 2 { demand(1, 1, 1) } else { demand(6, 4, 1) };
        let mut search = Search::new(&mask);
        for stream in 0..20 {
            let mut fresh = Search::new(&mask);
            let met = fresh.run(&demand, &mut rng(stream), Cancel::never());
            assert_eq!(met, Ok(true));
            search.run(&unmet, &mut rng(stream), Cancel::never()).unwrap();
            // one that is met, but not told, and one that is stopped
            search.run(&demand, &mut rng(stream + 1), Cancel::never()).unwrap();
            stopped += u32::from(search.run(&unmet, &mut rng(stream), Cancel::when(&|| true)).is_err());
            assert_eq!(search.run(&demand, &mut rng(stream), Cancel::never()), met);
            assert_eq!((search.visited(), search.most()), (fresh.visited(), fresh.most()));
            assert_eq!(found(&mut search, &demand), found(&mut fresh, &demand));
        }
    }
    assert!(stopped > 0, "none took long enough to be stopped");
}

#[test]
fn a_search_asks_again_and_again_whether_to_go_on() {
    let mut rows = vec!["#".repeat(40); 40];
    rows[0].replace_range(20.., &" ".repeat(20));
    let (mask, demand) = (draw(&rows.iter().map(String::as_str).collect::<Vec<_>>()), demand(520, 2, 1));
    let mut search = Search::new(&mask);
    let asked = Cell::new(0);
    let count = || {
        asked.set(asked.get() + 1);
        false
    };
    assert_eq!(search.run(&demand, &mut rng(0), Cancel::when(&count)), Ok(false));
    // each time after 4,096 tiles, and what was visited since it could ask last
    assert!((search.visited() / 8_192..=search.visited() / 4_096).contains(&asked.get()), "{}", asked.get());
    let asked = Cell::new(0);
    let third = || {
        asked.set(asked.get() + 1);
        asked.get() == 3
    };
    assert_eq!(search.run(&demand, &mut rng(0), Cancel::when(&third)), Err(Cancelled));
    assert_eq!(asked.get(), 3);
    assert!(search.visited() < 4 * 8_192);
    assert_eq!(search.run(&Demand { rooms: 2, ..demand }, &mut rng(0), Cancel::when(&|| true)), Ok(true), "too short");
}
