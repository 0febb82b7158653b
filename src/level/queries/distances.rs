//! The steps from a tile to every open tile of a level.

use std::fmt;

use crate::level::Level;
use crate::level::error::Error;
use crate::level::grid::Tile;
use crate::level::parameters::{ParameterKind, ParameterSpec, Parameters};
use crate::level::queries::query::{Query, read_optional_tile};
use crate::level::recipe::Recipe;
use crate::level::search::distances::{self, Distances};
use crate::level::work::JobContext;

/// Grows by one whenever the answers change.
const REVISION: u32 = 1;

/// The tile to measure from; the level's start if the client names none.
#[derive(Debug, Clone, Copy)]
pub struct DistancesQuery {
    /// The tile.
    pub from: Option<Tile>,
}

impl DistancesQuery {
    /// The tile to measure from, if it is open in this level.
    ///
    /// # Errors
    /// Says what the tile is instead.
    pub fn origin(&self, level: &Level) -> Result<Tile, Error> {
        level.open_tile("from", self.from.unwrap_or(level.start())).map_err(|error| Error::Misplaced(vec![error]))
    }

    /// Measures the steps to every tile.
    ///
    /// # Errors
    /// If the tile is not open in this level, or the job is cancelled.
    pub fn measure<'a>(&self, level: &Level, context: &'a mut JobContext) -> Result<Distances<'a>, Error> {
        Ok(distances::all(level.grid(), self.origin(level)?, context)?)
    }
}

impl Query for DistancesQuery {
    const PARAMETERS: &'static [ParameterSpec] =
        &[ParameterSpec::new("from", ParameterKind::Tile, "the open tile to measure from").or_else("the start")];

    fn read(params: &mut Parameters) -> Option<Self> {
        read_optional_tile(params, "from").map(|from| Self { from })
    }

    fn revision(&self) -> u32 {
        REVISION
    }

    fn work_bytes(&self, recipe: &Recipe) -> u64 {
        distances::work_bytes(recipe.size())
    }

    fn work_nanos(&self, recipe: &Recipe) -> u64 {
        recipe.blueprint().nanos(30_000, 0)
    }
}

impl fmt::Display for DistancesQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from {
            Some(Tile { x, y }) => write!(f, "&from={x},{y}"),
            None => Ok(()),
        }
    }
}
