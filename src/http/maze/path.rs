//! `/maze/path`: a way between any two tiles of a level, and the first step of it.

use std::fmt;

use super::super::ask::Question;
use super::read_end;
use crate::level::Level;
use crate::level::grid::Tile;
use crate::level::parameters::Parameters;
use crate::level::recipe::Recipe;
use crate::level::solvers::{Solver, way_bytes};
use crate::level::work::Work;
use crate::render::{GridForm, PathForm, Refusal, View, json, read_path, read_walker, write_path, write_solver};

/// A way from one tile to another, those of the level where they are not named.
pub(in super::super) struct Path {
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
        View { solver: Some(solver), grid: GridForm::None, path: form }.work_bytes(recipe, limit) + way_bytes(recipe)
    }

    fn write(self, level: &Level, limit: u64, work: &mut Work) -> Result<Vec<u8>, Refusal> {
        let named = [("from", self.from, level.start()), ("to", self.to, level.exit())];
        let ends = named.map(|(name, tile, default)| level.open_tile(name, tile.unwrap_or(default)));
        match ends {
            [Ok(from), Ok(to)] => json::way::way(level, [from, to], self.solver, self.form, limit, work),
            ends => Err(Refusal::Misplaced(ends.into_iter().filter_map(Result::err).collect())),
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
