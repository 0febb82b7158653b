//! The wall follower: one hand on the wall, and walk. It starts facing up; at each step it turns to the hand's side and
//! goes if the tile there is open, else goes ahead if that is open, else turns in place to the other side.
//!
//! In a perfect maze it comes by every tile, so it meets the exit. In a level with loops or rooms it may not, and would
//! walk for ever; it stops at the first tile that it comes back to facing the same way. That is one of its first two
//! states, so two comparisons a step are enough: of two states that lead to the same third, one has an open tile behind
//! the hand that no walker could have passed by, so it can only be the state that the walk began in.

use super::super::grid::{Direction, Grid, Tile};
use super::super::work::{Stopped, Work};
use super::{Route, Solver};

pub(super) const RIGHT_HAND: Solver = Solver {
    name: "right_hand",
    summary: "a walker with its right hand on the wall; lists every tile it steps on, repeats included",
    shortest: false,
    revision: 1,
    solve: |level, from, to, work| solve(level.grid(), [from, to], work, Direction::to_the_right),
};

pub(super) const LEFT_HAND: Solver = Solver {
    name: "left_hand",
    summary: "a walker with its left hand on the wall; lists every tile it steps on, repeats included",
    shortest: false,
    revision: 1,
    solve: |level, from, to, work| solve(level.grid(), [from, to], work, Direction::to_the_left),
};

/// `to_hand` turns a quarter towards the side of the hand.
fn solve(
    grid: &Grid,
    [from, to]: [Tile; 2],
    work: &mut Work,
    to_hand: fn(Direction) -> Direction,
) -> Result<Route, Stopped> {
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
                work.halt.check()?;
            }
        }
        if next == first || second == Some(next) {
            return Ok(Route::Lost("the walker came back to a tile facing the same way without having met the exit"));
        }
        second.get_or_insert(next);
        state = next;
    }
    Ok(Route::Found(moves))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::super::super::Level;
    use super::super::super::samples::map;
    use super::super::super::work::{Halt, Scratch};
    use super::*;

    /// The rule as it is told, with a set of all states seen.
    fn told(level: &Level, right: bool) -> Route {
        let (mut tile, mut facing, mut moves, mut seen) = (level.start(), Direction::Up, vec![], HashSet::new());
        while tile != level.exit() {
            if !seen.insert((tile, facing as u8)) {
                return Route::Lost("");
            }
            let hand = if right { facing.to_the_right() } else { facing.to_the_left() };
            let step = [hand, facing].into_iter().find(|way| level.grid().is_open(tile.step(*way)));
            facing = step.unwrap_or(hand.back());
            if step.is_some() {
                tile = tile.step(facing);
                moves.push(facing);
            }
        }
        Route::Found(moves)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn two_remembered_states_see_every_round_that_a_set_of_all_sees(
            side in 3u32..12, open in prop::collection::vec(prop::bool::weighted(0.7), 100), start: usize, exit: usize,
        ) {
            let Some(level) = map(side, &open, start, exit) else { return Ok(()) };
            let mut scratch = Scratch::default();
            let mut work = Work { scratch: &mut scratch, halt: Halt::never() };
            for (solver, right) in [(RIGHT_HAND, true), (LEFT_HAND, false)] {
                match ((solver.solve)(&level, level.start(), level.exit(), &mut work).unwrap(), told(&level, right)) {
                    (Route::Found(moves), Route::Found(expected)) => prop_assert_eq!(moves, expected),
                    (Route::Lost(_), Route::Lost(_)) => {}
                    (route, expected) => prop_assert!(false, "{route:?} instead of {expected:?}"),
                }
            }
        }
    }
}
