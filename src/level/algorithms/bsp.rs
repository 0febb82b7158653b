//! Rooms by binary space partition: a wall cuts the space in two, and each side is cut again, until every part is one
//! room.
//!
//! Every seed gives exactly the requested number of rooms, no room is too small, and each cut has a door of exactly the
//! requested length. Usual implementations cut at random positions until the parts are too small, so that the number of
//! rooms is random. Here each part has a number of rooms, and a cut divides this number between its two sides.
//!
//! There are two constructions. In a [`rectangle`] the largest possible number of rooms is computed beforehand, every
//! number up to it can be built, and no cut is ever undone. With a [mask](`masked`) the largest number is not known:
//! rooms are found by a bounded search, and whether a request succeeds does not depend on its seed.

mod cut;
mod masked;
mod rectangle;
mod streams;

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::error::Error;
use crate::level::grid::{Layout, LevelKind};
use crate::level::parameters::options::OptionId;
use crate::level::work::JobContext;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "bsp",
    aliases: &[],
    summary: "exactly the requested number of rooms: walls cut the space in two again and again, with a door in each \
              cut",
    character: "rooms that share walls, without corridors, rectangular unless there is a mask; one sequence of rooms \
                from any room to any other, more with loops",
    source: "Fuchs, Kedem and Naylor, On Visible Surface Generation by A Priori Tree Structures, 1980; for dungeons: \
             RogueBasin, Basic BSP Dungeon generation; the exact number of rooms is this program's own",
    revision: 2,
    kind: LevelKind::Rooms,
    masks: true,
    options: &[
        OptionId::MinRoomArea,
        OptionId::DoorSize,
        OptionId::Rooms,
        OptionId::MinSide,
        OptionId::Jitter,
        OptionId::Loops,
    ],
    work_bytes,
    estimate,
    generate,
};

fn estimate(blueprint: &Blueprint) -> Result<u64, Error> {
    match blueprint.mask() {
        None => rectangle::estimate(blueprint),
        Some(_) => masked::estimate(blueprint),
    }
}

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    match blueprint.mask() {
        None => rectangle::generate(blueprint, context),
        Some(mask) => masked::generate(blueprint, mask, context),
    }
}

fn work_bytes(blueprint: &Blueprint) -> u64 {
    match blueprint.mask() {
        None => rectangle::work_bytes(blueprint),
        Some(_) => masked::work_bytes(blueprint),
    }
}
