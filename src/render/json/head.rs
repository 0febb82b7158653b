//! The fields that every answer about a level begins with: its recipe, defaults filled in, and as one text.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use crate::level::Level;
use crate::level::grid::Tile;
use crate::level::parameters::options::OptionType;
use crate::level::queries::fraction::Fraction;
use crate::level::recipe::{RECIPE, Recipe};
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
        // no text can hold a mask
        if recipe.mask().is_none() {
            map.serialize_entry(RECIPE, &recipe.to_string())?;
        }
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
        OptionType::Fraction { .. } => Fraction::of_units(value).to_number().into(),
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
