//! `/maze/path`: a way between any two tiles of a level, and the first step of it.

use std::fmt;

use crate::http::ask::Question;
use crate::http::maze::read_end;
use crate::level::Level;
use crate::level::error::Error;
use crate::level::grid::Tile;
use crate::level::parameters::Parameters;
use crate::level::recipe::Recipe;
use crate::level::solvers::{Solver, path_bytes};
use crate::level::work::JobContext;
use crate::render::{GridForm, PathForm, RenderOptions, json, read_path, read_walker, write_path, write_solver};

/// A way from one tile to another, those of the level where they are not named.
pub(crate) struct Path {
    from: Option<Tile>,
    to: Option<Tile>,
    solver: &'static Solver,
    form: PathForm,
}

impl Question for Path {
    const PATH: &'static str = "/maze/path";
    const PARAMETERS: &'static [&'static str] = &["from", "to", "solver", "path"];

    fn read(given: &mut Parameters) -> Option<Self> {
        let (mut from, mut to) = (None, None);
        let ends = [read_end(given, "from", &mut from), read_end(given, "to", &mut to)];
        let (solver, form) = (read_walker(given), read_path(given));
        ends.iter().all(|good| *good).then_some(Self { from, to, solver: solver?, form: form? })
    }

    fn revision(&self) -> u32 {
        self.solver.revision
    }

    fn work_bytes(&self, recipe: &Recipe, limit: u64) -> u64 {
        let Self { solver, form, .. } = *self;
        RenderOptions { solver: Some(solver), grid: GridForm::None, path: form }.work_bytes(recipe, limit)
            + path_bytes(recipe)
    }

    fn write(self, level: &Level, limit: u64, work: &mut JobContext) -> Result<Vec<u8>, Error> {
        let named = [("from", self.from, level.start()), ("to", self.to, level.exit())];
        let ends = named.map(|(name, tile, default)| level.open_tile(name, tile.unwrap_or(default)));
        match ends {
            [Ok(from), Ok(to)] => json::way::way(level, [from, to], self.solver, self.form, limit, work),
            ends => Err(Error::Misplaced(ends.into_iter().filter_map(Result::err).collect())),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, tile) in [("from", self.from), ("to", self.to)] {
            if let Some(Tile { x, y }) = tile {
                write!(f, "&{name}={x},{y}")?;
            }
        }
        write_solver(f, Some(self.solver))?;
        write_path(f, self.form)
    }
}
