use std::collections::BTreeMap;
use std::iter::successors;

use super::*;
use crate::level::grid::Shape;
use crate::level::rng::{Seed, Streams};

fn rng() -> Rng {
    Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0)
}

#[test]
fn the_newest_cell_is_right_after_any_removals() {
    let (mut rng, mut list) = (rng(), [0; 4_001]);
    let (mut active, mut expected) = (Active::new(&mut list), Vec::new());
    for step in 1..=20_000 {
        // more insertions than removals at first, fewer later
        if expected.len() < 3_000 && rng.below(20_000) > step {
            active.push(step as usize);
            expected.push(step as usize);
        } else if !expected.is_empty() {
            let position = if rng.below(2) == 0 { active.newest() } else { active.random(&mut rng) };
            let cell = active.cell(position);
            active.remove(position);
            expected.retain(|other| *other != cell);
        }
        let cells: Vec<_> = active.list[..active.len].iter().filter(|cell| **cell != HOLE).collect();
        assert!(cells.iter().map(|cell| **cell as usize).eq(expected.iter().copied()), "after {step} steps");
        assert_eq!(active.holes, active.len - expected.len());
        assert!(expected.is_empty() || active.cell(active.newest()) == expected[expected.len() - 1]);
    }
}

#[test]
fn random_cells_are_uniform_despite_holes() {
    let (mut rng, mut list) = (rng(), [0; 21]);
    let mut active = Active::new(&mut list);
    (1..=20).for_each(|cell| active.push(cell));
    for position in [0, 7, 8, 18] {
        active.remove(position);
    }
    assert_eq!(active.holes, 4);
    let mut counts = [0_u32; 21];
    for _ in 0..16 * 2_000 {
        counts[active.cell(active.random(&mut rng))] += 1;
    }
    for (cell, count) in counts.into_iter().enumerate() {
        // binomial with mean 2,000 and a standard deviation below 45, unless the cell was removed
        let range = if [0, 1, 8, 9, 19].contains(&cell) { 0..1 } else { 1_750..2_250 };
        assert!(range.contains(&count), "{cell}: {counts:?}");
    }
}

/// The directions of all cells after `grow`, and the steps between cells.
fn grown(side: usize, seed: u64, grow: impl Fn(&mut CellBytes, &mut [u32], Rng)) -> (Vec<u8>, [usize; 4]) {
    let (mut buffer, mut list) = (Vec::new(), vec![0; side * side + 1]);
    let mut cells = CellBytes::fill(&mut buffer, Shape::rectangle((side, side)), UNVISITED, 0);
    grow(&mut cells, &mut list, Streams::new(&Seed::Integer(seed.into()), "test", 0).stream(0, 0));
    let steps = cells.steps();
    (buffer, steps)
}

fn mixed(mix: u64) -> impl Fn(&mut CellBytes, &mut [u32], Rng) {
    move |cells, list, rng| grow_mixed(cells, mix, Active::new(list), rng, Cancel::never()).unwrap()
}

#[test]
fn random_picks_have_the_same_distribution_with_and_without_holes() {
    let mut counts = BTreeMap::<_, [u32; 2]>::new();
    for seed in 0..40_000 {
        let swaps = grown(3, seed, |cells, list, rng| grow_at_random(cells, list, rng, Cancel::never()).unwrap());
        let holes = grown(3, seed + 40_000, mixed(0));
        counts.entry(swaps.0).or_default()[0] += 1;
        counts.entry(holes.0).or_default()[1] += 1;
    }
    // Pearson's chi-squared of two samples, with at most 191 degrees of freedom: above 272.5 once in 10,000 times
    let parts = counts.values().map(|[a, b]| f64::from(a.abs_diff(*b)).powi(2) / f64::from(a + b));
    let statistic = parts.sum::<f64>();
    assert!(statistic < 272.5, "{statistic}");
}

#[test]
fn with_newest_picks_only_it_is_depth_first_search() {
    for seed in 0..20 {
        let (bytes, steps) = grown(20, seed, mixed(FRACTION_UNIT));
        let first = steps[2] + 1;
        let up = |index: usize| index.wrapping_add(steps[usize::from(bytes[index] >> SHIFT & 3)]);
        let leads_to = |from, to| successors(Some(from), |at| (*at != first).then(|| up(*at))).any(|at| at == to);
        // in a depth-first search, of any two neighbours, one lies on the path from the first cell to the other
        for index in (0..20).flat_map(|row| (0..19).map(move |column| first + row * steps[2] + column)) {
            assert!(leads_to(index, index + 1) || leads_to(index + 1, index), "seed {seed}, at {index}");
        }
        for index in (0..19).flat_map(|row| (0..20).map(move |column| first + row * steps[2] + column)) {
            let below = index + steps[2];
            assert!(leads_to(index, below) || leads_to(below, index), "seed {seed}, at {index}");
        }
    }
}
