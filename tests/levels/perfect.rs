//! Properties that every maze has, for each algorithm in the table that makes mazes.

use mazed::level::Level;
use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::grid::{Grid, Size, Tile};
use mazed::level::recipe::Recipe;
use mazed::level::solvers::SOLVERS;
use mazed::level::work::{Buffers, Cancel, JobContext};

use crate::fixtures::{self, context, fractions, mazes};

fn recipe(algorithm: &Algorithm, width: u32, height: u32, seed: u64) -> Recipe {
    let [width, height, text] = [width.into(), height.into(), seed].map(|number: u64| number.to_string());
    let fractions = fractions(algorithm, seed);
    let mut pairs = vec![("algo", algorithm.name), ("width", &width), ("height", &height), ("seed", &text)];
    pairs.extend(fractions.iter().map(|(name, value)| (*name, value.as_str())));
    fixtures::recipe(&pairs, &[""; 0]).unwrap()
}

/// Random odd sides up to 201, short ones more often. A third of the levels is square.
fn sides(seed: u64) -> (u32, u32) {
    let odd = |n: u64, most: u64| (n % (most / 2) * 2 + 3) as u32;
    let most = if seed.is_multiple_of(4) { 200 } else { 40 };
    let width = odd(seed.wrapping_mul(7919) / 3, most);
    (width, if seed.is_multiple_of(3) { width } else { odd(seed.wrapping_mul(104_729) / 5, most) })
}

/// The number of tiles that can be reached from [1, 1].
fn reached(grid: &Grid) -> usize {
    let size = grid.size();
    let mut seen = vec![false; size.area() as usize];
    let mut waiting = vec![Tile { x: 1, y: 1 }];
    let mut count = 0;
    while let Some(tile) = waiting.pop() {
        let Tile { x, y } = tile;
        if !grid.is_open(tile) || std::mem::replace(&mut seen[(y * size.width + x) as usize], true) {
            continue;
        }
        count += 1;
        // these steps stay inside the grid, because the border has no open tile, which another test checks
        waiting.extend([Tile { x, y: y - 1 }, Tile { x: x + 1, y }, Tile { x, y: y + 1 }, Tile { x: x - 1, y }]);
    }
    count
}

fn assert_perfect(grid: &Grid, label: &str) {
    let Size { width, height } = grid.size();
    let (mut open, mut adjacent_pairs) = (0, 0);
    for y in 0..height {
        for x in 0..width {
            let is_open = grid.is_open(Tile { x, y });
            let border = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
            assert!(!(border && is_open), "{label}: [{x}, {y}] opens the border");
            match (x % 2, y % 2) {
                (1, 1) => assert!(is_open, "{label}: the cell [{x}, {y}] is shut"),
                (0, 0) => assert!(!is_open, "{label}: the corner [{x}, {y}] is open"),
                _ => {}
            }
            if is_open {
                open += 1;
                adjacent_pairs +=
                    usize::from(grid.is_open(Tile { x: x + 1, y })) + usize::from(grid.is_open(Tile { x, y: y + 1 }));
            }
        }
    }
    assert_eq!(adjacent_pairs, open - 1, "{label}: loops or separate parts");
    assert_eq!(reached(grid), open, "{label}: tiles that cannot be reached");
}

#[test]
fn every_maze_is_perfect() {
    let mut buffers = Buffers::default();
    for algorithm in mazes() {
        for seed in 0..1_200 {
            let (width, height) = sides(seed);
            let level = Level::build(recipe(algorithm, width, height, seed), &mut context(&mut buffers)).unwrap();
            assert_perfect(level.grid(), &format!("{} {width}x{height} seed {seed}", algorithm.name));
        }
    }
}

#[test]
fn long_and_narrow_mazes_are_perfect() {
    let mut buffers = Buffers::default();
    for algorithm in mazes() {
        for (width, height) in [(3, 3), (3, 1001), (1001, 3), (5, 1001), (1001, 5), (129, 131), (257, 259), (127, 385)]
        {
            let level = Level::build(recipe(algorithm, width, height, 1), &mut context(&mut buffers)).unwrap();
            assert_perfect(level.grid(), &format!("{} {width}x{height}", algorithm.name));
        }
    }
}

#[test]
fn one_seed_gives_a_different_maze_for_each_algorithm() {
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    let mazes: Vec<_> = mazes().map(|row| Level::build(recipe(row, 41, 41, 7), &mut context).unwrap()).collect();
    for (i, a) in mazes.iter().enumerate() {
        assert!(mazes[..i].iter().all(|b| a.grid() != b.grid()), "{}", a.recipe().algorithm().name);
    }
}

#[test]
fn a_level_does_not_depend_on_what_its_buffers_held() {
    let mut used = Buffers::default();
    for algorithm in ALGORITHMS {
        for (width, height) in [(201, 201), (41, 77), (3, 3), (135, 61)] {
            let build = |buffers: &mut Buffers| {
                let mut context = context(buffers);
                let level = Level::build(recipe(algorithm, width, height, 5), &mut context).unwrap();
                let solutions: Vec<_> = SOLVERS
                    .iter()
                    .map(|solver| (solver.solve)(&level, level.start(), level.exit(), &mut context).unwrap())
                    .collect();
                let layout = level.into_layout();
                buffers.recycle(layout.clone());
                (layout, solutions)
            };
            let fresh = build(&mut Buffers::default());
            for _ in 0..2 {
                assert_eq!(build(&mut used), fresh, "{} {width}x{height}", algorithm.name);
            }
        }
    }
}

#[test]
fn a_cancelled_job_gives_no_level() {
    for algorithm in mazes() {
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::when(&|| true) };
        assert!(Level::build(recipe(algorithm, 301, 301, 1), &mut context).is_err(), "{}", algorithm.name);
    }
}
