//! The table of options: what a recipe can set besides size and seed.
//!
//! An algorithm lists the options that it takes. Their names, types, limits, defaults and summaries stand here once,
//! for the reader of recipes, the catalogue of algorithms and `openapi.yaml`.

use crate::level::parameters::columns_and_rows::{last, most_in_columns_and_rows};
use crate::level::parameters::integer::integer;

/// All options. The number of each is the index of its row in [`OPTIONS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum OptionId {
    /// The fraction of the dead ends that get a second passage, which makes a loop.
    Braid,
    /// How often `growing_tree` goes on from the newest cell, as a fraction; otherwise it goes on from a random one.
    Mix,
    /// Least open area of a room, in tiles.
    MinRoomArea,
    /// Length of each door, in tiles.
    DoorSize,
    /// The exact number of rooms.
    Rooms,
    /// Least length of a side of a room, in tiles.
    MinSide,
    /// How far a cut may be from its ideal position.
    Jitter,
    /// The fraction of the other pairs of neighbouring rooms that get a door too.
    Loops,
}

/// The values that an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionType {
    /// An integer from 1.
    Count,
    /// A fraction from 0 to `max`, in [`FRACTION_UNIT`]s.
    Fraction {
        /// The largest value.
        max: u64,
    },
}

/// Fractions are rounded to four decimal places and stored as integers, so that they are the same on every machine.
pub const FRACTION_UNIT: u64 = 10_000;

/// The largest count: up to this number every JSON reader holds all integers exactly. No level needs so large a
/// count.
pub const MAX_COUNT: u64 = (1 << 53) - 1;

/// One row of the table.
#[derive(Debug)]
pub struct OptionSpec {
    /// Which option.
    pub option: OptionId,
    /// The parameter's name.
    pub name: &'static str,
    /// The values it takes.
    pub kind: OptionType,
    /// One line for the catalogue.
    pub summary: &'static str,
    /// The value if a request has none.
    pub default: OptionDefault,
}

/// The value of an option that a request leaves out.
#[derive(Debug)]
pub enum OptionDefault {
    /// The same for every level.
    Value(u64),
    /// A function of the level.
    Computed {
        /// The function in words, for the catalogue.
        summary: &'static str,
        /// Computes it from the tiles that may be open, the options of the rows above, and those that the request
        /// gives.
        of: fn(&Inside, &Options) -> u64,
    },
}

/// The tiles of a level that may be open, for defaults that depend on them.
#[derive(Debug, Clone, Copy)]
pub struct Inside {
    /// Their number.
    pub tiles: u64,
    /// Columns and rows, if they are a whole rectangle: without a mask.
    pub sides: Option<[u32; 2]>,
}

/// Every option, in the order in which responses and canonical URLs list them.
pub const OPTIONS: [OptionSpec; 8] = [
    OptionSpec {
        option: OptionId::Braid,
        name: "braid",
        kind: OptionType::Fraction { max: FRACTION_UNIT },
        summary: "fraction of the perfect maze's dead ends that get a second passage, which makes loops",
        default: OptionDefault::Value(0),
    },
    OptionSpec {
        option: OptionId::Mix,
        name: "mix",
        kind: OptionType::Fraction { max: FRACTION_UNIT },
        summary: "fraction of picks that take the newest cell; the others take a random one",
        default: OptionDefault::Value(FRACTION_UNIT / 2),
    },
    OptionSpec {
        option: OptionId::MinRoomArea,
        name: "min_room_area",
        kind: OptionType::Count,
        summary: "least open area of a room, in tiles",
        default: OptionDefault::Computed {
            summary: "9, or the tiles inside the border and the mask if fewer",
            of: |inside, _| inside.tiles.min(9),
        },
    },
    OptionSpec {
        option: OptionId::DoorSize,
        name: "door_size",
        kind: OptionType::Count,
        summary: "length of each door in tiles; without a mask no side of a room is shorter",
        default: OptionDefault::Value(1),
    },
    OptionSpec {
        option: OptionId::Rooms,
        name: "rooms",
        kind: OptionType::Count,
        summary: "the exact number of rooms",
        default: OptionDefault::Computed {
            summary: "one per 8 x max(min_room_area, door_size^2, min_side^2) tiles inside the border and the mask, at \
                      least 1",
            of: |inside, options| {
                // 0 if the request does not give a least side; its default never makes a room larger
                let side = options.get(OptionId::DoorSize).max(options.get(OptionId::MinSide));
                let room = options.get(OptionId::MinRoomArea).max(side.saturating_mul(side));
                (inside.tiles / room.saturating_mul(8)).max(1)
            },
        },
    },
    OptionSpec {
        option: OptionId::MinSide,
        name: "min_side",
        kind: OptionType::Count,
        summary: "least length of a side of a room, in tiles; not with a mask",
        default: OptionDefault::Computed {
            summary: "the integer square root of min_room_area, or less if so many rooms would not fit, at least \
                      door_size; with a mask 1",
            of: default_min_side,
        },
    },
    OptionSpec {
        option: OptionId::Jitter,
        name: "jitter",
        kind: OptionType::Fraction { max: 9_000 },
        summary: "how far a cut may be from its ideal position, as a fraction of the length of the smaller side there, \
                  or with a mask of its area",
        default: OptionDefault::Value(FRACTION_UNIT / 5),
    },
    OptionSpec {
        option: OptionId::Loops,
        name: "loops",
        kind: OptionType::Fraction { max: FRACTION_UNIT },
        summary: "fraction of the other pairs of rooms with a shared wall, where a door fits, that get a door too",
        default: OptionDefault::Value(0),
    },
];

/// The default of [`OptionId::MinSide`]: rooms as near to squares as their number permits. In a mask it is the least
/// value, because rooms have any shape there.
fn default_min_side(inside: &Inside, options: &Options) -> u64 {
    let Some(sides) = inside.sides else { return 1 };
    let [area, door, rooms] = [OptionId::MinRoomArea, OptionId::DoorSize, OptionId::Rooms].map(|id| options.get(id));
    let square = area.isqrt().min(sides[0].min(sides[1]).into());
    last(door..=square, |side| most_in_columns_and_rows(sides, area, side) >= rooms).unwrap_or(door)
}

impl OptionId {
    /// The option's row in the table.
    pub fn row(self) -> &'static OptionSpec {
        &OPTIONS[self as usize]
    }
}

impl OptionDefault {
    /// The value for a level with these tiles that may be open. `options` holds the rows above, and those that the
    /// request gives.
    pub fn of(&self, inside: &Inside, options: &Options) -> u64 {
        match self {
            Self::Value(value) => *value,
            Self::Computed { of, .. } => of(inside, options),
        }
    }
}

impl OptionType {
    /// The least and the greatest value.
    pub const fn bounds(self) -> (u64, u64) {
        match self {
            Self::Count => (1, MAX_COUNT),
            Self::Fraction { max } => (0, max),
        }
    }

    /// Reads a value of this type.
    ///
    /// # Errors
    /// Says what is accepted.
    pub fn parse(self, text: &str) -> Result<u64, String> {
        match self {
            Self::Count => integer(text, self.bounds().0..=self.bounds().1),
            Self::Fraction { max } => parse_fraction(text)
                .filter(|value| *value <= max)
                .ok_or_else(|| format!("must be a plain decimal from 0 to {}", format_fraction(max))),
        }
    }

    /// Writes a value of this type as in URLs and responses.
    pub fn format(self, value: u64) -> String {
        match self {
            Self::Count => value.to_string(),
            Self::Fraction { .. } => format_fraction(value),
        }
    }
}

/// Decimal places of a fraction.
const PLACES: usize = FRACTION_UNIT.ilog10() as usize;

/// Reads a plain decimal (digits, then perhaps a point and more digits) and rounds it to [`FRACTION_UNIT`]s. A half is
/// rounded up. Clients compute with doubles, so they send texts such as 0.30000000000000004, and -0.00000000000000001
/// where they mean 0.
fn parse_fraction(text: &str) -> Option<u64> {
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(places) {
        return None;
    }
    let place = |i: usize| places.as_bytes().get(i).map_or(0, |digit| u64::from(digit - b'0'));
    let kept = (0..PLACES).fold(0, |units, i| 10 * units + place(i));
    let units = whole.parse::<u64>().ok()?.checked_mul(FRACTION_UNIT)?.checked_add(kept)?;
    // of a negative number, rounding a half up leaves the nearer one to 0
    let is_half = place(PLACES) == 5 && places.bytes().skip(PLACES + 1).all(|digit| digit == b'0');
    let is_rounded_up = place(PLACES) >= 5 && !(is_negative && is_half);
    let units = units.checked_add(is_rounded_up.into())?;
    (!is_negative || units == 0).then_some(units)
}

/// The shortest plain decimal of a fraction.
fn format_fraction(value: u64) -> String {
    let text = format!("{}.{:04}", value / FRACTION_UNIT, value % FRACTION_UNIT);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A value for each option that the recipe's algorithm takes; the others are 0 and are never read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Options([u64; OPTIONS.len()]);

impl Options {
    /// The value of an option that the algorithm takes: a count, or a fraction in [`FRACTION_UNIT`]s.
    pub const fn get(&self, option: OptionId) -> u64 {
        self.0[option as usize]
    }

    pub(crate) const fn set(&mut self, option: OptionId, value: u64) {
        self.0[option as usize] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_stands_at_its_number() {
        for (i, row) in OPTIONS.iter().enumerate() {
            assert_eq!(row.option as usize, i, "{}", row.name);
        }
    }

    #[test]
    fn fractions_are_plain_decimals_held_exactly() {
        let jitter = OptionId::Jitter.row().kind;
        for (text, value, canonical) in [
            ("0", 0, "0"),
            ("0.2", 2_000, "0.2"),
            ("0.20", 2_000, "0.2"),
            ("0.9", 9_000, "0.9"),
            ("0.0001", 1, "0.0001"),
            ("00.5", 5_000, "0.5"),
            ("0.30000000000000004", 3_000, "0.3"),
            ("0.29999999999999999", 3_000, "0.3"),
            ("0.12344999999999999", 1_234, "0.1234"),
            ("0.12345", 1_235, "0.1235"),
            ("0.90004999999999999", 9_000, "0.9"),
            ("0.00004999", 0, "0"),
            ("0.00005", 1, "0.0001"),
            ("-0", 0, "0"),
            ("-0.00000000000000001", 0, "0"),
            ("-0.00005", 0, "0"),
        ] {
            assert_eq!(jitter.parse(text), Ok(value), "{text}");
            assert_eq!(jitter.format(value), canonical);
        }
        for bad in [
            "1.0",
            "1",
            "0.9001",
            "0.90005",
            "-0.000050001",
            "-",
            "--0",
            "NaN",
            "1e-1",
            ".5",
            "0.",
            "-0.1",
            "+0.1",
            "",
            "0,5",
            "99999999999999999999",
        ] {
            assert!(jitter.parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_defaults_of_rooms_are_the_documented_ones() {
        use OptionId::{DoorSize, MinRoomArea, MinSide, Rooms};
        let given = |sides: [u32; 2], given: &[(OptionId, u64)]| {
            let inside = Inside { tiles: u64::from(sides[0]) * u64::from(sides[1]), sides: Some(sides) };
            let mut options = Options::default();
            for (option, value) in given {
                options.set(*option, *value);
            }
            for row in OPTIONS.iter().filter(|row| !given.iter().any(|(option, _)| *option == row.option)) {
                options.set(row.option, row.default.of(&inside, &options));
            }
            [OptionId::MinRoomArea, OptionId::Rooms, OptionId::MinSide].map(|option| options.get(option))
        };
        assert_eq!(given([39, 39], &[]), [9, 21, 3]);
        assert_eq!(given([2, 1], &[]), [2, 1, 1]);
        assert_eq!(given([39, 39], &[(MinRoomArea, 24)]), [24, 7, 4]);
        assert_eq!(given([39, 39], &[(DoorSize, 5)]), [9, 7, 5]);
        // a least side that is given makes rooms larger
        assert_eq!(given([39, 39], &[(MinSide, 8)]), [9, 2, 8]);
        // 36 rooms with sides of 5 tiles, 43 of any shape
        assert_eq!(given([39, 39], &[(MinRoomArea, 25), (Rooms, 36)]), [25, 36, 5]);
        assert_eq!(given([39, 39], &[(MinRoomArea, 25), (Rooms, 37)])[2], 4);
        assert_eq!(given([39, 39], &[(MinRoomArea, 25), (Rooms, 44)])[2], 1);
        // no side is longer than the level
        assert_eq!(given([2, 39], &[(MinRoomArea, 30)]), [30, 1, 2]);
        // huge numbers, which nothing can be built with
        let huge = MAX_COUNT;
        assert_eq!(given([39, 39], &[(MinRoomArea, huge), (DoorSize, huge), (Rooms, huge)]), [huge, huge, huge]);
        let masked = Inside { tiles: 100, sides: None };
        assert_eq!(MinSide.row().default.of(&masked, &Options::default()), 1);
    }
}
