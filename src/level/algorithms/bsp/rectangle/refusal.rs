//! What a request for rooms that do not fit is told: for each parameter the largest value that would do.

use crate::level::algorithms::bsp::rectangle::capacity::{Demand, last};
use crate::level::error::ParameterError;
use crate::level::parameters::options::OptionId;

/// The faults of a demand for more rooms than fit. Each one names a change that is enough by itself, the others left as
/// they are; only where not even one room fits and no single change helps does each name what one room would take.
pub(crate) fn refuse(demand: Demand, rooms: u64) -> Vec<ParameterError> {
    let Demand { area, side, .. } = demand;
    let fault = |option: OptionId, message| ParameterError::new(option.row().name, message);
    let fit = if rooms == 1 { "1 room fits".to_owned() } else { format!("{rooms} rooms fit") };
    let mut faults = Vec::new();
    let most = demand.most();
    if most > 0 {
        let least = format!("min_room_area {area} and door_size {side}");
        faults
            .push(fault(OptionId::Rooms, format!("is too large: {rooms} do not fit, at most {most} fit with {least}")));
    }
    let fits = |demand: Demand| demand.most() >= rooms;
    if let Some(area) = last(1..=(area - 1).min(demand.tiles()), |area| fits(Demand { area, ..demand })) {
        faults.push(fault(OptionId::MinRoomArea, format!("is too large: {fit} with min_room_area up to {area}")));
    }
    let [width, height] = demand.inside;
    let shorter = u64::from(width.min(height));
    if let Some(side) = last(1..=(side - 1).min(shorter), |side| fits(Demand { side, ..demand })) {
        faults.push(fault(OptionId::DoorSize, format!("is too large: {fit} with door_size up to {side}")));
    }
    if faults.is_empty() {
        if area > demand.tiles() {
            faults.push(fault(
                OptionId::MinRoomArea,
                format!("is too large: one room has at most {} tiles here", demand.tiles()),
            ));
        }
        if side > shorter {
            faults
                .push(fault(OptionId::DoorSize, format!("is too large: no door is longer than {shorter} tiles here")));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(inside: [u32; 2], area: u64, side: u64, rooms: u64) -> Vec<(String, String)> {
        let faults = refuse(Demand { inside, area, side }, rooms);
        faults.into_iter().map(|fault| (fault.parameter, fault.message)).collect()
    }

    fn faults(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(name, message)| (name.to_owned(), message.to_owned())).collect()
    }

    #[test]
    fn a_refusal_names_every_single_change_that_is_enough() {
        assert_eq!(
            refused([19, 19], 25, 1, 40),
            faults(&[
                ("rooms", "is too large: 40 do not fit, at most 10 fit with min_room_area 25 and door_size 1"),
                ("min_room_area", "is too large: 40 rooms fit with min_room_area up to 4"),
            ])
        );
        assert_eq!(
            refused([19, 19], 4, 3, 43),
            faults(&[
                ("rooms", "is too large: 43 do not fit, at most 25 fit with min_room_area 4 and door_size 3"),
                ("door_size", "is too large: 43 rooms fit with door_size up to 1"),
            ])
        );
        let only = |faults: Vec<(String, String)>| faults.into_iter().map(|fault| fault.0).collect::<Vec<_>>();
        assert_eq!(only(refused([19, 19], 25, 3, 1_000)), ["rooms"]);
    }

    #[test]
    fn a_room_that_does_not_fit_at_all_is_told_what_would() {
        assert_eq!(
            refused([19, 9], 1, 10, 1),
            faults(&[("door_size", "is too large: 1 room fits with door_size up to 9")])
        );
        assert_eq!(
            refused([19, 9], 172, 1, 1),
            faults(&[("min_room_area", "is too large: 1 room fits with min_room_area up to 171")])
        );
        let huge = (1 << 53) - 1;
        assert_eq!(
            refused([19, 9], huge, huge, huge),
            faults(&[
                ("min_room_area", "is too large: one room has at most 171 tiles here"),
                ("door_size", "is too large: no door is longer than 9 tiles here"),
            ])
        );
    }

    #[test]
    fn a_named_value_fits_and_one_more_does_not() {
        for width in 1..=20 {
            for (area, side, rooms) in [(1, 1, 30), (5, 1, 7), (9, 2, 12), (20, 3, 4), (300, 5, 2)] {
                let demand = Demand { inside: [width, 14], area, side };
                if demand.most() >= rooms {
                    continue;
                }
                for fault in refuse(demand, rooms) {
                    let value: u64 = match fault.message.rsplit_once("up to ") {
                        Some((_, value)) => value.parse().unwrap(),
                        None => continue,
                    };
                    let most = |value| match fault.parameter.as_str() {
                        "min_room_area" => Demand { area: value, ..demand }.most(),
                        _ => Demand { side: value, ..demand }.most(),
                    };
                    assert!(most(value) >= rooms && most(value + 1) < rooms, "{demand:?}: {fault:?}");
                }
            }
        }
    }
}
