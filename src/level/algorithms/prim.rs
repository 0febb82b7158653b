use super::*;
pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "prim",
    aliases: &[],
    summary: "",
    character: "",
    source: "",
    revision: 1,
    sides: Sides::Odd,
    options: &[],
    bytes_per_tile: 4,
    generate: |_, _| Err(Failure::Stopped),
};
