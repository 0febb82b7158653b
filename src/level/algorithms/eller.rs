//! Eller: row by row, with no more in memory than which cells of one row are joined by the rows above.
//!
//! A fair coin for each pair of neighbours in a row says whether to join them; where they are joined already, it does
//! not count. Then a fair coin for each cell of the row, from left to right, says whether to shut what lies below it.
//! The last cell of a set that would be shut stays open: so each set goes down at least once, at its rightmost cell
//! where all coins say no. A cell below a shut one begins a set of its own. In the last row all neighbours are joined
//! that are not yet.
//!
//! A set is a ring of links to the left and to the right, in the order of its cells. Sets do not cross each other in a
//! row, for their ways above do not: neighbours are of one set only where one is the next of the other in its ring.
//! That is asked, two rings are joined and a cell leaves its ring by two loads and four stores, without a branch; and
//! only the ones among the coins take a step.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::error::Error;
use crate::level::grid::{Layout, LevelKind, ones};
use crate::level::parameters::options::OptionId;
use crate::level::work::JobContext;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "eller",
    aliases: &[],
    summary: "joins random neighbours row by row, and lets every set of joined cells go on downwards at least once",
    character: "leans to the vertical, with three passages down for two across; the last row joins all that is left and \
                has the longest corridors",
    source: "Marlin Eller, unpublished; as described by Walter Pullen, Think Labyrinth: Maze algorithms",
    revision: 1,
    kind: LevelKind::Maze,
    masks: false,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area() + 8 * u64::from(blueprint.size().width),
    generate,
};

/// Rows that share one stream of coins.
const BAND: usize = 64;

/// Draws 64 coins a word, for the joins and then for the shut cells of the same 64 columns.
fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let mut passages = context.buffers.planes.passages(blueprint.size().cells());
    let mut sets = Sets::new(&mut context.buffers.indices, passages.east.width());
    let streams = blueprint.streams();
    let (stride, valid) = (passages.east.row(0).len(), passages.east.last_word_mask());
    let cells = |i| if i + 1 < stride { u64::MAX } else { valid };
    let pairs = |i| if i + 1 < stride { u64::MAX } else { valid >> 1 };
    let (east, south) = (passages.east.words_mut(), passages.south.words_mut());
    let (east, last_east) = east.split_at_mut(east.len() - stride);
    let (south, last_south) = south.split_at_mut(east.len());
    let bands = east.chunks_mut(BAND * stride).zip(south.chunks_mut(BAND * stride));
    for ((east, south), band) in bands.zip(0..) {
        context.cancel.check()?;
        let mut coins = streams.stream(0, band);
        for (east, south) in east.chunks_exact_mut(stride).zip(south.chunks_exact_mut(stride)) {
            for (i, (east, south)) in east.iter_mut().zip(south).enumerate() {
                *east = sets.join(64 * i, coins.word() & pairs(i));
                let shut = coins.word() & cells(i);
                *south = cells(i) & !shut | sets.leave(64 * i, shut);
            }
        }
    }
    for (i, east) in last_east.iter_mut().enumerate() {
        *east = sets.join(64 * i, pairs(i));
    }
    last_south.fill(0);
    Ok(Layout::maze(passages))
}

/// Sets of the columns of a row: for each column the next one of its set on either side, around the ends.
struct Sets<'a> {
    left: &'a mut [u32],
    right: &'a mut [u32],
}

impl<'a> Sets<'a> {
    /// A set for each column.
    fn new(buffer: &'a mut Vec<u32>, columns: usize) -> Self {
        if buffer.len() < 2 * columns {
            buffer.clear();
            buffer.resize(2 * columns, 0);
        }
        let (left, rest) = buffer.split_at_mut(columns);
        let right = &mut rest[..columns];
        for ((left, right), column) in left.iter_mut().zip(&mut *right).zip(0..) {
            (*left, *right) = (column, column);
        }
        Self { left, right }
    }

    /// Makes `b` the next column to the right of `a`.
    #[inline]
    fn link(&mut self, a: usize, b: usize) {
        self.right[a] = b as u32;
        self.left[b] = a as u32;
    }

    /// Joins columns with the next ones: those from `first` on where `coins` has a one. Gives the ones of those that
    /// were of different sets.
    #[inline]
    fn join(&mut self, first: usize, coins: u64) -> u64 {
        let mut joined = coins;
        for bit in ones(coins) {
            let column = first + bit as usize;
            let (after, before) = (self.right[column] as usize, self.left[column + 1] as usize);
            // where they are neighbours in one ring, both links are what they were
            self.link(before, after);
            self.link(column, column + 1);
            joined ^= u64::from(after == column + 1) << bit;
        }
        joined
    }

    /// Takes columns out of their sets, each into one of its own: those from `first` on where `coins` has a one. Gives
    /// the ones of those that were in none with others.
    #[inline]
    fn leave(&mut self, first: usize, coins: u64) -> u64 {
        let mut alone = 0;
        for bit in ones(coins) {
            let column = first + bit as usize;
            let (before, after) = (self.left[column] as usize, self.right[column] as usize);
            self.link(before, after);
            self.link(column, column);
            alone |= u64::from(after == column) << bit;
        }
        alone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::grid::{OpenTiles, Passages};
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::work::{Buffers, Cancel};

    fn recipe(width: u32, height: u32, seed: u64) -> Recipe {
        let [width, height, seed] = [width.into(), height.into(), seed].map(|number: u64| number.to_string());
        let pairs = [("algo", "eller"), ("width", &width), ("height", &height), ("seed", &seed)];
        Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap()
    }

    fn passages(recipe: &Recipe, buffers: &mut Buffers) -> Passages {
        let layout = generate(recipe.blueprint(), &mut JobContext { buffers, cancel: Cancel::never() }).unwrap();
        let OpenTiles::Maze(passages) = layout.grid.floor else { unreachable!() };
        passages
    }

    /// The same with a name for each cell's set, and a search through the row for whatever is asked.
    fn plain(recipe: &Recipe) -> Passages {
        let (columns, rows) = recipe.size().cells();
        let mut passages = Passages::new((columns, rows));
        let mut sets: Vec<_> = (0..columns).collect();
        let mut unused = columns;
        let mut coins = recipe.streams().stream(0, 0);
        for y in 0..rows {
            if y % BAND == 0 {
                coins = recipe.streams().stream(0, (y / BAND) as u64);
            }
            let last = y + 1 == rows;
            let words = if last { 0 } else { columns.div_ceil(64) };
            let coins: Vec<_> = (0..words).map(|_| [coins.word(), coins.word()]).collect();
            let coin = |x: usize, which: usize| coins[x / 64][which] >> (x % 64) & 1 == 1;
            for x in 0..columns - 1 {
                let (a, b) = (sets[x], sets[x + 1]);
                if a != b && (last || coin(x, 0)) {
                    passages.east.set(x, y);
                    sets.iter_mut().filter(|set| **set == b).for_each(|set| *set = a);
                }
            }
            for x in (0..columns).filter(|_| !last) {
                let others = sets.iter().filter(|set| **set == sets[x]).count() - 1;
                if coin(x, 1) && others > 0 {
                    sets[x] = unused;
                    unused += 1;
                } else {
                    passages.south.set(x, y);
                }
            }
        }
        passages
    }

    #[test]
    fn rings_give_what_a_search_through_each_row_gives() {
        let mut buffers = Buffers::default();
        for seed in 0..400 {
            let odd = |n: u64, most: u64| (n % (most / 2) * 2 + 3) as u32;
            let most = if seed % 8 == 0 { 400 } else { 60 };
            let recipe = recipe(odd(seed * 7919 / 3, most), odd(seed * 104_729 / 5, most), seed);
            assert_eq!(passages(&recipe, &mut buffers), plain(&recipe), "{recipe}");
        }
    }

    #[test]
    fn coins_are_fair() {
        // in the first row no join is refused, and each cell but the last of a run has a free choice downwards unless
        // it is the last one
        let (mut pairs, mut joined, mut free, mut open) = (0_u32, 0_u32, 0_u32, 0_u32);
        for seed in 0..2_000 {
            let passages = passages(&recipe(203, 5, seed), &mut Buffers::default());
            for x in 0..100 {
                let joins = passages.east.get(x, 0);
                pairs += 1;
                joined += u32::from(joins);
                free += u32::from(joins);
                open += u32::from(joins && passages.south.get(x, 0));
            }
        }
        // 200,000 and 100,000 coins: deviations of 224 and 158; four are allowed
        assert!(joined.abs_diff(pairs / 2) < 894, "{joined} of {pairs}");
        assert!(open.abs_diff(free / 2) < 632, "{open} of {free}");
    }

    #[test]
    fn only_one_row_is_held_beside_the_maze() {
        let mut buffers = Buffers::default();
        drop(passages(&recipe(201, 4001, 7), &mut buffers));
        assert_eq!(buffers.bytes(), 100 * 8);
    }
}
