//! Fractions that are the same on every machine.

use serde::{Serialize, Serializer};
use serde_json::Number;

use crate::level::parameters::options::FRACTION_UNIT;

/// A number from 0 to 1, stored as an integer in units of 1 / [`FRACTION_UNIT`], so that it is the same on every
/// machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fraction(pub(super) u64);

impl Fraction {
    /// `part / whole`, rounded to the nearest unit; a half is rounded up.
    pub(super) const fn of(part: u64, whole: u64) -> Self {
        let (part, whole) = (part as u128, whole as u128);
        Self(((2 * part * FRACTION_UNIT as u128 + whole) / (2 * whole)) as u64)
    }

    /// The number of so many [`FRACTION_UNIT`]s.
    pub const fn of_units(units: u64) -> Self {
        Self(units)
    }

    /// The number as JSON has it: an integer, or a decimal with at most four places.
    pub fn to_number(self) -> Number {
        if self.0.is_multiple_of(FRACTION_UNIT) {
            return (self.0 / FRACTION_UNIT).into();
        }
        // a double holds four decimal places: the shortest text that reads back as this double has just these places
        let double = f64::from(self.0 as u32) / f64::from(FRACTION_UNIT as u32);
        Number::from_f64(double).unwrap_or_else(|| 0.into())
    }

    /// The number in [`FRACTION_UNIT`]s.
    pub const fn units(self) -> u64 {
        self.0
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_number().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_rounded_to_the_nearest_and_written_plainly() {
        for (part, whole, text) in [
            (0, 7, "0"),
            (7, 7, "1"),
            (1, 3, "0.3333"),
            (2, 3, "0.6667"),
            (1, 20_000, "0.0001"),
            (1, 20_001, "0"),
            (1, 10, "0.1"),
            (u64::MAX - 1, u64::MAX, "1"),
        ] {
            assert_eq!(serde_json::to_string(&Fraction::of(part, whole)).unwrap(), text);
        }
        for units in 0..=FRACTION_UNIT {
            let text = serde_json::to_string(&Fraction(units)).unwrap();
            assert!((text.parse::<f64>().unwrap() * 10_000.0 - f64::from(units as u32)).abs() < 1e-9);
            assert!(text.len() <= 6, "{text}");
        }
    }
}
