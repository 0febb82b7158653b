//! Searches over the tiles of a level.

pub(crate) mod bfs;
pub(crate) mod climb;
pub(crate) mod components;
pub(crate) mod dead_ends;
pub mod distances;
pub(crate) mod parent_tree;
pub(crate) mod tile_map;
