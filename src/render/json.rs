//! Answers as JSON. The largest parts of an answer, grid and path, are written straight from the packed level into one
//! body whose size is computed before. Serde writes everything small.

mod buffer;
pub mod distances;
mod grid;
pub mod head;
pub mod level;
pub mod path;
pub mod pick;
mod plan;
pub mod row;
mod size;
pub mod small;
mod steps;

pub use row::{MEDIA_TYPE, NAME, REVISION};
