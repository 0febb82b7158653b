//! Growing tree: keep a list of active cells, at first only the first cell. Each step picks an active cell and opens
//! the passage to a random unvisited neighbour, which becomes active; a cell without unvisited neighbours leaves the
//! list.
//!
//! How the cell is picked determines the texture. To pick always the newest cell is depth-first search; to pick always
//! a random one gives short branches. The option `mix` is the fraction of newest picks.
//!
//! If only random cells are picked, the order of the list does not matter: a cell is removed by overwriting it with the
//! last one. Nor does it matter when a cell without unvisited neighbours is removed, because the picks that grow the
//! tree are uniform among the other cells in any case. So a cell that has just lost its last unvisited neighbour is
//! replaced by that neighbour at once, which saves every second pick.
//!
//! If newest cells are picked too, the list must keep its order: a removed cell leaves a hole, and holes are closed
//! when there are many.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::cell_bytes::{CellBytes, SHIFT};
use crate::level::algorithms::choices::{CHOICES, ELIGIBLE, Rolls, choice_index, open_directions, strides};
use crate::level::error::Error;
use crate::level::grid::{Direction, Layout, LevelKind};
use crate::level::parameters::options::{FRACTION_UNIT, OptionId};
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled, JobContext, recycled};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "growing_tree",
    aliases: &[],
    summary: "grows from one cell: picks an active cell, the newest or a random one, and joins a random new cell to it",
    character: "depends on mix: at 1 the long winding corridors of dfs, at 0 short branches and many dead ends",
    source: "Jamis Buck, Mazes for Programmers, 2015; with mix 0 it is what that book calls simplified Prim",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid, OptionId::Mix],
    work_bytes: |blueprint| 2 * blueprint.size().area(),
    estimate: |blueprint| Ok(blueprint.nanos(8_000, 0)),
    generate,
};

/// The byte of an unvisited cell. Visited cells and the border are not eligible.
const UNVISITED: u8 = ELIGIBLE;

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut cells = CellBytes::fill(&mut context.buffers.tile_map, blueprint.shape(), UNVISITED, 0);
    // one entry more than cells, because each new cell is written past the end first
    let list = recycled(&mut context.buffers.indices, cells.count() + 1);
    let rng = blueprint.streams().stream(0, 0);
    match blueprint.options().get(OptionId::Mix) {
        0 => grow_at_random(&mut cells, list, rng, context.cancel)?,
        mix => grow_mixed(&mut cells, mix, Active::new(list), rng, context.cancel)?,
    }
    Ok(cells.tree(&mut context.buffers.bitmaps, None))
}

/// Grows the tree over all cells with random picks only.
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
        let open = open_directions(bytes, index, steps);
        if open == 0 {
            len -= 1;
            list[pick] = list[len];
            continue;
        }
        let choice = choice_index(open, rolls.next(&mut rng));
        let next = index.wrapping_add(strides[choice]);
        bytes[next] = (CHOICES[choice] ^ 2) << SHIFT;
        // the new cell is written past the end; if the picked cell has no other unvisited neighbour, the new cell also
        // replaces it, and the end does not move
        let was_last = open.is_power_of_two();
        list[len] = next as u32;
        list[pick] = if was_last { next } else { index } as u32;
        len += usize::from(!was_last);
        unvisited -= 1;
    }
    Ok(())
}

/// The number of random fractions from one word.
const FRACTIONS: usize = 4;

/// Grows the tree over all cells. Each pick takes the newest active cell with probability `mix / FRACTION_UNIT`, else a
/// random one.
fn grow_mixed(
    cells: &mut CellBytes,
    mix: u64,
    mut active: Active,
    mut rng: Rng,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let (steps, first, mut unvisited) = (cells.steps(), cells.first(), cells.count() - 1);
    let strides = strides(steps);
    let (mut rolls, mut fractions) = (Rolls::new(), [0; FRACTIONS]);
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
        if step.is_multiple_of(FRACTIONS) {
            fractions = rng.digits::<FRACTION_UNIT, FRACTIONS>();
        }
        let pick = if fractions[step % FRACTIONS] < mix { active.newest() } else { active.random(&mut rng) };
        let index = active.cell(pick);
        let open = open_directions(bytes, index, steps);
        if open == 0 {
            active.remove(pick);
            continue;
        }
        let choice = choice_index(open, rolls.next(&mut rng));
        let next = index.wrapping_add(strides[choice]);
        bytes[next] = (CHOICES[choice] ^ 2) << SHIFT;
        active.push(next);
        unvisited -= 1;
    }
    Ok(())
}

/// The entry that replaces a removed cell. No cell has this index, because it belongs to the border.
const HOLE: u32 = 0;

/// The active cells, the oldest first. Between them are holes, but the last entry is never a hole.
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
    fn cell(&self, position: usize) -> usize {
        self.list[position] as usize
    }

    /// The position of the newest active cell in the list.
    #[inline]
    fn newest(&self) -> usize {
        self.len - 1
    }

    /// The position of a random active cell in the list: tries random positions until one of them is not a hole.
    #[inline]
    fn random(&self, rng: &mut Rng) -> usize {
        loop {
            let position = rng.below(self.len as u32) as usize;
            if self.list[position] != HOLE {
                return position;
            }
        }
    }

    /// Removes the cell at a position; the positions of other cells may change.
    #[inline]
    fn remove(&mut self, position: usize) {
        self.list[position] = HOLE;
        self.holes += 1;
        while self.len > 0 && self.list[self.len - 1] == HOLE {
            self.len -= 1;
            self.holes -= 1;
        }
        if self.holes > self.len / 4 {
            self.close_holes();
        }
    }

    /// Closes the holes; the order of the cells stays the same.
    #[cold]
    fn close_holes(&mut self) {
        let mut len = 0;
        for position in 0..self.len {
            self.list[len] = self.list[position];
            len += usize::from(self.list[len] != HOLE);
        }
        (self.len, self.holes) = (len, 0);
    }
}

#[cfg(test)]
mod tests;
