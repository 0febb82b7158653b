//! Binary tree: for each cell a coin (a random bit) opens either the passage to its right or the one below it.
//!
//! A cell of the last row can only open to the right, a cell of the last column only downwards, and the last cell not
//! at all. Every path leads right and down to the last cell, so the maze is perfect. Its last row and its last column
//! are two long corridors.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::error::Error;
use crate::level::grid::{Direction, Grid, Layout, LevelKind, OpenTiles, ParentRule, Parents, Passages};
use crate::level::parameters::options::OptionId;
use crate::level::search::climb;
use crate::level::work::JobContext;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "binary_tree",
    aliases: &[],
    summary: "each cell opens to the right or downwards with equal chance",
    character: "strong diagonal bias, a corridor along the last row and the last column; the fastest of all",
    source: "Jamis Buck, Mazes for Programmers, 2015",
    revision: 1,
    kind: LevelKind::Maze,
    masks: false,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area(),
    estimate: |blueprint| Ok(blueprint.nanos(50, 0)),
    generate,
};

/// The parent of a cell is to its right if the passage there is open, else below it. So the root is the last cell.
static PARENT_RULE: ParentRule = ParentRule {
    root,
    direction: |passages, column, row| {
        if passages.east.get(column, row) { Direction::Right } else { Direction::Down }
    },
    climb: |passages, moves, cells, cancel| {
        let (words, stride) = (passages.east.words(), 64 * passages.east.row(0).len());
        // 1 is to the right, 2 is down; arithmetic instead of a branch, which the processor could not predict
        let direction = |index: usize| 2 - (words[index / 64] >> (index % 64) & 1);
        climb::until_met(moves, cells, root(passages), stride, direction, cancel)
    },
};

fn root(passages: &Passages) -> (usize, usize) {
    (passages.east.width() - 1, passages.east.height() - 1)
}

/// Rows that share one stream of coins.
const BAND: usize = 64;

/// Takes 64 coins from each random word: a one opens to the right, a zero downwards.
fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut passages = context.buffers.bitmaps.passages(blueprint.size().cells());
    let streams = blueprint.streams();
    let (stride, valid) = (passages.east.row(0).len(), passages.east.last_word_mask());
    let (east, south) = (passages.east.words_mut(), passages.south.words_mut());
    let bands = east.chunks_mut(BAND * stride).zip(south.chunks_mut(BAND * stride));
    for ((east, south), band) in bands.zip(0..) {
        context.cancel.check()?;
        let mut coins = streams.stream(0, band);
        for (east, south) in east.iter_mut().zip(&mut *south) {
            *east = coins.word();
            *south = !*east;
        }
        let last_column = valid ^ valid >> 1;
        for (east, south) in east.chunks_exact_mut(stride).zip(south.chunks_exact_mut(stride)) {
            let last = stride - 1;
            east[last] &= valid >> 1;
            south[last] = south[last] & valid | last_column;
        }
    }
    open_last_row(&mut passages);
    Ok(Layout { grid: Grid::new(OpenTiles::Maze(passages)), parents: Some(Parents::Derived(&PARENT_RULE)), plan: None })
}

/// Opens each cell of the last row to the right.
fn open_last_row(passages: &mut Passages) {
    let (row, valid) = (passages.east.height() - 1, passages.east.last_word_mask());
    let east = passages.east.row_mut(row);
    east.fill(u64::MAX);
    east[east.len() - 1] = valid >> 1;
    passages.south.row_mut(row).fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::work::{Buffers, Cancel};

    fn passages(side: &str, seed: u64) -> Passages {
        let pairs = [("algo", "binary_tree"), ("size", side), ("seed", &seed.to_string())];
        let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap();
        let layout =
            generate(recipe.blueprint(), &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() })
                .unwrap();
        let OpenTiles::Maze(passages) = layout.grid.open_tiles else { unreachable!() };
        passages
    }

    #[test]
    fn coins_are_unbiased_and_independent() {
        // of the cells that have a choice: how often a coin opens to the right, and how often it equals the coin of its
        // neighbour to the right, below, and diagonally below
        let (mut coins, mut right, mut same) = (0_u32, 0_u32, [0_u32; 3]);
        for seed in 0..20 {
            let east = passages("203", seed).east;
            for (x, y) in (0..99).flat_map(|y| (0..99).map(move |x| (x, y))) {
                coins += 1;
                right += u32::from(east.get(x, y));
                for (count, (dx, dy)) in same.iter_mut().zip([(1, 0), (0, 1), (1, 1)]) {
                    *count += u32::from(east.get(x, y) == east.get(x + dx, y + dy));
                }
            }
        }
        // 196,020 coins: a count is binomial with a standard deviation of 221; four deviations are allowed
        for count in [right, same[0], same[1], same[2]] {
            assert!(count.abs_diff(coins / 2) < 885, "{right} {same:?} of {coins}");
        }
    }

    #[test]
    fn no_cell_prefers_a_direction() {
        let mut counts = [[0_u32; 20]; 20];
        for seed in 0..2_000 {
            let east = passages("43", seed).east;
            for (y, row) in counts.iter_mut().enumerate() {
                for (x, count) in row.iter_mut().enumerate() {
                    *count += u32::from(east.get(x, y));
                }
            }
        }
        // mean 1,000, standard deviation 22.4; five deviations are allowed: of 400 counts one is often three away
        assert!(counts.iter().flatten().all(|count| count.abs_diff(1_000) < 112), "{counts:?}");
    }

    #[test]
    fn every_cell_opens_right_or_down_and_edges_have_no_choice() {
        for side in ["3", "5", "41", "127", "129", "131", "259"] {
            let Passages { east, south } = passages(side, 3);
            let (columns, rows) = (east.width(), east.height());
            for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
                match (x + 1 == columns, y + 1 == rows) {
                    (false, false) => assert_ne!(east.get(x, y), south.get(x, y)),
                    (last_column, last_row) => {
                        assert_eq!(east.get(x, y), last_row && !last_column);
                        assert_eq!(south.get(x, y), last_column && !last_row);
                    }
                }
            }
        }
    }
}
