//! Named values as a client sent them, read one by one while every error is collected.
//!
//! Each reader takes the names that it knows; a name that no reader took is reported as unknown at the end. So a client
//! learns of all its mistakes at once, whichever part of the program knows a parameter. Nothing here knows where the
//! values come from.

mod body_fields;
pub(crate) mod columns_and_rows;
mod form;
mod integer;
mod names;
pub mod options;
mod reader;
mod spec;
mod value;

pub use body_fields::{ALGORITHM, BODY_FIELDS, MASK, OPTIONS_OBJECT, RECIPE};
pub use form::{MAX_PAIRS, parameters as form_parameters};
pub use integer::integer;
pub use names::{did_you_mean, find_by_name, nearest, not_one_of};
pub use reader::Parameters;
pub use spec::{ParameterKind, ParameterSpec};
pub use value::{Given, ParameterType, Value};
