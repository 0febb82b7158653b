//! What a parameter takes: one row of the table of a recipe or a query, for the reader, the catalogue and the tests.

use crate::level::parameters::integer::integer;
use crate::level::parameters::options::{FRACTION_UNIT, OptionType};

/// A parameter.
#[derive(Debug, Clone, Copy)]
pub struct ParameterSpec {
    /// The parameter's name.
    pub name: &'static str,
    /// The values it takes.
    pub kind: ParameterKind,
    /// One line for the catalogue.
    pub summary: &'static str,
    /// What holds if a request leaves it out, in words, unless that is a value.
    pub default_summary: Option<&'static str>,
    /// Whether a request needs it, or else one of those that it excludes.
    pub is_required: bool,
    /// The parameters that cannot stand beside it.
    pub excludes: &'static [&'static str],
    /// The parameters that must stand beside it.
    pub needs: &'static [&'static str],
}

/// The values that a parameter takes, and the default if that is one of them.
#[derive(Debug, Clone, Copy)]
pub enum ParameterKind {
    /// One of these names; the first is the default.
    Name(fn() -> Vec<&'static str>),
    /// An integer.
    Integer {
        /// The least value.
        minimum: u64,
        /// The largest value.
        maximum: u64,
        /// The value if a request has none.
        default: Option<u64>,
    },
    /// A fraction from 0 to 1.
    Fraction,
    /// A side of a level: an integer within the limits of the service, which is odd for a maze.
    Side,
    /// A seed.
    Seed,
    /// A tile of a level.
    Tile,
    /// A tile of a level, or the farthest one.
    Endpoint,
    /// A truth value; the default is false.
    Flag,
    /// A list of tiles.
    Tiles,
    /// A letter for each step.
    Moves,
    /// A list of texts, which only a body can hold.
    Mask,
}

impl ParameterSpec {
    /// A parameter that a request may leave out.
    pub const fn new(name: &'static str, kind: ParameterKind, summary: &'static str) -> Self {
        Self { name, kind, summary, default_summary: None, is_required: false, excludes: &[], needs: &[] }
    }

    /// Says what holds if a request leaves the parameter out.
    pub const fn or_else(self, default_summary: &'static str) -> Self {
        Self { default_summary: Some(default_summary), ..self }
    }

    /// A request needs the parameter, or one of those that it excludes.
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// These parameters cannot stand beside it.
    pub const fn instead_of(self, excludes: &'static [&'static str]) -> Self {
        Self { excludes, ..self }
    }

    /// These parameters must stand beside it.
    pub const fn together_with(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }
}

impl ParameterKind {
    const FRACTION: OptionType = OptionType::Fraction { max: FRACTION_UNIT };

    /// Reads a number of this kind: an integer, or a fraction in [`FRACTION_UNIT`]s.
    ///
    /// # Errors
    /// Says what is accepted. Also if this is no kind of number.
    pub fn parse_number(self, text: &str) -> Result<u64, String> {
        match self {
            Self::Integer { minimum, maximum, .. } => integer(text, minimum..=maximum),
            Self::Fraction => Self::FRACTION.parse(text),
            _ => Err("is no number".to_owned()),
        }
    }

    /// Writes a number of this kind as in URLs and responses.
    pub fn format_number(self, value: u64) -> String {
        if let Self::Fraction = self { Self::FRACTION.format(value) } else { value.to_string() }
    }

    /// The number that holds if a request has none.
    pub const fn default_number(self) -> Option<u64> {
        if let Self::Integer { default, .. } = self { default } else { None }
    }
}
