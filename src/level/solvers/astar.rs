//! A*: a shortest path, by a search that visits first the tiles over which the path may be shortest (Hart, Nilsson and
//! Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968).
//!
//! The search begins at the exit and its goal is the start, as in [`bfs`](crate::level::solvers::bfs): so the marks
//! lead from the start to the exit. The estimate for a path over a tile is the number of steps from the exit to the
//! tile plus the Manhattan distance from the tile to the start. On a grid a step towards the start leaves the estimate
//! as it is, and a step away from it adds two. So two stacks serve as the queue, one for the tiles of the least
//! estimate and one for the tiles of the next. Pushing and popping take constant time.
//!
//! Of tiles with equal estimates the newest is visited first, and the neighbours of a tile are queued clockwise from
//! up. This order decides which of several shortest paths the search finds.

use crate::level::grid::{Direction, Grid, Tile};
use crate::level::search::tile_map::{OPEN, TileMap};
use crate::level::solvers::{Solution, Solver, unique_path};
use crate::level::work::{Cancelled, JobContext};

pub(crate) const ASTAR: Solver = Solver {
    name: "astar",
    summary: "a shortest path; by A* with the Manhattan distance if there is more than one path",
    shortest: true,
    revision: 1,
    solve: |level, from, to, context| unique_path::else_search(level, [from, to], context, search),
};

/// Searches from the exit for the start.
pub(crate) fn search(grid: &Grid, start: Tile, exit: Tile, context: &mut JobContext) -> Result<Solution, Cancelled> {
    let map = TileMap::unpack(grid, &mut context.buffers.tile_map);
    let (first, last) = (map.index(start), map.index(exit));
    let mut search = Search::new(map, start, exit);
    let mut visits = 0_u32;
    while search.may_come_nearer(first) {
        let Some(tile) = search.pop() else {
            return Ok(Solution::Unreachable("no path leads from the start to the exit"));
        };
        visits += 1;
        if visits.is_multiple_of(4096) {
            context.cancel.check()?;
        }
        search.visit(tile);
    }
    let map = search.map;
    let mut moves = Vec::new();
    let mut index = first;
    while index != last {
        let direction = Direction::from_bits(map.tiles[index as usize]);
        moves.push(direction);
        index = map.step(index, direction);
    }
    Ok(Solution::Found(moves))
}

/// A tile that the search has reached. The lowest two bits are the direction back to the tile from which it was
/// reached.
const REACHED: u8 = 0x04;

/// Set besides [`REACHED`] while a tile waits for its visit. The two marks alternate from one estimate to the next.
const WAITING: [u8; 2] = [0x10, 0x20];

/// Initial capacity of a stack.
const STACK: usize = 4096;

/// A map, and the tiles that the search has reached and not visited yet.
struct Search<'a> {
    map: TileMap<'a>,
    /// The goal of the search.
    start: Tile,
    /// Tiles of the current estimate, the newest on top. Some of them were already visited at the previous estimate.
    now: Vec<u32>,
    /// Tiles of the next estimate. Some of them were since reached again at the current estimate.
    later: Vec<u32>,
    /// The marks of the tiles that wait at the current estimate and at the next.
    waiting: [u8; 2],
}

impl<'a> Search<'a> {
    /// A search that has reached the exit.
    fn new(map: TileMap<'a>, start: Tile, exit: Tile) -> Self {
        let [mut now, later] = [(); 2].map(|()| Vec::with_capacity(STACK));
        now.push(pack(exit));
        map.tiles[map.index(exit) as usize] = REACHED | WAITING[0];
        Self { map, start, now, later, waiting: WAITING }
    }

    /// Whether the search may still reach a tile with a smaller estimate than so far.
    #[inline]
    fn may_come_nearer(&self, index: u32) -> bool {
        self.map.tiles[index as usize] & (OPEN | self.waiting[1]) != 0
    }

    /// The tile to visit next.
    #[inline]
    fn pop(&mut self) -> Option<Tile> {
        loop {
            while let Some(packed) = self.now.pop() {
                let tile = unpack(packed);
                let known = &mut self.map.tiles[self.map.index(tile) as usize];
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

    /// Marks and queues the neighbours of a tile.
    #[inline]
    fn visit(&mut self, tile: Tile) {
        let index = self.map.index(tile);
        let Tile { x, y } = self.start;
        let nearer = [y < tile.y, x > tile.x, y > tile.y, x < tile.x];
        let [now, later] = self.waiting;
        for (direction, nearer) in Direction::ALL.into_iter().zip(nearer) {
            let known = &mut self.map.tiles[self.map.step(index, direction) as usize];
            let mark = REACHED | direction.back() as u8;
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

    /// Drops the tiles that no longer wait for the next estimate, and doubles the stack if that frees little. So the
    /// stack holds little more than the frontier of the search.
    #[cold]
    fn make_room(&mut self) {
        let Self { map, later, waiting, .. } = self;
        later.retain(|tile| map.tiles[map.index(unpack(*tile)) as usize] & waiting[1] != 0);
        if later.len() > later.capacity() / 2 {
            later.reserve_exact(2 * later.capacity() - later.len());
        }
    }
}

/// A tile in 32 bits.
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
    use crate::level::fixtures;
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::solvers::bfs;
    use crate::level::work::{Buffers, Cancel};

    /// What a search finds, and how many tiles it reaches.
    fn reached(level: &Level, search: unique_path::Search) -> (Solution, usize) {
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        let solution = search(level.grid(), level.start(), level.exit(), &mut context).unwrap();
        (solution, buffers.tile_map.iter().filter(|byte| ![0, OPEN].contains(byte)).count())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn the_path_is_as_short_as_that_of_a_breadth_first_search(
            side in 3u32..12, open in prop::collection::vec(prop::bool::weighted(0.7), 100), start: usize, exit: usize,
        ) {
            let Some(level) = fixtures::map(side, &open, start, exit) else { return Ok(()) };
            match (reached(&level, search).0, reached(&level, bfs::search).0) {
                (Solution::Found(moves), Solution::Found(expected)) => {
                    prop_assert_eq!(moves.len(), expected.len());
                    let end = moves.iter().fold(level.start(), |tile, step| tile.step(*step));
                    prop_assert_eq!(end, level.exit());
                }
                (Solution::Unreachable(_), Solution::Unreachable(_)) => {}
                (found, expected) => prop_assert!(false, "{found:?} instead of {expected:?}"),
            }
        }
    }

    #[test]
    fn it_reaches_fewer_tiles_than_a_breadth_first_search() {
        for (rooms, times_fewer) in [(1, 10), (4, 2), (40, 1)] {
            for seed in 0..20 {
                let texts = [rooms, seed].map(|number: u32| number.to_string());
                let pairs = [("algo", "bsp"), ("size", "101"), ("rooms", texts[0].as_str()), ("seed", &texts[1])];
                let recipe = Recipe::from_pairs(&pairs, Limits::of_side(101)).unwrap();
                let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
                let level = Level::build(recipe, &mut context).unwrap();
                let ((_, by_astar), (_, by_bfs)) = (reached(&level, search), reached(&level, bfs::search));
                assert!(by_astar * times_fewer < by_bfs, "{rooms} {seed}: {by_astar} of {by_bfs}");
            }
        }
    }
}
