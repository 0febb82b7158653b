//! The explorer in a maze. Each visited tile is marked with the direction back, so the marks are its trail.
//!
//! The tile between two cells has no neighbours but these two, so there the explorer goes straight on, or back. That
//! saves half of the looks around.

use crate::level::Level;
use crate::level::grid::{Direction, OpenTiles, Tile};
use crate::level::search::tile_map::{OPEN, TileMap};
use crate::level::work::{Cancelled, JobContext};

/// Steps between two checks for cancellation.
const BLOCK: u32 = 4096;

/// The mark of the start. A tile reached by a step has the number of the direction back, plus one.
const START: u8 = 5;

/// Steps of the explorer from start to exit; `None` if it does not find the exit.
pub(super) fn walk(level: &Level, context: &mut JobContext) -> Result<Option<u64>, Cancelled> {
    let map = TileMap::unpack(level.grid(), &mut context.buffers.tile_map);
    for opening in level.grid().openings.into_iter().flatten() {
        map.tiles[map.index(opening) as usize] = 0;
    }
    let (steps, exit) = (map.steps(), level.exit());
    let has_cells = matches!(level.grid().open_tiles, OpenTiles::Maze(_));
    let (mut tile, mut index) = (level.start(), map.index(level.start()));
    map.tiles[index as usize] = START;
    let mut effort = 0;
    loop {
        context.cancel.check()?;
        for _ in 0..BLOCK {
            if tile == exit {
                return Ok(Some(effort));
            }
            let beside = steps.map(|step| map.tiles[index.wrapping_add(step) as usize]);
            let unvisited = (0..4).fold(0, |set, i| set | usize::from(beside[i] == OPEN) << i);
            let mark = map.tiles[index as usize];
            let direction = if unvisited > 0 {
                CHOICES[closer(tile, exit)][unvisited]
            } else if mark == START {
                return Ok(None);
            } else {
                Direction::from_bits(mark - 1)
            };
            let step = steps[direction as usize];
            let back = direction.back() as u8 + 1;
            (tile, index) = (tile.step(direction), index.wrapping_add(step));
            let ahead = index.wrapping_add(step);
            let between_cells = has_cells && tile.cell().is_none() && tile != exit;
            if unvisited > 0 {
                map.tiles[index as usize] = back;
            }
            let goes_on =
                if unvisited > 0 { map.tiles[ahead as usize] == OPEN } else { map.tiles[index as usize] != START };
            if between_cells && goes_on {
                (tile, index) = (tile.step(direction), ahead);
                if unvisited > 0 {
                    map.tiles[index as usize] = back;
                }
                effort += 1;
            }
            effort += 1;
        }
    }
}

/// The directions in which a step comes nearer to the exit, a bit for each.
#[inline]
fn closer(tile: Tile, exit: Tile) -> usize {
    usize::from(exit.y < tile.y)
        | usize::from(exit.x > tile.x) << 1
        | usize::from(exit.y > tile.y) << 2
        | usize::from(exit.x < tile.x) << 3
}

/// The direction that the explorer takes, by the directions that come nearer to the exit and by those that are open
/// and unvisited: of those that are both, or else of the latter, the first clockwise from up. A table, because the
/// processor could not predict the branches.
static CHOICES: [[Direction; 16]; 16] = {
    let mut table = [[Direction::Up; 16]; 16];
    let mut i = 0_usize;
    while i < 256 {
        let (closer, unvisited) = (i / 16, i % 16);
        let set = if closer & unvisited > 0 { closer & unvisited } else { unvisited };
        table[closer][unvisited] = Direction::from_bits(set.trailing_zeros() as u8);
        i += 1;
    }
    table
};
