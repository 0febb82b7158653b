//! Reference implementations, as simple as possible, to compare the program with.

use std::ops::Index;

use mazed::level::Level;
use mazed::level::grid::{Direction, Size, Tile};

/// All tiles of a level, in row-major order.
pub(crate) fn tiles(level: &Level) -> impl Iterator<Item = Tile> + use<> {
    let Size { width, height } = level.grid().size();
    (0..height).flat_map(move |y| (0..width).map(move |x| Tile { x, y }))
}

/// The open tiles of a level, in row-major order.
pub(crate) fn open_tiles(level: &Level) -> Vec<Tile> {
    tiles(level).filter(|tile| level.grid().is_open(*tile)).collect()
}

/// The open tiles beside a tile.
pub(crate) fn open_neighbours(level: &Level, tile: Tile) -> impl Iterator<Item = Tile> {
    Direction::ALL.map(|direction| tile.step(direction)).into_iter().filter(|next| level.grid().is_open(*next))
}

/// The number of steps to each tile of a level; `None` for tiles that cannot be reached.
pub(crate) struct Distances {
    width: u32,
    steps: Vec<Option<u32>>,
}

impl Distances {
    const fn index(&self, tile: Tile) -> usize {
        (tile.y * self.width + tile.x) as usize
    }

    /// The steps to a tile, if it can be reached.
    pub(crate) fn get(&self, tile: Tile) -> Option<u32> {
        self.steps[self.index(tile)]
    }

    /// The tiles that can be reached and the steps to each, in row-major order.
    pub(crate) fn reached(&self) -> impl Iterator<Item = (Tile, u32)> {
        let tile = |index: u32| Tile { x: index % self.width, y: index / self.width };
        self.steps.iter().zip(0..).filter_map(move |(steps, index)| Some((tile(index), (*steps)?)))
    }

    /// The farthest tile, of several the first in row-major order, and the steps to it.
    pub(crate) fn farthest(&self) -> (Tile, u32) {
        let farther = |one: (Tile, u32), other: (Tile, u32)| if other.1 > one.1 { other } else { one };
        self.reached().reduce(farther).unwrap()
    }
}

impl Index<Tile> for Distances {
    type Output = u32;

    fn index(&self, tile: Tile) -> &u32 {
        self.steps[Self::index(self, tile)].as_ref().unwrap()
    }
}

/// Steps from the nearest of some tiles to every tile: rounds of one step each, until a round reaches no new tile.
pub(crate) fn distances(level: &Level, from: &[Tile]) -> Distances {
    let Size { width, height } = level.grid().size();
    let mut distances = Distances { width, steps: vec![None; (width * height) as usize] };
    let mut round = from.to_vec();
    for steps in 0.. {
        round.retain(|tile| {
            let index = distances.index(*tile);
            let is_new = distances.steps[index].is_none();
            if is_new {
                distances.steps[index] = Some(steps);
            }
            is_new
        });
        if round.is_empty() {
            break;
        }
        round = round.iter().flat_map(|tile| open_neighbours(level, *tile)).collect();
    }
    distances
}
