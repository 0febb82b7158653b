//! The wall follower: a walker that keeps one hand on the wall. It starts facing up. At each step it looks at two
//! tiles. If the tile at its hand is open, it turns to that tile and enters it. Otherwise, if the tile ahead is open,
//! it enters that one. Otherwise it turns in place to the other side.
//!
//! In a perfect maze the walker visits every tile, so it finds the exit. In a level with loops or rooms it may miss the
//! exit and walk for ever. So it stops when it comes to a state (tile and direction) that it was in before. The first
//! such state is the first or the second of the walk, so two comparisons a step are enough. For suppose that two
//! different states lead to the same next state. Then in one of the two, an open tile is at the walker's hand that it
//! would have entered before, so no step leads to that state: it can only be the first of the walk.

use crate::level::grid::{Direction, Grid, Tile};
use crate::level::solvers::{Solution, Solver};
use crate::level::work::{Cancelled, JobContext};

pub(crate) const RIGHT_HAND: Solver = Solver {
    name: "right_hand",
    summary: "a walker with its right hand on the wall; lists every tile it steps on, repeats included",
    shortest: false,
    revision: 1,
    solve: |level, from, to, context| solve(level.grid(), [from, to], context, Direction::to_the_right),
};

pub(crate) const LEFT_HAND: Solver = Solver {
    name: "left_hand",
    summary: "a walker with its left hand on the wall; lists every tile it steps on, repeats included",
    shortest: false,
    revision: 1,
    solve: |level, from, to, context| solve(level.grid(), [from, to], context, Direction::to_the_left),
};

/// `to_hand` turns a direction by a quarter towards the hand.
fn solve(
    grid: &Grid,
    [from, to]: [Tile; 2],
    context: &mut JobContext,
    to_hand: fn(Direction) -> Direction,
) -> Result<Solution, Cancelled> {
    let advance = |(tile, facing): (Tile, Direction)| {
        let open = |direction| grid.is_open(tile.step(direction));
        if open(to_hand(facing)) {
            ((tile.step(to_hand(facing)), to_hand(facing)), true)
        } else if open(facing) {
            ((tile.step(facing), facing), true)
        } else {
            ((tile, to_hand(facing).back()), false)
        }
    };
    let mut moves = Vec::new();
    let first = (from, Direction::Up);
    let mut state = first;
    let mut second = None;
    while state.0 != to {
        let (next, stepped) = advance(state);
        if stepped {
            moves.push(next.1);
            if moves.len().is_multiple_of(4096) {
                context.cancel.check()?;
            }
        }
        if next == first || second == Some(next) {
            return Ok(Solution::Unreachable(
                "the walker came back to a tile facing the same way without having met the exit",
            ));
        }
        second.get_or_insert(next);
        state = next;
    }
    Ok(Solution::Found(moves))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::level::Level;
    use crate::level::fixtures;
    use crate::level::work::{Buffers, Cancel};

    /// A reference walker with a set of all states that it was in.
    fn oracle(level: &Level, right: bool) -> Solution {
        let (mut tile, mut facing, mut moves, mut seen) = (level.start(), Direction::Up, vec![], HashSet::new());
        while tile != level.exit() {
            if !seen.insert((tile, facing as u8)) {
                return Solution::Unreachable("");
            }
            let hand = if right { facing.to_the_right() } else { facing.to_the_left() };
            let step = [hand, facing].into_iter().find(|direction| level.grid().is_open(tile.step(*direction)));
            facing = step.unwrap_or(hand.back());
            if step.is_some() {
                tile = tile.step(facing);
                moves.push(facing);
            }
        }
        Solution::Found(moves)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn two_states_find_every_loop_that_a_set_of_all_states_finds(
            side in 3u32..12, open in prop::collection::vec(prop::bool::weighted(0.7), 100), start: usize, exit: usize,
        ) {
            let Some(level) = fixtures::map(side, &open, start, exit) else { return Ok(()) };
            let mut buffers = Buffers::default();
            let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
            for (solver, right) in [(RIGHT_HAND, true), (LEFT_HAND, false)] {
                let solution = (solver.solve)(&level, level.start(), level.exit(), &mut context).unwrap();
                match (solution, oracle(&level, right)) {
                    (Solution::Found(moves), Solution::Found(expected)) => prop_assert_eq!(moves, expected),
                    (Solution::Unreachable(_), Solution::Unreachable(_)) => {}
                    (found, expected) => prop_assert!(false, "{found:?} instead of {expected:?}"),
                }
            }
        }
    }
}
