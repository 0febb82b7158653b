//! `/maze/spawns`: places far from each other, from the start and from the exit.

use std::fmt;

use super::super::ask::Question;
use crate::level::Level;
use crate::level::parameters::{Form, Parameters, integer};
use crate::level::recipe::Recipe;
use crate::level::spawns::{self, KINDS, Kind, MOST};
use crate::level::work::Work;
use crate::render::{Refusal, json};

/// Counts the times that the answers changed.
const REVISION: u32 = 1;

/// How many places, where it is not said.
const DEFAULT_COUNT: u32 = 1;

/// How many places, and of which kind.
pub(in super::super) struct Spawns {
    count: u32,
    kind: Kind,
}

impl Question for Spawns {
    const PATH: &'static str = "/maze/spawns";
    const PARAMETERS: &'static [&'static str] = &["count", "kind"];

    fn read(given: &mut Parameters) -> Option<Self> {
        let count = given.value_or("count", Form::Number, DEFAULT_COUNT, |text| {
            integer(text, 1..=MOST.into()).map(|count| count as u32)
        });
        let kind = given.value_or("kind", Form::Name, KINDS[0].kind, Kind::named);
        Some(Self { count: count?, kind: kind? })
    }

    fn revision(&self) -> u32 {
        REVISION
    }

    fn work_bytes(&self, recipe: &Recipe, _: u64) -> u64 {
        spawns::work_bytes(recipe.size()) + json::SMALL_ANSWER_BYTES
    }

    fn write(self, level: &Level, _: u64, work: &mut Work) -> Result<Vec<u8>, Refusal> {
        match spawns::spawns(level, self.count, self.kind, work) {
            Ok(tiles) => Ok(json::spawns(level, &tiles)),
            Err(spawns::Refusal::TooFew(fault)) => Err(Refusal::Unbuildable(vec![fault])),
            Err(spawns::Refusal::Stopped) => Err(Refusal::Stopped),
        }
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
