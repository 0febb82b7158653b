//! A*: a shortest path, by a search that takes the tile first whose way may be shortest (Hart, Nilsson and Raphael, "A
//! Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968).
//!
//! A way over a tile is estimated at the steps to it and, as if there were no walls, those from it: the Manhattan
//! distance. On a grid a step nearer leaves the estimate as it is, and one away adds two to it. So the queue is two
//! stacks, one of the tiles of the least estimate and one of those of the next; to push and to pop costs nothing.
//!
//! Like [`bfs`](super::bfs) it searches from the exit, so that the marks lead from the start onwards. Of tiles with
//! equal estimates the newest goes first, and the neighbours of a tile are met clockwise from up: which of several
//! shortest paths it finds is fixed by that.

use crate::level::grid::{Direction, Grid, Tile};
use crate::level::search::tile_map::{OPEN, TileMap};
use crate::level::solvers::{Solution, Solver, unique_path};
use crate::level::work::{Cancelled, JobContext};

pub(crate) const ASTAR: Solver = Solver {
    name: "astar",
    summary: "a shortest path; by A* with the Manhattan distance where there is more than one way",
    shortest: true,
    revision: 1,
    solve: |level, from, to, context| unique_path::else_search(level, [from, to], context, search),
};

/// Searches from the exit for the start.
pub(crate) fn search(grid: &Grid, start: Tile, exit: Tile, context: &mut JobContext) -> Result<Solution, Cancelled> {
    let board = TileMap::unpack(grid, &mut context.buffers.board);
    let (first, last) = (board.index(start), board.index(exit));
    let mut search = Search::new(board, start, exit);
    let mut visits = 0_u32;
    while search.may_come_nearer(first) {
        let Some(tile) = search.pop() else {
            return Ok(Solution::Unreachable("no way leads from the start to the exit"));
        };
        visits += 1;
        if visits.is_multiple_of(4096) {
            context.cancel.check()?;
        }
        search.visit(tile);
    }
    let board = search.board;
    let mut moves = Vec::new();
    let mut index = first;
    while index != last {
        let direction = Direction::from_bits(board.tiles[index as usize]);
        moves.push(direction);
        index = board.step(index, direction);
    }
    Ok(Solution::Found(moves))
}

/// A tile that was met. The lowest two bits are the direction from which it was.
const MET: u8 = 0x04;

/// How a tile is marked besides, as long as it waits for its visit: at every second estimate the one way, at those
/// between the other.
const WAITING: [u8; 2] = [0x10, 0x20];

/// Tiles of a stack at first.
const STACK: usize = 4096;

/// A board, and the tiles on it that were met and wait for their visit.
struct Search<'a> {
    board: TileMap<'a>,
    /// Where the search shall come out.
    start: Tile,
    /// Those of the present estimate, the newest on top; some were visited at the one before.
    now: Vec<u32>,
    /// Those of the next one; some were met at the present one since.
    later: Vec<u32>,
    /// The marks of those that wait at the present estimate, and at the next.
    waiting: [u8; 2],
}

impl<'a> Search<'a> {
    /// A search that has met the exit.
    fn new(board: TileMap<'a>, start: Tile, exit: Tile) -> Self {
        let [mut now, later] = [(); 2].map(|()| Vec::with_capacity(STACK));
        now.push(pack(exit));
        board.tiles[board.index(exit) as usize] = MET | WAITING[0];
        Self { board, start, now, later, waiting: WAITING }
    }

    /// Whether a tile was not met yet at the least estimate it can have.
    #[inline]
    fn may_come_nearer(&self, index: u32) -> bool {
        self.board.tiles[index as usize] & (OPEN | self.waiting[1]) != 0
    }

    /// The tile to visit next.
    #[inline]
    fn pop(&mut self) -> Option<Tile> {
        loop {
            while let Some(packed) = self.now.pop() {
                let tile = unpack(packed);
                let known = &mut self.board.tiles[self.board.index(tile) as usize];
                if *known & self.waiting[0] != 0 {
                    *known &= !self.waiting[0];
                    return Some(tile);
                }
            }
            if self.later.is_empty() {
                return None;
            }
            std::mem::swap(&mut self.now, &mut self.later);
            self.waiting.swap(0, 1);
        }
    }

    /// Meets the neighbours of a tile.
    #[inline]
    fn visit(&mut self, tile: Tile) {
        let index = self.board.index(tile);
        let Tile { x, y } = self.start;
        let nearer = [y < tile.y, x > tile.x, y > tile.y, x < tile.x];
        let [now, later] = self.waiting;
        for (direction, nearer) in Direction::ALL.into_iter().zip(nearer) {
            let known = &mut self.board.tiles[self.board.step(index, direction) as usize];
            let mark = MET | direction.back() as u8;
            if nearer && *known & (OPEN | later) != 0 {
                *known = mark | now;
                self.now.push(pack(tile.step(direction)));
            } else if !nearer && *known == OPEN {
                *known = mark | later;
                self.later.push(pack(tile.step(direction)));
            }
        }
        if self.later.len() + 4 > self.later.capacity() {
            self.make_room();
        }
    }

    /// Drops what does not wait for the next estimate any more, and doubles the stack where that gains little: so it
    /// holds little more than the rim of what was searched.
    #[cold]
    fn make_room(&mut self) {
        let Self { board, later, waiting, .. } = self;
        later.retain(|tile| board.tiles[board.index(unpack(*tile)) as usize] & waiting[1] != 0);
        if later.len() > later.capacity() / 2 {
            later.reserve_exact(2 * later.capacity() - later.len());
        }
    }
}

/// A tile in a word, which is half of it.
const fn pack(tile: Tile) -> u32 {
    tile.y << 16 | tile.x
}

const fn unpack(tile: u32) -> Tile {
    Tile { x: tile & 0xffff, y: tile >> 16 }
}
#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::level::Level;
    use crate::level::fixtures::map;
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::solvers::bfs;
    use crate::level::work::{Buffers, Cancel};

    /// What a search finds, and how many tiles it met.
    fn met(level: &Level, search: unique_path::Search) -> (Solution, usize) {
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        let route = search(level.grid(), level.start(), level.exit(), &mut context).unwrap();
        (route, buffers.board.iter().filter(|byte| ![0, OPEN].contains(byte)).count())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn the_path_is_as_short_as_that_of_a_breadth_first_search(
            side in 3u32..12, open in prop::collection::vec(prop::bool::weighted(0.7), 100), start: usize, exit: usize,
        ) {
            let Some(level) = map(side, &open, start, exit) else { return Ok(()) };
            match (met(&level, search).0, met(&level, bfs::search).0) {
                (Solution::Found(moves), Solution::Found(expected)) => {
                    prop_assert_eq!(moves.len(), expected.len());
                    let end = moves.iter().fold(level.start(), |tile, way| tile.step(*way));
                    prop_assert_eq!(end, level.exit());
                }
                (Solution::Unreachable(_), Solution::Unreachable(_)) => {}
                (route, expected) => prop_assert!(false, "{route:?} instead of {expected:?}"),
            }
        }
    }

    #[test]
    fn it_meets_fewer_tiles_than_a_breadth_first_search() {
        for (rooms, share) in [(1, 10), (4, 2), (40, 1)] {
            for seed in 0..20 {
                let texts = [rooms, seed].map(|number: u32| number.to_string());
                let pairs = [("algo", "bsp"), ("size", "101"), ("rooms", texts[0].as_str()), ("seed", &texts[1])];
                let recipe = Recipe::from_pairs(&pairs, Limits::of_side(101)).unwrap();
                let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
                let level = Level::build(recipe, &mut context).unwrap();
                let ((_, by_astar), (_, by_bfs)) = (met(&level, search), met(&level, bfs::search));
                assert!(by_astar * share < by_bfs, "{rooms} {seed}: {by_astar} of {by_bfs}");
            }
        }
    }
}
