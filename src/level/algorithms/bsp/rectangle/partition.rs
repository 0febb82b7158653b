//! The cuts: where each part is cut, and which rooms result.

use crate::level::algorithms::bsp::cut::{Axis, window};
use crate::level::algorithms::bsp::rectangle::capacity::Capacity;
use crate::level::grid::Room;
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

/// A rectangle that will be cut into a number of rooms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RectanglePart {
    /// Column and row of the top left tile.
    pub(crate) corner: [u32; 2],
    /// Columns and rows.
    pub(crate) sides: [u32; 2],
    /// Rooms that it will be cut into.
    pub(crate) rooms: u32,
}

impl RectanglePart {
    /// The two parts on both sides of a wall. The first is `length` tiles long along the axis and has `rooms` rooms.
    fn split(self, axis: Axis, length: u32, rooms: u32) -> [Self; 2] {
        let (mut first, mut second) = (self, self);
        let axis = axis as usize;
        first.sides[axis] = length;
        first.rooms = rooms;
        second.corner[axis] += length + 1;
        second.sides[axis] -= length + 1;
        second.rooms -= rooms;
        [first, second]
    }

    fn into_room(self) -> Room {
        let ([x, y], [width, height]) = (self.corner, self.sides);
        Room { x, y, width, height, area: u64::from(width) * u64::from(height) }
    }
}

/// A wall across a part, one tile thick.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    /// The axis across the wall; the wall itself runs along the other axis.
    pub(crate) axis: Axis,
    /// Column or row of the wall.
    pub(crate) wall: u32,
    /// Rooms before the wall.
    first: u32,
}

/// The tree of cuts in preorder: a cut, then all cuts of its first side, then all cuts of its second side. A side with
/// k rooms has k - 1 cuts, so the number of rooms is enough to find where a side begins: see [`Partition::sides`].
#[derive(Debug)]
pub(crate) struct Partition {
    pub(crate) cuts: Vec<Cut>,
    pub(crate) rooms: Vec<Room>,
}

/// A node of the tree: a part of the rectangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartitionNode {
    /// The index of the part's cut, if the part has several rooms.
    cut: u32,
    /// The index of the part's first room.
    pub(crate) room: u32,
    rooms: u32,
}

impl Partition {
    /// Cuts `inside` into its rooms at random. The rules must allow that many rooms.
    pub(crate) fn random(
        inside: RectanglePart,
        rules: &CutRules,
        rng: &mut Rng,
        cancel: Cancel,
    ) -> Result<Self, Cancelled> {
        let count = inside.rooms as usize;
        let mut made = Self { cuts: Vec::with_capacity(count - 1), rooms: Vec::with_capacity(count) };
        let mut parts = vec![inside];
        while let Some(part) = parts.pop() {
            if part.rooms == 1 {
                made.rooms.push(part.into_room());
                continue;
            }
            if made.cuts.len().is_multiple_of(1024) {
                cancel.check()?;
            }
            let options = rules.choose_options(&part, rng);
            let axis = options.axis;
            let length = rules.random_length(&part, options, rng);
            let rest = (part.sides[axis as usize] - 1 - length, part.rooms - options.rooms);
            let (length, rooms) = if rng.below(2) == 0 { (length, options.rooms) } else { rest };
            made.cuts.push(Cut { axis, wall: part.corner[axis as usize] + length, first: rooms });
            let [first, second] = part.split(axis, length, rooms);
            parts.push(second);
            parts.push(first);
        }
        Ok(made)
    }

    /// The root: the whole rectangle.
    pub(crate) fn root(&self) -> PartitionNode {
        PartitionNode { cut: 0, room: 0, rooms: self.rooms.len() as u32 }
    }

    /// The cut of a node with several rooms, and its two sides.
    #[inline]
    pub(crate) fn sides(&self, node: PartitionNode) -> Option<(Cut, [PartitionNode; 2])> {
        if node.rooms == 1 {
            return None;
        }
        let cut = self.cuts[node.cut as usize];
        let first = PartitionNode { cut: node.cut + 1, rooms: cut.first, ..node };
        // a side of k rooms has k - 1 cuts; before those of the second side come the node's own cut and those of the
        // first side
        let second =
            PartitionNode { cut: node.cut + cut.first, room: node.room + cut.first, rooms: node.rooms - cut.first };
        Some((cut, [first, second]))
    }
}

/// Some possible cuts of a part, all across the same axis and with the same division of the rooms: the smaller side
/// gets `rooms` of them, at most half. Its length may be anything from `shortest` to `longest`.
#[derive(Debug, Clone, Copy)]
struct CutOptions {
    axis: Axis,
    rooms: u32,
    shortest: u32,
    longest: u32,
}

impl CutOptions {
    /// The options that give the smaller side this number of rooms; `None` if with every length one side could not be
    /// built.
    fn of(part: &RectanglePart, axis: Axis, rooms: u32, capacity: &Capacity) -> Option<Self> {
        let (length, across) = (u64::from(part.sides[axis as usize]), part.sides[axis.other() as usize]);
        let shortest = capacity.least_length(across, rooms)?;
        let rest = capacity.least_length(across, part.rooms - rooms)?;
        let fits = shortest + 1 + rest <= length;
        fits.then(|| Self { axis, rooms, shortest: shortest as u32, longest: (length - 1 - rest) as u32 })
    }
}

/// The rules for a cut, the most important first: both sides can be built, the position is within the jitter, no room
/// has to become a corridor.
#[derive(Debug)]
pub(crate) struct CutRules {
    /// What can be built.
    pub(crate) capacity: Capacity,
    /// How far the length of the smaller side may deviate from its ideal length, as a fraction of the ideal length.
    pub(crate) jitter: u64,
    /// What can be built without corridors.
    pub(crate) roomy: Capacity,
}

impl CutRules {
    /// The options that divide the rooms most evenly. They cut across the longer side of the part if it has any
    /// options, else across the shorter one. If the sides are equal, a random bit decides which one is first.
    fn choose_options(&self, part: &RectanglePart, rng: &mut Rng) -> CutOptions {
        let [width, height] = part.sides;
        let longer = if width > height || width == height && rng.below(2) == 0 { Axis::X } else { Axis::Y };
        let most_even =
            |axis| (1..=part.rooms / 2).rev().find_map(|few| CutOptions::of(part, axis, few, &self.capacity));
        most_even(longer)
            .or_else(|| most_even(longer.other()))
            .unwrap_or_else(|| unreachable!("a part that holds several rooms can be cut: {part:?}"))
    }

    /// A random length for the smaller side.
    fn random_length(&self, part: &RectanglePart, options: CutOptions, rng: &mut Rng) -> u32 {
        let (near, far) = window(part.sides[options.axis as usize], options.rooms, part.rooms, self.jitter);
        // if no length in the window is valid, this takes the nearest valid one
        let near = near.clamp(options.shortest, options.longest);
        let far = far.clamp(options.shortest, options.longest);
        let (near, far) = CutOptions::of(part, options.axis, options.rooms, &self.roomy)
            .map(|roomy| (near.max(roomy.shortest), far.min(roomy.longest)))
            .filter(|(near, far)| near <= far)
            .unwrap_or((near, far));
        near + rng.below(far - near + 1)
    }
}
