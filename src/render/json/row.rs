//! The values that all rows of the format JSON share.

/// The format's name in requests.
pub const NAME: &str = "json";

/// The media type of the answers.
pub const MEDIA_TYPE: &str = "application/json";

/// Grows by one whenever the bytes of an answer change; part of every entity tag.
pub const REVISION: u32 = 2;
