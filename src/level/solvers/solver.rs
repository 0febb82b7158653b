//! What a solver is.

use crate::level::grid::{Direction, Tile};
use crate::level::level::Level;
use crate::level::work::{Cancelled, JobContext};

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
pub type Solve = fn(&Level, Tile, Tile, &mut JobContext) -> Result<Solution, Cancelled>;

/// Where a solver came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Solution {
    /// The steps from the one tile to the other; none where they are the same.
    Found(Vec<Direction>),
    /// It does not come to the other tile, and why.
    Unreachable(&'static str),
}
