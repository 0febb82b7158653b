//! The path of a maze, by what is quickest: where there is only one way, no search is needed to find it.

use super::super::Level;
use super::super::grid::{Floor, Grid, Tile};
use super::super::work::{Stopped, Work};
use super::{Route, dead_end_filling, parents};

/// What finds a shortest path where there are several ways.
pub(super) type Search = fn(&Grid, Tile, Tile, &mut Work) -> Result<Route, Stopped>;

/// Where the generator left the parents, the only path is known; in other mazes dead ends are filled first, and the
/// search is for what they leave, five times as fast as one of the whole and with the same result. A map of rooms has
/// hardly any dead ends: there the search is all there is to do.
pub(super) fn else_search(level: &Level, work: &mut Work, search: Search) -> Result<Route, Stopped> {
    let (start, exit) = (level.start(), level.exit());
    match (&level.grid().floor, level.parents()) {
        (Floor::Maze(passages), Some(tree)) => parents::walk(tree, passages, start, exit, work.halt).map(Route::Found),
        (Floor::Maze(passages), None) => dead_end_filling::in_maze(passages, start, exit, work, search),
        (Floor::Rooms(_), _) => search(level.grid(), start, exit, work),
    }
}
