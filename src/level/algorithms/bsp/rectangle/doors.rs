//! The doors: one for each cut, added when all rooms are known.

use crate::level::algorithms::bsp::cut::{Axis, make_door};
use crate::level::algorithms::bsp::rectangle::partition::{Cut, Partition, PartitionNode};
use crate::level::algorithms::bsp::rectangle::walls::{RoomSide, Stretch, span, stretches};
use crate::level::grid::Door;
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

/// Puts a door of `length` tiles into the wall of each cut, uniformly among the positions where it fits. `numbers` has
/// the number of each room, in the order of the tree. Returns the doors in the order of the cuts.
pub(crate) fn random_doors(
    partition: &Partition,
    numbers: &[u32],
    length: u32,
    rng: &mut Rng,
    cancel: Cancel,
) -> Result<Vec<Door>, Cancelled> {
    let mut doors = Vec::with_capacity(partition.cuts.len());
    let mut nodes = vec![partition.root()];
    let mut wall = CutWall::default();
    while let Some(node) = nodes.pop() {
        let Some((cut, sides)) = partition.sides(node) else { continue };
        if doors.len().is_multiple_of(1024) {
            cancel.check()?;
        }
        wall.survey(partition, cut, sides);
        let (start, rooms) = wall.random_door(length, rng);
        let rooms = rooms.map(|room| numbers[room as usize]);
        doors.push(make_door(cut.axis, cut.wall, start, length, rooms));
        let [before, after] = sides;
        nodes.push(after);
        nodes.push(before);
    }
    Ok(doors)
}

/// The rooms along one wall; the buffers are used again for the next wall.
#[derive(Debug, Default)]
struct CutWall {
    nodes: Vec<PartitionNode>,
    /// The rooms that touch the wall on its first side and on its second side, in their order along it.
    rooms: [Vec<u32>; 2],
    stretches: Vec<Stretch>,
}

impl CutWall {
    /// Finds the stretches of a cut's wall.
    fn survey(&mut self, partition: &Partition, cut: Cut, sides: [PartitionNode; 2]) {
        for (side, node) in sides.into_iter().enumerate() {
            self.collect(partition, node, cut.axis, side);
        }
        let along = cut.axis.other();
        let side = |&room: &u32| {
            let (start, end) = span(&partition.rooms[room as usize], along);
            RoomSide { start, end, room }
        };
        let [before, after] = &self.rooms;
        self.stretches.clear();
        self.stretches.extend(stretches(before.iter().map(side), after.iter().map(side)));
    }

    /// Collects the rooms of one side that touch the wall: the last ones before the wall if `side` is 0, the first ones
    /// after it if `side` is 1.
    fn collect(&mut self, partition: &Partition, node: PartitionNode, axis: Axis, side: usize) {
        let rooms = &mut self.rooms[side];
        rooms.clear();
        self.nodes.push(node);
        while let Some(node) = self.nodes.pop() {
            match partition.sides(node) {
                None => rooms.push(node.room),
                Some((cut, parts)) if cut.axis == axis => self.nodes.push(parts[1 - side]),
                Some((_, [first, second])) => {
                    self.nodes.push(second);
                    self.nodes.push(first);
                }
            }
        }
    }

    /// A random position for a door, and the rooms that the door joins. It always fits: at each end of the wall there
    /// is only one room on either side, and no side of a room is shorter than a door.
    fn random_door(&self, length: u32, rng: &mut Rng) -> (u32, [u32; 2]) {
        let mut position = rng.below(self.stretches.iter().map(|stretch| stretch.positions(length)).sum());
        for stretch in &self.stretches {
            if position < stretch.positions(length) {
                return (stretch.start + position, stretch.rooms);
            }
            position -= stretch.positions(length);
        }
        unreachable!("the position is one of those in all stretches")
    }
}
