//! Reads the pairs of one request.

use std::borrow::Cow;

use crate::level::error::ParameterError;
use crate::level::parameters::body_fields::body_only;
use crate::level::parameters::names::did_you_mean;
use crate::level::parameters::spec::ParameterSpec;
use crate::level::parameters::value::{Given, ParameterType, Value};

/// The pairs of one request, and the errors found so far.
///
/// ```
/// use mazed::level::parameters::{ParameterType, Parameters, integer};
///
/// let mut params = Parameters::bare(&[("count", "12"), ("limit", "x"), ("size", "3")]);
/// let number = |text: &str| integer(text, 1..=99);
/// let count = params.value("count", ParameterType::Number, number);
/// let limit = params.value_or("limit", ParameterType::Number, 50, number);
/// assert_eq!((count, limit), (Some(12), None));
///
/// // all errors at once: `x` is not a number, and no reader took the name `size`
/// let errors = params.finish(count.zip(limit), || vec!["count", "limit"]).unwrap_err();
/// let names: Vec<_> = errors.iter().map(|error| error.parameter.as_str()).collect();
/// assert_eq!(names, ["limit", "size"]);
/// ```
#[derive(Debug, Default)]
pub struct Parameters<'a> {
    pairs: Vec<Pair<'a>>,
    errors: Vec<ParameterError>,
}

#[derive(Debug)]
struct Pair<'a> {
    name: Cow<'a, str>,
    value: Given<'a>,
    /// Whether a reader took the name.
    known: bool,
}

impl<'a> Parameters<'a> {
    /// Takes pairs in the order in which the client wrote them.
    pub fn new(pairs: Vec<(Cow<'a, str>, Given<'a>)>) -> Self {
        let mut all = Self { pairs: Vec::with_capacity(pairs.len()), errors: Vec::new() };
        for (name, value) in pairs {
            if !all.has(&name) {
                all.pairs.push(Pair { name, value, known: false });
            } else if !all.errors.iter().any(|error| error.parameter == name) {
                // one error for each name, however often it is repeated
                all.add_error(&name, "is given more than once; give it once");
            }
        }
        all
    }

    /// Takes pairs of a source without types, such as a query string: each text may be read as any type.
    pub fn bare(pairs: &[(&'a str, &'a str)]) -> Self {
        let value = |name, value: &'a str| body_only(name).map_or(Ok(Value::Bare(value.into())), Err);
        Self::new(pairs.iter().map(|&(name, text)| (name.into(), value(name, text))).collect())
    }

    /// Whether `name` is among the pairs, taken or not.
    pub fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|pair| pair.name == name)
    }

    /// Takes `name` without reading its value. Returns whether it is among the pairs.
    pub fn take(&mut self, name: &str) -> bool {
        let pair = self.pairs.iter_mut().find(|pair| pair.name == name);
        pair.map(|pair| pair.known = true).is_some()
    }

    /// Takes `name` and reads its value by `read`; `None` if there is no such pair or an error.
    pub fn value<T>(
        &mut self,
        name: &str,
        expected: ParameterType,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.read(name, |value| value.text(expected).and_then(read))
    }

    /// Takes `name` and reads its value by `read`, or returns `default` if there is no such pair; `None` only if there
    /// is an error.
    pub fn value_or<T>(
        &mut self,
        name: &str,
        expected: ParameterType,
        default: T,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        if self.has(name) { self.value(name, expected, read) } else { Some(default) }
    }

    /// Takes the parameter of a row and reads its number, or returns the default of the row. Returns `None` if there is
    /// neither, or an error.
    pub fn number(&mut self, spec: &ParameterSpec) -> Option<u64> {
        if self.has(spec.name) {
            self.value(spec.name, ParameterType::Number, |text| spec.kind.parse_number(text))
        } else {
            spec.kind.default_number()
        }
    }

    /// Takes `name` and reads its list of texts by `read`; `None` if there is no such pair or an error.
    pub fn rows<T>(&mut self, name: &str, read: impl FnOnce(&[Cow<'a, str>]) -> Result<T, String>) -> Option<T> {
        self.read(name, |value| match value {
            Value::Rows(rows) => read(rows),
            other => Err(format!("is {}; it must be an array of strings", other.description())),
        })
    }

    /// Takes `name` and returns its list of points; `None` if there is no such pair or an error.
    pub fn points(&mut self, name: &str) -> Option<Vec<[i64; 2]>> {
        self.read(name, |value| match value {
            // moved, not copied: there may be a million
            Value::Points(points) => Ok(std::mem::take(points)),
            Value::Rows(rows) if rows.is_empty() => Err("is empty; it begins with the tile of the start".to_owned()),
            other => Err(format!("is {}; it must be an array of tiles, each [x,y] in integers", other.description())),
        })
    }

    /// Takes `name` and returns its fields as parameters of their own; none if there is no such pair or an error.
    pub fn fields(&mut self, name: &str) -> Self {
        let fields = self.read(name, |value| match value {
            Value::Fields(fields) => Ok(std::mem::take(fields)),
            other => Err(format!("is {}; it must be an object", other.description())),
        });
        let pairs = fields.unwrap_or_default().into_iter().map(|(name, value)| (name, Ok(value)));
        Self::new(pairs.collect())
    }

    /// Ends the reading of the fields of `name` and takes over their errors.
    pub fn finish_fields(&mut self, name: &str, fields: Self, known: impl Fn() -> Vec<&'static str>) {
        for ParameterError { parameter, message } in fields.finish(Some(()), known).err().unwrap_or_default() {
            self.add_error(&format!("{name}.{parameter}"), message);
        }
    }

    fn read<T>(&mut self, name: &str, read: impl FnOnce(&mut Value<'a>) -> Result<T, String>) -> Option<T> {
        let pair = self.pairs.iter_mut().find(|pair| pair.name == name)?;
        pair.known = true;
        let value = pair.value.as_mut().map_err(|message| (*message).to_owned()).and_then(read);
        self.accept(name, value)
    }

    /// Returns the value, or adds its error as an error of `name`.
    pub fn accept<T>(&mut self, name: &str, value: Result<T, String>) -> Option<T> {
        value.map_err(|message| self.add_error(name, message)).ok()
    }

    /// Adds an error.
    pub fn add_error(&mut self, name: &str, message: impl Into<String>) {
        self.errors.push(ParameterError::new(name, message));
    }

    /// Ends the reading and returns `value` if there is no error. Each name that no reader took is an error; the first
    /// of these errors lists the names that `known` returns, and each says which of them is near.
    ///
    /// # Errors
    /// All errors, if there is one.
    pub fn finish<T>(
        mut self,
        value: Option<T>,
        known: impl Fn() -> Vec<&'static str>,
    ) -> Result<T, Vec<ParameterError>> {
        let unknown: Vec<_> = self.pairs.iter().filter(|pair| !pair.known).map(|pair| &pair.name).collect();
        let known = if unknown.is_empty() { vec![] } else { known() };
        for (i, name) in unknown.into_iter().enumerate() {
            let all = if i == 0 { format!("; known are {}", known.join(", ")) } else { String::new() };
            let meant = did_you_mean(name, known.iter().copied());
            self.errors.push(ParameterError::new(name, format!("is unknown here{all}{meant}")));
        }
        value.filter(|_| self.errors.is_empty()).ok_or(self.errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::parameters::integer;

    fn parameters(pairs: &[(&'static str, &'static str)]) -> Parameters<'static> {
        Parameters::bare(pairs)
    }

    #[test]
    fn every_error_is_collected() {
        let mut params = parameters(&[("size", "x"), ("what", "1"), ("seed", "1"), ("seed", "2"), ("seed", "3")]);
        assert_eq!(params.value("size", ParameterType::Number, |text| integer(text, 3..=9)), None);
        assert_eq!(params.value("seed", ParameterType::Seed, |text| Ok(text.to_owned())).as_deref(), Some("1"));
        assert_eq!(params.value("absent", ParameterType::Name, |_| Ok(())), None);
        let errors = params.finish(Some(()), || vec!["size", "seed"]).unwrap_err();
        let names: Vec<_> = errors.iter().map(|error| error.parameter.as_str()).collect();
        assert_eq!(names, ["seed", "size", "what"]);
    }
}
