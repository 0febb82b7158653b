use super::*;
pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "dfs",
    aliases: &["recursive_backtracker"],
    summary: "",
    character: "",
    source: "",
    revision: 1,
    sides: Sides::Odd,
    options: &[],
    bytes_per_tile: 4,
    generate: |_, _| Err(Failure::Stopped),
};
