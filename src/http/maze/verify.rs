//! `POST /maze/verify`: is this path of a player legal, and does it reach the exit?

use std::fmt;

use super::super::ask::Question;
use crate::level::Level;
use crate::level::parameters::{Form, Parameters};
use crate::level::recipe::Recipe;
use crate::level::solvers::way_bytes;
use crate::level::verify::{Claim, verify};
use crate::level::work::Work;
use crate::render::{Refusal, json};
use crate::service::Keep;

/// Counts the times that the answers changed.
const REVISION: u32 = 1;

/// What a player says to have walked.
pub(in super::super) struct Verify(Claim);

impl Question for Verify {
    const PATH: &'static str = "/maze/verify";
    const PARAMETERS: &'static [&'static str] = &["path", "moves"];
    const KEEP: Keep = Keep::Level;

    fn read(given: &mut Parameters) -> Option<Self> {
        if !given.has("seed") {
            given.fault("seed", "is missing; nobody can have walked a level that is yet to be drawn");
        }
        let (has_path, has_moves) = (given.has("path"), given.has("moves"));
        let path = given.points("path").map(Claim::Points);
        let moves = given.value("moves", Form::Name, Claim::moves).map(Claim::Moves);
        match (has_path, has_moves) {
            (true, true) => given.accept("moves", Err("is given beside path; give one or the other".to_owned())),
            (false, false) => given.accept("path", Err("is missing; give it, or moves".to_owned())),
            _ => path.or(moves).map(Self),
        }
    }

    fn revision(&self) -> u32 {
        REVISION
    }

    fn work_bytes(&self, recipe: &Recipe, _: u64) -> u64 {
        way_bytes(recipe) + json::SMALL_ANSWER_BYTES
    }

    fn write(self, level: &Level, _: u64, work: &mut Work) -> Result<Vec<u8>, Refusal> {
        Ok(json::answer(level, &verify(level, &self.0, work)?))
    }
}

/// A claim is for one request: no address tells it.
impl fmt::Display for Verify {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
