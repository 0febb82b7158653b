//! The table of solvers. A new one is a file in `solvers/` and a line in the list at the foot of this file; a second
//! solver of the same file is another name on its line.

use super::Level;
use super::algorithms::FIXED_BYTES;
use super::grid::{Direction, Tile};
use super::recipe::Recipe;
use super::work::{Stopped, Work};

mod border;
mod only_way;
mod parents;
pub(super) mod tree;

/// One row of the table: a way from one tile of a level to another.
#[derive(Debug)]
pub struct Solver {
    /// Its name in requests and answers.
    pub name: &'static str,
    /// One line for the catalogue.
    pub summary: &'static str,
    /// Whether its path is a shortest one on every level.
    pub shortest: bool,
    /// Counts the times that its paths changed; part of every entity tag.
    pub revision: u32,
    /// Walks the level from the first tile to the second; both are open.
    pub solve: Solve,
}

/// What a solver does.
pub type Solve = fn(&Level, Tile, Tile, &mut Work) -> Result<Route, Stopped>;

/// Where a solver came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// The steps from the one tile to the other; none where they are the same.
    Found(Vec<Direction>),
    /// It does not come to the other tile, and why.
    Lost(&'static str),
}

/// A shortest way between two open tiles, for who asks more than once: where there is only one, it costs its own length.
/// Of a maze without loops the first such question may take a sweep over the whole level, which then keeps what was
/// found.
///
/// # Errors
/// Where the job is told to stop.
pub fn way(level: &Level, from: Tile, to: Tile, work: &mut Work) -> Result<Route, Stopped> {
    level.tree(work)?;
    (bfs::BFS.solve)(level, from, to, work)
}

/// Most bytes that [`way`] takes beside the level: a mark for each tile and two bytes for each step, or half a byte for
/// each tile of rows that are padded to whole words.
pub fn way_bytes(recipe: &Recipe) -> u64 {
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
pub(super) fn shortest(level: &Level, work: &mut Work) -> Result<Route, Stopped> {
    (bfs::BFS.solve)(level, level.start(), level.exit(), work)
}
