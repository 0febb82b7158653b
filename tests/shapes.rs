//! What a level can be told beyond its size: masks, second ways out of dead ends, openings, and ends that are farthest.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod plain;

use std::collections::HashSet;

use mazed::level::Level;
use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::error::{Error, ParameterError};
use mazed::level::grid::{Direction, LevelKind, OpenTiles, Size, Tile};
use mazed::level::parameters::{Parameters, Value};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::solvers::{SOLVERS, Solution};
use mazed::level::work::{Buffers, Cancel, JobContext};
use plain::{distances, fractions};

fn recipe(pairs: &[(&str, &str)], mask: &[String]) -> Result<Recipe, Vec<ParameterError>> {
    let texts = pairs.iter().map(|&(name, value)| (name.into(), Ok(Value::Bare(value.into()))));
    let mut all: Vec<_> = texts.collect();
    if !mask.is_empty() {
        all.push(("mask".into(), Ok(Value::Rows(mask.iter().map(|row| row.as_str().into()).collect()))));
    }
    let mut given = Parameters::new(all);
    let recipe = Recipe::read(&mut given, Limits::of_side(4001), || 0);
    given.finish(recipe, Vec::new)
}

fn build(pairs: &[(&str, &str)], mask: &[String], buffers: &mut Buffers) -> Level {
    Level::build(recipe(pairs, mask).unwrap(), &mut JobContext { buffers, cancel: Cancel::never() }).unwrap()
}

fn mazes() -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS.iter().filter(|algorithm| algorithm.kind == LevelKind::Maze)
}

/// A mask drawn with a character a cell, each blown up to its tile and those around it.
fn mask_of_cells(cells: &[&str]) -> Vec<String> {
    let (columns, rows) = (cells[0].len(), cells.len());
    let inside = |x: usize, y: usize| {
        let near = |at: usize, most: usize| [at.wrapping_sub(1) / 2, at / 2].into_iter().filter(move |at| *at < most);
        near(y, rows).any(|row| near(x, columns).any(|column| cells[row].as_bytes()[column] != b' '))
    };
    let row = |y| (0..=2 * columns).map(|x| if inside(x, y) { '#' } else { ' ' }).collect();
    (0..=2 * rows).map(row).collect()
}

/// The cells of a square spiral, one wide, with one between its arms.
fn spiral(side: usize) -> Vec<String> {
    let mut cells = vec![vec![b' '; side]; side];
    let (mut x, mut y, mut way) = (0_usize, 0_usize, Direction::Right);
    cells[0][0] = b'#';
    let ahead = |x: usize, y: usize, way: Direction, steps: i32| {
        let (dx, dy) = way.offset();
        (x.wrapping_add_signed((dx * steps) as isize), y.wrapping_add_signed((dy * steps) as isize))
    };
    let mut turns = 0;
    while turns < 2 {
        let (next, beyond) = (ahead(x, y, way, 1), ahead(x, y, way, 2));
        let taken = |(x, y): (usize, usize)| cells.get(y).and_then(|row| row.get(x)).map(|cell| *cell == b'#');
        if taken(next) == Some(false) && taken(beyond) != Some(true) {
            (x, y) = next;
            cells[y][x] = b'#';
            turns = 0;
        } else {
            way = way.to_the_right();
            turns += 1;
        }
    }
    cells.into_iter().map(|row| String::from_utf8(row).unwrap()).collect()
}

/// Masks by name.
fn masks() -> Vec<(&'static str, Vec<String>)> {
    let drawn = |cells: &[&str]| mask_of_cells(cells);
    let spiral = spiral(21);
    let spiral: Vec<_> = spiral.iter().map(String::as_str).collect();
    let wide: Vec<_> = (0..18)
        .map(|y: u32| {
            (0..70).map(|x: u32| if (x / 3 + y / 2).is_multiple_of(5) && y % 7 > 2 { ' ' } else { '#' }).collect()
        })
        .collect::<Vec<String>>();
    let wide: Vec<_> = wide.iter().map(String::as_str).collect();
    vec![
        ("ring", drawn(&["#########", "#########", "##     ##", "##     ##", "##     ##", "#########", "#########"])),
        ("cross", drawn(&["   ###   ", "   ###   ", "#########", "#########", "   ###   ", "   ###   "])),
        ("spiral", drawn(&spiral)),
        (
            "holes",
            drawn(&["##########", "## ## ## #", "##########", "# ### ## #", "##########", "##  ###  #", "##########"]),
        ),
        ("necks", drawn(&["####    ###", "####    ###", "###########", "####    ###", "   #      #", "####  #####"])),
        ("comb", drawn(&["# # # # # #", "# # # # # #", "# # # # # #", "###########"])),
        ("hanging comb", drawn(&["###########", "# # # # # #", "# # # # # #", "# # # # # #"])),
        ("late first cell", drawn(&["        #", "       ##", " ########", "##       ", "#        "])),
        ("one cell", drawn(&["   ", " # ", "   "])),
        ("words", drawn(&wide)),
    ]
}

/// The number of open tiles and of joints between them, the tiles that can be reached from the first one, and the shape.
fn assert_perfect_in(level: &Level, mask: &[String], label: &str) {
    let grid = level.grid();
    let Size { width, height } = grid.size();
    assert_eq!((width as usize, height as usize), (mask[0].chars().count(), mask.len()), "{label}");
    let (mut open, mut joints) = (HashSet::new(), 0);
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
            joints += usize::from(grid.is_open(tile.step(Direction::Right)));
            joints += usize::from(grid.is_open(tile.step(Direction::Down)));
        }
    }
    assert_eq!(joints, open.len() - 1, "{label}: loops or parts");
    let mut reached = HashSet::new();
    let mut waiting = vec![level.start()];
    while let Some(tile) = waiting.pop() {
        if grid.is_open(tile) && reached.insert(tile) {
            waiting.extend(Direction::ALL.map(|way| tile.step(way)));
        }
    }
    assert_eq!(reached.len(), open.len(), "{label}: parts out of reach");
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
fn every_solver_finds_the_way_in_a_mask() {
    let mut buffers = Buffers::default();
    for (name, mask) in masks() {
        for algorithm in mazes().filter(|algorithm| algorithm.masks) {
            for (seed, braid) in (0..8).flat_map(|seed| ["0", "0.5"].map(|braid| (seed, braid))) {
                let pairs = [("algo", algorithm.name), ("seed", &seed.to_string()), ("braid", braid)];
                let level = build(&pairs, &mask, &mut buffers);
                let shortest = distances(&level, level.start())[&level.exit()];
                for solver in SOLVERS {
                    let label = format!("{} of {} in the {name}, seed {seed} {braid}", solver.name, algorithm.name);
                    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
                    match (solver.solve)(&level, level.start(), level.exit(), &mut context).unwrap() {
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
fn a_mask_that_leaves_nothing_out_is_none() {
    let whole = vec!["#".repeat(21); 15];
    let walls_only = mask_of_cells(&["# #", " # "]).iter().map(|row| row.replace('#', "x")).collect::<Vec<_>>();
    // what of a maze is no cell is a tile of a room map
    let mut pillars = mask_of_cells(&["##", "##"]);
    pillars[2] = "# # #".to_owned();
    for algorithm in ALGORITHMS {
        let masked = recipe(&[("algo", algorithm.name), ("seed", "7")], &pillars).unwrap();
        assert_eq!(masked.mask().is_some(), algorithm.kind == LevelKind::Rooms, "{}", algorithm.name);
        let plain = recipe(&[("algo", algorithm.name), ("width", "21"), ("height", "15"), ("seed", "7")], &[]).unwrap();
        let masked = recipe(&[("algo", algorithm.name), ("seed", "7")], &whole).unwrap();
        assert_eq!(masked, plain, "{}", algorithm.name);
        assert_eq!(masked.to_string(), plain.to_string());
        let parted = recipe(&[("algo", algorithm.name), ("seed", "7")], &walls_only).unwrap();
        assert!(parted.to_string().contains('#'), "{parted}");
    }
}

#[test]
fn what_a_mask_cannot_be_built_in_is_refused_for_all_seeds_alike() {
    let message = |algorithm: &str, mask: &[String], seed: &str| {
        let recipe = recipe(&[("algo", algorithm), ("seed", seed)], mask).unwrap();
        let mut buffers = Buffers::default();
        match Level::build(recipe, &mut JobContext { buffers: &mut buffers, cancel: Cancel::never() }) {
            Err(Error::Unbuildable(faults)) => {
                assert_eq!((faults.len(), faults[0].parameter.as_str()), (1, "mask"));
                faults[0].message.clone()
            }
            other => panic!("{other:?}"),
        }
    };
    // pieces of cells as of tiles
    let drawn = |rows: &[&str]| rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>();
    let pieces = drawn(&["       ", " ##    ", "       ", "     # ", "       ", " #     ", "       "]);
    let many = drawn(&[&" ".repeat(41), &format!(" {}", "#   ".repeat(10)), &" ".repeat(41)]);
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
fn a_mask_in_which_a_random_walk_might_take_too_long_is_refused_before_it_begins() {
    let corridors = spiral(301);
    let corridors = mask_of_cells(&corridors.iter().map(String::as_str).collect::<Vec<_>>());
    let hall = vec!["#".repeat(301); 301];
    let hall: Vec<_> = hall.iter().map(|row| row.replacen("###", "   ", 1)).collect();
    for algorithm in mazes().filter(|algorithm| algorithm.masks) {
        let walks = ["wilson", "aldous_broder"].contains(&algorithm.name);
        for (mask, refused) in [(&corridors, walks), (&hall, false)] {
            let recipe = recipe(&[("algo", algorithm.name), ("seed", "7")], mask).unwrap();
            let mut buffers = Buffers::default();
            match Level::build(recipe, &mut JobContext { buffers: &mut buffers, cancel: Cancel::never() }) {
                Ok(_) => assert!(!refused, "{}", algorithm.name),
                Err(Error::Unbuildable(faults)) => {
                    assert!(refused && faults[0].message.contains("kruskal"), "{}: {faults:?}", algorithm.name);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

/// The tile that is farthest from `from`, the first in row order.
fn farthest(level: &Level, from: Tile) -> (usize, Tile) {
    let all = distances(level, from);
    let most = *all.values().max().unwrap();
    let tiles = all.into_iter().filter(|(_, steps)| *steps == most).map(|(tile, _)| tile);
    (most, tiles.min_by_key(|tile| (tile.y, tile.x)).unwrap())
}

#[test]
fn one_farthest_end_is_farthest_from_the_other_and_two_are_the_ends_of_a_longest_path() {
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
            assert_eq!(farthest(&level, level.start()).1, level.exit(), "{label}");
            let (level, label) = endpoints(&[("start", "farthest")]);
            assert_eq!(farthest(&level, level.exit()).1, level.start(), "{label}");

            let (level, label) = endpoints(&[("start", "farthest"), ("exit", "farthest")]);
            let (start, exit) = (level.start(), level.exit());
            assert!((start.y, start.x) <= (exit.y, exit.x), "{label}");
            let length = distances(&level, start)[&exit];
            if algorithm.kind == LevelKind::Maze {
                let tiles = distances(&level, start);
                let longest = tiles.keys().map(|tile| farthest(&level, *tile).0).max();
                // the oracle searches from every tile
                if tiles.len() < 120 {
                    assert_eq!(Some(length), longest, "{label}");
                }
            } else {
                assert!([start, exit].iter().any(|end| farthest(&level, *end).0 == length), "{label}");
            }
        }
    }
}

/// Cells with one open passage.
fn dead_ends(level: &Level) -> Vec<Tile> {
    let Size { width, height } = level.grid().size();
    let cells = (1..height).step_by(2).flat_map(|y| (1..width).step_by(2).map(move |x| Tile { x, y }));
    let open = |tile: Tile| Direction::ALL.into_iter().filter(|way| level.grid().is_open(tile.step(*way))).count();
    cells.filter(|tile| level.grid().is_open(*tile) && open(*tile) == 1).collect()
}

#[test]
fn a_share_of_the_dead_ends_gets_a_second_way_out_and_nothing_else_changes() {
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
            let plain = build(&pairs, mask, &mut buffers);
            let before = dead_ends(&plain);
            // those that have a cell beside them to which no passage leads
            let beside = |tile: Tile, way: Direction| tile.step(way).step(way);
            let can = |tile: &&Tile| {
                let shut = Direction::ALL.into_iter().filter(|way| !plain.grid().is_open(tile.step(*way)));
                shut.map(|way| beside(**tile, way)).any(|cell| plain.grid().is_open(cell))
            };
            let able = before.iter().filter(can).count();
            for (share, parts) in
                [("0", 0), ("0.0001", 1), ("0.25", 2_500), ("0.5", 5_000), ("0.9999", 9_999), ("1", 10_000)]
            {
                let level = build(&[&pairs[..], &[("braid", share)]].concat(), mask, &mut buffers);
                let label = level.recipe().to_string();
                let left: HashSet<_> = dead_ends(&level).into_iter().collect();
                assert!(left.iter().all(|tile| before.contains(tile)), "{label}: a new dead end");
                let wanted = (before.len() * parts + 5_000) / 10_000;
                let opened = before.len() - left.len();
                if opened != wanted.min(able) {
                    // the last one has only neighbours that are to stay dead ends, or has none
                    assert!(
                        opened < wanted && opened + 1 >= wanted.min(able) || wanted > able,
                        "{label}: {opened} of {wanted}"
                    );
                }
                assert_eq!(opened == 0, level.grid() == plain.grid(), "{label}");
                // every passage that came leads from a dead end
                let Size { width, height } = plain.grid().size();
                for tile in (0..height).flat_map(|y| (0..width).map(move |x| Tile { x, y })) {
                    let (was, is) = (plain.grid().is_open(tile), level.grid().is_open(tile));
                    assert!(is || !was, "{label}: {tile:?} was shut");
                    if is && !was {
                        assert!(
                            Direction::ALL.iter().any(|way| before.contains(&tile.step(*way))),
                            "{label}: {tile:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_braided_maze_has_no_parents_any_more_and_its_random_numbers_are_its_own() {
    let mut buffers = Buffers::default();
    let plain = build(&[("algo", "dfs"), ("seed", "7")], &[], &mut buffers);
    let braided = build(&[("algo", "dfs"), ("seed", "7"), ("braid", "0.5")], &[], &mut buffers);
    assert!(plain.parents().is_some() && braided.parents().is_none());
    let open = |level: &Level| match &level.grid().floor {
        OpenTiles::Maze(passages) => passages.east.count() + passages.south.count(),
        OpenTiles::Rooms(_) => 0,
    };
    assert!(open(&braided) > open(&plain));
    assert_eq!(build(&[("algo", "dfs"), ("seed", "7"), ("braid", "0.5")], &[], &mut buffers).grid(), braided.grid());
}

#[test]
fn openings_open_one_tile_of_the_border_beside_each_end() {
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
            // the default exit is in the last corner, with the border to its right
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
                let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
                let route = (solver.solve)(&level, level.start(), level.exit(), &mut context).unwrap();
                let Solution::Found(moves) = route else {
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
        match Level::build(
            recipe(pairs, &[]).unwrap(),
            &mut JobContext { buffers: &mut buffers, cancel: Cancel::never() },
        ) {
            Err(Error::Unbuildable(faults)) => faults.into_iter().map(|fault| fault.parameter).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(faulty(&[("openings", "true"), ("start", "3,3"), ("exit", "5,5")]), ["start", "exit"]);
    assert_eq!(faulty(&[("openings", "true"), ("exit", "5,5")]), ["exit"]);
    assert_eq!(faulty(&[("openings", "true"), ("start", "1,5"), ("exit", "1,5")]), ["exit"], "one border tile for two");
    for endpoints in
        [&[("start", "farthest")][..], &[("exit", "farthest")], &[("start", "farthest"), ("exit", "farthest")]]
    {
        let faults = recipe(&[&[("openings", "true")], endpoints].concat(), &[]).unwrap_err();
        assert_eq!(faults.len(), endpoints.len(), "{faults:?}");
    }
}
