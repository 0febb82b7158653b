//! Compressed responses: each client gets a coding that it accepts, each coding has its own tag and is made once.

use std::io::Read as _;

use flate2::read::GzDecoder;
use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::api::Server;

/// A response with its body decoded.
struct Decoded {
    status: u16,
    headers: HeaderMap,
    /// Bytes that were sent.
    sent: usize,
    body: Vec<u8>,
}

impl Decoded {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn decoded(request: RequestBuilder) -> Decoded {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let sent = response.bytes().await.unwrap();
    // the response to HEAD has none
    let is_empty = sent.is_empty();
    let coding = headers.get("content-encoding").map_or("", |value| value.to_str().unwrap());
    let body = match coding {
        _ if is_empty => vec![],
        "gzip" => {
            let mut body = vec![];
            GzDecoder::new(&*sent).read_to_end(&mut body).unwrap();
            body
        }
        "zstd" => zstd::decode_all(&*sent).unwrap(),
        "" => sent.to_vec(),
        other => panic!("{other}"),
    };
    Decoded { status, headers, sent: sent.len(), body }
}

/// Sends a request with an `Accept-Encoding`, and more headers.
async fn send(server: &Server, method: Method, target: &str, accepted: &str, more: &[(&str, &str)]) -> Decoded {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut request = http.request(method, format!("http://{}{target}", server.client.address()));
    if !accepted.is_empty() {
        request = request.header("accept-encoding", accepted);
    }
    decoded(more.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

async fn get(server: &Server, target: &str, accepted: &str) -> Decoded {
    send(server, Method::GET, target, accepted, &[]).await
}

#[tokio::test]
async fn a_client_gets_a_coding_that_it_accepts_and_the_same_body_in_each() {
    let server = Server::start().await;
    for target in [
        "/maze?algo=kruskal&size=41&seed=7",
        "/maze?seed=7&grid=bits&algo=kruskal",
        "/maze/path?algo=kruskal&size=101&seed=7",
        "/maze/distances?algo=kruskal&size=41&seed=7",
        "/algorithms",
        "/openapi.yaml",
        "/openapi.json",
    ] {
        let plain = get(&server, target, "").await;
        assert_eq!((plain.status, plain.header("content-encoding")), (200, ""), "{target}");
        for (accepted, coding) in [
            ("gzip", "gzip"),
            ("gzip, deflate, br", "gzip"),
            ("zstd", "zstd"),
            ("gzip, zstd;q=0.5", "gzip"),
            ("gzip;q=0.2, zstd;q=0.5, identity;q=0.1", "zstd"),
            ("identity", ""),
            ("gzip;q=0", ""),
            ("br", ""),
            ("*", "gzip"),
        ] {
            // a new one, and one from the cache
            for _ in 0..2 {
                let answer = get(&server, target, accepted).await;
                let message = format!("{target} {accepted}");
                assert_eq!((answer.status, answer.header("content-encoding")), (200, coding), "{message}");
                assert!(answer.header("vary").contains("accept-encoding"), "{message}");
                assert!(answer.body == plain.body, "{message}");
                assert_eq!(answer.header("content-length"), answer.sent.to_string(), "{message}");
                if !coding.is_empty() && plain.sent > 4000 {
                    assert!(answer.sent < plain.sent * 3 / 5, "{message}: {} of {}", answer.sent, plain.sent);
                }
            }
            let head = send(&server, Method::HEAD, target, accepted, &[]).await;
            assert_eq!((head.status, head.header("content-encoding")), (200, coding), "{target} {accepted}");
        }
    }
}

#[tokio::test]
async fn each_coding_has_a_tag_of_its_own_that_gets_304() {
    let server = Server::start().await;
    for target in ["/maze?algo=kruskal&size=41&seed=7", "/maze?size=41&seed=7", "/algorithms"] {
        let codings = ["", "gzip", "zstd"];
        let mut tags = vec![];
        for accepted in codings {
            let answer = get(&server, target, accepted).await;
            assert_eq!(answer.header("content-encoding"), accepted, "{target}");
            tags.push(answer.header("etag").to_owned());
        }
        assert!(tags[0] != tags[1] && tags[0] != tags[2] && tags[1] != tags[2], "{tags:?}");
        for (number, tag) in tags.iter().enumerate() {
            for (other, accepted) in codings.iter().enumerate() {
                for sent in [tag.clone(), format!("W/{tag}"), format!("\"a\", {tag}")] {
                    let answer = send(&server, Method::GET, target, accepted, &[("if-none-match", &sent)]).await;
                    let status = if number == other { 304 } else { 200 };
                    assert_eq!(answer.status, status, "{target} {accepted} {sent}");
                    assert!(answer.header("vary").contains("accept-encoding"), "{target} {accepted} {sent}");
                    if status == 304 {
                        assert_eq!((answer.header("etag"), answer.header("content-encoding")), (&**tag, ""));
                    }
                }
                let answer = send(&server, Method::GET, target, accepted, &[("if-match", tag)]).await;
                assert_eq!(answer.status, if number == other { 200 } else { 412 }, "{target} {accepted} {tag}");
            }
        }
    }
}

#[tokio::test]
async fn a_tag_of_a_coding_gets_304_without_a_level() {
    let server = Server::start().await;
    let target = "/maze?algo=kruskal&size=41&seed=7";
    let tag = get(&server, target, "gzip").await.header("etag").to_owned();
    let other = Server::start().await;
    let answer = send(&other, Method::GET, target, "gzip", &[("if-none-match", &tag)]).await;
    assert_eq!(answer.status, 304);
    let metrics = String::from_utf8(get(&other, "/metrics", "").await.body).unwrap();
    assert!(metrics.contains("mazed_generations_total{outcome=\"made\"} 0\n"), "{metrics}");
}

#[tokio::test]
async fn each_form_is_made_once_from_one_level_and_then_comes_from_the_cache() {
    let server = Server::start().await;
    let target = "/maze?algo=kruskal&size=41&seed=7";
    for (accepted, status) in
        [("", "mazed; fwd=miss"), ("gzip", "mazed; hit"), ("zstd", "mazed; hit"), ("gzip", "mazed; hit")]
    {
        assert_eq!(get(&server, target, accepted).await.header("cache-status"), status, "{accepted}");
    }
    let metrics = String::from_utf8(get(&server, "/metrics", "").await.body).unwrap();
    assert!(metrics.contains("mazed_generations_total{outcome=\"made\"} 1\n"), "{metrics}");
    // the level, and its response in three forms
    assert!(metrics.contains("mazed_cache_entries 4\n"), "{metrics}");
}

#[tokio::test]
async fn small_responses_are_sent_as_they_are() {
    let server = Server::start().await;
    for target in [
        "/maze?algo=kruskal&size=5&seed=7",
        "/maze/path?algo=kruskal&size=5&seed=7",
        "/maze/stats?algo=kruskal&size=41&seed=7",
        "/maze/spawns?algo=kruskal&size=41&seed=7&count=4",
        "/maze/pick?algo=kruskal&size=15&seed=7&difficulty=0.5",
        "/maze?size=two",
        "/healthz",
    ] {
        let plain = get(&server, target, "").await;
        let (first, cached) = (get(&server, target, "gzip").await, get(&server, target, "gzip, zstd").await);
        for answer in [first, cached] {
            assert_eq!(answer.header("content-encoding"), "", "{target}");
            assert_eq!(answer.header("etag"), plain.header("etag"), "{target}");
            assert!(answer.body == plain.body || plain.status != 200, "{target}");
        }
    }
    // these are kept once, for all clients
    let metrics = String::from_utf8(get(&server, "/metrics", "").await.body).unwrap();
    let hits: u64 =
        metrics.lines().find_map(|line| line.strip_prefix("mazed_cache_hits_total ")).unwrap().parse().unwrap();
    assert!(hits >= 10, "two for each of five: {hits}");
}

#[tokio::test]
async fn a_post_is_compressed_too() {
    let server = Server::start().await;
    let body = json!({"mask": vec!["#".repeat(41); 41], "seed": 7}).to_string();
    let post = async |accepted: &str| {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = http.post(format!("http://{}/maze", server.client.address()));
        let request = request.header("content-type", "application/json").header("accept-encoding", accepted);
        decoded(request.body(body.clone())).await
    };
    let plain = post("identity").await;
    for coding in ["gzip", "zstd"] {
        let answer = post(coding).await;
        assert_eq!((answer.status, answer.header("content-encoding")), (200, coding));
        assert_eq!((answer.header("etag"), answer.header("cache-control")), ("", "no-store"));
        assert!(answer.body == plain.body && answer.sent < plain.sent / 2, "{} of {}", answer.sent, plain.sent);
    }
}
