//! Recursive division: start with one open room and build a wall across it, with one gap. Do the same in both parts,
//! until every part is one cell wide.
//!
//! A wall divides the longer side of its region; of a square region a coin chooses the side. The position of the wall
//! is uniform among all lines between cells, its gap among all cells along it.
//!
//! Nearly all walls are short, and half of them run across the words of the grid: one word for each cell of the wall.
//! So a region of at most 64 cells a side is divided in a block of its own. A block has a word for each line between
//! its columns as well as for each line between its rows, so that every wall is a single `or`, and no branch depends on
//! the direction of the wall. When the block is divided, the words of the columns are transposed, and whole rows of the
//! grid are shut.
//!
//! The regions of a block wait in a queue, not on a stack. The next region was written to the queue long ago, so the
//! processor works on several regions at once; this gains a sixth.

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
    summary: "divides a room by a wall with one gap, then both of its parts, until no room is wider than a cell",
    character: "long straight walls with one gap each, and bottlenecks between the parts that they divide",
    source: "Jamis Buck, Mazes for Programmers, 2015; Walter Pullen, Think Labyrinth: Maze algorithms",
    revision: 1,
    kind: LevelKind::Maze,
    masks: false,
    options: &[OptionId::Braid],
    work_bytes: |blueprint| blueprint.size().area(),
    estimate: |blueprint| Ok(blueprint.nanos(1_000, 0)),
    generate,
};

/// The most cells along a side of a block: a wall in it is one word.
const SIDE: usize = 64;
/// The most regions in the queue of a block. Each region in it gets one wall, which shuts at least one passage, and
/// fewer than `SIDE * SIDE` passages are shut in the end.
const QUEUE: usize = SIDE * SIDE;
/// The most regions that wait outside blocks. The smaller part of a region is divided first, while the larger one
/// waits, and the smaller part has at most half of the region's cells. So with n waiting regions the level has at least
/// 2^n cells, and no level has 2^32.
const WAITING: usize = 32;

/// The purposes of the random numbers. `LARGE` is one stream for all walls outside blocks; `SMALL` is one for each
/// block, by the number of its first cell.
const LARGE: u8 = 0;
const SMALL: u8 = 1;

/// A rectangle of cells: its first column and row, and the numbers of columns and rows.
#[derive(Debug, Clone, Copy, Default)]
struct Region {
    start: [u32; 2],
    size: [u32; 2],
}

/// A wall across a region, with its gap.
struct Wall {
    /// The side of the region that the wall divides: 0 is its width, 1 its height.
    axis: u32,
    /// Columns or rows before it.
    before: u32,
    /// Cells along it.
    length: u32,
    /// Cells along it before the gap.
    gap: u32,
}

impl Wall {
    /// A random wall for a region of this size; both sides must have two cells or more.
    #[inline]
    fn random([width, height]: [u32; 2], rng: &mut Rng) -> Self {
        let (long, length) = (width.max(height), width.min(height));
        let before = 1 + rng.below(long - 1);
        let roll = rng.below(2 * length);
        Self { axis: u32::from(height + roll % 2 > width), before, length, gap: roll / 2 }
    }
}

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let cells = blueprint.size().cells();
    let mut passages = context.buffers.bitmaps.passages(cells);
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
        let wall = Wall::random(region.size, &mut rng);
        shut(region, &wall, &mut passages);
        let [smaller, larger] = parts(region, &wall);
        waiting[count] = larger;
        waiting[count + 1] = smaller;
        count += 2;
    }
    Ok(Layout::maze(passages))
}

/// Opens all passages between cells.
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

/// Builds a wall in a region outside blocks.
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

/// The walls of a block. First a word for each column: a bit for each row in which a wall is to the right of the
/// column. Then a word for each row: a bit for each column in which a wall is below the row.
type BlockWalls = [u64; 2 * SIDE];

/// Divides a block of this size. A region in the queue is one word of four bytes: its first column, its first row, its
/// width, its height. A shift by `8 * axis` bits selects one of two bytes, so the same code serves both axes.
fn divide_block([width, height]: [u32; 2], queue: &mut [u32], mut rng: Rng) -> BlockWalls {
    let mut walls = [0; 2 * SIDE];
    queue[0] = width << 16 | height << 24;
    let (mut next, mut end) = (0, 1);
    while next < end {
        let region = queue[next];
        next += 1;
        let wall = Wall::random([region >> 16 & 0xff, region >> 24], &mut rng);
        let shift = 8 * wall.axis;
        let line = (region >> shift & 0xff) + wall.before - 1;
        let from = region >> (8 - shift) & 0xff;
        let shut = u64::MAX >> (64 - wall.length) & !(1 << wall.gap);
        walls[(SIDE as u32 * wall.axis + line) as usize % (2 * SIDE)] |= shut << from;
        // a part that is one cell wide or high needs no wall: `end` stays, so the next part is written over it
        let after = (region >> (16 + shift) & 0xff) - wall.before;
        queue[end] = region - (after << 16 << shift);
        end += usize::from(wall.before > 1);
        queue[end] = region + (wall.before << shift) - (wall.before << 16 << shift);
        end += usize::from(after > 1);
    }
    walls
}

/// Builds the walls of a block.
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

/// Swaps the rows and columns of a square of bits. `side` is the number of its rows and columns, a power of two; other
/// bits of the rows must be 0. Each pass swaps squares of half the side of the pass before (Warren, Hacker's Delight,
/// 2nd edition, 2012, section 7-3).
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
mod tests;
