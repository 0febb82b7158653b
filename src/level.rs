//! Levels: mazes and room maps, and the ways through them. Pure: a level is a function of its recipe, and nothing here
//! knows a clock, a thread, a socket or a random number that the recipe does not fix.
//!
//! A [`Recipe`] names a level, [`Level::build`] makes it by the [algorithm](algorithms) that the recipe names, and the
//! [solvers] walk it. [`stats`], [`distances`], [`spawns`] and [`verify`] tell what is asked about it.

pub mod algorithms;
mod board;
mod braid;
mod disjoint;
pub mod distances;
mod ends;
pub mod grid;
pub mod layout;
pub mod mask;
pub mod options;
pub mod parameters;
mod planes;
pub mod recipe;
pub mod rng;
#[cfg(test)]
mod samples;
pub mod solvers;
pub mod spawns;
pub mod stats;
pub mod verify;
mod wave;
pub mod work;

use std::sync::OnceLock;

use algorithms::Failure;
use braid::BRAID;
use grid::{Floor, Grid, Passages, Tile};
use layout::{Layout, Parents, Plan, Tree};
use parameters::Fault;
use recipe::Recipe;
use work::{Stopped, Work};

/// A level that was built: its start and its exit are open.
#[derive(Debug)]
pub struct Level {
    recipe: Recipe,
    layout: Layout,
    start: Tile,
    exit: Tile,
    /// The parents of a perfect maze whose algorithm left none, once somebody asked for them.
    tree: OnceLock<Parents>,
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

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Stopped => Self::Stopped,
            Failure::Unbuildable(faults) => Self::Unbuildable(faults),
        }
    }
}

impl Level {
    /// Makes the level of a recipe.
    ///
    /// # Errors
    /// Where the recipe names none, or the job is told to stop.
    pub fn build(recipe: Recipe, work: &mut Work) -> Result<Self, Refusal> {
        recipe.check_mask(work.halt)?;
        let openings = ends::openings(&recipe).map_err(Refusal::Unbuildable)?;
        let mut layout = (recipe.algorithm().generate)(&recipe, work)?;
        if let (share @ 1.., Floor::Maze(passages)) = (recipe.braid(), &mut layout.grid.floor) {
            layout.parents = None;
            let mut rng = recipe.streams().stream(BRAID, 0);
            braid::braid(passages, recipe.shape(), share, &mut rng, work).map_err(Failure::from)?;
        }
        if let Some(mask) = recipe.mask() {
            layout.grid.set_mask(mask);
        }
        match ends::place(&recipe, &layout.grid, work) {
            Ok([start, exit]) => {
                layout.grid.openings = openings;
                Ok(Self { recipe, layout, start, exit, tree: OnceLock::new() })
            }
            Err(refusal) => {
                work.scratch.reclaim(layout);
                Err(refusal)
            }
        }
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

    /// Which way leads to the root of a perfect maze, where the algorithm knows it or somebody asked for the
    /// [tree](Level::tree).
    pub fn parents(&self) -> Option<&Parents> {
        self.layout.parents.as_ref().or_else(|| self.tree.get())
    }

    /// Which way leads to the root of a perfect maze; of other levels nothing. Where the algorithm does not know it, the
    /// first call sweeps over the level, and the level keeps what it found.
    ///
    /// # Errors
    /// Where the job is told to stop.
    pub fn tree(&self, work: &mut Work) -> Result<Option<&Parents>, Stopped> {
        if let (None, Some(passages)) = (self.parents(), self.perfect()) {
            // who asks at the same time does the same work; the first to be done keeps it
            let _ = self.tree.set(solvers::tree::grow(passages, self.start, work)?);
        }
        Ok(self.parents())
    }

    /// The passages of a maze without loops.
    fn perfect(&self) -> Option<&Passages> {
        match &self.layout.grid.floor {
            Floor::Maze(passages) if self.recipe.braid() == 0 => Some(passages),
            _ => None,
        }
    }

    /// Where a player starts.
    pub const fn start(&self) -> Tile {
        self.start
    }

    /// Where the level ends.
    pub const fn exit(&self) -> Tile {
        self.exit
    }

    /// A tile that was named for something, if it is open.
    ///
    /// # Errors
    /// Says what it is instead, and which open tile is nearest.
    pub fn open_tile(&self, name: &str, tile: Tile) -> Result<Tile, Fault> {
        ends::open_tile(self.grid(), name, tile)
    }

    /// What it is without its recipe, for [`work::Scratch::reclaim`] where nobody needs it any more.
    pub fn into_layout(self) -> Layout {
        self.layout
    }

    /// Bytes that the level holds, or will once its [tree](Level::tree) was asked for: a cache weighs it only once.
    pub fn bytes(&self) -> usize {
        let tree = match (&self.layout.parents, self.perfect()) {
            (None, Some(passages)) => Tree::bytes_of((passages.east.width(), passages.east.height())),
            _ => 0,
        };
        size_of::<Self>() + self.layout.bytes() + tree + self.recipe.mask().map_or(0, |mask| mask.bytes())
    }
}
