//! The errors of the service.

use crate::level;
use crate::service::admission::Busy;

/// Why a job has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The level cannot be built, or the job cannot make its value from the level.
    Level(level::error::Error),
    /// The service has met a limit.
    Busy(Busy),
    /// The deadline of the request has passed.
    Deadline,
    /// The job panicked; the log has the cause.
    Broken,
}

impl From<level::error::Error> for Error {
    fn from(error: level::error::Error) -> Self {
        match error {
            // The service also cancels jobs when it stops, but then no client is left to see which error it gets.
            level::error::Error::Cancelled => Self::Deadline,
            error => Self::Level(error),
        }
    }
}
