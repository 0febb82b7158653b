//! Braiding: dead ends of a maze get a second way out, which makes loops (Jamis Buck, Mazes for Programmers, 2015).
//!
//! Of the dead ends of the perfect maze a share is opened, rounded to a number, each by a passage to a random one of the
//! neighbours that it has no passage to. They are taken in random order; one that another's passage has opened already
//! counts as opened too, and so the last one is not joined to a dead end that is meant to stay. Where walls or a mask
//! leave a dead end no neighbour, it stays, and another one is taken.

use super::grid::{Direction, Passages};
use super::mask::Shape;
use super::options::FRACTION_UNIT;
use super::rng::Rng;
use super::work::{Stopped, Work};

/// The purpose of the random numbers, apart from those of any algorithm.
pub(super) const BRAID: u8 = u8::MAX;

/// Opens a `share` of the dead ends, in [`FRACTION_UNIT`]s.
pub(super) fn braid(
    passages: &mut Passages,
    shape: Shape,
    share: u64,
    rng: &mut Rng,
    work: &mut Work,
) -> Result<(), Stopped> {
    let columns = passages.east.width();
    let dead_ends = &mut work.scratch.indices;
    find(passages, dead_ends);
    let mut wanted = (dead_ends.len() as u64 * share + FRACTION_UNIT / 2) / FRACTION_UNIT;
    for left in (1..=dead_ends.len()).rev() {
        if wanted == 0 {
            break;
        }
        if left.is_multiple_of(4096) {
            work.halt.check()?;
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
    let columns = passages.east.width();
    let (ends, each) = (
        |y| dead_ends_of(passages, y),
        |mut word: u64| {
            std::iter::from_fn(move || {
                let bit = (word > 0).then(|| word.trailing_zeros());
                word &= word.wrapping_sub(1);
                bit
            })
        },
    );
    let count: u32 = (0..passages.east.height()).flat_map(ends).map(u64::count_ones).sum();
    found.clear();
    found.reserve_exact(count as usize);
    for y in 0..passages.east.height() {
        for (i, word) in dead_ends_of(passages, y).enumerate() {
            found.extend(each(word).map(|bit| (y * columns + i * 64) as u32 + bit));
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
