//! What can be told about a level.

pub mod spawns;
pub mod stats;
pub mod verify;
