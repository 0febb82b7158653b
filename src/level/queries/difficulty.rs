//! How hard a level is.
//!
//! No measure tells how hard a level is for a player, but the literature names what makes a level harder. Four such
//! terms are added up, in bits: a bit stands for one decision between two directions.
//!
//! - **False paths.** Without the solution, the rest of the level falls into pieces. A piece that branches off before
//!   the exit leads the player astray, a large piece more so. A piece of `tiles` tiles that touches the solution at
//!   `mouths` tiles counts `log2(1 + tiles / (2 * mouths))` bits: one for a stub of a single cell with its passage,
//!   seven for a piece of 254 tiles. The sum of logarithms is McClendon's, who takes the logarithm of a product over
//!   the branches of a maze ("The Complexity and Difficulty of a Maze", 2001). So twenty wrong turns outweigh a single
//!   wrong turn that is twenty times as deep. Kim and Crawfis also find that a false path harms by its length, and
//!   hardly at all if it ends at once ("The quest for the perfect perfect-maze", 2015). A piece with several mouths
//!   counts less: a player who enters by one mouth and leaves by a random one comes out where he entered only once in
//!   `mouths` times. So loops and open rooms are easier.
//! - **Turns** of the solution, half a bit each. A player cannot see around a corner. McClendon measures a hallway by
//!   its twists and turns, and Bellot and others compare generators by such measures ("How to generate perfect mazes?",
//!   2021).
//! - **Steps away** from the exit, a quarter of a bit each: half of the difference between the length of the solution
//!   and the Manhattan distance. A player who heads for the exit would not take these steps.
//! - **Steps**, one bit in 128. A corridor is long, but not hard.
//!
//! The difficulty is `bits / (bits + 150)`: 0 if start and exit are the same tile, nearly 0 for a straight corridor,
//! one half at 150 bits, and never 1, because there is always a harder level. The weights are calibrated: levels of all
//! kinds from 3 to 201 tiles a side use the whole range.
//!
//! All numbers are computed as integers, so they are the same on every machine.

use crate::level::Level;
use crate::level::grid::Direction;
use crate::level::queries::fraction::Fraction;
use crate::level::search::bfs::Bfs;
use crate::level::search::tile_map::{OPEN, TileMap};
use crate::level::solvers::{self, Solution};
use crate::level::work::{Cancelled, JobContext};

/// How hard a level is, with two figures of its solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating {
    /// Steps of a shortest path from start to exit.
    pub length: u64,
    /// Changes of direction on that path.
    pub turns: u64,
    /// How hard the level is.
    pub difficulty: Fraction,
}

/// Rates a level, in time linear in the number of its tiles.
///
/// # Errors
/// If the job is cancelled.
pub fn rate(level: &Level, context: &mut JobContext) -> Result<Rating, Cancelled> {
    let moves = match solvers::shortest(level, context)? {
        Solution::Found(moves) => moves,
        // no algorithm makes such a level
        Solution::Unreachable(_) => Vec::new(),
    };
    let length = moves.len() as u64;
    let turns = moves.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
    let bits = false_paths(level, &moves, context)? + solution_bits(level, length, turns);
    Ok(Rating { length, turns, difficulty: Fraction::of(bits, bits + MEDIUM) })
}

/// The last 16 bits of a number of bits are its fraction.
const FRACTION_BITS: u32 = 16;

/// One bit.
const BIT: u64 = 1 << FRACTION_BITS;

/// A level of so many bits has the difficulty one half.
const MEDIUM: u64 = 150 * BIT;

/// The bits of a solution with so many steps and turns.
fn solution_bits(level: &Level, length: u64, turns: u64) -> u64 {
    let (start, exit) = (level.start(), level.exit());
    let distance = u64::from(start.x.abs_diff(exit.x)) + u64::from(start.y.abs_diff(exit.y));
    let away = length.saturating_sub(distance) / 2;
    turns * BIT / 2 + away * BIT / 4 + length * BIT / 128
}

/// The mark of a tile of the solution: neither open, nor a wall, nor a mark of a search.
const SOLUTION: u8 = 0x40;

/// The bits of all false paths that branch off the solution before the exit.
fn false_paths(level: &Level, moves: &[Direction], context: &mut JobContext) -> Result<u64, Cancelled> {
    let map = TileMap::unpack(level.grid(), &mut context.buffers.tile_map);
    // an opening leads out of the level, so it is not part of a false path
    for opening in level.grid().openings.into_iter().flatten() {
        map.tiles[map.index(opening) as usize] = 0;
    }
    let (start, steps) = (map.index(level.start()), map.steps());
    let mut index = start;
    map.tiles[index as usize] = SOLUTION;
    for step in moves {
        index = map.step(index, *step);
        map.tiles[index as usize] = SOLUTION;
    }
    let mut search = Bfs::idle(map, &mut context.buffers.indices);
    let mut bits = 0;
    index = start;
    for (step, i) in moves.iter().zip(1_u32..) {
        if i.is_multiple_of(4096) {
            context.cancel.check()?;
        }
        for first in steps.map(|step| index.wrapping_add(step)) {
            if search.map.tiles[first as usize] != OPEN {
                continue;
            }
            let (mut tiles, mut mouths) = (0, 0);
            search.restart(first);
            let count = |_: &[u8]| {
                tiles += 1;
                true
            };
            search.visit_while_with(count, |byte| mouths += u64::from(byte == SOLUTION), context.cancel)?;
            bits += log2(tiles + 2 * mouths) - log2(2 * mouths);
        }
        index = search.map.step(index, *step);
    }
    Ok(bits)
}

/// The binary logarithm of a number from 1 to 2^32 - 1 with [`FRACTION_BITS`] fractional bits, rounded down. To square
/// a number from 1 to 2 doubles its logarithm: the next bit is 1 if the square is 2 or more, and then the square is
/// halved.
const fn log2(number: u64) -> u64 {
    let whole = number.ilog2();
    let mut rest = number << (31 - whole);
    let mut bits = whole as u64;
    let mut bit = 0;
    while bit < FRACTION_BITS {
        rest = (rest * rest) >> 31;
        let digit = rest >> 32;
        rest >>= digit;
        bits = bits << 1 | digit;
        bit += 1;
    }
    bits
}

#[cfg(test)]
mod tests;
