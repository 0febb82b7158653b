//! The table of solvers. A new one is a file in `solvers/` and a line in the list at the foot of this file; a second
//! solver of the same file is another name on its line.

use crate::level::Level;
use crate::level::grid::Tile;
use crate::level::recipe::Recipe;
use crate::level::work::{Cancelled, FIXED_BYTES, JobContext};

mod border;
mod solver;
mod unique_path;

pub use solver::{Solution, Solve, Solver};
mod tree_path;

/// A shortest way between two open tiles, for who asks more than once: where there is only one, it costs its own length.
/// Of a maze without loops the first such question may take a sweep over the whole level, which then keeps what was
/// found.
///
/// # Errors
/// Where the job is told to stop.
pub fn way(level: &Level, from: Tile, to: Tile, context: &mut JobContext) -> Result<Solution, Cancelled> {
    level.tree(context)?;
    (bfs::BFS.solve)(level, from, to, context)
}

/// Most bytes that [`way`] takes beside the level: a mark for each tile and two bytes for each step, or half a byte for
/// each tile of rows that are padded to whole words.
pub fn path_bytes(recipe: &Recipe) -> u64 {
    let size = recipe.size();
    3 * size.area() + 24 * u64::from(size.height) + FIXED_BYTES
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

/// A shortest path, the one that the solver `bfs` gives.
///
/// # Errors
/// Where the job is told to stop.
pub(crate) fn shortest(level: &Level, context: &mut JobContext) -> Result<Solution, Cancelled> {
    (bfs::BFS.solve)(level, level.start(), level.exit(), context)
}
