//! What a solver is.

use crate::level::Level;
use crate::level::grid::{Direction, Tile};
use crate::level::work::{Cancelled, JobContext};

/// One row of the table: a solver, which finds a path from one tile of a level to another.
#[derive(Debug)]
pub struct Solver {
    /// Its name in requests and answers.
    pub name: &'static str,
    /// One line for the catalogue.
    pub summary: &'static str,
    /// Whether its path is a shortest path on every level.
    pub shortest: bool,
    /// Grows by one whenever its paths change; part of every entity tag.
    pub revision: u32,
    /// Finds a path from the first tile to the second; both are open.
    pub solve: Solve,
}

/// The function of a solver.
pub type Solve = fn(&Level, Tile, Tile, &mut JobContext) -> Result<Solution, Cancelled>;

/// The result of a solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Solution {
    /// The steps from the first tile to the second; none if they are the same.
    Found(Vec<Direction>),
    /// The solver does not reach the second tile; the text says why.
    Unreachable(&'static str),
}
