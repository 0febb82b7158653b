//! The values that all rows of the format JSON share.

/// The format's name in requests.
pub const NAME: &str = "json";

/// The media type of the answers.
pub const MEDIA_TYPE: &str = "application/json";

/// Most bytes of an answer besides its grid, its rooms and doors, and its path.
pub const HEAD_BYTES: u64 = 4 << 10;

/// Grows by one whenever the bytes of an answer change; part of every entity tag.
pub const REVISION: u32 = 2;
