//! What all rows of the format JSON have in common.

/// Its name in requests.
pub const NAME: &str = "json";

/// Its media type.
pub const MEDIA_TYPE: &str = "application/json";

/// Counts the changes of the bytes of an answer; part of every entity tag.
pub const REVISION: u32 = 1;
