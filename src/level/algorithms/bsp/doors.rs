//! The doors: one for each cut, drawn once all rooms are known.

use super::super::super::grid::{Direction, Tile};
use super::super::super::layout::{Door, Room};
use super::super::super::rng::Rng;
use super::super::super::work::{Halt, Stopped};
use super::partition::{Axis, Cut, Node, Partition};

/// A stretch of a wall with one room all along each side.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    start: u32,
    length: u32,
    /// The rooms before and behind the wall, in the order of the tree.
    rooms: [u32; 2],
}

/// Draws a door of `length` tiles through the wall of each cut, every place alike; `numbers` holds the number of each
/// room of the tree. The doors come in the order of the cuts.
pub(super) fn draw(
    partition: &Partition,
    numbers: &[u32],
    length: u32,
    rng: &mut Rng,
    halt: Halt,
) -> Result<Vec<Door>, Stopped> {
    let mut doors = Vec::with_capacity(partition.cuts.len());
    let mut nodes = vec![partition.root()];
    let mut wall = Wall::default();
    while let Some(node) = nodes.pop() {
        let Some((cut, sides)) = partition.sides(node) else { continue };
        if doors.len().is_multiple_of(1024) {
            halt.check()?;
        }
        wall.survey(partition, cut, sides);
        let (start, rooms) = wall.draw_place(length, rng);
        let mut rooms = rooms.map(|room| numbers[room as usize]);
        rooms.sort_unstable();
        let (first, along) = match cut.axis {
            Axis::X => (Tile { x: cut.wall, y: start }, Direction::Down),
            Axis::Y => (Tile { x: start, y: cut.wall }, Direction::Right),
        };
        doors.push(Door { first, along, length, rooms });
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
    /// Finds the stretches of a cut's wall. Between two of them at least one side has the foot of a crossing wall, and
    /// no door may stand there, even if that wall has a door of its own at its foot.
    fn survey(&mut self, partition: &Partition, cut: Cut, sides: [Node; 2]) {
        for (side, node) in sides.into_iter().enumerate() {
            self.collect(partition, node, cut.axis, side);
        }
        let along = cut.axis.other();
        let [before, behind] = &self.rooms;
        let (mut i, mut j) = (0, 0);
        self.stretches.clear();
        while let (Some(&a), Some(&b)) = (before.get(i), behind.get(j)) {
            let (start_a, end_a) = span(&partition.rooms[a as usize], along);
            let (start_b, end_b) = span(&partition.rooms[b as usize], along);
            let (start, end) = (start_a.max(start_b), end_a.min(end_b));
            if start < end {
                self.stretches.push(Stretch { start, length: end - start, rooms: [a, b] });
            }
            i += usize::from(end_a == end);
            j += usize::from(end_b == end);
        }
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
        let places = |stretch: &Stretch| (stretch.length + 1).saturating_sub(length);
        let mut place = rng.below(self.stretches.iter().map(places).sum());
        for stretch in &self.stretches {
            if place < places(stretch) {
                return (stretch.start + place, stretch.rooms);
            }
            place -= places(stretch);
        }
        unreachable!("the place was drawn from those of all stretches")
    }
}

/// The first tile of a room along an axis, and the one past its last.
const fn span(room: &Room, axis: Axis) -> (u32, u32) {
    match axis {
        Axis::X => (room.x, room.x + room.width),
        Axis::Y => (room.y, room.y + room.height),
    }
}
