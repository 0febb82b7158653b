//! Levels as bytes. Knows levels and what can be shown of them, not who asked or over what.
//!
//! A [`RenderOptions`] says what to show: which solver's way, and in which form grid and path are written. A form that is new is
//! a row of its table here and a writer in the format's file.

pub mod json;

use std::fmt;
use std::ops::Range;

use crate::level::error::ParameterError;
use crate::level::parameters::{ParameterType, Parameters, find_by_name};
use crate::level::recipe::Recipe;
use crate::level::solvers::{SOLVERS, Solver};
use crate::level::work::FIXED_BYTES;

/// How the open and shut tiles are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GridForm {
    /// Rows of numbers.
    Matrix,
    /// A string a row.
    Rows,
    /// Packed bits in base64.
    Bitmap,
    /// Not at all.
    None,
}

/// How a path is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathForm {
    /// Each tile stepped on.
    Points,
    /// A letter a step.
    Moves,
    /// Not at all.
    None,
}

/// A name for a form, with a line for the catalogue.
#[derive(Debug)]
pub struct FormSpec<T: 'static> {
    /// The form.
    pub form: T,
    /// Its name in requests.
    pub name: &'static str,
    /// One line for the catalogue.
    pub summary: &'static str,
}

/// Every grid form; the first is the default.
pub const GRID_FORMS: &[FormSpec<GridForm>] = &[
    FormSpec {
        form: GridForm::Matrix,
        name: "matrix",
        summary: "field grid: rows of numbers, 0 open, 1 wall, -1 void",
    },
    FormSpec { form: GridForm::Rows, name: "rows", summary: "field rows: a string a row, # wall, . open, space void" },
    FormSpec {
        form: GridForm::Bitmap,
        name: "bits",
        summary: "field bits: base64, row by row, 1 wall or void, most significant bit first, each row padded to a byte",
    },
    FormSpec { form: GridForm::None, name: "none", summary: "no grid" },
];

/// Every path form; the first is the default.
pub const PATH_FORMS: &[FormSpec<PathForm>] = &[
    FormSpec { form: PathForm::Points, name: "points", summary: "field path: each tile from start to exit as [x,y]" },
    FormSpec {
        form: PathForm::Moves,
        name: "moves",
        summary: "field moves: a string of U, R, D and L, a letter a step",
    },
    FormSpec { form: PathForm::None, name: "none", summary: "the length only" },
];

/// The parameters that a view reads.
pub const PARAMETERS: [&str; 3] = ["solver", "grid", "path"];

/// The name that asks for no solver.
pub const NO_SOLVER: &str = "none";

/// What to show of a level.
#[derive(Debug, Clone, Copy)]
pub struct RenderOptions {
    /// Who walks the level; nobody where there is none.
    pub solver: Option<&'static Solver>,
    /// How the grid is written.
    pub grid: GridForm,
    /// How the path is written.
    pub path: PathForm,
}

impl RenderOptions {
    /// Reads a view, leaving the parameters that are none of its own to other readers. `None` where there is a fault.
    pub fn read(given: &mut Parameters) -> Option<Self> {
        let solver = given.value_or("solver", ParameterType::Name, SOLVERS.first(), read_solver);
        let grid = given.value_or("grid", ParameterType::Name, GRID_FORMS[0].form, |text| read_form(text, GRID_FORMS));
        let path = read_path(given);
        Some(Self { solver: solver?, grid: grid?, path: path? })
    }

    /// Refuses what is known to pass `limit` before any work is done for it.
    ///
    /// # Errors
    /// The fault names the parameter that asks for the most, and the remedy.
    pub fn check(&self, recipe: &Recipe, limit: u64) -> Result<(), ParameterError> {
        let (grid, plan) = (grid_bytes(self.grid, recipe).start, json::plan::bounds(recipe).start);
        let parts = Parts { grid, plan, path: 0 };
        if parts.total() <= limit { Ok(()) } else { Err(self.too_large(parts, parts.total(), limit)) }
    }

    /// Most bytes that writing the view of a level takes beside the level: the body, tables of texts and, for a solver,
    /// a mark for each tile and a byte for each step. A walker enters no tile more than four times, once from each
    /// side.
    pub fn work_bytes(&self, recipe: &Recipe, limit: u64) -> u64 {
        let area = recipe.size().area();
        let steps = match self.solver {
            None => 0,
            Some(solver) if solver.shortest => area,
            Some(_) => 4 * area,
        };
        let path = match self.path {
            PathForm::Points => json::path::MOST_POINT_BYTES * steps,
            PathForm::Moves => steps,
            PathForm::None => 0,
        };
        let texts = if self.path == PathForm::Points { json::path::text_bytes(recipe.size()) } else { 0 };
        let packed = if self.grid == GridForm::Bitmap { grid_bytes(GridForm::Bitmap, recipe).end } else { 0 };
        let body = grid_bytes(self.grid, recipe).end + json::plan::bounds(recipe).end + path;
        body.min(limit) + packed + texts + steps + if self.solver.is_some() { area } else { 0 } + FIXED_BYTES
    }

    /// Says which part of an answer of so many bytes asks for the most, and what would be smaller.
    fn too_large(&self, parts: Parts, bytes: u64, limit: u64) -> ParameterError {
        let (parameter, remedy) = if parts.plan > parts.grid.max(parts.path) {
            ("rooms", "fewer rooms")
        } else if parts.grid > parts.path {
            ("grid", if self.grid == GridForm::Bitmap { "grid=none" } else { "grid=bits or grid=none" })
        } else {
            ("path", if self.path == PathForm::Moves { "path=none" } else { "path=moves or path=none" })
        };
        ParameterError::new(
            parameter,
            format!("the answer would have {bytes} bytes or more, the limit is {limit}; ask for {remedy}"),
        )
    }
}

/// Bytes of the parts of an answer that can be large.
#[derive(Debug, Clone, Copy)]
struct Parts {
    grid: u64,
    /// Rooms and doors.
    plan: u64,
    path: u64,
}

impl Parts {
    const fn total(self) -> u64 {
        self.grid + self.plan + self.path
    }
}

/// Bytes of the grid of a recipe's level: at least, and at the most.
fn grid_bytes(form: GridForm, recipe: &Recipe) -> Range<u64> {
    let bytes = |void| json::grid::bytes(form, recipe.size(), void);
    bytes(0)..bytes(recipe.mask().map_or(0, |mask| mask.most_void()))
}

fn read_form<T: Copy>(text: &str, forms: &[FormSpec<T>]) -> Result<T, String> {
    find_by_name(text, forms, |row| row.name, |_| &[]).map(|row| row.form)
}

fn read_solver(text: &str) -> Result<Option<&'static Solver>, String> {
    if text == NO_SOLVER {
        return Ok(None);
    }
    find_by_name(text, SOLVERS, |row| row.name, |_| &[]).map(Some).map_err(|message| format!("{message}, {NO_SOLVER}"))
}

/// Reads who looks for a way, where somebody has to. `None` where there is a fault.
pub fn read_walker(given: &mut Parameters) -> Option<&'static Solver> {
    given.value_or("solver", ParameterType::Name, &SOLVERS[0], |text| {
        find_by_name(text, SOLVERS, |row| row.name, |_| &[])
    })
}

/// Reads how a path is written. `None` where there is a fault.
pub fn read_path(given: &mut Parameters) -> Option<PathForm> {
    given.value_or("path", ParameterType::Name, PATH_FORMS[0].form, |text| read_form(text, PATH_FORMS))
}

/// Writes who looks for a way as it goes on a canonical query, if that is not the default.
///
/// # Errors
/// Those of the formatter.
pub fn write_solver(f: &mut fmt::Formatter<'_>, solver: Option<&Solver>) -> fmt::Result {
    match solver.map_or(NO_SOLVER, |solver| solver.name) {
        name if name == SOLVERS[0].name => Ok(()),
        name => write!(f, "&solver={name}"),
    }
}

/// Writes how a path is written, likewise.
///
/// # Errors
/// Those of the formatter.
pub fn write_path(f: &mut fmt::Formatter<'_>, form: PathForm) -> fmt::Result {
    PATH_FORMS[1..].iter().filter(|row| row.form == form).try_for_each(|row| write!(f, "&path={}", row.name))
}

/// Writes what of the view is not the default, as it goes on a canonical query: each pair begins with `&`.
impl fmt::Display for RenderOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_solver(f, self.solver)?;
        for row in GRID_FORMS[1..].iter().filter(|row| row.form == self.grid) {
            write!(f, "&grid={}", row.name)?;
        }
        write_path(f, self.path)
    }
}
