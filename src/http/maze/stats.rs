//! `/maze/stats`: what a level is like, in numbers.

use std::fmt;

use super::super::ask::Question;
use crate::level::Level;
use crate::level::parameters::Parameters;
use crate::level::recipe::Recipe;
use crate::level::stats;
use crate::level::work::Work;
use crate::render::{Refusal, json};

/// Counts the times that the answers changed.
pub(super) const REVISION: u32 = 1;

/// The first field of an answer behind its head.
pub(super) const FIRST_FIELD: &str = "open_tiles";

/// The numbers of a level.
pub(in super::super) struct Stats;

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

    fn write(self, level: &Level, _: u64, work: &mut Work) -> Result<Vec<u8>, Refusal> {
        Ok(json::answer(level, &stats::stats(level, work)?))
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
