//! Breadth-first search: a shortest path, on any level (Moore, "The shortest path through a maze", 1959).

use super::super::board::{Board, OPEN, prefetch};
use super::super::grid::{Direction, Grid, Tile};
use super::super::work::{Stopped, Work};
use super::{Route, Solver, only_way};

pub(super) const BFS: Solver = Solver {
    name: "bfs",
    summary: "a shortest path; by breadth-first search where there is more than one way",
    shortest: true,
    revision: 1,
    solve: |level, work| only_way::else_search(level, work, search),
};

/// Searches from the exit, so that the marks lead from the start onwards. Where several paths are shortest, each step
/// is the first in clockwise order from up that comes nearer to the exit along the search's own tree.
pub(super) fn search(grid: &Grid, start: Tile, exit: Tile, work: &mut Work) -> Result<Route, Stopped> {
    let mut board = Board::unpack(grid, &mut work.scratch.board);
    let (start, exit) = (board.index(start), board.index(exit));
    let queue = &mut work.scratch.indices;
    if queue.len() < QUEUE {
        queue.resize(QUEUE, 0);
    }
    queue[0] = exit;
    let (mut head, mut tail) = (0, 1);
    // any value that is neither open nor a wall marks the exit as seen
    board.tiles[exit as usize] = Direction::Up as u8 + 1;
    while board.tiles[start as usize] == OPEN {
        if head == tail {
            return Ok(Route::Lost("no way leads from the start to the exit"));
        }
        if tail + 4 > queue.len() {
            work.halt.check()?;
            (head, tail) = make_room(queue, head, tail);
        }
        let index = queue[head];
        // what lies behind the tail is no tile to be visited, but harmless
        prefetch(&board, queue[(head + AHEAD).min(queue.len() - 1)]);
        head += 1;
        tail += visit(&mut board, index, &mut queue[tail..tail + 4]);
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

/// Words of the queue at first. It holds the tiles at one distance from the exit, few in a maze, so it stays in the
/// cache.
const QUEUE: usize = 4096;

/// How many visits before its own a tile is fetched.
const AHEAD: usize = 12;

/// Marks the open neighbours of a tile and puts them into `queue`; says how many they are. Which ones are open is as
/// good as random, so nothing here branches on it.
#[inline]
fn visit(board: &mut Board, index: u32, queue: &mut [u32]) -> usize {
    let mut found = 0;
    for direction in Direction::ALL {
        let neighbour = board.step(index, direction);
        let open = board.tiles[neighbour as usize] == OPEN;
        // the mark of a tile that is not open goes to the first one, a wall
        board.tiles[if open { neighbour as usize } else { 0 }] = direction.back() as u8 + 1;
        queue[found & 3] = neighbour;
        found += usize::from(open);
    }
    found
}

/// Moves the queue to the front of its buffer, and doubles the buffer where that gains little.
fn make_room(queue: &mut Vec<u32>, head: usize, tail: usize) -> (usize, usize) {
    queue.copy_within(head..tail, 0);
    let waiting = tail - head;
    if waiting > queue.len() / 2 {
        queue.resize(queue.len() * 2, 0);
    }
    (0, waiting)
}
