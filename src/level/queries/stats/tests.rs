//! Tests of the numbers of a level, on levels drawn by hand.

use super::*;
use crate::level::fixtures::map;
use crate::level::recipe::{Limits, Recipe};
use crate::level::solvers::SOLVERS;
use crate::level::work::{Buffers, Cancel};

fn of(level: &Level) -> Stats {
    stats(level, &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() }).unwrap()
}

fn build(pairs: &[(&str, &str)]) -> Level {
    let recipe = Recipe::from_pairs(pairs, Limits::of_side(4001)).unwrap();
    Level::build(recipe, &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() }).unwrap()
}

#[test]
fn logarithms_are_rounded_down() {
    for number in (1..70_000).chain((1..32).flat_map(|i| [(1 << i) - 1, 1 << i, (1 << i) + 1])) {
        let exact = f64::from(number as u32).log2() * f64::from(BIT as u32);
        let error = exact - f64::from(log2(number) as u32);
        // squaring rounds down too, which may cost a place now and then
        assert!((-1e-6..1.01).contains(&error), "{number}: {error}");
    }
    assert!((0..32).all(|i| log2(1 << i) == i * BIT));
    assert!(log2(u64::from(u32::MAX)) < 32 * BIT);
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
fn fractions_are_rounded_to_the_nearest_and_written_plainly() {
    for (part, whole, text) in [
        (0, 7, "0"),
        (7, 7, "1"),
        (1, 3, "0.3333"),
        (2, 3, "0.6667"),
        (1, 20_000, "0.0001"),
        (1, 20_001, "0"),
        (1, 10, "0.1"),
        (u64::MAX - 1, u64::MAX, "1"),
    ] {
        assert_eq!(serde_json::to_string(&Fraction::of(part, whole)).unwrap(), text);
    }
    for units in 0..=FRACTION_UNIT {
        let text = serde_json::to_string(&Fraction(units)).unwrap();
        assert!((text.parse::<f64>().unwrap() * 10_000.0 - f64::from(units as u32)).abs() < 1e-9);
        assert!(text.len() <= 6, "{text}");
    }
}

#[test]
fn the_solution_is_that_of_bfs() {
    let row = SOLVERS.iter().find(|row| row.name == "bfs").unwrap();
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
    for algorithm in ["kruskal", "dfs", "bsp"] {
        let level = build(&[("algo", algorithm), ("seed", "7")]);
        assert_eq!(
            solvers::shortest(&level, &mut context),
            (row.solve)(&level, level.start(), level.exit(), &mut context)
        );
    }
}

#[test]
fn a_lone_tile_has_no_kind() {
    let told = of(&map(3, &[true], 0, 0).unwrap());
    assert_eq!((told.open_tiles, told.dead_ends, told.corridors), (1, 0, 0));
    assert_eq!(told.junctions, Junctions { three: 0, four: 0 });
    assert_eq!(told.solution, SolutionStats { length: 0, turns: 0, share: Fraction(FRACTION_UNIT) });
    assert_eq!(told.longest, LongestPath { length: 0, endpoints: [Tile { x: 1, y: 1 }; 2] });
    assert_eq!(told.difficulty, Fraction(0));
}

#[test]
fn a_level_in_parts_is_told_about_without_a_solution() {
    let told = of(&map(5, &[true, false, true, true, false, true, true, false, true], 0, 1).unwrap());
    assert_eq!((told.open_tiles, told.dead_ends, told.corridors), (6, 4, 2));
    assert_eq!((told.solution.length, told.difficulty), (0, Fraction(0)));
}

/// The bits of a level of 5 by 5 inner tiles, by hand.
#[test]
fn the_difficulty_is_what_the_formula_says() {
    let open = |rows: [&str; 5]| -> Vec<_> { rows.concat().bytes().map(|byte| byte != b'#').collect() };
    for (rows, exit, bits) in [
        // four steps, nothing else
        ([".....", "#####", "#####", "#####", "#####"], 4, 4.0 / 128.0),
        // a stub of two tiles and one of four
        ([".....", "#.#.#", "#.#.#", "###.#", "###.#"], 4, 1.0 + 3_f64.log2() + 4.0 / 128.0),
        // what branches off at the exit is not met before
        ([".....", "####.", "####.", "####.", "####."], 4, 4.0 / 128.0),
        // away from the exit and back: eight steps for four, two of them away, two turns
        ([".###.", ".###.", ".....", "#####", "#####"], 1, 2.0 / 2.0 + 2.0 / 4.0 + 8.0 / 128.0),
        // three tiles with two mouths
        (["...##", ".#.##", ".....", "#####", "#####"], 7, (7_f64 / 4.0).log2() + 0.5 + 4.0 / 128.0),
    ] {
        let told = of(&map(7, &open(rows), 0, exit).unwrap());
        let expected = bits / (bits + 150.0) * 10_000.0;
        assert!((f64::from(told.difficulty.units() as u32) - expected).abs() < 0.51, "{rows:?} {told:?} {expected}");
    }
}

#[test]
fn a_job_that_is_told_to_stop_tells_nothing() {
    let level = build(&[("algo", "dfs"), ("size", "301"), ("seed", "1")]);
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::when(&|| true) };
    assert_eq!(stats(&level, &mut context), Err(Cancelled));
}

#[test]
fn what_is_told_is_written_by_these_names() {
    let told = of(&build(&[("algo", "dfs"), ("size", "5"), ("seed", "1")]));
    let value = serde_json::to_value(&told).unwrap();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&value), "open_tiles dead_ends corridors junctions solution longest difficulty");
    assert_eq!(keys(&value["junctions"]), "three four");
    assert_eq!(keys(&value["solution"]), "length turns share");
    assert_eq!(keys(&value["longest"]), "length ends");
    assert_eq!(value["longest"]["ends"][0].as_array().unwrap().len(), 2);
}
