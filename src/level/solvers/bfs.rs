//! Breadth-first search: a shortest path, on any level (Moore, "The shortest path through a maze", 1959).

use super::super::Level;
use super::super::grid::Direction;
use super::super::work::{Stopped, Work};
use super::board::{Board, OPEN};
use super::{Route, Solver};

pub(super) const BFS: Solver =
    Solver { name: "bfs", summary: "a shortest path, by breadth-first search", shortest: true, revision: 1, solve };

/// Searches from the exit, so that the marks lead from the start onwards. Where several paths are shortest, each step is
/// the first in clockwise order from up that comes nearer to the exit along the search's own tree.
fn solve(level: &Level, work: &mut Work) -> Result<Route, Stopped> {
    let queue = &mut work.scratch.indices;
    let board = Board::unpack(level.grid(), &mut work.scratch.board);
    let (start, exit) = (board.index(level.start()), board.index(level.exit()));
    queue.clear();
    queue.push(exit);
    // any value that is neither open nor a wall marks the exit as seen
    board.tiles[exit as usize] = Direction::Up as u8 + 1;
    let mut next = 0;
    while board.tiles[start as usize] == OPEN {
        let Some(&index) = queue.get(next) else { return Ok(Route::Lost("no way leads from the start to the exit")) };
        next += 1;
        if next.is_multiple_of(4096) {
            work.halt.check()?;
        }
        for direction in Direction::ALL {
            let neighbour = board.step(index, direction);
            let mark = &mut board.tiles[neighbour as usize];
            if *mark == OPEN {
                *mark = direction.back() as u8 + 1;
                queue.push(neighbour);
            }
        }
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
