//! Tests of the numbers of a level, on levels drawn by hand.

use super::*;
use crate::level::fixtures::map;
use crate::level::parameters::options::FRACTION_UNIT;
use crate::level::recipe::{Limits, Recipe};
use crate::level::work::{Buffers, Cancel};

fn of(level: &Level) -> Stats {
    stats(level, &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() }).unwrap()
}

fn build(pairs: &[(&str, &str)]) -> Level {
    let recipe = Recipe::from_pairs(pairs, Limits::of_side(4001)).unwrap();
    Level::build(recipe, &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() }).unwrap()
}

#[test]
fn sums_of_four_bits_are_right() {
    let words = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
    let digits = sum(words);
    for bit in 0..16 {
        let expected: u64 = words.iter().map(|word| word >> bit & 1).sum();
        let found: u64 = (0..3).map(|i| (digits[i] >> bit & 1) << i).sum();
        assert_eq!(found, expected);
    }
}

#[test]
fn a_lone_tile_has_no_kind() {
    let found = of(&map(3, &[true], 0, 0).unwrap());
    assert_eq!((found.open_tiles, found.dead_ends, found.corridors), (1, 0, 0));
    assert_eq!(found.junctions, Junctions { three: 0, four: 0 });
    assert_eq!(found.solution, SolutionStats { length: 0, turns: 0, share: Fraction(FRACTION_UNIT) });
    assert_eq!(found.longest, LongestPath { length: 0, endpoints: [Tile { x: 1, y: 1 }; 2] });
    assert_eq!((found.effort, found.difficulty), (0, Fraction(0)));
}

#[test]
fn a_level_in_pieces_is_measured_without_a_solution() {
    let found = of(&map(5, &[true, false, true, true, false, true, true, false, true], 0, 1).unwrap());
    assert_eq!((found.open_tiles, found.dead_ends, found.corridors), (6, 4, 2));
    assert_eq!((found.solution.length, found.effort, found.difficulty), (0, 0, Fraction(0)));
}

#[test]
fn a_cancelled_job_measures_nothing() {
    let level = build(&[("algo", "dfs"), ("size", "301"), ("seed", "1")]);
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::when(&|| true) };
    assert_eq!(stats(&level, &mut context), Err(Cancelled));
}

#[test]
fn the_numbers_are_written_by_these_names() {
    let found = of(&build(&[("algo", "dfs"), ("size", "5"), ("seed", "1")]));
    let value = serde_json::to_value(&found).unwrap();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&value), "open_tiles dead_ends corridors junctions solution longest effort difficulty");
    assert_eq!(keys(&value["junctions"]), "three four");
    assert_eq!(keys(&value["solution"]), "length turns share");
    assert_eq!(keys(&value["longest"]), "length ends");
    assert_eq!(value["longest"]["ends"][0].as_array().unwrap().len(), 2);
}
