//! Why a job has no result.

use crate::level;

/// Why a job has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The level, or what the job makes of it, cannot be had.
    Level(level::error::Error),
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
            error => Self::Level(error),
        }
    }
}
