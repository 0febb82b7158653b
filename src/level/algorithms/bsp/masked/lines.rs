//! Which lines are tried for a cut, and in which order.
//!
//! A line is within the window if the tiles before it and after it are in proportion to the rooms of the two sides,
//! plus or minus the jitter. First come a few random lines within the window, alternately across the longer and across
//! the shorter side of the part. Those across the longer side make no corridors; those across the shorter side are for
//! parts where they fail. Then come all other lines, the one nearest to the proportion first.
//!
//! The tiles before and after a line are not always the two sides of its cut. If the line has several segments, some of
//! them are opened, and the sides are known only then. If it has a single segment, the numbers are exact.
//!
//! In a [dense](MaskDemand::is_dense) part both groups begin with the wall-sparing lines: see [`WallCost`].

use crate::level::algorithms::bsp::cut::Axis;
use crate::level::algorithms::bsp::masked::demand::MaskDemand;
use crate::level::algorithms::bsp::masked::ownership::{Bounds, MaskPart, Ownership};
use crate::level::algorithms::bsp::masked::segments::Line;
use crate::level::rng::Rng;

/// The most random lines of each axis.
const RANDOM_LINES: usize = 8;

/// The most lines of a part that are tried: these are all lines if the part has up to 50 tiles a side.
const MAX_LINES: usize = 96;

/// How many tiles the wall on a line wastes, the least first. In parts that are not dense, all lines are
/// [`Any`](Self::Any).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WallCost {
    /// The line has less than half as many tiles as the average line: it runs through a neck or along a gap.
    Neck,
    /// The line leaves whole rows of minimal rooms before it.
    Rows,
    /// Neither, or the part is not dense.
    Any,
}

/// A line, and what its rank depends on.
#[derive(Debug, Clone, Copy)]
struct RankedLine {
    wall_cost: WallCost,
    /// How far the tiles of its sides are from the proportion of the rooms.
    distance: u64,
    line: Line,
}

/// Finds the lines of a part; the buffers are used again for the next part.
#[derive(Debug, Default)]
pub(crate) struct LineFinder {
    /// Tiles of the part in each column or row.
    counts: Vec<u32>,
    within: Vec<RankedLine>,
    others: Vec<RankedLine>,
}

impl LineFinder {
    /// Adds the lines of a part to the end of `found`, in reverse order: the last one is to be tried first. Returns the
    /// bounds of the part.
    pub(crate) fn find(
        &mut self,
        ownership: &Ownership,
        part: MaskPart,
        demand: &MaskDemand,
        rng: &mut Rng,
        found: &mut Vec<Line>,
    ) -> Bounds {
        let bounds = ownership.bounds(part);
        let [width, height] = bounds.map(|[low, high]| high - low);
        let longer = if width > height || width == height && rng.below(2) == 0 { Axis::X } else { Axis::Y };
        let few_first = rng.below(2) == 0;
        let start = found.len();
        self.others.clear();
        let mut random = [[None; RANDOM_LINES]; 2];
        for (axis, random) in [longer, longer.other()].into_iter().zip(&mut random) {
            self.rank(ownership, part, axis, bounds[axis as usize], few_first, demand);
            self.choose(rng, random);
        }
        let [along, across] = random;
        found.extend(along.into_iter().zip(across).flat_map(|pair| [pair.0, pair.1]).flatten());
        self.others.sort_unstable_by_key(|ranked| {
            (ranked.wall_cost, ranked.distance, ranked.line.axis as u8, ranked.line.position)
        });
        found.extend(self.others.iter().map(|ranked| ranked.line));
        found.truncate(start + MAX_LINES);
        found[start..].reverse();
        bounds
    }

    /// Ranks the lines of an axis that have tiles of the part on both sides. Those within the window go to `within`,
    /// the rest to `others`. `few_first` says whether the side before the line gets the smaller half of the rooms.
    fn rank(
        &mut self,
        ownership: &Ownership,
        part: MaskPart,
        axis: Axis,
        [low, high]: [u32; 2],
        few_first: bool,
        demand: &MaskDemand,
    ) {
        self.counts.clear();
        self.counts.resize((high - low) as usize + 1, 0);
        for &tile in ownership.tiles(part) {
            self.counts[(ownership.position(tile)[axis as usize] - low) as usize] += 1;
        }
        self.within.clear();
        let (is_dense, pitch) = (demand.is_dense(part), demand.pitch());
        let mut before = self.counts[0];
        for (position, &on) in (low + 1..high).zip(&self.counts[1..]) {
            let both = part.area() - on;
            let small = if few_first { before } else { both - before };
            let proportion = u64::from(both) * u64::from(part.rooms / 2);
            let distance = (u64::from(small) * u64::from(part.rooms)).abs_diff(proportion);
            let wall_cost = match (2 * on * (high - low + 1) < part.area(), (position - low + 1).is_multiple_of(pitch))
            {
                (true, _) if is_dense => WallCost::Neck,
                (_, true) if is_dense => WallCost::Rows,
                _ => WallCost::Any,
            };
            let ranked = RankedLine { wall_cost, distance, line: Line { axis, position } };
            let (near, far) = demand.window(part, both);
            let ranks = if (near..=far).contains(&small) { &mut self.within } else { &mut self.others };
            ranks.push(ranked);
            before += on;
        }
    }

    /// Chooses random lines within the window, the wall-sparing ones first, and adds the rest of `within` to `others`.
    fn choose(&mut self, rng: &mut Rng, random: &mut [Option<Line>; RANDOM_LINES]) {
        rng.shuffle(&mut self.within);
        self.within.sort_by_key(|ranked| ranked.wall_cost);
        for (line, ranked) in random.iter_mut().zip(&self.within) {
            *line = Some(ranked.line);
        }
        self.others.extend(self.within.iter().skip(RANDOM_LINES));
    }
}

#[cfg(test)]
mod tests;
