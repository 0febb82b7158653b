//! A level that was built.

use std::sync::OnceLock;

use crate::level::algorithms::braid;
use crate::level::algorithms::braid::BRAID;
use crate::level::endpoints;
use crate::level::error::{Error, ParameterError};
use crate::level::grid::{Grid, Layout, OpenTiles, Parents, Passages, Plan, Tile, Tree};
use crate::level::recipe::{Endpoint, Recipe};
use crate::level::search::parent_tree;
use crate::level::work::{Cancel, Cancelled, FIXED_NANOS, JobContext, Price};

/// A level that was built: its start and its exit are open.
///
/// ```
/// use mazed::level::Level;
/// use mazed::level::grid::Tile;
/// use mazed::level::recipe::{Limits, Recipe};
/// use mazed::level::solvers::{Solution, shortest_path};
/// use mazed::level::work::{Buffers, Cancel, JobContext};
///
/// let recipe = Recipe::from_pairs(&[("algo", "dfs"), ("size", "21"), ("seed", "cellar")], Limits::of_side(101))
///     .expect("a valid recipe");
/// let mut buffers = Buffers::default();
/// let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
/// let level = Level::build(recipe, &mut context).expect("not cancelled, and start and exit are open");
/// assert_eq!([level.start(), level.exit()], [Tile { x: 1, y: 1 }, Tile { x: 19, y: 19 }]);
///
/// let Ok(Solution::Found(moves)) = shortest_path(&level, level.start(), level.exit(), &mut context) else {
///     panic!("in a perfect maze there is a path between any two open tiles");
/// };
/// let end = moves.iter().fold(level.start(), |tile, step| tile.step(*step));
/// assert_eq!(end, level.exit());
/// ```
#[derive(Debug)]
pub struct Level {
    recipe: Recipe,
    layout: Layout,
    start: Tile,
    exit: Tile,
    /// The parents of a perfect maze, if its algorithm stored none: [`Level::tree`] computes them at its first call.
    tree: OnceLock<Parents>,
}

impl Level {
    /// What making the level takes. Refuses a recipe that no seed can build, as far as this shows without building it
    /// and in a short time. For a mask, the time grows with its tiles.
    ///
    /// # Errors
    /// What is wrong, as [`Level::build`] would say.
    pub fn price(recipe: &Recipe) -> Result<Price, Error> {
        recipe.check_mask(Cancel::never())?;
        endpoints::openings(recipe).map_err(Error::Unbuildable)?;
        let generation = (recipe.algorithm().estimate)(recipe.blueprint())?;
        // the rest in picoseconds for each tile
        let mask = if recipe.mask().is_some() { 20_000 } else { 0 };
        let braid = if recipe.braid() > 0 { 5_000 } else { 0 };
        let endpoints = if [recipe.start(), recipe.exit()].contains(&Endpoint::Farthest) { 30_000 } else { 0 };
        let nanos = generation + recipe.blueprint().nanos(mask + braid + endpoints, 0) + FIXED_NANOS;
        Ok(Price { bytes: recipe.work_bytes(), nanos })
    }

    /// Makes the level of a recipe.
    ///
    /// # Errors
    /// If no level fits the recipe, or the job is cancelled.
    pub fn build(recipe: Recipe, context: &mut JobContext) -> Result<Self, Error> {
        recipe.check_mask(context.cancel)?;
        let openings = endpoints::openings(&recipe).map_err(Error::Unbuildable)?;
        let mut layout = (recipe.algorithm().generate)(recipe.blueprint(), context)?;
        if let (fraction @ 1.., OpenTiles::Maze(passages)) = (recipe.braid(), &mut layout.grid.open_tiles) {
            layout.parents = None;
            let mut rng = recipe.streams().stream(BRAID, 0);
            braid::braid(passages, recipe.shape(), fraction, &mut rng, context).map_err(Error::from)?;
        }
        if let Some(mask) = recipe.mask() {
            layout.grid.set_mask(mask);
        }
        match endpoints::endpoints(&recipe, &layout.grid, context) {
            Ok([start, exit]) => {
                layout.grid.openings = openings;
                Ok(Self { recipe, layout, start, exit, tree: OnceLock::new() })
            }
            Err(error) => {
                context.buffers.recycle(layout);
                Err(error)
            }
        }
    }

    /// A level of any layout, without an algorithm.
    #[cfg(test)]
    pub(crate) const fn of_layout(recipe: Recipe, layout: Layout, start: Tile, exit: Tile) -> Self {
        Self { recipe, layout, start, exit, tree: OnceLock::new() }
    }

    /// The recipe that names the level.
    pub const fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Which tiles are open.
    pub const fn grid(&self) -> &Grid {
        &self.layout.grid
    }

    /// Rooms and doors, if the algorithm makes rooms.
    pub const fn plan(&self) -> Option<&Plan> {
        self.layout.plan.as_ref()
    }

    /// The parents of the cells of a perfect maze, if the algorithm stored them or [`Level::tree`] was called.
    pub fn parents(&self) -> Option<&Parents> {
        self.layout.parents.as_ref().or_else(|| self.tree.get())
    }

    /// The parents of the cells of a perfect maze; `None` for other levels. If the algorithm stored none, the first
    /// call computes them by visiting the whole level, and the level stores them.
    ///
    /// # Errors
    /// If the job is cancelled.
    pub fn tree(&self, context: &mut JobContext) -> Result<Option<&Parents>, Cancelled> {
        if let (None, Some(passages)) = (self.parents(), self.perfect()) {
            // if two threads call this at once, both compute the parents, and the level stores the first result
            let _ = self.tree.set(parent_tree::grow(passages, self.start, context)?);
        }
        Ok(self.parents())
    }

    /// The passages of a maze without loops.
    fn perfect(&self) -> Option<&Passages> {
        match &self.layout.grid.open_tiles {
            OpenTiles::Maze(passages) if self.recipe.braid() == 0 => Some(passages),
            _ => None,
        }
    }

    /// The start: the tile where a player begins.
    pub const fn start(&self) -> Tile {
        self.start
    }

    /// The exit: the tile that a player has to reach.
    pub const fn exit(&self) -> Tile {
        self.exit
    }

    /// Checks that the tile of the parameter `name` is open.
    ///
    /// # Errors
    /// Says what the tile is instead, and which open tile is nearest.
    pub fn open_tile(&self, name: &str, tile: Tile) -> Result<Tile, ParameterError> {
        endpoints::open_tile(self.grid(), name, tile)
    }

    /// The layout alone, for a caller that no longer needs the level:
    /// [`Buffers::recycle`](crate::level::work::Buffers::recycle) takes it.
    pub fn into_layout(self) -> Layout {
        self.layout
    }

    /// Bytes that the level holds. A cache weighs a level only once, so this counts the parents that [`Level::tree`]
    /// may store later as if they were stored already.
    pub fn bytes(&self) -> usize {
        let tree = match (&self.layout.parents, self.perfect()) {
            (None, Some(passages)) => Tree::bytes_of((passages.east.width(), passages.east.height())),
            _ => 0,
        };
        size_of::<Self>() + self.layout.bytes() + tree + self.recipe.mask().map_or(0, |mask| mask.bytes())
    }
}

#[cfg(test)]
mod tests;
