//! How long a random walk may take in a mask.
//!
//! On a rectangle the walks of `wilson` and `aldous_broder` take a few steps or a few dozen for each cell. In a mask they
//! can take the square of the cells: along a corridor a walk gets on by the root of its steps. What they take at the most
//! on average is known before, and what would take too long is refused for all seeds alike. Between two cells, to go
//! there and back takes four steps for each cell of the maze times the resistance between the two, where each passage
//! that may open is a resistor of one (Chandra, Raghavan, Ruzzo, Smolensky and Tiwari, "The electrical resistance of a
//! graph captures its commute and cover times", 1989; a step into a wall counts as one), and that is at most the steps
//! from the one to the other.

use crate::level::error::{Error, ParameterError};
use crate::level::parameters::MASK;

/// Most steps that a walk may take on average: some seconds.
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
