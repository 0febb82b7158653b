//! Statistics of levels, against reference counts and searches.

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::{Direction, LevelKind, Tile};
use mazed::level::queries::stats::{Stats, stats};
use mazed::level::rng::Rng;
use mazed::level::solvers::{SOLVERS, Solution};
use mazed::level::work::{Buffers, JobContext};

use crate::effort::effort;
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
        if rng.below(3) == 0 {
            pairs.push(("door_size", (rng.below(4) + 1).to_string()));
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
    let (length, effort) = (found.solution.length, effort(level));
    assert_eq!(found.effort, effort, "{label}");
    assert!(length <= effort, "{label}: {found:?}");
    // rounded to the nearest; a half up
    let wasted = effort - length;
    assert_eq!(found.difficulty.units(), (20_000 * wasted + effort).checked_div(2 * effort).unwrap_or(0), "{label}");
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

/// The recipe of a level with two of its open tiles as start and exit.
fn with_any_endpoints(pairs: &Pairs, level: &Level, rng: &mut Rng) -> Pairs {
    let open = open_tiles(level);
    let endpoints = ["start", "exit"].map(|name| {
        let Tile { x, y } = open[rng.below(open.len() as u32) as usize];
        (name, format!("{x},{y}"))
    });
    [&pairs[..], &endpoints].concat()
}

#[test]
fn any_two_tiles_can_be_start_and_exit() {
    let (mut rng, mut buffers, mut count) = (rng("stats"), Buffers::default(), 0);
    let mut context = context(&mut buffers);
    while count < 1_000 {
        let mut pairs = any(&mut rng, 15);
        pairs.retain(|(name, _)| !["start", "exit", "openings"].contains(name));
        let Some(level) = build(&pairs, &[], &mut context) else { continue };
        let pairs = with_any_endpoints(&pairs, &level, &mut rng);
        let level = build(&pairs, &[], &mut context).unwrap();
        let found = checked_stats(&level, &mut context);
        assert!(level.start() != level.exit() || (found.solution.length, found.difficulty.units()) == (0, 0));
        count += 1;
    }
}

#[test]
fn statistics_of_levels_in_masks_are_those_of_the_reference() {
    let (mut rng, mut buffers, mut count) = (rng("stats"), Buffers::default(), 0);
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
            match algorithm.kind {
                LevelKind::Maze => pairs.push(("braid", format!("0.{}", seed % 4))),
                LevelKind::Rooms => {
                    pairs.push(("door_size", (seed % 3 + 1).to_string()));
                    pairs.push(("min_room_area", "4".to_owned()));
                    pairs.push(("loops", format!("0.{}", seed % 4)));
                }
            }
            let mut context = context(&mut buffers);
            let Some(level) = build(&pairs, &mask, &mut context) else { continue };
            checked_stats(&level, &mut context);
            count += 1;
            for _ in 0..if algorithm.kind == LevelKind::Rooms { 20 } else { 1 } {
                let pairs = with_any_endpoints(&pairs, &level, &mut rng);
                checked_stats(&build(&pairs, &mask, &mut context).unwrap(), &mut context);
            }
        }
    }
    assert!(count >= 300, "{count}");
}
