//! A recipe names a level by an algorithm, a size, a seed, options, start and exit. A [`Recipe`] that exists is valid.

mod canonical;
mod limits;
mod outline;
mod read;
#[expect(clippy::module_inception, reason = "the recipe itself, beside its reader and its writer")]
mod recipe;
mod stated;
#[cfg(test)]
mod tests;
mod tiles;

pub use crate::level::parameters::{BODY_FIELDS, MASK, RECIPE};
pub use limits::{DEFAULT_ROOM_MASK_SIDE, DEFAULT_SIDE, Limits, MAX_ROOM_MASK_SIDE, MAX_SIDE, MIN_SIDE};
pub use read::{MASK_PARAMETER, PARAMETERS, names_seed, parameter_names};
pub use recipe::{Endpoint, FARTHEST, Recipe};
pub use stated::Claims;
pub use tiles::read_tile;
