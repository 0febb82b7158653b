//! The queries: what a client can ask about a level. Each file holds one query with all that belongs to it: its
//! parameters, its canonical text, its cost, its revision, and the function that finds the answer. The module `render`
//! writes the answers.

pub mod distances;
pub mod effort;
pub mod fraction;
pub mod path;
pub mod pick;
mod query;
pub mod solution;
pub mod spawns;
pub mod stats;
pub mod verify;

pub use query::Query;
