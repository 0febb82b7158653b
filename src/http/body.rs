//! The body of a request: one JSON object, whose fields are the parameters.
//!
//! All request bodies share one memory budget. A body takes its bytes from the budget as it arrives, and gives them
//! back when its response is made: until then the body, or what was parsed from it, is in memory. Fields are read as
//! strictly as a query string: no field twice, no text for a number, no seed that a double would round. But a number
//! may have any form that JSON has for it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt as _;
use mediatype::MediaType;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout_at;

use crate::config::BODY_COST;
use crate::http::app::Shared;
use crate::http::json_number::plain;
use crate::http::problem::Problem;
use crate::level::error::ParameterError;
use crate::level::parameters::{MAX_PAIRS, Parameters, Value};
use crate::level::recipe::MAX_SIDE;
use crate::service::Busy;
use crate::telemetry::Overload;

/// A body of at most so many bytes is small. A part of the budget is for these: otherwise a few clients that send large
/// bodies slowly could keep all others from sending any.
const SMALL: usize = 16 << 10;

/// An error repeats at most so many characters of an unknown name.
const NAME_SHOWN: usize = 64;

/// The parameter that an error names if the body as a whole is wrong.
const BODY: &str = "body";

/// A body that was read, with its permits of the budget.
pub(super) struct ReceivedBody {
    bytes: Vec<u8>,
    /// Goes back to the budget when the body, or the job that took it over, is dropped.
    permits: Option<OwnedSemaphorePermit>,
}

/// Reads a body of JSON to its end.
pub(super) async fn read(
    headers: &HeaderMap,
    body: Body,
    app: &Shared,
    deadline: Instant,
) -> Result<ReceivedBody, Problem> {
    if !is_json(headers) || headers.contains_key(header::CONTENT_ENCODING) {
        return Err(Problem::UnsupportedMediaType);
    }
    match timeout_at(deadline.into(), collect(body, app)).await {
        Ok(received) => received,
        Err(_) => Err(Problem::BodyTooSlow),
    }
}

async fn collect(mut body: Body, app: &Shared) -> Result<ReceivedBody, Problem> {
    let max_bytes = app.max_body_bytes;
    // reserving Content-Length is free: untouched pages are not resident
    let announced = HttpBody::size_hint(&body).lower().min(max_bytes);
    let mut received = ReceivedBody { bytes: Vec::with_capacity(announced as usize), permits: None };
    while let Some(frame) = body.frame().await {
        // a client that broke off does not read this error
        let frame = frame.map_err(|_| {
            Problem::BadParameters(vec![ParameterError::new(
                BODY,
                "broke off before its end, or its chunks are malformed",
            )])
        })?;
        let Ok(data) = frame.into_data() else { continue };
        if (received.bytes.len() + data.len()) as u64 > max_bytes {
            return Err(Problem::BodyTooLarge { max_bytes });
        }
        let overloaded = || Problem::Overloaded(Busy::soon(Overload::Bodies));
        let cost = BODY_COST * data.len();
        let is_small = received.bytes.len() + data.len() <= SMALL;
        if !is_small && app.bodies.available_permits() < cost + app.bodies_for_small {
            return Err(overloaded());
        }
        let more = Arc::clone(&app.bodies).try_acquire_many_owned(cost as u32).map_err(|_| overloaded())?;
        match &mut received.permits {
            Some(permits) => permits.merge(more),
            none => *none = Some(more),
        }
        received.bytes.extend_from_slice(&data);
    }
    Ok(received)
}

/// Whether `Content-Type` declares the body as JSON.
fn is_json(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| MediaType::parse(value.to_str().ok()?).ok());
    media_type.is_some_and(|media_type| {
        media_type.ty.as_str().eq_ignore_ascii_case("application")
            && media_type.subty.as_str().eq_ignore_ascii_case("json")
    })
}

impl ReceivedBody {
    /// Whether parsing takes milliseconds. The caller must then parse on another thread, so that other requests need
    /// not wait.
    pub(super) const fn is_large(&self) -> bool {
        self.bytes.len() > 64 << 10
    }

    /// The permits of the budget, for the job that goes on to hold what was parsed.
    pub(super) fn into_permits(self) -> Option<OwnedSemaphorePermit> {
        self.permits
    }

    /// The fields, in the order of the text.
    pub(super) fn parameters(&self) -> Result<Parameters<'_>, Problem> {
        let refuse = |message: String| Problem::BadParameters(vec![ParameterError::new(BODY, message)]);
        let text = str::from_utf8(&self.bytes).map_err(|error| refuse(format!("is not UTF-8: {error}")))?;
        // some clients put a byte order mark before the text (RFC 8259, 8.1 lets a reader skip it)
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = serde_json::Deserializer::from_str(text);
        let fields = reader.deserialize_map(Fields).and_then(|fields| reader.end().map(|()| fields));
        let mut fields = fields.map_err(|error| refuse(format!("is not one JSON object: {error}")))?;
        let one_too_many = (fields.len() > MAX_PAIRS).then(|| fields.split_off(MAX_PAIRS).swap_remove(0).0);
        let pairs = fields.into_iter().map(|(name, value)| (name, Ok(value_of(value.get())))).collect();
        let mut params = Parameters::new(pairs);
        if let Some(name) = one_too_many {
            params.add_error(&name, format!("is one too many: at most {MAX_PAIRS} fields are read"));
        }
        Ok(params)
    }
}

/// Reads the fields of an object, repeated ones included. It keeps one more than [`MAX_PAIRS`], which gets an error.
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

/// A name as an error repeats it. Every known name is shorter than the limit.
fn shortened(name: String) -> String {
    match name.char_indices().nth(NAME_SHOWN) {
        None => name,
        Some((end, _)) => format!("{}...", &name[..end]),
    }
}

/// The value of a field, from its JSON.
fn value_of(json: &str) -> Value<'_> {
    match json.as_bytes().first() {
        Some(b'"') => serde_json::from_str(json).map_or(Value::Other("no text"), Value::Text),
        Some(b'[') => {
            if let Ok([x, y]) = serde_json::from_str::<[&RawValue; 2]>(json)
                && [x, y].iter().all(|number| is_number(number.get()))
            {
                return Value::Pair(format!("{},{}", plain(x.get()), plain(y.get())));
            }
            let rows = serde_json::from_str(json).map(|Rows(rows)| Value::Rows(rows));
            let points = || serde_json::from_str(json).map(Value::Points);
            // most clients write tiles in digits alone, which are read many times as fast
            let any_points = || serde_json::from_str(json).map(|AnyPoints(points)| Value::Points(points));
            let value = rows.or_else(|_| points()).or_else(|_| any_points());
            value.unwrap_or(Value::Other("an array of other values"))
        }
        Some(b'{') => {
            // the values of these fields are read, but no deeper objects: each byte is read a few times at most
            let fields = serde_json::Deserializer::from_str(json).deserialize_map(Fields);
            let value = |(name, json)| (name, flat_value_of(RawValue::get(json)));
            let fields = fields.map(|fields| fields.into_iter().map(value).collect());
            fields.map_or(Value::Other("an object"), Value::Fields)
        }
        Some(b't') => Value::Flag("true"),
        Some(b'f') => Value::Flag("false"),
        Some(b'n') => Value::Other("null; leave it out instead"),
        _ => Value::Number(plain(json)),
    }
}

/// The value of a field of an object that is a value itself.
fn flat_value_of(json: &str) -> Value<'_> {
    if json.starts_with('{') { Value::Other("an object") } else { value_of(json) }
}

/// Points whose numbers are integers in any form of JSON.
struct AnyPoints(Vec<[i64; 2]>);

impl<'de> Deserialize<'de> for AnyPoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(AnyPointsVisitor)
    }
}

struct AnyPointsVisitor;

impl<'de> Visitor<'de> for AnyPointsVisitor {
    type Value = AnyPoints;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of pairs of integers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut points = Vec::new();
        while let Some([x, y]) = array.next_element::<[&RawValue; 2]>()? {
            let integer = |json: &RawValue| is_number(json.get()).then(|| plain(json.get()).parse().ok())?;
            let point = integer(x).zip(integer(y)).ok_or_else(|| A::Error::custom("this is no pair of integers"))?;
            points.push(point.into());
        }
        Ok(AnyPoints(points))
    }
}

/// The strings of an array, at most one more than a level can have rows: an empty string takes three bytes in the body
/// and ten times as much in memory. Strings without escapes are borrowed from the body.
struct Rows<'a>(Vec<Cow<'a, str>>);

/// One string of the array.
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
mod tests;
