//! Tremaux: walk, and mark each passage between two tiles each time you walk through it (Charles Tremaux, in Edouard
//! Lucas, Recreations mathematiques, 1882; proven in Shimon Even, Graph Algorithms, 1979).
//!
//! A walker that comes through an unmarked passage to a tile that it visited before turns back at once. Otherwise it
//! takes the first unmarked passage, clockwise from up. If there is none, it leaves by the passage through which it
//! first came. So it walks through no passage more than twice and visits every tile that can be reached: it finds the
//! exit of any level, with loops and rooms too. The passages that it walked through only once are a path.
//!
//! The byte of a visited tile holds its unmarked passages and the direction back, so only the first visit looks at the
//! neighbours.

use crate::level::Level;
use crate::level::grid::{Direction, Tile};
use crate::level::search::tile_map::{OPEN, TileMap};
use crate::level::solvers::{Solution, Solver};
use crate::level::work::{Cancelled, JobContext};

pub(crate) const TREMAUX: Solver = Solver {
    name: "tremaux",
    summary: "a walker that marks its passages and takes none more than twice; lists every tile, repeats included",
    shortest: false,
    revision: 1,
    solve,
};

/// A visited tile. The lowest four bits are a bit set of the directions of unmarked passages; from [`SHIFT`] on is the
/// direction back.
const VISITED: u8 = 0x40;

/// The lower of the two bits of the direction back.
const SHIFT: u32 = 4;

fn solve(level: &Level, from: Tile, to: Tile, context: &mut JobContext) -> Result<Solution, Cancelled> {
    let map = TileMap::unpack(level.grid(), &mut context.buffers.tile_map);
    let (start, exit) = (map.index(from), map.index(to));
    // at most two walks through each of at most two passages for each tile; memory that is never touched costs nothing
    let mut moves = Vec::with_capacity(4 * level.grid().size().area() as usize);
    let mut index = start;
    map.tiles[start as usize] = VISITED | passages(&map, start);
    while index != exit {
        if moves.len() % 4096 < 2 {
            context.cancel.check()?;
        }
        let byte = map.tiles[index as usize];
        let fresh = byte & 0b1111;
        if fresh == 0 {
            if index == start {
                return Ok(Solution::Unreachable(
                    "the walker went twice through every passage without having met the exit",
                ));
            }
            let back = Direction::from_bits(byte >> SHIFT);
            moves.push(back);
            index = map.step(index, back);
            continue;
        }
        let direction = Direction::from_bits(fresh.trailing_zeros() as u8);
        let (mark, next) = (1 << direction.back() as u8, map.step(index, direction));
        map.tiles[index as usize] = byte & (byte - 1);
        moves.push(direction);
        if map.tiles[next as usize] == OPEN {
            let fresh = passages(&map, next) & !mark;
            map.tiles[next as usize] = VISITED | (direction.back() as u8) << SHIFT | fresh;
            index = next;
        } else {
            map.tiles[next as usize] &= !mark;
            moves.push(direction.back());
        }
    }
    Ok(Solution::Found(moves))
}

/// The directions in which a tile is open, visited or not, as a bit set.
#[inline]
fn passages(map: &TileMap, index: u32) -> u8 {
    let open = |direction| u8::from(map.tiles[map.step(index, direction) as usize] != 0) << direction as u8;
    Direction::ALL.into_iter().fold(0, |set, direction| set | open(direction))
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use proptest::prelude::*;

    use super::*;
    use crate::level::fixtures;
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::work::{Buffers, Cancel};

    /// A reference walker that counts the marks of each passage. The direction back is the passage with one mark.
    fn oracle(level: &Level) -> Option<Vec<Direction>> {
        let (mut tile, mut moves, mut visited) = (level.start(), vec![], HashSet::from([level.start()]));
        let mut marks = HashMap::new();
        while tile != level.exit() {
            let passage = |direction: Direction| {
                let next = tile.step(direction);
                if (next.x, next.y) < (tile.x, tile.y) { [next, tile] } else { [tile, next] }
            };
            let open = || Direction::ALL.into_iter().filter(|step| level.grid().is_open(tile.step(*step)));
            let marked = |count| open().find(|step| marks.get(&passage(*step)).copied().unwrap_or(0) == count);
            let (step, fresh) = marked(0).map(|step| (step, true)).or_else(|| marked(1).map(|step| (step, false)))?;
            let (passage, next) = (passage(step), tile.step(step));
            *marks.entry(passage).or_insert(0) += 1;
            moves.push(step);
            if visited.insert(next) || !fresh {
                tile = next;
            } else {
                *marks.entry(passage).or_insert(0) += 1;
                moves.push(step.back());
            }
        }
        assert!(marks.values().all(|count| *count <= 2));
        Some(moves)
    }

    fn agrees(level: &Level) {
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        match solve(level, level.start(), level.exit(), &mut context).unwrap() {
            Solution::Found(moves) => {
                assert!(moves.len() as u64 <= 4 * level.grid().size().area());
                assert_eq!(Some(moves), oracle(level), "{}", level.recipe());
            }
            Solution::Unreachable(_) => assert_eq!(oracle(level), None, "{}", level.recipe()),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn the_walk_is_the_one_that_counting_marks_gives(
            side in 3u32..12, open in prop::collection::vec(prop::bool::weighted(0.7), 100), start: usize, exit: usize,
        ) {
            fixtures::map(side, &open, start, exit).iter().for_each(agrees);
        }
    }

    #[test]
    fn large_levels_are_walked_by_the_same_rule() {
        let mut buffers = Buffers::default();
        for (algorithm, seed) in ["kruskal", "dfs", "bsp"].into_iter().flat_map(|name| (0..50).map(move |i| (name, i)))
        {
            let (size, seed) = ((seed * 2 + 3).to_string(), seed.to_string());
            let pairs = [("algo", algorithm), ("size", size.as_str()), ("seed", seed.as_str())];
            let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap();
            let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
            agrees(&Level::build(recipe, &mut context).unwrap());
        }
    }
}
