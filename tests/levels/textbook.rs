//! Each algorithm gives small mazes as often as its textbook form does: two-sample chi-square tests against generators
//! that are written as plainly as possible and share no code with the program.

mod generators;

use std::collections::BTreeMap;
use std::thread;

use mazed::level::Level;
use mazed::level::algorithms::Algorithm;
use mazed::level::grid::{OpenTiles, Passages};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::rng::Seed;
use mazed::level::work::Buffers;

use crate::fixtures::{context, mazes, rng};
use crate::textbook::generators::{Board, Generator, TEXTBOOK, VARIANTS};

/// Columns and rows of cells, and the mazes that each side of a comparison makes.
const BOARDS: [((usize, usize), u32); 2] = [((3, 3), 40_000), ((4, 3), 40_000)];

/// Mazes that both sides together gave less often than this count as one kind: chi-square is not exact for rare ones.
const RARE: u32 = 10;

/// The quantile of the normal distribution that is exceeded once in a million times.
const QUANTILE: f64 = 4.7534;

/// How often each maze came up.
type Counts = BTreeMap<u32, u32>;

fn count(mazes: impl Iterator<Item = u32>) -> Counts {
    let mut counts = Counts::new();
    mazes.for_each(|maze| *counts.entry(maze).or_default() += 1);
    counts
}

/// The mazes of the program: its algorithm, and an option if it is not at its default.
fn made(recipe: &str, board: Board, count_of_mazes: u32) -> Counts {
    let [width, height] = [board.columns, board.rows].map(|cells| (2 * cells + 1).to_string());
    let mut pairs = vec![("width", width.as_str()), ("height", &height), ("seed", "0")];
    pairs.extend(recipe.split('&').map(|pair| pair.split_once('=').unwrap_or(("algo", pair))));
    let recipe = Recipe::from_pairs(&pairs, Limits::of_side(41)).unwrap();
    let mut buffers = Buffers::default();
    count((0..count_of_mazes).map(|seed| {
        let level = Level::build(recipe.with_seed(Seed::Integer(seed.into())), &mut context(&mut buffers)).unwrap();
        let OpenTiles::Maze(Passages { east, south }) = &level.grid().open_tiles else { unreachable!() };
        let is_open = |cell: usize, other: usize| {
            let plane = if other == cell + 1 { east } else { south };
            plane.get(cell % board.columns, cell / board.columns)
        };
        let bits =
            board.edges().into_iter().zip(0..).map(|((cell, other), bit)| u32::from(is_open(cell, other)) << bit);
        let open = bits.sum();
        buffers.recycle(level.into_layout());
        open
    }))
}

/// The mazes of a textbook.
fn expected(name: &str, generator: Generator, board: Board, count_of_mazes: u32) -> Counts {
    let mut rng = rng(&format!("textbook {name}"));
    count((0..count_of_mazes).map(|_| generator(board, &mut rng)))
}

/// Chi-square of two samples of the same size, and what it exceeds once in a million times if both have the same
/// distribution: by the approximation of Wilson and Hilferty (The distribution of chi-square, 1931).
fn chi_square(one: &Counts, other: &Counts) -> (f64, f64) {
    let mazes = one.keys().chain(other.keys().filter(|maze| !one.contains_key(maze)));
    let pairs = mazes.map(|maze| [one, other].map(|counts| counts.get(maze).copied().unwrap_or(0)));
    let (rare, mut pairs): (Vec<_>, Vec<_>) = pairs.partition(|[a, b]| a + b < RARE);
    let rare = rare.iter().fold([0, 0], |sum, pair| [sum[0] + pair[0], sum[1] + pair[1]]);
    if rare != [0, 0] {
        pairs.push(rare);
    }
    let statistic = pairs.iter().map(|[a, b]| f64::from(a.abs_diff(*b)).powi(2) / f64::from(a + b)).sum();
    let freedom = f64::from(pairs.len() as u32 - 1);
    let ninth = 2.0 / (9.0 * freedom);
    (statistic, freedom * (1.0 - ninth + QUANTILE * ninth.sqrt()).powi(3))
}

/// Runs a comparison of each of `items` on a thread of its own.
fn all<T: Sync>(items: &[T], compare: impl Fn(&T, Board, u32) + Sync) {
    thread::scope(|scope| {
        for item in items {
            let compare = &compare;
            scope.spawn(move || {
                for ((columns, rows), count_of_mazes) in BOARDS {
                    compare(item, Board { columns, rows }, count_of_mazes);
                }
            });
        }
    });
}

#[test]
fn every_algorithm_gives_each_maze_as_often_as_its_textbook() {
    for algorithm in mazes() {
        let named = |recipe: &str| Algorithm::named(recipe.split('&').next().unwrap()).unwrap().name;
        assert!(TEXTBOOK.iter().any(|(recipe, _)| named(recipe) == algorithm.name), "{} has no row", algorithm.name);
    }
    all(TEXTBOOK, |&(recipe, generator), board, count_of_mazes| {
        let made = made(recipe, board, count_of_mazes);
        let (statistic, most) = chi_square(&made, &expected(recipe, generator, board, count_of_mazes));
        assert!(statistic < most, "{recipe} on {board:?}: {statistic:.1}, not below {most:.1}");
    });
}

#[test]
fn a_wrong_rule_would_be_noticed() {
    all(VARIANTS, |&(recipe, what, variant), board, count_of_mazes| {
        let made = made(recipe, board, count_of_mazes);
        let (statistic, most) = chi_square(&made, &expected(what, variant, board, count_of_mazes));
        assert!(statistic > most, "{recipe} equals {what} on {board:?}: {statistic:.1}, not above {most:.1}");
    });
}
