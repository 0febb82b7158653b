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
mod tests;
