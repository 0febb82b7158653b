//! A request for rooms in a mask, and whether the program fulfils it.

use mazed::level::Level;
use mazed::level::error::{Error, ParameterError};
use mazed::level::parameters::options::OptionId;
use mazed::level::recipe::Recipe;
use mazed::level::work::Buffers;

use crate::fixtures::{self, context};
use crate::masked_rooms::map::{Map, Terms, picture};
use crate::masked_rooms::masks::Mask;
use crate::masked_rooms::{FAILING_SEEDS, NAMED_SEEDS};

/// The parameters of a request for a room map besides its mask.
#[derive(Debug, Clone)]
pub(crate) struct MaskedRequest {
    /// `None` for the default number.
    pub(crate) rooms: Option<u64>,
    pub(crate) area: u64,
    pub(crate) door: u64,
    /// In ten-thousandths.
    pub(crate) jitter: u64,
    /// In ten-thousandths.
    pub(crate) loops: u64,
    pub(crate) seed: u64,
}

impl MaskedRequest {
    fn recipe(&self, mask: &Mask) -> Recipe {
        let fraction = |value: u64| format!("{}.{:04}", value / 10_000, value % 10_000);
        let mut texts = vec![
            ("algo", "bsp".to_owned()),
            ("min_room_area", self.area.to_string()),
            ("door_size", self.door.to_string()),
            ("jitter", fraction(self.jitter)),
            ("loops", fraction(self.loops)),
            ("seed", self.seed.to_string()),
        ];
        texts.extend(self.rooms.map(|rooms| ("rooms", rooms.to_string())));
        fixtures::recipe(&texts, &mask.rows).expect("a readable recipe")
    }

    pub(crate) fn build(&self, mask: &Mask, buffers: &mut Buffers) -> Result<Level, Vec<ParameterError>> {
        match Level::build(self.recipe(mask), &mut context(buffers)) {
            Ok(level) => Ok(level),
            Err(Error::Unbuildable(errors)) => Err(errors),
            Err(other) => panic!("{self:?}: {other:?} in {mask:?}"),
        }
    }

    /// The number of rooms, requested or by default.
    pub(crate) fn rooms(&self, mask: &Mask) -> u64 {
        self.recipe(mask).options().get(OptionId::Rooms)
    }

    /// Builds the level and checks its promises. The error says why the level cannot be built, or which promise it
    /// breaks.
    pub(crate) fn try_to_fulfil(&self, mask: &Mask, buffers: &mut Buffers) -> Result<(), String> {
        let level = self.build(mask, buffers).map_err(|errors| format!("cannot be built: {errors:?}"))?;
        let rooms = level.recipe().options().get(OptionId::Rooms);
        let terms = Terms { rooms, area: self.area, door: self.door, loops: self.loops };
        let map = Map::of(&level);
        let checked = map.check(&terms, mask).map_err(|broken| format!("{broken}\n{}", picture(&map)));
        buffers.recycle(level.into_layout());
        checked
    }

    pub(crate) fn check(&self, mask: &Mask, buffers: &mut Buffers) {
        if let Err(broken) = self.try_to_fulfil(mask, buffers) {
            panic!("{self:?}: {broken}\nin {mask:?}");
        }
    }

    /// The largest number of rooms that the errors of this request name; `None` if not even one room fits.
    pub(crate) fn most_named(&self, errors: &[ParameterError], mask: &Mask) -> Option<u64> {
        let error_of = |parameter| errors.iter().find(|error| error.parameter == parameter);
        if self.area > mask.tiles() {
            assert!(error_of("min_room_area").is_some(), "{self:?}: {errors:?} in {mask:?}");
            return None;
        }
        let (_, named) = error_of("rooms")?.message.split_once("at most ")?;
        named.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
    }
}

/// Checks requests that differ only in seed and loops. Either all of them can be built, or all give the same errors,
/// and the number of rooms that the errors name can be built.
pub(crate) fn check_for_all_seeds(requests: &[MaskedRequest], mask: &Mask, buffers: &mut Buffers) {
    let first = &requests[0];
    let Err(errors) = first.build(mask, buffers) else {
        return requests.iter().for_each(|request| request.check(mask, buffers));
    };
    for request in &requests[1..requests.len().min(FAILING_SEEDS)] {
        let others = request.build(mask, buffers).err();
        assert_eq!(others.as_ref(), Some(&errors), "{request:?} after {first:?} in {mask:?}");
    }
    let most = first.most_named(&errors, mask);
    let fits_one = first.area <= mask.tiles();
    assert_eq!(most.is_some(), fits_one, "{first:?}: {errors:?} in {mask:?}");
    if let Some(most) = most {
        assert!((1..first.rooms(mask)).contains(&most), "{first:?}: {errors:?} in {mask:?}");
        for request in &requests[..requests.len().min(NAMED_SEEDS)] {
            MaskedRequest { rooms: Some(most), ..request.clone() }.check(mask, buffers);
        }
    }
}
