//! The doors: one for each cut, drawn once all rooms are known.

use crate::level::algorithms::bsp::cut::{Axis, make_door};
use crate::level::algorithms::bsp::rectangle::partition::{Cut, Node, Partition};
use crate::level::algorithms::bsp::rectangle::walls::{Side, Stretch, span, stretches};
use crate::level::grid::Door;
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

/// Draws a door of `length` tiles through the wall of each cut, every place alike; `numbers` holds the number of each
/// room of the tree. The doors come in the order of the cuts.
pub(crate) fn draw(
    partition: &Partition,
    numbers: &[u32],
    length: u32,
    rng: &mut Rng,
    cancel: Cancel,
) -> Result<Vec<Door>, Cancelled> {
    let mut doors = Vec::with_capacity(partition.cuts.len());
    let mut nodes = vec![partition.root()];
    let mut wall = Wall::default();
    while let Some(node) = nodes.pop() {
        let Some((cut, sides)) = partition.sides(node) else { continue };
        if doors.len().is_multiple_of(1024) {
            cancel.check()?;
        }
        wall.survey(partition, cut, sides);
        let (start, rooms) = wall.draw_place(length, rng);
        let rooms = rooms.map(|room| numbers[room as usize]);
        doors.push(make_door(cut.axis, cut.wall, start, length, rooms));
        let [before, behind] = sides;
        nodes.push(behind);
        nodes.push(before);
    }
    Ok(doors)
}

/// What stands along one wall; its buffers serve wall after wall.
#[derive(Debug, Default)]
struct Wall {
    nodes: Vec<Node>,
    /// The rooms that touch the wall from before and from behind, in their order along it.
    rooms: [Vec<u32>; 2],
    stretches: Vec<Stretch>,
}

impl Wall {
    /// Finds the stretches of a cut's wall.
    fn survey(&mut self, partition: &Partition, cut: Cut, sides: [Node; 2]) {
        for (side, node) in sides.into_iter().enumerate() {
            self.collect(partition, node, cut.axis, side);
        }
        let along = cut.axis.other();
        let side = |&room: &u32| {
            let (start, end) = span(&partition.rooms[room as usize], along);
            Side { start, end, room }
        };
        let [before, behind] = &self.rooms;
        self.stretches.clear();
        self.stretches.extend(stretches(before.iter().map(side), behind.iter().map(side)));
    }

    /// Collects the rooms of a side that touch the wall: of the side before it (0) its last ones, of the other its
    /// first.
    fn collect(&mut self, partition: &Partition, node: Node, axis: Axis, side: usize) {
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

    /// Draws where a door begins, and which rooms it joins. There is always a place: each end of the wall has one
    /// corner room on either side, and no room is shorter than a door.
    fn draw_place(&self, length: u32, rng: &mut Rng) -> (u32, [u32; 2]) {
        let mut place = rng.below(self.stretches.iter().map(|stretch| stretch.places(length)).sum());
        for stretch in &self.stretches {
            if place < stretch.places(length) {
                return (stretch.start + place, stretch.rooms);
            }
            place -= stretch.places(length);
        }
        unreachable!("the place was drawn from those of all stretches")
    }
}
