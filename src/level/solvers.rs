//! The table of solvers. A new one is a file in `solvers/` and a line in the list at the foot of this file; a second
//! solver of the same file is another name on its line.

use super::Level;
use super::grid::Direction;
use super::work::{Stopped, Work};

mod only_way;
mod parents;

/// One row of the table: a way from the start of a level to its exit.
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
    /// Walks the level.
    pub solve: fn(&Level, &mut Work) -> Result<Route, Stopped>,
}

/// Where a solver came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// The steps from start to exit; none where they are the same tile.
    Found(Vec<Direction>),
    /// It does not reach the exit, and why.
    Lost(&'static str),
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
