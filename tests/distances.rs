//! Distances and spawns on every kind of level, against searches that are written for nothing but to be plain, and their
//! answers against the plain arrays.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use mazed::level::Level;
use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::error::Error;
use mazed::level::grid::{Direction, LevelKind, Size, Tile};
use mazed::level::parameters::options::OptionId;
use mazed::level::parameters::{Parameters, Value};
use mazed::level::queries::distances::DistancesQuery;
use mazed::level::queries::spawns::{KINDS, SpawnKind, SpawnsQuery, spawns};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::rng::{Rng, Seed, Streams};
use mazed::level::search::distances;
use mazed::level::work::{Buffers, Cancel, JobContext};
use mazed::render::json;
use mazed::render::json::head::Head;
use mazed::render::{RenderOptions, Rendering};
use serde_json::{Value as Json, json};

const SEEDS: u32 = 120;

fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u32) as usize]
}

/// A mask that leaves out a corner, a hole or nothing that matters, in one piece.
fn mask(width: u32, height: u32, rng: &mut Rng) -> Vec<String> {
    let (left, top) = (rng.below(width / 2), rng.below(height / 2));
    let hole = rng.below(2) == 0 && width > 8 && height > 8;
    let void = |x: u32, y: u32| {
        if hole { x.abs_diff(width / 2) < 2 && y.abs_diff(height / 2) < 2 } else { x < left && y < top }
    };
    (0..height).map(|y| (0..width).map(|x| if void(x, y) { ' ' } else { '#' }).collect()).collect()
}

/// A level of some shape, up to 31 tiles a side.
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
    let masked = algorithm.masks && seed % 4 == 1;
    match rng.below(4) {
        0 if !masked && width.max(height) > 3 => pairs.push(("openings", "true".to_owned())),
        1 => pairs.extend(["start", "exit"].map(|end| (end, "farthest".to_owned()))),
        2 => pairs.push(("exit", "farthest".to_owned())),
        _ => {}
    }
    if !masked {
        pairs.extend([("width", width.to_string()), ("height", height.to_string())]);
    }
    let mut given: Vec<_> =
        pairs.into_iter().map(|(name, value)| (name.into(), Ok(Value::Bare(value.into())))).collect();
    if masked {
        let rows = mask(width, height, rng).into_iter().map(Into::into).collect();
        given.push(("mask".into(), Ok(Value::Rows(rows))));
    }
    let mut given = Parameters::new(given);
    let recipe = Recipe::read(&mut given, Limits::of_side(4001), || 0);
    Level::build(given.finish(recipe, Vec::new).unwrap(), context).unwrap()
}

/// Runs `test` on many levels of every algorithm.
fn on_every_kind_of_level(mut test: impl FnMut(&Level, &mut Rng, &mut JobContext)) {
    let mut rng = Streams::new(&Seed::Integer(7), "distances", 0).stream(0, 0);
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    for (algorithm, seed) in ALGORITHMS.iter().flat_map(|row| (0..SEEDS).map(move |seed| (row, seed))) {
        let level = any_level(algorithm, seed, &mut rng, &mut context);
        test(&level, &mut rng, &mut context);
        context.buffers.recycle(level.into_layout());
    }
}

/// All tiles in row order.
fn tiles(level: &Level) -> impl Iterator<Item = Tile> {
    let Size { width, height } = level.grid().size();
    (0..height).flat_map(move |y| (0..width).map(move |x| Tile { x, y }))
}

fn open_tiles(level: &Level) -> Vec<Tile> {
    tiles(level).filter(|tile| level.grid().is_open(*tile)).collect()
}

fn open_neighbours(level: &Level, tile: Tile) -> impl Iterator<Item = Tile> {
    Direction::ALL.map(|way| tile.step(way)).into_iter().filter(|near| level.grid().is_open(*near))
}

/// Steps from the nearest of some tiles to every tile that can be reached: whole rounds of one step each.
fn plain_distances(level: &Level, from: &[Tile]) -> HashMap<Tile, i32> {
    let mut known: HashMap<_, _> = from.iter().map(|tile| (*tile, 0)).collect();
    let mut round = from.to_vec();
    for steps in 1.. {
        let next = round.iter().flat_map(|tile| open_neighbours(level, *tile));
        let next: Vec<_> = next.filter(|tile| !known.contains_key(tile)).collect();
        if next.is_empty() {
            break;
        }
        round = next.into_iter().filter(|tile| known.insert(*tile, steps).is_none()).collect();
    }
    known
}

/// Whole searches from all tiles before for each tile; fewer tiles where there are no more.
fn plain_spawns(level: &Level, count: usize, kind: SpawnKind) -> Vec<Tile> {
    let fits = |tile: &Tile| kind == SpawnKind::Any || open_neighbours(level, *tile).count() == 1;
    let mut taken = vec![level.start(), level.exit()];
    while taken.len() < count + 2 {
        let steps = plain_distances(level, &taken);
        let left = tiles(level).filter(|tile| steps.get(tile).is_some_and(|steps| *steps > 0)).filter(fits);
        // `max_by_key` would take the last of several
        let Some(next) = left.min_by_key(|tile| -steps[tile]) else { break };
        taken.push(next);
    }
    taken.split_off(2)
}

#[test]
fn distances_are_those_of_a_plain_search_and_are_written_as_they_are() {
    on_every_kind_of_level(|level, rng, context| {
        let label = level.recipe().to_string();
        let from = pick(rng, &open_tiles(level));
        let plain = plain_distances(level, &[from]);
        let size = level.grid().size();
        let row = |y| (0..size.width).map(|x| plain.get(&Tile { x, y }).copied().unwrap_or(-1)).collect::<Vec<_>>();
        let rows: Vec<_> = (0..size.height).map(row).collect();
        let found = distances::all(level.grid(), from, context).unwrap();
        assert_eq!((0..size.height).map(|y| found.row(y).collect()).collect::<Vec<Vec<_>>>(), rows, "{label}");

        let body =
            json::distances::write_answer(&DistancesQuery { from: Some(from) }, level, u64::MAX, context).unwrap();
        let plain = json::head::answer(Head::of(level), &json!({"from": from, "distances": rows}));
        assert_eq!(body, plain, "{label}");
        assert!(json::distances::least_bytes(size) <= body.len() as u64, "{label}");
    });
}

#[test]
fn spawns_are_those_of_a_plain_greedy_choice() {
    on_every_kind_of_level(|level, rng, context| {
        let label = level.recipe().to_string();
        let kind = pick(rng, &[SpawnKind::Any, SpawnKind::DeadEnd]);
        let count = pick(rng, &[0, 1, 2, 5, 40]);
        let plain = plain_spawns(level, count as usize, kind);
        let found = spawns(level, count, kind, context);
        if plain.len() < count as usize {
            let Err(Error::Unbuildable(errors)) = found else { panic!("{label}: {found:?}") };
            assert!(errors[0].message.contains(&format!("has {}", plain.len())), "{label}: {}", errors[0].message);
            assert_eq!(spawns(level, plain.len() as u32, kind, context), Ok(plain), "{label}");
        } else {
            assert_eq!(found, Ok(plain), "{count} {kind:?} of {label}");
        }
    });
}

fn build(pairs: &[(&str, &str)], context: &mut JobContext) -> Level {
    Level::build(Recipe::from_pairs(pairs, Limits::of_side(4001)).unwrap(), context).unwrap()
}

#[test]
fn as_many_spawns_as_may_be_asked_for_are_those_of_a_plain_greedy_choice() {
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
    for algorithm in ["kruskal", "dfs", "bsp"] {
        let level = build(&[("algo", algorithm), ("size", "61"), ("seed", "7")], &mut context);
        let found = spawns(&level, mazed::level::queries::spawns::MAX_COUNT, SpawnKind::Any, &mut context);
        assert_eq!(found, Ok(plain_spawns(&level, 256, SpawnKind::Any)), "{algorithm}");
    }
}

#[test]
fn the_smallest_level_has_no_place_for_spawns() {
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
    let level = build(&[("algo", "dfs"), ("size", "3"), ("seed", "7")], &mut context);
    for row in KINDS {
        assert_eq!(spawns(&level, 0, row.kind, &mut context), Ok(vec![]));
        let Err(Error::Unbuildable(errors)) = spawns(&level, 1, row.kind, &mut context) else {
            panic!("there is a place")
        };
        assert_eq!(errors[0].parameter, "count");
        assert!(errors[0].message.ends_with("this level has 0"), "{}", errors[0].message);
    }
    let body =
        json::distances::write_answer(&DistancesQuery { from: Some(level.start()) }, &level, u64::MAX, &mut context)
            .unwrap();
    let body: Json = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["distances"], json!([[-1, -1, -1], [-1, 0, -1], [-1, -1, -1]]));
}

#[test]
fn spawns_are_written_behind_what_every_answer_begins_with() {
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
    let level = build(&[("algo", "bsp"), ("size", "40"), ("seed", "a\"b")], &mut context);
    let found = spawns(&level, 3, SpawnKind::Any, &mut context).unwrap();
    let query = SpawnsQuery { count: 3, kind: SpawnKind::Any };
    let rendering = Rendering { query: &query, options: RenderOptions::default(), limit: u64::MAX };
    let body = (json::small::SPAWNS.write)(&rendering, &level, &mut context).unwrap();
    let body: Json = serde_json::from_slice(&body).unwrap();
    let keys: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["algorithm", "seed", "width", "height", "options", "start", "exit", "spawns"]);
    assert_eq!(body["seed"], "a\"b");
    assert_eq!(body["spawns"], json!(found));
}

#[test]
fn distances_past_the_limit_are_refused_and_those_at_it_are_not() {
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
    let level = build(&[("algo", "binary_tree"), ("size", "41"), ("seed", "7")], &mut context);
    let bytes =
        json::distances::write_answer(&DistancesQuery { from: Some(level.exit()) }, &level, u64::MAX, &mut context)
            .unwrap()
            .len() as u64;
    assert!(
        json::distances::write_answer(&DistancesQuery { from: Some(level.exit()) }, &level, bytes, &mut context)
            .is_ok()
    );
    let refused =
        json::distances::write_answer(&DistancesQuery { from: Some(level.exit()) }, &level, bytes - 1, &mut context)
            .unwrap_err();
    assert!(matches!(refused, Error::TooLarge(error) if error.parameter == "size"));
    let size = level.grid().size();
    let least = json::distances::least_bytes(size);
    assert!(json::distances::check(size, least).is_ok());
    assert_eq!(json::distances::check(size, least - 1).unwrap_err().parameter, "size");
}

#[test]
fn a_job_that_is_told_to_stop_tells_nothing() {
    let mut buffers = Buffers::default();
    let level =
        build(&[("size", "301"), ("seed", "7")], &mut JobContext { buffers: &mut buffers, cancel: Cancel::never() });
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::when(&|| true) };
    assert!(distances::all(level.grid(), level.start(), &mut context).is_err());
    assert_eq!(spawns(&level, 1, SpawnKind::Any, &mut context), Err(Error::Cancelled));
    let refused =
        json::distances::write_answer(&DistancesQuery { from: Some(level.start()) }, &level, u64::MAX, &mut context);
    assert_eq!(refused, Err(Error::Cancelled));
}

#[test]
fn kinds_are_known_by_name() {
    assert_eq!(SpawnKind::named("dead-end"), Ok(SpawnKind::DeadEnd));
    assert!(SpawnKind::named("x").unwrap_err().contains("any, dead_end"));
}
