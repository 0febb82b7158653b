//! The table of algorithms. To add an algorithm, add a file in `algorithms/` and its name in the table at the foot of
//! this file. The reader of recipes, the catalogue, golden files, property tests and benches read the table, and tests
//! name the docs pages that do not mention an algorithm.

use crate::level::parameters::find_by_name;

mod algorithm;
pub(crate) mod blueprint;
pub(crate) mod braid;
mod cell_bytes;
mod choices;
pub(crate) mod disjoint_set;
mod walk_limit;

pub use algorithm::Algorithm;
pub use blueprint::Blueprint;

impl Algorithm {
    /// The algorithm of this name or alias, where a hyphen equals an underscore.
    ///
    /// # Errors
    /// Lists the names.
    pub fn named(text: &str) -> Result<&'static Self, String> {
        find_by_name(text, ALGORITHMS, |row| row.name, |row| row.aliases)
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
