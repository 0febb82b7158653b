//! Rooms by binary space partition: a space is cut in two by a wall, each side again, until each is one room.
//!
//! For every seed there are exactly as many rooms as asked for, none too small, and a door of exactly the length asked
//! for in each cut. The usual way lets cuts fall where they may, within a slack that shrinks with the depth, and stops
//! where a part is too small, so that the count is luck. Here each part is handed the number of its rooms.
//!
//! Two constructions keep these promises. A [`rectangle`] is counted out: every number of rooms up to one that is known
//! is built, and never a step is taken back. A [mask](`masked`) has shapes that cannot be counted: there rooms are
//! searched for, within a bound of work, and what a few searches that know nothing of the seed do not find is refused.

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
    summary: "exactly as many rooms as asked for, by cutting a space in two again and again; a door in each cut",
    character: "rooms wall to wall, without corridors, rectangular but in a mask; one way between any two rooms, wide \
                open in each; more ways with loops",
    source: "Fuchs, Kedem and Naylor, On Visible Surface Generation by A Priori Tree Structures, 1980; for dungeons: \
             RogueBasin, Basic BSP Dungeon generation; the exact number of rooms is this program's own",
    revision: 1,
    kind: LevelKind::Rooms,
    masks: true,
    options: &[OptionId::MinRoomArea, OptionId::DoorSize, OptionId::Rooms, OptionId::Jitter, OptionId::Loops],
    work_bytes,
    generate,
};

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
