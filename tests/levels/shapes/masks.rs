//! Mazes in masks, and the masks that give an error.

use std::collections::HashSet;

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::error::Error;
use mazed::level::grid::{Direction, LevelKind, Size, Tile};
use mazed::level::solvers::{SOLVERS, Solution};
use mazed::level::work::Buffers;

use crate::fixtures::{context, fractions, mazes, recipe};
use crate::oracle::distances;
use crate::shapes::{build, mask_of_cells, masks, spiral};

/// Checks that a level is a perfect maze of exactly the cells inside a mask.
fn assert_perfect_in(level: &Level, mask: &[String], label: &str) {
    let grid = level.grid();
    let Size { width, height } = grid.size();
    assert_eq!((width as usize, height as usize), (mask[0].chars().count(), mask.len()), "{label}");
    let (mut open, mut adjacent_pairs) = (HashSet::new(), 0);
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let tile = Tile { x, y };
        let inside = mask[y as usize].as_bytes()[x as usize] != b' ';
        if x % 2 == 1 && y % 2 == 1 {
            assert_eq!(grid.is_open(tile), inside, "{label}: the cell {tile:?}");
        } else if grid.is_open(tile) {
            assert!(x % 2 == 1 || y % 2 == 1, "{label}: {tile:?} is a corner");
        }
        if grid.is_open(tile) {
            open.insert(tile);
            assert!(!grid.is_void(tile), "{label}: {tile:?} is void and open");
            adjacent_pairs += usize::from(grid.is_open(tile.step(Direction::Right)));
            adjacent_pairs += usize::from(grid.is_open(tile.step(Direction::Down)));
        }
    }
    assert_eq!(adjacent_pairs, open.len() - 1, "{label}: loops or separate parts");
    let mut reached = HashSet::new();
    let mut waiting = vec![level.start()];
    while let Some(tile) = waiting.pop() {
        if grid.is_open(tile) && reached.insert(tile) {
            waiting.extend(Direction::ALL.map(|direction| tile.step(direction)));
        }
    }
    assert_eq!(reached.len(), open.len(), "{label}: tiles that cannot be reached");
}

#[test]
fn mazes_are_perfect_in_every_mask() {
    let mut buffers = Buffers::default();
    for (name, mask) in masks() {
        for algorithm in mazes().filter(|algorithm| algorithm.masks) {
            for seed in 0..60 {
                let label = format!("{} in the {name}, seed {seed}", algorithm.name);
                let (text, fractions) = (seed.to_string(), fractions(algorithm, seed));
                let mut pairs = vec![("algo", algorithm.name), ("seed", text.as_str())];
                pairs.extend(fractions.iter().map(|(name, value)| (*name, value.as_str())));
                let level = build(&pairs, &mask, &mut buffers);
                assert_perfect_in(&level, &mask, &label);
                buffers.recycle(level.into_layout());
            }
        }
    }
}

#[test]
fn every_solver_finds_the_exit_in_a_mask() {
    let mut buffers = Buffers::default();
    for (name, mask) in masks() {
        for algorithm in mazes().filter(|algorithm| algorithm.masks) {
            for (seed, braid) in (0..8).flat_map(|seed| ["0", "0.5"].map(|braid| (seed, braid))) {
                let pairs = [("algo", algorithm.name), ("seed", &seed.to_string()), ("braid", braid)];
                let level = build(&pairs, &mask, &mut buffers);
                let shortest = distances(&level, &[level.start()])[level.exit()] as usize;
                for solver in SOLVERS {
                    let label = format!("{} of {} in the {name}, seed {seed} {braid}", solver.name, algorithm.name);
                    match (solver.solve)(&level, level.start(), level.exit(), &mut context(&mut buffers)).unwrap() {
                        Solution::Found(moves) => {
                            let mut tile = level.start();
                            for step in &moves {
                                tile = tile.step(*step);
                                assert!(level.grid().is_open(tile), "{label}");
                            }
                            assert_eq!(tile, level.exit(), "{label}");
                            assert!(!solver.shortest || moves.len() == shortest, "{label}");
                        }
                        Solution::Unreachable(_) => assert!(!solver.shortest && braid != "0", "{label}"),
                    }
                }
            }
        }
    }
}

#[test]
fn a_mask_without_void_tiles_is_the_same_as_no_mask() {
    let whole = vec!["#".repeat(21); 15];
    let walls_only = mask_of_cells(&["# #", " # "]).iter().map(|row| row.replace('#', "x")).collect::<Vec<_>>();
    // a tile between cells counts in a room map only
    let mut pillars = mask_of_cells(&["##", "##"]);
    pillars[2] = "# # #".to_owned();
    for algorithm in ALGORITHMS {
        let masked = recipe(&[("algo", algorithm.name), ("seed", "7")], &pillars).unwrap();
        assert_eq!(masked.mask().is_some(), algorithm.kind == LevelKind::Rooms, "{}", algorithm.name);
        let bare =
            recipe(&[("algo", algorithm.name), ("width", "21"), ("height", "15"), ("seed", "7")], &[""; 0]).unwrap();
        let masked = recipe(&[("algo", algorithm.name), ("seed", "7")], &whole).unwrap();
        assert_eq!(masked, bare, "{}", algorithm.name);
        assert_eq!(masked.to_string(), bare.to_string());
        let with_void = recipe(&[("algo", algorithm.name), ("seed", "7")], &walls_only).unwrap();
        assert!(with_void.to_string().contains('#'), "{with_void}");
    }
}

#[test]
fn a_mask_that_cannot_be_built_gives_the_same_error_for_all_seeds() {
    let message = |algorithm: &str, mask: &[String], seed: &str| {
        let recipe = recipe(&[("algo", algorithm), ("seed", seed)], mask).unwrap();
        let mut buffers = Buffers::default();
        match Level::build(recipe, &mut context(&mut buffers)) {
            Err(Error::Unbuildable(errors)) => {
                assert_eq!((errors.len(), errors[0].parameter.as_str()), (1, "mask"));
                errors[0].message.clone()
            }
            other => panic!("{other:?}"),
        }
    };
    // three components, whether cells or tiles are counted
    let mask = |rows: &[&str]| rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>();
    let pieces = mask(&["       ", " ##    ", "       ", "     # ", "       ", " #     ", "       "]);
    let many = mask(&[&" ".repeat(41), &format!(" {}", "#   ".repeat(10)), &" ".repeat(41)]);
    for algorithm in ALGORITHMS {
        for seed in ["1", "x"] {
            let ring = &masks()[0].1;
            let text = message(algorithm.name, &pieces, seed);
            if algorithm.masks {
                assert!(text.contains("3 pieces") && text.contains("[1,1], [5,3], [1,5]"), "{text}");
                assert!(message(algorithm.name, &many, seed).contains("10 pieces"));
                let none = vec![" ".repeat(9); 9];
                let text = message(algorithm.name, &none, seed);
                assert!(text.contains(if algorithm.kind == LevelKind::Maze { "no cell" } else { "no tile" }), "{text}");
            } else {
                let able = ALGORITHMS.iter().filter(|other| other.masks);
                let text = message(algorithm.name, ring, seed);
                able.for_each(|other| assert!(text.contains(other.name), "{text}"));
            }
        }
    }
}

#[test]
fn a_mask_in_which_a_random_walk_could_take_too_long_gives_an_error_at_once() {
    let corridors = spiral(301);
    let corridors = mask_of_cells(&corridors.iter().map(String::as_str).collect::<Vec<_>>());
    let hall = vec!["#".repeat(301); 301];
    let hall: Vec<_> = hall.iter().map(|row| row.replacen("###", "   ", 1)).collect();
    for algorithm in mazes().filter(|algorithm| algorithm.masks) {
        let walks = ["wilson", "aldous_broder"].contains(&algorithm.name);
        for (mask, fails) in [(&corridors, walks), (&hall, false)] {
            let recipe = recipe(&[("algo", algorithm.name), ("seed", "7")], mask).unwrap();
            let mut buffers = Buffers::default();
            match Level::build(recipe, &mut context(&mut buffers)) {
                Ok(_) => assert!(!fails, "{}", algorithm.name),
                Err(Error::Unbuildable(errors)) => {
                    assert!(fails && errors[0].message.contains("kruskal"), "{}: {errors:?}", algorithm.name);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
