//! Farthest starts and exits.

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::{LevelKind, Tile};
use mazed::level::work::Buffers;

use crate::oracle::distances;
use crate::shapes::{build, masks};

/// The farthest tile from `from`, of several the first in row-major order, and the steps to it.
fn farthest(level: &Level, from: Tile) -> (Tile, u32) {
    distances(level, &[from]).farthest()
}

#[test]
fn one_farthest_endpoint_is_farthest_from_the_other_and_two_are_the_ends_of_a_longest_path() {
    let mut buffers = Buffers::default();
    let masks = masks();
    for algorithm in ALGORITHMS {
        for seed in 0..40 {
            let mask = if algorithm.masks && seed % 3 == 0 { &masks[seed % masks.len()].1[..] } else { &[] };
            let (seed, side) = (seed.to_string(), (2 * (seed % 12) + 3).to_string());
            let mut pairs = vec![("algo", algorithm.name), ("seed", seed.as_str())];
            if mask.is_empty() {
                pairs.push(("size", &side));
            }
            let mut endpoints = |endpoints: &[(&'static str, &'static str)]| {
                let level = build(&[&pairs[..], endpoints].concat(), mask, &mut buffers);
                let label = level.recipe().to_string();
                (level, label)
            };
            let (level, label) = endpoints(&[("exit", "farthest")]);
            assert_eq!(farthest(&level, level.start()).0, level.exit(), "{label}");
            let (level, label) = endpoints(&[("start", "farthest")]);
            assert_eq!(farthest(&level, level.exit()).0, level.start(), "{label}");

            let (level, label) = endpoints(&[("start", "farthest"), ("exit", "farthest")]);
            let (start, exit) = (level.start(), level.exit());
            assert!((start.y, start.x) <= (exit.y, exit.x), "{label}");
            let from_start = distances(&level, &[start]);
            let length = from_start[exit];
            if algorithm.kind == LevelKind::Rooms {
                assert!([start, exit].iter().any(|end| farthest(&level, *end).1 == length), "{label}");
            } else if from_start.reached().count() < 120 {
                // only in small levels, because this searches from every tile
                let longest = from_start.reached().map(|(tile, _)| farthest(&level, tile).1).max();
                assert_eq!(Some(length), longest, "{label}");
            }
        }
    }
}
