//! The examples of `openapi.yaml` are responses of the service, to the byte.
//!
//! In the file, an example is a line `x-request: [METHOD] TARGET [BODY]` and a line `value: BODY` below it. With
//! `MAZED_BLESS=1` the test rewrites the `value` lines with what the service answers now.

use std::{env, fs};

use reqwest::Method;
use serde_json::Value;

use crate::api::Server;
use crate::schema::{REFERENCE, file};

#[tokio::test]
async fn every_example_is_what_the_service_answers() {
    let server = Server::start().await;
    let bless = env::var_os("MAZED_BLESS").is_some_and(|value| value == "1");
    let mut lines: Vec<_> = REFERENCE.text.lines().map(str::to_owned).collect();
    let mut executed = 0;
    for at in 0..lines.len() {
        let Some(request) = lines[at].trim().strip_prefix("x-request: ") else { continue };
        let (method, target) = request.split_once(' ').unwrap_or(("GET", request));
        let answer = match target.split_once(' ') {
            Some((target, body)) => server.client.post(target, body).await,
            None => server.client.send(method.parse::<Method>().unwrap(), target, &[]).await,
        };
        let (indent, shown) = lines[at + 1].split_once("value: ").expect("an example's value follows its request");
        executed += 1;
        if bless {
            lines[at + 1] = format!("{indent}value: {}", answer.text());
            continue;
        }
        assert_eq!(answer.text(), shown, "{request}: run this test with MAZED_BLESS=1 if the answer is right");
        let expected = if answer.header("content-type") == "application/problem+json" {
            answer.json()["status"].as_u64().unwrap() as u16
        } else {
            200
        };
        assert_eq!(answer.status, expected, "{request}");
    }
    assert!(executed >= 10, "only {executed} examples");
    if bless {
        fs::write(file(), lines.join("\n") + "\n").unwrap();
    }
}

#[test]
fn every_example_is_read_as_it_is_written() {
    // if YAML parsed a body as something else, programs that read the reference would get a wrong example
    fn collect(value: &Value, found: &mut Vec<(String, Value)>) {
        match value {
            Value::Object(fields) => {
                if let Some(request) = fields.get("x-request") {
                    found.push((request.as_str().unwrap().to_owned(), fields["value"].clone()));
                }
                fields.values().for_each(|value| collect(value, found));
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut read = Vec::new();
    collect(&REFERENCE.document, &mut read);
    let mut lines = REFERENCE.text.lines();
    let mut written = 0;
    while let Some(line) = lines.next() {
        let Some(request) = line.trim().strip_prefix("x-request: ") else { continue };
        let shown = lines.next().unwrap().trim().strip_prefix("value: ").unwrap();
        let shown = serde_json::from_str(shown).unwrap_or_else(|_| Value::from(shown));
        assert!(read.contains(&(request.to_owned(), shown)), "{request}");
        written += 1;
    }
    assert_eq!(read.len(), written);
}
