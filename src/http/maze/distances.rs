//! `/maze/distances`: the steps from a tile to every open tile of a level.

use std::fmt;

use super::super::ask::Question;
use super::read_end;
use crate::level::Level;
use crate::level::grid::Tile;
use crate::level::parameters::{Fault, Parameters};
use crate::level::recipe::Recipe;
use crate::level::work::Work;
use crate::render::{Refusal, json};

/// Counts the times that the answers changed.
const REVISION: u32 = 1;

/// The tile that is measured from, the level's start where it is not named.
pub(in super::super) struct Distances {
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

    fn check(&self, recipe: &Recipe, limit: u64) -> Result<(), Fault> {
        json::distances::check(recipe.size(), limit)
    }

    fn work_bytes(&self, recipe: &Recipe, limit: u64) -> u64 {
        json::distances::work_bytes(recipe.size(), limit)
    }

    fn write(self, level: &Level, limit: u64, work: &mut Work) -> Result<Vec<u8>, Refusal> {
        let from = level.open_tile("from", self.from.unwrap_or(level.start()));
        json::distances::distances(level, from.map_err(|fault| Refusal::Misplaced(vec![fault]))?, limit, work)
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
