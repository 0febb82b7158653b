//! Recursive division: begin with one open room and put a wall across it, with one gap; do the same with both parts,
//! until all are one cell wide.
//!
//! A wall divides the longer side of its region, of a square one either by a coin. Its place is uniform among all lines
//! between cells, its gap among all cells along it.
//!
//! Nearly all walls are short, and half of them lie across the words of the grid. So a region of at most 64 cells a side
//! is divided in a block apart, which has a word for each line between its columns as well as for each between its
//! rows: there any wall is one `or`, and which way it runs costs no branch. In the end the columns are transposed, and
//! whole rows of the grid are shut. Regions wait in a queue instead of on a stack: the next one was put there long ago,
//! so that the processor works at several at once, which gains a sixth.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::error::Error;
use crate::level::grid::{Layout, LevelKind, Passages};
use crate::level::parameters::options::OptionId;
use crate::level::rng::Rng;
use crate::level::work::JobContext;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "recursive_division",
    aliases: &[],
    summary: "divides a room by a wall with one gap, and then both parts of it, until no room is wider than a cell",
    character: "long straight walls with one gap each, which show how the maze was divided; bottlenecks between the \
                parts",
    source: "Jamis Buck, Mazes for Programmers, 2015; Walter Pullen, Think Labyrinth: Maze algorithms",
    revision: 1,
    kind: LevelKind::Maze,
    masks: false,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area(),
    generate,
};

/// Most cells along a side of a block: a wall in it is one word.
const SIDE: usize = 64;
/// Regions that may come into the queue of a block. Each has a wall of its own, which shuts at least one of the fewer
/// than `SIDE * SIDE` passages that are shut in the end.
const QUEUE: usize = SIDE * SIDE;
/// Regions that may wait outside blocks. The smaller part of a region is divided first, while the other waits, which
/// has as many cells or more: with each that waits the level has twice as many, and no level has `1 << 32`.
const WAITING: usize = 32;

/// What the random numbers are for: walls outside blocks, and those in the block with this first cell.
const LARGE: u8 = 0;
const SMALL: u8 = 1;

/// A rectangle of cells: its first column and row, and how many it has of them.
#[derive(Debug, Clone, Copy, Default)]
struct Region {
    start: [u32; 2],
    size: [u32; 2],
}

/// Where to put a wall.
struct Wall {
    /// Which side of the region it divides: 0 is its width, 1 its height.
    axis: u32,
    /// Columns or rows before it.
    before: u32,
    /// Cells along it.
    length: u32,
    /// Cells along it before the gap.
    gap: u32,
}

impl Wall {
    /// Draws a wall for a region of this size, both sides of which are two cells or more.
    #[inline]
    fn draw([width, height]: [u32; 2], rng: &mut Rng) -> Self {
        let (long, length) = (width.max(height), width.min(height));
        let before = 1 + rng.below(long - 1);
        let roll = rng.below(2 * length);
        Self { axis: u32::from(height + roll % 2 > width), before, length, gap: roll / 2 }
    }
}

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let cells = blueprint.size().cells();
    let mut passages = context.buffers.planes.passages(cells);
    open_all(&mut passages);
    let queue = &mut context.buffers.indices;
    if queue.len() < QUEUE {
        queue.resize(QUEUE, 0);
    }
    let streams = blueprint.streams();
    let mut rng = streams.stream(LARGE, 0);
    let mut waiting = [Region::default(); WAITING];
    waiting[0].size = [cells.0 as u32, cells.1 as u32];
    let mut count = 1;
    while count > 0 {
        context.cancel.check()?;
        count -= 1;
        let region = waiting[count];
        if region.size.contains(&1) {
            continue;
        }
        if region.size.iter().all(|&side| side as usize <= SIDE) {
            let [left, top] = region.start.map(u64::from);
            let rng = streams.stream(SMALL, top * cells.0 as u64 + left);
            let walls = divide_block(region.size, &mut queue[..QUEUE], rng);
            shut_block(region, walls, &mut passages);
            continue;
        }
        let wall = Wall::draw(region.size, &mut rng);
        shut(region, &wall, &mut passages);
        let [smaller, larger] = parts(region, &wall);
        waiting[count] = larger;
        waiting[count + 1] = smaller;
        count += 2;
    }
    Ok(Layout::maze(passages))
}

/// Opens all passages that there are.
fn open_all(Passages { east, south }: &mut Passages) {
    let (stride, valid, rows) = (east.row(0).len(), east.last_word_mask(), east.height());
    for (plane, last_word) in [(&mut *east, valid >> 1), (&mut *south, valid)] {
        plane.words_mut().fill(u64::MAX);
        plane.words_mut().iter_mut().skip(stride - 1).step_by(stride).for_each(|word| *word = last_word);
    }
    south.row_mut(rows - 1).fill(0);
}

/// The parts of a region on both sides of a wall, the smaller one first.
fn parts(region: Region, wall: &Wall) -> [Region; 2] {
    let (mut parts, axis) = ([region; 2], wall.axis as usize);
    parts[0].size[axis] = wall.before;
    parts[1].size[axis] -= wall.before;
    parts[1].start[axis] += wall.before;
    parts.sort_by_key(|part| part.size[axis]);
    parts
}

/// Puts up a wall in a large region.
fn shut(region: Region, wall: &Wall, Passages { east, south }: &mut Passages) {
    let [x, y] = region.start.map(|start| start as usize);
    let [before, length, gap] = [wall.before, wall.length, wall.gap].map(|number| number as usize);
    if wall.axis == 0 {
        let (x, stride) = (x + before - 1, east.row(0).len());
        let words = east.words_mut()[y * stride + x / 64..].iter_mut().step_by(stride);
        words.take(length).for_each(|word| *word &= !(1 << (x % 64)));
        east.set(x, y + gap);
    } else {
        south.clear_run(x, y + before - 1, length);
        south.set(x + gap, y + before - 1);
    }
}

/// The walls of a block: a word for each column, with a bit for each row where there is one to its right, then a word
/// for each row, with a bit for each column where there is one below.
type BlockWalls = [u64; 2 * SIDE];

/// Divides a block of this size. A region in the queue has its start and then its size in a byte for each axis, so that
/// one shift by the axis of a wall serves for both.
fn divide_block([width, height]: [u32; 2], queue: &mut [u32], mut rng: Rng) -> BlockWalls {
    let mut walls = [0; 2 * SIDE];
    queue[0] = width << 16 | height << 24;
    let (mut next, mut end) = (0, 1);
    while next < end {
        let region = queue[next];
        next += 1;
        let wall = Wall::draw([region >> 16 & 0xff, region >> 24], &mut rng);
        let shift = 8 * wall.axis;
        let line = (region >> shift & 0xff) + wall.before - 1;
        let from = region >> (8 - shift) & 0xff;
        let shut = u64::MAX >> (64 - wall.length) & !(1 << wall.gap);
        walls[(SIDE as u32 * wall.axis + line) as usize % (2 * SIDE)] |= shut << from;
        // a part that is one cell wide is overwritten by the next
        let after = (region >> (16 + shift) & 0xff) - wall.before;
        queue[end] = region - (after << 16 << shift);
        end += usize::from(wall.before > 1);
        queue[end] = region + (wall.before << shift) - (wall.before << 16 << shift);
        end += usize::from(after > 1);
    }
    walls
}

/// Puts up the walls of a block.
fn shut_block(region: Region, mut walls: BlockWalls, passages: &mut Passages) {
    let [width, height] = region.size.map(|side| side as usize);
    let [left, top] = region.start.map(|start| start as usize);
    let (columns, rows) = walls.split_at_mut(SIDE);
    transpose(columns, width.max(height).next_power_of_two());
    let (stride, shift) = (passages.east.row(0).len(), left % 64);
    let first = top * stride + left / 64;
    for (plane, walls) in [(&mut passages.east, columns), (&mut passages.south, rows)] {
        for (words, wall) in plane.words_mut()[first..].chunks_mut(stride).zip(&walls[..height]) {
            words[0] &= !(wall << shift);
            if shift + width > 64 {
                words[1] &= !(wall >> (64 - shift));
            }
        }
    }
}

/// Swaps rows and columns of a square of so many bits a side, a power of two; no row has ones beyond it. By squares of
/// half the side each time (Warren, Hacker's Delight, 2nd edition, 2012, section 7-3).
fn transpose(rows: &mut [u64], side: usize) {
    let (mut half, mut mask) = (side / 2, u64::MAX >> (64 - side));
    while half > 0 {
        mask ^= mask << half;
        for square in rows[..side].chunks_exact_mut(2 * half) {
            let (upper, lower) = square.split_at_mut(half);
            for (a, b) in upper.iter_mut().zip(lower) {
                let swap = (*a >> half ^ *b) & mask;
                *a ^= swap << half;
                *b ^= swap;
            }
        }
        half /= 2;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, VecDeque};

    use super::*;
    use crate::level::grid::{Bitmap, OpenTiles};
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::work::{Buffers, Cancel};

    fn recipe(columns: u32, rows: u32, seed: u64) -> Recipe {
        let [width, height] = [columns, rows].map(|cells| (2 * cells + 1).to_string());
        let pairs = [("algo", "recursive_division"), ("width", &width), ("height", &height)];
        let seed = seed.to_string();
        Recipe::from_pairs(&[&pairs[..], &[("seed", &seed)]].concat(), Limits::of_side(4001)).unwrap()
    }

    fn passages(recipe: &Recipe, buffers: &mut Buffers) -> Passages {
        let layout = generate(recipe.blueprint(), &mut JobContext { buffers, cancel: Cancel::never() }).unwrap();
        let OpenTiles::Maze(passages) = layout.grid.floor else { unreachable!() };
        passages
    }

    /// The same passage by passage. A region is its first column and row, its width and its height.
    struct Plain<'a> {
        recipe: &'a Recipe,
        passages: Passages,
    }

    impl Plain<'_> {
        fn divide(&mut self, region: [u32; 4], rng: &mut Rng) {
            let [left, top, width, height] = region;
            if width == 1 || height == 1 {
                return;
            }
            if width > 64 || height > 64 {
                let [first, second] = self.wall(region, rng);
                let first_is_larger = first[2] * first[3] > second[2] * second[3];
                for part in if first_is_larger { [second, first] } else { [first, second] } {
                    self.divide(part, rng);
                }
                return;
            }
            let number = u64::from(top) * self.passages.east.width() as u64 + u64::from(left);
            let mut rng = self.recipe.streams().stream(SMALL, number);
            let mut queue = VecDeque::from([region]);
            while let Some(region) = queue.pop_front() {
                queue.extend(self.wall(region, &mut rng).into_iter().filter(|part| part[2] > 1 && part[3] > 1));
            }
        }

        fn wall(&mut self, [left, top, width, height]: [u32; 4], rng: &mut Rng) -> [[u32; 4]; 2] {
            let before = 1 + rng.below(width.max(height) - 1);
            let roll = rng.below(2 * width.min(height));
            let (coin, gap) = (roll % 2 == 1, roll / 2);
            if height > width || height == width && coin {
                for x in (0..width).filter(|&x| x != gap) {
                    self.passages.south.clear_run((left + x) as usize, (top + before - 1) as usize, 1);
                }
                [[left, top, width, before], [left, top + before, width, height - before]]
            } else {
                for y in (0..height).filter(|&y| y != gap) {
                    self.passages.east.clear_run((left + before - 1) as usize, (top + y) as usize, 1);
                }
                [[left, top, before, height], [left + before, top, width - before, height]]
            }
        }
    }

    fn plain(recipe: &Recipe) -> Passages {
        let (columns, rows) = recipe.size().cells();
        let mut passages = Passages::new((columns, rows));
        for y in 0..rows {
            passages.east.set_run(0, y, columns - 1);
            if y + 1 < rows {
                passages.south.set_run(0, y, columns);
            }
        }
        let mut plain = Plain { recipe, passages };
        plain.divide([0, 0, columns as u32, rows as u32], &mut recipe.streams().stream(LARGE, 0));
        plain.passages
    }

    #[test]
    fn words_give_what_single_passages_give() {
        let mut buffers = Buffers::default();
        let large = [(64, 64), (65, 64), (64, 65), (200, 150), (150, 200), (300, 2), (2, 300), (500, 7), (400, 400)];
        let small = (1..=20).flat_map(|columns| (1..=20).map(move |rows| (columns, rows)));
        for ((columns, rows), seed) in large.into_iter().cycle().take(270).chain(small).zip(0..) {
            let recipe = recipe(columns, rows, seed);
            assert_eq!(passages(&recipe, &mut buffers), plain(&recipe), "{recipe}");
        }
    }

    /// Passages that each outcome of the draws shuts in a region, as bits: all with equal chance where each wall leaves
    /// as many outcomes as any other in its region.
    fn outcomes([left, top, width, height]: [u32; 4]) -> Vec<u32> {
        if width == 1 || height == 1 {
            return vec![0];
        }
        let mut all = Vec::new();
        for down in [false, true].into_iter().filter(|down| if *down { height >= width } else { width >= height }) {
            let (long, length) = (width.max(height), width.min(height));
            for (before, gap) in (1..long).flat_map(|before| (0..length).map(move |gap| (before, gap))) {
                let along = (0..length).filter(|&i| i != gap);
                let (wall, parts) = if down {
                    let row = top + before - 1;
                    (
                        along.map(|i| bit(left + i, row, true)).sum::<u32>(),
                        [[left, top, width, before], [left, row + 1, width, height - before]],
                    )
                } else {
                    let column = left + before - 1;
                    (
                        along.map(|i| bit(column, top + i, false)).sum(),
                        [[left, top, before, height], [column + 1, top, width - before, height]],
                    )
                };
                let [first, second] = parts.map(outcomes);
                all.extend(first.iter().flat_map(|a| second.iter().map(move |b| wall | a | b)));
            }
        }
        all
    }

    const fn bit(column: u32, row: u32, down: bool) -> u32 {
        1 << (row * 4 + column + if down { 16 } else { 0 })
    }

    /// Pearson's chi-squared lies within five deviations of its mean; pairs of a count and the chances it has.
    fn assert_chances(counts: &[(u32, u32)], context: &str) {
        let (total, chances) = counts.iter().fold((0, 0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
        let freedom = f64::from(counts.len() as u32) - 1.0;
        let squared = |(count, share): &(u32, u32)| {
            let mean = f64::from(total) * f64::from(*share) / f64::from(chances);
            (f64::from(*count) - mean).powi(2) / mean
        };
        let sum = counts.iter().map(squared).sum::<f64>();
        assert!(sum <= freedom + 5.0 * (2.0 * freedom).sqrt(), "{context}: {sum} of {counts:?}");
    }

    #[test]
    fn small_regions_have_each_outcome_by_its_chance() {
        let mut buffers = Buffers::default();
        for (columns, rows) in [(2, 2), (3, 2), (2, 3), (4, 2), (3, 3)] {
            let mut counts = BTreeMap::new();
            for outcome in outcomes([0, 0, columns, rows]) {
                counts.entry(outcome).or_insert((0, 0)).1 += 1;
            }
            for seed in 0..40_000 {
                let Passages { east, south } = passages(&recipe(columns, rows, seed), &mut buffers);
                let mut shut = 0;
                for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
                    let is_shut = |plane: &Bitmap| !plane.get(x as usize, y as usize);
                    shut |= u32::from(x + 1 < columns && is_shut(&east)) * bit(x, y, false);
                    shut |= u32::from(y + 1 < rows && is_shut(&south)) * bit(x, y, true);
                }
                counts.get_mut(&shut).unwrap().0 += 1;
            }
            let counts: Vec<_> = counts.into_values().collect();
            assert_chances(&counts, &format!("{columns} by {rows}"));
        }
    }

    /// The first wall is the only one from side to side with one gap: both parts are then divided across it.
    #[test]
    fn the_first_wall_has_any_place_and_gap_alike() {
        let mut buffers = Buffers::default();
        let (mut axes, mut places, mut gaps) = ([(0, 1); 2], [(0, 1); 99], [(0, 1); 100]);
        for seed in 0..4_000 {
            let Passages { east, south } = passages(&recipe(100, 100, seed), &mut buffers);
            let mut walls = Vec::new();
            for place in 0..99 {
                let across = (0..100).filter(|&y| east.get(place, y)).collect::<Vec<_>>();
                let down = (0..100).filter(|&x| south.get(x, place)).collect::<Vec<_>>();
                let lines = [across, down].into_iter().enumerate();
                walls.extend(lines.filter(|(_, open)| open.len() == 1).map(|(axis, open)| (axis, place, open[0])));
            }
            assert_eq!(walls.len(), 1, "{walls:?}");
            let (axis, place, gap) = walls[0];
            axes[axis].0 += 1;
            places[place].0 += 1;
            gaps[gap].0 += 1;
        }
        assert_chances(&axes, "axes");
        assert_chances(&places, "places");
        assert_chances(&gaps, "gaps");
    }

    #[test]
    fn a_transposed_square_has_its_rows_as_columns() {
        for side in [2, 4, 8, 16, 32, 64] {
            let mut rows = [0; SIDE];
            for (y, row) in rows.iter_mut().take(side).enumerate() {
                *row = (0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(y as u64 + 1)) & u64::MAX >> (64 - side);
            }
            let before = rows;
            transpose(&mut rows, side);
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                assert_eq!(rows[y] >> x & 1, before[x] >> y & 1, "{side}: {x} {y}");
            }
        }
    }
}
