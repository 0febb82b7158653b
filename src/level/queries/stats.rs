//! What can be told about a level: its tiles by kind, its solution, its longest path, and how hard it is.
//!
//! # Difficulty
//!
//! Nobody knows how hard a level is for a player, but much is known of what makes it harder. Four such things are added
//! up, in bits: a bit stands for one question of the kind "this way or that?".
//!
//! - **False paths.** Take the solution out of the level, and what is left falls into pieces. A piece that the player
//!   passes before the exit leads astray, the more so the larger it is. One of `tiles` tiles that borders on the solution
//!   at `mouths` places counts `log2(1 + tiles / 2 mouths)` bits: one for a stub of a single cell with its passage, seven
//!   for a piece of 254 tiles. The sum of logarithms is McClendon's, who takes the logarithm of a product over a maze's
//!   branches ("The Complexity and Difficulty of a Maze", 2001); so twenty wrong turnings outweigh a single one that is
//!   twenty times as deep. That a false path does harm by its length, and one that is over at once hardly any, is also
//!   what Kim and Crawfis look at ("The quest for the perfect perfect-maze", 2015). Of several mouths all but one lead
//!   back to the solution: who walks in at one and comes out at any by chance has gone in vain once in `mouths` times, so
//!   all of them together count as one. This is what makes loops and open rooms easier.
//! - **Turns** of the solution, half a bit each. Behind a corner lies what cannot be seen yet; McClendon measures a
//!   hallway by its twists and turns, and Bellot and others compare generators by such measures ("How to generate perfect
//!   mazes?", 2021).
//! - **Steps away** from the exit, a quarter of a bit each: half of what the solution is longer than the Manhattan
//!   distance. Who is guided by where the exit must be would not take them.
//! - **Steps**, one bit in 128. A way that only goes on is long, but not hard.
//!
//! The difficulty is `bits / (bits + 150)`: 0 where start and exit are the same tile, nearly 0 for a straight corridor,
//! one half at 150 bits, and ever nearer to 1, for no level is so hard that there is no harder one. The weights are set
//! so that levels of all kinds from 3 to 201 tiles a side use the whole range.
//!
//! All of it is computed in whole numbers, so it is the same on every machine.
//!
//! # Cost
//!
//! A path and three sweeps: two for the longest path, one for the pieces. Neighbours are counted 64 tiles at once.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::level::grid::{Direction, Grid, Size, Tile};
use crate::level::parameters::Parameters;
use crate::level::parameters::options::FRACTION_UNIT;
use crate::level::queries::query::Query;
use crate::level::recipe::Recipe;
use crate::level::search::bfs::Bfs;
use crate::level::search::tile_map::{OPEN, TileMap};
use crate::level::solvers::Solution;
use crate::level::work::{Cancelled, FIXED_BYTES, JobContext};
use crate::level::{Level, endpoints, solvers};

/// What can be told about a level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Open tiles, those of the border included. A lone one is neither of the next three.
    pub open_tiles: u64,
    /// Open tiles with one open neighbour.
    pub dead_ends: u64,
    /// Open tiles with two open neighbours.
    pub corridors: u64,
    /// Open tiles with more.
    pub junctions: Junctions,
    /// A shortest path from start to exit.
    pub solution: SolutionStats,
    /// A longest path.
    pub longest: LongestPath,
    /// How hard it is to find the exit, as the [module](self) explains.
    pub difficulty: Fraction,
}

/// Open tiles with more than two open neighbours, by how many these are.
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
    /// Share of the open tiles that lie on it, both ends included.
    pub share: Fraction,
}

/// A shortest path between two tiles that are as far from each other as two sweeps can find: in a perfect maze no two
/// are farther.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LongestPath {
    /// Steps.
    pub length: u32,
    /// Both ends, the first in row order first.
    #[serde(rename = "ends")]
    pub endpoints: [Tile; 2],
}

/// A number from 0 to 1 in units of 1 / [`FRACTION_UNIT`], which no rounding makes differ between machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fraction(u64);

impl Fraction {
    /// `part / whole`, rounded to the nearest unit; a half is rounded up.
    const fn of(part: u64, whole: u64) -> Self {
        let (part, whole) = (part as u128, whole as u128);
        Self(((2 * part * FRACTION_UNIT as u128 + whole) / (2 * whole)) as u64)
    }

    /// The number in [`FRACTION_UNIT`]s.
    pub const fn units(self) -> u64 {
        self.0
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(FRACTION_UNIT) {
            return serializer.serialize_u64(self.0 / FRACTION_UNIT);
        }
        // four decimal places survive the way through a double: the shortest text that gives it back is theirs
        serializer.serialize_f64(f64::from(self.0 as u32) / f64::from(FRACTION_UNIT as u32))
    }
}

/// Tells about a level, in time linear in its tiles.
///
/// # Errors
/// Where the job is told to stop.
pub fn stats(level: &Level, context: &mut JobContext) -> Result<Stats, Cancelled> {
    let [open_tiles, dead_ends, corridors, three, four] = count(level.grid(), context)?;
    let (endpoints, longest) = endpoints::longest(level.grid(), context)?;
    let moves = match solvers::shortest(level, context)? {
        Solution::Found(moves) => moves,
        // of no level that an algorithm makes
        Solution::Unreachable(_) => Vec::new(),
    };
    let length = moves.len() as u64;
    let turns = moves.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
    let bits = false_paths(level, &moves, context)? + on_the_way(level, length, turns);
    Ok(Stats {
        open_tiles,
        dead_ends,
        corridors,
        junctions: Junctions { three, four },
        solution: SolutionStats { length, turns, share: Fraction::of(length + 1, open_tiles) },
        longest: LongestPath { length: longest, endpoints },
        difficulty: Fraction::of(bits, bits + MEDIUM),
    })
}

/// Counts the changes of what it finds.
pub(crate) const REVISION: u32 = 1;

/// The numbers of a level.
#[derive(Debug, Clone, Copy)]
pub struct StatsQuery;

impl Query for StatsQuery {
    const PARAMETERS: &'static [&'static str] = &[];

    fn read(_: &mut Parameters) -> Option<Self> {
        Some(Self)
    }

    fn revision(&self) -> u32 {
        REVISION
    }

    fn work_bytes(&self, recipe: &Recipe) -> u64 {
        work_bytes(recipe.size())
    }
}

impl fmt::Display for StatsQuery {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// Most bytes that [`stats`] holds for a level of this size: a path, and a mark for each tile and the tiles of a round.
pub const fn work_bytes(size: Size) -> u64 {
    // where a level is narrow, the words of its planes are mostly padding
    3 * size.area() + 12 * size.height as u64 + FIXED_BYTES
}

/// Open tiles, and those that have one, two, three and four open neighbours. 64 tiles at once.
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
        // what was above serves for the row below
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

/// Adds up four words, bit by bit: the digits of each of the 64 sums.
const fn sum([a, b, c, d]: [u64; 4]) -> [u64; 3] {
    let (low, high) = (a ^ b, c ^ d);
    let (both_low, both_high) = (a & b, c & d);
    [low ^ high, both_low ^ both_high | low & high, both_low & both_high]
}

/// Binary places of a number of bits.
const PLACES: u32 = 16;

/// One bit.
const BIT: u64 = 1 << PLACES;

/// What makes a level half as difficult as any could be, in bits.
const MEDIUM: u64 = 150 * BIT;

/// What the solution weighs that many steps and turns make.
fn on_the_way(level: &Level, length: u64, turns: u64) -> u64 {
    let (start, exit) = (level.start(), level.exit());
    let distance = u64::from(start.x.abs_diff(exit.x)) + u64::from(start.y.abs_diff(exit.y));
    let away = length.saturating_sub(distance) / 2;
    turns * BIT / 2 + away * BIT / 4 + length * BIT / 128
}

/// A tile of the solution: not open, no wall, and no mark that a wave leaves.
const SOLUTION: u8 = 0x40;

/// What the false paths weigh that branch off the solution before the exit.
fn false_paths(level: &Level, moves: &[Direction], context: &mut JobContext) -> Result<u64, Cancelled> {
    let board = TileMap::unpack(level.grid(), &mut context.buffers.board);
    // an opening leads out of the level, not astray in it
    for opening in level.grid().openings.into_iter().flatten() {
        board.tiles[board.index(opening) as usize] = 0;
    }
    let (start, steps) = (board.index(level.start()), board.steps());
    let mut index = start;
    board.tiles[index as usize] = SOLUTION;
    for step in moves {
        index = board.step(index, *step);
        board.tiles[index as usize] = SOLUTION;
    }
    let mut wave = Bfs::idle(board, &mut context.buffers.indices);
    let mut bits = 0;
    index = start;
    for (step, i) in moves.iter().zip(1_u32..) {
        if i.is_multiple_of(4096) {
            context.cancel.check()?;
        }
        for first in steps.map(|step| index.wrapping_add(step)) {
            if wave.board.tiles[first as usize] != OPEN {
                continue;
            }
            let (mut tiles, mut mouths) = (0, 0);
            wave.set_out(first);
            let count = |_: &[u8]| {
                tiles += 1;
                true
            };
            wave.visit_and_see(count, |byte| mouths += u64::from(byte == SOLUTION), context.cancel)?;
            bits += log2(tiles + 2 * mouths) - log2(2 * mouths);
        }
        index = wave.board.step(index, *step);
    }
    Ok(bits)
}

/// The binary logarithm of a number from 1 to 2^32 - 1 with [`PLACES`] binary places, rounded down: to square a number
/// from 1 to 2 doubles its logarithm, and whether it is then 2 or more is the next place.
const fn log2(number: u64) -> u64 {
    let whole = number.ilog2();
    let mut rest = number << (31 - whole);
    let mut bits = whole as u64;
    let mut place = 0;
    while place < PLACES {
        rest = (rest * rest) >> 31;
        let digit = rest >> 32;
        rest >>= digit;
        bits = bits << 1 | digit;
        place += 1;
    }
    bits
}

#[cfg(test)]
mod tests;
