//! The limit for random walks in a mask.
//!
//! In a rectangle the walks of `wilson` and `aldous_broder` take a few steps or a few dozen for each cell. In a mask
//! the number of steps can grow with the square of the number of cells: in n steps along a corridor a walk gets only
//! about `sqrt(n)` cells ahead. An upper bound of the mean number of steps is known before the walk. If it is too high,
//! the request gets an error, whatever its seed is.
//!
//! The bound comes from electrical networks, where each possible passage is a resistor of one. A walk from one cell to
//! another and back takes on average four steps for each cell of the maze times the resistance between the two cells
//! (Chandra, Raghavan, Ruzzo, Smolensky and Tiwari, "The electrical resistance of a graph captures its commute and
//! cover times", 1989; a step into a wall counts as one). The resistance is at most the number of steps from the one
//! cell to the other.

use crate::level::error::{Error, ParameterError};
use crate::level::parameters::MASK;

/// The most steps that a walk may take on average; they take some seconds.
const MOST_STEPS: u64 = 700_000_000;

/// About how many nanoseconds one step takes.
const STEP_NANOS: u64 = 9;

/// The nanoseconds of a walk in a mask, or an error if it may take more than [`MOST_STEPS`] on average. `steps` is the
/// upper bound of the mean.
pub(crate) fn estimate(steps: u64) -> Result<u64, Error> {
    if steps <= MOST_STEPS {
        return Ok(steps * STEP_NANOS);
    }
    let message = format!(
        "is too long and narrow for a random walk, which may take {steps} steps in it where {MOST_STEPS} are allowed; \
         take a smaller one, or an algorithm that does not walk at random, such as kruskal, prim or dfs"
    );
    Err(Error::Unbuildable(vec![ParameterError::new(MASK, message)]))
}
