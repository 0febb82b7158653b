//! Levels: mazes and room maps, and the paths through them. Pure: a level is a function of its recipe, and nothing here
//! knows a clock, a thread, a socket or a random number that the recipe does not fix.
//!
//! A [`Recipe`](recipe::Recipe) names a level, [`Level::build`] makes it by the [algorithm](algorithms) that the recipe
//! names, the [solvers] walk it, and the [queries] tell what a caller asks about it.

pub mod algorithms;
mod cancel;
mod endpoints;
pub mod error;
#[cfg(test)]
mod fixtures;
pub mod grid;
#[expect(clippy::module_inception, reason = "the level itself, beside what it is made of")]
mod level;
pub mod parameters;
pub mod queries;
pub mod recipe;
pub mod rng;
pub mod search;
pub mod solvers;
pub mod work;

pub use level::Level;
