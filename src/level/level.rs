//! A level that was built.

use std::sync::OnceLock;

use crate::level::algorithms::braid;
use crate::level::algorithms::braid::BRAID;
use crate::level::endpoints;
use crate::level::error::{Error, ParameterError};
use crate::level::grid::{Grid, Layout, OpenTiles, Parents, Passages, Plan, Tile, Tree};
use crate::level::recipe::Recipe;
use crate::level::search::parent_tree;
use crate::level::work::{Cancelled, JobContext};

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

impl Level {
    /// Makes the level of a recipe.
    ///
    /// # Errors
    /// Where the recipe names none, or the job is told to stop.
    pub fn build(recipe: Recipe, context: &mut JobContext) -> Result<Self, Error> {
        recipe.check_mask(context.cancel)?;
        let openings = endpoints::openings(&recipe).map_err(Error::Unbuildable)?;
        let mut layout = (recipe.algorithm().generate)(recipe.blueprint(), context)?;
        if let (share @ 1.., OpenTiles::Maze(passages)) = (recipe.braid(), &mut layout.grid.floor) {
            layout.parents = None;
            let mut rng = recipe.streams().stream(BRAID, 0);
            braid::braid(passages, recipe.shape(), share, &mut rng, context).map_err(Error::from)?;
        }
        if let Some(mask) = recipe.mask() {
            layout.grid.set_mask(mask);
        }
        match endpoints::place(&recipe, &layout.grid, context) {
            Ok([start, exit]) => {
                layout.grid.openings = openings;
                Ok(Self { recipe, layout, start, exit, tree: OnceLock::new() })
            }
            Err(refusal) => {
                context.buffers.recycle(layout);
                Err(refusal)
            }
        }
    }

    /// A level of any layout, which no algorithm need make.
    #[cfg(test)]
    pub(crate) const fn of_layout(recipe: Recipe, layout: Layout, start: Tile, exit: Tile) -> Self {
        Self { recipe, layout, start, exit, tree: OnceLock::new() }
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
    pub fn tree(&self, context: &mut JobContext) -> Result<Option<&Parents>, Cancelled> {
        if let (None, Some(passages)) = (self.parents(), self.perfect()) {
            // who asks at the same time does the same work; the first to be done keeps it
            let _ = self.tree.set(parent_tree::grow(passages, self.start, context)?);
        }
        Ok(self.parents())
    }

    /// The passages of a maze without loops.
    fn perfect(&self) -> Option<&Passages> {
        match &self.layout.grid.floor {
            OpenTiles::Maze(passages) if self.recipe.braid() == 0 => Some(passages),
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
    pub fn open_tile(&self, name: &str, tile: Tile) -> Result<Tile, ParameterError> {
        endpoints::open_tile(self.grid(), name, tile)
    }

    /// What it is without its recipe, for [`work::Buffers::reclaim`] where nobody needs it any more.
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
