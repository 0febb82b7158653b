//! What a solver is.

use crate::level::Level;
use crate::level::grid::{Direction, Tile};
use crate::level::work::{Cancelled, JobContext};

/// One row of the table: a solver, which finds a path from one tile of a level to another.
///
/// ```
/// use mazed::level::solvers::{SOLVERS, Solution};
/// # use mazed::level::Level;
/// # use mazed::level::recipe::{Limits, Recipe};
/// # use mazed::level::work::{Buffers, Cancel, JobContext};
/// # let pairs = [("algo", "dfs"), ("size", "9"), ("seed", "7")];
/// # let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).expect("these pairs are a recipe");
/// # let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
/// # let level = Level::build(recipe, &mut context).expect("every seed has such a level");
/// for solver in SOLVERS {
///     let solution = (solver.solve)(&level, level.start(), level.exit(), &mut context).expect("nothing cancels it");
///     let Solution::Found(moves) = solution else { panic!("a maze without loops has a solution") };
///     assert!(!moves.is_empty(), "{}", solver.name);
/// }
/// ```
#[derive(Debug)]
pub struct Solver {
    /// The solver's name in requests and answers.
    pub name: &'static str,
    /// One line for the catalogue.
    pub summary: &'static str,
    /// Whether the solver finds a shortest path on every level.
    pub shortest: bool,
    /// Grows by one whenever the solver's paths change; part of every entity tag.
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
