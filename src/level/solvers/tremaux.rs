//! Tremaux: walk, and mark each passage between two tiles at each walk through it (Charles Tremaux, as told by Edouard
//! Lucas, Recreations mathematiques, 1882; proven in Shimon Even, Graph Algorithms, 1979).
//!
//! Who comes through a fresh passage to a tile that was visited before turns back at once. Else the walker takes the
//! first passage without a mark, clockwise from up; where there is none it goes back the way it first came in. So no
//! passage is walked more than twice, and the walk comes by every tile that can be reached: it meets the exit of any
//! level, with loops and rooms too. Leaving out what was walked twice, its steps are a path.
//!
//! A visited tile's byte holds the passages that have no mark yet and the way back, so only the first visit looks
//! around.

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

/// A visited tile. Below are a bit for each direction whose passage has no mark, and the way back from [`SHIFT`] on.
const VISITED: u8 = 0x40;

/// The lower of the two bits of the way back.
const SHIFT: u32 = 4;

fn solve(level: &Level, from: Tile, to: Tile, context: &mut JobContext) -> Result<Solution, Cancelled> {
    let board = TileMap::unpack(level.grid(), &mut context.buffers.board);
    let (start, exit) = (board.index(from), board.index(to));
    // two walks through each passage, of which a tile has two to call its own; memory not reached costs nothing
    let mut moves = Vec::with_capacity(4 * level.grid().size().area() as usize);
    let mut index = start;
    board.tiles[start as usize] = VISITED | passages(&board, start);
    while index != exit {
        if moves.len() % 4096 < 2 {
            context.cancel.check()?;
        }
        let byte = board.tiles[index as usize];
        let fresh = byte & 0b1111;
        if fresh == 0 {
            if index == start {
                return Ok(Solution::Unreachable(
                    "the walker went twice through every passage without having met the exit",
                ));
            }
            let back = Direction::from_bits(byte >> SHIFT);
            moves.push(back);
            index = board.step(index, back);
            continue;
        }
        let direction = Direction::from_bits(fresh.trailing_zeros() as u8);
        let (mark, next) = (1 << direction.back() as u8, board.step(index, direction));
        board.tiles[index as usize] = byte & (byte - 1);
        moves.push(direction);
        if board.tiles[next as usize] == OPEN {
            let fresh = passages(&board, next) & !mark;
            board.tiles[next as usize] = VISITED | (direction.back() as u8) << SHIFT | fresh;
            index = next;
        } else {
            board.tiles[next as usize] &= !mark;
            moves.push(direction.back());
        }
    }
    Ok(Solution::Found(moves))
}

/// A bit for each direction in which a tile is open, visited or not.
#[inline]
fn passages(board: &TileMap, index: u32) -> u8 {
    let open = |direction| u8::from(board.tiles[board.step(index, direction) as usize] != 0) << direction as u8;
    Direction::ALL.into_iter().fold(0, |mask, direction| mask | open(direction))
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use proptest::prelude::*;

    use super::*;
    use crate::level::fixtures::map;
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::work::{Buffers, Cancel};

    /// The rule as it is told, with the marks of each passage counted: back is where there is one mark.
    fn told(level: &Level) -> Option<Vec<Direction>> {
        let (mut tile, mut moves, mut visited) = (level.start(), vec![], HashSet::from([level.start()]));
        let mut marks = HashMap::new();
        while tile != level.exit() {
            let passage = |way: Direction| {
                let next = tile.step(way);
                if (next.x, next.y) < (tile.x, tile.y) { [next, tile] } else { [tile, next] }
            };
            let ways = || Direction::ALL.into_iter().filter(|way| level.grid().is_open(tile.step(*way)));
            let marked = |count| ways().find(|way| marks.get(&passage(*way)).copied().unwrap_or(0) == count);
            let (way, fresh) = marked(0).map(|way| (way, true)).or_else(|| marked(1).map(|way| (way, false)))?;
            let (passage, next) = (passage(way), tile.step(way));
            *marks.entry(passage).or_insert(0) += 1;
            moves.push(way);
            if visited.insert(next) || !fresh {
                tile = next;
            } else {
                *marks.entry(passage).or_insert(0) += 1;
                moves.push(way.back());
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
                assert_eq!(Some(moves), told(level), "{}", level.recipe());
            }
            Solution::Unreachable(_) => assert_eq!(told(level), None, "{}", level.recipe()),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn the_walk_is_the_one_that_counting_marks_gives(
            side in 3u32..12, open in prop::collection::vec(prop::bool::weighted(0.7), 100), start: usize, exit: usize,
        ) {
            map(side, &open, start, exit).iter().for_each(agrees);
        }
    }

    #[test]
    fn levels_are_walked_as_told_from_end_to_end() {
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
