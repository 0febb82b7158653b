//! Breadth-first search over a board: from one tile outwards, all tiles at one distance before any at the next.

use super::board::{Board, OPEN, prefetch};
use super::grid::Direction;
use super::work::{Halt, Stopped};

/// A search under way.
pub(super) struct Wave<'a> {
    /// Each tile that was met bears the number of the direction from which it was, and one.
    pub(super) board: Board<'a>,
    queue: &'a mut Vec<u32>,
    head: usize,
    tail: usize,
}

/// Words of the queue at first. It holds the tiles at one distance, few in a maze, so it stays in the cache.
const QUEUE: usize = 4096;

/// How many visits before its own a tile is fetched.
const AHEAD: usize = 12;

impl<'a> Wave<'a> {
    /// A search that has met one tile.
    pub(super) fn new(board: Board<'a>, first: u32, queue: &'a mut Vec<u32>) -> Self {
        if queue.len() < QUEUE {
            queue.resize(QUEUE, 0);
        }
        queue[0] = first;
        // any value that is neither open nor a wall
        board.tiles[first as usize] = Direction::Up as u8 + 1;
        Self { board, queue, head: 0, tail: 1 }
    }

    /// The tiles that were met and not visited, in this order.
    pub(super) fn waiting(&self) -> &[u32] {
        &self.queue[self.head..self.tail]
    }

    /// Visits the tiles that wait, the one that waits the longest first, as long as there is one and `go_on` says so of
    /// the board: meets their neighbours that are open yet, clockwise from up.
    pub(super) fn visit_while(&mut self, mut go_on: impl FnMut(&[u8]) -> bool, halt: Halt) -> Result<(), Stopped> {
        // none of this through `self`, for in registers it takes two thirds of the time
        let (mut head, mut tail) = (self.head, self.tail);
        loop {
            let queue = &mut self.queue[..];
            while tail + 4 <= queue.len() {
                if head == tail || !go_on(self.board.tiles) {
                    (self.head, self.tail) = (head, tail);
                    return Ok(());
                }
                let index = queue[head];
                // what lies behind the tail is no tile to be visited, but harmless
                prefetch(&self.board, queue[(head + AHEAD).min(queue.len() - 1)]);
                head += 1;
                tail += meet(&mut self.board, index, &mut queue[tail..tail + 4]);
            }
            halt.check()?;
            (head, tail) = make_room(self.queue, head, tail);
        }
    }
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

/// Marks the open neighbours of a tile and puts them into `queue`; says how many they are. Which ones are open is as
/// good as random, so nothing here branches on it.
#[inline]
fn meet(board: &mut Board, index: u32, queue: &mut [u32]) -> usize {
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
