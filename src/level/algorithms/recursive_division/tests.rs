use std::collections::{BTreeMap, VecDeque};

use super::*;
use crate::level::grid::{Bitmap, OpenTiles};
use crate::level::recipe::{Limits, Recipe};
use crate::level::work::{Buffers, Cancel};

fn recipe(columns: u32, rows: u32, seed: u64) -> Recipe {
    let [width, height] = [columns, rows].map(|cells| (2 * cells + 1).to_string());
    let pairs = [("algo", "recursive_division"), ("width", &width), ("height", &height)];
    let seed = seed.to_string();
    Recipe::from_pairs(&[&pairs[..], &[("seed", &seed)]].concat(), Limits::of_side(4001)).unwrap()
}

fn passages(recipe: &Recipe, buffers: &mut Buffers) -> Passages {
    let layout = generate(recipe.blueprint(), &mut JobContext { buffers, cancel: Cancel::never() }).unwrap();
    let OpenTiles::Maze(passages) = layout.grid.open_tiles else { unreachable!() };
    passages
}

/// The reference implementation, passage by passage. A region is its first column and row, its width and its height.
struct Oracle<'a> {
    recipe: &'a Recipe,
    passages: Passages,
}

impl Oracle<'_> {
    fn divide(&mut self, region: [u32; 4], rng: &mut Rng) {
        let [left, top, width, height] = region;
        if width == 1 || height == 1 {
            return;
        }
        if width > 64 || height > 64 {
            let [first, second] = self.wall(region, rng);
            let first_is_larger = first[2] * first[3] > second[2] * second[3];
            for part in if first_is_larger { [second, first] } else { [first, second] } {
                self.divide(part, rng);
            }
            return;
        }
        let number = u64::from(top) * self.passages.east.width() as u64 + u64::from(left);
        let mut rng = self.recipe.streams().stream(SMALL, number);
        let mut queue = VecDeque::from([region]);
        while let Some(region) = queue.pop_front() {
            queue.extend(self.wall(region, &mut rng).into_iter().filter(|part| part[2] > 1 && part[3] > 1));
        }
    }

    fn wall(&mut self, [left, top, width, height]: [u32; 4], rng: &mut Rng) -> [[u32; 4]; 2] {
        let before = 1 + rng.below(width.max(height) - 1);
        let roll = rng.below(2 * width.min(height));
        let (coin, gap) = (roll % 2 == 1, roll / 2);
        if height > width || height == width && coin {
            for x in (0..width).filter(|&x| x != gap) {
                self.passages.south.clear_run((left + x) as usize, (top + before - 1) as usize, 1);
            }
            [[left, top, width, before], [left, top + before, width, height - before]]
        } else {
            for y in (0..height).filter(|&y| y != gap) {
                self.passages.east.clear_run((left + before - 1) as usize, (top + y) as usize, 1);
            }
            [[left, top, before, height], [left + before, top, width - before, height]]
        }
    }
}

fn expected(recipe: &Recipe) -> Passages {
    let (columns, rows) = recipe.size().cells();
    let mut passages = Passages::new((columns, rows));
    for y in 0..rows {
        passages.east.set_run(0, y, columns - 1);
        if y + 1 < rows {
            passages.south.set_run(0, y, columns);
        }
    }
    let mut oracle = Oracle { recipe, passages };
    oracle.divide([0, 0, columns as u32, rows as u32], &mut recipe.streams().stream(LARGE, 0));
    oracle.passages
}

#[test]
fn words_give_what_the_reference_gives() {
    let mut buffers = Buffers::default();
    let large = [(64, 64), (65, 64), (64, 65), (200, 150), (150, 200), (300, 2), (2, 300), (500, 7), (400, 400)];
    let small = (1..=20).flat_map(|columns| (1..=20).map(move |rows| (columns, rows)));
    for ((columns, rows), seed) in large.into_iter().cycle().take(270).chain(small).zip(0..) {
        let recipe = recipe(columns, rows, seed);
        assert_eq!(passages(&recipe, &mut buffers), expected(&recipe), "{recipe}");
    }
}

/// For each outcome of the random numbers the passages that it shuts in a region, as bits. All outcomes are equally
/// likely if every wall of a region leaves the same number of outcomes.
fn outcomes([left, top, width, height]: [u32; 4]) -> Vec<u32> {
    if width == 1 || height == 1 {
        return vec![0];
    }
    let mut all = Vec::new();
    for down in [false, true].into_iter().filter(|down| if *down { height >= width } else { width >= height }) {
        let (long, length) = (width.max(height), width.min(height));
        for (before, gap) in (1..long).flat_map(|before| (0..length).map(move |gap| (before, gap))) {
            let along = (0..length).filter(|&i| i != gap);
            let (wall, parts) = if down {
                let row = top + before - 1;
                (
                    along.map(|i| bit(left + i, row, true)).sum::<u32>(),
                    [[left, top, width, before], [left, row + 1, width, height - before]],
                )
            } else {
                let column = left + before - 1;
                (
                    along.map(|i| bit(column, top + i, false)).sum(),
                    [[left, top, before, height], [column + 1, top, width - before, height]],
                )
            };
            let [first, second] = parts.map(outcomes);
            all.extend(first.iter().flat_map(|a| second.iter().map(move |b| wall | a | b)));
        }
    }
    all
}

const fn bit(column: u32, row: u32, down: bool) -> u32 {
    1 << (row * 4 + column + if down { 16 } else { 0 })
}

/// Checks that Pearson's chi-squared lies within five deviations of its mean, given pairs of a count and its weight.
fn assert_chances(counts: &[(u32, u32)], context: &str) {
    let (total, chances) = counts.iter().fold((0, 0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
    let freedom = f64::from(counts.len() as u32) - 1.0;
    let squared = |(count, weight): &(u32, u32)| {
        let mean = f64::from(total) * f64::from(*weight) / f64::from(chances);
        (f64::from(*count) - mean).powi(2) / mean
    };
    let sum = counts.iter().map(squared).sum::<f64>();
    assert!(sum <= freedom + 5.0 * (2.0 * freedom).sqrt(), "{context}: {sum} of {counts:?}");
}

#[test]
fn the_outcomes_of_small_regions_have_the_right_probabilities() {
    let mut buffers = Buffers::default();
    for (columns, rows) in [(2, 2), (3, 2), (2, 3), (4, 2), (3, 3)] {
        let mut counts = BTreeMap::new();
        for outcome in outcomes([0, 0, columns, rows]) {
            counts.entry(outcome).or_insert((0, 0)).1 += 1;
        }
        for seed in 0..40_000 {
            let Passages { east, south } = passages(&recipe(columns, rows, seed), &mut buffers);
            let mut shut = 0;
            for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
                let is_shut = |plane: &Bitmap| !plane.get(x as usize, y as usize);
                shut |= u32::from(x + 1 < columns && is_shut(&east)) * bit(x, y, false);
                shut |= u32::from(y + 1 < rows && is_shut(&south)) * bit(x, y, true);
            }
            counts.get_mut(&shut).unwrap().0 += 1;
        }
        let counts: Vec<_> = counts.into_values().collect();
        assert_chances(&counts, &format!("{columns} by {rows}"));
    }
}

/// Finds the first wall as the only one from side to side with one gap: the next walls, one in either part, run across
/// its direction.
#[test]
fn the_first_wall_and_its_gap_are_uniform() {
    let mut buffers = Buffers::default();
    let (mut axes, mut positions, mut gaps) = ([(0, 1); 2], [(0, 1); 99], [(0, 1); 100]);
    for seed in 0..4_000 {
        let Passages { east, south } = passages(&recipe(100, 100, seed), &mut buffers);
        let mut walls = Vec::new();
        for position in 0..99 {
            let across = (0..100).filter(|&y| east.get(position, y)).collect::<Vec<_>>();
            let down = (0..100).filter(|&x| south.get(x, position)).collect::<Vec<_>>();
            let lines = [across, down].into_iter().enumerate();
            walls.extend(lines.filter(|(_, open)| open.len() == 1).map(|(axis, open)| (axis, position, open[0])));
        }
        assert_eq!(walls.len(), 1, "{walls:?}");
        let (axis, position, gap) = walls[0];
        axes[axis].0 += 1;
        positions[position].0 += 1;
        gaps[gap].0 += 1;
    }
    assert_chances(&axes, "axes");
    assert_chances(&positions, "positions");
    assert_chances(&gaps, "gaps");
}

#[test]
fn a_transposed_square_has_its_rows_as_columns() {
    for side in [2, 4, 8, 16, 32, 64] {
        let mut rows = [0; SIDE];
        for (y, row) in rows.iter_mut().take(side).enumerate() {
            *row = (0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(y as u64 + 1)) & u64::MAX >> (64 - side);
        }
        let before = rows;
        transpose(&mut rows, side);
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            assert_eq!(rows[y] >> x & 1, before[x] >> y & 1, "{side}: {x} {y}");
        }
    }
}
