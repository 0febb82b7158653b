//! The fields that every answer about a level begins with: its recipe, defaults filled in.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use crate::level::Level;
use crate::level::grid::Tile;
use crate::level::parameters::options::{FRACTION_UNIT, OptionType};
use crate::level::recipe::Recipe;
use crate::render::json::buffer::text;

/// The head of an answer.
pub struct Head<'a> {
    /// The recipe of the level.
    pub recipe: &'a Recipe,
    /// The start of the level.
    pub start: Tile,
    /// The exit of the level.
    pub exit: Tile,
}

impl<'a> Head<'a> {
    /// The head of every answer about a level.
    pub const fn of(level: &'a Level) -> Self {
        Self { recipe: level.recipe(), start: level.start(), exit: level.exit() }
    }
}

impl Serialize for Head<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let recipe = self.recipe;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("algorithm", recipe.algorithm().name)?;
        map.serialize_entry("seed", &recipe.seed().to_string())?;
        map.serialize_entry("width", &recipe.size().width)?;
        map.serialize_entry("height", &recipe.size().height)?;
        map.serialize_entry("options", &OptionValues(recipe))?;
        map.serialize_entry("start", &self.start)?;
        map.serialize_entry("exit", &self.exit)?;
        map.end()
    }
}

/// The recipe's options as an object of numbers.
struct OptionValues<'a>(&'a Recipe);

impl Serialize for OptionValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let options = self.0.algorithm().options;
        let mut map = serializer.serialize_map(Some(options.len()))?;
        for row in options.iter().map(|option| option.row()) {
            map.serialize_entry(row.name, &option_value(row.kind, self.0.options().get(row.option)))?;
        }
        map.end()
    }
}

/// An option's value as a number.
pub fn option_value(kind: OptionType, value: u64) -> Value {
    match kind {
        OptionType::Fraction { .. } if !value.is_multiple_of(FRACTION_UNIT) => {
            // A double holds four decimal places: the shortest text that reads back as this double has just these
            // places.
            (f64::from(value as u32) / f64::from(FRACTION_UNIT as u32)).into()
        }
        OptionType::Fraction { .. } => (value / FRACTION_UNIT).into(),
        OptionType::Count => value.into(),
    }
}

/// An answer: the head, and a few fields after it.
pub fn answer(head: Head, fields: &impl Serialize) -> Vec<u8> {
    #[derive(Serialize)]
    struct Whole<'a, T: Serialize> {
        #[serde(flatten)]
        head: Head<'a>,
        #[serde(flatten)]
        fields: &'a T,
    }
    text(&Whole { head, fields }).into_bytes()
}
