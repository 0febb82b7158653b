//! Distances and spawns on every kind of level, against reference searches, and their JSON against plain arrays.

use std::cmp::Reverse;

use mazed::level::Level;
use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::error::Error;
use mazed::level::grid::{Door, LevelKind, Tile};
use mazed::level::parameters::options::OptionId;
use mazed::level::queries::distances::DistancesQuery;
use mazed::level::queries::spawns::{KINDS, SpawnKind, SpawnsQuery, spawns};
use mazed::level::rng::Rng;
use mazed::level::search::distances;
use mazed::level::work::{Buffers, Cancel, JobContext};
use mazed::render::json;
use mazed::render::json::head::Head;
use mazed::render::{RenderOptions, Rendering};
use serde_json::{Value as Json, json};

use crate::fixtures::{build, context, recipe, rng};
use crate::oracle::{self, open_neighbours, open_tiles};

const SEEDS: u32 = 120;

fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u32) as usize]
}

/// A connected mask: a rectangle without a corner, or with a hole, which may be empty.
fn mask(width: u32, height: u32, rng: &mut Rng) -> Vec<String> {
    let (left, top) = (rng.below(width / 2), rng.below(height / 2));
    let hole = rng.below(2) == 0 && width > 8 && height > 8;
    let void = |x: u32, y: u32| {
        if hole { x.abs_diff(width / 2) < 2 && y.abs_diff(height / 2) < 2 } else { x < left && y < top }
    };
    (0..height).map(|y| (0..width).map(|x| if void(x, y) { ' ' } else { '#' }).collect()).collect()
}

/// A level of at most 31 tiles a side, with random loops, endpoints and mask.
fn any_level(algorithm: &Algorithm, seed: u32, rng: &mut Rng, context: &mut JobContext) -> Level {
    let mut side = || match algorithm.kind {
        LevelKind::Maze => rng.below(15) * 2 + 3,
        LevelKind::Rooms => rng.below(29) + 3,
    };
    let (width, height) = if seed == 0 { (3, 3) } else { (side(), side()) };
    let mut pairs = vec![("algo", algorithm.name.to_owned()), ("seed", seed.to_string())];
    for (option, name) in [(OptionId::Braid, "braid"), (OptionId::Loops, "loops")] {
        if algorithm.options.contains(&option) {
            pairs.push((name, pick(rng, &["0", "0.3", "1"]).to_owned()));
        }
    }
    let is_masked = algorithm.masks && seed % 4 == 1;
    match rng.below(4) {
        0 if !is_masked && width.max(height) > 3 => pairs.push(("openings", "true".to_owned())),
        1 => pairs.extend(["start", "exit"].map(|end| (end, "farthest".to_owned()))),
        2 => pairs.push(("exit", "farthest".to_owned())),
        _ => {}
    }
    if !is_masked {
        pairs.extend([("width", width.to_string()), ("height", height.to_string())]);
    }
    let mask = if is_masked { mask(width, height, rng) } else { vec![] };
    Level::build(recipe(&pairs, &mask).unwrap(), context).unwrap()
}

/// Runs `test` on many levels of every algorithm.
fn on_every_kind_of_level(mut test: impl FnMut(&Level, &mut Rng, &mut JobContext)) {
    let mut rng = rng("distances");
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    for (algorithm, seed) in ALGORITHMS.iter().flat_map(|row| (0..SEEDS).map(move |seed| (row, seed))) {
        let level = any_level(algorithm, seed, &mut rng, &mut context);
        test(&level, &mut rng, &mut context);
        context.buffers.recycle(level.into_layout());
    }
}

/// The tiles of the doors of a level, and the openings in its border.
fn doors_and_openings(level: &Level) -> Vec<Tile> {
    let doors = level.plan().into_iter().flat_map(|plan| plan.doors.iter().flat_map(Door::tiles));
    doors.chain(level.grid().openings.into_iter().flatten()).collect()
}

/// Farthest-point sampling by a full search for each tile; fewer tiles than `count` if the level has no more.
fn expected_spawns(level: &Level, count: usize, kind: SpawnKind) -> Vec<Tile> {
    let left_out = doors_and_openings(level);
    let is_of_kind = |tile: &Tile| kind == SpawnKind::Any || open_neighbours(level, *tile).count() == 1;
    let fits = |tile: &Tile| is_of_kind(tile) && !left_out.contains(tile);
    let mut taken = vec![level.start(), level.exit()];
    while taken.len() < count + 2 {
        let distances = oracle::distances(level, &taken);
        let left = distances.reached().filter(|(tile, steps)| *steps > 0 && fits(tile));
        // `max_by_key` would take the last of several tiles with the same distance
        let Some((next, _)) = left.min_by_key(|(_, steps)| Reverse(*steps)) else { break };
        taken.push(next);
    }
    taken.split_off(2)
}

#[test]
fn distances_are_those_of_the_reference_search_and_stand_in_the_json() {
    on_every_kind_of_level(|level, rng, context| {
        let label = level.recipe().to_string();
        let from = pick(rng, &open_tiles(level));
        let expected = oracle::distances(level, &[from]);
        let size = level.grid().size();
        let steps = |tile: Tile| expected.get(tile).map_or(-1, u32::cast_signed);
        let row = |y| (0..size.width).map(|x| steps(Tile { x, y })).collect::<Vec<_>>();
        let rows: Vec<_> = (0..size.height).map(row).collect();
        let found = distances::all(level.grid(), from, context).unwrap();
        assert_eq!((0..size.height).map(|y| found.row(y).collect()).collect::<Vec<Vec<_>>>(), rows, "{label}");

        let query = DistancesQuery { from: Some(from) };
        let body = json::distances::write_answer(&query, level, u64::MAX, context).unwrap();
        let expected = json::head::answer(Head::of(level), &json!({"from": from, "distances": rows}));
        assert_eq!(body, expected, "{label}");
        assert!(json::distances::least_bytes(size) <= body.len() as u64, "{label}");
    });
}

#[test]
fn spawns_are_those_of_the_reference_sampling() {
    on_every_kind_of_level(|level, rng, context| {
        let label = level.recipe().to_string();
        let kind = pick(rng, &[SpawnKind::Any, SpawnKind::DeadEnd]);
        let count = pick(rng, &[0, 1, 2, 5, 40]);
        let expected = expected_spawns(level, count as usize, kind);
        let found = spawns(level, count, kind, context);
        if expected.len() < count as usize {
            let Err(Error::Unbuildable(errors)) = found else { panic!("{label}: {found:?}") };
            assert!(errors[0].message.contains(&format!("has {} ", expected.len())), "{label}: {}", errors[0].message);
            assert_eq!(spawns(level, expected.len() as u32, kind, context), Ok(expected), "{label}");
        } else {
            assert_eq!(found, Ok(expected), "{count} {kind:?} of {label}");
        }
    });
}

#[test]
fn the_most_spawns_of_a_request_are_those_of_the_reference_sampling() {
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    for algorithm in ["kruskal", "dfs", "bsp"] {
        let level = build(&[("algo", algorithm), ("size", "61"), ("seed", "7")], &mut context);
        let found = spawns(&level, mazed::level::queries::spawns::MAX_COUNT, SpawnKind::Any, &mut context);
        assert_eq!(found, Ok(expected_spawns(&level, 256, SpawnKind::Any)), "{algorithm}");
    }
}

#[test]
fn no_spawn_stands_in_a_door_or_in_an_opening_of_the_border() {
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    let rooms = [("rooms", "12"), ("min_room_area", "3"), ("loops", "1"), ("door_size", "1")];
    let wide_doors = [("rooms", "6"), ("min_room_area", "9"), ("loops", "1"), ("door_size", "3")];
    for (algorithm, options) in [("bsp", &rooms[..]), ("bsp", &wide_doors), ("dfs", &[])] {
        for (seed, openings) in (0..30).flat_map(|seed| [(seed, "true"), (seed, "false")]) {
            let seed = seed.to_string();
            let pairs = [("algo", algorithm), ("size", "19"), ("seed", &seed), ("openings", openings)];
            let level = build(&[&pairs[..], options].concat(), &mut context);
            let left_out = doors_and_openings(&level);
            assert_eq!(left_out.is_empty(), algorithm == "dfs" && openings == "false");
            // as many as there can be: a level that takes too few tiles for others fails too
            let is_other = |tile: &Tile| ![level.start(), level.exit()].contains(tile) && !left_out.contains(tile);
            let others: Vec<_> = open_tiles(&level).into_iter().filter(is_other).collect();
            let count = others.len().min(256);
            let found = spawns(&level, count as u32, SpawnKind::Any, &mut context).unwrap();
            assert!(found.iter().all(is_other), "{}", level.recipe());
            let refused = spawns(&level, others.len() as u32 + 1, SpawnKind::Any, &mut context);
            assert!(matches!(refused, Err(Error::Unbuildable(_))), "{}", level.recipe());
        }
    }
}

#[test]
fn the_smallest_level_has_no_room_for_spawns() {
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    let level = build(&[("algo", "dfs"), ("size", "3"), ("seed", "7")], &mut context);
    for row in KINDS {
        assert_eq!(spawns(&level, 0, row.kind, &mut context), Ok(vec![]));
        let Err(Error::Unbuildable(errors)) = spawns(&level, 1, row.kind, &mut context) else {
            panic!("there is room for a spawn")
        };
        assert_eq!(errors[0].parameter, "count");
        assert!(errors[0].message.contains("this level has 0 "), "{}", errors[0].message);
    }
    let body =
        json::distances::write_answer(&DistancesQuery { from: Some(level.start()) }, &level, u64::MAX, &mut context)
            .unwrap();
    let body: Json = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["distances"], json!([[-1, -1, -1], [-1, 0, -1], [-1, -1, -1]]));
}

#[test]
fn spawns_follow_the_fields_that_every_answer_begins_with() {
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    let level = build(&[("algo", "bsp"), ("size", "40"), ("seed", "a\"b")], &mut context);
    let found = spawns(&level, 3, SpawnKind::Any, &mut context).unwrap();
    let query = SpawnsQuery { count: 3, kind: SpawnKind::Any };
    let rendering = Rendering { query: &query, options: RenderOptions::default(), limit: u64::MAX };
    let body = (json::small::SPAWNS.write)(&rendering, &level, &mut context).unwrap();
    let body: Json = serde_json::from_slice(&body).unwrap();
    let keys: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["algorithm", "seed", "width", "height", "options", "start", "exit", "recipe", "spawns"]);
    assert_eq!(body["seed"], "a\"b");
    assert_eq!(body["spawns"], json!(found));
}

#[test]
fn distances_above_the_limit_are_an_error_and_those_at_the_limit_are_not() {
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    let level = build(&[("algo", "binary_tree"), ("size", "41"), ("seed", "7")], &mut context);
    let query = DistancesQuery { from: Some(level.exit()) };
    let mut write = |limit| json::distances::write_answer(&query, &level, limit, &mut context);
    let bytes = write(u64::MAX).unwrap().len() as u64;
    assert!(write(bytes).is_ok());
    let error = write(bytes - 1).unwrap_err();
    assert!(matches!(error, Error::TooLarge(error) if error.parameter == "size"));
    let size = level.grid().size();
    let least = json::distances::least_bytes(size);
    assert!(json::distances::check(size, least).is_ok());
    assert_eq!(json::distances::check(size, least - 1).unwrap_err().parameter, "size");
}

#[test]
fn a_cancelled_job_gives_no_distances_and_no_spawns() {
    let mut buffers = Buffers::default();
    let level = build(&[("size", "301"), ("seed", "7")], &mut context(&mut buffers));
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::when(&|| true) };
    assert!(distances::all(level.grid(), level.start(), &mut context).is_err());
    assert_eq!(spawns(&level, 1, SpawnKind::Any, &mut context), Err(Error::Cancelled));
    let result =
        json::distances::write_answer(&DistancesQuery { from: Some(level.start()) }, &level, u64::MAX, &mut context);
    assert_eq!(result, Err(Error::Cancelled));
}

#[test]
fn kinds_are_known_by_name() {
    assert_eq!(SpawnKind::named("dead-end"), Ok(SpawnKind::DeadEnd));
    assert!(SpawnKind::named("x").unwrap_err().contains("any, dead_end"));
}
