//! What a caller can ask of a level. Each query is a file with all that it needs: its parameters, its canonical text,
//! its cost, its revision, and the function that finds the answer. How an answer is written is the renderer's business.

pub mod difficulty;
pub mod distances;
pub mod fraction;
pub mod path;
pub mod pick;
mod query;
pub mod solution;
pub mod spawns;
pub mod stats;
pub mod verify;

pub use query::Query;
