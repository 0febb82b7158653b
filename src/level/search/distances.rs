//! Distances in steps from a tile.

use crate::level::grid::{Grid, Size, Tile};
use crate::level::search::bfs;
use crate::level::search::bfs::Bfs;
use crate::level::search::tile_map::{NO_STEPS, TileMap, UNMET};
use crate::level::work::{Cancelled, JobContext};

/// The steps from one tile to each tile of a level.
pub struct Distances<'a> {
    map: TileMap<'a, i32>,
    size: Size,
}

/// Stands for the steps to a tile that cannot be reached: a wall, a void tile, or an open tile in another component.
pub const NONE: i32 = NO_STEPS;

impl Distances<'_> {
    /// The steps to the tiles of row `y`, with [`NONE`] for each tile that cannot be reached.
    pub fn row(&self, y: u32) -> impl Iterator<Item = i32> {
        let first = self.map.index(Tile { x: 0, y }) as usize;
        let tiles = &self.map.tiles[first..][..self.size.width as usize];
        tiles.iter().map(|steps| if *steps == UNMET { NONE } else { *steps })
    }

    /// The sides of the level.
    pub const fn size(&self) -> Size {
        self.size
    }
}

/// The steps from an open tile to each tile of the level.
///
/// # Errors
/// If the job is cancelled.
pub fn all<'a>(grid: &Grid, from: Tile, context: &'a mut JobContext) -> Result<Distances<'a>, Cancelled> {
    let map = TileMap::unpack(grid, &mut context.buffers.steps);
    let first = map.index(from);
    let mut search = Bfs::new(map, first, &mut context.buffers.indices);
    search.visit_while(|_| true, context.cancel)?;
    Ok(Distances { map: search.map, size: grid.size() })
}

/// Most bytes that [`all`] holds.
pub const fn work_bytes(size: Size) -> u64 {
    bfs::most_bytes(size)
}

/// The tile farthest from an open tile, and the steps to it; of several such tiles the first in row-major order. Tiles
/// that cannot be reached do not count.
///
/// # Errors
/// If the job is cancelled.
pub fn farthest(grid: &Grid, from: Tile, context: &mut JobContext) -> Result<(Tile, u32), Cancelled> {
    let map = TileMap::unpack(grid, &mut context.buffers.tile_map);
    let mut first = map.index(from);
    let mut search = Bfs::new(map, first, &mut context.buffers.indices);
    let mut steps = 0;
    loop {
        // at this point all tiles in the queue have the same distance
        let mut left = search.queued().len() + 1;
        search.visit_while(
            |_| {
                left -= 1;
                left > 0
            },
            context.cancel,
        )?;
        let Some(index) = search.queued().iter().min() else { break };
        first = *index;
        steps += 1;
    }
    Ok((search.map.tile(first), steps))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::level::Level;
    use crate::level::algorithms::ALGORITHMS;
    use crate::level::fixtures::map;
    use crate::level::grid::{Bitmap, Direction, OpenTiles};
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::work::{Buffers, Cancel};

    /// The same by relaxation: the steps to each tile are lowered until none changes.
    fn oracle(grid: &Grid, from: Tile) -> (Tile, u32) {
        let size = grid.size();
        let tiles: Vec<_> = (0..size.height).flat_map(|y| (0..size.width).map(move |x| Tile { x, y })).collect();
        let index = |tile: Tile| (tile.y * size.width + tile.x) as usize;
        let mut steps = vec![None; tiles.len()];
        steps[index(from)] = Some(0);
        let mut changed = true;
        while changed {
            changed = false;
            for tile in tiles.iter().filter(|tile| grid.is_open(**tile)) {
                let near =
                    Direction::ALL.map(|direction| tile.step(direction)).into_iter().filter(|near| grid.is_open(*near));
                let Some(least) = near.filter_map(|near| steps[index(near)]).min() else { continue };
                let known = &mut steps[index(*tile)];
                if known.is_none_or(|known| known > least + 1) {
                    *known = Some(least + 1);
                    changed = true;
                }
            }
        }
        let most = steps.iter().copied().max().flatten().unwrap();
        (tiles[steps.iter().position(|known| *known == Some(most)).unwrap()], most)
    }

    fn agrees(level: &Level, buffers: &mut Buffers) {
        let mut context = JobContext { buffers, cancel: Cancel::never() };
        for from in [level.start(), level.exit()] {
            let found = farthest(level.grid(), from, &mut context);
            assert_eq!(found, Ok(oracle(level.grid(), from)), "{} from {from:?}", level.recipe());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn the_farthest_tile_of_any_map_is_the_first_of_those_with_the_most_steps(
            side in 3u32..12, open in prop::collection::vec(prop::bool::weighted(0.7), 100), start: usize, exit: usize,
        ) {
            if let Some(level) = map(side, &open, start, exit) {
                agrees(&level, &mut Buffers::default());
            }
        }
    }

    #[test]
    fn the_farthest_tile_of_every_kind_of_level_is_the_first_of_those_with_the_most_steps() {
        let mut buffers = Buffers::default();
        for (algorithm, seed) in ALGORITHMS.iter().flat_map(|row| (0..60).map(move |seed| (row.name, seed))) {
            let [width, height, seed] =
                [seed % 20 * 2 + 3, seed % 7 * 4 + 3, seed].map(|number: u32| number.to_string());
            let pairs = [("algo", algorithm), ("width", &width), ("height", &height), ("seed", &seed)];
            let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap();
            let level =
                Level::build(recipe, &mut JobContext { buffers: &mut buffers, cancel: Cancel::never() }).unwrap();
            agrees(&level, &mut buffers);
        }
    }

    #[test]
    fn open_tiles_of_the_border_are_no_gap() {
        let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
        for (width, height) in [(1, 1), (5, 4), (64, 3), (128, 1), (1, 9)] {
            let mut open = Bitmap::new(width, height);
            (0..height).for_each(|y| open.set_run(0, y, width));
            let grid = Grid::new(OpenTiles::Rooms(open));
            for from in [Tile { x: 0, y: 0 }, Tile { x: width as u32 - 1, y: height as u32 - 1 }] {
                assert_eq!(
                    farthest(&grid, from, &mut context),
                    Ok(oracle(&grid, from)),
                    "{width}x{height} from {from:?}"
                );
            }
        }
    }

    #[test]
    fn a_large_open_room_overflows_no_queue() {
        let pairs = [("algo", "bsp"), ("size", "3001"), ("rooms", "1"), ("seed", "7")];
        let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap();
        let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
        let level = Level::build(recipe, &mut context).unwrap();
        let middle = Tile { x: 1500, y: 1500 };
        assert_eq!(farthest(level.grid(), middle, &mut context), Ok((Tile { x: 1, y: 1 }, 2998)));
    }
}
