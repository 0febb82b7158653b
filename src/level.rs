//! Levels: mazes and room maps, and the ways through them. Pure: a level is a function of its recipe, and nothing here
//! knows a clock, a thread, a socket or a random number that the recipe does not fix.
//!
//! A [`Recipe`] names a level, [`Level::build`] makes it by the [algorithm](algorithms) that the recipe names, and the
//! [solvers] walk it.

pub mod algorithms;
mod board;
mod disjoint;
pub mod distances;
pub mod grid;
pub mod layout;
pub mod options;
pub mod parameters;
mod planes;
pub mod recipe;
pub mod rng;
#[cfg(test)]
mod samples;
pub mod solvers;
mod wave;
pub mod work;

use algorithms::Failure;
use grid::{Grid, Tile};
use layout::{Layout, Parents, Plan};
use parameters::Fault;
use recipe::Recipe;
use work::Work;

/// A level that was built: its start and its exit are open.
#[derive(Debug)]
pub struct Level {
    recipe: Recipe,
    layout: Layout,
}

/// Why a recipe gave no level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The job was told to stop.
    Stopped,
    /// Start or exit is a wall in this level.
    Misplaced(Vec<Fault>),
    /// No seed has such a level.
    Unbuildable(Vec<Fault>),
}

impl Level {
    /// Makes the level of a recipe.
    ///
    /// # Errors
    /// Where the recipe names none, or the job is told to stop.
    pub fn build(recipe: Recipe, work: &mut Work) -> Result<Self, Refusal> {
        let layout = (recipe.algorithm().generate)(&recipe, work).map_err(|failure| match failure {
            Failure::Stopped => Refusal::Stopped,
            Failure::Unbuildable(faults) => Refusal::Unbuildable(faults),
        })?;
        let misplaced: Vec<_> = [("start", recipe.start()), ("exit", recipe.exit())]
            .into_iter()
            .filter(|(_, tile)| !layout.grid.is_open(*tile))
            .map(|(name, tile)| Fault::new(name, wall_message(&layout.grid, tile)))
            .collect();
        if misplaced.is_empty() {
            return Ok(Self { recipe, layout });
        }
        work.scratch.reclaim(layout);
        Err(Refusal::Misplaced(misplaced))
    }

    /// What names the level.
    pub const fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Which tiles are open.
    pub const fn grid(&self) -> &Grid {
        &self.layout.grid
    }

    /// Rooms and doors, where the algorithm makes rooms.
    pub const fn plan(&self) -> Option<&Plan> {
        self.layout.plan.as_ref()
    }

    /// Which way leads to the root of a perfect maze, where the algorithm knows it.
    pub const fn parents(&self) -> Option<&Parents> {
        self.layout.parents.as_ref()
    }

    /// Where a player starts.
    pub const fn start(&self) -> Tile {
        self.recipe.start()
    }

    /// Where the level ends.
    pub const fn exit(&self) -> Tile {
        self.recipe.exit()
    }

    /// What it is without its recipe, for [`work::Scratch::reclaim`] where nobody needs it any more.
    pub fn into_layout(self) -> Layout {
        self.layout
    }

    /// Bytes that the level holds.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.layout.bytes()
    }
}

/// Says that a tile is a wall, and which open tile is nearest to it.
fn wall_message(grid: &Grid, tile: Tile) -> String {
    let Tile { x, y } = tile;
    let distance = |other: &Tile| other.x.abs_diff(x) + other.y.abs_diff(y);
    let side = grid.size().width.max(grid.size().height);
    // rings of growing width around the tile; a wall is one tile thick, so the first or second ring has an open one
    let nearest = (1..side).find_map(|reach| {
        let (rows, columns) = (y.saturating_sub(reach)..=y + reach, x.saturating_sub(reach)..=x + reach);
        let ring = rows.flat_map(|y| columns.clone().map(move |x| Tile { x, y }));
        ring.filter(|tile| grid.is_open(*tile)).min_by_key(distance)
    });
    match nearest {
        Some(Tile { x: open_x, y: open_y }) => {
            format!("[{x},{y}] is a wall in this level; the nearest open tile is [{open_x},{open_y}]")
        }
        None => format!("[{x},{y}] is a wall in this level"),
    }
}
