//! A level is made once, and its response has the same bytes for ever, so that every cache may keep it.

use mazed::level::algorithms::ALGORITHMS;
use mazed::level::solvers::SOLVERS;
use reqwest::Method;
use reqwest::header::HeaderMap;

use crate::api::{Answer, Client, Server};

const HIT: &str = "mazed; hit";
const MISS: &str = "mazed; fwd=miss";
const COLLAPSED: &str = "mazed; fwd=miss; collapsed";

async fn get_if_none_match(client: &Client, target: &str, tags: &str) -> Answer {
    client.send(Method::GET, target, &[("if-none-match", tags)]).await
}

#[tokio::test]
async fn a_seeded_answer_is_immutable_and_has_a_tag() {
    let server = Server::start().await;
    let answer = server.client.get("/maze?seed=7&size=005&algo=kruskal&exit=3,3&grid=matrix&start=1,1").await;
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(answer.header("content-location"), "/maze?algo=kruskal&size=5&seed=7");
    assert!(answer.headers.contains_key("etag"));
}

#[tokio::test]
async fn the_canonical_url_has_a_fixed_order_and_no_defaults() {
    let server = Server::start().await;
    for (query, canonical) in [
        ("seed=7", "/maze?algo=kruskal&size=41&seed=7"),
        (
            "path=moves&grid=rows&solver=right-hand&seed=7",
            "/maze?algo=kruskal&size=41&seed=7&solver=right_hand&grid=rows&path=moves",
        ),
        ("algo=recursive-backtracker&height=9&width=9&seed=-0", "/maze?algo=dfs&size=9&seed=0"),
        ("height=9&width=11&seed=a", "/maze?algo=kruskal&width=11&height=9&seed=a"),
        (
            "jitter=0.50&rooms=3&door_size=1&algo=bsp&seed=7&size=20&exit=1,1&start=1,1",
            "/maze?algo=bsp&size=20&seed=7&exit=1,1&rooms=3&jitter=0.5",
        ),
        ("solver=none&path=points&seed=7&algo=prim", "/maze?algo=prim&size=41&seed=7&solver=none"),
    ] {
        let answer = server.client.get(&format!("/maze?{query}")).await;
        // a comma may stand for itself or be escaped
        let given = answer.header("content-location").replace("%2C", ",");
        assert_eq!((answer.status, given.as_str()), (200, canonical), "{query}");
    }
}

#[tokio::test]
async fn requests_that_mean_the_same_have_the_same_tag_and_others_do_not() {
    let server = Server::start().await;
    let tag = async |query: &str| {
        let answer = server.client.get(&format!("/maze?{query}")).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text());
        answer.header("etag").to_owned()
    };
    let first = tag("algo=dfs&size=21&seed=7").await;
    for same in
        ["seed=007&size=21&algo=recursive_backtracker", "algo=dfs&width=21&height=21&seed=7&start=1,1&path=points"]
    {
        assert_eq!(tag(same).await, first, "{same}");
    }
    let mut tags = vec![first];
    for other in [
        "algo=prim&size=21&seed=7",
        "algo=dfs&size=23&seed=7",
        "algo=dfs&size=21&seed=8",
        "algo=dfs&size=21&seed=7&start=3,3",
        "algo=dfs&size=21&seed=7&exit=3,3",
        "algo=dfs&size=21&seed=7&solver=right_hand",
        "algo=dfs&size=21&seed=7&solver=left_hand",
        "algo=dfs&size=21&seed=7&solver=none",
        "algo=dfs&size=21&seed=7&grid=rows",
        "algo=dfs&size=21&seed=7&grid=bits",
        "algo=dfs&size=21&seed=7&grid=none",
        "algo=dfs&size=21&seed=7&path=moves",
        "algo=dfs&size=21&seed=7&path=none",
        "algo=bsp&size=21&seed=7",
        "algo=bsp&size=21&seed=7&rooms=2",
        "algo=bsp&size=21&seed=7&jitter=0.3",
    ] {
        let tag = tag(other).await;
        assert!(!tags.contains(&tag), "{other} has the tag of another answer");
        tags.push(tag);
    }
}

#[tokio::test]
async fn if_none_match_is_understood_in_all_its_forms() {
    let server = Server::start().await;
    let target = "/maze?algo=kruskal&size=21&seed=7";
    let full = server.client.get(target).await;
    let tag = full.header("etag");
    let opaque = tag.trim_matches('"');
    for (tags, status) in [
        (tag.to_owned(), 304),
        (format!("W/{tag}"), 304),
        ("*".to_owned(), 304),
        (format!("\"other\", {tag}"), 304),
        (format!("{tag}, \"other\""), 304),
        (format!("\"other\",W/{tag},\"third\""), 304),
        (format!("\"with,commas\", {tag}"), 304),
        (format!("  {tag}  "), 304),
        (format!(", {tag}"), 304),
        ("\"other\"".to_owned(), 200),
        ("W/\"other\", \"third\"".to_owned(), 200),
        (opaque.to_owned(), 200),
        (format!("\"{opaque}x\""), 200),
        (format!("\"x,{opaque}\""), 200),
        ("\"*\"".to_owned(), 200),
        // no tag may have a space, but a client may send one
        ("\"a b\"".to_owned(), 200),
        (String::new(), 200),
        ("\"".to_owned(), 200),
    ] {
        let answer = get_if_none_match(&server.client, target, &tags).await;
        assert_eq!(answer.status, status, "{tags:?}");
        if status == 304 {
            assert!(answer.body.is_empty(), "{tags:?}");
            for name in ["etag", "cache-control", "content-location"] {
                assert_eq!(answer.header(name), full.header(name), "{tags:?}");
            }
        } else {
            assert_eq!(answer.body, full.body, "{tags:?}");
        }
        let head = server.client.send(Method::HEAD, target, &[("if-none-match", &tags)]).await;
        assert_eq!(head.status, status, "HEAD {tags:?}");
    }
}

#[tokio::test]
async fn several_lines_of_tags_are_one_list() {
    let server = Server::start().await;
    let target = "/maze?size=5&seed=7";
    let tag = server.client.get(target).await.header("etag").to_owned();
    let lines = [("if-none-match", "\"other\""), ("if-none-match", tag.as_str())];
    assert_eq!(server.client.send(Method::GET, target, &lines).await.status, 304);
}

#[tokio::test]
async fn a_matching_tag_gets_304_without_making_the_level() {
    let target = "/maze?algo=dfs&size=101&seed=7";
    let tag = Server::start().await.client.get(target).await.header("etag").to_owned();
    // another replica, which has not seen this level
    let server = Server::start().await;
    assert_eq!(get_if_none_match(&server.client, target, &tag).await.status, 304);
    assert_eq!(server.client.generations().await, 0);
}

#[tokio::test]
async fn a_random_level_and_a_bad_request_match_no_tag() {
    let server = Server::start().await;
    assert_eq!(get_if_none_match(&server.client, "/maze?size=5", "*").await.status, 200);
    assert_eq!(get_if_none_match(&server.client, "/maze?size=4&seed=7", "*").await.status, 400);
    assert_eq!(get_if_none_match(&server.client, "/labyrinth", "*").await.status, 404);
}

#[tokio::test]
async fn head_has_the_headers_of_get_and_no_body() {
    let server = Server::start().await;
    let without_date_and_id = |answer: &Answer| {
        let mut headers: HeaderMap = answer.headers.clone();
        headers.remove("date");
        headers.remove("x-request-id");
        headers
    };
    for (target, status) in [
        ("/maze?size=21&seed=7", 200),
        ("/maze?algo=bsp&size=21&seed=7&grid=rows&path=moves", 200),
        ("/maze?size=4", 400),
        ("/maze?algo=bsp&size=21&seed=7&rooms=1000", 422),
        ("/labyrinth", 404),
        ("/algorithms", 200),
        ("/openapi.yaml", 200),
        ("/openapi.json", 200),
        ("/healthz", 200),
        ("/readyz", 200),
    ] {
        // this request makes the level, so that the next two find the same cache
        server.client.get(target).await;
        let get = server.client.get(target).await;
        let head = server.client.send(Method::HEAD, target, &[]).await;
        assert_eq!((get.status, head.status), (status, status), "{target}");
        assert!(head.body.is_empty(), "{target}");
        assert_eq!(without_date_and_id(&head), without_date_and_id(&get), "{target}");
    }
    assert_eq!(server.client.send(Method::HEAD, "/metrics", &[]).await.status, 200);
}

#[tokio::test]
async fn a_head_first_makes_the_level_that_the_get_then_finds() {
    let server = Server::start().await;
    let target = "/maze?size=21&seed=7";
    let head = server.client.send(Method::HEAD, target, &[]).await;
    assert_eq!(head.header("cache-status"), MISS);
    let get = server.client.get(target).await;
    assert_eq!(get.header("cache-status"), HIT);
    assert_eq!(head.header("content-length"), get.body.len().to_string());
}

#[tokio::test]
async fn a_second_request_runs_nothing() {
    let server = Server::start().await;
    for algorithm in ALGORITHMS {
        let target = format!("/maze?algo={}&size=41&seed=7", algorithm.name);
        let first = server.client.get(&target).await;
        assert_eq!(first.header("cache-status"), MISS);
        let (made, hits) = (server.client.generations().await, server.client.metric("mazed_cache_hits_total").await);
        let second = server.client.get(&target).await;
        assert_eq!(second.header("cache-status"), HIT);
        assert_eq!(second.body, first.body);
        assert_eq!(server.client.generations().await, made);
        assert_eq!(server.client.metric("mazed_cache_hits_total").await, hits + 1);
    }
    assert_eq!(server.client.generations().await, ALGORITHMS.len() as u64);
    assert_eq!(server.client.metric("mazed_cache_misses_total").await, ALGORITHMS.len() as u64);
}

#[tokio::test]
async fn a_level_once_made_serves_every_solver_and_form() {
    let server = Server::start().await;
    server.client.level("/maze?algo=dfs&size=41&seed=7").await;
    for solver in SOLVERS.iter().map(|row| row.name).chain(["none"]) {
        for grid in ["matrix", "rows", "bits", "none"] {
            for path in ["points", "moves", "none"] {
                let target = format!("/maze?algo=dfs&size=41&seed=7&solver={solver}&grid={grid}&path={path}");
                let answer = server.client.get(&target).await;
                assert_eq!((answer.status, answer.header("cache-status")), (200, HIT), "{target}");
            }
        }
    }
    assert_eq!(server.client.generations().await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_at_once_get_the_same_bytes_of_one_generation() {
    let server = Server::start().await;
    let target = "/maze?algo=kruskal&size=1001&seed=7&path=moves".to_owned();
    let answers = server.client.get_at_once(vec![target; 50]).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
    assert_eq!(server.client.generations().await, 1);

    let count = |status: &str| answers.iter().filter(|answer| answer.header("cache-status") == status).count();
    let (hits, misses, collapsed) = (count(HIT), count(MISS), count(COLLAPSED));
    assert_eq!((misses, hits + collapsed), (1, 49), "{hits} hits, {misses} misses, {collapsed} collapsed");
    for (name, expected) in [
        ("mazed_cache_hits_total", hits),
        ("mazed_cache_misses_total", misses),
        ("mazed_cache_collapsed_total", collapsed),
    ] {
        assert_eq!(server.client.metric(name).await, expected as u64, "{name}");
    }
}

#[tokio::test]
async fn fifty_different_ones_at_once_come_out_as_one_by_one() {
    let targets: Vec<_> = (0..50).map(|seed| format!("/maze?algo=bsp&size=60&seed={seed}&grid=rows")).collect();
    let server = Server::start().await;
    let mut one_by_one = Vec::new();
    for target in &targets {
        one_by_one.push(server.client.get(target).await.body);
    }
    one_by_one.sort();
    let other = Server::start().await;
    let mut at_once: Vec<_> = other.client.get_at_once(targets).await.into_iter().map(|answer| answer.body).collect();
    at_once.sort();
    assert_eq!(at_once, one_by_one);
}

#[tokio::test]
async fn a_restart_changes_no_byte_and_no_tag() {
    let mut targets = Vec::new();
    for algorithm in ALGORITHMS {
        for form in ["", "&grid=rows&path=moves", "&solver=left_hand&grid=bits"] {
            targets.push(format!("/maze?algo={}&width=41&height=27&seed=level-1{form}", algorithm.name));
        }
    }
    let server = Server::start().await;
    let mut before = Vec::new();
    for target in &targets {
        before.push(server.client.get(target).await);
    }
    server.stop().await;

    let server = Server::start().await;
    for (target, before) in targets.iter().zip(&before) {
        let after = server.client.get(target).await;
        assert_eq!(after.header("cache-status"), before.header("cache-status"), "{target}");
        assert_eq!(after.header("etag"), before.header("etag"), "{target}");
        assert_eq!(after.body, before.body, "{target}");
    }
}

#[tokio::test]
async fn the_tag_ends_in_the_revisions_of_algorithm_query_and_format() {
    let server = Server::start().await;
    for (target, revisions) in [
        ("/maze?size=21&seed=7", "1.1.2"),
        ("/maze?size=21&seed=7&solver=none", "1.0.2"),
        ("/maze/path?size=21&seed=7", "1.1.2"),
        ("/maze/distances?size=21&seed=7", "1.1.2"),
        ("/maze/stats?size=21&seed=7", "1.2.2"),
        ("/maze/spawns?size=21&seed=7", "1.2.2"),
        ("/maze/pick?size=21&seed=7&difficulty=0.5", "1.2.2"),
    ] {
        let answer = server.client.get(target).await;
        let tag = answer.header("etag");
        assert!(tag.ends_with(&format!("-{revisions}\"")), "{target}: {tag}");
    }
}
