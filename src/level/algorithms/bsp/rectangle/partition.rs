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
    /// The two parts beside a wall, of which the first has this length and this number of rooms.
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

/// The tree of cuts in preorder: a cut comes before its sides, the first side before the second. So the number of rooms
/// of each side is enough to find its cut: see [`Partition::sides`].
#[derive(Debug)]
pub(crate) struct Partition {
    pub(crate) cuts: Vec<Cut>,
    pub(crate) rooms: Vec<Room>,
}

/// A node of the tree: a part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartitionNode {
    /// The index of its cut, if it has several rooms.
    cut: u32,
    /// The index of its first room.
    pub(crate) room: u32,
    rooms: u32,
}

impl Partition {
    /// Cuts `inside` into its rooms, which must be possible by the rules.
    pub(crate) fn draw(
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
            let length = rules.draw_length(&part, options, rng);
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
        // a side of k rooms has k - 1 cuts, and the node's own cut comes before them
        let second =
            PartitionNode { cut: node.cut + cut.first, room: node.room + cut.first, rooms: node.rooms - cut.first };
        Some((cut, [first, second]))
    }
}

/// The cuts that are possible across an axis: the rooms of the smaller side, which has at most half of them, and the
/// range of lengths that it may have.
#[derive(Debug, Clone, Copy)]
struct CutOptions {
    axis: Axis,
    rooms: u32,
    shortest: u32,
    longest: u32,
}

impl CutOptions {
    /// The options for a side with so many rooms, if some length leaves both sides buildable.
    fn of(part: &RectanglePart, axis: Axis, rooms: u32, capacity: &Capacity) -> Option<Self> {
        let (length, across) = (u64::from(part.sides[axis as usize]), part.sides[axis.other() as usize]);
        let shortest = capacity.least_length(across, rooms)?;
        let rest = capacity.least_length(across, part.rooms - rooms)?;
        let fits = shortest + 1 + rest <= length;
        fits.then(|| Self { axis, rooms, shortest: shortest as u32, longest: (length - 1 - rest) as u32 })
    }
}

/// The rules for a cut, most important first: both sides stay buildable, the position is within the jitter, no room has
/// to become a corridor.
#[derive(Debug)]
pub(crate) struct CutRules {
    /// What can be built.
    pub(crate) capacity: Capacity,
    /// How far the length of the smaller side may deviate from its ideal length, as a fraction of that.
    pub(crate) jitter: u64,
    /// What can be built without corridors.
    pub(crate) roomy: Capacity,
}

impl CutRules {
    /// The options with the most even numbers of rooms: across the longer side of the part if it has any, else across
    /// the shorter one; a coin decides between equal sides.
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
    fn draw_length(&self, part: &RectanglePart, options: CutOptions, rng: &mut Rng) -> u32 {
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
