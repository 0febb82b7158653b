//! The level that was picked from a series as JSON.

use serde::Serialize;

use crate::level::queries::fraction::Fraction;
use crate::level::queries::pick::{Measured, Miss};
use crate::level::recipe::Recipe;
use crate::render::json::head::{Head, answer};

/// The answer of `/maze/pick`: the head of the picked level, the figures that decided, by how much it misses what the
/// client wants, and how many levels were tried. `complete` says whether the search ended by itself: `false` if the
/// time or the room in the queue was too short.
pub fn write(recipe: &Recipe, level: &Measured, missed_by: Miss, tried: u32, complete: bool) -> Vec<u8> {
    #[derive(Serialize)]
    struct Picked {
        difficulty: Fraction,
        effort: u64,
        length: u64,
        missed_by: Miss,
        tried: u32,
        complete: bool,
    }
    let Measured { start, exit, length, effort, difficulty } = *level;
    answer(Head { recipe, start, exit }, &Picked { difficulty, effort, length, missed_by, tried, complete })
}
