//! Openings in the border.

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::error::Error;
use mazed::level::grid::{LevelKind, Tile};
use mazed::level::solvers::{SOLVERS, Solution};
use mazed::level::work::Buffers;

use crate::fixtures::{context, recipe};
use crate::shapes::build;

#[test]
fn openings_open_one_border_tile_beside_each_endpoint() {
    let mut buffers = Buffers::default();
    for algorithm in ALGORITHMS {
        for (endpoints, openings) in [
            (vec![], [(1, 0), (21, 20)]),
            (vec![("start", "1,5"), ("exit", "19,1")], [(0, 5), (19, 0)]),
            (vec![("start", "1,1"), ("exit", "1,1")], [(1, 0), (0, 1)]),
            (vec![("start", "19,19"), ("exit", "19,19")], [(20, 19), (19, 20)]),
            (vec![("start", "1,19"), ("exit", "1,19")], [(0, 19), (1, 20)]),
        ] {
            let mut pairs = vec![("algo", algorithm.name), ("size", "21"), ("seed", "7"), ("rooms", "4")];
            if algorithm.kind == LevelKind::Maze {
                pairs.pop();
            }
            let shut = build(&[&pairs[..], &endpoints].concat(), &[], &mut buffers);
            let level = build(&[&pairs[..], &endpoints, &[("openings", "true")]].concat(), &[], &mut buffers);
            let expected = openings.map(|(x, y)| Tile { x, y });
            // the default exit is in the last corner, where the border to the right comes first
            let expected = if endpoints.is_empty() { [expected[0], Tile { x: 20, y: 19 }] } else { expected };
            assert_eq!(level.grid().openings, Some(expected), "{}", level.recipe());
            let mut row = vec![0; level.grid().words_per_row()];
            for y in 0..21 {
                level.grid().read_row(y as usize, &mut row);
                for x in 0..21 {
                    let tile = Tile { x, y };
                    let open = shut.grid().is_open(tile) || expected.contains(&tile);
                    assert_eq!(level.grid().is_open(tile), open, "{tile:?} of {}", level.recipe());
                    assert_eq!(row[0] >> x & 1 == 1, open, "{tile:?} of {}", level.recipe());
                }
            }
            for solver in SOLVERS {
                let solution = (solver.solve)(&level, level.start(), level.exit(), &mut context(&mut buffers)).unwrap();
                let Solution::Found(moves) = solution else {
                    assert!(!solver.shortest && level.plan().is_some());
                    continue;
                };
                let mut tile = level.start();
                for step in moves {
                    tile = tile.step(step);
                    assert!(level.grid().is_open(tile), "{} leaves {}", solver.name, level.recipe());
                }
                assert_eq!(tile, level.exit());
            }
        }
    }
}

#[test]
fn openings_need_a_border() {
    let faulty = |pairs: &[(&str, &str)]| {
        let mut buffers = Buffers::default();
        match Level::build(recipe(pairs, &[""; 0]).unwrap(), &mut context(&mut buffers)) {
            Err(Error::Unbuildable(errors)) => errors.into_iter().map(|error| error.parameter).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(faulty(&[("openings", "true"), ("start", "3,3"), ("exit", "5,5")]), ["start", "exit"]);
    assert_eq!(faulty(&[("openings", "true"), ("exit", "5,5")]), ["exit"]);
    assert_eq!(
        faulty(&[("openings", "true"), ("start", "1,5"), ("exit", "1,5")]),
        ["exit"],
        "one border tile for two openings"
    );
    for endpoints in
        [&[("start", "farthest")][..], &[("exit", "farthest")], &[("start", "farthest"), ("exit", "farthest")]]
    {
        let errors = recipe(&[&[("openings", "true")], endpoints].concat(), &[""; 0]).unwrap_err();
        assert_eq!(errors.len(), endpoints.len(), "{errors:?}");
    }
}
