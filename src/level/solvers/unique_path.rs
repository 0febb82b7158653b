//! The path of a maze, by what is quickest: where there is only one way, no search is needed to find it.

use crate::level::Level;
use crate::level::grid::{Grid, OpenTiles, Passages, Tile};
use crate::level::search::dead_ends::Maze;
use crate::level::solvers::solver::Solution;
use crate::level::solvers::{border, tree_path};
use crate::level::work::{Cancelled, JobContext};

/// What finds a shortest path where there are several ways.
pub(crate) type Search = fn(&Grid, Tile, Tile, &mut JobContext) -> Result<Solution, Cancelled>;

/// Where the generator left the parents, the only path is known; in other mazes dead ends are filled first, and the
/// search is for what they leave, five times as fast as one of the whole and with the same result. A map of rooms has
/// hardly any dead ends: there the search is all there is to do.
pub(crate) fn else_search(
    level: &Level,
    endpoints: [Tile; 2],
    context: &mut JobContext,
    search: Search,
) -> Result<Solution, Cancelled> {
    let grid = level.grid();
    match (&grid.floor, level.parents()) {
        (OpenTiles::Rooms(_), _) => search(grid, endpoints[0], endpoints[1], context),
        (OpenTiles::Maze(passages), Some(tree)) => border::inside(grid, endpoints, |[from, to]| {
            tree_path::walk(tree, passages, from, to, context.cancel).map(Solution::Found)
        }),
        (OpenTiles::Maze(passages), None) => {
            border::inside(grid, endpoints, |[from, to]| in_maze(passages, from, to, context, search))
        }
    }
}

/// The path in a maze between two tiles inside its border, with loops or without: where what is left is not one path,
/// the one that `search` finds in it.
pub(crate) fn in_maze(
    passages: &Passages,
    start: Tile,
    exit: Tile,
    context: &mut JobContext,
    search: Search,
) -> Result<Solution, Cancelled> {
    let mut maze = Maze::copy(passages, &mut context.buffers.planes, [start, exit]);
    maze.fill(&mut (), context.cancel)?;
    if let Some(moves) = maze.follow(start, exit, context.cancel)? {
        context.buffers.planes.give(maze.plane);
        return Ok(Solution::Found(moves));
    }
    let left = Grid::new(OpenTiles::Maze(maze.passages(&mut context.buffers.planes)));
    context.buffers.planes.give(maze.plane);
    let route = search(&left, start, exit, context);
    context.buffers.planes.give_grid(left);
    route
}
