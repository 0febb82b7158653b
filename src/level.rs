//! Levels: mazes and room maps, and the paths through them. Pure: a level is a function of its recipe, and nothing here
//! knows a clock, a thread, a socket or a random number that the recipe does not fix.
//!
//! A [`Recipe`](recipe::Recipe) names a level. [`Level::build`] makes the level by the [algorithm](algorithms) that the
//! recipe names, the [solvers] find paths in it, and the [queries] answer what a client wants to know about it.
//!
//! The modules in order, each using only the ones before it: `grid` and `rng`; `work`, `error` and `parameters`;
//! `search`; `algorithms`; `recipe`; `level`, the level itself; `solvers`; `queries`.

pub mod algorithms;
mod cancel;
mod endpoints;
pub mod error;
#[cfg(test)]
mod fixtures;
pub mod grid;
#[expect(clippy::module_inception, reason = "the level itself, beside its parts")]
mod level;
pub mod parameters;
pub mod queries;
pub mod recipe;
pub mod rng;
pub mod search;
pub mod solvers;
pub mod work;

pub use level::Level;
