//! Breadth-first search: a shortest path, on any level (Moore, "The shortest path through a maze", 1959).

use crate::level::grid::{Direction, Grid, Tile};
use crate::level::search::bfs::Bfs;
use crate::level::search::tile_map::{OPEN, TileMap};
use crate::level::solvers::{Solution, Solver, unique_path};
use crate::level::work::{Cancelled, JobContext};

pub(crate) const BFS: Solver = Solver {
    name: "bfs",
    summary: "a shortest path; by breadth-first search if there is more than one path",
    shortest: true,
    revision: 1,
    solve: |level, from, to, context| unique_path::else_search(level, [from, to], context, search),
};

/// Searches from the exit, so that the marks lead from the start to the exit. If several paths are shortest, the order
/// of the search decides: the neighbours of a tile are visited clockwise from up.
pub(crate) fn search(grid: &Grid, start: Tile, exit: Tile, context: &mut JobContext) -> Result<Solution, Cancelled> {
    let map = TileMap::unpack(grid, &mut context.buffers.tile_map);
    let (start, exit) = (map.index(start), map.index(exit));
    let mut search = Bfs::new(map, exit, &mut context.buffers.indices);
    search.visit_while(|tiles| tiles[start as usize] == OPEN, context.cancel)?;
    let map = search.map;
    if map.tiles[start as usize] == OPEN {
        return Ok(Solution::Unreachable("no path leads from the start to the exit"));
    }
    let mut moves = Vec::new();
    let mut index = start;
    while index != exit {
        let direction = Direction::from_bits(map.tiles[index as usize] - 1);
        moves.push(direction);
        index = map.step(index, direction);
    }
    Ok(Solution::Found(moves))
}
