//! What the field `recipe` of a body says, and what stands beside it.
//!
//! The head of an answer says a recipe twice: by the field `recipe`, and by the fields that it stands for, defaults
//! filled in. A client may send all of it back, so these fields are compared with the recipe.

use crate::level::error::{Error, ParameterError};
use crate::level::grid::Tile;
use crate::level::parameters::{ParameterType, Parameters, RECIPE, form_parameters};
use crate::level::recipe::limits::Limits;
use crate::level::recipe::recipe::{FARTHEST, Recipe};

/// Longer than any recipe. The longest part of one is a seed of 64 characters, each of which takes at most 12 in
/// percent escapes.
const MAX_BYTES: usize = 4_096;

/// What the field `recipe` says.
#[derive(Debug)]
pub(super) enum Stated {
    /// There is no such field.
    Absent,
    /// It has an error.
    Unreadable,
    /// A recipe.
    Recipe(Box<Recipe>),
}

impl Stated {
    /// Reads the field: the text of a recipe, in any order and form that a query string may have. It must name a seed.
    pub(super) fn read(params: &mut Parameters, limits: Limits) -> Self {
        if !params.has(RECIPE) {
            return Self::Absent;
        }
        let read = |text: &str| {
            if text.len() > MAX_BYTES {
                return Err(format!("has {} bytes, and no recipe has more than {MAX_BYTES}", text.len()));
            }
            Recipe::read_whole(form_parameters(text), limits).map_err(|errors| {
                let say = |ParameterError { parameter, message }| format!("has an error at {parameter}: {message}");
                errors.into_iter().map(say).collect::<Vec<_>>().join("; ")
            })
        };
        let recipe = params.value(RECIPE, ParameterType::Name, read);
        recipe.map_or(Self::Unreadable, |recipe| Self::Recipe(recipe.into()))
    }

    /// The recipe, if the field says one.
    pub(super) fn recipe(&self) -> Option<&Recipe> {
        if let Self::Recipe(recipe) = self { Some(recipe) } else { None }
    }

    /// Whether there is no such field.
    pub(super) const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value of a parameter that is not given beside the recipe.
    pub(super) fn or<T>(&self, of: impl FnOnce(&Recipe) -> T, default: impl FnOnce() -> Option<T>) -> Option<T> {
        match self {
            Self::Absent => default(),
            Self::Unreadable => None,
            Self::Recipe(recipe) => Some(of(recipe)),
        }
    }

    /// The value of a parameter that is given. If the recipe says another one, that is an error of the parameter.
    pub(super) fn compare<T: PartialEq>(
        &self,
        params: &mut Parameters,
        name: &str,
        value: Option<T>,
        of: impl FnOnce(&Recipe) -> T,
        write: impl Fn(&T) -> String,
    ) -> Option<T> {
        let value = value?;
        match self.recipe().map(of) {
            Some(said) if said != value => {
                params.accept(name, Err(format!("is {}, but {RECIPE} says {}", write(&value), write(&said))))
            }
            _ => Some(value),
        }
    }
}

/// Tiles of start and exit that a client names beside a recipe that says `farthest`. The level must have them there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Claims {
    pub(super) start: Option<Tile>,
    pub(super) exit: Option<Tile>,
}

impl Claims {
    /// Whether there is nothing to check.
    pub const fn is_empty(self) -> bool {
        self.start.is_none() && self.exit.is_none()
    }

    /// Compares them with the start and the exit of the level.
    ///
    /// # Errors
    /// Names each tile that is another one in this level.
    pub fn check(self, start: Tile, exit: Tile) -> Result<(), Error> {
        let wrong = |(name, claim, tile): (&str, Option<Tile>, Tile)| {
            let Tile { x, y } = claim.filter(|claim| *claim != tile)?;
            let farthest = format!("{FARTHEST}, which is [{},{}] in this level", tile.x, tile.y);
            Some(ParameterError::new(name, format!("is [{x},{y}], but {RECIPE} says {farthest}")))
        };
        let ends = [("start", self.start, start), ("exit", self.exit, exit)];
        let errors: Vec<_> = ends.into_iter().filter_map(wrong).collect();
        if errors.is_empty() { Ok(()) } else { Err(Error::Misplaced(errors)) }
    }
}
