//! The errors for a request with rooms that do not fit: for each parameter the largest value that would fit.

use std::cmp::Ordering;

use crate::level::algorithms::bsp::rectangle::capacity::RectangleDemand;
use crate::level::error::ParameterError;
use crate::level::parameters::columns_and_rows::last;
use crate::level::parameters::options::OptionId;

/// The errors of a demand for more rooms than fit. Each error names a change of one parameter that is enough by itself.
/// If not even one room fits and no single change is enough, each error names the limit for one room.
///
/// The least side of the demand is the larger one of `min_side` and `door_size`. A `min_side` as long as the door may
/// be its default, which follows the other options, or given: the errors hold for both.
pub(crate) fn errors(demand: RectangleDemand, [min_side, door]: [u64; 2], rooms: u64) -> Vec<ParameterError> {
    let RectangleDemand { area, side, .. } = demand;
    let error = |option: OptionId, message| ParameterError::new(option.row().name, message);
    let fit = if rooms == 1 { "1 room fits".to_owned() } else { format!("{rooms} rooms fit") };
    let mut errors = Vec::new();
    let most = demand.most();
    if most > 0 {
        let named_side = if min_side > door { format!(", min_side {min_side}") } else { String::new() };
        let least = format!("min_room_area {area}{named_side} and door_size {door}");
        errors
            .push(error(OptionId::Rooms, format!("is too large: {rooms} do not fit, at most {most} fit with {least}")));
    }
    let fits = |demand: RectangleDemand| demand.most() >= rooms;
    if let Some(area) = last(1..=(area - 1).min(demand.tiles()), |area| fits(RectangleDemand { area, ..demand })) {
        errors.push(error(OptionId::MinRoomArea, format!("is too large: {fit} with min_room_area up to {area}")));
    }
    let [width, height] = demand.inside;
    let shorter = u64::from(width.min(height));
    // the option that sets the least side, and how far it can be lowered by itself
    let (option, least, condition) = match min_side.cmp(&door) {
        Ordering::Greater => (OptionId::MinSide, door, ""),
        Ordering::Equal => (OptionId::DoorSize, 1, ", if min_side is no larger"),
        Ordering::Less => (OptionId::DoorSize, min_side, ""),
    };
    if let Some(side) = last(least..=(side - 1).min(shorter), |side| fits(RectangleDemand { side, ..demand })) {
        let name = option.row().name;
        errors.push(error(option, format!("is too large: {fit} with {name} up to {side}{condition}")));
    }
    if errors.is_empty() {
        if area > demand.tiles() {
            errors.push(error(
                OptionId::MinRoomArea,
                format!("is too large: one room has at most {} tiles here", demand.tiles()),
            ));
        }
        if door > shorter {
            errors
                .push(error(OptionId::DoorSize, format!("is too large: no door is longer than {shorter} tiles here")));
        }
        if min_side > shorter {
            errors.push(error(
                OptionId::MinSide,
                format!("is too large: one room is at most {width} x {height} tiles here"),
            ));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a least side that does not matter.
    fn errors_of(inside: [u32; 2], area: u64, door: u64, rooms: u64) -> Vec<(String, String)> {
        errors_with(inside, area, [1, door], rooms)
    }

    fn errors_with(inside: [u32; 2], area: u64, sides: [u64; 2], rooms: u64) -> Vec<(String, String)> {
        let side = sides[0].max(sides[1]);
        let errors = errors(RectangleDemand { inside, area, side }, sides, rooms);
        errors.into_iter().map(|error| (error.parameter, error.message)).collect()
    }

    fn texts(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(name, message)| (name.to_owned(), message.to_owned())).collect()
    }

    #[test]
    fn an_error_names_each_change_that_is_enough_by_itself() {
        assert_eq!(
            errors_of([19, 19], 25, 1, 40),
            texts(&[
                ("rooms", "is too large: 40 do not fit, at most 10 fit with min_room_area 25 and door_size 1"),
                ("min_room_area", "is too large: 40 rooms fit with min_room_area up to 4"),
            ])
        );
        assert_eq!(
            errors_of([19, 19], 4, 3, 43),
            texts(&[
                ("rooms", "is too large: 43 do not fit, at most 25 fit with min_room_area 4 and door_size 3"),
                ("door_size", "is too large: 43 rooms fit with door_size up to 1"),
            ])
        );
        let only = |errors: Vec<(String, String)>| errors.into_iter().map(|error| error.0).collect::<Vec<_>>();
        assert_eq!(only(errors_of([19, 19], 25, 3, 1_000)), ["rooms"]);
    }

    #[test]
    fn the_least_side_is_named_where_it_is_longer_than_the_door() {
        assert_eq!(
            errors_with([19, 19], 9, [6, 2], 12),
            texts(&[
                (
                    "rooms",
                    "is too large: 12 do not fit, at most 4 fit with min_room_area 9, min_side 6 and door_size 2"
                ),
                ("min_side", "is too large: 12 rooms fit with min_side up to 4"),
            ])
        );
        // lowering it to the length of the door is not enough
        assert_eq!(
            errors_with([19, 19], 4, [4, 3], 43),
            texts(&[(
                "rooms",
                "is too large: 43 do not fit, at most 16 fit with min_room_area 4, min_side 4 and door_size 3"
            )])
        );
        assert_eq!(
            errors_with([19, 19], 4, [3, 3], 43)[1..],
            texts(&[("door_size", "is too large: 43 rooms fit with door_size up to 1, if min_side is no larger")])
        );
        // a shorter door is no remedy beyond the least side
        assert_eq!(
            errors_with([19, 19], 4, [2, 3], 43),
            texts(&[("rooms", "is too large: 43 do not fit, at most 25 fit with min_room_area 4 and door_size 3")])
        );
        assert_eq!(
            errors_with([19, 9], 1, [10, 1], 1),
            texts(&[("min_side", "is too large: 1 room fits with min_side up to 9")])
        );
        assert_eq!(
            errors_with([19, 9], 172, [10, 1], 1),
            texts(&[
                ("min_room_area", "is too large: one room has at most 171 tiles here"),
                ("min_side", "is too large: one room is at most 19 x 9 tiles here"),
            ])
        );
    }

    #[test]
    fn the_error_of_one_room_names_what_would_fit() {
        assert_eq!(
            errors_of([19, 9], 1, 10, 1),
            texts(&[("door_size", "is too large: 1 room fits with door_size up to 9")])
        );
        assert_eq!(
            errors_of([19, 9], 172, 1, 1),
            texts(&[("min_room_area", "is too large: 1 room fits with min_room_area up to 171")])
        );
        let huge = (1 << 53) - 1;
        assert_eq!(
            errors_of([19, 9], huge, huge, huge),
            texts(&[
                ("min_room_area", "is too large: one room has at most 171 tiles here"),
                ("door_size", "is too large: no door is longer than 9 tiles here"),
            ])
        );
    }

    #[test]
    fn a_named_value_fits_and_one_more_does_not() {
        for width in 1..=20 {
            for (area, min_side, door, rooms) in
                [(1, 1, 1, 30), (5, 1, 1, 7), (9, 1, 2, 12), (20, 3, 3, 4), (300, 1, 5, 2), (9, 5, 2, 3), (2, 3, 4, 6)]
            {
                let side = u64::max(min_side, door);
                let demand = RectangleDemand { inside: [width, 14], area, side };
                if demand.most() >= rooms {
                    continue;
                }
                for error in errors(demand, [min_side, door], rooms) {
                    let value: u64 = match error.message.rsplit_once("up to ") {
                        Some((_, value)) => value.split(',').next().unwrap().parse().unwrap(),
                        None => continue,
                    };
                    let most = |value| match error.parameter.as_str() {
                        "min_room_area" => RectangleDemand { area: value, ..demand }.most(),
                        _ => RectangleDemand { side: value, ..demand }.most(),
                    };
                    assert!(most(value) >= rooms && most(value + 1) < rooms, "{demand:?}: {error:?}");
                }
            }
        }
    }
}
