//! Braiding: opens dead ends of a maze, which makes loops (Jamis Buck, Mazes for Programmers, 2015).
//!
//! The option is the fraction of dead ends that are opened; their number is rounded. The dead ends come in random
//! order, and each gets a passage to a random neighbour that it has no passage to. If that neighbour is a dead end too,
//! both are opened, and both count. So if only one more is to be opened, it is not joined to another dead end. A dead
//! end without a suitable neighbour stays, and another one is opened instead.

use crate::level::grid::{Direction, Passages, Shape, ones};
use crate::level::parameters::options::FRACTION_UNIT;
use crate::level::rng::Rng;
use crate::level::work::{Cancelled, JobContext};

/// The purpose of the random numbers; no algorithm uses this number.
pub(crate) const BRAID: u8 = u8::MAX;

/// Opens `fraction` of the dead ends, counted in [`FRACTION_UNIT`]s.
pub(crate) fn braid(
    passages: &mut Passages,
    shape: Shape,
    fraction: u64,
    rng: &mut Rng,
    context: &mut JobContext,
) -> Result<(), Cancelled> {
    let columns = passages.east.width();
    let dead_ends = &mut context.buffers.indices;
    find(passages, dead_ends);
    let mut wanted = (dead_ends.len() as u64 * fraction + FRACTION_UNIT / 2) / FRACTION_UNIT;
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
        let mut choices = [Direction::Up; 3];
        let mut count = 0;
        for direction in Direction::ALL {
            let neighbour = passages.neighbour(cell, direction).filter(|(x, y)| shape.contains(*x, *y));
            let Some(neighbour) = neighbour.filter(|_| !passages.is_open(cell, direction)) else { continue };
            // a passage to another dead end opens both, so it is allowed only if at least two are still wanted
            if wanted > 1 || passages.degree(neighbour) > 1 {
                choices[count] = direction;
                count += 1;
            }
        }
        if count > 0 {
            let direction = choices[rng.below(count as u32) as usize];
            let opens_two = passages.neighbour(cell, direction).is_some_and(|other| passages.degree(other) == 1);
            passages.open(cell, direction);
            wanted -= 1 + u64::from(opens_two);
        }
    }
    Ok(())
}

/// Writes the index of each cell with exactly one passage into `found`, in row-major order.
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

/// The words of a row, with a one for each cell that has exactly one passage.
fn dead_ends_of(Passages { east, south }: &Passages, y: usize) -> impl Iterator<Item = u64> {
    let above: Option<&[u64]> = y.checked_sub(1).map(|above| south.row(above));
    let (right, below) = (east.row(y), south.row(y));
    (0..right.len()).map(move |i| {
        let left = right[i] << 1 | if i > 0 { right[i - 1] >> 63 } else { 0 };
        let open = [right[i], below[i], left, above.map_or(0, |above| above[i])];
        let (mut one, mut more) = (0, 0);
        for bits in open {
            more |= one & bits;
            one |= bits;
        }
        one & !more
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::rng::{Seed, Streams};
    use crate::level::work::{Buffers, Cancel};

    /// Three by three cells: a corridor in the middle column, with a dead end on either side of each of its cells.
    /// These six dead ends can only be joined to each other.
    fn cross() -> Passages {
        let mut passages = Passages::new((3, 3));
        for y in 0..3 {
            (0..2).for_each(|x| passages.east.set(x, y));
        }
        (0..2).for_each(|y| passages.south.set(1, y));
        passages
    }

    #[test]
    fn every_possible_passage_between_dead_ends_is_opened_equally_often() {
        let (mut buffers, mut opened) = (Buffers::default(), [0_u32; 4]);
        for seed in 0..4_000 {
            let mut rng = Streams::new(&Seed::Integer(seed), "test", 0).stream(0, 0);
            let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
            let mut passages = cross();
            let shape = Shape::rectangle((3, 3));
            // a quarter of six, rounded, is two: a single passage opens both
            braid(&mut passages, shape, FRACTION_UNIT / 4, &mut rng, &mut context).unwrap();
            let new = [(0, 0), (2, 0), (0, 1), (2, 1)].map(|(x, y)| passages.south.get(x, y));
            assert_eq!(new.iter().filter(|open| **open).count(), 1);
            new.iter().zip(&mut opened).for_each(|(open, count)| *count += u32::from(*open));
        }
        // binomial with mean 1,000 and standard deviation 27
        assert!(opened.iter().all(|count| (860..1_140).contains(count)), "{opened:?}");
    }

    #[test]
    fn each_possible_passage_is_opened_equally_often_but_none_to_a_dead_end_that_must_stay() {
        // a path along the eight outer cells, and a passage from the right one of them into the middle: three dead
        // ends, of which two can only be joined to dead ends
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
            assert!(above != below, "the middle is opened, whether it is chosen first or last");
            up += u32::from(above);
        }
        // binomial with mean 2,000 and standard deviation 32
        assert!((1_840..2_160).contains(&up), "{up}");
    }
}
