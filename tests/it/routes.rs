//! Everything but levels: unknown paths, methods, media types, probes and metrics.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;

use mazed::http::{ROUTES, Route};
use reqwest::Method;
use tokio::task::spawn_blocking;

use crate::api::{Server, samples};

#[tokio::test]
async fn a_path_that_is_no_route_is_not_found() {
    let server = Server::start().await;
    for target in ["/labyrinth", "/maze/", "/Maze", "/healthz/", "/maze%2F", "/maze.json", "/a/b/c/d?e=f", "/%FF"] {
        assert_eq!(server.client.get(target).await.status, 404, "{target}");
    }
    // an unknown path gets 404 for every method
    assert_eq!(server.client.send(Method::POST, "/labyrinth", &[]).await.status, 404);
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn another_method_gets_the_allowed_ones() {
    let server = Server::start().await;
    for Route { path, methods, .. } in ROUTES {
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
            if methods.contains(&method) {
                continue;
            }
            let answer = server.client.send(method.parse().unwrap(), path, &[]).await;
            let allowed: Vec<_> = answer.header("allow").split(',').map(str::trim).collect();
            assert_eq!((answer.status, allowed.as_slice()), (405, *methods), "{method} {path}");
        }
    }
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn accept_chooses_json_or_nothing() {
    let server = Server::start().await;
    for (accept, status) in [
        ("*/*", 200),
        ("application/*", 200),
        ("application/json", 200),
        ("Application/JSON", 200),
        ("application/json; charset=utf-8", 200),
        ("application/json;q=0.1, image/png", 200),
        ("image/png, */*;q=0.1", 200),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 200),
        ("*/*;q=0, application/json", 200),
        ("image/png", 406),
        ("text/html, application/xml;q=0.9", 406),
        ("application/json;q=0", 406),
        ("application/json;q=0, */*", 406),
        ("application/json; q=0.000", 406),
        ("*/*;q=0", 406),
    ] {
        let answer = server.client.send(Method::GET, "/maze?size=5&seed=7", &[("accept", accept)]).await;
        assert_eq!(answer.status, status, "{accept:?}");
    }
    let lines = [("accept", "image/png"), ("accept", "application/json")];
    assert_eq!(server.client.send(Method::GET, "/maze?size=5&seed=7", &lines).await.status, 200, "two lines");
    assert_eq!(server.client.send(Method::GET, "/maze?size=4", &[("accept", "image/png")]).await.status, 406);
}

/// Sends a head that the HTTP client of the tests would not send, and returns the whole response.
async fn by_hand(server: &Server, head: &str) -> String {
    let address = server.client.address().to_owned();
    let request = format!("{head}\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    let exchange = move || -> io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map(|_| answer)
    };
    spawn_blocking(exchange).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_request_without_accept_gets_json() {
    let server = Server::start().await;
    let answer = by_hand(&server, "GET /maze?size=5&seed=7 HTTP/1.1").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("content-type: application/json\r\n"), "{answer}");
    assert!(answer.ends_with("}}"), "{answer}");
}

#[tokio::test]
async fn a_body_above_the_limit_is_refused_before_it_is_sent() {
    let server = Server::start_with(&["--max-body-bytes", "1000"]).await;
    for request in ["GET /maze?size=5&seed=7", "POST /maze", "PUT /labyrinth"] {
        let head = format!("{request} HTTP/1.1\r\ncontent-length: 1001");
        let answer = by_hand(&server, &head).await;
        assert!(answer.starts_with("HTTP/1.1 413 "), "{request}: {answer}");
        assert!(answer.contains("\"type\":\"urn:mazed:body-too-large\""), "{request}: {answer}");
    }
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn every_get_route_answers_200() {
    let server = Server::start().await;
    for Route { path, .. } in ROUTES.iter().filter(|route| route.methods.contains(&"GET")) {
        // a pick needs a wanted difficulty or length
        let query = if *path == "/maze/pick" { "?difficulty=0.5" } else { "" };
        assert_eq!(server.client.get(&format!("{path}{query}")).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_thousand_random_paths_add_one_series_at_most() {
    let server = Server::start().await;
    let series = async || -> Vec<String> {
        let text = server.client.get("/metrics").await.text();
        samples(&text).map(|(series, _)| series.to_owned()).collect()
    };
    // the first request for metrics adds a series for itself
    series().await;
    let before = series().await;
    let mut paths =
        std::iter::successors(Some(7_u64), |x| Some(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)));
    let mut random_path = || format!("/{:x}/{:x}?seed={0}", paths.next().unwrap(), paths.next().unwrap());
    server.client.get(&random_path()).await;
    let one = series().await;
    for _ in 1..1_000 {
        server.client.get(&random_path()).await;
    }
    let thousand = series().await;
    let requests =
        |series: &[String]| series.iter().filter(|name| name.starts_with("mazed_http_requests_total{")).count();
    assert!(requests(&one) <= requests(&before) + 1, "{one:#?}");
    assert_eq!(thousand, one, "no series names a path");
}
