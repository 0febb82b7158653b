//! The size of an answer, and the error if it is too large.

use crate::level::error::ParameterError;
use crate::render::options::{GRID, GridForm, PATH, PathForm, RenderOptions};

/// Bytes of the parts of an answer that can be large.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts {
    pub(super) grid: u64,
    /// Rooms and doors.
    pub(super) plan: u64,
    pub(super) path: u64,
}

impl Parts {
    pub(super) const fn total(self) -> u64 {
        self.grid + self.plan + self.path
    }

    /// The error for an answer of so many bytes: it names the parameter that takes the most bytes, and what would be
    /// smaller.
    pub(super) fn too_large(self, options: RenderOptions, bytes: u64, limit: u64) -> ParameterError {
        let (parameter, remedy) = if self.plan > self.grid.max(self.path) {
            ("rooms", "fewer rooms")
        } else if self.grid > self.path {
            (GRID, if options.grid == GridForm::Bits { "grid=none" } else { "grid=bits or grid=none" })
        } else {
            (PATH, if options.path == PathForm::Moves { "path=none" } else { "path=moves or path=none" })
        };
        let message = format!("the answer would have {bytes} bytes or more, the limit is {limit}; ask for {remedy}");
        ParameterError::new(parameter, message)
    }
}
