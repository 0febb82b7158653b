//! Why there is no level, or no answer about it.

use serde::Serialize;

use crate::level::cancel::Cancelled;

/// What is wrong with one parameter, in words that name the remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParameterError {
    /// The parameter's name as the caller wrote it.
    pub parameter: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl ParameterError {
    /// A fault of `parameter`.
    pub fn new(parameter: &str, message: impl Into<String>) -> Self {
        Self { parameter: parameter.to_owned(), message: message.into() }
    }
}

/// Why a level, or what a caller asks about it, cannot be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The job was cancelled.
    Cancelled,
    /// A tile that the caller named is not open in this level.
    Misplaced(Vec<ParameterError>),
    /// No seed has such a level, or this level does not have what the caller asks for.
    Unbuildable(Vec<ParameterError>),
    /// The answer would pass its limit.
    TooLarge(ParameterError),
}

impl From<Cancelled> for Error {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
