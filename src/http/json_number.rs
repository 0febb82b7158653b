//! Numbers of JSON as plain decimals. In JSON a number has no type: `41`, `41.0`, `4.1e1` and `410e-1` are one number,
//! and clients that hold all numbers as doubles send any of these.

use std::borrow::Cow;

/// The most digits before the point that a parameter may have, and more.
const MAX_DIGITS: i64 = 40;

/// Stands for any number between 0 and itself: no parameter tells two such numbers apart.
const TINY: &str = "0.0000000000000000000000000000000000000001";

/// A number as a plain decimal: perhaps a minus, digits without leading zeros, and only if the number is no integer a
/// point and more digits. The value is exact, except for a number so near to 0 that only its sign counts. A number too
/// large for any parameter stays as it is. So an exponent costs nothing, however large it is.
///
/// `json` must be a number of JSON. What is plain already, and any zeros after the point, takes no memory.
pub(super) fn plain(json: &str) -> Cow<'_, str> {
    let (mantissa, exponent) = json.split_once(['e', 'E']).unwrap_or((json, "0"));
    let (whole, places) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let places = places.trim_end_matches('0');
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let leading_zeros = if digits == "0" { places.len() - places.trim_start_matches('0').len() } else { 0 };
    if digits == "0" && places.is_empty() {
        return Cow::Borrowed("0");
    }
    let exponent = parse_exponent(exponent);
    if exponent == 0 {
        let end = if places.is_empty() { whole.len() } else { whole.len() + 1 + places.len() };
        return Cow::Borrowed(&json[..end]);
    }
    // the significant digits, and how many of them stand before the point; this may be negative, or more than there are
    let significant = format!("{digits}{places}");
    let significant = significant.trim_start_matches('0');
    let before_point =
        exponent.saturating_add(if digits == "0" { -signed(leading_zeros) } else { signed(digits.len()) });
    let significant = significant.trim_end_matches('0');
    let count = signed(significant.len());
    Cow::Owned(match before_point {
        _ if before_point <= -MAX_DIGITS => format!("{sign}{TINY}"),
        ..=0 => format!("{sign}0.{}{significant}", "0".repeat(before_point.unsigned_abs() as usize)),
        _ if before_point > MAX_DIGITS => return Cow::Borrowed(json),
        _ if before_point >= count => {
            format!("{sign}{significant}{}", "0".repeat(before_point.abs_diff(count) as usize))
        }
        _ => {
            let (whole, places) = significant.split_at(before_point.unsigned_abs() as usize);
            format!("{sign}{whole}.{places}")
        }
    })
}

fn signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// An exponent: perhaps a sign, and digits. One with more digits than a number of 64 bits becomes the largest one, far
/// from which no other digits of a body lead back.
fn parse_exponent(text: &str) -> i64 {
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    text.parse().unwrap_or(limit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_number_has_one_plain_form_however_it_is_written() {
        for (plain_form, forms) in [
            ("41", &["41", "41.0", "41.000", "4.1e1", "4.1E+1", "410e-1", "0.41e2", "0.0041e4", "41e0", "41.0e00"][..]),
            ("-41", &["-41", "-41.0", "-4.1e1", "-410e-1", "-0.41e2"]),
            ("0", &["0", "0.0", "-0", "-0.0", "0e5", "0e999999999999999999999", "-0.00e-7", "0.000"]),
            ("0.5", &["0.5", "0.500000", "5e-1", "50e-2", "0.05e1", "0.0005E3", "5.0e-1"]),
            ("-0.05", &["-0.05", "-5e-2", "-0.5e-1", "-0.0500"]),
            ("41.5", &["41.5", "41.50", "4.15e1", "415e-1"]),
            ("100", &["100", "1e2", "1.00e2", "0.1e3", "100.00"]),
            ("9007199254740993", &["9007199254740993", "9007199254740993.0", "9.007199254740993e15"]),
            (
                "4.00000000000000000000000000001",
                &["4.00000000000000000000000000001", "400000000000000000000000000001e-29"],
            ),
            (
                TINY,
                &[
                    "1e-50",
                    "5e-999999999",
                    "1e-99999999999999999999999999",
                    "0.00007e-40",
                    "0.01e-99999999999999999999",
                ],
            ),
        ] {
            for json in forms {
                assert_eq!(plain(json), plain_form, "{json}");
            }
        }
        for huge in ["1e50", "1e999999999", "-1E99999999999999999999999999999", "12.5e60"] {
            assert_eq!(plain(huge), huge, "no parameter takes such a number");
        }
    }

    #[test]
    fn many_digits_and_a_large_exponent_cancel_out() {
        let zeros = "0".repeat(1_000_000);
        assert_eq!(plain(&format!("41{zeros}e-1000000")), "41");
        assert_eq!(plain(&format!("0.{zeros}41e1000002")), "41");
        assert_eq!(plain(&format!("41.{zeros}")), "41");
        assert_eq!(plain(&format!("41.{zeros}1")).len(), 1_000_004);
    }

    #[test]
    fn plain_numbers_take_no_memory() {
        for json in ["7", "-7", "7.0", "0.25", "0.2500", "-0"] {
            assert!(matches!(plain(json), Cow::Borrowed(_)), "{json}");
        }
    }

    proptest! {
        #[test]
        fn the_plain_form_has_the_same_value(json in "-?(0|[1-9][0-9]{0,4})([.][0-9]{1,5})?([eE][+-]?[0-9]{1,2})?") {
            let form = plain(&json);
            // equal values are read as the same double
            let [value, same] = [json.as_str(), form.as_ref()].map(|text| text.parse::<f64>().unwrap());
            let is_tiny = value.abs() < 1e-39;
            let is_same = value.to_bits() == same.to_bits() || value == 0.0 && same == 0.0;
            prop_assert!(is_same || is_tiny, "{} {}", json, form);
            prop_assert!(is_tiny || value == 0.0 || value.abs() >= 1e40 || !form.contains(['e', 'E']), "{}", form);
            prop_assert_eq!(plain(&form), form.as_ref(), "plain already");
        }
    }
}
