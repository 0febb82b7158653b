//! Sidewinder: for each cell of a row a coin (a random bit) decides whether the cell is joined to the next one on its
//! right. So the coins divide the row into runs of joined cells. Each run opens upwards from one of its cells, chosen
//! uniformly.
//!
//! The first row has nothing above it and is a single run. Every other run has exactly one passage to the row above, so
//! the maze is perfect.
//!
//! A random word is the coins of 64 cells. Half of all runs are one cell long, and this cell opens upwards. A quarter
//! are two cells long, and one more word of coins decides all of these at once. Only the last quarter need a random
//! number for each run.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::error::Error;
use crate::level::grid::{Direction, Grid, Layout, LevelKind, OpenTiles, ParentRule, Parents, Passages};
use crate::level::parameters::options::OptionId;
use crate::level::rng::Rng;
use crate::level::search::climb;
use crate::level::work::JobContext;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "sidewinder",
    aliases: &[],
    summary: "coins divide each row into runs of cells, and each run opens upwards from one of them",
    character: "a corridor along the first row, and from every cell a path to it that never leads down; no bias to the \
                left or to the right; one family with binary_tree",
    source: "Jamis Buck, Mazes for Programmers, 2015",
    revision: 1,
    kind: LevelKind::Maze,
    masks: false,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area(),
    estimate: |blueprint| Ok(blueprint.nanos(200, 0)),
    generate,
};

/// The parent of a cell is the cell above if the passage to it is open. Otherwise it is the left or right neighbour, on
/// the side of the cell in the run that opens upwards. In the first row it is the left neighbour. So the root is the
/// first cell.
static PARENT_RULE: ParentRule = ParentRule {
    root: |_| ROOT,
    direction: parent_direction,
    climb: |passages, moves, cells, cancel| {
        let stride = 64 * passages.east.row(0).len();
        let direction = |index: usize| parent_direction(passages, index % stride, index / stride) as u64;
        climb::until_met(moves, cells, ROOT, stride, direction, cancel)
    },
};

const ROOT: (usize, usize) = (0, 0);

/// Rows that share one stream of random numbers.
const BAND: usize = 64;

/// Each band of rows has a stream: first come the coins of all its rows, where a one joins a cell to the next, then the
/// numbers that choose which cell of each run opens upwards.
fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut passages = context.buffers.bitmaps.passages(blueprint.size().cells());
    let streams = blueprint.streams();
    let (stride, valid) = (passages.east.row(0).len(), passages.east.last_word_mask());
    let (first_row, east) = passages.east.words_mut().split_at_mut(stride);
    first_row.fill(u64::MAX);
    first_row[stride - 1] = valid >> 1;
    // each row of `south` holds the passages down, so the passages up from a row are in the row of `south` before it
    let (above, last_row) = passages.south.words_mut().split_at_mut(east.len());
    last_row.fill(0);
    let bands = east.chunks_mut(BAND * stride).zip(above.chunks_mut(BAND * stride));
    for ((east, above), band) in bands.zip(0..) {
        context.cancel.check()?;
        let mut rng = streams.stream(0, band);
        east.fill_with(|| rng.word());
        for (joins, openings) in east.chunks_exact_mut(stride).zip(above.chunks_exact_mut(stride)) {
            joins[stride - 1] &= valid >> 1;
            open_runs(joins, openings, valid, &mut rng);
        }
    }
    Ok(Layout { grid: Grid::new(OpenTiles::Maze(passages)), parents: Some(Parents::Derived(&PARENT_RULE)), plan: None })
}

/// Opens one cell of each run of a row. `joins` has a one for each cell that is joined to the next; in its last word
/// only the bits of `valid` are cells.
fn open_runs(joins: &[u64], openings: &mut [u64], valid: u64, rng: &mut Rng) {
    // the first column of the run that has no end yet
    let mut begin = 0;
    for (i, &joined) in joins.iter().enumerate() {
        let first = 64 * i;
        let cells = if i + 1 < joins.len() { u64::MAX } else { valid };
        let ends = !joined & cells;
        let starts = (ends << 1 | u64::from(begin == first)) & cells;
        openings[i] = open_short_runs(starts, joined, ends, rng) | open_long_runs(starts, joined, ends, rng);
        if ends == 0 {
            continue;
        }
        if begin < first {
            let length = first + ends.trailing_zeros() as usize + 1 - begin;
            let column = begin + rng.below(length as u32) as usize;
            openings[column / 64] |= 1 << (column % 64);
        }
        begin = first + 64 - ends.leading_zeros() as usize;
    }
}

/// The cells that open upwards in the runs of one or two cells, as bits of a word.
#[inline]
fn open_short_runs(starts: u64, joined: u64, ends: u64, rng: &mut Rng) -> u64 {
    let (singles, pairs) = (starts & ends, starts & joined & ends >> 1);
    let coins = rng.word();
    singles | pairs & coins | (pairs & !coins) << 1
}

/// The cells that open upwards in the longer runs that begin and end in the same word, as bits of that word.
#[inline]
fn open_long_runs(starts: u64, joined: u64, ends: u64, rng: &mut Rng) -> u64 {
    let (mut runs, mut openings) = (starts & joined & joined >> 1, 0);
    while runs != 0 {
        let start = runs.trailing_zeros();
        let from_start = ends >> start;
        if from_start == 0 {
            // the last run continues in the next word
            break;
        }
        openings |= 1 << (start + rng.below(from_start.trailing_zeros() + 1));
        runs &= runs - 1;
    }
    openings
}

/// The direction of a cell's parent. If the cell itself does not open upwards, this looks at the columns to its right:
/// if one of them opens upwards before the run ends, the parent is to the right. If the run ends first, the cell that
/// opens upwards is to the left, and so is the parent.
fn parent_direction(passages: &Passages, column: usize, row: usize) -> Direction {
    let Some(above) = row.checked_sub(1) else { return Direction::Left };
    if passages.south.get(column, above) {
        return Direction::Up;
    }
    let mut from_cell_on = u64::MAX << (column % 64);
    let words = passages.south.row(above).iter().zip(passages.east.row(row));
    for (openings, joins) in words.skip(column / 64) {
        let (opening, end) = (openings & from_cell_on, !joins & from_cell_on);
        if opening | end != 0 {
            return if opening.trailing_zeros() <= end.trailing_zeros() { Direction::Right } else { Direction::Left };
        }
        from_cell_on = u64::MAX;
    }
    Direction::Left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::rng::{Seed, Streams};
    use crate::level::work::{Buffers, Cancel};

    fn passages(side: &str, seed: u64) -> Passages {
        let pairs = [("algo", "sidewinder"), ("size", side), ("seed", &seed.to_string())];
        let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap();
        let layout =
            generate(recipe.blueprint(), &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() })
                .unwrap();
        let OpenTiles::Maze(passages) = layout.grid.open_tiles else { unreachable!() };
        passages
    }

    /// The runs of a row below the first: where each begins, how long it is, and which of its cells open upwards.
    fn runs(Passages { east, south }: &Passages, y: usize) -> Vec<(usize, usize, Vec<usize>)> {
        let mut runs = Vec::new();
        let mut begin = 0;
        for x in 0..east.width() {
            if !east.get(x, y) {
                let openings = (begin..=x).filter(|&x| south.get(x, y - 1)).map(|x| x - begin).collect();
                runs.push((begin, x + 1 - begin, openings));
                begin = x + 1;
            }
        }
        assert_eq!(begin, east.width(), "the last column joins nothing");
        runs
    }

    #[test]
    fn the_first_row_is_a_corridor_and_every_other_run_opens_once() {
        for side in ["3", "5", "41", "127", "129", "131", "259"] {
            for seed in 0..20 {
                let passages = passages(side, seed);
                let (columns, rows) = (passages.east.width(), passages.east.height());
                assert!((0..columns).all(|x| passages.east.get(x, 0) == (x + 1 < columns)));
                assert!((0..columns).all(|x| !passages.south.get(x, rows - 1)));
                for (_, length, openings) in (1..rows).flat_map(|y| runs(&passages, y)) {
                    assert_eq!(openings.len(), 1, "{length} cells");
                }
            }
        }
    }

    #[test]
    fn coins_are_unbiased_and_independent() {
        // of the cells that have a choice: how often a coin joins a cell to the next one, and how often it equals the
        // coin of the neighbour to the right, below, and diagonally below
        let (mut coins, mut joined, mut same) = (0_u32, 0_u32, [0_u32; 3]);
        for seed in 0..20 {
            let east = passages("203", seed).east;
            for (x, y) in (1..100).flat_map(|y| (0..99).map(move |x| (x, y))) {
                coins += 1;
                joined += u32::from(east.get(x, y));
                for (count, (dx, dy)) in same.iter_mut().zip([(1, 0), (0, 1), (1, 1)]) {
                    *count += u32::from(east.get(x, y) == east.get(x + dx, y + dy));
                }
            }
        }
        // 196,020 coins: a count is binomial with a standard deviation of 221; four deviations are allowed
        for count in [joined, same[0], same[1], same[2]] {
            assert!(count.abs_diff(coins / 2) < 885, "{joined} {same:?} of {coins}");
        }
    }

    /// Pearson's chi-squared of counts that should be equal lies within five deviations of its mean.
    fn assert_equal_chances(counts: &[u32], context: &str) {
        let total: u32 = counts.iter().sum();
        let cells = f64::from(counts.len() as u32);
        let (freedom, mean) = (cells - 1.0, f64::from(total) / cells);
        let squares = counts.iter().map(|&count| (f64::from(count) - mean).powi(2)).sum::<f64>();
        let excess = squares / mean - freedom;
        assert!(excess <= 5.0 * (2.0 * freedom).sqrt(), "{context}: {counts:?}");
    }

    #[test]
    fn every_cell_of_a_run_has_the_same_chance() {
        // for each length two lists of counts: of runs inside a word, and of runs that begin in one word and end in the
        // next
        let mut counts = vec![[vec![0; 1], vec![0; 1]]; 9];
        for (length, counts) in counts.iter_mut().enumerate() {
            counts.fill(vec![0; length]);
        }
        for seed in 0..200 {
            let passages = passages("203", seed);
            for (begin, length, openings) in (1..101).flat_map(|y| runs(&passages, y)) {
                if let Some(counts) = counts.get_mut(length) {
                    counts[usize::from(begin < 64 && begin + length > 64)][openings[0]] += 1;
                }
            }
        }
        for (length, [inside, across]) in counts.iter().enumerate().skip(1) {
            assert_equal_chances(inside, &format!("{length} cells in a word"));
            if length > 1 {
                assert!(across.iter().sum::<u32>() > 300, "{across:?}");
                assert_equal_chances(across, &format!("{length} cells across words"));
            }
        }
    }

    #[test]
    fn every_cell_of_a_run_over_many_words_has_the_same_chance() {
        let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
        for (begin, length) in [(0, 200), (1, 64), (63, 66), (64, 64), (10, 129), (63, 2)] {
            let mut joins = [0_u64; 4];
            (begin..begin + length - 1).for_each(|x| joins[x / 64] |= 1 << (x % 64));
            let mut counts = vec![0; length];
            for _ in 0..200 * length {
                let mut openings = [u64::MAX; 4];
                open_runs(&joins, &mut openings, u64::MAX >> 56, &mut rng);
                let open = (0..256).filter(|x| openings[x / 64] >> (x % 64) & 1 == 1);
                let (run, rest): (Vec<_>, Vec<_>) = open.partition(|x| (begin..begin + length).contains(x));
                assert!(rest.into_iter().eq((0..begin).chain(begin + length..200)), "runs of one cell open");
                assert_eq!(run.len(), 1);
                counts[run[0] - begin] += 1;
            }
            assert_equal_chances(&counts, &format!("{length} cells from {begin}"));
        }
    }
}
