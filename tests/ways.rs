//! Every solver on every algorithm, between any two open tiles, against a search that is written for nothing but to be
//! plain.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod plain;

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::{LevelKind, Tile};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::rng::{Rng, Seed, Streams};
use mazed::level::solvers::{SOLVERS, Solution};
use mazed::level::work::{Buffers, Cancel, JobContext};
use plain::{distances, open_tiles};

const SEEDS: u64 = 1_000;

fn build(pairs: &[(&str, String)], context: &mut JobContext) -> Level {
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Level::build(Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap(), context).unwrap()
}

/// A level of some seed and size, up to 31 tiles a side; every fourth one with open tiles in its border.
fn any_level(algorithm: &str, sides: LevelKind, seed: u64, rng: &mut Rng, context: &mut JobContext) -> Level {
    let mut side = || match sides {
        LevelKind::Maze => rng.below(15) * 2 + 3,
        LevelKind::Rooms => rng.below(29) + 3,
    };
    let (width, height) = (side(), side());
    let mut pairs = vec![("algo", algorithm.to_owned()), ("width", width.to_string())];
    pairs.extend([("height", height.to_string()), ("seed", seed.to_string())]);
    pairs.extend([("openings", seed.is_multiple_of(4).to_string())]);
    build(&pairs, context)
}

/// Any two open tiles: of every second level with open tiles in the border one of these first.
fn any_ends(level: &Level, rng: &mut Rng) -> [Tile; 2] {
    let open = open_tiles(level);
    let mut any = || open[rng.below(open.len() as u32) as usize];
    let endpoints = [any(), any()];
    match level.grid().openings {
        Some(openings) if rng.below(2) == 0 => [openings[rng.below(2) as usize], endpoints[rng.below(2) as usize]],
        _ => endpoints,
    }
}

#[test]
fn every_way_is_legal_and_a_shortest_one_is_shortest() {
    let mut rng = Streams::new(&Seed::Integer(7), "ways", 0).stream(0, 0);
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    for algorithm in ALGORITHMS {
        for seed in 0..SEEDS {
            let level = any_level(algorithm.name, algorithm.kind, seed, &mut rng, &mut context);
            for [from, to] in [[level.start(), level.exit()], any_ends(&level, &mut rng), any_ends(&level, &mut rng)] {
                let distance = distances(&level, from)[&to];
                for solver in SOLVERS {
                    let label = format!("{} on {} from {from:?} to {to:?}", solver.name, level.recipe());
                    match (solver.solve)(&level, from, to, &mut context).unwrap() {
                        Solution::Found(moves) => {
                            let mut tile = from;
                            for step in &moves {
                                tile = tile.step(*step);
                                assert!(level.grid().is_open(tile), "{label}: into a wall");
                            }
                            assert_eq!(tile, to, "{label}");
                            assert!(moves.len() >= distance, "{label}: {} of {distance} steps", moves.len());
                            assert!(!solver.shortest || moves.len() == distance, "{label}: not a shortest way");
                        }
                        Solution::Unreachable(reason) => {
                            // in a maze without loops a walker comes by every tile
                            assert!(!solver.shortest && level.plan().is_some(), "{label}: {reason}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn open_tiles_of_the_border_side_by_side_are_a_step_apart() {
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.kind == LevelKind::Maze) {
        for (braid, seed) in ["0", "1"].into_iter().flat_map(|braid| (0..40).map(move |seed| (braid, seed))) {
            let pairs = [("algo", algorithm.name), ("size", "9"), ("start", "1,1"), ("exit", "2,1")];
            let mut pairs: Vec<_> = pairs.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
            pairs.extend([("openings", "true".into()), ("braid", braid.into()), ("seed", seed.to_string())]);
            let pairs: Vec<_> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap();
            // the passage between them is not always open
            let Ok(level) = Level::build(recipe, &mut context) else { continue };
            assert_eq!(level.grid().openings, Some([Tile { x: 1, y: 0 }, Tile { x: 2, y: 0 }]));
            let open = open_tiles(&level);
            for from in &open {
                let distances = distances(&level, *from);
                for (to, solver) in open.iter().flat_map(|to| SOLVERS.iter().map(move |solver| (to, solver))) {
                    let label = format!("{} on {} from {from:?} to {to:?}", solver.name, level.recipe());
                    // the four tiles there are a loop, in which a hand may find no wall
                    let Solution::Found(moves) = (solver.solve)(&level, *from, *to, &mut context).unwrap() else {
                        assert!(!solver.shortest, "{label}");
                        continue;
                    };
                    assert!(!solver.shortest || moves.len() == distances[to], "{label}");
                }
            }
        }
    }
}
