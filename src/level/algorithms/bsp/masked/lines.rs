//! Which lines are tried for a cut, and in which order.
//!
//! A line that leaves each side its share of the tiles, give or take the jitter, is within the window. A few of these
//! come first, drawn at random: lines across the longer side of the part before those across the shorter. Then come all
//! others, the one that is nearest to the share first. What a line really leaves is known only once its chords are
//! opened; where it has just one chord the count tells it.
//!
//! In a [crowded](Demand::is_crowded) part, in either group, lines that leave whole rows of least rooms before them go
//! first.

use crate::level::rng::Rng;

use super::super::cut::Axis;
use super::chords::Line;
use super::demand::Demand;
use super::plot::{Bounds, Part, Plot};

/// So many lines of each axis are drawn from the window.
const DRAWN: usize = 8;

/// The most lines of a part that are tried: all there are up to 49 tiles a side.
const MOST: usize = 96;

/// A line, and what is for it.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    /// It breaks a row of least rooms, where that counts.
    breaks_row: bool,
    /// How far it is from leaving each side its share.
    distance: u64,
    line: Line,
}

/// Finds lines; its buffers serve part after part.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Tiles of the part in each column or row.
    counts: Vec<u32>,
    within: Vec<Ranked>,
    others: Vec<Ranked>,
}

impl Lines {
    /// Adds the lines of a part to `found`, the first one to try last.
    pub(super) fn find(
        &mut self,
        plot: &Plot,
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
        for axis in [longer, longer.other()] {
            self.rank(plot, part, axis, bounds[axis as usize], few_first, demand);
            self.draw(rng, found);
        }
        self.others.sort_unstable_by_key(|ranked| {
            (ranked.breaks_row, ranked.distance, ranked.line.axis as u8, ranked.line.place)
        });
        found.extend(self.others.iter().map(|ranked| ranked.line));
        found.truncate(start + MOST);
        found[start..].reverse();
        bounds
    }

    /// Ranks the lines of an axis that have tiles of the part on both sides: those within the window, and the others.
    fn rank(&mut self, plot: &Plot, part: Part, axis: Axis, [low, high]: [u32; 2], few_first: bool, demand: &Demand) {
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
            let breaks_row = crowded && !(place - low + 1).is_multiple_of(pitch);
            let ranked = Ranked { breaks_row, distance, line: Line { axis, place } };
            let (near, far) = demand.window(part, both);
            let ranks = if (near..=far).contains(&small) { &mut self.within } else { &mut self.others };
            ranks.push(ranked);
            before += on;
        }
    }

    /// Draws some of the lines within the window, and adds the rest of these to the others.
    fn draw(&mut self, rng: &mut Rng, found: &mut Vec<Line>) {
        self.within.sort_by_key(|ranked| ranked.breaks_row);
        let whole = self.within.iter().filter(|ranked| !ranked.breaks_row).count();
        let drawn = self.within.len().min(DRAWN);
        for i in 0..drawn {
            let end = if i < whole { whole } else { self.within.len() };
            let other = i + rng.below((end - i) as u32) as usize;
            self.within.swap(i, other);
            found.push(self.within[i].line);
        }
        self.others.extend(&self.within[drawn..]);
    }
}
