//! How hard it is to find the exit: the steps of one explorer, beside those of a shortest path.
//!
//! The explorer walks from start to exit. It knows where the exit lies, remembers where it has been, and sees only what
//! is beside it. Its steps are the **effort** of the level, and `difficulty = 1 - length / effort`, where `length` is
//! that of a shortest path: 0 where the explorer never goes wrong, towards 1 where nearly every step is wasted. Where
//! start and exit are the same tile, both are 0.
//!
//! "Nearest to the exit" always means the smallest sum of rows plus columns, whatever walls lie between.
//!
//! **In a maze** the explorer sees the four tiles beside it. Of the open ones that it has not visited it takes the one
//! nearest to the exit; of equal ones, the first clockwise from up. Where there is none it takes one step back along
//! its own trail, to the tile from which it first came here. It does not enter border openings.
//!
//! **In a map of rooms** the explorer sees the room that it stands in, with the tiles of all its doors.
//!
//! 1. If the exit is in the room, or on one of its doors, the explorer walks there, and ends.
//! 2. Else it takes a door to a room in which it has not been: the one with the tile nearest to the exit; of equal
//!    tiles, the first in row-major order. It walks to that tile, and straight across into the room behind. (A door to
//!    a room in which it has been it knows, for it saw that door from there.)
//! 3. If there is no such door, it walks back to the door tile by which it first came, and straight across into the
//!    room from which it came.
//!
//! A walk is a shortest path over the tiles of the room; each door tile is reached straight across from the tile of the
//! room beside it.
//!
//! An explorer that starts on a door sees both rooms, and has been in both. If the exit is on the same door, it walks
//! along the door. Else its first step leads straight into one of the rooms: the one from which it sees the exit (of
//! two, the one with the shorter walk), or else the one with the door that it would take by rule 2. By rule 3 it goes
//! back from this room over the start into the other one.
//!
//! Why not an explorer that chooses at random? In a perfect maze its expected steps are the length plus all tiles of
//! the false branches: a short solution would always count as hard.
//!
//! All of it is computed in integers, so it is the same on every machine.

mod room_map;
mod rooms;
mod tiles;

use crate::level::Level;
use crate::level::queries::fraction::Fraction;
use crate::level::recipe::Recipe;
use crate::level::solvers::{self, Solution};
use crate::level::work::{Cancelled, FIXED_BYTES, JobContext};

/// How hard a level is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating {
    /// Steps of a shortest path from start to exit.
    pub length: u64,
    /// Its changes of direction.
    pub turns: u64,
    /// Steps of the explorer.
    pub effort: u64,
    /// The fraction of these that a shortest path saves.
    pub difficulty: Fraction,
}

/// Rates a level, in time linear in its tiles: a shortest path, and one walk.
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
    drop(moves);
    let effort = match level.plan() {
        Some(plan) => rooms::walk(level, plan, context)?,
        None => tiles::walk(level, context)?,
    };
    // in a level without a solution the explorer finds no exit, and its effort counts as 0 too
    let effort = effort.unwrap_or(0);
    let difficulty = if effort == 0 { Fraction::of(0, 1) } else { Fraction::of(effort - length, effort) };
    Ok(Rating { length, turns, effort, difficulty })
}

/// Most bytes that [`rate`] holds beside the level: a mark for each tile, the shortest path and what the explorer
/// remembers.
pub fn work_bytes(recipe: &Recipe) -> u64 {
    // where a level is narrow, the words of its bitmaps are mostly padding
    let path = 3 * recipe.size().area() + 12 * u64::from(recipe.size().height) + FIXED_BYTES;
    path + rooms::work_bytes(recipe)
}

/// About how many nanoseconds [`rate`] takes.
pub fn work_nanos(recipe: &Recipe) -> u64 {
    recipe.blueprint().nanos(90_000, 1_500)
}

#[cfg(test)]
mod tests;
