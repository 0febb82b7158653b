//! The quickest method for a path: where only one path exists, no search is needed.

use crate::level::Level;
use crate::level::grid::{Grid, OpenTiles, Passages, Tile};
use crate::level::search::dead_ends::DeadEndFiller;
use crate::level::solvers::solver::Solution;
use crate::level::solvers::{border, tree_path};
use crate::level::work::{Cancelled, JobContext};

/// A search for a shortest path, for levels with more than one path.
pub(crate) type Search = fn(&Grid, Tile, Tile, &mut JobContext) -> Result<Solution, Cancelled>;

/// If the level has parents, they give the only path. In other mazes dead ends are filled first and the rest is
/// searched, which is five times as fast as a search of the whole maze and finds the same path. A room map has hardly
/// any dead ends, so it is searched at once.
pub(crate) fn else_search(
    level: &Level,
    endpoints: [Tile; 2],
    context: &mut JobContext,
    search: Search,
) -> Result<Solution, Cancelled> {
    let grid = level.grid();
    match (&grid.open_tiles, level.parents()) {
        (OpenTiles::Rooms(_), _) => search(grid, endpoints[0], endpoints[1], context),
        (OpenTiles::Maze(passages), Some(tree)) => border::inside(grid, endpoints, |[from, to]| {
            tree_path::walk(tree, passages, from, to, context.cancel).map(Solution::Found)
        }),
        (OpenTiles::Maze(passages), None) => {
            border::inside(grid, endpoints, |[from, to]| in_maze(passages, from, to, context, search))
        }
    }
}

/// The path between two tiles inside the border of a maze, with loops or without. All dead ends are filled; if more
/// than a single path is left, `search` finds the path in the rest.
pub(crate) fn in_maze(
    passages: &Passages,
    start: Tile,
    exit: Tile,
    context: &mut JobContext,
    search: Search,
) -> Result<Solution, Cancelled> {
    let mut filler = DeadEndFiller::new(passages, &mut context.buffers.bitmaps, [start, exit]);
    filler.fill(&mut (), context.cancel)?;
    if let Some(moves) = filler.follow(start, exit, context.cancel)? {
        context.buffers.bitmaps.give(filler.open);
        return Ok(Solution::Found(moves));
    }
    let rest = Grid::new(OpenTiles::Maze(filler.remaining(&mut context.buffers.bitmaps)));
    context.buffers.bitmaps.give(filler.open);
    let solution = search(&rest, start, exit, context);
    context.buffers.bitmaps.give_grid(rest);
    solution
}
