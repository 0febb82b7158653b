//! Property tests of every parser of bytes that a client sends: none panics, and each does what it promises.

use std::time::Instant;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::http::body;
use crate::http::fixtures::{TIMEOUT, app};
use crate::http::level_query::LevelQuery;
use crate::http::negotiation::{self, Accepted};
use crate::http::precondition::Precondition;
use crate::http::problem::Problem;
use crate::http::resource::{Parsed, Resource};
use crate::level::grid::{Direction, LevelKind, Mask};
use crate::level::parameters::{ParameterType, form_parameters};
use crate::level::queries::path::PathQuery;
use crate::level::queries::solution::SolutionQuery;
use crate::level::queries::verify::SubmittedPath;
use crate::render::{Coding, Render};

/// Query strings of characters that a URL may contain, many of which have a meaning.
const QUERY: &str = "[a-z0-9%&=+,.;:@!$'()*/?_~-]{0,60}";

/// Query strings of known names, with values that are often valid.
const NEARLY_GOOD: &str = "((size|width|height|algo|seed|start|exit|openings|braid|solver|grid|path|format|rooms|from)\
    =(5|7|9|41|0|-1|1,1|3,3|dfs|bsp|bfs|none|rows|json|true|farthest|0\\.5|%37|%|\\+)&){0,6}";

fn uri(query: &str) -> Uri {
    Uri::try_from(format!("/maze?{query}")).unwrap()
}

fn headers(name: &HeaderName, values: &[Vec<u8>]) -> HeaderMap {
    let values = values.iter().filter_map(|value| HeaderValue::from_bytes(value).ok());
    values.map(|value| (name.clone(), value)).collect()
}

/// Parses a query string as a handler does.
fn parse<Q: Render>(query: &str) -> Result<Parsed<LevelQuery<Q>>, Problem> {
    let (uri, accepted) = (uri(query), Accepted { format: Some(0), coding: Coding::Identity });
    LevelQuery::parse(&app(&[]), "/maze", form_parameters(uri.query().unwrap_or_default()), accepted)
}

/// A number whose decimal point is moved to the left by some places.
fn shifted(value: i64, places: usize) -> String {
    let digits = format!("{value:0>width$}", width = places + 1);
    let (whole, places) = digits.split_at(digits.len() - places);
    if places.is_empty() { whole.to_owned() } else { format!("{whole}.{places}") }
}

/// Receives a body as a handler does.
fn received(bytes: &[u8]) -> Result<body::ReceivedBody, TestCaseError> {
    let json = headers(&header::CONTENT_TYPE, &[b"application/json".to_vec()]);
    let app = app(&[]);
    let read = body::read(&json, Body::from(bytes.to_vec()), &app, Instant::now() + TIMEOUT);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(read).map_err(|problem| TestCaseError::fail(format!("{problem:?}")))
}

/// Parses a body as a handler does, and returns its errors.
fn read_body(bytes: &[u8]) -> Result<(), Problem> {
    let body = received(bytes).expect("it is received");
    let parameters = body.parameters()?;
    parameters.finish(Some(()), Vec::new).map_err(Problem::BadParameters)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_query_string_has_one_error_a_pair_at_most_and_one_more(query in QUERY) {
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).count();
        let uri = uri(&query);
        let params = form_parameters(uri.query().unwrap_or_default());
        let errors = params.finish(Some(()), Vec::new).map_or_else(|errors| errors, |()| vec![]);
        prop_assert!(errors.len() <= pairs + 1, "{query}: {errors:?}");
        prop_assert_eq!(errors.is_empty(), pairs == 0, "no name is known here");
    }

    #[test]
    fn what_is_percent_encoded_is_read_as_it_was(value in ".{0,20}") {
        let encoded = percent_encoding::utf8_percent_encode(&value, percent_encoding::NON_ALPHANUMERIC);
        let uri = uri(&format!("name={encoded}"));
        let mut params = form_parameters(uri.query().unwrap_or_default());
        let read = params.value("name", ParameterType::Name, |text| Ok(text.to_owned()));
        prop_assert_eq!(read, Some(value));
    }

    #[test]
    fn a_query_that_is_read_has_a_canonical_url_that_reads_as_the_same(query in NEARLY_GOOD) {
        let query = query.trim_end_matches('&');
        match parse::<SolutionQuery>(query) {
            Ok(Parsed { canonical, .. }) => {
                let url = String::from_utf8(canonical.unwrap().url.to_vec()).unwrap();
                let (_, canonical_query) = url.split_once('?').unwrap();
                let Ok(Parsed { canonical, has_random_seed, .. }) = parse::<SolutionQuery>(canonical_query) else {
                    return Err(TestCaseError::fail(format!("{url} is refused, of {query}")));
                };
                prop_assert_eq!(&canonical.unwrap().url[..], url.as_bytes(), "of {}", query);
                prop_assert!(!has_random_seed, "{url}");
            }
            Err(Problem::BadParameters(errors)) => prop_assert!(!errors.is_empty(), "{query}"),
            Err(other) => return Err(TestCaseError::fail(format!("{query}: {other:?}"))),
        }
        // another query that reads the same names
        let other = parse::<PathQuery>(query).err();
        prop_assert!(matches!(other, None | Some(Problem::BadParameters(_))), "{query}: {other:?}");
    }

    #[test]
    fn a_body_of_any_bytes_is_read_or_has_its_errors(bytes in vec(any::<u8>(), 0..80)) {
        let read = read_body(&bytes);
        prop_assert!(matches!(read, Ok(()) | Err(Problem::BadParameters(_))), "{read:?}");
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        prop_assert!(read.is_err() || text.trim_ascii_start().starts_with(b"{"), "{bytes:?}");
    }

    #[test]
    fn a_body_of_json_marks_is_an_object_or_refused(text in "[\\[\\]{}\",:0-9a-eu\\\\. -]{0,40}") {
        let is_object = serde_json::from_str::<serde_json::Map<_, serde_json::Value>>(&text).is_ok();
        match read_body(text.as_bytes()) {
            Ok(()) => prop_assert!(is_object, "{text}"),
            Err(Problem::BadParameters(errors)) => {
                let is_broken = errors.iter().any(|error| error.parameter == "body");
                prop_assert!(!errors.is_empty() && (is_object || is_broken), "{text}: {errors:?}");
            }
            Err(other) => return Err(TestCaseError::fail(format!("{text}: {other:?}"))),
        }
    }

    #[test]
    fn an_integer_is_read_in_any_form_of_a_number(
        value in 0_i64..100_000, zeros in 0_usize..12, exponent in 0_usize..12, is_negative in any::<bool>(),
    ) {
        let sign = if is_negative { "-" } else { "" };
        let expected = if is_negative { -value } else { value };
        for number in [
            format!("{sign}{value}.{:0<zeros$}", 0),
            format!("{sign}{value}{:0<exponent$}e-{exponent}", ""),
            format!("{sign}{}e{exponent}", shifted(value, exponent)),
        ] {
            let path = format!("[[{number},0],[0,{number}]]");
            let json = format!("\u{feff}{{\"seed\":{number},\"path\":{path},\"from\":[{number},1]}}");
            let body = received(json.as_bytes())?;
            let mut params = body.parameters().unwrap();
            let text = |text: &str| Ok(text.to_owned());
            prop_assert_eq!(params.value("seed", ParameterType::Seed, text), Some(expected.to_string()), "{}", json);
            prop_assert_eq!(params.points("path"), Some(vec![[expected, 0], [0, expected]]), "{}", json);
            prop_assert_eq!(params.value("from", ParameterType::Tile, text), Some(format!("{expected},1")), "{}", json);
        }
    }

    #[test]
    fn moves_are_read_if_each_letter_is_one(text in "[URDL]{0,12}.{0,2}") {
        let letters = Direction::ALL.map(|direction| char::from(direction.letter()));
        let is_good = text.chars().all(|letter| letters.contains(&letter));
        match SubmittedPath::moves(&text) {
            Ok(moves) => {
                let back: String = moves.into_iter().map(|step| char::from(step.letter())).collect();
                prop_assert!(is_good);
                prop_assert_eq!(back, text);
            }
            Err(message) => {
                let (position, bad) =
                    text.chars().enumerate().find(|(_, letter)| !letters.contains(letter)).unwrap();
                let expected = format!("{bad:?} as character {};", position + 1);
                prop_assert!(!is_good && message.contains(&expected), "{message}");
            }
        }
    }

    #[test]
    fn a_mask_of_any_characters_is_a_rectangle_or_refused(
        rows in vec("[# .x한]{3,7}", 3..8), side in prop_oneof![Just(3_usize), Just(5)], square in vec("[# ]{5}", 5..6),
    ) {
        for kind in [LevelKind::Maze, LevelKind::Rooms] {
            let width = rows[0].chars().count();
            if kind == LevelKind::Maze && (width % 2 == 0 || rows.len() % 2 == 0) {
                // the parser of recipes rejects such sides before it reads the mask
                continue;
            }
            let ragged = rows.iter().position(|row| row.chars().count() != width);
            match (Mask::read(&rows, kind), ragged) {
                (Ok(mask), None) => {
                    prop_assert_eq!((mask.size().width as usize, mask.size().height as usize), (width, rows.len()));
                    prop_assert!(mask.most_void() <= mask.size().area());
                }
                (Err(message), Some(row)) => prop_assert!(message.contains(&format!("row {row} ")), "{message}"),
                (read, _) => return Err(TestCaseError::fail(format!("{rows:?}: {read:?}"))),
            }
            // the digest stands for the mask in a cache key, so different masks must have different digests
            let masks = [&square[..side], &square[..5]].map(|rows| Mask::read(rows, kind).unwrap());
            prop_assert_eq!(masks[0] == masks[1], masks[0].digest() == masks[1].digest());
        }
    }

    #[test]
    fn if_none_match_of_any_bytes_matches_only_the_tag(
        lists in vec(vec(any::<u8>(), 0..20), 0..3), before in "[a-z\", W/]{0,8}", is_sent in any::<bool>(),
    ) {
        let tag = HeaderValue::from_static("\"0123456789abcdef-1.1.1\"");
        let sent = format!("{before}{}", tag.to_str().unwrap());
        let mut all = lists;
        if is_sent {
            all.push(sent.into_bytes());
        }
        let headers = headers(&header::IF_NONE_MATCH, &all);
        let read = Precondition::read(&headers, Some(&tag));
        prop_assert!(read != Precondition::ThisVersion || is_sent);
        prop_assert!(read != Precondition::AnyVersion || all.iter().any(|list| list.trim_ascii() == b"*"));
        prop_assert_eq!(Precondition::read(&headers, None), Precondition::None);
    }

    #[test]
    fn accept_of_any_bytes_chooses_an_offered_type(
        lists in vec(vec(any::<u8>(), 0..24), 0..3),
        ranges in "((\\*/\\*|image/\\*|image/png|application/json|text/html)(;q=(0|0\\.5|1|x))?,? ?){0,4}",
    ) {
        let offered = ["application/json", "image/png"];
        for values in [lists, vec![ranges.clone().into_bytes()]] {
            let chosen = Accepted::read(&headers(&header::ACCEPT, &values), offered).format;
            prop_assert!(chosen.is_none_or(|number| number < 2));
            // if the first type alone is acceptable, offering a second one must leave a choice too
            let first = Accepted::read(&headers(&header::ACCEPT, &values), [offered[0]]).format;
            prop_assert!(first.is_none() || chosen.is_some(), "{ranges}");
        }
    }

    #[test]
    fn accept_encoding_of_any_bytes_chooses_no_coding_that_is_excluded(
        lines in vec(vec(any::<u8>(), 0..24), 0..3),
        list in "((gzip|zstd|identity|br|\\*) ?(;q=(0|0\\.5|1|x))?, ?){0,4}",
    ) {
        negotiation::coding(&headers(&header::ACCEPT_ENCODING, &lines));
        let chosen = negotiation::coding(&headers(&header::ACCEPT_ENCODING, &[list.clone().into_bytes()]));
        if let Some(spec) = chosen.spec() {
            prop_assert!(list.contains(spec.name) || list.contains('*'), "{list}: {chosen:?}");
            prop_assert!(!list.starts_with(&format!("{};q=0,", spec.name)), "{list}: {chosen:?}");
        }
    }
}
