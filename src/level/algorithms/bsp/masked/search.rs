//! The search for rooms: tries the lines of a part one after the other, and undoes a cut if no rooms are found in one
//! of its sides.

use crate::level::algorithms::bsp::cut::{Axis, make_door};
use crate::level::algorithms::bsp::masked::demand::MaskDemand;
use crate::level::algorithms::bsp::masked::lines::LineFinder;
use crate::level::algorithms::bsp::masked::ownership::{Bounds, MaskPart, Ownership};
use crate::level::algorithms::bsp::masked::segments::{Line, Split, Splitter};
use crate::level::grid::{Door, Mask};
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

/// The most tiles that a search visits, for each tile inside the mask.
const VISITS_PER_TILE: u64 = 100;

/// The most cuts of a part that are tried before the search gives the part up.
const MAX_CUTS: u32 = 3;

/// The most lines that are postponed before each cut of a part because the sides of their cuts are not balanced. In a
/// comb, for example, every line across the teeth separates one tooth from the rest, so that dividing the comb would
/// take a cut for each tooth.
const MAX_POSTPONED: u32 = 4;

/// A door of a cut: the axis of the cut, and the first tile of the door.
#[derive(Debug, Clone, Copy)]
struct CutDoor {
    axis: Axis,
    first: u32,
}

/// A part that is cut; other cuts of it may be tried later.
#[derive(Debug)]
struct Frame {
    part: MaskPart,
    bounds: Bounds,
    /// The start of its lines in the list of all lines that are left to try.
    lines: usize,
    /// The number of its cuts that were tried.
    cuts: u32,
    /// The lengths of the lists of rooms and doors before its first cut. To undo a cut, both lists are shortened to
    /// these.
    rooms: usize,
    doors: usize,
    /// The second side of its cut, as long as the first side is not finished.
    second_side: Option<MaskPart>,
}

/// Searches for rooms in a mask; one value can run many searches.
#[derive(Debug)]
pub(crate) struct RoomSearch<'a> {
    mask: &'a Mask,
    ownership: Ownership,
    splitter: Splitter,
    line_finder: LineFinder,
    /// The parts that are being cut, each within the one before.
    frames: Vec<Frame>,
    lines: Vec<Line>,
    rooms: Vec<MaskPart>,
    doors: Vec<CutDoor>,
    /// The tiles that this search visited so far.
    visited: u64,
    /// The value of `visited` when this search last checked for cancellation.
    checked_at: u64,
    /// The largest number of parts that the mask was divided into at any time. Each part holds at least one room.
    most: u32,
}

impl<'a> RoomSearch<'a> {
    pub(crate) fn new(mask: &'a Mask) -> Self {
        let ownership = Ownership::new(mask);
        Self {
            mask,
            splitter: Splitter::new(&ownership),
            ownership,
            line_finder: LineFinder::default(),
            frames: Vec::new(),
            lines: Vec::new(),
            rooms: Vec::new(),
            doors: Vec::new(),
            visited: 0,
            checked_at: 0,
            most: 0,
        }
    }

    /// Searches for the rooms of a demand with the random numbers of `rng`. Returns whether it found them.
    pub(crate) fn run(&mut self, demand: &MaskDemand, rng: &mut Rng, cancel: Cancel) -> Result<bool, Cancelled> {
        let mut part = self.reset(demand.rooms);
        loop {
            let built = part.rooms == 1;
            if built {
                self.rooms.push(part);
            } else {
                self.start_part(part, demand, rng);
            }
            part = loop {
                let Some(lines) = self.frames.last().map(|frame| frame.lines) else { return Ok(built) };
                if !built && self.visited > self.visit_budget() {
                    return Ok(false);
                }
                let next = if built { self.take_second_side() } else { self.cut(demand, rng, cancel)? };
                if let Some(next) = next {
                    break next;
                }
                self.lines.truncate(lines);
                self.frames.pop();
            };
        }
    }

    fn reset(&mut self, rooms: u32) -> MaskPart {
        self.splitter.reset();
        self.frames.clear();
        self.lines.clear();
        self.rooms.clear();
        self.doors.clear();
        (self.visited, self.checked_at, self.most) = (0, 0, 1);
        self.ownership.reset(self.mask, rooms)
    }

    /// Starts a part: lists its lines.
    fn start_part(&mut self, part: MaskPart, demand: &MaskDemand, rng: &mut Rng) {
        self.visited += u64::from(part.area());
        let lines = self.lines.len();
        let bounds = self.line_finder.find(&self.ownership, part, demand, rng, &mut self.lines);
        let (rooms, doors) = (self.rooms.len(), self.doors.len());
        self.frames.push(Frame { part, bounds, lines, cuts: 0, rooms, doors, second_side: None });
    }

    /// Cuts the part of the last frame along the next line that works; first undoes its earlier cut, if there was one.
    /// Returns the side with fewer tiles for each room: the search continues in that side. `None` if no line is left,
    /// [`MAX_CUTS`] cuts were tried, or the visit budget is used up.
    fn cut(&mut self, demand: &MaskDemand, rng: &mut Rng, cancel: Cancel) -> Result<Option<MaskPart>, Cancelled> {
        let Some(&Frame { part, bounds, lines, cuts, .. }) = self.frames.last() else { return Ok(None) };
        if cuts > 0 {
            self.undo_cut(demand);
        }
        let mut postponed = 0;
        let visit_budget = self.visit_budget();
        while cuts < MAX_CUTS && self.lines.len() > lines && self.visited <= visit_budget {
            if self.visited >= self.checked_at + 4096 {
                cancel.check()?;
                self.checked_at = self.visited;
            }
            let Some(line) = self.lines.pop() else { break };
            self.visited += u64::from(part.area());
            let range = bounds[line.axis.other() as usize];
            let split = self.splitter.split(&self.ownership, part, line, range, demand.door, rng);
            let Some(split) = split else { continue };
            if postponed < MAX_POSTPONED && !demand.is_balanced(part, split.areas) {
                postponed += 1;
                self.lines.insert(lines, line);
                continue;
            }
            if let Some(rooms) = demand.divide_rooms(part, split.areas, rng.below(2) == 0) {
                return Ok(self.divide(&split, rooms, line, demand, rng));
            }
        }
        Ok(None)
    }
}

impl RoomSearch<'_> {
    /// Divides the part of the last frame, with a door at a random position. Returns the side to continue with.
    fn divide(
        &mut self,
        split: &Split,
        rooms: [u32; 2],
        line: Line,
        demand: &MaskDemand,
        rng: &mut Rng,
    ) -> Option<MaskPart> {
        let frame = self.frames.last_mut()?;
        let number = rng.below(split.doors);
        let first = self.splitter.door(&self.ownership, frame.part, demand.door, split, number)?;
        self.doors.push(CutDoor { axis: line.axis, first });
        self.most = self.most.max(self.doors.len() as u32 + 1);
        self.ownership.set_reserved_beside(line.axis, first, demand.door, true);
        self.visited += u64::from(frame.part.area());
        let [one, other] = self.ownership.divide(frame.part, rooms, |tile| self.splitter.side_of(split, tile));
        let (first, second) = if demand.is_tighter(one, other) { (one, other) } else { (other, one) };
        frame.cuts += 1;
        frame.second_side = Some(second);
        Some(first)
    }

    /// Takes the second side of the last frame's cut, if it was not taken before.
    fn take_second_side(&mut self) -> Option<MaskPart> {
        self.frames.last_mut()?.second_side.take()
    }

    /// Undoes the cut of the last frame, and everything that followed from it.
    fn undo_cut(&mut self, demand: &MaskDemand) {
        let Some(frame) = self.frames.last_mut() else { return };
        self.visited += u64::from(frame.part.area());
        frame.second_side = None;
        self.rooms.truncate(frame.rooms);
        for door in self.doors.drain(frame.doors..) {
            self.ownership.set_reserved_beside(door.axis, door.first, demand.door, false);
        }
        self.ownership.restore(frame.part);
    }

    /// The tiles that the last search visited.
    pub(crate) const fn visited(&self) -> u64 {
        self.visited
    }

    /// The most tiles that a search visits.
    pub(crate) fn visit_budget(&self) -> u64 {
        VISITS_PER_TILE * self.ownership.all().len() as u64
    }

    /// The largest number of parts that the last search divided the mask into at any time. If the search failed, this
    /// is a guess at the number of rooms that can be built.
    pub(crate) const fn most(&self) -> u32 {
        self.most
    }

    /// Numbers the rooms that were found, and returns them with the doors between them.
    pub(crate) fn finish(&mut self, demand: &MaskDemand) -> (&Ownership, &[MaskPart], Vec<Door>) {
        self.ownership.number_rooms(&mut self.rooms);
        let ownership = &self.ownership;
        let doors = self.doors.iter().map(|door| {
            let beside = [door.first - ownership.step(door.axis), door.first + ownership.step(door.axis)];
            // the tiles beside a door are reserved, so they belong to rooms
            let rooms = beside.map(|tile| ownership.owner(tile).map_or(0, |number| number - 1));
            let [x, y] = ownership.position(door.first);
            let (wall, start) = if door.axis == Axis::X { (x, y) } else { (y, x) };
            make_door(door.axis, wall, start, demand.door, rooms)
        });
        (ownership, &self.rooms, doors.collect())
    }
}

#[cfg(test)]
mod tests;
