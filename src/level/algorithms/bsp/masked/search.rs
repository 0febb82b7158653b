//! The search for rooms: one line after the other is tried for each part, and where a side finds no rooms the cut is
//! taken back.

use crate::level::grid::{Door, Mask};
use crate::level::rng::Rng;
use crate::level::work::{Cancel, Cancelled};

use crate::level::algorithms::bsp::cut::{Axis, make_door};
use crate::level::algorithms::bsp::masked::demand::Demand;
use crate::level::algorithms::bsp::masked::lines::Lines;
use crate::level::algorithms::bsp::masked::ownership::{Bounds, Ownership, Part};
use crate::level::algorithms::bsp::masked::segments::{ChordRule, Line, Parting};

/// A search visits no more tiles than so many times those inside the mask.
const PATIENCE: u64 = 100;

/// So many cuts of a part are taken back before it counts as one without rooms.
const CUTS: u32 = 3;

/// So many lines are put off, before each cut of a part, whose sides are not fair: across the teeth of a comb every line leaves one tooth
/// and the rest, which would take a cut for each tooth.
const MISSES: u32 = 4;

/// A door of a cut: the axis of the cut, and the door's first tile.
#[derive(Debug, Clone, Copy)]
struct CutDoor {
    axis: Axis,
    first: u32,
}

/// A part that is cut, and may be cut another way.
#[derive(Debug)]
struct Frame {
    part: Part,
    bounds: Bounds,
    /// Where its lines begin among all that wait; those that were tried are gone.
    lines: usize,
    /// Cuts that were made.
    cuts: u32,
    /// Rooms and doors that there were before it.
    rooms: usize,
    doors: usize,
    /// The second side of its cut, as long as the first one is not done.
    rest: Option<Part>,
}

/// Searches for rooms in a mask, any number of times.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    mask: &'a Mask,
    plot: Ownership,
    rule: ChordRule,
    order: Lines,
    /// The parts that are cut, each within the one before.
    frames: Vec<Frame>,
    lines: Vec<Line>,
    rooms: Vec<Part>,
    doors: Vec<CutDoor>,
    /// Tiles that this search has visited.
    visited: u64,
    /// The same when it last asked whether to go on.
    asked: u64,
    /// The most rooms that a part of the mask was cut into, whole or not.
    most: u32,
}

impl<'a> Search<'a> {
    pub(crate) fn new(mask: &'a Mask) -> Self {
        let plot = Ownership::new(mask);
        Self {
            mask,
            rule: ChordRule::new(&plot),
            plot,
            order: Lines::default(),
            frames: Vec::new(),
            lines: Vec::new(),
            rooms: Vec::new(),
            doors: Vec::new(),
            visited: 0,
            asked: 0,
            most: 0,
        }
    }

    /// Looks for the rooms of a demand, the way that `rng` says. Whether it found them.
    pub(crate) fn run(&mut self, demand: &Demand, rng: &mut Rng, cancel: Cancel) -> Result<bool, Cancelled> {
        let mut part = self.reset(demand.rooms);
        loop {
            let built = part.rooms == 1;
            if built {
                self.rooms.push(part);
            } else {
                self.begin(part, demand, rng);
            }
            part = loop {
                let Some(lines) = self.frames.last().map(|frame| frame.lines) else { return Ok(built) };
                if !built && self.visited > self.patience() {
                    return Ok(false);
                }
                let next = if built { self.take_rest() } else { self.cut(demand, rng, cancel)? };
                if let Some(next) = next {
                    break next;
                }
                self.lines.truncate(lines);
                self.frames.pop();
            };
        }
    }

    fn reset(&mut self, rooms: u32) -> Part {
        self.rule.reset();
        self.frames.clear();
        self.lines.clear();
        self.rooms.clear();
        self.doors.clear();
        (self.visited, self.asked, self.most) = (0, 0, 1);
        self.plot.reset(self.mask, rooms)
    }

    /// Lists the lines of a part, which is to be cut next.
    fn begin(&mut self, part: Part, demand: &Demand, rng: &mut Rng) {
        self.visited += u64::from(part.area());
        let lines = self.lines.len();
        let bounds = self.order.find(&self.plot, part, demand, rng, &mut self.lines);
        let (rooms, doors) = (self.rooms.len(), self.doors.len());
        self.frames.push(Frame { part, bounds, lines, cuts: 0, rooms, doors, rest: None });
    }

    /// Cuts the part of the last frame along the next of its lines that allows it, and gives the side that has less to
    /// spare; takes back what was cut before. `None` where nothing is left to try, or patience ends.
    fn cut(&mut self, demand: &Demand, rng: &mut Rng, cancel: Cancel) -> Result<Option<Part>, Cancelled> {
        let Some(&Frame { part, bounds, lines, cuts, .. }) = self.frames.last() else { return Ok(None) };
        if cuts > 0 {
            self.take_back(demand);
        }
        let mut missed = 0;
        let patience = self.patience();
        while cuts < CUTS && self.lines.len() > lines && self.visited <= patience {
            if self.visited >= self.asked + 4096 {
                cancel.check()?;
                self.asked = self.visited;
            }
            let Some(line) = self.lines.pop() else { break };
            self.visited += u64::from(part.area());
            let endpoints = bounds[line.axis.other() as usize];
            let parting = self.rule.part(&self.plot, part, line, endpoints, demand.door, rng);
            let Some(parting) = parting else { continue };
            if missed < MISSES && !demand.is_fair(part, parting.areas) {
                missed += 1;
                self.lines.insert(lines, line);
                continue;
            }
            if let Some(rooms) = demand.shares(part, parting.areas, rng.below(2) == 0) {
                return Ok(self.divide(&parting, rooms, line, demand, rng));
            }
        }
        Ok(None)
    }
}

impl Search<'_> {
    /// Divides the part of the last frame, with a door at a random one of its places.
    fn divide(
        &mut self,
        parting: &Parting,
        rooms: [u32; 2],
        line: Line,
        demand: &Demand,
        rng: &mut Rng,
    ) -> Option<Part> {
        let frame = self.frames.last_mut()?;
        let place = rng.below(parting.doors);
        let first = self.rule.door(&self.plot, frame.part, demand.door, parting, place)?;
        self.doors.push(CutDoor { axis: line.axis, first });
        self.most = self.most.max(self.doors.len() as u32 + 1);
        self.plot.keep_beside(line.axis, first, demand.door, true);
        self.visited += u64::from(frame.part.area());
        let [one, other] = self.plot.divide(frame.part, rooms, |tile| self.rule.side_of(parting, tile));
        let (first, rest) = if demand.is_tighter(one, other) { (one, other) } else { (other, one) };
        frame.cuts += 1;
        frame.rest = Some(rest);
        Some(first)
    }

    /// The second side of the last frame's cut, if it is not done.
    fn take_rest(&mut self) -> Option<Part> {
        self.frames.last_mut()?.rest.take()
    }

    /// Takes back the cut of the last frame, and all that came of it.
    fn take_back(&mut self, demand: &Demand) {
        let Some(frame) = self.frames.last_mut() else { return };
        self.visited += u64::from(frame.part.area());
        frame.rest = None;
        self.rooms.truncate(frame.rooms);
        for door in self.doors.drain(frame.doors..) {
            self.plot.keep_beside(door.axis, door.first, demand.door, false);
        }
        self.plot.give_back(frame.part);
    }

    /// Tiles that the last search visited.
    pub(crate) const fn visited(&self) -> u64 {
        self.visited
    }

    /// Tiles that a search visits at the most.
    pub(crate) fn patience(&self) -> u64 {
        PATIENCE * self.plot.all().len() as u64
    }

    /// The most rooms that the last search had at any time: where it failed, a guess at what can be built.
    pub(crate) const fn most(&self) -> u32 {
        self.most
    }

    /// Gives the rooms that were found their numbers, and tells the parts and the doors between them.
    pub(crate) fn finish(&mut self, demand: &Demand) -> (&Ownership, &[Part], Vec<Door>) {
        self.plot.number_rooms(&mut self.rooms);
        let plot = &self.plot;
        let doors = self.doors.iter().map(|door| {
            let beside = [door.first - plot.step(door.axis), door.first + plot.step(door.axis)];
            // what lies beside a door was kept
            let rooms = beside.map(|tile| plot.owner(tile).map_or(0, |number| number - 1));
            let [x, y] = plot.place(door.first);
            let (wall, start) = if door.axis == Axis::X { (x, y) } else { (y, x) };
            make_door(door.axis, wall, start, demand.door, rooms)
        });
        (plot, &self.rooms, doors.collect())
    }
}

#[cfg(test)]
mod tests;
