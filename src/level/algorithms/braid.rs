//! Braiding: dead ends of a maze get a second way out, which makes loops (Jamis Buck, Mazes for Programmers, 2015).
//!
//! Of the dead ends of the perfect maze a share is opened, rounded to a number, each by a passage to a random one of the
//! neighbours that it has no passage to. They are taken in random order; one that another's passage has opened already
//! counts as opened too, and so the last one is not joined to a dead end that is meant to stay. Where walls or a mask
//! leave a dead end no neighbour, it stays, and another one is taken.

use crate::level::grid::{Direction, Passages, Shape, ones};
use crate::level::parameters::options::FRACTION_UNIT;
use crate::level::rng::Rng;
use crate::level::work::{Cancelled, JobContext};

/// The purpose of the random numbers, apart from those of any algorithm.
pub(crate) const BRAID: u8 = u8::MAX;

/// Opens a `share` of the dead ends, in [`FRACTION_UNIT`]s.
pub(crate) fn braid(
    passages: &mut Passages,
    shape: Shape,
    share: u64,
    rng: &mut Rng,
    context: &mut JobContext,
) -> Result<(), Cancelled> {
    let columns = passages.east.width();
    let dead_ends = &mut context.buffers.indices;
    find(passages, dead_ends);
    let mut wanted = (dead_ends.len() as u64 * share + FRACTION_UNIT / 2) / FRACTION_UNIT;
    for left in (1..=dead_ends.len()).rev() {
        if wanted == 0 {
            break;
        }
        if left.is_multiple_of(4096) {
            context.cancel.check()?;
        }
        let chosen = rng.below(left as u32) as usize;
        dead_ends.swap(chosen, left - 1);
        let cell = (dead_ends[left - 1] as usize % columns, dead_ends[left - 1] as usize / columns);
        if passages.degree(cell) != 1 {
            continue;
        }
        let mut ways = [Direction::Up; 3];
        let mut count = 0;
        for way in Direction::ALL {
            let neighbour = passages.neighbour(cell, way).filter(|(x, y)| shape.contains(*x, *y));
            let Some(neighbour) = neighbour.filter(|_| !passages.is_open(cell, way)) else { continue };
            // to join two dead ends opens both
            if wanted > 1 || passages.degree(neighbour) > 1 {
                ways[count] = way;
                count += 1;
            }
        }
        if count > 0 {
            let way = ways[rng.below(count as u32) as usize];
            let opens_two = passages.neighbour(cell, way).is_some_and(|other| passages.degree(other) == 1);
            passages.open(cell, way);
            wanted -= 1 + u64::from(opens_two);
        }
    }
    Ok(())
}

/// Writes the numbers of the cells with one passage into `found`, in row order.
fn find(passages: &Passages, found: &mut Vec<u32>) {
    let (columns, rows) = (passages.east.width(), passages.east.height());
    let count: u32 = (0..rows).flat_map(|y| dead_ends_of(passages, y)).map(u64::count_ones).sum();
    found.clear();
    found.reserve_exact(count as usize);
    for y in 0..rows {
        for (word, first) in dead_ends_of(passages, y).zip((y * columns..).step_by(64)) {
            found.extend(ones(word).map(|bit| first as u32 + bit));
        }
    }
}

/// A one for each cell of a row that has exactly one passage.
fn dead_ends_of(Passages { east, south }: &Passages, y: usize) -> impl Iterator<Item = u64> {
    let above: Option<&[u64]> = y.checked_sub(1).map(|above| south.row(above));
    let (right, below) = (east.row(y), south.row(y));
    (0..right.len()).map(move |i| {
        let left = right[i] << 1 | if i > 0 { right[i - 1] >> 63 } else { 0 };
        let ways = [right[i], below[i], left, above.map_or(0, |above| above[i])];
        let (mut one, mut more) = (0, 0);
        for way in ways {
            more |= one & way;
            one |= way;
        }
        one & !more
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::rng::{Seed, Streams};
    use crate::level::work::{Buffers, Cancel};

    /// Four dead ends in the corners of three by three cells, each with one neighbour to be joined to.
    fn cross() -> Passages {
        let mut passages = Passages::new((3, 3));
        for y in 0..3 {
            (0..2).for_each(|x| passages.east.set(x, y));
        }
        (0..2).for_each(|y| passages.south.set(1, y));
        passages
    }

    #[test]
    fn every_dead_end_and_every_way_out_is_taken_as_often_as_any_other() {
        let (mut buffers, mut opened) = (Buffers::default(), [0_u32; 4]);
        for seed in 0..4_000 {
            let mut rng = Streams::new(&Seed::Integer(seed), "test", 0).stream(0, 0);
            let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
            let mut passages = cross();
            let shape = Shape::rectangle((3, 3));
            // one of four, to the one neighbour that is not a dead end either
            braid(&mut passages, shape, FRACTION_UNIT / 4, &mut rng, &mut context).unwrap();
            let new = [(0, 0), (2, 0), (0, 1), (2, 1)].map(|(x, y)| passages.south.get(x, y));
            assert_eq!(new.iter().filter(|open| **open).count(), 1);
            new.iter().zip(&mut opened).for_each(|(open, count)| *count += u32::from(*open));
        }
        // binomial with mean 1,000 and deviation 27
        assert!(opened.iter().all(|count| (860..1_140).contains(count)), "{opened:?}");
    }

    #[test]
    fn of_several_ways_out_each_is_taken_as_often_as_any_other_but_none_to_a_dead_end_that_stays() {
        // around the middle, and from the right into it: the two ends of the way around have only dead ends beside them
        let mut around = Passages::new((3, 3));
        for (x, y) in [(0, 0), (1, 0), (0, 2), (1, 2), (1, 1)] {
            around.east.set(x, y);
        }
        for (x, y) in [(2, 0), (2, 1), (0, 1)] {
            around.south.set(x, y);
        }
        let (mut buffers, mut up) = (Buffers::default(), 0_u32);
        for seed in 0..4_000 {
            let mut rng = Streams::new(&Seed::Integer(seed), "test", 1).stream(0, 0);
            let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
            let mut passages = around.clone();
            braid(&mut passages, Shape::rectangle((3, 3)), FRACTION_UNIT / 3, &mut rng, &mut context).unwrap();
            let [above, below] = [0, 1].map(|y| passages.south.get(1, y));
            assert!(above != below, "the middle is opened, be it chosen first or last");
            up += u32::from(above);
        }
        // binomial with mean 2,000 and deviation 32
        assert!((1_840..2_160).contains(&up), "{up}");
    }
}
