//! How an answer is written: the forms of grid and path.

use std::fmt;

use crate::level::parameters::{ParameterKind, ParameterSpec, ParameterType, Parameters, find_by_name};

/// How the open tiles and walls are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GridForm {
    /// Rows of numbers.
    Matrix,
    /// A string for each row.
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
    /// A letter for each step.
    Moves,
    /// Not at all.
    None,
}

/// The name of a form, with a line for the catalogue.
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
        form: GridForm::Bits,
        name: "bits",
        summary: "field bits: base64, row-major, 1 wall or void, most significant bit first, each row padded to a byte",
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

/// The name of the parameter for the form of the grid.
pub const GRID: &str = "grid";

/// The name of the parameter for the form of the path.
pub const PATH: &str = "path";

/// The parameters of the render options. A format names those that it takes.
pub const PARAMETERS: [ParameterSpec; 2] = [
    ParameterSpec::new(
        GRID,
        ParameterKind::Name(|| GRID_FORMS.iter().map(|row| row.name).collect()),
        "how open tiles and walls are written",
    ),
    ParameterSpec::new(
        PATH,
        ParameterKind::Name(|| PATH_FORMS.iter().map(|row| row.name).collect()),
        "how the path is written",
    ),
];

/// How an answer is written, besides its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderOptions {
    /// How the grid is written.
    pub grid: GridForm,
    /// How the path is written.
    pub path: PathForm,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self { grid: GRID_FORMS[0].form, path: PATH_FORMS[0].form }
    }
}

impl RenderOptions {
    /// Reads those of the options that a format takes, and leaves all other parameters to other readers. Returns `None`
    /// if there is an error; `params` holds it.
    pub fn read(params: &mut Parameters, taken: &[&str]) -> Option<Self> {
        let mut options = Some(Self::default());
        if taken.contains(&GRID) {
            let grid = read_form(params, GRID, GRID_FORMS);
            options = options.zip(grid).map(|(options, grid)| Self { grid, ..options });
        }
        if taken.contains(&PATH) {
            let path = read_form(params, PATH, PATH_FORMS);
            options = options.zip(path).map(|(options, path)| Self { path, ..options });
        }
        options
    }
}

fn read_form<T: Copy>(params: &mut Parameters, name: &str, forms: &[FormSpec<T>]) -> Option<T> {
    params.value_or(name, ParameterType::Name, forms[0].form, |text| {
        find_by_name(text, forms, |row| row.name, |_| &[]).map(|row| row.form)
    })
}

/// Writes the part of a canonical query: the options that are not at their defaults, each pair with a leading `&`.
impl fmt::Display for RenderOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut grids = GRID_FORMS[1..].iter().filter(|row| row.form == self.grid);
        grids.try_for_each(|row| write!(f, "&{GRID}={}", row.name))?;
        let mut paths = PATH_FORMS[1..].iter().filter(|row| row.form == self.path);
        paths.try_for_each(|row| write!(f, "&{PATH}={}", row.name))
    }
}
