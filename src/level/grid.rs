//! The geometry of levels: tiles and directions, the packed grid of open tiles, masks, and the layout that an algorithm
//! makes.
//!
//! A [`Grid`] stores open tiles in one of two ways. A maze takes two bits for each *cell*, which stands for 2 by 2
//! tiles: whether the passages to the right and downwards are open. A room map takes one bit for each *tile*. Code that
//! needs only tiles calls [`Grid::read_row`], which writes a row of either kind as bits, 64 tiles a word. Only searches
//! unpack a level into an array with a mark for each tile.

mod bitmap;
mod kind;
mod layout;
mod mask;
mod packed;
mod parents;
mod passages;
mod shape;
mod tile;

pub use bitmap::Bitmap;
pub(crate) use bitmap::{ones, spread};
pub use kind::LevelKind;
pub use layout::{Door, Layout, Plan, Room};
pub use mask::Mask;
pub use packed::{Grid, OpenTiles, Outline};
pub use parents::{ParentRule, Parents, StoredPath, Tree};
pub use passages::Passages;
pub use shape::Shape;
pub use tile::{Direction, Size, Tile};
