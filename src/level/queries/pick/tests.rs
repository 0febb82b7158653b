//! Tests of picks and of the batches of a series.

use super::*;
use crate::level::queries::stats::stats;
use crate::level::recipe::Limits;
use crate::level::work::{Buffers, Cancel};

fn query(pairs: &[(&str, &str)]) -> PickQuery {
    let mut params = Parameters::bare(pairs);
    let query = PickQuery::read(&mut params, |params| Recipe::read(params, Limits::of_side(4001), || 7));
    params.finish(query, Vec::new).unwrap()
}

#[test]
fn batches_hold_every_level_once_in_order() {
    for (size, tries) in [("5", "1"), ("41", "3"), ("41", "32"), ("101", "100"), ("401", "9"), ("4001", "1024")] {
        let query = query(&[("size", size), ("seed", "a"), ("difficulty", "0.5"), ("tries", tries)]);
        let levels: Vec<_> = query.batches().flat_map(|batch| batch.first()..batch.first() + batch.levels()).collect();
        let all: Vec<_> = (0..tries.parse().unwrap()).collect();
        assert_eq!(levels, all, "{size} {tries}");
        let tiles = query.series().size().area();
        for batch in query.batches() {
            assert!(batch.levels() == 1 || u64::from(batch.levels()) * tiles <= MAX_BATCH_TILES, "{batch}");
            assert!((1..=MAX_BATCH_LEVELS).contains(&batch.levels()), "{batch}");
        }
    }
}

#[test]
fn a_batch_measures_what_the_statistics_of_its_levels_say() {
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
    let query = query(&[("size", "21"), ("seed", "a"), ("difficulty", "0.5"), ("tries", "9"), ("start", "3,2")]);
    let mut passed_over = 0;
    for batch in query.batches() {
        for (measured, number) in batch.measure(&mut context).unwrap().into_iter().zip(batch.first()..) {
            match (measured, Level::build(query.level(number), &mut context)) {
                (Ok(measured), Ok(level)) => {
                    let stats = stats(&level, &mut context).unwrap();
                    assert_eq!((measured.start, measured.exit), (level.start(), level.exit()));
                    assert_eq!((measured.length, measured.effort), (stats.solution.length, stats.effort));
                    assert_eq!(measured.difficulty, stats.difficulty);
                }
                (Err(errors), Err(Error::Misplaced(expected))) => {
                    assert_eq!(errors, expected);
                    passed_over += 1;
                }
                (measured, level) => panic!("{measured:?} is not of {level:?}"),
            }
        }
    }
    assert!((1..9).contains(&passed_over), "the start is a wall in some of them: {passed_over}");
}

#[test]
fn a_level_misses_what_is_wanted_by_its_distance_from_it() {
    let level = |length, effort| Measured {
        start: Tile { x: 1, y: 1 },
        exit: Tile { x: 1, y: 1 },
        length,
        effort,
        difficulty: Fraction::of(1, 4),
    };
    let range = query(&[("seed", "a"), ("min_length", "10"), ("max_length", "20")]);
    for (length, miss) in [(0, 10), (9, 1), (10, 0), (20, 0), (25, 5)] {
        assert_eq!(range.miss(&level(length, 100)), Miss::Steps(miss), "{length}");
    }
    for (effort, miss) in [(0, 30), (29, 1), (30, 0), (900, 0)] {
        assert_eq!(query(&[("seed", "a"), ("min_effort", "30")]).miss(&level(9, effort)), Miss::Steps(miss));
    }
    for (effort, miss) in [(30, 0), (31, 1)] {
        assert_eq!(query(&[("seed", "a"), ("max_effort", "30")]).miss(&level(9, effort)), Miss::Steps(miss));
    }
    for (wanted, miss) in [("0.3", 500), ("0.2", 500), ("0.25", 0), ("1", 7_500)] {
        let found = query(&[("seed", "a"), ("difficulty", wanted)]).miss(&level(9, 12));
        assert_eq!((found, found.is_zero()), (Miss::Difficulty(Fraction(miss)), miss == 0), "{wanted}");
    }
    assert!(Miss::Steps(0).is_zero() && !Miss::Steps(1).is_zero());
}

#[test]
fn what_is_wanted_is_one_of_three_things() {
    let errors = |pairs: &[(&str, &str)]| {
        let mut params = Parameters::bare(&[&[("seed", "a")], pairs].concat());
        let query = PickQuery::read(&mut params, |params| Recipe::read(params, Limits::of_side(4001), || 7));
        let errors = params.finish(query, Vec::new).unwrap_err();
        errors.into_iter().map(|error| (error.parameter, error.message)).collect::<Vec<_>>()
    };
    for (pairs, parameter, message) in [
        (&[][..], "difficulty", "is missing; give it, or min_effort or max_effort, or min_length or max_length"),
        (
            &[("difficulty", "0.5"), ("max_effort", "9"), ("min_length", "3")],
            "difficulty",
            "cannot be combined with max_effort; give one of the two",
        ),
        (
            &[("difficulty", "0.5"), ("min_length", "3")],
            "difficulty",
            "cannot be combined with min_length; give one of the two",
        ),
        (
            &[("min_effort", "9"), ("max_length", "3")],
            "max_length",
            "cannot be combined with min_effort; give one of the two",
        ),
        (&[("min_effort", "9"), ("max_effort", "3")], "min_effort", "is above max_effort, which is 3"),
        (&[("min_length", "9"), ("max_length", "3")], "min_length", "is above max_length, which is 3"),
    ] {
        assert_eq!(errors(pairs), [(parameter.to_owned(), message.to_owned())], "{pairs:?}");
    }
    assert_eq!(errors(&[("min_effort", "x")])[0].0, "min_effort");
}

/// The number of the first level of each batch, and how many levels the batch has.
fn batches(pairs: &[(&str, &str)]) -> Vec<(u32, u32)> {
    query(pairs).batches().map(|batch| (batch.first(), batch.levels())).collect()
}

#[test]
fn batches_double_up_to_a_limit_and_end_with_the_tries() {
    let small = [("size", "15"), ("seed", "a"), ("difficulty", "0.5")];
    assert_eq!(batches(&small), [(0, 4), (4, 8), (12, 16), (28, 4)]);
    let more = [&small[..], &[("tries", "50")]].concat();
    assert_eq!(batches(&more), [(0, 4), (4, 8), (12, 16), (28, 16), (44, 6)]);
    // 101 * 101 tiles: three levels have fewer than the limit, four have more
    let larger = [("size", "101"), ("seed", "a"), ("difficulty", "0.5"), ("tries", "8")];
    assert_eq!(batches(&larger), [(0, 3), (3, 3), (6, 2)]);
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
    assert_ne!(fewer[0], all[0], "half a batch is another one");
}

#[test]
fn the_canonical_query_has_what_is_wanted_and_no_default() {
    for (pairs, text) in [
        (&[("tries", "32"), ("difficulty", "0.50")][..], "&difficulty=0.5"),
        (&[("tries", "33"), ("difficulty", "1")], "&difficulty=1&tries=33"),
        (&[("min_length", "03")], "&min_length=3"),
        (&[("max_length", "9"), ("min_length", "3")], "&min_length=3&max_length=9"),
        (&[("max_length", "9")], "&max_length=9"),
        (&[("max_effort", "9"), ("min_effort", "03")], "&min_effort=3&max_effort=9"),
        (&[("max_effort", "9")], "&max_effort=9"),
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

#[test]
fn a_batch_leaves_the_memory_of_its_levels_to_the_next_job() {
    let query = query(&[("size", "41"), ("seed", "cave"), ("difficulty", "0.5"), ("tries", "1")]);
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    let level = Level::build(query.level(0), &mut context).unwrap();
    rate(&level, &mut context).unwrap();
    let grid = level.grid().bytes();
    let not_recycled = buffers.bitmaps.bytes();
    let mut buffers = Buffers::default();
    let batch = query.batches().next().unwrap();
    batch.measure(&mut JobContext { buffers: &mut buffers, cancel: Cancel::never() }).unwrap();
    assert!(buffers.bitmaps.bytes() >= not_recycled + grid);
}
