//! `POST /maze/verify`: is this path of a player legal, and does it reach the exit?

use std::fmt;

use crate::http::ask::Question;
use crate::level::Level;
use crate::level::error::Error;
use crate::level::parameters::{ParameterType, Parameters};
use crate::level::queries::verify::{SubmittedPath, verify};
use crate::level::recipe::Recipe;
use crate::level::solvers::path_bytes;
use crate::level::work::JobContext;
use crate::render::json;
use crate::service::Keep;

/// Counts the times that the answers changed.
const REVISION: u32 = 1;

/// What a player says to have walked.
pub(crate) struct Verify(SubmittedPath);

impl Question for Verify {
    const PATH: &'static str = "/maze/verify";
    const PARAMETERS: &'static [&'static str] = &["path", "moves"];
    const KEEP: Keep = Keep::Level;

    fn read(given: &mut Parameters) -> Option<Self> {
        if !given.has("seed") {
            given.add_error("seed", "is missing; nobody can have walked a level that is yet to be drawn");
        }
        let (has_path, has_moves) = (given.has("path"), given.has("moves"));
        let path = given.points("path").map(SubmittedPath::Points);
        let moves = given.value("moves", ParameterType::Name, SubmittedPath::moves).map(SubmittedPath::Moves);
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
        path_bytes(recipe) + json::SMALL_ANSWER_BYTES
    }

    fn write(self, level: &Level, _: u64, work: &mut JobContext) -> Result<Vec<u8>, Error> {
        Ok(json::answer(level, &verify(level, &self.0, work)?))
    }
}

/// A claim is for one request: no address tells it.
impl fmt::Display for Verify {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
