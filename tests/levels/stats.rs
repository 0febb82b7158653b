//! Statistics of levels, against reference counts and searches; and what the difficulty promises.

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::{Direction, LevelKind, Tile};
use mazed::level::queries::stats::{Stats, stats};
use mazed::level::rng::Rng;
use mazed::level::solvers::{SOLVERS, Solution};
use mazed::level::work::{Buffers, JobContext};

use crate::fixtures::{context, recipe, rng};
use crate::oracle::{distances, open_neighbours, open_tiles};

type Pairs = Vec<(&'static str, String)>;

fn build(pairs: &[(&str, String)], mask: &[String], context: &mut JobContext) -> Option<Level> {
    Level::build(recipe(pairs, mask).ok()?, context).ok()
}

/// A random recipe with odd sides up to `most`. Some of these recipes have no level.
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

/// The tiles of the path that the solver `bfs` gives.
fn solution(level: &Level, context: &mut JobContext) -> (Vec<Direction>, Vec<Tile>) {
    let bfs = SOLVERS.iter().find(|row| row.name == "bfs").unwrap();
    let Solution::Found(moves) = (bfs.solve)(level, level.start(), level.exit(), context).unwrap() else {
        unreachable!("{} has no path", level.recipe())
    };
    let mut path = vec![level.start()];
    path.extend(moves.iter().scan(level.start(), |tile, direction| {
        *tile = tile.step(*direction);
        Some(*tile)
    }));
    (moves, path)
}

/// The difficulty in floating point, from the separate pieces that remain of the level without the solution.
fn difficulty(level: &Level, path: &[Tile], turns: u64) -> f64 {
    let (start, exit, length) = (level.start(), level.exit(), real(path.len() as u64 - 1));
    let size = level.grid().size();
    let index = |tile: Tile| (tile.y * size.width + tile.x) as usize;
    let mut on_path = vec![false; size.area() as usize];
    for tile in path {
        on_path[index(*tile)] = true;
    }
    let open = open_tiles(level);
    let openings = level.grid().openings;
    let mut is_left = vec![false; size.area() as usize];
    for tile in open.iter().filter(|tile| !openings.iter().flatten().any(|opening| opening == *tile)) {
        is_left[index(*tile)] = !on_path[index(*tile)];
    }
    let mut bits = 0.0;
    for first in open {
        if !is_left[index(first)] {
            continue;
        }
        let (mut piece, mut mouths, mut waiting) = (0, Vec::<Tile>::new(), vec![first]);
        is_left[index(first)] = false;
        while let Some(tile) = waiting.pop() {
            piece += 1;
            for next in open_neighbours(level, tile) {
                if on_path[index(next)] {
                    mouths.push(next);
                } else if std::mem::take(&mut is_left[index(next)]) {
                    waiting.push(next);
                }
            }
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

/// Compares all statistics of a level with the reference, and returns them.
fn checked_stats(level: &Level, context: &mut JobContext) -> Stats {
    let (found, label) = (stats(level, context).unwrap(), level.recipe().to_string());
    let open = open_tiles(level);
    let degrees: Vec<_> = open.iter().map(|tile| open_neighbours(level, *tile).count()).collect();
    let with = |count: usize| degrees.iter().filter(|degree| **degree == count).count() as u64;
    assert_eq!(found.open_tiles, open.len() as u64, "{label}");
    assert_eq!(
        [found.dead_ends, found.corridors, found.junctions.three, found.junctions.four],
        [1, 2, 3, 4].map(with),
        "{label}"
    );
    let (moves, path) = solution(level, context);
    let turns = (1..moves.len()).filter(|i| moves[*i] != moves[i - 1]).count() as u64;
    assert_eq!(found.solution.length, u64::from(distances(level, &[level.start()])[level.exit()]), "{label}");
    assert_eq!(found.solution.turns, turns, "{label}");
    assert_eq!(found.solution.share.units(), (path.len() * 20_000 / open.len()).div_ceil(2) as u64, "{label}");
    let (one, _) = distances(level, &open[..1]).farthest();
    let (other, steps) = distances(level, &[one]).farthest();
    let mut endpoints = [one, other];
    endpoints.sort_by_key(|tile| (tile.y, tile.x));
    assert_eq!((found.longest.length, found.longest.endpoints), (steps, endpoints), "{label}");
    // in a tree the length must be exact
    if degrees.iter().sum::<usize>() == 2 * (open.len() - 1) && open.len() < 300 {
        let all = open.iter().map(|tile| distances(level, &[*tile]).farthest().1);
        assert_eq!(all.max(), Some(found.longest.length), "{label}: not the longest");
    }
    let expected = difficulty(level, &path, turns) * 10_000.0;
    assert!((real(found.difficulty.units()) - expected).abs() < 0.52, "{label}: {found:?}, not {expected}");
    found
}

#[test]
fn statistics_are_those_of_the_reference() {
    let (mut rng, mut buffers, mut count) = (rng("stats"), Buffers::default(), 0);
    while count < 3_000 {
        let mut context = context(&mut buffers);
        let pairs = any(&mut rng, if count % 8 == 0 { 81 } else { 21 });
        let Some(level) = build(&pairs, &[], &mut context) else { continue };
        checked_stats(&level, &mut context);
        buffers.recycle(level.into_layout());
        count += 1;
    }
}

#[test]
fn any_two_tiles_can_be_start_and_exit() {
    let (mut rng, mut buffers, mut count) = (rng("stats"), Buffers::default(), 0);
    let mut context = context(&mut buffers);
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
        let found = checked_stats(&level, &mut context);
        assert!(level.start() != level.exit() || (found.solution.length, found.difficulty.units()) == (0, 0));
        count += 1;
    }
}

#[test]
fn statistics_of_levels_in_masks_are_those_of_the_reference() {
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
            let mut pairs = vec![("algo", algorithm.name.into()), ("seed", seed.to_string())];
            if algorithm.kind == LevelKind::Maze {
                pairs.push(("braid", format!("0.{}", seed % 4)));
            }
            let mut context = context(&mut buffers);
            let Some(level) = build(&pairs, &mask, &mut context) else { continue };
            checked_stats(&level, &mut context);
            count += 1;
        }
    }
    assert!(count >= 300, "{count}");
}

/// The difficulties, in ten-thousandths, of a recipe's levels for so many seeds.
fn difficulties(pairs: &[(&'static str, &str)], seeds: u64) -> Vec<u64> {
    let mut buffers = Buffers::default();
    let difficulty = |seed: u64| {
        let mut pairs: Pairs = pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        pairs.push(("seed", seed.to_string()));
        let mut context = context(&mut buffers);
        let level = build(&pairs, &[], &mut context).unwrap();
        let found = stats(&level, &mut context).unwrap();
        buffers.recycle(level.into_layout());
        found.difficulty.units()
    };
    (0..seeds).map(difficulty).collect()
}

/// The mean difficulty of the levels of 60 seeds.
fn mean(pairs: &[(&'static str, &str)]) -> u64 {
    let all = difficulties(pairs, 60);
    all.iter().sum::<u64>() / all.len() as u64
}

#[test]
fn the_difficulties_of_all_kinds_of_levels_spread_over_the_range() {
    let (mut rng, mut buffers, mut all) = (rng("stats"), Buffers::default(), vec![]);
    while all.len() < 1_000 {
        let mut context = context(&mut buffers);
        let Some(level) = build(&any(&mut rng, 201), &[], &mut context) else { continue };
        all.push(stats(&level, &mut context).unwrap().difficulty.units());
        buffers.recycle(level.into_layout());
    }
    all.sort_unstable();
    let deciles: Vec<_> = (0..=10).map(|i| all[(i * 100).min(999)]).collect();
    let count = |holds: &dyn Fn(u64) -> bool| all.iter().filter(|value| holds(**value)).count();
    let (easy, hard) = (count(&|value| value < 2_000), count(&|value| value > 8_000));
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
            ["0", "0.25", "0.5", "1"].map(|value| mean(&[("algo", algorithm.name), ("size", size), (option, value)]));
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
fn a_straight_corridor_is_easy() {
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

/// A seed must give the same difficulty however the program was built: this test runs in debug and in release builds.
#[test]
fn difficulties_stay_what_they_are() {
    let found = ["kruskal", "dfs", "binary_tree", "bsp"].map(|name| difficulties(&[("algo", name), ("size", "41")], 3));
    let expected = [[3864, 3584, 4014], [4690, 3994, 5222], [2618, 2697, 2512], [2062, 2308, 1812]].map(Vec::from);
    assert_eq!(found, expected);
}
