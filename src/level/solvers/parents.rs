//! The way through a perfect maze whose generator left each cell's way to the root: a walk instead of a search.
//!
//! There is one path between two tiles, so it is the shortest. It is the way from the start towards the root up to
//! where the way from the exit meets it, and then that one backwards.

use super::super::grid::{Direction, Passages, Tile};
use super::super::layout::{Parents, Tree, Way};
use super::super::work::{Halt, Stopped};

/// The steps from `start` to `exit`, two open tiles.
pub(super) fn walk(
    parents: &Parents,
    passages: &Passages,
    start: Tile,
    exit: Tile,
    halt: Halt,
) -> Result<Vec<Direction>, Stopped> {
    let mut moves = to_root(parents, passages, start, halt)?;
    let down = from_root(parents, passages, exit, halt)?;
    if moves.is_empty() {
        return Ok(down);
    }
    // the way from the start ends as the one to the exit begins, walked the other way
    let shared = moves.iter().rev().zip(&down).take_while(|(up, down)| up.back() == **down).count();
    moves.truncate(moves.len() - shared);
    moves.extend_from_slice(&down[shared..]);
    Ok(moves)
}

/// The steps from the root to a tile.
fn from_root(parents: &Parents, passages: &Passages, tile: Tile, halt: Halt) -> Result<Vec<Direction>, Stopped> {
    if let Parents::Stored(Tree { way: Some(way), .. }) = parents
        && tile.cell() == Some(way.cell)
    {
        return Ok(unpack(way));
    }
    let mut moves = to_root(parents, passages, tile, halt)?;
    moves.reverse();
    for step in &mut moves {
        *step = step.back();
    }
    Ok(moves)
}

/// A way in steps from tile to tile, two from each cell to the next.
fn unpack(way: &Way) -> Vec<Direction> {
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

/// The steps from a tile to the root.
fn to_root(parents: &Parents, passages: &Passages, tile: Tile, halt: Halt) -> Result<Vec<Direction>, Stopped> {
    let mut moves = Vec::new();
    let cell = tile.cell().unwrap_or_else(|| {
        let (direction, cell) = off_passage(parents, passages, tile);
        moves.push(direction);
        cell
    });
    let ends = [cell, parents.root(passages)];
    match parents {
        Parents::Stored(tree) => {
            let (words, pitch) = (tree.directions.words(), 32 * tree.directions.row(0).len());
            let direction = |place: usize| words[place / 32] >> (2 * (place % 32)) & 3;
            climb(&mut moves, ends, pitch, direction, halt)?;
        }
        Parents::RightElseDown => {
            let (words, pitch) = (passages.east.words(), 64 * passages.east.row(0).len());
            // 1 is to the right, 2 is down
            let direction = |place: usize| 2 - (words[place / 64] >> (place % 64) & 1);
            climb(&mut moves, ends, pitch, direction, halt)?;
        }
        Parents::UpElseAlongRun => {
            let pitch = 64 * passages.east.row(0).len();
            let direction = |place: usize| parents.direction(passages, place % pitch, place / pitch) as u64;
            climb(&mut moves, ends, pitch, direction, halt)?;
        }
    }
    Ok(moves)
}

/// Cells that are walked between two looks at the halt.
const BLOCK: usize = 4096;

/// Walks from one cell to the other, as `direction` says for each on the way, and writes the steps down. A cell is
/// known by its place, at `pitch` places a row. Each step waits for the one before it, so it must be short.
fn climb(
    moves: &mut Vec<Direction>,
    ends: [(usize, usize); 2],
    pitch: usize,
    direction: impl Fn(usize) -> u64,
    halt: Halt,
) -> Result<(), Stopped> {
    let [mut place, root] = ends.map(|(column, row)| row * pitch + column);
    let steps = [pitch.wrapping_neg(), 1, pitch, usize::MAX];
    while place != root {
        halt.check()?;
        let mut length = moves.len();
        moves.resize(length + 2 * BLOCK, Direction::Up);
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
    }
    Ok(())
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
    use super::super::super::Level;
    use super::super::super::algorithms::ALGORITHMS;
    use super::super::super::grid::Floor;
    use super::super::super::recipe::{Limits, Recipe};
    use super::super::super::rng::{Seed, Streams};
    use super::super::super::work::{Halt, Scratch, Work};
    use super::super::{Route, bfs};
    use super::*;

    /// Any two open tiles of many mazes, the same one twice among them: the walk is what a search finds.
    #[test]
    fn the_walk_is_the_path_that_a_search_finds() {
        let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
        let mut scratch = Scratch::default();
        let mut work = Work { scratch: &mut scratch, halt: Halt::never() };
        for algorithm in ALGORITHMS.iter().map(|row| row.name) {
            for seed in 0..300 {
                let [width, height] = [(); 2].map(|()| rng.below(if seed < 200 { 4 } else { 40 }) * 2 + 3);
                let any =
                    [("algo", algorithm.to_owned()), ("width", width.to_string()), ("height", height.to_string())];
                let level = build(&any, seed, &mut work);
                if level.parents().is_none() {
                    continue;
                }
                let open = open_tiles(&level);
                for _ in 0..8 {
                    let [start, exit] = [(); 2].map(|()| open[rng.below(open.len() as u32) as usize]);
                    let ends =
                        [("start", start), ("exit", exit)].map(|(name, Tile { x, y })| (name, format!("{x},{y}")));
                    let level = build(&[&any[..], &ends].concat(), seed, &mut work);
                    let Floor::Maze(passages) = &level.grid().floor else { unreachable!() };
                    let walked = walk(level.parents().unwrap(), passages, start, exit, Halt::never()).unwrap();
                    assert_eq!(
                        bfs::search(level.grid(), start, exit, &mut work),
                        Ok(Route::Found(walked)),
                        "{algorithm} {seed} {ends:?}"
                    );
                }
            }
        }
    }

    fn build(pairs: &[(&str, String)], seed: u32, work: &mut Work) -> Level {
        let seed = seed.to_string();
        let mut pairs: Vec<_> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        pairs.push(("seed", &seed));
        Level::build(Recipe::from_pairs(&pairs, Limits { max_side: 4001 }).unwrap(), work).unwrap()
    }

    fn open_tiles(level: &Level) -> Vec<Tile> {
        let size = level.grid().size();
        let tiles = (0..size.height).flat_map(|y| (0..size.width).map(move |x| Tile { x, y }));
        tiles.filter(|tile| level.grid().is_open(*tile)).collect()
    }
}
