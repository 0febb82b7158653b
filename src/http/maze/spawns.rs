//! `/maze/spawns`: places far from each other, from the start and from the exit.

use std::fmt;

use crate::http::ask::Question;
use crate::level::Level;
use crate::level::error::Error;
use crate::level::parameters::{ParameterType, Parameters, integer};
use crate::level::queries::spawns;
use crate::level::queries::spawns::{KINDS, MAX_COUNT, SpawnKind};
use crate::level::recipe::Recipe;
use crate::level::work::JobContext;
use crate::render::json;

/// Counts the times that the answers changed.
const REVISION: u32 = 1;

/// How many places, where it is not said.
const DEFAULT_COUNT: u32 = 1;

/// How many places, and of which kind.
pub(crate) struct Spawns {
    count: u32,
    kind: SpawnKind,
}

impl Question for Spawns {
    const PATH: &'static str = "/maze/spawns";
    const PARAMETERS: &'static [&'static str] = &["count", "kind"];

    fn read(given: &mut Parameters) -> Option<Self> {
        let count = given.value_or("count", ParameterType::Number, DEFAULT_COUNT, |text| {
            integer(text, 1..=MAX_COUNT.into()).map(|count| count as u32)
        });
        let kind = given.value_or("kind", ParameterType::Name, KINDS[0].kind, SpawnKind::named);
        Some(Self { count: count?, kind: kind? })
    }

    fn revision(&self) -> u32 {
        REVISION
    }

    fn work_bytes(&self, recipe: &Recipe, _: u64) -> u64 {
        spawns::work_bytes(recipe.size()) + json::SMALL_ANSWER_BYTES
    }

    fn write(self, level: &Level, _: u64, work: &mut JobContext) -> Result<Vec<u8>, Error> {
        Ok(json::spawns(level, &spawns::spawns(level, self.count, self.kind, work)?))
    }
}

impl fmt::Display for Spawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count != DEFAULT_COUNT {
            write!(f, "&count={}", self.count)?;
        }
        for row in KINDS[1..].iter().filter(|row| row.kind == self.kind) {
            write!(f, "&kind={}", row.name)?;
        }
        Ok(())
    }
}
