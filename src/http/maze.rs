//! `/maze`: the level and a way through it. The routes below it ask other things of a level, each in a file of its own.

pub(super) mod distances;
pub(super) mod path;
pub(super) mod pick;
pub(super) mod spawns;
pub(super) mod stats;
pub(super) mod verify;

use crate::http::ask::Question;
use crate::level::Level;
use crate::level::error::{Error, ParameterError};
use crate::level::grid::Tile;
use crate::level::parameters::{ParameterType, Parameters};
use crate::level::recipe::{Recipe, read_tile};
use crate::level::work::JobContext;
use crate::render;
use crate::render::{RenderOptions, json};

impl Question for RenderOptions {
    const PATH: &'static str = "/maze";
    const PARAMETERS: &'static [&'static str] = &render::PARAMETERS;

    fn read(given: &mut Parameters) -> Option<Self> {
        Self::read(given)
    }

    fn revision(&self) -> u32 {
        self.solver.map_or(0, |solver| solver.revision)
    }

    fn check(&self, recipe: &Recipe, limit: u64) -> Result<(), ParameterError> {
        self.check(recipe, limit)
    }

    fn work_bytes(&self, recipe: &Recipe, limit: u64) -> u64 {
        self.work_bytes(recipe, limit)
    }

    fn write(self, level: &Level, limit: u64, work: &mut JobContext) -> Result<Vec<u8>, Error> {
        json::level(level, &self, limit, work)
    }
}

/// Reads a tile that may be named, if it is; says whether there is no fault.
fn read_end(given: &mut Parameters, name: &str, end: &mut Option<Tile>) -> bool {
    *end = given.value(name, ParameterType::Tile, read_tile);
    end.is_some() || !given.has(name)
}
