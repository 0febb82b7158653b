//! Steps between the tiles of a level.

use super::grid::{Direction, Grid, Tile};
use super::work::{Stopped, Work};

/// The open tile that is farthest from a tile, of several the first in row order, and how many steps it is away.
pub(super) fn farthest(grid: &Grid, from: Tile, _: &mut Work) -> Result<(Tile, u32), Stopped> {
    let mut known = std::collections::HashSet::from([from]);
    let mut round = vec![from];
    for steps in 0.. {
        let next: Vec<_> = round
            .iter()
            .flat_map(|tile| Direction::ALL.map(|way| tile.step(way)))
            .filter(|tile| grid.is_open(*tile) && known.insert(*tile))
            .collect();
        if next.is_empty() {
            return Ok((round.into_iter().min_by_key(|tile| (tile.y, tile.x)).unwrap_or(from), steps));
        }
        round = next;
    }
    Ok((from, 0))
}
