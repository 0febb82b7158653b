//! Answers as bytes. This module knows levels and queries, but not HTTP.
//!
//! For each query there is a table of formats ([`Render::FORMATS`]). A new format is a file here and a line in the
//! tables of `answers.rs`; the choice by `format` and `Accept`, the catalogue and the entity tags follow from the row.

mod answers;
pub mod coding;
mod format;
pub mod json;
pub mod options;

pub use coding::Coding;
pub use format::{Check, Format, Render, Rendering, Write};
pub use options::RenderOptions;
