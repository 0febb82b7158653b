//! The limit for random walks in a mask.
//!
//! In a rectangle the walks of `wilson` and `aldous_broder` take a few steps or a few dozen for each cell. In a mask
//! the number of steps can grow with the square of the cells: along a corridor a walk advances by the square root of
//! its steps. An upper bound of the mean is known beforehand, and a mask with too high a bound is refused for all
//! seeds. To walk from one cell to another and back takes on average four steps for each cell of the maze times the
//! resistance between the two, if each possible passage is a resistor of one (Chandra, Raghavan, Ruzzo, Smolensky and
//! Tiwari, "The electrical resistance of a graph captures its commute and cover times", 1989; a step into a wall counts
//! as one). That resistance is at most the number of steps from the one to the other.

use crate::level::error::{Error, ParameterError};
use crate::level::parameters::MASK;

/// The most steps that a walk may take on average: some seconds.
const MOST_STEPS: u64 = 700_000_000;

/// Refuses a mask in which a walk may take more than [`MOST_STEPS`] on average.
pub(crate) fn check(steps: u64) -> Result<(), Error> {
    if steps <= MOST_STEPS {
        return Ok(());
    }
    let message = format!(
        "is too long and narrow for a random walk, which may take {steps} steps in it where {MOST_STEPS} are allowed; \
         take a smaller one, or an algorithm that does not walk at random, such as kruskal, prim or dfs"
    );
    Err(Error::Unbuildable(vec![ParameterError::new(MASK, message)]))
}
