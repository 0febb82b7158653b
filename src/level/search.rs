//! Searches over the tiles and cells of a level, for algorithms, solvers and queries alike.

pub(crate) mod bfs;
pub(crate) mod climb;
pub(crate) mod components;
pub(crate) mod dead_ends;
pub mod distances;
pub(crate) mod parent_tree;
pub(crate) mod tile_map;
