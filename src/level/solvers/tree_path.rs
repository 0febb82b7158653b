//! The path through a perfect maze whose parents are known: no search is needed.
//!
//! There is only one path between two tiles. It climbs from the first tile towards the root up to the first cell that
//! is on the second tile's path to the root too, and then follows that path down. Both climbs run at once, as
//! [`until_met`] explains, so the work is in proportion to the path.

use crate::level::grid::{Direction, Parents, Passages, StoredPath, Tile, Tree};
use crate::level::search::climb::until_met;
use crate::level::work::{Cancel, Cancelled};

/// The steps between two open tiles inside the border.
pub(crate) fn walk(
    parents: &Parents,
    passages: &Passages,
    from: Tile,
    to: Tile,
    cancel: Cancel,
) -> Result<Vec<Direction>, Cancelled> {
    if let Parents::Stored(Tree { root, path: Some(path), .. }) = parents
        && (from.cell(), to.cell()) == (Some(*root), Some(path.cell))
    {
        return Ok(unpack(path));
    }
    let [mut moves, down] = climb(parents, passages, [from, to], cancel)?;
    // both climbs may have taken the same last steps before one of them noticed that they had met
    let shared = moves.iter().rev().zip(down.iter().rev()).take_while(|(one, other)| one == other).count();
    moves.truncate(moves.len() - shared);
    moves.extend(down[..down.len() - shared].iter().rev().map(|step| step.back()));
    Ok(moves)
}

/// A stored path in steps from tile to tile, two from each cell to the next.
fn unpack(path: &StoredPath) -> Vec<Direction> {
    let eights: Vec<[Direction; 8]> = path.packed.iter().map(|four| EIGHT_STEPS[usize::from(*four)]).collect();
    let mut moves = eights.into_flattened();
    moves.truncate(2 * path.length);
    moves
}

/// For each byte of a packed path, its four steps from cell to cell as eight steps from tile to tile.
static EIGHT_STEPS: [[Direction; 8]; 256] = {
    let mut table = [[Direction::Up; 8]; 256];
    let mut i = 0;
    while i < 256 * 8 {
        table[i / 8][i % 8] = Direction::from_bits(((i / 8) >> (i % 8 / 2 * 2)) as u8);
        i += 1;
    }
    table
};

/// The steps from each of two tiles towards the root, up to a cell that both climbs visit.
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
    match parents {
        Parents::Derived(rule) => (rule.climb)(passages, &mut moves, cells, cancel)?,
        Parents::Stored(tree) => {
            let (words, stride) = (tree.directions.words(), 32 * tree.directions.row(0).len());
            let direction = |index: usize| words[index / 32] >> (2 * (index % 32)) & 3;
            until_met(&mut moves, cells, tree.root, stride, direction, cancel)?;
        }
    }
    Ok(moves)
}

/// The step from a passage to that one of its two cells that is nearer to the root, and that cell.
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

    /// Compares the walk with a search, between any two open tiles of many mazes; the two may be the same tile.
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
                let OpenTiles::Maze(passages) = &level.grid().open_tiles else { unreachable!() };
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
            let OpenTiles::Maze(passages) = &level.grid().open_tiles else { unreachable!() };
            let parents = level.parents().unwrap();
            let mut any = || (rng.below(500) as usize, rng.below(500) as usize);
            let tile = |(column, row)| Tile { x: 2 * column as u32 + 1, y: 2 * row as u32 + 1 };
            let (mut all_steps, mut all_work) = (0, 0);
            for round in 0..500 {
                let (from, far) = (any(), any());
                let path = walk(parents, passages, tile(from), tile(far), Cancel::never()).unwrap();
                let steps = path.len().min([10, 100, 1_000, 10_000][round % 4]);
                let to = path[..steps].iter().fold(tile(from), |tile, step| tile.step(*step)).cell().unwrap();
                let cells = Cell::new(0);
                let direction = |index| {
                    cells.set(cells.get() + 1);
                    parents.direction(passages, index % 500, index / 500) as u64
                };
                let mut moves = [vec![], vec![]];
                until_met(&mut moves, [from, to], parents.root(passages), 500, direction, Cancel::never()).unwrap();
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
