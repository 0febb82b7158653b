//! A format: one way to write the answers to a query.

use std::ops::Range;

use crate::level::Level;
use crate::level::error::{Error, ParameterError};
use crate::level::queries::Query;
use crate::level::recipe::Recipe;
use crate::level::work::JobContext;
use crate::render::options::RenderOptions;

/// One row of the table of formats of a query.
pub struct Format<Q: 'static> {
    /// The format's name in requests.
    pub name: &'static str,
    /// The media type of the answers.
    pub media_type: &'static str,
    /// Grows by one whenever the written bytes change; part of every entity tag.
    pub revision: u32,
    /// Whether large answers become much smaller by compression.
    pub compressible: bool,
    /// The render options that the format takes.
    pub parameters: &'static [&'static str],
    /// Rejects, before any work, a recipe whose answer is known to exceed the limit. The error names the parameter that
    /// takes the most bytes, and the remedy. `None` if the answers are always small.
    pub check: Option<Check<Q>>,
    /// Most bytes that writing an answer takes, the answer included.
    pub work_bytes: fn(&Rendering<Q>, &Recipe) -> u64,
    /// The least and the most bytes of an answer, as far as they are known before it is made.
    pub answer_bytes: fn(&Rendering<Q>, &Recipe) -> Range<u64>,
    /// Finds the answer and writes it.
    pub write: Write<Q>,
}

/// The early check of a format.
pub type Check<Q> = fn(&Rendering<Q>, &Recipe) -> Result<(), ParameterError>;

/// The writer of a format.
pub type Write<Q> = fn(&Rendering<Q>, &Level, &mut JobContext) -> Result<Vec<u8>, Error>;

/// What to write, and how.
#[derive(Debug)]
pub struct Rendering<'a, Q> {
    /// The query.
    pub query: &'a Q,
    /// How the answer is written.
    pub options: RenderOptions,
    /// Most bytes of the answer.
    pub limit: u64,
}

/// A query whose answers can be written.
pub trait Render: Query {
    /// Every format of its answers; the first is the default.
    const FORMATS: &'static [Format<Self>];
}
