//! The geometry of levels: tiles and directions, the packed grid of open tiles, masks, and the layout that an algorithm
//! makes.
//!
//! Two layouts stand behind one type. A maze keeps two bits a *cell* (is the passage to the right open, is the one
//! below), a quarter of a byte for four tiles; a room map keeps one bit a *tile*. A reader that only wants tiles calls
//! [`Grid::read_row`], which gives any row of either layout as bits, 64 tiles a word; nothing ever holds a tile array.

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
