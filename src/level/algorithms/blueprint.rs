//! The blueprint of a level: what an algorithm knows of a recipe.

use std::sync::Arc;

use crate::level::grid::{Mask, Shape, Size, Tile};
use crate::level::parameters::options::{Inside, OptionId, Options};
use crate::level::rng::Streams;

/// The part of a recipe that an algorithm makes a layout from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blueprint {
    /// The sides of the level.
    pub size: Size,
    /// The part of the rectangle that belongs to the level; `None` if all of it does.
    pub mask: Option<Arc<Mask>>,
    /// A value for each option that the algorithm takes.
    pub options: Options,
    /// The random numbers: a function of seed, algorithm and sides.
    pub streams: Streams,
    /// The exit, if the recipe names its tile. The layout must not depend on the exit: an algorithm may only use it to
    /// store the path there.
    pub exit: Option<Tile>,
}

impl Blueprint {
    /// The sides of the level.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// A value for each option that the algorithm takes.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The part of the rectangle that belongs to the level; `None` if all of it does.
    pub fn mask(&self) -> Option<&Mask> {
        self.mask.as_deref()
    }

    /// The random numbers.
    pub const fn streams(&self) -> Streams {
        self.streams
    }

    /// The cells of the maze.
    pub fn shape(&self) -> Shape<'_> {
        self.mask().map_or(Shape::rectangle(self.size.cells()), Shape::masked)
    }

    /// About how many nanoseconds work takes that takes so many picoseconds for each tile, and so many nanoseconds for
    /// each room.
    pub fn nanos(&self, tile_picos: u64, room_nanos: u64) -> u64 {
        let rooms = self.options.get(OptionId::Rooms).min(self.size.area());
        self.size.area() * tile_picos / 1000 + rooms * room_nanos
    }

    /// The number of tiles of a room map that may be open: those inside the border, or inside the mask.
    pub fn inside(&self) -> u64 {
        inside(self.size, self.mask()).tiles
    }
}

/// The tiles of a room map that may be open: those inside the border, or inside the mask.
pub(crate) fn inside(size: Size, mask: Option<&Mask>) -> Inside {
    let sides = [size.width - 2, size.height - 2];
    match mask {
        None => Inside { tiles: sides.into_iter().map(u64::from).product(), sides: Some(sides) },
        Some(mask) => Inside { tiles: mask.positions().count(), sides: None },
    }
}
