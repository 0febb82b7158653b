//! How many rooms fit into a rectangle in columns and rows of one shape. The algorithm needs this number, and so does
//! the default of an option, so the number is computed below both.

use std::ops::RangeInclusive;

/// The largest number of rooms of one shape that fit, each of at least `area` tiles and with no side below `side`. Each
/// room needs one column and one row of wall behind it; one of each is added to the rectangle, because its last column
/// and row need none.
pub(crate) fn most_in_columns_and_rows(sides: [u32; 2], area: u64, side: u64) -> u64 {
    let [width, height] = sides.map(u64::from);
    let mut most = 0;
    for along in side.max(area.div_ceil(height))..=width {
        let across = area.div_ceil(along).max(side);
        if across <= height {
            most = most.max((width + 1) / (along + 1) * ((height + 1) / (across + 1)));
        }
        if across == side {
            // a longer room would be no less wide
            break;
        }
    }
    most
}

/// The largest number of a range for which `holds` is true, found by bisection: it must be true up to some number and
/// false beyond.
pub(crate) fn last(range: RangeInclusive<u64>, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = range.into_inner();
    let mut found = None;
    while low <= high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            found = Some(middle);
            low = middle + 1;
        } else if middle == 0 {
            break;
        } else {
            high = middle - 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_shape_gives_more_columns_and_rows() {
        for (width, height) in (1..=14).flat_map(|width| (1..=14).map(move |height| (width, height))) {
            for (area, side) in (1..=30).flat_map(|area| (1..=5).map(move |side| (area, side))) {
                let shapes = (side..=15).flat_map(|along| (side..=15).map(move |across| (along, across)));
                let counts = shapes.filter(|(along, across)| along * across >= area);
                let counts = counts.map(|(along, across)| (width + 1) / (along + 1) * ((height + 1) / (across + 1)));
                let most = most_in_columns_and_rows([width as u32, height as u32], area, side);
                assert_eq!(most, counts.max().unwrap_or(0), "{width}x{height}, area {area}, side {side}");
            }
        }
    }

    #[test]
    fn huge_demands_take_no_time() {
        let huge = (1 << 53) - 1;
        for (area, side) in [(huge, 1), (1, huge), (huge, huge)] {
            assert_eq!(most_in_columns_and_rows([3999, 3999], area, side), 0);
        }
    }

    #[test]
    fn last_finds_the_last_number_that_holds() {
        for end in 0..20 {
            assert_eq!(last(1..=17, |n| n <= end), (end > 0).then_some(end.min(17)));
        }
        let nothing = 0;
        assert_eq!(last(1..=nothing, |_| true), None);
        assert_eq!(last(0..=3, |_| false), None);
    }
}
