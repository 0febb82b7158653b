//! Pages of other origins may read responses if a setting says so.

use reqwest::Method;

use crate::api::{Answer, Server};
use crate::harness::mazed;

const LEVEL: &str = "/maze?algo=kruskal&size=9&seed=7";
const ORIGIN: &str = "https://play.example";
const EXPOSED: [&str; 5] = ["cache-status", "content-location", "etag", "retry-after", "x-request-id"];

/// The entries of a header that is a list, over all its lines, sorted.
fn entries(answer: &Answer, name: &str) -> Vec<String> {
    let lines = answer.headers.get_all(name).iter().map(|line| line.to_str().unwrap());
    let entries = lines.flat_map(|line| line.split(',')).map(|entry| entry.trim().to_ascii_lowercase());
    let mut entries: Vec<_> = entries.collect();
    entries.sort();
    entries
}

/// One response of each kind, to requests of pages of this origin.
async fn responses(server: &Server, origin: &str) -> Vec<Answer> {
    let mut all = Vec::new();
    for (method, target, header, status) in [
        (Method::GET, LEVEL, ("accept", "*/*"), 200),
        (Method::GET, LEVEL, ("accept", "*/*"), 200),
        (Method::HEAD, LEVEL, ("accept", "*/*"), 200),
        (Method::GET, LEVEL, ("if-none-match", "*"), 304),
        (Method::GET, "/maze?size=4", ("accept", "*/*"), 400),
        (Method::GET, "/labyrinth", ("accept", "*/*"), 404),
        (Method::PUT, "/maze", ("accept", "*/*"), 405),
        (Method::GET, LEVEL, ("accept", "image/bmp"), 406),
        (Method::GET, LEVEL, ("if-match", "\"x\""), 412),
        (Method::POST, "/maze", ("accept", "*/*"), 415),
        (Method::GET, "/algorithms", ("accept", "*/*"), 200),
        (Method::GET, "/healthz", ("accept", "*/*"), 200),
        (Method::OPTIONS, "/maze", ("accept", "*/*"), 405),
    ] {
        let answer = server.client.send(method.clone(), target, &[("origin", origin), header]).await;
        assert_eq!(answer.status, status, "{method} {target} {header:?}");
        all.push(answer);
    }
    all
}

/// A request that a browser sends ahead.
async fn preflight(server: &Server, origin: &str) -> reqwest::Response {
    let url = format!("http://{}/maze", server.client.address());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client
        .request(Method::OPTIONS, url)
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type,if-none-match");
    request.send().await.unwrap()
}

fn header<'a>(response: &'a reqwest::Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn by_default_no_page_of_another_origin_may_read() {
    let server = Server::start().await;
    for answer in responses(&server, ORIGIN).await {
        let headers = answer.headers.keys().map(reqwest::header::HeaderName::as_str);
        assert!(headers.into_iter().all(|name| !name.starts_with("access-control-")), "{answer:?}");
        assert!(!entries(&answer, "vary").contains(&"origin".to_owned()), "{answer:?}");
    }
    assert_eq!(preflight(&server, ORIGIN).await.status(), 405);
}

#[tokio::test]
async fn any_origin_may_read_every_response_if_the_setting_is_a_star() {
    let server = Server::start_with(&["--cors-origin", "*"]).await;
    for answer in responses(&server, ORIGIN).await {
        if answer.request.starts_with("OPTIONS") {
            continue;
        }
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{answer:?}");
        assert_eq!(entries(&answer, "access-control-expose-headers"), EXPOSED, "{answer:?}");
        assert!(!entries(&answer, "vary").contains(&"origin".to_owned()), "{answer:?}");
    }
    let sent_ahead = preflight(&server, ORIGIN).await;
    assert_eq!(sent_ahead.status(), 204);
    assert_eq!(header(&sent_ahead, "access-control-allow-origin"), "*");
    assert_eq!(header(&sent_ahead, "access-control-allow-methods"), "GET,HEAD,POST");
    assert_eq!(header(&sent_ahead, "access-control-allow-headers"), "*");
    assert_eq!(header(&sent_ahead, "access-control-max-age"), "86400");
    assert_eq!(sent_ahead.text().await.unwrap(), "");
}

#[tokio::test]
async fn only_listed_origins_may_read_if_the_setting_is_a_list() {
    let server = Server::start_with(&["--cors-origin", "http://localhost:3000,https://Play.example"]).await;
    for (origin, allowed) in [
        (ORIGIN, ORIGIN),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://localhost", ""),
        ("https://play.example.evil", ""),
        ("null", ""),
    ] {
        for answer in responses(&server, origin).await {
            if answer.request.starts_with("OPTIONS") {
                continue;
            }
            assert_eq!(answer.header("access-control-allow-origin"), allowed, "{answer:?}");
            assert!(entries(&answer, "vary").contains(&"origin".to_owned()), "a cache must not mix them: {answer:?}");
        }
        let sent_ahead = preflight(&server, origin).await;
        assert_eq!((sent_ahead.status().as_u16(), header(&sent_ahead, "access-control-allow-origin")), (204, allowed));
    }
    // a cache must not hand a response without an origin to a page
    let plain = server.client.get(LEVEL).await;
    assert_eq!(entries(&plain, "vary"), ["accept", "accept-encoding", "origin"]);
}

#[test]
fn a_setting_that_is_no_origin_is_refused() {
    for value in ["play.example", "https://play.example/", "https://play.example,*"] {
        let output = mazed(&[], &[("MAZED_CORS_ORIGIN", value)]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{value}: {message}");
        assert!(message.contains("MAZED_CORS_ORIGIN") && message.contains("https://play.example,http"), "{message}");
    }
}
