//! The numbers of a level: its tiles by kind, its solution, its longest path, and how hard it is.
//!
//! To compute them takes a path, two searches for the longest path, and the walk of an
//! [explorer](crate::level::queries::effort). Neighbours are counted 64 tiles at a time.

use std::fmt;

use serde::Serialize;

use crate::level::grid::{Grid, Tile};
use crate::level::parameters::{ParameterSpec, Parameters};
use crate::level::queries::effort::{self, Rating, rate};
use crate::level::queries::fraction::Fraction;
use crate::level::queries::query::Query;
use crate::level::recipe::Recipe;
use crate::level::work::{Cancelled, JobContext};
use crate::level::{Level, endpoints};

/// The numbers of a level.
///
/// ```
/// use mazed::level::queries::stats::stats;
/// # use mazed::level::Level;
/// # use mazed::level::recipe::{Limits, Recipe};
/// # use mazed::level::work::{Buffers, Cancel, JobContext};
/// # let pairs = [("algo", "dfs"), ("size", "9"), ("seed", "7")];
/// # let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).expect("these pairs are a recipe");
/// # let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
/// # let level = Level::build(recipe, &mut context).expect("every seed has such a level");
/// let numbers = stats(&level, &mut context).expect("nothing cancels it");
/// assert_eq!(numbers.open_tiles, 31, "16 cells and 15 passages");
/// assert!(numbers.solution.length <= u64::from(numbers.longest.length));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Open tiles, including the open tiles of the border. An open tile without any open neighbour counts only here.
    pub open_tiles: u64,
    /// Open tiles with one open neighbour.
    pub dead_ends: u64,
    /// Open tiles with two open neighbours.
    pub corridors: u64,
    /// Open tiles with three or four open neighbours.
    pub junctions: Junctions,
    /// A shortest path from start to exit.
    pub solution: SolutionStats,
    /// A longest path.
    pub longest: LongestPath,
    /// Steps of an explorer from start to exit, see [effort].
    pub effort: u64,
    /// The fraction of these that a shortest path saves: how hard it is to find the exit.
    pub difficulty: Fraction,
}

/// Junctions by the number of their open neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Junctions {
    /// With three.
    pub three: u64,
    /// With four.
    pub four: u64,
}

/// The shortest path from start to exit that the solver `bfs` gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SolutionStats {
    /// Steps.
    pub length: u64,
    /// Changes of direction.
    pub turns: u64,
    /// Fraction of the open tiles that lie on it, start and exit included.
    pub share: Fraction,
}

/// A shortest path between two tiles far from each other, as two searches find them. In a perfect maze no two tiles are
/// farther from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LongestPath {
    /// Steps.
    pub length: u32,
    /// Its first and its last tile, in row-major order.
    #[serde(rename = "ends")]
    pub endpoints: [Tile; 2],
}

/// Measures a level, in time linear in the number of its tiles.
///
/// # Errors
/// If the job is cancelled.
pub fn stats(level: &Level, context: &mut JobContext) -> Result<Stats, Cancelled> {
    let [open_tiles, dead_ends, corridors, three, four] = count(level.grid(), context)?;
    let (endpoints, longest) = endpoints::longest(level.grid(), context)?;
    let Rating { length, turns, effort, difficulty } = rate(level, context)?;
    Ok(Stats {
        open_tiles,
        dead_ends,
        corridors,
        junctions: Junctions { three, four },
        solution: SolutionStats { length, turns, share: Fraction::of(length + 1, open_tiles) },
        longest: LongestPath { length: longest, endpoints },
        effort,
        difficulty,
    })
}

/// Grows by one whenever the answers change.
pub(crate) const REVISION: u32 = 2;

/// The numbers of a level.
#[derive(Debug, Clone, Copy)]
pub struct StatsQuery;

impl Query for StatsQuery {
    const PARAMETERS: &'static [ParameterSpec] = &[];

    fn read(_: &mut Parameters) -> Option<Self> {
        Some(Self)
    }

    fn revision(&self) -> u32 {
        REVISION
    }

    fn work_bytes(&self, recipe: &Recipe) -> u64 {
        // the searches for the longest path hold no more
        effort::work_bytes(recipe)
    }

    fn work_nanos(&self, recipe: &Recipe) -> u64 {
        effort::work_nanos(recipe)
    }
}

impl fmt::Display for StatsQuery {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// Counts the open tiles, and those with one, two, three and four open neighbours, 64 tiles at once.
fn count(grid: &Grid, context: &JobContext) -> Result<[u64; 5], Cancelled> {
    let height = grid.size().height as usize;
    let words = grid.words_per_row();
    let [mut above, mut here, mut below] = [(); 3].map(|()| vec![0; words]);
    let mut counts = [0; 5];
    grid.read_row(0, &mut below);
    for y in 0..height {
        if y % 64 == 0 {
            context.cancel.check()?;
        }
        // one row down: `here` becomes `above`, `below` becomes `here`, and the buffer of the old `above` takes the
        // next row
        std::mem::swap(&mut above, &mut here);
        std::mem::swap(&mut here, &mut below);
        if y + 1 < height {
            grid.read_row(y + 1, &mut below);
        } else {
            below.fill(0);
        }
        for i in 0..words {
            let left = here[i] << 1 | if i > 0 { here[i - 1] >> 63 } else { 0 };
            let right = here[i] >> 1 | if i + 1 < words { here[i + 1] << 63 } else { 0 };
            let [ones, twos, fours] = sum([left, right, above[i], below[i]]);
            let kinds = [u64::MAX, ones & !twos, twos & !ones, ones & twos, fours];
            for (count, kind) in counts.iter_mut().zip(kinds) {
                *count += u64::from((here[i] & kind).count_ones());
            }
        }
    }
    Ok(counts)
}

/// Adds four words column by column: for each of the 64 bits the sum, 0 to 4, in binary. The three words are the ones,
/// the twos and the fours of these sums.
const fn sum([a, b, c, d]: [u64; 4]) -> [u64; 3] {
    let (low, high) = (a ^ b, c ^ d);
    let (both_low, both_high) = (a & b, c & d);
    [low ^ high, both_low ^ both_high | low & high, both_low & both_high]
}

#[cfg(test)]
mod tests;
