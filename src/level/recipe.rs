//! A recipe names a level by an algorithm, a size, a seed, options, start and exit. A [`Recipe`] that exists is valid.

mod canonical;
mod limits;
mod read;
#[expect(clippy::module_inception, reason = "the recipe itself, beside its reader and its writer")]
mod recipe;
#[cfg(test)]
mod tests;

pub use crate::level::parameters::MASK;
pub use limits::{DEFAULT_ROOM_MASK_SIDE, DEFAULT_SIDE, Limits, MAX_ROOM_MASK_SIDE, MAX_SIDE, MIN_SIDE};
pub use read::{PARAMETERS, read_tile};
pub use recipe::{Endpoint, FARTHEST, Recipe};
