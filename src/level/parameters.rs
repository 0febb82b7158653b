//! Named values as a caller gave them, read one by one while every fault is gathered.
//!
//! A reader takes the names it knows; what nobody took is unknown, and said so at the end. So a caller hears of all its
//! mistakes at once, whichever part of the program knows the parameter. Nothing here knows where the values came from.

pub mod options;

use std::borrow::Cow;

use crate::level::error::ParameterError;

/// The parameter of the mask. It is no text, and so not for every source of parameters.
pub const MASK: &str = "mask";

/// A value as it was given, or why it could not be decoded.
pub type Given<'a> = Result<Value<'a>, &'static str>;

/// A value, of the type that its source gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'a> {
    /// A text from a source that has no types: it may stand for anything.
    Bare(Cow<'a, str>),
    /// A text.
    Text(Cow<'a, str>),
    /// A number, in the characters in which it was written.
    Number(Cow<'a, str>),
    /// A truth value: `true` or `false`.
    Flag(&'static str),
    /// Two numbers, written with a comma between them.
    Pair(String),
    /// A list of texts.
    Rows(Vec<Cow<'a, str>>),
    /// A list of pairs of whole numbers.
    Points(Vec<[i64; 2]>),
    /// Nothing that any parameter takes; says what.
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

/// The whole numbers up to this one are held exactly by whoever holds numbers as doubles.
const EXACT: i64 = 1 << 53;

impl Value<'_> {
    /// Its text where it is of a form.
    fn text(&self, form: ParameterType) -> Result<&str, String> {
        match (self, form) {
            (Value::Bare(text), _)
            | (Value::Text(text), ParameterType::Name | ParameterType::Seed | ParameterType::Tile)
            | (Value::Number(text), ParameterType::Number) => Ok(text),
            (Value::Number(text), ParameterType::Seed) => match text.parse::<i64>() {
                Ok(number) if (-EXACT..=EXACT).contains(&number) => Ok(text),
                _ => Err("is a number that not every reader holds exactly; give a whole number within \
                          +-9007199254740992, or a string"
                    .into()),
            },
            (Value::Flag(text), ParameterType::Flag) => Ok(text),
            (Value::Pair(text), ParameterType::Tile) => Ok(text),
            _ => Err(format!("is {}; it must be {}", self.kind(), form.kind())),
        }
    }

    const fn kind(&self) -> &'static str {
        match self {
            Self::Bare(_) | Self::Text(_) => "a string",
            Self::Number(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::Pair(_) => "an array of two numbers",
            Self::Rows(_) => "an array of strings",
            Self::Points(_) => "an array of pairs of whole numbers",
            Self::Other(kind) => kind,
        }
    }
}

impl ParameterType {
    const fn kind(self) -> &'static str {
        match self {
            Self::Name => "a string",
            Self::Number => "a number",
            Self::Seed => "a string or a whole number",
            Self::Tile => "an array of two numbers or a string",
            Self::Flag => "true or false",
        }
    }
}

/// The pairs of one request, and the faults found so far.
#[derive(Debug, Default)]
pub struct Parameters<'a> {
    pairs: Vec<Pair<'a>>,
    faults: Vec<ParameterError>,
}

#[derive(Debug)]
struct Pair<'a> {
    name: Cow<'a, str>,
    value: Given<'a>,
    /// Somebody knows the name.
    known: bool,
}

impl<'a> Parameters<'a> {
    /// Takes pairs in the order in which they were given.
    pub fn new(pairs: Vec<(Cow<'a, str>, Given<'a>)>) -> Self {
        let mut all = Self { pairs: Vec::with_capacity(pairs.len()), faults: Vec::new() };
        for (name, value) in pairs {
            if !all.has(&name) {
                all.pairs.push(Pair { name, value, known: false });
            } else if !all.faults.iter().any(|fault| fault.parameter == name) {
                // one fault a name, however often it is repeated
                all.fault(&name, "is given more than once; give it once");
            }
        }
        all
    }

    /// Takes texts that may stand for anything.
    pub fn bare(pairs: &[(&'a str, &'a str)]) -> Self {
        Self::new(pairs.iter().map(|&(name, value)| (name.into(), Ok(Value::Bare(value.into())))).collect())
    }

    /// Whether `name` was given, read or not.
    pub fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|pair| pair.name == name)
    }

    /// Whether `name` was given; from then on it counts as known, without being read.
    pub fn take(&mut self, name: &str) -> bool {
        let pair = self.pairs.iter_mut().find(|pair| pair.name == name);
        pair.map(|pair| pair.known = true).is_some()
    }

    /// The value of `name` as `read` understands it; `None` where it was not given or there is a fault.
    pub fn value<T>(
        &mut self,
        name: &str,
        form: ParameterType,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.read(name, |value| value.text(form).and_then(read))
    }

    /// The same with a default where `name` was not given: `None` only where there is a fault.
    pub fn value_or<T>(
        &mut self,
        name: &str,
        form: ParameterType,
        default: T,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        if self.has(name) { self.value(name, form, read) } else { Some(default) }
    }

    /// The list of texts of `name` as `read` understands it; `None` where it was not given or there is a fault.
    pub fn rows<T>(&mut self, name: &str, read: impl FnOnce(&[Cow<'a, str>]) -> Result<T, String>) -> Option<T> {
        self.read(name, |value| match value {
            Value::Rows(rows) => read(rows),
            other => Err(format!("is {}; it must be an array of strings", other.kind())),
        })
    }

    /// The list of points of `name`; `None` where it was not given or there is a fault.
    pub fn points(&mut self, name: &str) -> Option<Vec<[i64; 2]>> {
        self.read(name, |value| match value {
            // there may be many, and nobody reads them twice
            Value::Points(points) => Ok(std::mem::take(points)),
            Value::Rows(rows) if rows.is_empty() => Err("is empty; it begins with the tile of the start".to_owned()),
            other => Err(format!("is {}; it must be an array of tiles, each [x,y] in whole numbers", other.kind())),
        })
    }

    fn read<T>(&mut self, name: &str, read: impl FnOnce(&mut Value<'a>) -> Result<T, String>) -> Option<T> {
        let pair = self.pairs.iter_mut().find(|pair| pair.name == name)?;
        pair.known = true;
        let value = pair.value.as_mut().map_err(|message| (*message).to_owned()).and_then(read);
        self.accept(name, value)
    }

    /// Unwraps what was made of the value of `name`, or notes the fault.
    pub fn accept<T>(&mut self, name: &str, value: Result<T, String>) -> Option<T> {
        value.map_err(|message| self.fault(name, message)).ok()
    }

    /// Notes a fault.
    pub fn fault(&mut self, name: &str, message: impl Into<String>) {
        self.faults.push(ParameterError::new(name, message));
    }

    /// Ends the reading of `value`: what was given and not read is unknown.
    ///
    /// # Errors
    /// All faults, where there is one.
    pub fn finish<T>(
        mut self,
        value: Option<T>,
        known: impl Fn() -> Vec<&'static str>,
    ) -> Result<T, Vec<ParameterError>> {
        for (i, Pair { name, .. }) in self.pairs.iter().filter(|pair| !pair.known).enumerate() {
            let known = if i == 0 { format!("; known are {}", known().join(", ")) } else { String::new() };
            self.faults.push(ParameterError::new(name, format!("is unknown here{known}")));
        }
        value.filter(|_| self.faults.is_empty()).ok_or(self.faults)
    }
}

/// Reads a plain decimal integer without sign or exponent.
///
/// # Errors
/// Says what is accepted where `text` is anything else, or out of `range`.
pub fn integer(text: &str, range: std::ops::RangeInclusive<u64>) -> Result<u64, String> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(value) if plain && range.contains(&value) => Ok(value),
        _ => Err(format!("must be a whole number from {} to {}, in digits only", range.start(), range.end())),
    }
}

/// The row of a table whose name, or one of whose other names, `text` is; a hyphen equals an underscore.
///
/// # Errors
/// Lists the names, not the other ones.
pub fn find_by_name<'t, T>(
    text: &str,
    table: &'t [T],
    name: impl Fn(&T) -> &'static str,
    aliases: impl Fn(&T) -> &'static [&'static str],
) -> Result<&'t T, String> {
    let same = |name: &str| name.bytes().eq(text.bytes().map(|b| if b == b'-' { b'_' } else { b }));
    table.iter().find(|row| same(name(row)) || aliases(row).iter().any(|alias| same(alias))).ok_or_else(|| {
        let names: Vec<_> = table.iter().map(&name).collect();
        format!("must be one of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(pairs: &[(&'static str, &'static str)]) -> Parameters<'static> {
        Parameters::bare(pairs)
    }

    #[test]
    fn every_fault_is_gathered() {
        let mut given = parameters(&[("size", "x"), ("what", "1"), ("seed", "1"), ("seed", "2"), ("seed", "3")]);
        assert_eq!(given.value("size", ParameterType::Number, |text| integer(text, 3..=9)), None);
        assert_eq!(given.value("seed", ParameterType::Seed, |text| Ok(text.to_owned())).as_deref(), Some("1"));
        assert_eq!(given.value("absent", ParameterType::Name, |_| Ok(())), None);
        let faults = given.finish(Some(()), || vec!["size", "seed"]).unwrap_err();
        let names: Vec<_> = faults.iter().map(|fault| fault.parameter.as_str()).collect();
        assert_eq!(names, ["seed", "size", "what"]);
    }

    #[test]
    fn integers_are_plain_digits() {
        assert_eq!(integer("41", 3..=99), Ok(41));
        for bad in ["", "+41", "-1", "41.5", "1e3", "abc", " 41", "2", "100", "99999999999999999999", "٤١"] {
            assert!(integer(bad, 3..=99).is_err(), "{bad:?}");
        }
    }
}
