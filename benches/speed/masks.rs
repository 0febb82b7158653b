//! Rooms in masks, in milliseconds a level: the slowest of a few seeds, because the time until an error must have a
//! bound too, like the time of a level.

use std::hint::black_box;

use mazed::level::Level;
use mazed::level::error::Error;
use mazed::level::parameters::options::OptionId;
use mazed::level::parameters::{Parameters, Value};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::work::JobContext;

use super::clock::{median_ns, time};
use super::{Wanted, report};

/// Whether a tile is inside: its column and row, and the side of the mask.
type Shape = fn(i64, i64, i64) -> bool;

const SHAPES: [(&str, Shape); 4] = [
    ("ring", |x, y, side| {
        let from_middle = (2 * x - side + 1).pow(2) + (2 * y - side + 1).pow(2);
        (side * side / 4..side * side).contains(&from_middle)
    }),
    ("comb", |x, y, side| y > side * 7 / 8 || x % 2 == 1),
    ("pillars", |x, y, _| x % 4 != 0 || y % 4 != 0),
    ("necks", |x, y, _| x % 10 != 0 && y % 10 != 0 || x % 10 == 5 || y % 10 == 5),
];

/// Masks larger than this are not for rooms.
const MAX_SIDE: u32 = 512;

/// Measures the default number of rooms, many rooms (two fifths of what so many tiles could hold at best), and so many
/// small rooms that they cannot be built.
pub(super) fn all(wanted: &Wanted, context: &mut JobContext) {
    for (shape, inside) in SHAPES {
        for &side in wanted.sides.iter().filter(|side| **side <= MAX_SIDE) {
            let rows = rows(side, inside);
            let inside = recipe(&rows, 7, "9", None).inside();
            let (crowd, too_many) = ((inside + 1) / 10 * 2 / 5, inside.div_ceil(2));
            for (kind, area, rooms) in
                [("", "9", None), ("_crowded", "9", Some(crowd)), ("_refused", "1", Some(too_many))]
            {
                let subject = format!("mask_{shape}{kind}");
                if wanted.subject(&subject) || wanted.subject("masks") {
                    let figures = (7..10).map(|seed| milliseconds(&recipe(&rows, seed, area, rooms), kind, context));
                    report(&subject, side, figures.fold(0.0, f64::max));
                }
            }
        }
    }
}

fn milliseconds(recipe: &Recipe, kind: &str, context: &mut JobContext) -> f64 {
    let mut run = || match black_box(Level::build(black_box(recipe).clone(), context)) {
        Ok(level) => {
            context.buffers.recycle(level.into_layout());
            true
        }
        Err(Error::Unbuildable(_)) => false,
        Err(error) => panic!("{error:?}"),
    };
    assert_eq!(run(), kind != "_refused", "{recipe}: {:?} rooms", recipe.options().get(OptionId::Rooms));
    let [ns] = median_ns(|| {
        [time(|| {
            run();
        })]
    });
    ns / 1e6
}

fn rows(side: u32, inside: Shape) -> Vec<String> {
    let side = i64::from(side);
    let row = |y| (0..side).map(|x| if inside(x, y, side) { '#' } else { ' ' }).collect();
    (0..side).map(row).collect()
}

fn recipe(rows: &[String], seed: u64, area: &str, rooms: Option<u64>) -> Recipe {
    let text = |name: &'static str, value: String| (name.into(), Ok(Value::Bare(value.into())));
    let mut params =
        vec![text("algo", "bsp".to_owned()), text("seed", seed.to_string()), text("min_room_area", area.to_owned())];
    params.extend(rooms.map(|rooms| text("rooms", rooms.to_string())));
    params.push(("mask".into(), Ok(Value::Rows(rows.iter().map(|row| row.as_str().into()).collect()))));
    let mut params = Parameters::new(params);
    let recipe = Recipe::read(&mut params, Limits::of_side(16_001), || 0);
    match params.finish(recipe, Vec::new) {
        Ok(recipe) => recipe,
        Err(faults) => panic!("{faults:?}"),
    }
}
