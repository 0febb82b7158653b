//! `/maze/stats`: what a level is like, in numbers.

use std::fmt;

use crate::http::ask::Question;
use crate::level::Level;
use crate::level::error::Error;
use crate::level::parameters::Parameters;
use crate::level::queries::stats;
use crate::level::recipe::Recipe;
use crate::level::work::JobContext;
use crate::render::json;

/// Counts the times that the answers changed.
pub(super) const REVISION: u32 = 1;

/// The first field of an answer behind its head.
pub(super) const FIRST_FIELD: &str = "open_tiles";

/// The numbers of a level.
pub(crate) struct Stats;

impl Question for Stats {
    const PATH: &'static str = "/maze/stats";
    const PARAMETERS: &'static [&'static str] = &[];

    fn read(_: &mut Parameters) -> Option<Self> {
        Some(Self)
    }

    fn revision(&self) -> u32 {
        REVISION
    }

    fn work_bytes(&self, recipe: &Recipe, _: u64) -> u64 {
        stats::work_bytes(recipe.size()) + json::SMALL_ANSWER_BYTES
    }

    fn write(self, level: &Level, _: u64, work: &mut JobContext) -> Result<Vec<u8>, Error> {
        Ok(json::answer(level, &stats::stats(level, work)?))
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
