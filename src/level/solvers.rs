//! The table of solvers. To add a solver, add a file in `solvers/` and a line in the table at the foot of this file. If
//! a file holds two solvers, its line names both.

use crate::level::Level;
use crate::level::grid::Tile;
use crate::level::recipe::Recipe;
use crate::level::work::{Cancelled, FIXED_BYTES, JobContext};

mod border;
mod solver;
mod tree_path;
mod unique_path;

pub use solver::{Solution, Solve, Solver};

/// A shortest path between two open tiles, for callers that need several paths of one level. In a maze without loops
/// the first call may visit the whole level to find the parents of all cells, which the level stores. After that a path
/// takes time in proportion to its own length.
///
/// # Errors
/// If the job is cancelled.
pub fn shortest_path(level: &Level, from: Tile, to: Tile, context: &mut JobContext) -> Result<Solution, Cancelled> {
    level.tree(context)?;
    (bfs::BFS.solve)(level, from, to, context)
}

/// Most bytes that [`shortest_path`] takes besides the level. A search takes a mark for each tile and two bytes for
/// each step. The stored parents take less: half a byte for each tile, plus the padding of rows to whole words.
pub fn path_bytes(recipe: &Recipe) -> u64 {
    let size = recipe.size();
    3 * size.area() + 24 * u64::from(size.height) + FIXED_BYTES
}

/// A shortest path from start to exit, the one that the solver `bfs` finds.
///
/// # Errors
/// If the job is cancelled.
pub(crate) fn shortest(level: &Level, context: &mut JobContext) -> Result<Solution, Cancelled> {
    (bfs::BFS.solve)(level, level.start(), level.exit(), context)
}

macro_rules! table {
    ($($name:ident: $($row:ident),+);* $(;)?) => {
        $(mod $name;)*

        /// Every solver; the first is the default.
        pub static SOLVERS: &[Solver] = &[$($($name::$row),+),*];
    };
}

table! {
    bfs: BFS;
    astar: ASTAR;
    dead_end_filling: DEAD_END_FILLING;
    wall_follower: RIGHT_HAND, LEFT_HAND;
    tremaux: TREMAUX;
}
