//! A path between any two tiles of a level, and its first step.

use std::fmt;

use crate::level::Level;
use crate::level::error::Error;
use crate::level::grid::Tile;
use crate::level::parameters::{ParameterKind, ParameterSpec, ParameterType, Parameters, find_by_name};
use crate::level::queries::query::{Query, read_optional_tile};
use crate::level::queries::solution::{max_steps, solver_bytes, solver_names, solver_nanos, write_solver};
use crate::level::recipe::Recipe;
use crate::level::solvers::{SOLVERS, Solution, Solver, path_bytes};
use crate::level::work::JobContext;

/// Grows by one whenever the answers change, except by a change of the solver's paths.
const REVISION: u32 = 0;

/// A path from one tile to another; from the start and to the exit of the level if the client names no tiles.
#[derive(Debug, Clone, Copy)]
pub struct PathQuery {
    /// The first tile.
    pub from: Option<Tile>,
    /// The last tile.
    pub to: Option<Tile>,
    /// The solver.
    pub solver: &'static Solver,
}

impl PathQuery {
    /// Finds the path and returns it with its first tile.
    ///
    /// # Errors
    /// If one of the tiles is not open in this level, or the job is cancelled.
    pub fn find(&self, level: &Level, context: &mut JobContext) -> Result<(Tile, Solution), Error> {
        let named = [("from", self.from, level.start()), ("to", self.to, level.exit())];
        let tiles = named.map(|(name, tile, default)| level.open_tile(name, tile.unwrap_or(default)));
        let [from, to] = match tiles {
            [Ok(from), Ok(to)] => [from, to],
            tiles => return Err(Error::Misplaced(tiles.into_iter().filter_map(Result::err).collect())),
        };
        if self.solver.shortest {
            // a client that asks for one path of a level will ask for more: with the tree each takes time in proportion
            // to its length
            level.tree(context)?;
        }
        Ok((from, (self.solver.solve)(level, from, to, context)?))
    }

    /// An upper bound for the steps of the path.
    pub fn max_steps(&self, recipe: &Recipe) -> u64 {
        max_steps(self.solver, recipe)
    }
}

impl Query for PathQuery {
    const PARAMETERS: &'static [ParameterSpec] = &[
        ParameterSpec::new("from", ParameterKind::Tile, "the open tile that the path begins at").or_else("the start"),
        ParameterSpec::new("to", ParameterKind::Tile, "the open tile that the path ends at").or_else("the exit"),
        ParameterSpec::new("solver", ParameterKind::Name(solver_names), "the solver that finds the path"),
    ];

    fn read(params: &mut Parameters) -> Option<Self> {
        let (from, to) = (read_optional_tile(params, "from"), read_optional_tile(params, "to"));
        let read = |text: &str| find_by_name(text, SOLVERS, |row| row.name, |_| &[]);
        let solver = params.value_or("solver", ParameterType::Name, &SOLVERS[0], read);
        Some(Self { from: from?, to: to?, solver: solver? })
    }

    fn revision(&self) -> u32 {
        REVISION + self.solver.revision
    }

    fn work_bytes(&self, recipe: &Recipe) -> u64 {
        solver_bytes(self.solver, recipe) + path_bytes(recipe)
    }

    fn work_nanos(&self, recipe: &Recipe) -> u64 {
        solver_nanos(recipe)
    }
}

impl fmt::Display for PathQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, tile) in [("from", self.from), ("to", self.to)] {
            if let Some(Tile { x, y }) = tile {
                write!(f, "&{name}={x},{y}")?;
            }
        }
        write_solver(f, Some(self.solver))
    }
}
