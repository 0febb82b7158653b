//! The choice of a format, by its name or by `Accept`.

use mazed::http::ROUTES;
use mazed::level::parameters::ParameterSpec;
use reqwest::Method;
use serde_json::json;

use crate::api::{Answer, Client, Server};

/// The GET routes that have a format: those of queries about a level.
fn routes() -> Vec<&'static str> {
    let has_format = |parameters: fn() -> Vec<ParameterSpec>| parameters().iter().any(|row| row.name == "format");
    let routes = ROUTES.iter().filter(|route| route.parameters.is_some_and(has_format));
    let routes: Vec<_> = routes.filter(|route| route.methods.contains(&"GET")).map(|route| route.path).collect();
    assert!(routes.len() >= 5, "{routes:?}");
    routes
}

async fn get(client: &Client, target: &str, accept: &str) -> Answer {
    client.send(Method::GET, target, &[("accept", accept)]).await
}

#[tokio::test]
async fn the_default_format_may_be_named_and_is_in_no_canonical_url() {
    let server = Server::start().await;
    for route in routes() {
        let default = server.client.get(&format!("{route}?size=9&seed=7")).await;
        let named = server.client.get(&format!("{route}?size=9&format=json&seed=7")).await;
        assert_eq!((named.status, &named.body), (200, &default.body), "{route}");
        assert_eq!(named.header("content-location"), default.header("content-location"), "{route}");
        assert_eq!(named.header("etag"), default.header("etag"), "{route}");
        let posted = server.client.post(route, json!({"size": 9, "seed": 7, "format": "json"}).to_string()).await;
        assert_eq!((posted.status, &posted.body), (200, &default.body), "{route}");
    }
}

#[tokio::test]
async fn an_unknown_format_gets_an_error_that_lists_the_known_ones() {
    let server = Server::start().await;
    for route in routes() {
        let got = server.client.get(&format!("{route}?size=9&seed=7&format=x")).await;
        let posted = server.client.post(route, json!({"size": 9, "seed": 7, "format": "x"}).to_string()).await;
        for answer in [got, posted] {
            assert_eq!((answer.status, answer.faulty()), (400, vec!["format".to_owned()]), "{route}");
            assert!(answer.message("format").contains("json"), "{}", answer.text());
        }
        let twice = server.client.get(&format!("{route}?size=9&seed=7&format=json&format=json")).await;
        assert_eq!((twice.status, twice.faulty()), (400, vec!["format".to_owned()]), "{route}");
    }
}

#[tokio::test]
async fn a_named_format_outweighs_the_accept_header() {
    let server = Server::start().await;
    for route in routes() {
        for _ in 0..2 {
            let answer = get(&server.client, &format!("{route}?size=9&seed=7&format=json"), "image/png").await;
            assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"), "{route}");
            let unnamed = get(&server.client, &format!("{route}?size=9&seed=7"), "image/png").await;
            assert_eq!((unnamed.status, unnamed.json()["type"].as_str()), (406, Some("urn:mazed:not-acceptable")));
            let unknown = get(&server.client, &format!("{route}?size=9&seed=7&format=x"), "image/png").await;
            assert_eq!(unknown.status, 400, "{route}");
        }
    }
}

#[tokio::test]
async fn what_is_cached_is_not_served_to_a_client_that_excludes_its_media_type() {
    let server = Server::start().await;
    let targets = routes().into_iter().map(|route| format!("{route}?algo=kruskal&size=9&seed=7"));
    for target in targets.chain(["/maze/pick?algo=kruskal&size=9&seed=7&difficulty=0.5".to_owned()]) {
        for accept in ["*/*", "application/json"] {
            let answer = get(&server.client, &target, accept).await;
            assert_eq!(answer.status, 200, "{target}");
            assert_eq!(answer.header("content-location"), target, "the canonical URL is the cache key");
            let tag = answer.header("etag");
            for excluding in ["image/png", "application/json;q=0", "text/html, application/xml;q=0.9", "*/*;q=0"] {
                assert_eq!(get(&server.client, &target, excluding).await.status, 406, "{target} {excluding}");
                let headers = [("accept", excluding), ("if-none-match", tag)];
                assert_eq!(server.client.send(Method::GET, &target, &headers).await.status, 406, "{target}");
            }
        }
    }
}

#[tokio::test]
async fn every_answer_and_every_304_varies_by_what_the_client_accepts() {
    let server = Server::start().await;
    let targets = routes().into_iter().map(|route| format!("{route}?algo=kruskal&size=9&seed=7"));
    for target in targets.chain(["/maze/pick?algo=kruskal&size=9&seed=7&difficulty=0.5".to_owned()]) {
        // a new level, a cached response, and a URL that is not canonical
        let first = server.client.get(&target).await;
        let tag = first.header("etag").to_owned();
        let cached = server.client.get(&target).await;
        let other = server.client.get(&target.replace("algo=kruskal&", "")).await;
        for answer in [first, cached, other] {
            assert_eq!((answer.status, answer.header("vary")), (200, "accept, accept-encoding"), "{}", answer.request);
        }
        for (target, tags) in [(&target, &*tag), (&target, "*"), (&target.replace("algo=kruskal&", ""), &*tag)] {
            let answer = server.client.send(Method::GET, target, &[("if-none-match", tags)]).await;
            assert_eq!(
                (answer.status, answer.header("vary")),
                (304, "accept, accept-encoding"),
                "{} {tags}",
                answer.request
            );
        }
    }
    let posted = server.client.post("/maze", json!({"seed": 7}).to_string()).await;
    assert_eq!((posted.status, posted.header("vary")), (200, "accept, accept-encoding"));
}
