//! The texture of each algorithm's mazes, in figures: an accidental change of an algorithm changes them.

use mazed::level::Level;
use mazed::level::grid::{OpenTiles, Passages};
use mazed::level::parameters::options::OptionId;
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::work::Buffers;

use crate::fixtures::{context, mazes};

/// Levels of each algorithm, 20 by 20 cells each.
const SEEDS: u32 = 200;
const SIDE: &str = "41";

/// The expected means over [`SEEDS`] levels of one algorithm, each with its tolerance.
struct Texture {
    /// The algorithm, and an option if it is not at its default.
    recipe: &'static str,
    /// Cells with one passage, in percent of all cells.
    dead_ends: (f64, f64),
    /// Passages from left to right, in percent of all passages.
    horizontal: (f64, f64),
    /// Cells of the longest path that visits no cell twice.
    longest: (f64, f64),
}

/// Where a comment gives no other source, the figures are means over 40,000 seeds from 1,000 on, none of which this
/// test uses. Tolerances are five standard errors of a mean over [`SEEDS`] levels. To add the row of a new algorithm,
/// run the test without it: it fails with the figures. Half of the passages are horizontal if an algorithm treats right
/// and down alike.
const TEXTURES: &[Texture] = &[
    // measured by others: 30.2 % dead ends
    Texture { recipe: "kruskal", dead_ends: (30.29, 0.5), horizontal: (50.0, 0.7), longest: (82.9, 4.5) },
    // Exact for n by n cells: the first cell is a dead end, any other of the first row and column with chance 1/2, a
    // cell inside with chance 1/4, and none of the last row and column: (1 + (n - 1) + (n - 2)^2 / 4) / n^2. All paths
    // lead right and down to the last cell, so the longest ones hardly differ.
    Texture { recipe: "binary_tree", dead_ends: (25.25, 0.5), horizontal: (50.0, 0.85), longest: (72.5, 1.0) },
    // measured by others: 10.6 %
    Texture { recipe: "dfs", dead_ends: (10.54, 0.35), horizontal: (50.0, 0.85), longest: (229.6, 9.0) },
    // measured by others: 30.2 %
    Texture { recipe: "prim", dead_ends: (30.23, 0.5), horizontal: (50.0, 0.7), longest: (83.5, 4.5) },
    // A cell either opens to the right or ends a run, with equal chances, and each run opens upwards once: so there are
    // as many passages upwards as to the right.
    Texture { recipe: "sidewinder", dead_ends: (27.37, 0.51), horizontal: (50.0, 0.87), longest: (82.7, 2.4) },
    // A coin decides about each passage to the right, another coin about each passage downwards. The second coin is
    // overruled if a set of cells would otherwise end, so there are more passages downwards.
    Texture { recipe: "eller", dead_ends: (28.98, 0.49), horizontal: (40.85, 0.71), longest: (89.2, 4.4) },
    Texture { recipe: "recursive_division", dead_ends: (27.15, 0.56), horizontal: (50.0, 0.81), longest: (102.3, 5.7) },
    Texture { recipe: "prim_simplified", dead_ends: (34.89, 0.5), horizontal: (50.0, 0.7), longest: (67.4, 2.5) },
    // with `mix=1` only newest cells are picked, which is depth-first search
    Texture { recipe: "growing_tree&mix=1", dead_ends: (10.54, 0.35), horizontal: (50.0, 0.85), longest: (229.6, 9.0) },
    Texture { recipe: "growing_tree&mix=0", dead_ends: (27.26, 0.5), horizontal: (50.0, 1.1), longest: (68.9, 2.1) },
    Texture { recipe: "growing_tree", dead_ends: (22.44, 0.5), horizontal: (50.0, 0.8), longest: (96.5, 4.2) },
    // A hunt scans row by row, so it treats the two directions differently.
    Texture { recipe: "hunt_and_kill", dead_ends: (9.85, 0.3), horizontal: (49.61, 0.8), longest: (155.9, 8.4) },
    // Exact for 20 by 20 cells, by Kirchhoff's theorem: a cell is a dead end in as many spanning trees as it has
    // neighbours times the spanning trees of the rest. On the infinite grid it is 8/pi^2 (1 - 2/pi) = 29.45 % (Manna,
    // Dhar and Majumdar, Spanning trees in two dimensions, 1992); borders take a little off.
    Texture { recipe: "wilson", dead_ends: (29.04, 0.5), horizontal: (50.0, 0.75), longest: (92.9, 5.2) },
    Texture { recipe: "aldous_broder", dead_ends: (29.04, 0.5), horizontal: (50.0, 0.75), longest: (92.9, 5.2) },
];

fn number(count: usize) -> f64 {
    f64::from(count as u32)
}

/// The three figures of a maze.
fn measure(passages: &Passages) -> [f64; 3] {
    let (columns, rows) = (passages.east.width(), passages.east.height());
    let cells: Vec<_> = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))).collect();
    let dead_ends = cells.iter().filter(|cell| neighbours(passages, **cell).count() == 1).count();
    let horizontal = passages.east.count() as usize;
    let longest = farthest(passages, farthest(passages, (0, 0)).0).1;
    let percent = |part, all| 100.0 * number(part) / number(all);
    [percent(dead_ends, cells.len()), percent(horizontal, cells.len() - 1), number(longest)]
}

/// The cells that an open passage leads to.
fn neighbours(passages: &Passages, (x, y): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    let right = passages.east.get(x, y).then_some((x + 1, y));
    let below = passages.south.get(x, y).then_some((x, y + 1));
    let left = (x > 0 && passages.east.get(x - 1, y)).then(|| (x - 1, y));
    let above = (y > 0 && passages.south.get(x, y - 1)).then(|| (x, y - 1));
    [right, below, left, above].into_iter().flatten()
}

/// The cell that is farthest from another, and the number of cells on the path. In a tree such a cell is an endpoint of
/// a longest path.
fn farthest(passages: &Passages, from: (usize, usize)) -> ((usize, usize), usize) {
    let (mut best, mut waiting) = ((from, 1), vec![(from, from, 1)]);
    while let Some((cell, before, length)) = waiting.pop() {
        if length > best.1 {
            best = (cell, length);
        }
        let on = neighbours(passages, cell).filter(|next| *next != before);
        waiting.extend(on.map(|next| (next, cell, length + 1)));
    }
    best
}

/// The mean of each figure and its standard error.
fn means(recipe: &str, seeds: std::ops::Range<u32>) -> [(f64, f64); 3] {
    let mut buffers = Buffers::default();
    let count = f64::from(seeds.end - seeds.start);
    let mut sums = [(0.0, 0.0); 3];
    for seed in seeds {
        let seed = seed.to_string();
        let mut pairs = vec![("size", SIDE), ("seed", &seed)];
        pairs.extend(recipe.split('&').map(|pair| pair.split_once('=').unwrap_or(("algo", pair))));
        let recipe = Recipe::from_pairs(&pairs, Limits::of_side(41)).unwrap();
        let level = Level::build(recipe, &mut context(&mut buffers)).unwrap();
        let OpenTiles::Maze(passages) = &level.grid().open_tiles else { unreachable!() };
        for ((sum, squares), figure) in sums.iter_mut().zip(measure(passages)) {
            *sum += figure;
            *squares += figure * figure;
        }
    }
    sums.map(|(sum, squares)| {
        let mean = sum / count;
        (mean, ((squares / count - mean * mean) / (count - 1.0)).sqrt())
    })
}

/// A recipe of every algorithm that makes mazes: at its defaults, and with each fraction at its least and at its
/// greatest value, except `braid`, which works on every maze alike.
fn recipes() -> Vec<String> {
    let mut recipes = Vec::new();
    for algorithm in mazes() {
        recipes.push(algorithm.name.to_owned());
        for row in algorithm.options.iter().filter(|option| **option != OptionId::Braid).map(|option| option.row()) {
            let (least, most) = row.kind.bounds();
            recipes.extend(
                [least, most].map(|value| format!("{}&{}={}", algorithm.name, row.name, row.kind.format(value))),
            );
        }
    }
    recipes
}

#[test]
fn every_algorithm_keeps_its_texture() {
    let mut errors = Vec::new();
    for recipe in recipes() {
        let measured = means(&recipe, 0..SEEDS);
        let Some(texture) = TEXTURES.iter().find(|texture| texture.recipe == recipe) else {
            let found = means(&recipe, 1_000..41_000).map(|(mean, _)| mean);
            let tolerances = measured.map(|(_, error)| 5.0 * error);
            errors.push(format!("{recipe} has no row: {found:.2?}, tolerances {tolerances:.2?}"));
            continue;
        };
        let expected = [texture.dead_ends, texture.horizontal, texture.longest];
        for ((name, (mean, _)), (middle, tolerance)) in
            ["dead ends", "horizontal", "longest path"].iter().zip(measured).zip(expected)
        {
            if (mean - middle).abs() > tolerance {
                errors.push(format!("{recipe}: {name} {mean:.2}, not {middle} ± {tolerance}"));
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}
