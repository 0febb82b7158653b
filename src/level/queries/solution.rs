//! The solution of a level: the path of a solver from start to exit.

use std::fmt;

use crate::level::Level;
use crate::level::grid::LevelKind;
use crate::level::parameters::{ParameterKind, ParameterSpec, ParameterType, Parameters, find_by_name, not_one_of};
use crate::level::queries::query::Query;
use crate::level::recipe::Recipe;
use crate::level::solvers::{SOLVERS, Solution, Solver};
use crate::level::work::{Cancelled, JobContext};

/// The value of `solver` that asks for no solution.
pub const NO_SOLVER: &str = "none";

/// The solver that solves the level; `None` if the client wants the level alone.
#[derive(Debug, Clone, Copy)]
pub struct SolutionQuery {
    /// The solver.
    pub solver: Option<&'static Solver>,
}

impl SolutionQuery {
    /// Solves the level.
    ///
    /// # Errors
    /// If the job is cancelled.
    pub fn solve(&self, level: &Level, context: &mut JobContext) -> Result<Option<Solution>, Cancelled> {
        self.solver.map(|solver| (solver.solve)(level, level.start(), level.exit(), context)).transpose()
    }

    /// An upper bound for the steps of the solution.
    pub fn max_steps(&self, recipe: &Recipe) -> u64 {
        self.solver.map_or(0, |solver| max_steps(solver, recipe))
    }
}

impl Query for SolutionQuery {
    const PARAMETERS: &'static [ParameterSpec] = &[ParameterSpec::new(
        "solver",
        ParameterKind::Name(|| solver_names().into_iter().chain([NO_SOLVER]).collect()),
        "the solver that finds the solution, or none",
    )];

    fn read(params: &mut Parameters) -> Option<Self> {
        let read = |text: &str| {
            if text == NO_SOLVER {
                return Ok(None);
            }
            let solver = find_by_name(text, SOLVERS, |row| row.name, |_| &[]).ok();
            solver.map(Some).ok_or_else(|| {
                let names: Vec<_> = solver_names().into_iter().chain([NO_SOLVER]).collect();
                not_one_of(text, &names, [])
            })
        };
        let solver = params.value_or("solver", ParameterType::Name, SOLVERS.first(), read)?;
        Some(Self { solver })
    }

    fn revision(&self) -> u32 {
        self.solver.map_or(0, |solver| solver.revision)
    }

    fn work_bytes(&self, recipe: &Recipe) -> u64 {
        self.solver.map_or(0, |solver| solver_bytes(solver, recipe))
    }

    fn work_nanos(&self, recipe: &Recipe) -> u64 {
        self.solver.map_or(0, |_| solver_nanos(recipe))
    }
}

impl fmt::Display for SolutionQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_solver(f, self.solver)
    }
}

/// The names of all solvers.
pub(crate) fn solver_names() -> Vec<&'static str> {
    SOLVERS.iter().map(|row| row.name).collect()
}

/// An upper bound for the steps of a solver. A walker enters no tile more than four times, once from each side.
pub(crate) fn max_steps(solver: &Solver, recipe: &Recipe) -> u64 {
    let area = recipe.size().area();
    if solver.shortest { area } else { 4 * area }
}

/// Most bytes that a solver takes: a mark for each tile, and a byte for each step.
pub(crate) fn solver_bytes(solver: &Solver, recipe: &Recipe) -> u64 {
    recipe.size().area() + max_steps(solver, recipe)
}

/// About how many nanoseconds a solver takes: in a maze without loops it fills dead ends or walks along the walls, in
/// other levels it searches.
pub(crate) fn solver_nanos(recipe: &Recipe) -> u64 {
    let is_perfect = recipe.algorithm().kind == LevelKind::Maze && recipe.braid() == 0;
    recipe.blueprint().nanos(if is_perfect { 6_000 } else { 40_000 }, 0)
}

/// Writes the solver's part of a canonical query, if the solver is not the default.
pub(crate) fn write_solver(f: &mut fmt::Formatter<'_>, solver: Option<&Solver>) -> fmt::Result {
    match solver.map_or(NO_SOLVER, |solver| solver.name) {
        name if name == SOLVERS[0].name => Ok(()),
        name => write!(f, "&solver={name}"),
    }
}
