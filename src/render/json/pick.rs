//! The level that was picked from a series as JSON.

use serde::Serialize;

use crate::level::queries::fraction::Fraction;
use crate::level::queries::pick::Measured;
use crate::level::recipe::Recipe;
use crate::render::json::head::{Head, answer};

/// The answer of `/maze/pick`: the head of the level, what decided, how many levels were tried, and whether these were
/// all that the client wanted.
pub fn write(recipe: &Recipe, level: &Measured, tried: u32, complete: bool) -> Vec<u8> {
    #[derive(Serialize)]
    struct Picked {
        difficulty: Fraction,
        length: u64,
        tried: u32,
        complete: bool,
    }
    let Measured { start, exit, length, difficulty } = *level;
    answer(Head { recipe, start, exit }, &Picked { difficulty, length, tried, complete })
}
