//! The cuts: which part is cut where, and which rooms come of it.

use crate::level::algorithms::bsp::cut::{Axis, window};
use crate::level::algorithms::bsp::rectangle::capacity::Capacity;
use crate::level::grid::Room;
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

/// A rectangle that becomes a number of rooms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// Column and row of the top left tile.
    pub(crate) corner: [u32; 2],
    /// Columns and rows.
    pub(crate) sides: [u32; 2],
    /// Rooms that come of it.
    pub(crate) rooms: u32,
}

impl Part {
    /// The two parts of a cut that leaves `length` of this part and `rooms` of its rooms before its wall.
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
    /// The direction in which its two sides follow each other; the wall itself runs along the other one.
    pub(crate) axis: Axis,
    /// Column or row of the wall.
    pub(crate) wall: u32,
    /// Rooms before the wall.
    first: u32,
}

/// The tree of cuts. Cuts and rooms stand in the order of the tree, a cut before its sides and the first side before
/// the second, so that counting rooms is all it takes to find the way: see [`Partition::sides`].
#[derive(Debug)]
pub(crate) struct Partition {
    pub(crate) cuts: Vec<Cut>,
    pub(crate) rooms: Vec<Room>,
}

/// A part of a partition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// Its cut, if it has several rooms.
    cut: u32,
    /// Its first room.
    pub(crate) room: u32,
    rooms: u32,
}

impl Partition {
    /// Cuts `inside` into its rooms, which the rules must allow.
    pub(crate) fn draw(inside: Part, rules: &Rules, rng: &mut Rng, cancel: Cancel) -> Result<Self, Cancelled> {
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
            let share = rules.choose_share(&part, rng);
            let axis = share.axis;
            let length = rules.draw_length(&part, share, rng);
            let rest = (part.sides[axis as usize] - 1 - length, part.rooms - share.rooms);
            let (length, rooms) = if rng.below(2) == 0 { (length, share.rooms) } else { rest };
            made.cuts.push(Cut { axis, wall: part.corner[axis as usize] + length, first: rooms });
            let [first, second] = part.split(axis, length, rooms);
            parts.push(second);
            parts.push(first);
        }
        Ok(made)
    }

    /// The whole.
    pub(crate) fn root(&self) -> Node {
        Node { cut: 0, room: 0, rooms: self.rooms.len() as u32 }
    }

    /// The cut of a part of several rooms, and its two sides.
    #[inline]
    pub(crate) fn sides(&self, node: Node) -> Option<(Cut, [Node; 2])> {
        if node.rooms == 1 {
            return None;
        }
        let cut = self.cuts[node.cut as usize];
        let first = Node { cut: node.cut + 1, rooms: cut.first, ..node };
        // a side of k rooms has k - 1 cuts, and the part's own cut stands before them
        let second = Node { cut: node.cut + cut.first, room: node.room + cut.first, rooms: node.rooms - cut.first };
        Some((cut, [first, second]))
    }
}

/// How a cut may share a part: the rooms of the side with fewer, or with as many, and the lengths it may have.
#[derive(Debug, Clone, Copy)]
struct Share {
    axis: Axis,
    rooms: u32,
    shortest: u32,
    longest: u32,
}

impl Share {
    /// The share of `rooms` rooms for one side, if some length leaves both sides buildable.
    fn of(part: &Part, axis: Axis, rooms: u32, capacity: &Capacity) -> Option<Self> {
        let (length, across) = (u64::from(part.sides[axis as usize]), part.sides[axis.other() as usize]);
        let shortest = capacity.least_length(across, rooms)?;
        let rest = capacity.least_length(across, part.rooms - rooms)?;
        let fits = shortest + 1 + rest <= length;
        fits.then(|| Self { axis, rooms, shortest: shortest as u32, longest: (length - 1 - rest) as u32 })
    }
}

/// What a cut has to heed, in this order: both sides stay buildable, the place is within the jitter, no room need
/// become a corridor.
#[derive(Debug)]
pub(crate) struct Rules {
    /// What is buildable.
    pub(crate) capacity: Capacity,
    /// How far a place may stray from the ideal one, as a fraction of the length that the side with fewer rooms has
    /// there.
    pub(crate) jitter: u64,
    /// What is buildable without corridors.
    pub(crate) roomy: Capacity,
}

impl Rules {
    /// The most even share there is: on the longer side of the part if it has any, else on the shorter; a coin where
    /// they are equal.
    fn choose_share(&self, part: &Part, rng: &mut Rng) -> Share {
        let [width, height] = part.sides;
        let longer = if width > height || width == height && rng.below(2) == 0 { Axis::X } else { Axis::Y };
        let most_even = |axis| (1..=part.rooms / 2).rev().find_map(|few| Share::of(part, axis, few, &self.capacity));
        most_even(longer)
            .or_else(|| most_even(longer.other()))
            .unwrap_or_else(|| unreachable!("a part that holds several rooms can be cut: {part:?}"))
    }

    /// Draws the length of the side that the share is for.
    fn draw_length(&self, part: &Part, share: Share, rng: &mut Rng) -> u32 {
        let (near, far) = window(part.sides[share.axis as usize], share.rooms, part.rooms, self.jitter);
        // where no place of the window is buildable, this takes the buildable one next to it
        let near = near.clamp(share.shortest, share.longest);
        let far = far.clamp(share.shortest, share.longest);
        let (near, far) = Share::of(part, share.axis, share.rooms, &self.roomy)
            .map(|roomy| (near.max(roomy.shortest), far.min(roomy.longest)))
            .filter(|(near, far)| near <= far)
            .unwrap_or((near, far));
        near + rng.below(far - near + 1)
    }
}
