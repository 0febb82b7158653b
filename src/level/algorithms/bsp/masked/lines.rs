//! Which lines are tried for a cut, and in which order.
//!
//! A line that leaves each side its share of the tiles, give or take the jitter, is within the window. A few of these
//! come first, drawn at random: by turns one across the longer side of the part and one across the shorter, so that the
//! first makes no corridors and the second is at hand where the first does not do. Then come all others, the one that is
//! nearest to the share first. What a line really leaves is known only once its chords are opened; where it has just one
//! chord the count tells it.
//!
//! In a [crowded](Demand::is_crowded) part, in either group, lines that waste little go first: see [`Thrift`].

use crate::level::rng::Rng;

use crate::level::algorithms::bsp::cut::Axis;
use crate::level::algorithms::bsp::masked::demand::Demand;
use crate::level::algorithms::bsp::masked::ownership::{Bounds, Ownership, Part};
use crate::level::algorithms::bsp::masked::segments::Line;

/// So many lines of each axis are drawn from the window.
const DRAWN: usize = 8;

/// The most lines of a part that are tried: all there are up to 50 tiles a side.
const MOST: usize = 96;

/// What a line costs a part, where that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thrift {
    /// It has less than half as many tiles as lines have on average: it runs through a neck or along a gap.
    Neck,
    /// It leaves whole rows of least rooms before it.
    Rows,
    /// Neither, or it does not count.
    Any,
}

/// A line, and what is for it.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    thrift: Thrift,
    /// How far it is from leaving each side its share.
    distance: u64,
    line: Line,
}

/// Finds lines; its buffers serve part after part.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Tiles of the part in each column or row.
    counts: Vec<u32>,
    within: Vec<Ranked>,
    others: Vec<Ranked>,
}

impl Lines {
    /// Adds the lines of a part to `found`, the first one to try last.
    pub(crate) fn find(
        &mut self,
        plot: &Ownership,
        part: Part,
        demand: &Demand,
        rng: &mut Rng,
        found: &mut Vec<Line>,
    ) -> Bounds {
        let bounds = plot.bounds(part);
        let [width, height] = bounds.map(|[low, high]| high - low);
        let longer = if width > height || width == height && rng.below(2) == 0 { Axis::X } else { Axis::Y };
        let few_first = rng.below(2) == 0;
        let start = found.len();
        self.others.clear();
        let mut drawn = [[None; DRAWN]; 2];
        for (axis, drawn) in [longer, longer.other()].into_iter().zip(&mut drawn) {
            self.rank(plot, part, axis, bounds[axis as usize], few_first, demand);
            self.draw(rng, drawn);
        }
        let [along, across] = drawn;
        found.extend(along.into_iter().zip(across).flat_map(|pair| [pair.0, pair.1]).flatten());
        self.others
            .sort_unstable_by_key(|ranked| (ranked.thrift, ranked.distance, ranked.line.axis as u8, ranked.line.place));
        found.extend(self.others.iter().map(|ranked| ranked.line));
        found.truncate(start + MOST);
        found[start..].reverse();
        bounds
    }

    /// Ranks the lines of an axis that have tiles of the part on both sides: those within the window, and the others.
    fn rank(
        &mut self,
        plot: &Ownership,
        part: Part,
        axis: Axis,
        [low, high]: [u32; 2],
        few_first: bool,
        demand: &Demand,
    ) {
        self.counts.clear();
        self.counts.resize((high - low) as usize + 1, 0);
        for &tile in plot.tiles(part) {
            self.counts[(plot.place(tile)[axis as usize] - low) as usize] += 1;
        }
        self.within.clear();
        let (crowded, pitch) = (demand.is_crowded(part), demand.pitch());
        let mut before = self.counts[0];
        for (place, &on) in (low + 1..high).zip(&self.counts[1..]) {
            let both = part.area() - on;
            let small = if few_first { before } else { both - before };
            let share = u64::from(both) * u64::from(part.rooms / 2);
            let distance = (u64::from(small) * u64::from(part.rooms)).abs_diff(share);
            let thrift = match (2 * on * (high - low + 1) < part.area(), (place - low + 1).is_multiple_of(pitch)) {
                (true, _) if crowded => Thrift::Neck,
                (_, true) if crowded => Thrift::Rows,
                _ => Thrift::Any,
            };
            let ranked = Ranked { thrift, distance, line: Line { axis, place } };
            let (near, far) = demand.window(part, both);
            let ranks = if (near..=far).contains(&small) { &mut self.within } else { &mut self.others };
            ranks.push(ranked);
            before += on;
        }
    }

    /// Draws some of the lines within the window, the thriftiest first, and adds the rest of these to the others.
    fn draw(&mut self, rng: &mut Rng, drawn: &mut [Option<Line>; DRAWN]) {
        rng.shuffle(&mut self.within);
        self.within.sort_by_key(|ranked| ranked.thrift);
        for (line, ranked) in drawn.iter_mut().zip(&self.within) {
            *line = Some(ranked.line);
        }
        self.others.extend(self.within.iter().skip(DRAWN));
    }
}

#[cfg(test)]
mod tests;
