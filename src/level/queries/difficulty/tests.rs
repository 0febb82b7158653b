//! Tests of the difficulty, on levels drawn by hand.

use super::*;
use crate::level::fixtures::map;
use crate::level::recipe::{Limits, Recipe};
use crate::level::solvers::SOLVERS;
use crate::level::work::{Buffers, Cancel};

fn of(level: &Level) -> Rating {
    rate(level, &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() }).unwrap()
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
        // each squaring rounds down too, so the last bit may be one too small now and then
        assert!((-1e-6..1.01).contains(&error), "{number}: {error}");
    }
    assert!((0..32).all(|i| log2(1 << i) == i * BIT));
    assert!(log2(u64::from(u32::MAX)) < 32 * BIT);
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

/// Compares the bits of levels of 5 by 5 inner tiles with bits that were computed by hand.
#[test]
fn the_difficulty_is_what_the_formula_says() {
    let open = |rows: [&str; 5]| -> Vec<_> { rows.concat().bytes().map(|byte| byte != b'#').collect() };
    for (rows, exit, bits) in [
        // four steps, nothing else
        ([".....", "#####", "#####", "#####", "#####"], 4, 4.0 / 128.0),
        // a stub of two tiles and one of four
        ([".....", "#.#.#", "#.#.#", "###.#", "###.#"], 4, 1.0 + 3_f64.log2() + 4.0 / 128.0),
        // a branch at the exit does not count
        ([".....", "####.", "####.", "####.", "####."], 4, 4.0 / 128.0),
        // eight steps instead of four: two of them lead away from the exit, with two turns
        ([".###.", ".###.", ".....", "#####", "#####"], 1, 2.0 / 2.0 + 2.0 / 4.0 + 8.0 / 128.0),
        // three tiles with two mouths
        (["...##", ".#.##", ".....", "#####", "#####"], 7, (7_f64 / 4.0).log2() + 0.5 + 4.0 / 128.0),
    ] {
        let found = of(&map(7, &open(rows), 0, exit).unwrap());
        let expected = bits / (bits + 150.0) * 10_000.0;
        assert!((f64::from(found.difficulty.units() as u32) - expected).abs() < 0.51, "{rows:?} {found:?} {expected}");
    }
}
