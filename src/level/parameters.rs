//! Named values as a client sent them, read one by one while every error is collected.
//!
//! Each reader takes the names that it knows; a name that no reader took is reported as unknown at the end. So a client
//! learns of all its mistakes at once, whichever part of the program knows a parameter. Nothing here knows where the
//! values come from.

pub(crate) mod columns_and_rows;
mod form;
mod integer;
mod names;
pub mod options;
mod reader;
mod spec;
mod value;

pub use form::{MAX_PAIRS, parameters as form_parameters};
pub use integer::integer;
pub use names::{did_you_mean, find_by_name, nearest, not_one_of};
pub use reader::Parameters;
pub use spec::{ParameterKind, ParameterSpec};
pub use value::{Given, ParameterType, Value};

/// The name of the field that holds a mask: a list of texts.
pub const MASK: &str = "mask";

/// The name of the field that holds a recipe as one text.
pub const RECIPE: &str = "recipe";

/// The name of the field that names the algorithm, as answers call it.
pub const ALGORITHM: &str = "algorithm";

/// The name of the field that holds options as an object, as answers do.
pub const OPTIONS_OBJECT: &str = "options";

/// The fields that only a JSON body can hold.
pub const BODY_FIELDS: [&str; 4] = [MASK, RECIPE, ALGORITHM, OPTIONS_OBJECT];

/// The error for a field of [`BODY_FIELDS`] in a query string.
fn body_only(name: &str) -> Option<&'static str> {
    match name {
        MASK => Some("goes into the JSON body of a POST, as an array of strings"),
        RECIPE => Some("goes into the JSON body of a POST; a URL has the parameters of the recipe in place of it"),
        ALGORITHM => Some("is unknown here; did you mean algo?"),
        OPTIONS_OBJECT => Some("goes into the JSON body of a POST; a URL has each option as a parameter of its own"),
        _ => None,
    }
}
