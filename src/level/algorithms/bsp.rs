use super::*;
pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "bsp",
    aliases: &[],
    summary: "",
    character: "",
    source: "",
    revision: 1,
    sides: Sides::Any,
    options: &[Opt::MinRoomArea, Opt::DoorSize, Opt::Rooms, Opt::Jitter],
    bytes_per_tile: 4,
    generate: |_, _| Err(Failure::Stopped),
};
