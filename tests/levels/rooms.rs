//! Rooms in a rectangle.

mod check;
mod distribution;
mod least_side;
mod promises;

use mazed::level::Level;
use mazed::level::error::{Error, ParameterError};
use mazed::level::grid::Tile;
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::work::Buffers;

use crate::fixtures::context;
use crate::rooms::check::broken_promise;

/// A request for a room map without a mask.
#[derive(Debug, Clone)]
struct RoomRequest {
    size: (u32, u32),
    rooms: u64,
    area: u64,
    door: u64,
    /// In ten-thousandths.
    jitter: u32,
    seed: u64,
    /// In ten-thousandths.
    loops: u64,
    /// The least side; if there is none, the request leaves it out.
    side: Option<u64>,
}

impl RoomRequest {
    fn build(&self) -> Result<Level, Vec<ParameterError>> {
        let jitter = format!("0.{:04}", self.jitter);
        let loops = format!("{}.{:04}", self.loops / 10_000, self.loops % 10_000);
        let numbers = [self.size.0.into(), self.size.1.into(), self.rooms, self.area, self.door, self.seed];
        let texts = numbers.map(|number: u64| number.to_string());
        let names = ["width", "height", "rooms", "min_room_area", "door_size", "seed"];
        let mut pairs: Vec<_> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
        pairs.extend([("algo", "bsp"), ("jitter", jitter.as_str()), ("loops", loops.as_str())]);
        let side = self.side.map(|side| side.to_string());
        pairs.extend(side.as_deref().map(|side| ("min_side", side)));
        let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).expect("a readable recipe");
        match Level::build(recipe, &mut context(&mut Buffers::default())) {
            Ok(level) => Ok(level),
            Err(Error::Unbuildable(errors)) => Err(errors),
            Err(other) => panic!("{self:?}: {other:?}"),
        }
    }

    /// The largest possible number of rooms, as the error for too many rooms names it; 0 if the error names none.
    fn most(&self) -> u64 {
        let errors = Self { rooms: (1 << 53) - 1, ..self.clone() }.build().expect_err("more rooms than tiles");
        named(&errors, "rooms", "at most ").unwrap_or(0)
    }

    fn check(&self) {
        let level = self.build().unwrap_or_else(|errors| panic!("{self:?}: {errors:?}"));
        let broken = broken_promise(self, &level);
        assert!(broken.is_none(), "{self:?}: {}\n{}", broken.unwrap_or_default(), picture(&level));
    }
}

/// The number that follows `words` in the error of `parameter`.
fn named(errors: &[ParameterError], parameter: &str, words: &str) -> Option<u64> {
    let error = errors.iter().find(|error| error.parameter == parameter)?;
    let (_, rest) = error.message.split_once(words)?;
    rest.split([' ', ',']).next()?.parse().ok()
}

fn picture(level: &Level) -> String {
    let size = level.grid().size();
    let row = |y| (0..size.width).map(move |x| if level.grid().is_open(Tile { x, y }) { '.' } else { '#' });
    (0..size.height).map(|y| row(y).chain(['\n']).collect::<String>()).collect()
}
