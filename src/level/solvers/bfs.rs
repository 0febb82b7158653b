//! Breadth-first search: a shortest path, on any level (Moore, "The shortest path through a maze", 1959).

use crate::level::grid::{Direction, Grid, Tile};
use crate::level::search::bfs::Bfs;
use crate::level::search::tile_map::{OPEN, TileMap};
use crate::level::solvers::{Solution, Solver, unique_path};
use crate::level::work::{Cancelled, JobContext};

pub(crate) const BFS: Solver = Solver {
    name: "bfs",
    summary: "a shortest path; by breadth-first search where there is more than one way",
    shortest: true,
    revision: 1,
    solve: |level, from, to, context| unique_path::else_search(level, [from, to], context, search),
};

/// Searches from the exit, so that the marks lead from the start onwards. Where several paths are shortest, each step
/// is the first in clockwise order from up that comes nearer to the exit along the search's own tree.
pub(crate) fn search(grid: &Grid, start: Tile, exit: Tile, context: &mut JobContext) -> Result<Solution, Cancelled> {
    let board = TileMap::unpack(grid, &mut context.buffers.board);
    let (start, exit) = (board.index(start), board.index(exit));
    let mut wave = Bfs::new(board, exit, &mut context.buffers.indices);
    wave.visit_while(|tiles| tiles[start as usize] == OPEN, context.cancel)?;
    let board = wave.board;
    if board.tiles[start as usize] == OPEN {
        return Ok(Solution::Unreachable("no way leads from the start to the exit"));
    }
    let mut moves = Vec::new();
    let mut index = start;
    while index != exit {
        let direction = Direction::from_bits(board.tiles[index as usize] - 1);
        moves.push(direction);
        index = board.step(index, direction);
    }
    Ok(Solution::Found(moves))
}
