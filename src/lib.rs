//! mazed

pub mod level;
