//! What an algorithm is.

use crate::level::algorithms::blueprint::Blueprint;
use crate::level::error::Error;
use crate::level::grid::{Layout, LevelKind};
use crate::level::parameters::options::OptionId;
use crate::level::work::JobContext;

/// One row of the table: an algorithm that fills a level.
#[derive(Debug)]
pub struct Algorithm {
    /// Its name in requests and answers.
    pub name: &'static str,
    /// Other names that requests may use.
    pub aliases: &'static [&'static str],
    /// One line for the catalogue.
    pub summary: &'static str,
    /// What makes its levels look as they do, and which other algorithms are of its kind.
    pub character: &'static str,
    /// Who described it, and where.
    pub source: &'static str,
    /// Counts the times that its levels changed; part of every entity tag.
    pub revision: u32,
    /// Whether it makes mazes or maps of rooms.
    pub kind: LevelKind,
    /// Whether it can keep to a mask.
    pub masks: bool,
    /// The options it takes.
    pub options: &'static [OptionId],
    /// Most bytes that one run holds, its result included; a fixed amount of [`FIXED_BYTES`](crate::level::work::FIXED_BYTES) comes on top.
    pub work_bytes: fn(&Blueprint) -> u64,
    /// Makes the layout of a recipe's level, from the recipe alone, before any dead end gets a second way out. The mask
    /// of a recipe must be one that the algorithm can keep to, and in one piece.
    pub generate: fn(&Blueprint, &mut JobContext) -> Result<Layout, Error>,
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Algorithm {}
