//! Levels as bytes. Knows levels and what can be shown of them, not who asked or over what.
//!
//! A [`View`] says what to show: which solver's way, and in which form grid and path are written. A form that is new is a
//! row of its table here and a writer in the format's file.

pub mod json;

use std::fmt;

use crate::level::grid::Size;
use crate::level::parameters::{Fault, Parameters, choice};
use crate::level::solvers::{SOLVERS, Solver};
use crate::level::work::Stopped;

/// How the open and shut tiles are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GridForm {
    /// Rows of numbers.
    Matrix,
    /// A string a row.
    Rows,
    /// Packed bits in base64.
    Bits,
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
pub struct Named<T: 'static> {
    /// The form.
    pub form: T,
    /// Its name in requests.
    pub name: &'static str,
    /// One line for the catalogue.
    pub summary: &'static str,
}

/// Every grid form; the first is the default.
pub const GRID_FORMS: &[Named<GridForm>] = &[
    Named { form: GridForm::Matrix, name: "matrix", summary: "field grid: rows of numbers, 0 open, 1 wall" },
    Named { form: GridForm::Rows, name: "rows", summary: "field rows: a string a row, # wall, . open" },
    Named {
        form: GridForm::Bits,
        name: "bits",
        summary: "field bits: base64, row by row, 1 wall, most significant bit first, each row padded to a byte",
    },
    Named { form: GridForm::None, name: "none", summary: "no grid" },
];

/// Every path form; the first is the default.
pub const PATH_FORMS: &[Named<PathForm>] = &[
    Named { form: PathForm::Points, name: "points", summary: "field path: each tile from start to exit as [x,y]" },
    Named { form: PathForm::Moves, name: "moves", summary: "field moves: a string of U, R, D and L, a letter a step" },
    Named { form: PathForm::None, name: "none", summary: "the length only" },
];

/// The parameters that a view reads.
pub const PARAMETERS: [&str; 3] = ["solver", "grid", "path"];

/// The name that asks for no solver.
pub const NO_SOLVER: &str = "none";

/// What to show of a level.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Who walks the level; nobody where there is none.
    pub solver: Option<&'static Solver>,
    /// How the grid is written.
    pub grid: GridForm,
    /// How the path is written.
    pub path: PathForm,
}

impl View {
    /// Reads a view, leaving the parameters that are none of its own to other readers. `None` where there is a fault.
    pub fn read(given: &mut Parameters) -> Option<Self> {
        let mut view = Self { solver: SOLVERS.first(), grid: GridForm::Matrix, path: PathForm::Points };
        let mut sound = true;
        for name in PARAMETERS {
            let Some(text) = given.text(name) else { continue };
            let read = match name {
                "solver" => read_solver(&text).map(|solver| view.solver = solver),
                "grid" => choice(&text, GRID_FORMS, |row| row.name).map(|row| view.grid = row.form),
                _ => choice(&text, PATH_FORMS, |row| row.name).map(|row| view.path = row.form),
            };
            sound &= given.accept(name, read).is_some();
        }
        sound.then_some(view)
    }

    /// Bytes of the grid in an answer for a level of this size.
    pub const fn grid_bytes(&self, size: Size) -> u64 {
        json::grid::bytes(self.grid, size)
    }

    /// Refuses a grid that alone would pass `limit`, before any work is done for it.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`].
    pub fn check(&self, size: Size, limit: u64) -> Result<(), Refusal> {
        let bytes = self.grid_bytes(size);
        if bytes <= limit { Ok(()) } else { Err(self.too_large(size, bytes, limit)) }
    }

    /// Refuses an answer of so many bytes; the fault names the larger of its two parts and the forms that are smaller.
    fn too_large(&self, size: Size, bytes: u64, limit: u64) -> Refusal {
        let (parameter, remedy) = if self.grid_bytes(size) > bytes / 2 {
            ("grid", if self.grid == GridForm::Bits { "grid=none" } else { "grid=bits or grid=none" })
        } else {
            ("path", if self.path == PathForm::Moves { "path=none" } else { "path=moves or path=none" })
        };
        let message = format!("the answer would have {bytes} bytes, above the limit of {limit}; ask for {remedy}");
        Refusal::TooLarge(Fault::new(parameter, message))
    }
}

fn read_solver(text: &str) -> Result<Option<&'static Solver>, String> {
    if text == NO_SOLVER {
        return Ok(None);
    }
    choice(text, SOLVERS, |row| row.name).map(Some).map_err(|message| format!("{message}, {NO_SOLVER}"))
}

/// Writes what of the view is not the default, as it goes on a canonical query: each pair begins with `&`.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let solver = self.solver.map_or(NO_SOLVER, |solver| solver.name);
        if solver != SOLVERS[0].name {
            write!(f, "&solver={solver}")?;
        }
        for row in GRID_FORMS[1..].iter().filter(|row| row.form == self.grid) {
            write!(f, "&grid={}", row.name)?;
        }
        for row in PATH_FORMS[1..].iter().filter(|row| row.form == self.path) {
            write!(f, "&path={}", row.name)?;
        }
        Ok(())
    }
}

/// Why there are no bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The job was told to stop.
    Stopped,
    /// The answer would pass the limit.
    TooLarge(Fault),
}

impl From<Stopped> for Refusal {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}
