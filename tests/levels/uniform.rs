//! Which algorithms give every perfect maze the same chance, and which do not.

use std::collections::{BTreeMap, BTreeSet};

use mazed::level::Level;
use mazed::level::algorithms::Algorithm;
use mazed::level::grid::{Grid, Tile};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::work::Buffers;

use crate::fixtures::{context, mazes, recipe};

/// The algorithms that give equal chances. All others must fail the same test.
const UNIFORM: [&str; 2] = ["wilson", "aldous_broder"];

/// Tiles along a side: 3 by 3 cells.
const SIDE: u32 = 7;
/// The number of perfect mazes of this size.
const MAZES: usize = 192;
/// How often each maze is expected.
const EXPECTED: u32 = 200;

/// What chi-square with 191 degrees of freedom exceeds once in 10,000 times. By the approximation of Wilson and
/// Hilferty (The distribution of chi-square, 1931), with z = 3.7190 the same quantile of the normal distribution and k
/// = 191: k (1 - 2 / 9k + z sqrt(2 / 9k))^3 = 191 (1 - 0.001163 + 0.126855)^3 = 272.5.
const QUANTILE: f64 = 272.5;

/// The tiles between two cells, in row-major order.
fn passages() -> Vec<Tile> {
    let inside = 1..SIDE - 1;
    let tiles = inside.clone().flat_map(|y| inside.clone().map(move |x| Tile { x, y }));
    tiles.filter(|tile| (tile.x + tile.y) % 2 == 1).collect()
}

/// Which passages are open, a bit each.
fn open_passages(grid: &Grid) -> u32 {
    passages().iter().zip(0..).map(|(tile, bit)| u32::from(grid.is_open(*tile)) << bit).sum()
}

/// Whether these passages join all cells without a loop: there are as many as a tree has, and each joins two parts that
/// were separate before.
fn is_perfect(open: u32) -> bool {
    let mut part: Vec<u32> = (0..9).collect();
    let joins_two = |part: &mut Vec<u32>, Tile { x, y }: Tile| {
        let step = if x % 2 == 0 { (1, 0) } else { (0, 1) };
        let cell = |x: u32, y: u32| part[(y / 2 * 3 + x / 2) as usize];
        let (a, b) = (cell(x - step.0, y - step.1), cell(x + step.0, y + step.1));
        part.iter_mut().filter(|other| **other == a).for_each(|other| *other = b);
        a != b
    };
    let open_tiles = passages().into_iter().zip(0..).filter(|(_, bit)| open >> bit & 1 == 1);
    open.count_ones() == 8 && open_tiles.fold(true, |all, (tile, _)| all & joins_two(&mut part, tile))
}

/// Chi-square of the mazes that an algorithm gives, against equal chances.
fn chi_square(algorithm: &Algorithm, mazes: &BTreeSet<u32>) -> f64 {
    let mut buffers = Buffers::default();
    let mut counts: BTreeMap<u32, u32> = mazes.iter().map(|maze| (*maze, 0)).collect();
    for seed in 0..MAZES as u32 * EXPECTED {
        let [side, seed] = [SIDE, seed].map(|number| number.to_string());
        let pairs = [("algo", algorithm.name), ("size", &side), ("seed", &seed)];
        let recipe = Recipe::from_pairs(&pairs, Limits::of_side(SIDE)).unwrap();
        let level = Level::build(recipe, &mut context(&mut buffers)).unwrap();
        *counts.get_mut(&open_passages(level.grid())).unwrap() += 1;
        buffers.recycle(level.into_layout());
    }
    counts.values().map(|count| f64::from(count.abs_diff(EXPECTED)).powi(2) / f64::from(EXPECTED)).sum()
}

/// The ring has so many cells along each side.
const RING: usize = 8;

#[test]
fn uniform_algorithms_shut_every_passage_of_a_ring_equally_often() {
    // a ring has one perfect maze for each passage that is shut; a random walk around the ring is long
    let cells = 4 * (RING - 1);
    let tiles = 2 * RING + 1;
    let outside = 3..tiles - 3;
    let row =
        |y: usize| (0..tiles).map(|x| if outside.contains(&x) && outside.contains(&y) { ' ' } else { '#' }).collect();
    let mask: Vec<String> = (0..tiles).map(row).collect();
    for name in UNIFORM {
        let (mut counts, mut buffers) = (BTreeMap::new(), Buffers::default());
        for seed in 0..cells as u32 * EXPECTED {
            let recipe = recipe(&[("algo", name), ("seed", &seed.to_string())], &mask).unwrap();
            let level = Level::build(recipe, &mut context(&mut buffers)).unwrap();
            let inside = (1..tiles as u32 - 1).flat_map(|y| (1..tiles as u32 - 1).map(move |x| Tile { x, y }));
            let between = inside.filter(|Tile { x, y }| (x + y) % 2 == 1);
            let shut = |tile: &Tile| {
                let (x, y) = (tile.x as usize, tile.y as usize);
                let on_ring = [1, tiles - 2].contains(&x) || [1, tiles - 2].contains(&y);
                on_ring && !level.grid().is_open(*tile)
            };
            let shut: Vec<_> = between.filter(shut).map(|tile| (tile.x, tile.y)).collect();
            assert_eq!(shut.len(), 1);
            *counts.entry(shut[0]).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), cells);
        let statistic = counts.values().map(|count| f64::from(count.abs_diff(EXPECTED)).powi(2) / f64::from(EXPECTED));
        // 27 degrees of freedom: by the same approximation exceeded once in 10,000 times
        assert!(statistic.clone().sum::<f64>() < 63.4, "{name} is not uniform: {}", statistic.sum::<f64>());
    }
}

#[test]
fn uniform_algorithms_give_every_maze_the_same_chance_and_no_other_does() {
    // every set of the 12 passages
    let trees: BTreeSet<u32> = (0..1 << 12).filter(|open| is_perfect(*open)).collect();
    assert_eq!(trees.len(), MAZES);
    assert!(UNIFORM.iter().all(|name| Algorithm::named(name).is_ok()));
    for algorithm in mazes() {
        let statistic = chi_square(algorithm, &trees);
        if UNIFORM.contains(&algorithm.name) {
            assert!(statistic < QUANTILE, "{} is not uniform: {statistic}", algorithm.name);
        } else {
            assert!(statistic > 3.0 * QUANTILE, "{} is as good as uniform: {statistic}", algorithm.name);
        }
    }
}
