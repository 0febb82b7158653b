//! Braiding: dead ends get a second passage, which makes loops.

use std::collections::HashSet;

use mazed::level::Level;
use mazed::level::grid::{Direction, OpenTiles, Tile};
use mazed::level::work::Buffers;

use crate::fixtures::mazes;
use crate::oracle::{open_neighbours, open_tiles, tiles};
use crate::shapes::{build, masks};

/// Cells with one open passage.
fn dead_ends(level: &Level) -> Vec<Tile> {
    let cells = open_tiles(level).into_iter().filter(|tile| tile.x % 2 == 1 && tile.y % 2 == 1);
    cells.filter(|tile| open_neighbours(level, *tile).count() == 1).collect()
}

#[test]
fn a_fraction_of_the_dead_ends_is_opened_and_nothing_else_changes() {
    let mut buffers = Buffers::default();
    let masks = masks();
    for algorithm in mazes() {
        for seed in 0..60 {
            let mask = if algorithm.masks && seed % 4 == 0 { &masks[seed % masks.len()].1[..] } else { &[] };
            let text = seed.to_string();
            let mut pairs = vec![("algo", algorithm.name), ("seed", text.as_str())];
            let side = (2 * (seed % 15) + 9).to_string();
            if mask.is_empty() {
                pairs.push(("size", &side));
            }
            let unbraided = build(&pairs, mask, &mut buffers);
            let before = dead_ends(&unbraided);
            // a dead end can be opened if a cell lies beside it to which no passage leads yet
            let beside = |tile: Tile, direction: Direction| tile.step(direction).step(direction);
            let can = |tile: &&Tile| {
                let is_shut = |direction: &Direction| !unbraided.grid().is_open(tile.step(*direction));
                let shut = Direction::ALL.into_iter().filter(is_shut);
                shut.map(|direction| beside(**tile, direction)).any(|cell| unbraided.grid().is_open(cell))
            };
            let able = before.iter().filter(can).count();
            for (braid, units) in
                [("0", 0), ("0.0001", 1), ("0.25", 2_500), ("0.5", 5_000), ("0.9999", 9_999), ("1", 10_000)]
            {
                let level = build(&[&pairs[..], &[("braid", braid)]].concat(), mask, &mut buffers);
                let label = level.recipe().to_string();
                let left: HashSet<_> = dead_ends(&level).into_iter().collect();
                assert!(left.iter().all(|tile| before.contains(tile)), "{label}: a new dead end");
                let wanted = (before.len() * units + 5_000) / 10_000;
                let opened = before.len() - left.len();
                if opened != wanted.min(able) {
                    // the last dead end has no neighbours, or only dead ends that must stay
                    assert!(
                        opened < wanted && opened + 1 >= wanted.min(able) || wanted > able,
                        "{label}: {opened} of {wanted}"
                    );
                }
                assert_eq!(opened == 0, level.grid() == unbraided.grid(), "{label}");
                // every new passage leads from a dead end
                for tile in tiles(&unbraided) {
                    let (was, is) = (unbraided.grid().is_open(tile), level.grid().is_open(tile));
                    assert!(is || !was, "{label}: {tile:?} was shut");
                    if is && !was {
                        assert!(
                            Direction::ALL.iter().any(|direction| before.contains(&tile.step(*direction))),
                            "{label}: {tile:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_braided_maze_has_no_parents_and_random_numbers_of_its_own() {
    let mut buffers = Buffers::default();
    let unbraided = build(&[("algo", "dfs"), ("seed", "7")], &[], &mut buffers);
    let braided = build(&[("algo", "dfs"), ("seed", "7"), ("braid", "0.5")], &[], &mut buffers);
    assert!(unbraided.parents().is_some() && braided.parents().is_none());
    let open = |level: &Level| match &level.grid().open_tiles {
        OpenTiles::Maze(passages) => passages.east.count() + passages.south.count(),
        OpenTiles::Rooms(_) => 0,
    };
    assert!(open(&braided) > open(&unbraided));
    assert_eq!(build(&[("algo", "dfs"), ("seed", "7"), ("braid", "0.5")], &[], &mut buffers).grid(), braided.grid());
}
