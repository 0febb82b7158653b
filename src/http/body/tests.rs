//! Tests of reading a body: its limits, and the value of each field.

use super::*;
use crate::http::fixtures::{TIMEOUT, app};

fn received(json: &str) -> ReceivedBody {
    ReceivedBody { bytes: json.as_bytes().to_vec(), permits: None }
}

fn errors(json: &str) -> Vec<ParameterError> {
    match received(json).parameters() {
        Ok(params) => params.finish(Some(()), || vec!["size"]).map_or_else(|errors| errors, |()| vec![]),
        Err(Problem::BadParameters(errors)) => errors,
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn each_field_has_the_type_that_json_gives_it() {
    for (json, value) in [
        (r#""a\u0041""#, Value::Text("aA".into())),
        ("41", Value::Number("41".into())),
        ("-1e-1", Value::Number("-0.1".into())),
        ("4.1e1", Value::Number("41".into())),
        ("41.0", Value::Number("41".into())),
        ("41.5", Value::Number("41.5".into())),
        ("-0.0", Value::Number("0".into())),
        ("1e999999999", Value::Number("1e999999999".into())),
        ("[ 1.0 , 20e-1 ]", Value::Pair("1,2".into())),
        ("[1.5,2]", Value::Pair("1.5,2".into())),
        ("[[1.0,2],[-3,40e-1],[-0,0.0]]", Value::Points(vec![[1, 2], [-3, 4], [0, 0]])),
        ("[[9007199254740993.0,-9223372036854775808]]", Value::Points(vec![[9_007_199_254_740_993, i64::MIN]])),
        ("[[1,4.00000000000000000001]]", Value::Other("an array of other values")),
        ("[[1,1e999999999]]", Value::Other("an array of other values")),
        (r#"[[1.0,"2"]]"#, Value::Other("an array of other values")),
        ("true", Value::Flag("true")),
        ("false", Value::Flag("false")),
        ("[ 1 , 2 ]", Value::Pair("1,2".into())),
        (r##"["#","\u0020"]"##, Value::Rows(vec!["#".into(), " ".into()])),
        ("[]", Value::Rows(vec![])),
        ("[[1,2],[-3,4]]", Value::Points(vec![[1, 2], [-3, 4]])),
        ("[[1,2,3]]", Value::Other("an array of other values")),
        ("[[1,2.5]]", Value::Other("an array of other values")),
        ("[[1,99999999999999999999]]", Value::Other("an array of other values")),
        ("[1]", Value::Other("an array of other values")),
        ("[1,2,3]", Value::Other("an array of other values")),
        (r#"["a",1]"#, Value::Other("an array of other values")),
        (r#"[1,"a"]"#, Value::Other("an array of other values")),
        ("{}", Value::Fields(vec![])),
        (
            r#"{"braid":5e-1,"x":{"y":1},"x":[1,2]}"#,
            Value::Fields(vec![
                ("braid".into(), Value::Number("0.5".into())),
                ("x".into(), Value::Other("an object")),
                ("x".into(), Value::Pair("1,2".into())),
            ]),
        ),
        ("null", Value::Other("null; leave it out instead")),
    ] {
        assert_eq!(value_of(json), value, "{json}");
    }
}

#[test]
fn what_is_no_object_gets_an_error_with_its_position() {
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

#[test]
fn as_many_fields_as_may_be_are_read() {
    let fields = |count| (0..count).map(|i| format!(r#""{i}":1"#)).collect::<Vec<_>>().join(",");
    let errors = |count| errors(&format!("{{{}}}", fields(count)));
    let is_one_too_many = |error: &ParameterError| error.message.contains("is one too many");
    assert_eq!(errors(MAX_PAIRS).iter().filter(|error| is_one_too_many(error)).count(), 0);
    assert_eq!(errors(MAX_PAIRS + 1).iter().filter(|error| is_one_too_many(error)).count(), 1);
}

#[tokio::test]
async fn a_body_may_have_the_most_bytes_and_not_one_more() {
    let app = app(&["--max-body-bytes", "1000"]);
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, "application/json".parse().unwrap())]);
    for (bytes, is_read) in [(999, true), (1000, true), (1001, false), (2000, false)] {
        let received = read(&headers, Body::from(vec![b' '; bytes]), &app, Instant::now() + TIMEOUT).await;
        match received {
            Ok(received) => assert_eq!((received.bytes.len(), true), (bytes, is_read)),
            Err(problem) => assert_eq!((problem, false), (Problem::BodyTooLarge { max_bytes: 1000 }, is_read)),
        }
    }
}

#[tokio::test]
async fn whoever_takes_the_permits_holds_the_budget() {
    let app = app(&[]);
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, "application/json".parse().unwrap())]);
    let all = app.bodies.available_permits();
    let received = read(&headers, Body::from("{}"), &app, Instant::now() + TIMEOUT).await.ok().unwrap();
    assert_eq!(app.bodies.available_permits(), all - 2 * BODY_COST);
    let permits = received.into_permits();
    assert_eq!(app.bodies.available_permits(), all - 2 * BODY_COST);
    drop(permits);
    assert_eq!(app.bodies.available_permits(), all);
}

#[test]
fn a_body_of_more_than_64_kib_is_large() {
    let is_large = |bytes| ReceivedBody { bytes: vec![0; bytes], permits: None }.is_large();
    assert!(!is_large(64 << 10) && is_large((64 << 10) + 1));
}

#[tokio::test]
async fn large_bodies_leave_room_for_small_ones() {
    let app = app(&["--max-body-bytes", "100000", "--bodies-bytes", "400000"]);
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, "application/json".parse().unwrap())]);
    let receive = async |bytes| read(&headers, Body::from(vec![b' '; bytes]), &app, Instant::now() + TIMEOUT).await;
    // these take 330,000 of the budget, and 50,000 are for small bodies
    let held = receive(90_000).await.ok().unwrap();
    let other = receive(20_000).await.ok().unwrap();
    assert_eq!(receive(20_000).await.err(), Some(Problem::Overloaded(Busy::soon(Overload::Bodies))));
    assert!(receive(SMALL).await.is_ok());
    drop(held);
    assert!(receive(20_000).await.is_ok());
    drop(other);
}
