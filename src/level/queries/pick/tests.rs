//! Tests of the batches of a series.

use super::*;
use crate::level::recipe::Limits;
use crate::level::work::{BitmapPool, Buffers, Cancel};

fn query(pairs: &[(&str, &str)]) -> PickQuery {
    let mut params = Parameters::bare(pairs);
    let query = PickQuery::read(&mut params, |params| Recipe::read(params, Limits::of_side(4001), || 7));
    params.finish(query, Vec::new).unwrap()
}

fn batches(pairs: &[(&str, &str)]) -> Vec<(u32, u32)> {
    query(pairs).batches().map(|batch| (batch.first(), batch.levels())).collect()
}

#[test]
fn batches_double_up_to_a_limit_and_end_with_the_tries() {
    let small = [("size", "15"), ("seed", "a"), ("difficulty", "0.5")];
    assert_eq!(batches(&small), [(0, 1), (1, 2), (3, 4), (7, 8), (15, 16), (31, 1)]);
    let more = [&small[..], &[("tries", "50")]].concat();
    assert_eq!(batches(&more), [(0, 1), (1, 2), (3, 4), (7, 8), (15, 16), (31, 16), (47, 3)]);
    // 101 * 101 tiles: three levels have fewer than the limit, four have more
    let larger = [("size", "101"), ("seed", "a"), ("difficulty", "0.5"), ("tries", "9")];
    assert_eq!(batches(&larger), [(0, 1), (1, 2), (3, 3), (6, 3)]);
    let largest = [("size", "4001"), ("seed", "a"), ("difficulty", "0.5"), ("tries", "3")];
    assert_eq!(batches(&largest), [(0, 1), (1, 1), (2, 1)]);
}

#[test]
fn each_batch_of_each_series_has_a_name_of_its_own_whatever_is_wanted() {
    let names =
        |pairs: &[(&str, &str)]| -> Vec<String> { query(pairs).batches().map(|batch| batch.to_string()).collect() };
    let wanted = [("size", "15"), ("seed", "a"), ("difficulty", "0.5")];
    let all = names(&wanted);
    assert!(all.iter().enumerate().all(|(i, name)| !all[..i].contains(name)), "{all:?}");
    assert_eq!(all, names(&[("size", "15"), ("seed", "a"), ("min_length", "3")]), "another pick finds them cached");
    let other = names(&[("size", "15"), ("seed", "b"), ("difficulty", "0.5")]);
    assert!(other.iter().all(|name| !all.contains(name)));
    let fewer = names(&[&wanted[..], &[("tries", "2")]].concat());
    assert_ne!(fewer[1], all[1], "half a batch is another one");
}

#[test]
fn a_batch_measures_the_levels_that_it_names_and_leaves_their_memory_to_the_next_job() {
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    let query = query(&[("size", "41"), ("seed", "cave"), ("difficulty", "0.5")]);
    let batch = query.batches().nth(2).unwrap();
    let measured = batch.measure(&mut context).unwrap();
    assert!(context.buffers.planes.bytes() > 0, "the bitmaps of a measured level are recycled");
    assert_eq!(measured.len(), 4);
    for (candidate, number) in measured.into_iter().zip(3..) {
        let level = Level::build(query.level(number), &mut context).unwrap();
        assert_eq!(level.recipe().seed().to_string(), format!("cave/{number}"));
        let stats = stats(&level, &mut context).unwrap();
        let expected = Measured {
            start: level.start(),
            exit: level.exit(),
            length: stats.solution.length,
            difficulty: stats.difficulty,
        };
        assert_eq!(candidate, Ok(expected), "{number}");
    }
}

#[test]
fn a_level_that_cannot_be_had_leaves_its_memory_too() {
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    let recipe = query(&[("size", "41"), ("seed", "a"), ("difficulty", "0.5"), ("start", "1,2")]);
    let walled = (0..100).find_map(|number| {
        context.buffers.planes = BitmapPool::default();
        Level::build(recipe.level(number), &mut context).err()
    });
    assert!(matches!(walled, Some(Error::Misplaced(_))), "{walled:?}");
    assert!(context.buffers.planes.bytes() > 0);
}

#[test]
fn a_miss_is_the_distance_to_what_is_wanted() {
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    let series = [("size", "15"), ("seed", "a")];
    let miss = |wanted: &[(&str, &str)], measured: &Measured| query(&[&series[..], wanted].concat()).miss(measured);
    let batch = query(&[&series[..], &[("difficulty", "0")]].concat()).batches().next().unwrap();
    let measured = batch.measure(&mut context).unwrap().remove(0).unwrap();
    let Measured { length, difficulty, .. } = measured;
    assert!(length > 3 && difficulty.units() > 0);
    assert_eq!(miss(&[("difficulty", "0")], &measured), difficulty.units());
    assert_eq!(miss(&[("difficulty", "1")], &measured), FRACTION_UNIT - difficulty.units());
    for (name, bound, distance) in [
        ("min_length", length - 1, 0),
        ("min_length", length, 0),
        ("min_length", length + 3, 3),
        ("max_length", length + 1, 0),
        ("max_length", length, 0),
        ("max_length", length - 3, 3),
    ] {
        assert_eq!(miss(&[(name, &bound.to_string())], &measured), distance, "{name}={bound}, of {length}");
    }
}

#[test]
fn the_canonical_query_has_what_is_wanted_and_no_default() {
    for (pairs, text) in [
        (&[("tries", "32"), ("difficulty", "0.50")][..], "&difficulty=0.5"),
        (&[("tries", "33"), ("difficulty", "1")], "&difficulty=1&tries=33"),
        (&[("min_length", "03")], "&min_length=3"),
        (&[("max_length", "9"), ("min_length", "3")], "&min_length=3&max_length=9"),
        (&[("max_length", "9")], "&max_length=9"),
    ] {
        let query = query(&[&[("seed", "a"), ("size", "15")], pairs].concat());
        assert_eq!(query.to_string(), format!("algo=kruskal&size=15&seed=a{text}"), "{pairs:?}");
    }
}

#[test]
fn the_seed_of_a_series_leaves_room_for_the_number_of_a_level() {
    let read = |characters: usize| {
        let seed = "x".repeat(characters);
        let mut params = Parameters::bare(&[("difficulty", "0.5"), ("seed", &seed)]);
        let query = PickQuery::read(&mut params, |params| Recipe::read(params, Limits::of_side(4001), || 7));
        params.finish(query, Vec::new).map_err(|errors| errors[0].message.clone())
    };
    assert!(read(MAX_SERIES_CHARS).is_ok());
    assert!(read(MAX_SERIES_CHARS + 1).unwrap_err().contains(&MAX_SERIES_CHARS.to_string()));
}
