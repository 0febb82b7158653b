//! Values and their types.

use std::borrow::Cow;

/// A value as the client sent it, or why it could not be decoded.
pub type Given<'a> = Result<Value<'a>, &'static str>;

/// A value, of the type that its source gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'a> {
    /// A text from a source without types: it may stand for a value of any type.
    Bare(Cow<'a, str>),
    /// A text.
    Text(Cow<'a, str>),
    /// A number, in the characters that the client wrote.
    Number(Cow<'a, str>),
    /// A truth value: `true` or `false`.
    Flag(&'static str),
    /// Two numbers, written with a comma between them.
    Pair(String),
    /// A list of texts.
    Rows(Vec<Cow<'a, str>>),
    /// A list of pairs of integers.
    Points(Vec<[i64; 2]>),
    /// Named values: an object.
    Fields(Vec<(Cow<'a, str>, Value<'a>)>),
    /// A value that no parameter takes; the text says what it is.
    Other(&'static str),
}

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterType {
    /// A name.
    Name,
    /// A number.
    Number,
    /// An integer or any other text.
    Seed,
    /// Column and row, or a name.
    Tile,
    /// A truth value.
    Flag,
}

/// Up to this one, a client that holds numbers as doubles holds all integers exactly.
const EXACT: i64 = 1 << 53;

impl Value<'_> {
    /// The text of the value, if its type fits the type of the parameter.
    pub(crate) fn text(&self, expected: ParameterType) -> Result<&str, String> {
        match (self, expected) {
            (Value::Bare(text), _)
            | (Value::Text(text), ParameterType::Name | ParameterType::Seed | ParameterType::Tile)
            | (Value::Number(text), ParameterType::Number) => Ok(text),
            (Value::Number(text), ParameterType::Seed) => match text.parse::<i64>() {
                Ok(number) if (-EXACT..=EXACT).contains(&number) => Ok(text),
                _ => Err("is no integer from -9007199254740992 to 9007199254740992; give one, or a string".into()),
            },
            (Value::Flag(text), ParameterType::Flag) => Ok(text),
            (Value::Pair(text), ParameterType::Tile) => Ok(text),
            _ => Err(format!("is {}; it must be {}", self.description(), expected.description())),
        }
    }

    pub(crate) const fn description(&self) -> &'static str {
        match self {
            Self::Bare(_) | Self::Text(_) => "a string",
            Self::Number(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::Pair(_) => "an array of two numbers",
            Self::Rows(_) => "an array of strings",
            Self::Points(_) => "an array of pairs of integers",
            Self::Fields(_) => "an object",
            Self::Other(description) => description,
        }
    }
}

impl ParameterType {
    const fn description(self) -> &'static str {
        match self {
            Self::Name => "a string",
            Self::Number => "a number",
            Self::Seed => "a string or an integer",
            Self::Tile => "an array of two numbers or a string",
            Self::Flag => "true or false",
        }
    }
}
