//! Named values as a client sent them, read one by one while every error is collected.
//!
//! Each reader takes the names that it knows; a name that no reader took is reported as unknown at the end. So a client
//! learns of all its mistakes at once, whichever part of the program knows a parameter. Nothing here knows where the
//! values come from.

pub(crate) mod columns_and_rows;
mod integer;
mod names;
pub mod options;
mod reader;
mod value;

pub use integer::integer;
pub use names::{did_you_mean, find_by_name, nearest, not_one_of};
pub use reader::Parameters;
pub use value::{Given, ParameterType, Value};

/// The name of the parameter that holds a mask: a list of strings, which only a JSON body can hold.
pub const MASK: &str = "mask";
