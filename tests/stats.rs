//! What is told about levels, against counts and searches that are written for nothing but to be plain; and what the
//! difficulty promises.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{HashMap, HashSet};

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::{Direction, LevelKind, Size, Tile};
use mazed::level::parameters::{Parameters, Value};
use mazed::level::queries::stats::{Stats, stats};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::rng::{Rng, Seed, Streams};
use mazed::level::solvers::{SOLVERS, Solution};
use mazed::level::work::{Buffers, Cancel, JobContext};

type Pairs = Vec<(&'static str, String)>;

fn build(pairs: &[(&str, String)], mask: &[String], context: &mut JobContext) -> Option<Level> {
    let texts = pairs.iter().map(|(name, value)| ((*name).into(), Ok(Value::Bare(value.into()))));
    let mut all: Vec<_> = texts.collect();
    if !mask.is_empty() {
        all.push(("mask".into(), Ok(Value::Rows(mask.iter().map(|row| row.as_str().into()).collect()))));
    }
    let recipe = Recipe::read(&mut Parameters::new(all), Limits::of_side(4001), || 0)?;
    Level::build(recipe, context).ok()
}

/// A recipe of any kind with odd sides up to `most`. Not every one has a level.
fn any(rng: &mut Rng, most: u32) -> Pairs {
    let algorithm = &ALGORITHMS[rng.below(ALGORITHMS.len() as u32) as usize];
    let side = |rng: &mut Rng| (rng.below((most - 1) / 2) * 2 + 3).to_string();
    let mut pairs = vec![("algo", algorithm.name.to_owned()), ("width", side(rng)), ("height", side(rng))];
    pairs.push(("seed", rng.below(1_000_000).to_string()));
    let fraction = |rng: &mut Rng| format!("0.{}", rng.below(10));
    if algorithm.kind == LevelKind::Maze && rng.below(3) == 0 {
        pairs.push(("braid", fraction(rng)));
    }
    if algorithm.kind == LevelKind::Rooms {
        if rng.below(2) == 0 {
            pairs.push(("loops", fraction(rng)));
        }
        if rng.below(2) == 0 {
            pairs.push(("min_room_area", (rng.below(30) + 1).to_string()));
        }
        if rng.below(3) == 0 {
            pairs.push(("rooms", (rng.below(30) + 1).to_string()));
        }
    }
    match rng.below(4) {
        0 => pairs.extend(["start", "exit"].map(|name| (name, "farthest".to_owned()))),
        1 => pairs.push(("openings", "true".to_owned())),
        _ => {}
    }
    pairs
}

fn rng() -> Rng {
    Streams::new(&Seed::Integer(7), "stats", 0).stream(0, 0)
}

fn open_tiles(level: &Level) -> Vec<Tile> {
    let Size { width, height } = level.grid().size();
    let tiles = (0..height).flat_map(|y| (0..width).map(move |x| Tile { x, y }));
    tiles.filter(|tile| level.grid().is_open(*tile)).collect()
}

/// The open tiles around each.
type Neighbours = HashMap<Tile, Vec<Tile>>;

fn neighbours(open: &[Tile]) -> Neighbours {
    let set: HashSet<_> = open.iter().copied().collect();
    let near = |tile: &Tile| Direction::ALL.map(|way| tile.step(way)).into_iter().filter(|near| set.contains(near));
    open.iter().map(|tile| (*tile, near(tile).collect())).collect()
}

/// Steps from `from` to every tile that can be reached.
fn distances(near: &Neighbours, from: Tile) -> HashMap<Tile, u32> {
    let mut known = HashMap::from([(from, 0)]);
    let mut round = vec![from];
    for steps in 1.. {
        let next = round.iter().flat_map(|tile| &near[tile]).filter(|tile| !known.contains_key(tile));
        let next: HashSet<_> = next.copied().collect();
        if next.is_empty() {
            break;
        }
        known.extend(next.iter().map(|tile| (*tile, steps)));
        round = next.into_iter().collect();
    }
    known
}

/// The tile with the most steps, of several the first in row order.
fn most(known: &HashMap<Tile, u32>) -> (Tile, u32) {
    let (tile, steps) =
        known.iter().max_by_key(|(tile, steps)| (**steps, -i64::from(tile.y), -i64::from(tile.x))).unwrap();
    (*tile, *steps)
}

/// The tiles of the path that the solver `bfs` gives.
fn solution(level: &Level, context: &mut JobContext) -> (Vec<Direction>, Vec<Tile>) {
    let bfs = SOLVERS.iter().find(|row| row.name == "bfs").unwrap();
    let Solution::Found(moves) = (bfs.solve)(level, level.start(), level.exit(), context).unwrap() else {
        unreachable!("{} has no path", level.recipe())
    };
    let mut path = vec![level.start()];
    path.extend(moves.iter().scan(level.start(), |tile, way| {
        *tile = tile.step(*way);
        Some(*tile)
    }));
    (moves, path)
}

/// The difficulty in floating point, piece by piece of what the solution leaves.
fn difficulty(level: &Level, near: &Neighbours, path: &[Tile], turns: u64) -> f64 {
    let (start, exit, length) = (level.start(), level.exit(), real(path.len() as u64 - 1));
    let on_path: HashSet<_> = path.iter().copied().collect();
    let mut left: HashSet<_> = near.keys().copied().filter(|tile| !on_path.contains(tile)).collect();
    left.retain(|tile| !level.grid().openings.iter().flatten().any(|opening| opening == tile));
    let mut bits = 0.0;
    while let Some(first) = left.iter().next().copied() {
        let (mut piece, mut mouths, mut waiting) = (0, Vec::<Tile>::new(), vec![first]);
        left.remove(&first);
        while let Some(tile) = waiting.pop() {
            piece += 1;
            mouths.extend(near[&tile].iter().copied().filter(|next| on_path.contains(next)));
            waiting.extend(near[&tile].iter().filter(|next| left.remove(next)));
        }
        if mouths.iter().any(|mouth| *mouth != exit) {
            bits += (f64::from(piece) / (2.0 * real(mouths.len() as u64))).ln_1p() / std::f64::consts::LN_2;
        }
    }
    let away = (length - f64::from(start.x.abs_diff(exit.x)) - f64::from(start.y.abs_diff(exit.y))) / 2.0;
    bits += real(turns) / 2.0 + away / 4.0 + length / 128.0;
    bits / (bits + 150.0)
}

fn real(count: u64) -> f64 {
    f64::from(count as u32)
}

/// Everything that is told about a level.
fn agrees(level: &Level, context: &mut JobContext) -> Stats {
    let (told, label) = (stats(level, context).unwrap(), level.recipe().to_string());
    let open = open_tiles(level);
    let near = neighbours(&open);
    let with = |count: usize| near.values().filter(|near| near.len() == count).count() as u64;
    assert_eq!(told.open_tiles, open.len() as u64, "{label}");
    assert_eq!(
        [told.dead_ends, told.corridors, told.junctions.three, told.junctions.four],
        [1, 2, 3, 4].map(with),
        "{label}"
    );
    let from_start = distances(&near, level.start());
    let (moves, path) = solution(level, context);
    let turns = (1..moves.len()).filter(|i| moves[*i] != moves[i - 1]).count() as u64;
    assert_eq!(told.solution.length, u64::from(from_start[&level.exit()]), "{label}");
    assert_eq!(told.solution.turns, turns, "{label}");
    assert_eq!(told.solution.share.units(), (path.len() * 20_000 / open.len()).div_ceil(2) as u64, "{label}");
    let (one, _) = most(&distances(&near, open[0]));
    let (other, steps) = most(&distances(&near, one));
    let mut endpoints = [one, other];
    endpoints.sort_by_key(|tile| (tile.y, tile.x));
    assert_eq!((told.longest.length, told.longest.endpoints), (steps, endpoints), "{label}");
    let joints: usize = near.values().map(Vec::len).sum();
    if joints == 2 * (open.len() - 1) && open.len() < 300 {
        let all = open.iter().map(|tile| most(&distances(&near, *tile)).1);
        assert_eq!(all.max(), Some(told.longest.length), "{label}: not the longest");
    }
    let expected = difficulty(level, &near, &path, turns) * 10_000.0;
    assert!((real(told.difficulty.units()) - expected).abs() < 0.52, "{label}: {told:?}, not {expected}");
    told
}

#[test]
fn what_is_told_is_what_plain_searches_find() {
    let (mut rng, mut buffers, mut count) = (rng(), Buffers::default(), 0);
    while count < 3_000 {
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        let pairs = any(&mut rng, if count % 8 == 0 { 81 } else { 21 });
        let Some(level) = build(&pairs, &[], &mut context) else { continue };
        agrees(&level, &mut context);
        buffers.recycle(level.into_layout());
        count += 1;
    }
}

#[test]
fn any_two_tiles_can_be_start_and_exit() {
    let (mut rng, mut buffers, mut count) = (rng(), Buffers::default(), 0);
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    while count < 1_000 {
        let mut pairs = any(&mut rng, 15);
        pairs.retain(|(name, _)| !["start", "exit", "openings"].contains(name));
        let Some(level) = build(&pairs, &[], &mut context) else { continue };
        let open = open_tiles(&level);
        for name in ["start", "exit"] {
            let Tile { x, y } = open[rng.below(open.len() as u32) as usize];
            pairs.push((name, format!("{x},{y}")));
        }
        let level = build(&pairs, &[], &mut context).unwrap();
        let told = agrees(&level, &mut context);
        assert!(level.start() != level.exit() || (told.solution.length, told.difficulty.units()) == (0, 0));
        count += 1;
    }
}

#[test]
fn levels_in_masks_are_told_about_too() {
    let (mut buffers, mut count) = (Buffers::default(), 0);
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.masks) {
        for (seed, side) in (0..60).map(|seed: usize| (seed, seed % 9 * 2 + 7)) {
            // a ring, a diagonal band, and a rectangle with holes
            let shapes: [&dyn Fn(usize, usize) -> bool; 3] = [
                &|x, y| x.abs_diff(side / 2).max(y.abs_diff(side / 2)) > side / 4,
                &|x, y| x.abs_diff(y) < 5,
                &|x, y| x % 6 != 3 || y % 6 != 1,
            ];
            let row = |y| (0..side).map(|x| if shapes[seed % 3](x, y) { '#' } else { ' ' }).collect();
            let mask: Vec<String> = (0..side).map(row).collect();
            let pairs =
                vec![("algo", algorithm.name.into()), ("seed", seed.to_string()), ("braid", format!("0.{}", seed % 4))];
            let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
            let Some(level) = build(&pairs, &mask, &mut context) else { continue };
            agrees(&level, &mut context);
            count += 1;
        }
    }
    assert!(count >= 300, "{count}");
}

/// Difficulties in units of the recipe's levels, one for each of some seeds.
fn difficulties(pairs: &[(&'static str, &str)], seeds: u64) -> Vec<u64> {
    let mut buffers = Buffers::default();
    let tell = |seed: u64| {
        let mut pairs: Pairs = pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        pairs.push(("seed", seed.to_string()));
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        let level = build(&pairs, &[], &mut context).unwrap();
        let told = stats(&level, &mut context).unwrap();
        buffers.recycle(level.into_layout());
        told.difficulty.units()
    };
    (0..seeds).map(tell).collect()
}

/// Their mean.
fn mean(pairs: &[(&'static str, &str)]) -> u64 {
    let all = difficulties(pairs, 60);
    all.iter().sum::<u64>() / all.len() as u64
}

#[test]
fn the_difficulty_of_all_kinds_of_levels_spreads_over_its_range() {
    let (mut rng, mut buffers, mut all) = (rng(), Buffers::default(), vec![]);
    while all.len() < 1_000 {
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        let Some(level) = build(&any(&mut rng, 201), &[], &mut context) else { continue };
        all.push(stats(&level, &mut context).unwrap().difficulty.units());
        buffers.recycle(level.into_layout());
    }
    all.sort_unstable();
    let deciles: Vec<_> = (0..=10).map(|i| all[(i * 100).min(999)]).collect();
    let share = |holds: &dyn Fn(u64) -> bool| all.iter().filter(|value| holds(**value)).count();
    let (easy, hard) = (share(&|value| value < 2_000), share(&|value| value > 8_000));
    assert!(easy >= 50 && hard >= 50, "{easy} below 0.2 and {hard} above 0.8: {deciles:?}");
    assert!(deciles.windows(2).all(|pair| pair[1] - pair[0] >= 300), "{deciles:?}");
    assert!(deciles[0] < 1_000 && deciles[10] > 9_000, "{deciles:?}");
}

#[test]
fn larger_levels_are_harder_on_average() {
    for algorithm in ALGORITHMS {
        let means =
            ["5", "9", "15", "25", "41", "65", "101"].map(|size| mean(&[("algo", algorithm.name), ("size", size)]));
        assert!(means.windows(2).all(|pair| pair[0] < pair[1]), "{}: {means:?}", algorithm.name);
    }
}

#[test]
fn loops_make_no_level_harder_on_average() {
    for (algorithm, size) in ALGORITHMS.iter().flat_map(|row| ["15", "25", "41", "101"].map(|size| (row, size))) {
        let option = if algorithm.kind == LevelKind::Maze { "braid" } else { "loops" };
        let means =
            ["0", "0.25", "0.5", "1"].map(|share| mean(&[("algo", algorithm.name), ("size", size), (option, share)]));
        // a small room map has no walls left for another door
        assert!(means.windows(2).all(|pair| pair[0] >= pair[1]), "{} {size}: {means:?}", algorithm.name);
    }
}

#[test]
fn depth_first_search_is_harder_than_a_binary_tree() {
    for size in ["15", "21", "31", "41", "71", "101", "201"] {
        let [dfs, binary_tree] = ["dfs", "binary_tree"].map(|name| mean(&[("algo", name), ("size", size)]));
        assert!(dfs > binary_tree, "{size}: {dfs} {binary_tree}");
    }
}

#[test]
fn a_straight_corridor_is_no_difficulty() {
    let corridor = |length: &str| mean(&[("algo", "kruskal"), ("width", length), ("height", "3")]);
    assert_eq!(corridor("3"), 0);
    assert!(corridor("41") < 50 && corridor("201") < 150 && corridor("1001") < 600);
}

#[test]
fn the_largest_levels_overflow_nothing() {
    for (algorithm, option) in [("dfs", ("braid", "0")), ("kruskal", ("braid", "0.1")), ("bsp", ("rooms", "1"))] {
        let all = difficulties(&[("algo", algorithm), ("size", "2001"), option], 1);
        assert!(all[0] < 10_000, "{algorithm}: {all:?}");
        assert!(algorithm != "dfs" || all[0] > 9_900, "{algorithm}: {all:?}");
    }
}

/// What a seed gives must not depend on how the program was built: these run in debug and in release builds.
#[test]
fn difficulties_stay_what_they_are() {
    let found = ["kruskal", "dfs", "binary_tree", "bsp"].map(|name| difficulties(&[("algo", name), ("size", "41")], 3));
    let expected = [[3864, 3584, 4014], [4690, 3994, 5222], [2618, 2697, 2512], [2062, 2308, 1812]].map(Vec::from);
    assert_eq!(found, expected);
}
