//! The table of algorithms. A new one is a file in `algorithms/` and its name in the list at the foot of this file; the
//! recipe reader, catalogue, golden files, property tests, benches and the reference find it there.

use super::layout::Layout;
use super::mask::Ground;
use super::options::Opt;
use super::parameters::{Fault, choice};
use super::recipe::Recipe;
use super::work::{Stopped, Work};

mod cells;
mod patience;
mod ways;

pub(super) use kruskal::Candidate;

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
    /// Which sides its levels can have.
    pub sides: Sides,
    /// Whether it can keep to a mask.
    pub masks: bool,
    /// The options it takes.
    pub options: &'static [Opt],
    /// Most bytes that one run holds, its result included; a fixed amount of [`FIXED_BYTES`] comes on top.
    pub work_bytes: fn(&Recipe) -> u64,
    /// Makes the layout of a recipe's level, from the recipe alone, before any dead end gets a second way out. The mask
    /// of a recipe must be one that the algorithm can keep to, and in one piece.
    pub generate: fn(&Recipe, &mut Work) -> Result<Layout, Failure>,
}

/// Most bytes that a run holds whatever the size of the level: tables, and buffers for one part of it.
pub const FIXED_BYTES: u64 = 128 << 10;

/// Which sides a level can have, in tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Odd ones: cells stand on odd tiles.
    Odd,
    /// Any.
    Any,
}

impl Sides {
    /// What the levels of such sides are made of.
    pub const fn ground(self) -> Ground {
        match self {
            Self::Odd => Ground::Cells,
            Self::Any => Ground::Tiles,
        }
    }
}

/// Why there is no layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The job was told to stop.
    Stopped,
    /// No seed has such a level; says which parameters ask for too much and what would fit.
    Unbuildable(Vec<Fault>),
}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Algorithm {}

impl Algorithm {
    /// The algorithm of this name or alias, where a hyphen equals an underscore.
    ///
    /// # Errors
    /// Lists the names.
    pub fn named(text: &str) -> Result<&'static Self, String> {
        choice(text, ALGORITHMS, |row| row.name, |row| row.aliases)
    }
}

macro_rules! table {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// Every algorithm; the first is the default.
        pub static ALGORITHMS: &[Algorithm] = &[$($name::ALGORITHM),*];
    };
}

table!(
    kruskal,
    binary_tree,
    dfs,
    prim,
    sidewinder,
    eller,
    wilson,
    aldous_broder,
    hunt_and_kill,
    growing_tree,
    recursive_division,
    prim_simplified,
    bsp,
);
