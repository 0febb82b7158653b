//! Errors: why a level cannot be made, or a query about it cannot be answered.

use serde::Serialize;

use crate::level::cancel::Cancelled;

/// What is wrong with one parameter, and how the client can correct it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParameterError {
    /// The parameter's name as the client wrote it.
    pub parameter: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl ParameterError {
    /// An error of `parameter`.
    pub fn new(parameter: &str, message: impl Into<String>) -> Self {
        Self { parameter: parameter.to_owned(), message: message.into() }
    }
}

/// Why a level cannot be made, or a query about it cannot be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The job was cancelled.
    Cancelled,
    /// A tile that the client named is not open in this level.
    Misplaced(Vec<ParameterError>),
    /// No seed gives a level that fits the recipe, or this level does not have what the client asks for.
    Unbuildable(Vec<ParameterError>),
    /// The answer would exceed its limit.
    TooLarge(ParameterError),
}

impl From<Cancelled> for Error {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
