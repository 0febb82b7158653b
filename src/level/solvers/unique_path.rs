//! The quickest method for a path: if there is only one path, no search is needed to find it.

use crate::level::Level;
use crate::level::grid::{Grid, OpenTiles, Passages, Tile};
use crate::level::search::dead_ends::DeadEndFiller;
use crate::level::solvers::solver::Solution;
use crate::level::solvers::{border, tree_path};
use crate::level::work::{Cancelled, JobContext};

/// Finds a shortest path if there is more than one path.
pub(crate) type Search = fn(&Grid, Tile, Tile, &mut JobContext) -> Result<Solution, Cancelled>;

/// If the level has parents, the only path follows from them. In other mazes dead ends are filled first and the rest is
/// searched, which is five times as fast as a search of the whole maze and finds the same path. A room map has hardly
/// any dead ends, so it is searched at once.
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

/// The path between two tiles inside the border of a maze, with loops or without. If what is left when all dead ends
/// are filled is not a single path, `search` finds the path in it.
pub(crate) fn in_maze(
    passages: &Passages,
    start: Tile,
    exit: Tile,
    context: &mut JobContext,
    search: Search,
) -> Result<Solution, Cancelled> {
    let mut filler = DeadEndFiller::new(passages, &mut context.buffers.planes, [start, exit]);
    filler.fill(&mut (), context.cancel)?;
    if let Some(moves) = filler.follow(start, exit, context.cancel)? {
        context.buffers.planes.give(filler.open);
        return Ok(Solution::Found(moves));
    }
    let rest = Grid::new(OpenTiles::Maze(filler.remaining(&mut context.buffers.planes)));
    context.buffers.planes.give(filler.open);
    let solution = search(&rest, start, exit, context);
    context.buffers.planes.give_grid(rest);
    solution
}
