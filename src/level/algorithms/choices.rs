//! A random choice among the directions in which a walk can go on from a cell: uniform, and without a branch. The bytes
//! of the cell's four neighbours give a mask with a bit for each possible direction. The mask and a roll, a random
//! number below twelve, are the index of a direction in the table [`CHOICES`].

use crate::level::rng::Rng;

/// The byte of an eligible cell, which a walk may enter: it has a bit for each direction. [`open_directions`] takes
/// from the neighbour in direction `i` only bit `i`, so that four bytes joined by `or` are the mask. Other cells and
/// the border have none of these bits.
pub(crate) const ELIGIBLE: u8 = 0b1111;

/// A roll is below this number. It is a multiple of 1, 2, 3 and 4, so that `roll % n` has each value below n with the
/// same chance.
pub(crate) const ROLL_SIDES: usize = 12;

/// A mask with a bit for each direction in which there is an eligible cell.
#[inline]
pub(crate) fn open_directions(bytes: &[u8], index: usize, steps: [usize; 4]) -> u8 {
    let bits = (0..4).map(|i| bytes[index.wrapping_add(steps[i])] & 1 << i);
    bits.fold(0, |mask, bit| mask | bit)
}

/// The index in [`CHOICES`] that belongs to a mask and a roll.
#[inline]
pub(crate) const fn choice_index(mask: u8, roll: u8) -> usize {
    (mask << 4 | roll) as usize
}

/// For each mask and roll one of the directions of the mask, at [`choice_index`]; up if the mask is empty.
pub(crate) static CHOICES: [u8; 256] = {
    let mut choices = [0; 256];
    let mut index = 16;
    while index < 256 {
        let (mask, roll) = (index >> 4, index % 16 % ROLL_SIDES);
        // clears the lowest bits until the chosen one is the lowest
        let mut directions = mask;
        let mut before = roll % mask.count_ones() as usize;
        while before > 0 {
            directions &= directions - 1;
            before -= 1;
        }
        choices[index] = directions.trailing_zeros() as u8;
        index += 1;
    }
    choices
};

/// For each index of [`CHOICES`] the offset to the next cell, so that a step waits for one look-up, not for two (the
/// direction, then its offset).
pub(crate) fn strides(steps: [usize; 4]) -> [usize; 256] {
    CHOICES.map(|direction| steps[usize::from(direction & 3)])
}

/// Rolls, sixteen from each random word.
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
            self.ready = rng.digits::<{ ROLL_SIDES as u64 }, 16>();
        }
        self.taken += 1;
        self.ready[(self.taken - 1) % 16] as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_direction_of_a_mask_has_the_same_chance() {
        for mask in 1..16_usize {
            let count = mask.count_ones() as usize;
            for direction in (0..4).filter(|direction| mask >> direction & 1 == 1) {
                let rolls =
                    (0..ROLL_SIDES as u8).filter(|roll| CHOICES[choice_index(mask as u8, *roll)] == direction).count();
                assert_eq!(rolls, ROLL_SIDES / count, "{direction} of {mask:#b}");
            }
        }
    }
}
