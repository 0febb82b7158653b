//! Paths of a maze that begin or end on an open tile of its border, for solvers that know only the tiles inside.
//!
//! An open tile of the border has one neighbour inside, so the path goes over that neighbour. The only exception are
//! two open border tiles side by side: the path between them is a single step. Any other path is no longer if it stays
//! inside.

use crate::level::grid::{Direction, Grid, Size, Tile};
use crate::level::solvers::Solution;
use crate::level::work::Cancelled;

/// The path between two open tiles, by a function that finds the path between any two tiles inside the border.
pub(crate) fn inside(
    grid: &Grid,
    endpoints: [Tile; 2],
    find: impl FnOnce([Tile; 2]) -> Result<Solution, Cancelled>,
) -> Result<Solution, Cancelled> {
    if grid.openings.is_none() {
        return find(endpoints);
    }
    let [from, to] = endpoints;
    let [enter, leave] = endpoints.map(|tile| inwards(grid.size(), tile));
    if enter.is_some() && leave.is_some() {
        if from == to {
            return Ok(Solution::Found(vec![]));
        }
        if let Some(step) = Direction::ALL.into_iter().find(|step| from.step(*step) == to) {
            return Ok(Solution::Found(vec![step]));
        }
    }
    let inner = |tile: Tile, step: Option<Direction>| step.map_or(tile, |step| tile.step(step));
    let mut solution = find([inner(from, enter), inner(to, leave)])?;
    if let Solution::Found(moves) = &mut solution {
        moves.splice(0..0, enter);
        moves.extend(leave.map(Direction::back));
    }
    Ok(solution)
}

/// The step from a tile of the border inwards; `None` for a tile inside the border.
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
