//! Breadth-first search over a board: from one tile outwards, or from several at once, all tiles at one distance before
//! any at the next.
//!
//! A board of bytes learns from where each tile was met, a board of words how many steps it is away. On the latter a
//! search may begin anew at another tile, and then only goes where it comes nearer than those before it.

use crate::level::grid::{Direction, Size};
use crate::level::search::tile_map::{Mark, OPEN, TileMap, prefetch};
use crate::level::work::{Cancel, Cancelled};

/// A search under way.
pub(crate) struct Bfs<'a, T = u8> {
    pub(crate) board: TileMap<'a, T>,
    queue: &'a mut Vec<u32>,
    head: usize,
    tail: usize,
}

/// Words of the queue at first. It holds the tiles at one distance, few in a maze, so it stays in the cache.
const QUEUE: usize = 4096;

/// How a search marks the tiles of a board.
pub(crate) trait Meet: Mark {
    /// The mark of a tile where a search begins.
    const FIRST: Self;

    /// How many visits before its own a tile is fetched.
    const AHEAD: usize;

    /// Marks the neighbours of a tile that are to be visited and puts them into `queue`, clockwise from up; says how
    /// many they are. Which ones they are is as good as random, so nothing in it branches on that. `see` is told what
    /// each neighbour bore before.
    fn meet(board: &mut TileMap<Self>, index: u32, queue: &mut [u32], see: &mut impl FnMut(Self)) -> usize;
}

/// The number of the direction from which a tile was met, and one.
impl Meet for u8 {
    // any value that is neither open nor a wall
    const FIRST: Self = Direction::Up as Self + 1;
    const AHEAD: usize = 12;

    #[inline]
    fn meet(board: &mut TileMap<Self>, index: u32, queue: &mut [u32], see: &mut impl FnMut(Self)) -> usize {
        let mut found = 0;
        for direction in Direction::ALL {
            let neighbour = board.step(index, direction);
            let mark = board.tiles[neighbour as usize];
            see(mark);
            let open = mark == OPEN;
            // the mark of a tile that is not open goes to the first one, a wall
            board.tiles[if open { neighbour as usize } else { 0 }] = direction.back() as Self + 1;
            queue[found & 3] = neighbour;
            found += usize::from(open);
        }
        found
    }
}

/// The steps from the nearest tile where a search began.
impl Meet for i32 {
    const FIRST: Self = 0;
    // four times as many lines of the cache hold the same tiles, so more of them come from afar
    const AHEAD: usize = 32;

    #[inline]
    fn meet(board: &mut TileMap<Self>, index: u32, queue: &mut [u32], see: &mut impl FnMut(Self)) -> usize {
        let mut found = 0;
        let steps = board.tiles[index as usize] + 1;
        for direction in Direction::ALL {
            let neighbour = board.step(index, direction);
            let known = &mut board.tiles[neighbour as usize];
            see(*known);
            queue[found & 3] = neighbour;
            found += usize::from(steps < *known);
            *known = steps.min(*known);
        }
        found
    }
}

/// Most bytes that a search for steps holds at a time: a word for each tile, and a queue.
///
/// A queue is doubled when more than half of it waits, and for a moment there are both: six words for each tile that
/// waits. None of these lies behind another, and from a tile three ways lead on at the most. So in a maze, where only
/// cells have more than one, a third of the cells lie before them, and they are a sixth of all tiles at the most. In a
/// room they are those of a diagonal.
pub(crate) const fn most_bytes(size: Size) -> u64 {
    let queue = if size.area() > QUEUE as u64 { size.area() } else { QUEUE as u64 };
    TileMap::<i32>::len(size) as u64 * size_of::<i32>() as u64 + queue * size_of::<u32>() as u64
}

impl<'a, T: Meet> Bfs<'a, T> {
    /// A search that has met one tile.
    pub(crate) fn new(board: TileMap<'a, T>, first: u32, queue: &'a mut Vec<u32>) -> Self {
        let mut wave = Self::idle(board, queue);
        wave.begin_at(first);
        wave
    }

    /// A search that has met no tile yet.
    pub(crate) fn idle(board: TileMap<'a, T>, queue: &'a mut Vec<u32>) -> Self {
        if queue.len() < QUEUE {
            queue.resize(QUEUE, 0);
        }
        Self { board, queue, head: 0, tail: 0 }
    }

    /// Lets go of the tiles that still wait, and meets one that no other leads to.
    pub(crate) fn set_out(&mut self, first: u32) {
        (self.head, self.tail) = (0, 0);
        self.begin_at(first);
    }

    /// Meets a tile that no other one leads to.
    pub(crate) fn begin_at(&mut self, first: u32) {
        if self.tail == self.queue.len() {
            (self.head, self.tail) = make_room(self.queue, self.head, self.tail);
        }
        self.board.tiles[first as usize] = T::FIRST;
        self.queue[self.tail] = first;
        self.tail += 1;
    }

    /// The tiles that were met and not visited, in this order.
    pub(crate) fn waiting(&self) -> &[u32] {
        &self.queue[self.head..self.tail]
    }

    /// Visits the tiles that wait, the one that waits the longest first, as long as there is one and `go_on` says so of
    /// the board: meets their neighbours.
    pub(crate) fn visit_while(&mut self, go_on: impl FnMut(&[T]) -> bool, cancel: Cancel) -> Result<(), Cancelled> {
        self.visit_and_see(go_on, |_| {}, cancel)
    }

    /// The same, and `see` is told what each neighbour of each visited tile bore before it was met.
    pub(crate) fn visit_and_see(
        &mut self,
        mut go_on: impl FnMut(&[T]) -> bool,
        mut see: impl FnMut(T),
        cancel: Cancel,
    ) -> Result<(), Cancelled> {
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
                prefetch(&self.board, queue[(head + T::AHEAD).min(queue.len() - 1)]);
                head += 1;
                tail += T::meet(&mut self.board, index, &mut queue[tail..tail + 4], &mut see);
            }
            cancel.check()?;
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
