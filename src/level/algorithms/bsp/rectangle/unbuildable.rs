//! The errors for a request with rooms that do not fit: for each parameter the largest value that would fit.

use crate::level::algorithms::bsp::rectangle::capacity::{RectangleDemand, last};
use crate::level::error::ParameterError;
use crate::level::parameters::options::OptionId;

/// The errors of a demand for more rooms than fit. Each error names a change of one parameter that is enough by itself.
/// If not even one room fits and no single change is enough, each error names the limit for one room.
pub(crate) fn errors(demand: RectangleDemand, rooms: u64) -> Vec<ParameterError> {
    let RectangleDemand { area, side, .. } = demand;
    let error = |option: OptionId, message| ParameterError::new(option.row().name, message);
    let fit = if rooms == 1 { "1 room fits".to_owned() } else { format!("{rooms} rooms fit") };
    let mut errors = Vec::new();
    let most = demand.most();
    if most > 0 {
        let least = format!("min_room_area {area} and door_size {side}");
        errors
            .push(error(OptionId::Rooms, format!("is too large: {rooms} do not fit, at most {most} fit with {least}")));
    }
    let fits = |demand: RectangleDemand| demand.most() >= rooms;
    if let Some(area) = last(1..=(area - 1).min(demand.tiles()), |area| fits(RectangleDemand { area, ..demand })) {
        errors.push(error(OptionId::MinRoomArea, format!("is too large: {fit} with min_room_area up to {area}")));
    }
    let [width, height] = demand.inside;
    let shorter = u64::from(width.min(height));
    if let Some(side) = last(1..=(side - 1).min(shorter), |side| fits(RectangleDemand { side, ..demand })) {
        errors.push(error(OptionId::DoorSize, format!("is too large: {fit} with door_size up to {side}")));
    }
    if errors.is_empty() {
        if area > demand.tiles() {
            errors.push(error(
                OptionId::MinRoomArea,
                format!("is too large: one room has at most {} tiles here", demand.tiles()),
            ));
        }
        if side > shorter {
            errors
                .push(error(OptionId::DoorSize, format!("is too large: no door is longer than {shorter} tiles here")));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors_of(inside: [u32; 2], area: u64, side: u64, rooms: u64) -> Vec<(String, String)> {
        let errors = errors(RectangleDemand { inside, area, side }, rooms);
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
            for (area, side, rooms) in [(1, 1, 30), (5, 1, 7), (9, 2, 12), (20, 3, 4), (300, 5, 2)] {
                let demand = RectangleDemand { inside: [width, 14], area, side };
                if demand.most() >= rooms {
                    continue;
                }
                for error in errors(demand, rooms) {
                    let value: u64 = match error.message.rsplit_once("up to ") {
                        Some((_, value)) => value.parse().unwrap(),
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
