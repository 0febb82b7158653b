//! Growing tree: keep a list of active cells, at first the first cell alone. Each step picks an active cell and opens
//! the way to a random unvisited neighbour, which becomes active; a cell that has none is active no longer.
//!
//! How the cell is picked gives the texture: always the newest is depth-first search, always a random one gives short
//! branches, and `mix` says how often which.
//!
//! Where only random cells are picked, the order of the list means nothing, so a cell is taken out by putting another in
//! its place. Nor does it matter then when a cell without unvisited neighbours is taken out, for the picks that do grow
//! the tree are uniform among the others in any case: one that has just lost its last is replaced by it at once, which
//! spares every second pick in vain. Where newest cells are picked too, the list keeps its order, and what is taken out
//! leaves a hole until there are many.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::cell_bytes::{CellBytes, SHIFT};
use crate::level::algorithms::choices::{CHOICES, COUNTS, Rolls, choice, strides, ways};
use crate::level::error::Error;
use crate::level::grid::{Direction, Layout, LevelKind};
use crate::level::parameters::options::{FRACTION_UNIT, OptionId};
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled, JobContext, recycled};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "growing_tree",
    aliases: &[],
    summary: "grows from one cell: picks an active cell, the newest or a random one, and opens a way to a random new one",
    character: "as mix has it: at 1 the long winding corridors of dfs, at 0 short branches and many dead ends",
    source: "Jamis Buck, Mazes for Programmers, 2015",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid, OptionId::Mix],
    work_bytes: |blueprint| 2 * blueprint.size().area(),
    generate,
};

/// A cell not yet visited. A visited one and the border do not count.
const UNVISITED: u8 = COUNTS;

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut cells = CellBytes::fill(&mut context.buffers.board, blueprint.shape(), UNVISITED, 0);
    // one more, for what is written behind the end
    let list = recycled(&mut context.buffers.indices, cells.count() + 1);
    let rng = blueprint.streams().stream(0, 0);
    match blueprint.options().get(OptionId::Mix) {
        0 => grow_at_random(&mut cells, list, rng, context.cancel)?,
        mix => grow_mixed(&mut cells, mix, Active::new(list), rng, context.cancel)?,
    }
    Ok(cells.tree(&mut context.buffers.planes, None))
}

/// Grows the tree over all cells, and picks random cells only.
fn grow_at_random(cells: &mut CellBytes, list: &mut [u32], mut rng: Rng, cancel: Cancel) -> Result<(), Cancelled> {
    let (steps, first, mut unvisited) = (cells.steps(), cells.first(), cells.count() - 1);
    let (strides, mut rolls) = (strides(steps), Rolls::new());
    let bytes = &mut *cells.bytes;
    bytes[first] = (Direction::Up as u8) << SHIFT;
    list[0] = first as u32;
    let mut len = 1;
    for step in 0_usize.. {
        if unvisited == 0 {
            break;
        }
        if step.is_multiple_of(4096) {
            cancel.check()?;
        }
        let pick = rng.below(len as u32) as usize;
        let index = list[pick] as usize;
        let open = ways(bytes, index, steps);
        if open == 0 {
            len -= 1;
            list[pick] = list[len];
            continue;
        }
        let choice = choice(open, rolls.next(&mut rng));
        let next = index.wrapping_add(strides[choice]);
        bytes[next] = (CHOICES[choice] ^ 2) << SHIFT;
        // behind the end, and in the place of a cell that has no other way to go
        let was_last = open.is_power_of_two();
        list[len] = next as u32;
        list[pick] = if was_last { next } else { index } as u32;
        len += usize::from(!was_last);
        unvisited -= 1;
    }
    Ok(())
}

/// Coins that one word gives.
const COINS: usize = 4;

/// Grows the tree over all cells; `mix` picks of [`FRACTION_UNIT`] take the newest active cell.
fn grow_mixed(
    cells: &mut CellBytes,
    mix: u64,
    mut active: Active,
    mut rng: Rng,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let (steps, first, mut unvisited) = (cells.steps(), cells.first(), cells.count() - 1);
    let strides = strides(steps);
    let (mut rolls, mut coins) = (Rolls::new(), [0; COINS]);
    let bytes = &mut *cells.bytes;
    bytes[first] = (Direction::Up as u8) << SHIFT;
    active.push(first);
    for step in 0_usize.. {
        if unvisited == 0 {
            break;
        }
        if step.is_multiple_of(4096) {
            cancel.check()?;
        }
        if step.is_multiple_of(COINS) {
            coins = rng.digits::<FRACTION_UNIT, COINS>();
        }
        let pick = if coins[step % COINS] < mix { active.newest() } else { active.random(&mut rng) };
        let index = active.cell(pick);
        let open = ways(bytes, index, steps);
        if open == 0 {
            active.remove(pick);
            continue;
        }
        let choice = choice(open, rolls.next(&mut rng));
        let next = index.wrapping_add(strides[choice]);
        bytes[next] = (CHOICES[choice] ^ 2) << SHIFT;
        active.push(next);
        unvisited -= 1;
    }
    Ok(())
}

/// Stands where a cell was taken out: the index of no cell.
const HOLE: u32 = 0;

/// The active cells, the oldest first, with holes among them; the last one is none.
struct Active<'a> {
    list: &'a mut [u32],
    len: usize,
    holes: usize,
}

impl<'a> Active<'a> {
    fn new(list: &'a mut [u32]) -> Self {
        Self { list, len: 0, holes: 0 }
    }

    #[inline]
    fn push(&mut self, cell: usize) {
        self.list[self.len] = cell as u32;
        self.len += 1;
    }

    #[inline]
    fn cell(&self, place: usize) -> usize {
        self.list[place] as usize
    }

    /// The place of the newest cell.
    #[inline]
    fn newest(&self) -> usize {
        self.len - 1
    }

    /// The place of a random cell: any place, drawn anew where it is a hole.
    #[inline]
    fn random(&self, rng: &mut Rng) -> usize {
        loop {
            let place = rng.below(self.len as u32) as usize;
            if self.list[place] != HOLE {
                return place;
            }
        }
    }

    /// Takes the cell at a place out; the places of others may change.
    #[inline]
    fn remove(&mut self, place: usize) {
        self.list[place] = HOLE;
        self.holes += 1;
        while self.len > 0 && self.list[self.len - 1] == HOLE {
            self.len -= 1;
            self.holes -= 1;
        }
        if self.holes > self.len / 4 {
            self.close_up();
        }
    }

    /// Moves the cells together, in their order.
    #[cold]
    fn close_up(&mut self) {
        let mut len = 0;
        for place in 0..self.len {
            self.list[len] = self.list[place];
            len += usize::from(self.list[len] != HOLE);
        }
        (self.len, self.holes) = (len, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::iter::successors;

    use super::*;
    use crate::level::grid::Shape;
    use crate::level::rng::{Seed, Streams};

    fn rng() -> Rng {
        Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0)
    }

    #[test]
    fn the_newest_is_the_newest_whichever_were_taken_out() {
        let (mut rng, mut list) = (rng(), [0; 4_001]);
        let (mut active, mut plain) = (Active::new(&mut list), Vec::new());
        for step in 1..=20_000 {
            // more cells than are taken out at first, then fewer
            if plain.len() < 3_000 && rng.below(20_000) > step {
                active.push(step as usize);
                plain.push(step as usize);
            } else if !plain.is_empty() {
                let place = if rng.below(2) == 0 { active.newest() } else { active.random(&mut rng) };
                let cell = active.cell(place);
                active.remove(place);
                plain.retain(|other| *other != cell);
            }
            let cells: Vec<_> = active.list[..active.len].iter().filter(|cell| **cell != HOLE).collect();
            assert!(cells.iter().map(|cell| **cell as usize).eq(plain.iter().copied()), "after {step} steps");
            assert_eq!(active.holes, active.len - plain.len());
            assert!(plain.is_empty() || active.cell(active.newest()) == plain[plain.len() - 1]);
        }
    }

    #[test]
    fn a_random_cell_is_any_with_equal_chance_beside_holes() {
        let (mut rng, mut list) = (rng(), [0; 21]);
        let mut active = Active::new(&mut list);
        (1..=20).for_each(|cell| active.push(cell));
        for place in [0, 7, 8, 18] {
            active.remove(place);
        }
        assert_eq!(active.holes, 4);
        let mut counts = [0_u32; 21];
        for _ in 0..16 * 2_000 {
            counts[active.cell(active.random(&mut rng))] += 1;
        }
        for (cell, count) in counts.into_iter().enumerate() {
            // binomial with mean 2,000 and a deviation below 45, where the cell is still there
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
    fn random_picks_alone_give_the_same_chances_with_and_without_holes() {
        let mut counts = BTreeMap::<_, [u32; 2]>::new();
        for seed in 0..40_000 {
            let swaps = grown(3, seed, |cells, list, rng| grow_at_random(cells, list, rng, Cancel::never()).unwrap());
            let holes = grown(3, seed + 40_000, mixed(0));
            counts.entry(swaps.0).or_default()[0] += 1;
            counts.entry(holes.0).or_default()[1] += 1;
        }
        // the chi-square of two samples, with at most 191 degrees of freedom: above 272.5 once in 10,000 times
        let parts = counts.values().map(|[a, b]| f64::from(a.abs_diff(*b)).powi(2) / f64::from(a + b));
        let statistic = parts.sum::<f64>();
        assert!(statistic < 272.5, "{statistic}");
    }

    #[test]
    fn with_the_newest_cell_alone_it_is_depth_first_search() {
        for seed in 0..20 {
            let (bytes, steps) = grown(20, seed, mixed(FRACTION_UNIT));
            let first = steps[2] + 1;
            let up = |index: usize| index.wrapping_add(steps[usize::from(bytes[index] >> SHIFT & 3)]);
            let leads_to = |from, to| successors(Some(from), |at| (*at != first).then(|| up(*at))).any(|at| at == to);
            // of two neighbours that depth-first search comes by, one is on the way to the other
            for index in (0..20).flat_map(|row| (0..19).map(move |column| first + row * steps[2] + column)) {
                assert!(leads_to(index, index + 1) || leads_to(index + 1, index), "seed {seed}, at {index}");
            }
            for index in (0..19).flat_map(|row| (0..20).map(move |column| first + row * steps[2] + column)) {
                let below = index + steps[2];
                assert!(leads_to(index, below) || leads_to(below, index), "seed {seed}, at {index}");
            }
        }
    }
}
