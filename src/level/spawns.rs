//! Tiles for what a game puts into a level - enemies, treasure, players - far from its ends and from each other.
//!
//! The farthest-first traversal (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985): each tile
//! is the one with the most steps to the nearest of start, exit and the tiles before it. No choice of tiles keeps all of
//! them more than twice as far apart.
//!
//! One search from start and exit says how far each tile is from the nearest of them. A new tile only changes what is
//! nearer to it than to all before it, so its search goes no farther. The steps of a tile never become more, so the most
//! that a row had is a bound for what it has: only rows with a large bound are looked at again (Minoux, "Accelerated
//! greedy algorithms for maximizing submodular set functions", 1978).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Level;
use super::board::{Board, NO_STEPS, UNMET};
use super::grid::{Direction, Size, Tile};
use super::parameters::{Fault, choice};
use super::wave::{self, Wave};
use super::work::{Halt, Stopped, Work};

/// Most tiles that may be asked for.
pub const MOST: u32 = 256;

/// Which tiles may be taken. Start and exit never are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any open tile.
    Any,
    /// An open tile with one open neighbour.
    DeadEnd,
}

/// A name for a kind, with a line for the catalogue.
#[derive(Debug)]
pub struct Row {
    /// The kind.
    pub kind: Kind,
    /// Its name in requests.
    pub name: &'static str,
    /// One line for the catalogue.
    pub summary: &'static str,
    /// What its tiles are called.
    plural: &'static str,
}

/// Every kind; the first is the default.
pub const KINDS: &[Row] = &[
    Row { kind: Kind::Any, name: "any", summary: "any open tile", plural: "open tiles" },
    Row {
        kind: Kind::DeadEnd,
        name: "dead_end",
        summary: "an open tile with exactly one open neighbour",
        plural: "dead ends",
    },
];

impl Kind {
    /// The kind of this name, where a hyphen equals an underscore.
    ///
    /// # Errors
    /// Lists the names.
    pub fn named(text: &str) -> Result<Self, String> {
        choice(text, KINDS, |row| row.name, |_| &[]).map(|row| row.kind)
    }

    fn plural(self) -> &'static str {
        KINDS.iter().find(|row| row.kind == self).map_or("tiles", |row| row.plural)
    }

    /// Whether an open tile is of this kind.
    #[inline]
    fn has(self, board: &Board<i32>, index: u32) -> bool {
        let open = |way: &Direction| board.tiles[board.step(index, *way) as usize] != NO_STEPS;
        match self {
            Self::Any => true,
            Self::DeadEnd => Direction::ALL.iter().filter(|way| open(way)).count() == 1,
        }
    }
}

/// Why there are no tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The job was told to stop.
    Stopped,
    /// The level has less of them; says how many.
    TooFew(Fault),
}

impl From<Stopped> for Refusal {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// So many tiles of a kind, in the order in which they are taken: each is the one with the most steps to the nearest of
/// start, exit and those before it, of several the first in row order.
///
/// # Errors
/// Where the level has less of them, or the job is told to stop.
pub fn spawns(level: &Level, count: u32, kind: Kind, work: &mut Work) -> Result<Vec<Tile>, Refusal> {
    let size = level.grid().size();
    let board = Board::unpack(level.grid(), &mut work.scratch.steps);
    let ends = [level.start(), level.exit()].map(|tile| board.index(tile));
    let mut wave = Wave::new(board, ends[0], &mut work.scratch.indices);
    if ends[0] != ends[1] {
        wave.begin_at(ends[1]);
    }
    let mut rows = Rows::new(size);
    let mut tiles = Vec::new();
    for placed in 0..count {
        wave.visit_while(|_| true, work.halt)?;
        let Some(tile) = rows.farthest(&wave.board, kind, work.halt)? else {
            return Err(Refusal::TooFew(too_few(count, kind, placed)));
        };
        tiles.push(tile);
        wave.begin_at(wave.board.index(tile));
    }
    Ok(tiles)
}

/// Most bytes that [`spawns`] holds beside the level.
pub const fn work_bytes(size: Size) -> u64 {
    let rows = size.height as u64 * size_of::<(i32, Reverse<u32>)>() as u64;
    let tiles = 2 * MOST as u64 * size_of::<Tile>() as u64;
    wave::most_bytes(size) + rows + tiles + (size.width as u64).div_ceil(8) + 1024
}

/// Says of how many tiles there are less.
fn too_few(count: u32, kind: Kind, there_are: u32) -> Fault {
    let remedy = if there_are == 0 { String::new() } else { format!("; ask for at most {there_are}") };
    let plural = kind.plural();
    Fault::new(
        "count",
        format!("is {count}, but of {plural} that are neither start nor exit this level has {there_are}{remedy}"),
    )
}

/// The rows of a board by the most steps to any tile of the kind in them, or more than that: what was true once. Of
/// equal ones the first is on top.
struct Rows {
    size: Size,
    heap: BinaryHeap<(i32, Reverse<u32>)>,
}

impl Rows {
    /// Nothing is known yet.
    fn new(size: Size) -> Self {
        Self { size, heap: (0..size.height).map(|y| (UNMET, Reverse(y))).collect() }
    }

    /// The tile with the most steps, of several the first in row order, if there is one with any.
    fn farthest(&mut self, board: &Board<i32>, kind: Kind, halt: Halt) -> Result<Option<Tile>, Stopped> {
        for looks in 0_u32.. {
            if looks.is_multiple_of(64) {
                halt.check()?;
            }
            let Some(mut top) = self.heap.peek_mut() else { break };
            let (bound, Reverse(y)) = *top;
            let (steps, x) = farthest_in_row(board, self.size.width, y, kind);
            if steps == bound {
                return Ok((steps > 0).then_some(Tile { x, y }));
            }
            top.0 = steps;
        }
        Ok(None)
    }
}

/// The most steps to a tile of the kind in row `y`, and the column of the first one that has so many; 0 where there is
/// none.
fn farthest_in_row(board: &Board<i32>, width: u32, y: u32, kind: Kind) -> (i32, u32) {
    let first = board.index(Tile { x: 0, y });
    let row = &board.tiles[first as usize..][..width as usize];
    let (mut most, mut at) = (0, 0);
    for (x, &steps) in (0..).zip(row) {
        if steps > most && steps < UNMET && kind.has(board, first + x) {
            (most, at) = (steps, x);
        }
    }
    (most, at)
}
