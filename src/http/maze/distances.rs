//! `/maze/distances`: the steps from a tile to every open tile of a level.

use std::fmt;

use crate::http::ask::Question;
use crate::http::maze::read_end;
use crate::level::Level;
use crate::level::error::{Error, ParameterError};
use crate::level::grid::Tile;
use crate::level::parameters::Parameters;
use crate::level::recipe::Recipe;
use crate::level::work::JobContext;
use crate::render::json;

/// Counts the times that the answers changed.
const REVISION: u32 = 1;

/// The tile that is measured from, the level's start where it is not named.
pub(crate) struct Distances {
    from: Option<Tile>,
}

impl Question for Distances {
    const PATH: &'static str = "/maze/distances";
    const PARAMETERS: &'static [&'static str] = &["from"];

    fn read(given: &mut Parameters) -> Option<Self> {
        let mut from = None;
        read_end(given, "from", &mut from).then_some(Self { from })
    }

    fn revision(&self) -> u32 {
        REVISION
    }

    fn check(&self, recipe: &Recipe, limit: u64) -> Result<(), ParameterError> {
        json::distances::check(recipe.size(), limit)
    }

    fn work_bytes(&self, recipe: &Recipe, limit: u64) -> u64 {
        json::distances::work_bytes(recipe.size(), limit)
    }

    fn write(self, level: &Level, limit: u64, work: &mut JobContext) -> Result<Vec<u8>, Error> {
        let from = level.open_tile("from", self.from.unwrap_or(level.start()));
        json::distances::distances(level, from.map_err(|fault| Error::Misplaced(vec![fault]))?, limit, work)
    }
}

impl fmt::Display for Distances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from {
            Some(Tile { x, y }) => write!(f, "&from={x},{y}"),
            None => Ok(()),
        }
    }
}
