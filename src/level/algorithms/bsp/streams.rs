//! The purposes of the random numbers of rooms, one stream each.

/// All cuts, in the order of the tree.
pub(crate) const CUTS: u8 = 0;

/// The doors of the cuts in a rectangle, in the order of the tree.
pub(crate) const DOORS: u8 = 1;

/// The additional doors that make loops, wall by wall.
pub(crate) const LOOPS: u8 = 2;
