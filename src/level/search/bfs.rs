//! Breadth-first search over a tile map, from one source or from several at once.
//!
//! On a map of bytes the search marks each tile with the direction of the tile before it, on a map of words with the
//! steps from the nearest source. On a map of words a source may be added when the search is done: then it goes on only
//! where the new source is nearer than all sources before.

use crate::level::grid::{Direction, Size};
use crate::level::search::tile_map::{Mark, OPEN, TileMap, prefetch};
use crate::level::work::{Cancel, Cancelled};

/// A search in progress.
pub(crate) struct Bfs<'a, T = u8> {
    pub(crate) map: TileMap<'a, T>,
    queue: &'a mut Vec<u32>,
    head: usize,
    tail: usize,
}

/// Initial length of the queue. It holds the tiles at one distance, few in a maze, so it stays in the processor's
/// cache.
const QUEUE: usize = 4096;

/// How a search marks the tiles of a map.
pub(crate) trait Relax: Mark {
    /// The mark of a source.
    const SOURCE: Self;

    /// A tile is fetched into the processor's cache so many visits before its own.
    const PREFETCH_DISTANCE: usize;

    /// Marks the neighbours of a tile that are to be visited, writes them into `queue`, clockwise from up, and returns
    /// their number. The processor cannot predict which ones they are, so nothing here branches on that. `on_visit`
    /// gets the mark that each neighbour had before.
    fn relax(map: &mut TileMap<Self>, index: u32, queue: &mut [u32], on_visit: &mut impl FnMut(Self)) -> usize;
}

/// The number of the direction of the tile before it, plus one.
impl Relax for u8 {
    // any value that is neither open nor a wall
    const SOURCE: Self = Direction::Up as Self + 1;
    const PREFETCH_DISTANCE: usize = 12;

    #[inline]
    fn relax(map: &mut TileMap<Self>, index: u32, queue: &mut [u32], on_visit: &mut impl FnMut(Self)) -> usize {
        let mut found = 0;
        for direction in Direction::ALL {
            let neighbour = map.step(index, direction);
            let mark = map.tiles[neighbour as usize];
            on_visit(mark);
            let open = mark == OPEN;
            // the mark of a tile that is not open goes to the first tile, which is a wall
            map.tiles[if open { neighbour as usize } else { 0 }] = direction.back() as Self + 1;
            queue[found & 3] = neighbour;
            found += usize::from(open);
        }
        found
    }
}

/// The steps from the nearest source.
impl Relax for i32 {
    const SOURCE: Self = 0;
    // the same tiles take four times as many cache lines, so more of them must be fetched from memory
    const PREFETCH_DISTANCE: usize = 32;

    #[inline]
    fn relax(map: &mut TileMap<Self>, index: u32, queue: &mut [u32], on_visit: &mut impl FnMut(Self)) -> usize {
        let mut found = 0;
        let steps = map.tiles[index as usize] + 1;
        for direction in Direction::ALL {
            let neighbour = map.step(index, direction);
            let known = &mut map.tiles[neighbour as usize];
            on_visit(*known);
            queue[found & 3] = neighbour;
            found += usize::from(steps < *known);
            *known = steps.min(*known);
        }
        found
    }
}

/// Most bytes that a search for steps holds at a time: a word for each tile, and the queue.
///
/// The queue is doubled when more than half of it is in use, and while it is copied there are both: six words for each
/// queued tile. Bound: each tile has at most three successors, and in a maze only cells branch, so at most a sixth of
/// the tiles are queued at once. In a room the tiles of a diagonal are.
pub(crate) const fn most_bytes(size: Size) -> u64 {
    let queue = if size.area() > QUEUE as u64 { size.area() } else { QUEUE as u64 };
    TileMap::<i32>::len(size) as u64 * size_of::<i32>() as u64 + queue * size_of::<u32>() as u64
}

impl<'a, T: Relax> Bfs<'a, T> {
    /// A search with one source.
    pub(crate) fn new(map: TileMap<'a, T>, source: u32, queue: &'a mut Vec<u32>) -> Self {
        let mut search = Self::idle(map, queue);
        search.add_source(source);
        search
    }

    /// A search without a source.
    pub(crate) fn idle(map: TileMap<'a, T>, queue: &'a mut Vec<u32>) -> Self {
        if queue.len() < QUEUE {
            queue.resize(QUEUE, 0);
        }
        Self { map, queue, head: 0, tail: 0 }
    }

    /// Empties the queue and goes on from another source. Marks stay.
    pub(crate) fn restart(&mut self, source: u32) {
        (self.head, self.tail) = (0, 0);
        self.add_source(source);
    }

    /// Marks a tile as a source and queues it.
    pub(crate) fn add_source(&mut self, source: u32) {
        if self.tail == self.queue.len() {
            (self.head, self.tail) = make_room(self.queue, self.head, self.tail);
        }
        self.map.tiles[source as usize] = T::SOURCE;
        self.queue[self.tail] = source;
        self.tail += 1;
    }

    /// The tiles that are marked and not visited yet, in the order of their visits.
    pub(crate) fn queued(&self) -> &[u32] {
        &self.queue[self.head..self.tail]
    }

    /// Visits the queued tiles in order, while there are any and `go_on`, given the marks, returns `true`. A visit
    /// marks and queues the neighbours of a tile.
    pub(crate) fn visit_while(&mut self, go_on: impl FnMut(&[T]) -> bool, cancel: Cancel) -> Result<(), Cancelled> {
        self.visit_while_with(go_on, |_| {}, cancel)
    }

    /// As [`Bfs::visit_while`]; `on_visit` gets the mark that each neighbour of a visited tile had before.
    pub(crate) fn visit_while_with(
        &mut self,
        mut go_on: impl FnMut(&[T]) -> bool,
        mut on_visit: impl FnMut(T),
        cancel: Cancel,
    ) -> Result<(), Cancelled> {
        // copies instead of fields of `self`: in registers they save a third of the time
        let (mut head, mut tail) = (self.head, self.tail);
        loop {
            let queue = &mut self.queue[..];
            while tail + 4 <= queue.len() {
                if head == tail || !go_on(self.map.tiles) {
                    (self.head, self.tail) = (head, tail);
                    return Ok(());
                }
                let index = queue[head];
                // beyond the tail are stale indices, which are harmless to prefetch
                prefetch(&self.map, queue[(head + T::PREFETCH_DISTANCE).min(queue.len() - 1)]);
                head += 1;
                tail += T::relax(&mut self.map, index, &mut queue[tail..tail + 4], &mut on_visit);
            }
            cancel.check()?;
            (head, tail) = make_room(self.queue, head, tail);
        }
    }
}

/// Moves the queue to the front of its buffer, and doubles the buffer if that frees little.
fn make_room(queue: &mut Vec<u32>, head: usize, tail: usize) -> (usize, usize) {
    queue.copy_within(head..tail, 0);
    let queued = tail - head;
    if queued > queue.len() / 2 {
        queue.resize(queue.len() * 2, 0);
    }
    (0, queued)
}
