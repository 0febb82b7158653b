//! Breadth-first search: a shortest path, on any level (Moore, "The shortest path through a maze", 1959).

use super::super::board::{Board, OPEN};
use super::super::grid::{Direction, Grid, Tile};
use super::super::wave::Wave;
use super::super::work::{Stopped, Work};
use super::{Route, Solver, only_way};

pub(super) const BFS: Solver = Solver {
    name: "bfs",
    summary: "a shortest path; by breadth-first search where there is more than one way",
    shortest: true,
    revision: 1,
    solve: |level, from, to, work| only_way::else_search(level, [from, to], work, search),
};

/// Searches from the exit, so that the marks lead from the start onwards. Where several paths are shortest, each step
/// is the first in clockwise order from up that comes nearer to the exit along the search's own tree.
pub(super) fn search(grid: &Grid, start: Tile, exit: Tile, work: &mut Work) -> Result<Route, Stopped> {
    let board = Board::unpack(grid, &mut work.scratch.board);
    let (start, exit) = (board.index(start), board.index(exit));
    let mut wave = Wave::new(board, exit, &mut work.scratch.indices);
    wave.visit_while(|tiles| tiles[start as usize] == OPEN, work.halt)?;
    let board = wave.board;
    if board.tiles[start as usize] == OPEN {
        return Ok(Route::Lost("no way leads from the start to the exit"));
    }
    let mut moves = Vec::new();
    let mut index = start;
    while index != exit {
        let direction = Direction::from_bits(board.tiles[index as usize] - 1);
        moves.push(direction);
        index = board.step(index, direction);
    }
    Ok(Route::Found(moves))
}
