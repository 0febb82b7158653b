//! Breadth-first search over a tile map, from one source or from several at once.
//!
//! On a map of bytes the search marks each tile with the direction back to the tile from which it was reached. On a map
//! of words it marks each tile with the steps from the nearest source. On a map of words a caller may add a source
//! after the search is done: the search then visits only tiles that are nearer to the new source than to all sources
//! before.

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

/// Initial length of the queue. The queue holds the tiles at one distance. A maze has few of them, so the queue stays
/// in the processor's cache.
const QUEUE: usize = 4096;

/// How a search marks the tiles of a map.
pub(crate) trait Relax: Mark {
    /// The mark of a source.
    const SOURCE: Self;

    /// The search fetches a tile into the processor's cache this many visits before it visits the tile.
    const PREFETCH_DISTANCE: usize;

    /// Marks the neighbours of a tile that are to be visited, writes them into `queue`, clockwise from up, and returns
    /// their number. The code does not branch on which neighbours these are, because the processor cannot predict it.
    fn relax(map: &mut TileMap<Self>, index: u32, queue: &mut [u32]) -> usize;
}

/// The mark of a tile is the number of a direction plus one: the direction back to the tile from which it was reached.
impl Relax for u8 {
    // any value that is neither open nor a wall
    const SOURCE: Self = Direction::Up as Self + 1;
    const PREFETCH_DISTANCE: usize = 12;

    #[inline]
    fn relax(map: &mut TileMap<Self>, index: u32, queue: &mut [u32]) -> usize {
        let mut found = 0;
        for direction in Direction::ALL {
            let neighbour = map.step(index, direction);
            let open = map.tiles[neighbour as usize] == OPEN;
            // if the neighbour is not open, its mark is written to the first tile of the map instead, which is a wall
            map.tiles[if open { neighbour as usize } else { 0 }] = direction.back() as Self + 1;
            queue[found & 3] = neighbour;
            found += usize::from(open);
        }
        found
    }
}

/// The mark of a tile is the number of steps from the nearest source.
impl Relax for i32 {
    const SOURCE: Self = 0;
    // words take four times as many cache lines as bytes, so the search fetches more from memory and must start earlier
    const PREFETCH_DISTANCE: usize = 32;

    #[inline]
    fn relax(map: &mut TileMap<Self>, index: u32, queue: &mut [u32]) -> usize {
        let mut found = 0;
        let steps = map.tiles[index as usize] + 1;
        for direction in Direction::ALL {
            let neighbour = map.step(index, direction);
            let known = &mut map.tiles[neighbour as usize];
            queue[found & 3] = neighbour;
            found += usize::from(steps < *known);
            *known = steps.min(*known);
        }
        found
    }
}

/// Most bytes that a search for steps holds at a time: a word for each tile, and the queue.
///
/// The queue doubles when more than half of it is in use. While it is copied, the old and the new queue exist at once:
/// six words for each queued tile. A maze never has more than a sixth of its tiles in the queue, because each tile has
/// at most three successors and only cells branch. In a room only the tiles of a diagonal are queued at once.
pub(crate) const fn most_bytes(size: Size) -> u64 {
    let queue = if size.area() > QUEUE as u64 { size.area() } else { QUEUE as u64 };
    TileMap::<i32>::len(size) as u64 * size_of::<i32>() as u64 + queue * size_of::<u32>() as u64
}

impl<'a, T: Relax> Bfs<'a, T> {
    /// A search with one source.
    pub(crate) fn new(map: TileMap<'a, T>, source: u32, queue: &'a mut Vec<u32>) -> Self {
        if queue.len() < QUEUE {
            queue.resize(QUEUE, 0);
        }
        let mut search = Self { map, queue, head: 0, tail: 0 };
        search.add_source(source);
        search
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

    /// Visits the queued tiles in order, as long as there are any and `go_on`, which gets the marks, returns `true`. A
    /// visit marks and queues the neighbours of a tile.
    pub(crate) fn visit_while(&mut self, mut go_on: impl FnMut(&[T]) -> bool, cancel: Cancel) -> Result<(), Cancelled> {
        // local copies of the fields stay in registers, which saves a third of the time
        let (mut head, mut tail) = (self.head, self.tail);
        loop {
            let queue = &mut self.queue[..];
            while tail + 4 <= queue.len() {
                if head == tail || !go_on(self.map.tiles) {
                    (self.head, self.tail) = (head, tail);
                    return Ok(());
                }
                let index = queue[head];
                // beyond the tail the queue holds stale indices; to prefetch these does no harm
                prefetch(&self.map, queue[(head + T::PREFETCH_DISTANCE).min(queue.len() - 1)]);
                head += 1;
                tail += T::relax(&mut self.map, index, &mut queue[tail..tail + 4]);
            }
            cancel.check()?;
            (head, tail) = make_room(self.queue, head, tail);
        }
    }
}

/// Moves the queued tiles to the front of the buffer, and doubles the buffer if that frees little.
fn make_room(queue: &mut Vec<u32>, head: usize, tail: usize) -> (usize, usize) {
    queue.copy_within(head..tail, 0);
    let queued = tail - head;
    if queued > queue.len() / 2 {
        queue.resize(queue.len() * 2, 0);
    }
    (0, queued)
}
