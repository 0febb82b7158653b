//! The path of a maze, by what is quickest: where there is only one way, no search is needed to find it.

use super::super::Level;
use super::super::grid::{Floor, Grid, Tile};
use super::super::work::{Stopped, Work};
use super::{Route, border, dead_end_filling, parents};

/// What finds a shortest path where there are several ways.
pub(super) type Search = fn(&Grid, Tile, Tile, &mut Work) -> Result<Route, Stopped>;

/// Where the generator left the parents, the only path is known; in other mazes dead ends are filled first, and the
/// search is for what they leave, five times as fast as one of the whole and with the same result. A map of rooms has
/// hardly any dead ends: there the search is all there is to do.
pub(super) fn else_search(level: &Level, ends: [Tile; 2], work: &mut Work, search: Search) -> Result<Route, Stopped> {
    let grid = level.grid();
    match (&grid.floor, level.parents()) {
        (Floor::Rooms(_), _) => search(grid, ends[0], ends[1], work),
        (Floor::Maze(passages), Some(tree)) => border::inside(grid, ends, |[from, to]| {
            parents::walk(tree, passages, from, to, work.halt).map(Route::Found)
        }),
        (Floor::Maze(passages), None) => {
            border::inside(grid, ends, |[from, to]| dead_end_filling::in_maze(passages, from, to, work, search))
        }
    }
}
