//! Tests of levels.

use super::*;
use crate::level::algorithms::ALGORITHMS;
use crate::level::parameters::{Parameters, Value};
use crate::level::recipe::{Limits, MASK};
use crate::level::work::{Buffers, Cancel};

fn recipe(pairs: &[(&str, &str)]) -> Recipe {
    Recipe::from_pairs(pairs, Limits::of_side(401)).unwrap()
}

fn build(recipe: Recipe, buffers: &mut Buffers) -> Result<Level, Error> {
    Level::build(recipe, &mut JobContext { buffers, cancel: Cancel::never() })
}

#[test]
fn a_level_is_made_in_the_memory_of_the_one_before() {
    for row in ALGORITHMS {
        let mut buffers = Buffers::default();
        let pairs = [("algo", row.name), ("size", "201"), ("seed", "7")];
        let first = build(recipe(&pairs), &mut buffers).unwrap();
        let grid = first.grid().bytes();
        let before = buffers.bitmaps.bytes();
        buffers.recycle(first.into_layout());
        let spare = buffers.bitmaps.bytes();
        assert!(spare >= before + grid, "{}: {spare} bytes in the pool", row.name);
        let second = build(recipe(&pairs), &mut buffers).unwrap();
        assert_eq!(second.grid().bytes(), grid, "{}", row.name);
        let left = buffers.bitmaps.bytes();
        assert!(left + grid <= spare, "{}: {left} bytes are left of {spare}", row.name);
    }
}

#[test]
fn the_memory_of_a_level_that_fails_is_used_again() {
    let mut buffers = Buffers::default();
    // [2,1] is closed in some of the mazes
    let failed = (0..64).find(|seed| {
        let pairs = [("size", "201"), ("seed", &*seed.to_string()), ("exit", "2,1")];
        build(recipe(&pairs), &mut buffers).is_err_and(|error| matches!(error, Error::Misplaced(_)))
    });
    assert!(failed.is_some());
    assert!(buffers.bitmaps.bytes() >= 2 * 100 * 2 * 8, "both bitmaps of its passages");
}

/// The bytes on the heap that a level holds now, and those of its own.
fn held(level: &Level) -> usize {
    let stored_since = level.tree.get().map_or(0, Parents::bytes);
    let mask = level.recipe().mask().map_or(0, |mask| mask.bytes());
    size_of::<Level>() + level.layout.bytes() + stored_since + mask
}

#[test]
fn the_bytes_of_a_level_count_its_tree_before_it_is_made() {
    let mut buffers = Buffers::default();
    for (row, braid) in ALGORITHMS.iter().flat_map(|row| [(row, "0"), (row, "0.5")]) {
        let pairs = [("algo", row.name), ("size", "101"), ("seed", "7"), ("braid", braid)];
        let pairs = if row.kind == crate::level::grid::LevelKind::Rooms { &pairs[..3] } else { &pairs[..] };
        let level = build(recipe(pairs), &mut buffers).unwrap();
        let before = level.bytes();
        let has_tree =
            level.tree(&mut JobContext { buffers: &mut buffers, cancel: Cancel::never() }).unwrap().is_some();
        assert_eq!(before, held(&level), "{} {braid}", row.name);
        assert_eq!(level.bytes(), before, "{} {braid}", row.name);
        assert_eq!(has_tree, row.kind == crate::level::grid::LevelKind::Maze && braid == "0", "{} {braid}", row.name);
    }
}

#[test]
fn the_bytes_of_a_level_count_its_mask() {
    let mut rows = vec!["#".repeat(101); 101];
    rows[1].replace_range(1..2, " ");
    let text = |text: &'static str| Ok(Value::Bare(text.into()));
    let rows = Ok(Value::Rows(rows.into_iter().map(Into::into).collect()));
    let mut params =
        Parameters::new(vec![("algo".into(), text("dfs")), (MASK.into(), rows), ("seed".into(), text("7"))]);
    let recipe = Recipe::read(&mut params, Limits::of_side(401), || 0).unwrap();
    let level = build(recipe, &mut Buffers::default()).unwrap();
    assert_eq!(level.bytes(), held(&level));
    assert!(level.recipe().mask().unwrap().bytes() > 101 * 16);
}
