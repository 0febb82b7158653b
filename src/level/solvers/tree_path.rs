//! The way through a perfect maze of which each cell's way to a root is known: a walk instead of a search.
//!
//! There is one path between two tiles, so it is the shortest. It is the way from the one towards the root up to where
//! the way from the other meets it, and then that one backwards. Both are walked at once, a cell of each in turn, and
//! each leaves [`Milestones`] by which the other knows that it has come upon its way. So the work is in proportion to
//! the path, however large the level and however far the root.

use crate::level::grid::{Direction, Parents, Passages, StoredPath, Tile, Tree};
use crate::level::work::{Cancel, Cancelled};

/// The steps between two open tiles inside the border.
pub(crate) fn walk(
    parents: &Parents,
    passages: &Passages,
    from: Tile,
    to: Tile,
    cancel: Cancel,
) -> Result<Vec<Direction>, Cancelled> {
    if let Parents::Stored(Tree { root, way: Some(way), .. }) = parents
        && (from.cell(), to.cell()) == (Some(*root), Some(way.cell))
    {
        return Ok(unpack(way));
    }
    let [mut moves, down] = climb(parents, passages, [from, to], cancel)?;
    // what both walked alike to where they met
    let shared = moves.iter().rev().zip(down.iter().rev()).take_while(|(one, other)| one == other).count();
    moves.truncate(moves.len() - shared);
    moves.extend(down[..down.len() - shared].iter().rev().map(|step| step.back()));
    Ok(moves)
}

/// A way in steps from tile to tile, two from each cell to the next.
fn unpack(way: &StoredPath) -> Vec<Direction> {
    let mut moves = Vec::with_capacity(8 * way.packed.len());
    for &four in &way.packed {
        moves.extend_from_slice(&EIGHT_STEPS[usize::from(four)]);
    }
    moves.truncate(2 * way.length);
    moves
}

/// For each byte of a packed way its steps from tile to tile.
static EIGHT_STEPS: [[Direction; 8]; 256] = {
    let mut table = [[Direction::Up; 8]; 256];
    let mut i = 0;
    while i < 256 * 8 {
        table[i / 8][i % 8] = Direction::from_bits(((i / 8) >> (i % 8 / 2 * 2)) as u8);
        i += 1;
    }
    table
};

/// The steps from each of two tiles towards the root, up to a cell that is on both ways.
fn climb(
    parents: &Parents,
    passages: &Passages,
    endpoints: [Tile; 2],
    cancel: Cancel,
) -> Result<[Vec<Direction>; 2], Cancelled> {
    let mut moves = [vec![], vec![]];
    let mut cells = [(0, 0); 2];
    for ((tile, moves), cell) in endpoints.into_iter().zip(&mut moves).zip(&mut cells) {
        *cell = tile.cell().unwrap_or_else(|| {
            let (direction, cell) = off_passage(parents, passages, tile);
            moves.push(direction);
            cell
        });
    }
    let root = parents.root(passages);
    match parents {
        Parents::Stored(tree) => {
            let (words, pitch) = (tree.directions.words(), 32 * tree.directions.row(0).len());
            let direction = |place: usize| words[place / 32] >> (2 * (place % 32)) & 3;
            meet(&mut moves, cells, root, pitch, direction, cancel)?;
        }
        Parents::RightElseDown => {
            let (words, pitch) = (passages.east.words(), 64 * passages.east.row(0).len());
            // 1 is to the right, 2 is down
            let direction = |place: usize| 2 - (words[place / 64] >> (place % 64) & 1);
            meet(&mut moves, cells, root, pitch, direction, cancel)?;
        }
        Parents::UpElseAlongRun => {
            let pitch = 64 * passages.east.row(0).len();
            let direction = |place: usize| parents.direction(passages, place % pitch, place / pitch) as u64;
            meet(&mut moves, cells, root, pitch, direction, cancel)?;
        }
    }
    Ok(moves)
}

/// Cells that each climb comes by between two looks at the halt: at first, and at the most. Buffers grow by as much.
const BLOCKS: [usize; 2] = [32, 4096];

/// Walks from each of two cells, as `direction` says for each on the way, and writes the steps down behind those that
/// led to the two, until the one comes upon a cell that the other has been at. A cell is known by its place, at `pitch`
/// places a row. Each step waits for the one before it, so it must be short.
fn meet(
    moves: &mut [Vec<Direction>; 2],
    cells: [(usize, usize); 2],
    root: (usize, usize),
    pitch: usize,
    direction: impl Fn(usize) -> u64,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let place_of = |(column, row)| row * pitch + column;
    let (mut places, root) = (cells.map(place_of), place_of(root));
    if let Some(i) = (0..2).find(|i| places[1 - i] == root) {
        return reach(&mut moves[i], places[i], root, pitch, direction, cancel);
    }
    let mut lengths = [moves[0].len(), moves[1].len()];
    let mut milestones = [Milestones::default(), Milestones::default()];
    let steps = steps(pitch);
    let mut block = BLOCKS[0];
    loop {
        cancel.check()?;
        let mut rest = [0, 1].map(|_| [].as_mut_slice());
        for ((moves, length), rest) in moves.iter_mut().zip(lengths).zip(&mut rest) {
            moves.resize(length + 2 * block, Direction::Up);
            *rest = &mut moves[length..];
        }
        let starts = lengths;
        for _ in 0..block {
            for i in [0, 1] {
                let place = places[i];
                let slot = Milestones::slot(place);
                if let Some(length) = milestones[1 - i].length(slot, place) {
                    lengths[1 - i] = length;
                    moves[0].truncate(lengths[0]);
                    moves[1].truncate(lengths[1]);
                    return Ok(());
                }
                milestones[i].leave(slot, place, lengths[i]);
                // at the root one waits for the other
                if place != root {
                    let direction = direction(place);
                    let at = lengths[i] - starts[i];
                    rest[i][at..at + 2].fill(Direction::from_bits(direction as u8));
                    places[i] = place.wrapping_add(steps[direction as usize & 3]);
                    lengths[i] += 2;
                }
            }
        }
        block = BLOCKS[1].min(2 * block);
    }
}

/// The same from one cell up to the root, where the other is the root: then there is nothing to find out on the way.
fn reach(
    moves: &mut Vec<Direction>,
    mut place: usize,
    root: usize,
    pitch: usize,
    direction: impl Fn(usize) -> u64,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let steps = steps(pitch);
    let mut block = BLOCKS[0];
    while place != root {
        cancel.check()?;
        let mut length = moves.len();
        moves.resize(length + 2 * block, Direction::Up);
        for pair in moves[length..].chunks_exact_mut(2) {
            if place == root {
                break;
            }
            let direction = direction(place);
            pair.fill(Direction::from_bits(direction as u8));
            place = place.wrapping_add(steps[direction as usize & 3]);
            length += 2;
        }
        moves.truncate(length);
        block = BLOCKS[1].min(2 * block);
    }
    Ok(())
}

/// What to add, wrapping, to a place for the next one in each direction.
const fn steps(pitch: usize) -> [usize; 4] {
    [pitch.wrapping_neg(), 1, pitch, usize::MAX]
}

/// Cells that a climb came by, and how long it was at each.
///
/// To remember them all would take a table as long as the climb. A cell's number, scrambled, has a rank: `r` for one
/// cell in `2^(r + 1)`. Of each rank there is room for a few, and the newer drives out the older. Two climbs that have
/// met go on by the same cells; if the one is `n` cells ahead of the other, the other soon comes upon a cell of a rank
/// of which the one came by few since: after a small part of `n` cells.
struct Milestones([u64; Self::RANKS << Self::ROOM]);

impl Milestones {
    /// Places have fewer bits than that.
    const RANKS: usize = 32;

    /// Of each rank so many are kept, as a power of two.
    const ROOM: usize = 3;

    /// Where a place is kept.
    #[inline]
    const fn slot(place: usize) -> usize {
        // two rounds of multiplication: in a straight corridor places lie at equal distances, and must not look so
        let mixed = (place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) | 1 << 32;
        let rank = mixed.leading_zeros() as usize;
        let slot = rank << Self::ROOM | mixed as usize >> 3 & ((1 << Self::ROOM) - 1);
        // changes nothing, but spares a look whether it is inside
        slot & ((Self::RANKS << Self::ROOM) - 1)
    }

    /// How long the climb was when it came by a place, if it remembers.
    #[inline]
    const fn length(&self, slot: usize, place: usize) -> Option<usize> {
        let kept = self.0[slot];
        if kept as u32 == place as u32 { Some((kept >> 32) as usize) } else { None }
    }

    #[inline]
    const fn leave(&mut self, slot: usize, place: usize, length: usize) {
        self.0[slot] = place as u64 | (length as u64) << 32;
    }
}

impl Default for Milestones {
    fn default() -> Self {
        // no place is as large
        Self([u64::MAX; Self::RANKS << Self::ROOM])
    }
}

/// The step from a passage between two cells to the one that is nearer to the root, and that cell.
fn off_passage(parents: &Parents, passages: &Passages, tile: Tile) -> (Direction, (usize, usize)) {
    let onwards = if tile.y % 2 == 1 { Direction::Right } else { Direction::Down };
    // the cell to the left or above
    let before = ((tile.x as usize - 1) / 2, (tile.y as usize - 1) / 2);
    let leads_on = before != parents.root(passages) && parents.direction(passages, before.0, before.1) == onwards;
    if leads_on { (onwards, next(before, onwards)) } else { (onwards.back(), before) }
}

/// The next cell in a direction that stays inside.
const fn next((column, row): (usize, usize), direction: Direction) -> (usize, usize) {
    let (dx, dy) = direction.offset();
    (column.wrapping_add_signed(dx as isize), row.wrapping_add_signed(dy as isize))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::level::Level;
    use crate::level::algorithms::ALGORITHMS;
    use crate::level::grid::OpenTiles;
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::rng::{Seed, Streams};
    use crate::level::solvers::{Solution, bfs};
    use crate::level::work::{Buffers, Cancel, JobContext};

    /// Any two open tiles of many mazes, the same one twice among them: the walk is what a search finds.
    #[test]
    fn the_walk_is_the_path_that_a_search_finds() {
        let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        for algorithm in ALGORITHMS.iter().map(|row| row.name) {
            for seed in 0..300 {
                let [width, height] = [(); 2].map(|()| rng.below(if seed < 200 { 4 } else { 40 }) * 2 + 3);
                let any =
                    [("algo", algorithm.to_owned()), ("width", width.to_string()), ("height", height.to_string())];
                let level = build(&any, seed, &mut context);
                if level.parents().is_none() {
                    continue;
                }
                let OpenTiles::Maze(passages) = &level.grid().floor else { unreachable!() };
                let open = open_tiles(&level);
                for _ in 0..8 {
                    let [from, to] = [(); 2].map(|()| open[rng.below(open.len() as u32) as usize]);
                    let walked = walk(level.parents().unwrap(), passages, from, to, Cancel::never()).unwrap();
                    assert_eq!(
                        bfs::search(level.grid(), from, to, &mut context),
                        Ok(Solution::Found(walked)),
                        "{} from {from:?} to {to:?}",
                        level.recipe()
                    );
                }
            }
        }
    }

    #[test]
    fn the_work_is_in_proportion_to_the_path() {
        let mut rng = Streams::new(&Seed::Integer(8), "test", 0).stream(0, 0);
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        for algorithm in ["dfs", "prim", "wilson"] {
            let level = build(&[("algo", algorithm.to_owned()), ("size", "1001".to_owned())], 7, &mut context);
            let OpenTiles::Maze(passages) = &level.grid().floor else { unreachable!() };
            let parents = level.parents().unwrap();
            let mut any = || (rng.below(500) as usize, rng.below(500) as usize);
            let tile = |(column, row)| Tile { x: 2 * column as u32 + 1, y: 2 * row as u32 + 1 };
            let (mut all_steps, mut all_work) = (0, 0);
            for round in 0..500 {
                let (from, far) = (any(), any());
                let way = walk(parents, passages, tile(from), tile(far), Cancel::never()).unwrap();
                let steps = way.len().min([10, 100, 1_000, 10_000][round % 4]);
                let to = way[..steps].iter().fold(tile(from), |tile, step| tile.step(*step)).cell().unwrap();
                let cells = Cell::new(0);
                let direction = |place| {
                    cells.set(cells.get() + 1);
                    parents.direction(passages, place % 500, place / 500) as u64
                };
                let mut moves = [vec![], vec![]];
                meet(&mut moves, [from, to], parents.root(passages), 500, direction, Cancel::never()).unwrap();
                assert!(cells.get() <= 4 * steps + 40, "{algorithm}: {} for {steps} steps", cells.get());
                all_steps += steps;
                all_work += cells.get();
            }
            assert!(2 * all_work < 3 * all_steps, "{algorithm}: {all_work} for {all_steps} steps");
        }
    }

    fn build(pairs: &[(&str, String)], seed: u32, context: &mut JobContext) -> Level {
        let seed = seed.to_string();
        let mut pairs: Vec<_> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        pairs.push(("seed", &seed));
        Level::build(Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap(), context).unwrap()
    }

    fn open_tiles(level: &Level) -> Vec<Tile> {
        let size = level.grid().size();
        let tiles = (0..size.height).flat_map(|y| (0..size.width).map(move |x| Tile { x, y }));
        tiles.filter(|tile| level.grid().is_open(*tile)).collect()
    }
}
