//! What must not be cached, and what must not be confused with another cached value.

use mazed::level::algorithms::ALGORITHMS;
use serde_json::{Value, json};

use crate::api::Server;

/// The tiles of a level as rows of text.
async fn rows(server: &Server, algorithm: &str, mask: &[&str]) -> Vec<String> {
    let body = json!({"algo": algorithm, "seed": 7, "mask": mask, "grid": "rows"});
    let answer = server.client.post("/maze", body.to_string()).await;
    assert_eq!(answer.status, 200, "{algorithm}: {}", answer.text());
    answer.json()["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn masks_that_differ_only_in_void_tiles_have_levels_of_their_own() {
    let server = Server::start().await;
    let walls = ["#####  ", "#####  ", "#####  ", "#####  ", "#####  ", "       ", "      #"];
    let void = ["#####  ", "#####  ", "#####  ", "#####  ", "#####  ", "       ", "       "];
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.masks) {
        for _ in 0..2 {
            let (with_wall, without) =
                (rows(&server, algorithm.name, &walls).await, rows(&server, algorithm.name, &void).await);
            assert_eq!((&with_wall[6][6..], &without[6][6..]), ("#", " "), "{}", algorithm.name);
            assert_eq!(with_wall[..6], without[..6], "{}", algorithm.name);
        }
    }
    let masked = ALGORITHMS.iter().filter(|algorithm| algorithm.masks).count() as u64;
    assert_eq!(server.client.generations().await, 2 * masked);
}

#[tokio::test]
async fn of_a_verification_only_the_level_is_cached() {
    let server = Server::start().await;
    for moves in ["", "R", "D", "DDD"] {
        let body = json!({"size": 5, "seed": 7, "moves": moves});
        for _ in 0..2 {
            let answer = server.client.post("/maze/verify", body.to_string()).await;
            assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
            assert_eq!(answer.json()["steps"], moves.len());
        }
    }
    assert_eq!(server.client.metric("mazed_cache_entries").await, 1);
    assert_eq!(server.client.generations().await, 1);
}

#[tokio::test]
async fn a_random_level_is_found_by_its_canonical_url_alone() {
    let server = Server::start().await;
    let mut seeds: Vec<Value> = vec![];
    for route in ["/maze?size=9", "/maze?size=9", "/maze/stats?size=9", "/maze/pick?size=9&min_length=0"] {
        let answer = server.client.get(route).await;
        assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"), "{route}");
        assert_eq!((answer.header("etag"), answer.header("cache-status")), ("", "mazed; fwd=miss"), "{route}");
        let located = server.client.get(answer.header("content-location")).await;
        assert_eq!((located.header("cache-status"), &located.body), ("mazed; hit", &answer.body), "{route}");
        assert!(located.header("cache-control").contains("immutable") && !located.header("etag").is_empty());
        let seed = answer.json()["seed"].clone();
        assert!(!seeds.contains(&seed), "{route}: {seed} for a second time");
        seeds.push(seed);
    }
}

#[tokio::test]
async fn a_pick_that_is_not_complete_is_not_found_by_the_next_client() {
    let server = Server::start_with(&["--request-timeout", "1"]).await;
    let target = "/maze/pick?algo=prim&size=501&seed=7&difficulty=0&tries=1024";
    for _ in 0..2 {
        let answer = server.client.get(target).await;
        assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"), "{}", answer.text());
        assert_eq!((answer.header("etag"), answer.header("content-location")), ("", ""));
        assert_eq!(answer.json()["complete"], false);
    }
}

#[tokio::test]
async fn with_a_cache_of_nothing_each_answer_is_made_anew() {
    let server = Server::start_with(&["--cache-bytes", "0"]).await;
    let mut bodies = vec![];
    for _ in 0..2 {
        let answer = server.client.get("/maze?algo=kruskal&size=9&seed=7").await;
        assert_eq!((answer.status, answer.header("cache-status")), (200, "mazed; fwd=miss"));
        bodies.push(answer.body);
    }
    assert_eq!(bodies[0], bodies[1]);
    assert_eq!(server.client.generations().await, 2);
    assert_eq!(server.client.metric("mazed_cache_entries").await, 0);
}
