//! The limits of a recipe's sides.

/// The shortest side of a level in tiles: one open tile between two walls.
pub const MIN_SIDE: u32 = 3;

/// The longest side that any limit may allow, in tiles. With this limit the numbers of all tiles, and of all edges
/// between cells, fit into 32 bits.
pub const MAX_SIDE: u32 = 16_001;

/// The side of a level in tiles if the request names none and the limits allow it.
pub const DEFAULT_SIDE: u32 = 41;

/// The longest side of a mask for rooms that any limit may allow, in tiles.
pub const MAX_ROOM_MASK_SIDE: u32 = 2_048;

/// The longest side of a mask for rooms in tiles unless another limit is set.
pub const DEFAULT_ROOM_MASK_SIDE: u32 = 512;

/// The most that a recipe may ask for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest side in tiles.
    pub max_side: u32,
    /// The longest side in tiles of a mask for rooms. The search for rooms takes far more time for each tile than any
    /// other algorithm does.
    pub max_room_mask_side: u32,
}

impl Limits {
    /// Sides up to `max_side`, and masks for rooms up to the default.
    pub const fn of_side(max_side: u32) -> Self {
        Self { max_side, max_room_mask_side: DEFAULT_ROOM_MASK_SIDE }
    }

    /// The side of a level in tiles if the request names none: odd, so that it suits every algorithm.
    pub const fn default_side(self) -> u32 {
        let largest_odd = (self.max_side - 1) | 1;
        if largest_odd < DEFAULT_SIDE { largest_odd } else { DEFAULT_SIDE }
    }
}
