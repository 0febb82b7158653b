//! Tests of the errors, the weight, the number of levels and the key of each source.

use super::*;
use crate::level::grid::Parents;
use crate::level::parameters::{Parameters, Value};
use crate::level::queries::pick::PickQuery;
use crate::level::recipe::Limits;
use crate::level::work::{Buffers, Cancel};

/// A recipe with a mask of `side` times `side` tiles that has a hole.
fn masked(side: usize) -> Recipe {
    let hole = format!("{0} {0}", "#".repeat(side / 2));
    let row = |y| if y == side / 2 { hole[..side].to_owned() } else { "#".repeat(side) };
    let mask = Value::Rows((0..side).map(|y| row(y).into()).collect());
    let pairs = [("algo", Value::Bare("bsp".into())), ("seed", Value::Bare("7".into())), ("mask", mask)];
    let mut params = Parameters::new(pairs.into_iter().map(|(name, value)| (name.into(), Ok(value))).collect());
    Recipe::read(&mut params, Limits::of_side(4001), || 0).unwrap()
}

fn recipe(pairs: &[(&str, &str)]) -> Recipe {
    Recipe::from_pairs(&[pairs, &[("seed", "7")]].concat(), Limits::of_side(4001)).unwrap()
}

/// A batch of the candidates that a pick makes from this recipe.
fn batch(recipe: Recipe) -> Batch {
    let mut params = Parameters::bare(&[("difficulty", "0.5")]);
    let query = PickQuery::read(&mut params, |_| Some(recipe)).unwrap();
    query.batches().nth(1).unwrap()
}

#[test]
fn the_error_of_a_job_that_is_too_large_names_what_takes_the_memory() {
    let many_rooms = recipe(&[("algo", "bsp"), ("size", "101"), ("rooms", "1000"), ("min_room_area", "1")]);
    let few_rooms = recipe(&[("algo", "bsp"), ("size", "101"), ("rooms", "9")]);
    // nearly the most rooms for which the size is to blame
    let some_rooms = recipe(&[("algo", "bsp"), ("size", "101"), ("rooms", "150")]);
    for (recipe, parameter) in [
        (many_rooms, "rooms"),
        (some_rooms, "size"),
        (few_rooms, "size"),
        (masked(65), "mask"),
        (recipe(&[("size", "101")]), "size"),
    ] {
        let error = recipe.too_large((3 << 20) + 1, (2 << 20) + 1);
        assert_eq!(error.parameter, parameter);
        assert!(error.message.contains("4 MiB") && error.message.contains("2 MiB"), "{}", error.message);
        assert_eq!(batch(recipe).too_large((3 << 20) + 1, (2 << 20) + 1), error);
    }
}

#[test]
fn a_level_weighs_its_tree_and_its_mask_whether_they_are_there_yet_or_not() {
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    for algo in ["kruskal", "dfs", "binary_tree"] {
        let level = Level::build(recipe(&[("algo", algo), ("size", "101")]), &mut context).unwrap();
        let before = Weigh::bytes(&level);
        level.tree(&mut context).unwrap();
        assert_eq!(Weigh::bytes(&level), before, "{algo}");
        let parents = level.parents().map_or(0, Parents::bytes);
        assert!(before >= size_of::<Level>() + level.grid().bytes() + parents, "{algo}");
    }
    let level = Level::build(masked(101), &mut context).unwrap();
    let mask = level.recipe().mask().unwrap().bytes();
    assert!(mask > 0 && Weigh::bytes(&level) >= size_of::<Level>() + level.grid().bytes() + mask);
}

#[test]
fn candidates_weigh_what_they_hold() {
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    let measured = batch(recipe(&[("size", "15")])).measure(&mut context).unwrap();
    assert_eq!(Weigh::bytes(&measured), measured.len() * size_of::<Candidate>());
    // the tile between two cells is a wall in some of the levels
    let start = recipe(&[("size", "15"), ("start", "1,2")]);
    let mut params = Parameters::bare(&[("difficulty", "0.5")]);
    let query = PickQuery::read(&mut params, |_| Some(start)).unwrap();
    let candidates: Vec<Candidate> = query.batches().flat_map(|batch| batch.measure(&mut context).unwrap()).collect();
    let errors = candidates.iter().filter(|candidate| candidate.is_err()).count();
    assert!(errors > 0 && errors < candidates.len());
    assert!(Weigh::bytes(&candidates) >= candidates.len() * size_of::<Candidate>() + errors * 100);
}

#[test]
fn a_source_counts_the_levels_that_it_makes() {
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    let level = Source::build(recipe(&[]), &mut context).unwrap();
    assert_eq!(<Recipe as Source>::levels(&level), Levels { made: 1, refused: 0 });
    let candidates = Source::build(batch(recipe(&[("size", "15")])), &mut context).unwrap();
    assert_eq!(<Batch as Source>::levels(&candidates), Levels { made: 8, refused: 0 });
    let start = recipe(&[("size", "15"), ("start", "1,2")]);
    let candidates = Source::build(batch(start), &mut context).unwrap();
    let Levels { made, refused } = <Batch as Source>::levels(&candidates);
    assert!(made + refused == 8 && refused > 0, "the start is a wall in some: {made} {refused}");
    assert_ne!(Source::key(&batch(recipe(&[("size", "15")]))), Source::key(&recipe(&[("size", "15")])));
}

#[test]
fn the_metrics_know_a_source_by_its_algorithm() {
    let wilson = recipe(&[("algo", "wilson"), ("size", "15")]);
    assert_eq!(Source::algorithm(&wilson), "wilson");
    assert_eq!(Source::algorithm(&batch(wilson)), "wilson");
}
