//! Reads integers from texts.

use std::ops::RangeInclusive;

/// Reads a plain decimal integer without sign or exponent.
///
/// # Errors
/// Says what is accepted if `text` is anything else, or out of `range`.
pub fn integer(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(value) if plain && range.contains(&value) => Ok(value),
        _ => Err(format!("must be an integer from {} to {}", range.start(), range.end())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_plain_digits() {
        assert_eq!(integer("41", 3..=99), Ok(41));
        for bad in ["", "+41", "-1", "41.5", "1e3", "abc", " 41", "2", "100", "99999999999999999999", "٤١"] {
            assert!(integer(bad, 3..=99).is_err(), "{bad:?}");
        }
    }
}
