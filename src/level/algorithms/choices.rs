//! Which ways lead on from a cell, and a fair choice among them without a branch: four bytes around the cell give a
//! mask, the mask and a roll give the direction from a table.

use crate::level::rng::Rng;

/// The byte of a cell that counts: a bit for each direction from which it is looked at. One that does not count, and
/// the border, have none of these bits.
pub(crate) const COUNTS: u8 = 0b1111;

/// Rolls that give one, two, three or four ways an equal share each.
pub(crate) const ROLL: usize = 12;

/// A bit for each direction in which there is a cell that counts.
#[inline]
pub(crate) fn ways(bytes: &[u8], index: usize, steps: [usize; 4]) -> u8 {
    let ways = (0..4).map(|i| bytes[index.wrapping_add(steps[i])] & 1 << i);
    ways.fold(0, |mask, way| mask | way)
}

/// Where a mask and a roll stand in [`CHOICES`].
#[inline]
pub(crate) const fn choice(mask: u8, roll: u8) -> usize {
    (mask << 4 | roll) as usize
}

/// For each mask and roll one of the mask's directions, at [`choice`]; up where the mask is empty.
pub(crate) static CHOICES: [u8; 256] = {
    let mut choices = [0; 256];
    let mut choice = 16;
    while choice < 256 {
        let (mask, roll) = (choice >> 4, choice % 16 % ROLL);
        // takes the lowest ways off the mask until the one that is meant is the lowest
        let mut ways = mask;
        let mut before = roll % mask.count_ones() as usize;
        while before > 0 {
            ways &= ways - 1;
            before -= 1;
        }
        choices[choice] = ways.trailing_zeros() as u8;
        choice += 1;
    }
    choices
};

/// The step of each choice, so that the next cell waits for one table only.
pub(crate) fn strides(steps: [usize; 4]) -> [usize; 256] {
    CHOICES.map(|direction| steps[usize::from(direction & 3)])
}

/// Rolls below [`ROLL`], sixteen from a word.
pub(crate) struct Rolls {
    ready: [u64; 16],
    taken: usize,
}

impl Rolls {
    pub(crate) const fn new() -> Self {
        Self { ready: [0; 16], taken: 0 }
    }

    /// The next roll.
    #[inline]
    pub(crate) fn next(&mut self, rng: &mut Rng) -> u8 {
        if self.taken.is_multiple_of(16) {
            self.ready = rng.digits::<{ ROLL as u64 }, 16>();
        }
        self.taken += 1;
        self.ready[(self.taken - 1) % 16] as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_has_an_equal_share_of_the_rolls() {
        for mask in 1..16_usize {
            let ways = mask.count_ones() as usize;
            for way in (0..4).filter(|way| mask >> way & 1 == 1) {
                let rolls = (0..ROLL as u8).filter(|roll| CHOICES[choice(mask as u8, *roll)] == way).count();
                assert_eq!(rolls, ROLL / ways, "{way} of {mask:#b}");
            }
        }
    }
}
