//! Ways of a maze that begin or end on its border: what knows cells and the passages between them does the rest.
//!
//! An open tile of the border hangs on the one beside it inside. Where two of them lie side by side, a way over both is
//! no shorter than the one inside, but for the step from the one to the other.

use crate::level::grid::{Direction, Grid, Size, Tile};
use crate::level::solvers::Solution;
use crate::level::work::Cancelled;

/// The way between two open tiles, by what finds one between any two inside the border.
pub(crate) fn inside(
    grid: &Grid,
    endpoints: [Tile; 2],
    find: impl FnOnce([Tile; 2]) -> Result<Solution, Cancelled>,
) -> Result<Solution, Cancelled> {
    if grid.openings.is_none() {
        return find(endpoints);
    }
    let [from, to] = endpoints;
    let [enter, back] = endpoints.map(|tile| inwards(grid.size(), tile));
    if enter.is_some() && back.is_some() {
        if from == to {
            return Ok(Solution::Found(vec![]));
        }
        if let Some(step) = Direction::ALL.into_iter().find(|step| from.step(*step) == to) {
            return Ok(Solution::Found(vec![step]));
        }
    }
    let inner = |tile: Tile, step: Option<Direction>| step.map_or(tile, |step| tile.step(step));
    let mut route = find([inner(from, enter), inner(to, back)])?;
    if let Solution::Found(moves) = &mut route {
        moves.splice(0..0, enter);
        moves.extend(back.map(Direction::back));
    }
    Ok(route)
}

/// The step from an open tile of the border off it.
const fn inwards(size: Size, tile: Tile) -> Option<Direction> {
    if tile.y == 0 {
        Some(Direction::Down)
    } else if tile.x == 0 {
        Some(Direction::Right)
    } else if tile.y + 1 == size.height {
        Some(Direction::Up)
    } else if tile.x + 1 == size.width {
        Some(Direction::Left)
    } else {
        None
    }
}
