//! What all queries have in common.

use std::fmt::Display;

use crate::level::grid::Tile;
use crate::level::parameters::{ParameterSpec, ParameterType, Parameters};
use crate::level::recipe::{Recipe, read_tile};

/// A query about the level of a recipe. Its text ([`Display`]) is the query's part of a canonical URL: the parameters
/// that are not at their defaults, each pair with a leading `&`.
pub trait Query: Display + Send + Sync + Sized + 'static {
    /// The parameters that the query reads.
    const PARAMETERS: &'static [ParameterSpec];

    /// Whether the request must name a seed.
    const NEEDS_SEED: bool = false;

    /// Whether its canonical text contains every parameter of the query, so that the text can be the key of the answer.
    const HAS_CANONICAL_TEXT: bool = true;

    /// Reads the query and leaves all other parameters to other readers. Returns `None` if there is an error; `params`
    /// holds it.
    fn read(params: &mut Parameters) -> Option<Self>;

    /// Grows by one whenever the answers change; part of every entity tag.
    fn revision(&self) -> u32;

    /// Most bytes that finding the answer takes besides the level.
    fn work_bytes(&self, recipe: &Recipe) -> u64;

    /// About how many nanoseconds finding the answer takes.
    fn work_nanos(&self, recipe: &Recipe) -> u64;
}

/// Reads a tile that the client may leave out. Returns `None` if there is an error.
#[expect(clippy::option_option, reason = "the outer one tells an error, the inner one that there is no tile")]
pub(crate) fn read_optional_tile(params: &mut Parameters, name: &str) -> Option<Option<Tile>> {
    if params.has(name) { params.value(name, ParameterType::Tile, read_tile).map(Some) } else { Some(None) }
}
