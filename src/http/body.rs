//! The body of a request: one JSON object, whose fields are the parameters.
//!
//! What a client sends is held only within a budget that all requests share, from its first byte to its answer, and so
//! is what is read from it. Fields are read as strictly as a query is: no field twice, no text for a number, no number
//! that a double would round.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt as _;
use mediatype::MediaType;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout_at;

use crate::config::BODY_COST;
use crate::http::app::Shared;
use crate::http::problem::Problem;
use crate::http::url_query::MAX_PAIRS;
use crate::level::error::ParameterError;
use crate::level::parameters::{Parameters, Value};
use crate::level::recipe::MAX_SIDE;

/// Characters of an unknown name that an error repeats.
const NAME_SHOWN: usize = 64;

/// What a body is called where all of it is at error.
const BODY: &str = "body";

/// A body that was read, with its share of the budget.
pub(super) struct Text {
    bytes: Vec<u8>,
    /// Given back with the body.
    share: Option<OwnedSemaphorePermit>,
}

/// Reads a body of JSON to its end.
pub(super) async fn read(headers: &HeaderMap, body: Body, app: &Shared, deadline: Instant) -> Result<Text, Problem> {
    if !is_json(headers) || headers.contains_key(header::CONTENT_ENCODING) {
        return Err(Problem::UnsupportedMediaType);
    }
    match timeout_at(deadline.into(), collect(body, app)).await {
        Ok(text) => text,
        Err(_) => Err(Problem::BodyTooSlow),
    }
}

async fn collect(mut body: Body, app: &Shared) -> Result<Text, Problem> {
    let max_bytes = app.max_body_bytes;
    // reserving Content-Length is free: untouched pages are not resident
    let announced = HttpBody::size_hint(&body).lower().min(max_bytes);
    let mut text = Text { bytes: Vec::with_capacity(announced as usize), share: None };
    while let Some(frame) = body.frame().await {
        // a client that broke off does not read the answer
        let frame =
            frame.map_err(|_| Problem::BadParameters(vec![ParameterError::new(BODY, "broke off before its end")]))?;
        let Ok(data) = frame.into_data() else { continue };
        if (text.bytes.len() + data.len()) as u64 > max_bytes {
            return Err(Problem::BodyTooLarge { max_bytes });
        }
        let more = Arc::clone(&app.bodies).try_acquire_many_owned((BODY_COST * data.len()) as u32);
        let more = more.map_err(|_| Problem::Overloaded)?;
        match &mut text.share {
            Some(share) => share.merge(more),
            none => *none = Some(more),
        }
        text.bytes.extend_from_slice(&data);
    }
    Ok(text)
}

/// Whether the body says of itself that it is JSON.
fn is_json(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| MediaType::parse(value.to_str().ok()?).ok());
    media_type.is_some_and(|media_type| {
        media_type.ty.as_str().eq_ignore_ascii_case("application")
            && media_type.subty.as_str().eq_ignore_ascii_case("json")
    })
}

impl Text {
    /// Whether it takes milliseconds to understand, in which nothing else may wait.
    pub(super) const fn is_large(&self) -> bool {
        self.bytes.len() > 64 << 10
    }

    /// Its share of the budget, for the job that goes on to hold what was read from it.
    pub(super) fn into_share(self) -> Option<OwnedSemaphorePermit> {
        self.share
    }

    /// The fields, in the order in which they stand.
    pub(super) fn parameters(&self) -> Result<Parameters<'_>, Problem> {
        let refuse = |message: String| Problem::BadParameters(vec![ParameterError::new(BODY, message)]);
        let text = str::from_utf8(&self.bytes).map_err(|error| refuse(format!("is not UTF-8: {error}")))?;
        let mut reader = serde_json::Deserializer::from_str(text);
        let fields = reader.deserialize_map(Fields).and_then(|fields| reader.end().map(|()| fields));
        let mut fields = fields.map_err(|error| refuse(format!("is not one JSON object: {error}")))?;
        let one_too_many = (fields.len() > MAX_PAIRS).then(|| fields.split_off(MAX_PAIRS).swap_remove(0).0);
        let pairs = fields.into_iter().map(|(name, value)| (name, Ok(value_of(value.get())))).collect();
        let mut given = Parameters::new(pairs);
        if let Some(name) = one_too_many {
            given.add_error(&name, format!("is one too many: at most {MAX_PAIRS} fields are read"));
        }
        Ok(given)
    }
}

/// Reads an object into its fields, those that are repeated too, and one more of them than are looked at.
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object whose fields are the parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
            if fields.len() <= MAX_PAIRS {
                fields.push((Cow::Owned(shortened(name)), value));
            }
        }
        Ok(fields)
    }
}

/// A name as an error repeats it: no known one is that long.
fn shortened(name: String) -> String {
    match name.char_indices().nth(NAME_SHOWN) {
        None => name,
        Some((end, _)) => format!("{}...", &name[..end]),
    }
}

/// What a field holds, from its JSON.
fn value_of(json: &str) -> Value<'_> {
    match json.as_bytes().first() {
        Some(b'"') => serde_json::from_str(json).map_or(Value::Other("no text"), Value::Text),
        Some(b'[') => {
            if let Ok([x, y]) = serde_json::from_str::<[&RawValue; 2]>(json)
                && [x, y].iter().all(|number| is_number(number.get()))
            {
                return Value::Pair(format!("{},{}", x.get(), y.get()));
            }
            let rows = serde_json::from_str(json).map(|Rows(rows)| Value::Rows(rows));
            let value = rows.or_else(|_| serde_json::from_str(json).map(Value::Points));
            value.unwrap_or(Value::Other("an array of something else"))
        }
        Some(b'{') => Value::Other("an object"),
        Some(b't') => Value::Flag("true"),
        Some(b'f') => Value::Flag("false"),
        Some(b'n') => Value::Other("null; leave it out instead"),
        _ => Value::Number(Cow::Borrowed(json)),
    }
}

/// Texts of an array, no more of them than any level has rows: an empty one takes three bytes to send and ten times as
/// much to hold. Those without escapes are those of the body itself.
struct Rows<'a>(Vec<Cow<'a, str>>);

/// One of them.
struct Row<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Rows<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowsVisitor)
    }
}

struct RowsVisitor;

impl<'de> Visitor<'de> for RowsVisitor {
    type Value = Rows<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of strings")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut rows = Vec::new();
        while let Some(Row(row)) = array.next_element()? {
            // one too many is enough for an error
            if rows.len() <= MAX_SIDE as usize {
                rows.push(row);
            }
        }
        Ok(Rows(rows))
    }
}

impl<'de> Deserialize<'de> for Row<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Row(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Row(Cow::Owned(text.to_owned())))
    }
}

fn is_number(json: &str) -> bool {
    json.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> Text {
        Text { bytes: json.as_bytes().to_vec(), share: None }
    }

    fn errors(json: &str) -> Vec<ParameterError> {
        match text(json).parameters() {
            Ok(given) => given.finish(Some(()), || vec!["size"]).map_or_else(|errors| errors, |()| vec![]),
            Err(Problem::BadParameters(errors)) => errors,
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_field_has_the_type_that_json_gives_it() {
        for (json, value) in [
            (r#""a\u0041""#, Value::Text("aA".into())),
            ("41", Value::Number("41".into())),
            ("-1e-1", Value::Number("-1e-1".into())),
            ("true", Value::Flag("true")),
            ("false", Value::Flag("false")),
            ("[ 1 , 2 ]", Value::Pair("1,2".into())),
            (r##"["#","\u0020"]"##, Value::Rows(vec!["#".into(), " ".into()])),
            ("[]", Value::Rows(vec![])),
            ("[[1,2],[-3,4]]", Value::Points(vec![[1, 2], [-3, 4]])),
            ("[[1,2,3]]", Value::Other("an array of something else")),
            ("[[1,2.5]]", Value::Other("an array of something else")),
            ("[[1,99999999999999999999]]", Value::Other("an array of something else")),
            ("[1]", Value::Other("an array of something else")),
            ("[1,2,3]", Value::Other("an array of something else")),
            (r#"["a",1]"#, Value::Other("an array of something else")),
            (r#"[1,"a"]"#, Value::Other("an array of something else")),
            ("{}", Value::Other("an object")),
            ("null", Value::Other("null; leave it out instead")),
        ] {
            assert_eq!(value_of(json), value, "{json}");
        }
    }

    #[test]
    fn what_is_no_object_gets_an_error_with_its_place() {
        for (json, hint) in [
            ("", "line 1 column 0"),
            ("[]", "an object"),
            ("41", "an object"),
            (r#"{"size":41"#, "EOF"),
            (r#"{"size":41} {}"#, "trailing"),
            (r#"{"size":041}"#, "column"),
            (r#"{"size":NaN}"#, "column"),
            ("{size:41}", "column"),
        ] {
            let errors = errors(json);
            assert_eq!((errors.len(), errors[0].parameter.as_str()), (1, "body"), "{json}");
            assert!(errors[0].message.contains(hint), "{json}: {}", errors[0].message);
        }
    }

    #[test]
    fn depth_and_number_of_fields_are_no_danger() {
        let deep = format!(r#"{{"size":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(errors(&deep)[0].parameter, "size");
        let deeper = "[".repeat(1_000_000);
        assert_eq!(errors(&deeper)[0].parameter, "body");
        let objects = format!("{}1{}", r#"{"a":"#.repeat(10_000), "}".repeat(10_000));
        assert_eq!(errors(&objects)[0].parameter, "a");
        let many = format!("{{{}}}", (0..100_000).map(|i| format!(r#""{i}":1"#)).collect::<Vec<_>>().join(","));
        assert_eq!(errors(&many).len(), MAX_PAIRS + 1);
        let repeated = format!("{{{}}}", [r#""size":41"#; 60].join(","));
        assert_eq!(errors(&repeated).len(), 2, "repeated, and unknown here");
    }

    #[test]
    fn a_name_that_an_error_repeats_is_short() {
        let errors = errors(&format!(r#"{{"{}":1}}"#, "미".repeat(100_000)));
        assert_eq!(errors[0].parameter, format!("{}...", "미".repeat(NAME_SHOWN)));
    }
}
