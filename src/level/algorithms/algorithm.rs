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
    /// What its levels look like, and which algorithms are similar.
    pub character: &'static str,
    /// Who described it, and where.
    pub source: &'static str,
    /// Grows by one whenever its levels change; part of every entity tag.
    pub revision: u32,
    /// Whether it makes mazes or maps of rooms.
    pub kind: LevelKind,
    /// Whether it works with a mask.
    pub masks: bool,
    /// The options it takes.
    pub options: &'static [OptionId],
    /// Most bytes that one run holds, its result included, besides [`FIXED_BYTES`](crate::level::work::FIXED_BYTES).
    pub work_bytes: fn(&Blueprint) -> u64,
    /// About how many nanoseconds one run takes, found in a time that is short beside it; in a mask, the most that a
    /// run may take. Refuses a blueprint that no seed can build, as far as this shows in that time. `generate` refuses
    /// these blueprints too.
    pub estimate: fn(&Blueprint) -> Result<u64, Error>,
    /// Makes the layout of a level from its blueprint alone, before braiding. A mask must be connected, and the
    /// algorithm must work with masks.
    pub generate: fn(&Blueprint, &mut JobContext) -> Result<Layout, Error>,
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Algorithm {}
