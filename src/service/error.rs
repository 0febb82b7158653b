//! Why a job has no result.

use crate::level;
use crate::level::error::ParameterError;

/// Why a job has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// A tile that the client named is not open in this level.
    Misplaced(Vec<ParameterError>),
    /// No seed has such a level, or this level does not have what the client asks for.
    Unbuildable(Vec<ParameterError>),
    /// The response would pass its limit.
    TooLarge(ParameterError),
    /// Too many jobs wait already, or too many bytes of responses wait to be read.
    Busy,
    /// The deadline of the request has passed.
    Deadline,
    /// The job panicked; the log has the cause.
    Broken,
}

impl From<level::error::Error> for Error {
    fn from(error: level::error::Error) -> Self {
        match error {
            // the end of the service cancels jobs too, but then no client is left to notice the difference
            level::error::Error::Cancelled => Self::Deadline,
            level::error::Error::Misplaced(errors) => Self::Misplaced(errors),
            level::error::Error::Unbuildable(errors) => Self::Unbuildable(errors),
            level::error::Error::TooLarge(error) => Self::TooLarge(error),
        }
    }
}
