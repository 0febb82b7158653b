//! The directions in which a walk can go on from a cell, and a uniform choice among them without a branch: four bytes
//! around the cell give a mask of directions, and the mask and a random number below twelve give the direction from a
//! table.

use crate::level::rng::Rng;

/// The byte of an eligible cell: a bit for each direction from which a walk can come. Other cells and the border have
/// none of these bits.
pub(crate) const ELIGIBLE: u8 = 0b1111;

/// The sides of a roll: it gives one, two, three or four directions equal chances.
pub(crate) const ROLL_SIDES: usize = 12;

/// A bit for each direction in which there is an eligible cell.
#[inline]
pub(crate) fn open_directions(bytes: &[u8], index: usize, steps: [usize; 4]) -> u8 {
    let bits = (0..4).map(|i| bytes[index.wrapping_add(steps[i])] & 1 << i);
    bits.fold(0, |mask, bit| mask | bit)
}

/// The index of a mask and a roll in [`CHOICES`].
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

/// The step to the next cell for each choice, so that the next cell depends on a single table.
pub(crate) fn strides(steps: [usize; 4]) -> [usize; 256] {
    CHOICES.map(|direction| steps[usize::from(direction & 3)])
}

/// Random numbers below [`ROLL_SIDES`], sixteen from a word.
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
