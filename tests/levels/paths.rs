//! Every solver on every algorithm, between random open tiles, against the reference search.

use mazed::level::Level;
use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::grid::{LevelKind, Tile};
use mazed::level::rng::Rng;
use mazed::level::solvers::{SOLVERS, Solution};
use mazed::level::work::{Buffers, JobContext};

use crate::fixtures::{build, context, mazes, recipe, rng};
use crate::oracle::{distances, open_tiles};

const SEEDS: u64 = 1_000;

/// A level with random sides of at most 31 tiles; every fourth one has openings in its border.
fn any_level(algorithm: &Algorithm, seed: u64, rng: &mut Rng, context: &mut JobContext) -> Level {
    let mut side = || match algorithm.kind {
        LevelKind::Maze => rng.below(15) * 2 + 3,
        LevelKind::Rooms => rng.below(29) + 3,
    };
    let (width, height) = (side(), side());
    let mut pairs = vec![("algo", algorithm.name.to_owned()), ("width", width.to_string())];
    pairs.extend([("height", height.to_string()), ("seed", seed.to_string())]);
    pairs.extend([("openings", seed.is_multiple_of(4).to_string())]);
    build(&pairs, context)
}

/// Two random open tiles. In half of the levels with openings the first is an opening, and the second may be one.
fn any_endpoints(level: &Level, rng: &mut Rng) -> [Tile; 2] {
    let open = open_tiles(level);
    let mut any = || open[rng.below(open.len() as u32) as usize];
    let endpoints = [any(), any()];
    match level.grid().openings {
        Some(openings) if rng.below(2) == 0 => [openings[rng.below(2) as usize], endpoints[rng.below(2) as usize]],
        _ => endpoints,
    }
}

#[test]
fn every_path_is_legal_and_a_shortest_path_is_shortest() {
    let mut rng = rng("ways");
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    for algorithm in ALGORITHMS {
        for seed in 0..SEEDS {
            let level = any_level(algorithm, seed, &mut rng, &mut context);
            let endpoints =
                [[level.start(), level.exit()], any_endpoints(&level, &mut rng), any_endpoints(&level, &mut rng)];
            for [from, to] in endpoints {
                let distance = distances(&level, &[from])[to] as usize;
                for solver in SOLVERS {
                    let label = || format!("{} on {} from {from:?} to {to:?}", solver.name, level.recipe());
                    match (solver.solve)(&level, from, to, &mut context).unwrap() {
                        Solution::Found(moves) => {
                            let mut tile = from;
                            for step in &moves {
                                tile = tile.step(*step);
                                assert!(level.grid().is_open(tile), "{}: into a wall", label());
                            }
                            assert_eq!(tile, to, "{}", label());
                            assert!(moves.len() >= distance, "{}: {} of {distance} steps", label(), moves.len());
                            assert!(!solver.shortest || moves.len() == distance, "{}: not a shortest path", label());
                        }
                        Solution::Unreachable(reason) => {
                            // in a maze without loops a wall follower visits every tile
                            assert!(!solver.shortest && level.plan().is_some(), "{}: {reason}", label());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn openings_side_by_side_are_one_step_apart() {
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    for algorithm in mazes() {
        for (braid, seed) in ["0", "1"].into_iter().flat_map(|braid| (0..40).map(move |seed| (braid, seed))) {
            let seed = seed.to_string();
            let pairs = [
                ("algo", algorithm.name),
                ("size", "9"),
                ("start", "1,1"),
                ("exit", "2,1"),
                ("openings", "true"),
                ("braid", braid),
                ("seed", &seed),
            ];
            // if the passage at the exit is shut, there is no such level
            let Ok(level) = Level::build(recipe(&pairs, &[""; 0]).unwrap(), &mut context) else { continue };
            assert_eq!(level.grid().openings, Some([Tile { x: 1, y: 0 }, Tile { x: 2, y: 0 }]));
            let open = open_tiles(&level);
            for from in &open {
                let distances = distances(&level, &[*from]);
                for (to, solver) in open.iter().flat_map(|to| SOLVERS.iter().map(move |solver| (to, solver))) {
                    let label = || format!("{} on {} from {from:?} to {to:?}", solver.name, level.recipe());
                    // the four tiles around the openings are a loop, in which a wall follower may find no wall
                    let Solution::Found(moves) = (solver.solve)(&level, *from, *to, &mut context).unwrap() else {
                        assert!(!solver.shortest, "{}", label());
                        continue;
                    };
                    assert!(!solver.shortest || moves.len() == distances[*to] as usize, "{}", label());
                }
            }
        }
    }
}
