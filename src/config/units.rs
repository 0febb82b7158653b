//! Reads settings with units: sizes such as `64MiB`, and times such as `500ms`. A plain number is bytes or seconds.
//!
//! The crates for this read more than an operator means (`1 mb` as well as `64Mi`), go through floating point numbers,
//! or take no plain numbers.

use std::ops::RangeInclusive;
use std::time::Duration;

/// The units of sizes, the largest first within each kind.
const SIZES: [(&str, u64); 10] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1_000),
    ("KB", 1_000),
    ("B", 1),
];

/// The units of times, in milliseconds.
const TIMES: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

/// The longest time: a day, so that no deadline exceeds what the clock can hold.
const LONGEST: Duration = Duration::from_hours(24);

/// Splits a text into its number and the letters after it.
fn split(text: &str) -> (&str, &str) {
    text.split_at(text.trim_end_matches(|last: char| last.is_ascii_alphabetic()).len())
}

/// The factor of a unit of the table; that of no unit is `plain`.
fn factor(table: &[(&str, u64)], unit: &str, plain: u64) -> Option<u64> {
    if unit.is_empty() { Some(plain) } else { table.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor) }
}

/// A reader of sizes within a range of bytes.
pub(super) fn size(range: RangeInclusive<usize>) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| {
        let (number, unit) = split(text);
        let bytes = factor(&SIZES, unit, 1).zip(number.parse::<u64>().ok());
        let bytes = bytes.and_then(|(factor, number)| usize::try_from(number.checked_mul(factor)?).ok());
        bytes.filter(|bytes| range.contains(bytes)).ok_or_else(|| {
            let (least, most) = (size_text(*range.start()), size_text(*range.end()));
            format!(
                "give a whole number of bytes, or one with a unit (kB, MB, GB, KiB, MiB, GiB), from {least} to {most}"
            )
        })
    }
}

/// A size in its largest exact binary unit.
pub(super) fn size_text(bytes: usize) -> String {
    let unit = SIZES[..4].iter().find(|(_, factor)| bytes > 0 && (bytes as u64).is_multiple_of(*factor));
    unit.map_or_else(|| bytes.to_string(), |(name, factor)| format!("{}{name}", bytes as u64 / factor))
}

/// Reads a time.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let unit = factor(&TIMES, unit, 1_000).map(Duration::from_millis);
    let seconds = unit.zip(number.parse::<f64>().ok()).map(|(unit, number)| unit.as_secs_f64() * number);
    // this rounds to nanoseconds: 0.1 is 100 ms
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| *time <= LONGEST).ok_or_else(|| {
        let most = LONGEST.as_secs();
        format!("give seconds from 0 to {most}, such as 10 or 0.5, or a number with a unit: 500ms, 10s, 2m, 1h")
    })
}

/// Reads a time above zero.
pub(super) fn some_time(text: &str) -> Result<Duration, String> {
    time(text).and_then(|time| if time.is_zero() { Err("give more than 0 seconds".to_owned()) } else { Ok(time) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_or_are_plain_bytes() {
        let read = size(1..=1 << 40);
        for (text, bytes) in [
            ("67108864", 64 << 20),
            ("64MiB", 64 << 20),
            ("64MB", 64_000_000),
            ("48KiB", 48 << 10),
            ("48kB", 48_000),
            ("48KB", 48_000),
            ("2GiB", 2 << 30),
            ("2GB", 2_000_000_000),
            ("1TiB", 1 << 40),
            ("1TB", 1_000_000_000_000),
            ("7B", 7),
        ] {
            assert_eq!(read(text), Ok(bytes), "{text}");
        }
        for bad in ["", "0", "MiB", "64M", "64mib", "64 MiB", "1.5MiB", "-1", "2TiB", "99999999TiB", "0x10", "64MiBs"] {
            let message = read(bad).unwrap_err();
            assert!(message.ends_with("from 1 to 1TiB"), "{bad:?}: {message}");
        }
    }

    #[test]
    fn a_size_is_shown_in_its_largest_exact_unit() {
        for (bytes, text) in [(0, "0"), (1_000, "1000"), (8192, "8KiB"), (48 << 20, "48MiB"), (1 << 40, "1TiB")] {
            assert_eq!(size_text(bytes), text);
            assert_eq!(size(0..=1 << 40)(text), Ok(bytes));
        }
    }

    #[test]
    fn times_have_units_or_are_plain_seconds() {
        for (text, millis) in [
            ("10", 10_000),
            ("0.5", 500),
            ("0", 0),
            ("1e1", 10_000),
            ("10s", 10_000),
            ("0.1s", 100),
            ("500ms", 500),
            ("2m", 120_000),
            ("1.5m", 90_000),
            ("24h", 86_400_000),
        ] {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for bad in ["", "s", "-1", "-1s", "10 s", "10sec", "10S", "1d", "NaN", "inf", "25h", "86401", "1m30s", "1e9"] {
            assert!(time(bad).unwrap_err().contains("500ms"), "{bad:?}");
        }
        assert!(some_time("0ms").unwrap_err().contains("more than 0"));
        assert_eq!(some_time("1ms"), Ok(Duration::from_millis(1)));
    }
}
