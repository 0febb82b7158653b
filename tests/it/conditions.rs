//! HTTP by the book: preconditions, the `Host` header, the headers of HEAD, and spellings of a path.

use std::io::Read;
use std::net::SocketAddr;

use reqwest::Method;
use reqwest::header::HeaderMap;
use tokio::task::spawn_blocking;

use crate::api::{Answer, Server};
use crate::harness::{connect, send};

const LEVEL: &str = "/maze?algo=kruskal&size=9&seed=7";

/// Sends exactly these bytes and returns all that comes back.
async fn by_hand(server: &Server, request: &str) -> String {
    let addr: SocketAddr = server.client.address().parse().unwrap();
    let request = request.to_owned();
    let exchange = move || {
        let mut stream = connect(addr);
        send(&mut stream, &request);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    spawn_blocking(exchange).await.unwrap()
}

#[tokio::test]
async fn a_request_names_one_host() {
    let server = Server::start().await;
    let close = "connection: close\r\n\r\n";
    for target in [LEVEL, "/healthz", "/labyrinth"] {
        for (version, hosts, accepted) in [
            ("1.1", "host: mazed\r\n", true),
            ("1.1", "host: 127.0.0.1:8080\r\n", true),
            ("1.1", "host: [::1]:8080\r\n", true),
            ("1.1", "host:\r\n", true),
            ("1.0", "", true),
            ("1.0", "host: mazed\r\n", true),
            ("1.1", "", false),
            ("1.1", "host: mazed\r\nhost: mazed\r\n", false),
            ("1.1", "host: mazed\r\nhost: other\r\n", false),
            ("1.0", "host: mazed\r\nhost: other\r\n", false),
            ("1.1", "host: mazed, other\r\n", false),
            ("1.1", "host: mazed/maze\r\n", false),
            ("1.1", "host: me@mazed\r\n", false),
            ("1.1", "host: [::1]\r\n", true),
            ("1.1", "host: mazed:\r\n", true),
            ("1.1", "host: [::1\r\n", false),
            ("1.1", "host: [mazed]\r\n", false),
            ("1.1", "host: [::1]8080\r\n", false),
            ("1.1", "host: mazed:http\r\n", false),
            ("1.1", "host: mazed:80:80\r\n", false),
            ("1.1", "host: m\u{e4}zed\r\n", false),
        ] {
            let answer = by_hand(&server, &format!("GET {target} HTTP/{version}\r\n{hosts}{close}")).await;
            let refused = answer.starts_with(&format!("HTTP/{version} 400 "));
            assert_eq!(refused, !accepted, "{target} {version} {hosts:?}: {answer}");
            assert_eq!(answer.contains(r#""parameter":"host""#), !accepted, "{answer}");
        }
    }
    let absolute = by_hand(&server, &format!("GET http://mazed{LEVEL} HTTP/1.1\r\nhost: mazed\r\n{close}")).await;
    assert!(absolute.starts_with("HTTP/1.1 200 "), "{absolute}");
}

#[tokio::test]
async fn a_request_that_a_browser_sends_ahead_names_one_host_too() {
    let server = Server::start_with(&["--cors-origin", "*"]).await;
    let asks = "origin: https://play.example\r\naccess-control-request-method: GET\r\nconnection: close\r\n\r\n";
    for (host, status) in [("host: mazed\r\n", 204), ("", 400)] {
        let answer = by_hand(&server, &format!("OPTIONS /maze HTTP/1.1\r\n{host}{asks}")).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{host:?}: {answer}");
    }
}

/// Sends a request with preconditions.
async fn conditional(server: &Server, method: Method, target: &str, headers: &[(&str, &str)]) -> Answer {
    server.client.send(method, target, headers).await
}

#[tokio::test]
async fn preconditions_are_evaluated_in_their_order() {
    let server = Server::start().await;
    // the first round finds nothing in the cache
    let tag = server.client.get(LEVEL).await.header("etag").to_owned();
    let restarted = Server::start().await;
    let (weak, other) = (format!("W/{tag}"), "\"x\"");
    for server in [&restarted, &server] {
        for (headers, status) in [
            (vec![("if-match", other)], 412),
            (vec![("if-match", &*weak)], 412),
            (vec![("if-match", other), ("if-none-match", &*tag)], 412),
            (vec![("if-match", other), ("if-none-match", "*")], 412),
            (vec![("if-match", &*tag), ("if-none-match", &*tag)], 304),
            (vec![("if-match", "*"), ("if-none-match", &*weak)], 304),
            (vec![("if-match", &*tag)], 200),
            (vec![("if-match", "*")], 200),
            (vec![("if-match", other), ("if-match", &*tag)], 200),
            (vec![("if-match", &*tag), ("if-none-match", other)], 200),
        ] {
            for method in [Method::GET, Method::HEAD] {
                let answer = conditional(server, method.clone(), LEVEL, &headers).await;
                assert_eq!(answer.status, status, "{method} {headers:?}");
                if status == 412 && method == Method::GET {
                    assert_eq!(answer.json()["type"], "urn:mazed:precondition-failed");
                }
            }
        }
    }
    let made = restarted.client.generations().await;
    conditional(&restarted, Method::GET, "/maze?size=9&seed=8", &[("if-match", other)]).await;
    assert_eq!(restarted.client.generations().await, made, "no level is made for a 412");
}

#[tokio::test]
async fn a_precondition_is_read_after_the_parameters() {
    let server = Server::start().await;
    for (target, status) in [("/maze?size=4", 400), ("/labyrinth", 404), ("/maze?size=5", 412), ("/healthz", 200)] {
        let answer = conditional(&server, Method::GET, target, &[("if-match", "\"x\"")]).await;
        assert_eq!(answer.status, status, "{target}");
    }
    let random = conditional(&server, Method::GET, "/maze?size=5", &[("if-match", "*")]).await;
    assert_eq!(random.status, 200, "there is a level, but it has no tag");
}

#[tokio::test]
async fn a_post_meets_no_tag() {
    let server = Server::start().await;
    for (tags, status) in [("\"x\"", 412), ("*", 200)] {
        let headers = [("content-type", "application/json"), ("if-match", tags)];
        let body = Some(r#"{"size":5,"seed":7}"#.into());
        assert_eq!(server.client.send_body(Method::POST, "/maze", &headers, body).await.status, status, "{tags}");
    }
}

#[tokio::test]
async fn a_304_has_the_same_headers_for_head_as_for_get() {
    let server = Server::start().await;
    for target in [LEVEL, "/maze/stats?size=9&seed=7", "/algorithms", "/openapi.yaml"] {
        let tag = server.client.get(target).await.header("etag").to_owned();
        let [get, head] = [Method::GET, Method::HEAD].map(|method| {
            let (server, tag) = (&server, &tag);
            async move { conditional(server, method, target, &[("if-none-match", tag)]).await }
        });
        let (get, head) = (get.await, head.await);
        assert_eq!((get.status, head.status), (304, 304), "{target}");
        let without_date_and_id = |answer: &Answer| -> HeaderMap {
            let headers = answer.headers.iter().filter(|(name, _)| *name != "date" && *name != "x-request-id");
            headers.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        assert_eq!(without_date_and_id(&head), without_date_and_id(&get), "{target}");
        assert!(!head.headers.contains_key("content-length"), "{target}: it is not the length that GET would send");
    }
}

#[tokio::test]
async fn documents_have_a_tag_and_are_not_sent_twice() {
    let server = Server::start().await;
    for target in ["/algorithms", "/openapi.yaml", "/openapi.json"] {
        let first = server.client.get(target).await;
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with('"'), "{target} has a strong tag: {tag}");
        for (headers, status) in [
            (vec![("if-none-match", &*tag)], 304),
            (vec![("if-none-match", "*")], 304),
            (vec![("if-none-match", "\"x\"")], 200),
            (vec![("if-match", &*tag)], 200),
            (vec![("if-match", "\"x\"")], 412),
        ] {
            for method in [Method::GET, Method::HEAD] {
                let answer = conditional(&server, method, target, &headers).await;
                assert_eq!(answer.status, status, "{target} {headers:?}");
                assert_eq!(answer.header("etag"), if status == 412 { "" } else { &tag }, "{target}");
            }
        }
        assert_eq!(Server::start().await.client.get(target).await.header("etag"), tag, "{target}: after a restart");
    }
    let limited = Server::start_with(&["--max-side", "101"]).await;
    let tags = [&server, &limited].map(|server| server.client.get("/algorithms"));
    let [first, second] = tags;
    assert_ne!(first.await.header("etag"), second.await.header("etag"), "the catalogue tells the settings");
}

#[tokio::test]
async fn escapes_of_letters_do_not_change_a_path() {
    let server = Server::start().await;
    let level = server.client.get(LEVEL).await;
    for target in ["/%6daze", "/%6Daze", "/%6d%61%7A%65", "/m%61ze"] {
        let request =
            format!("GET {target}?algo=kruskal&size=9&seed=7 HTTP/1.1\r\nhost: mazed\r\nconnection: close\r\n\r\n");
        let answer = by_hand(&server, &request).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{target}: {answer}");
        assert!(answer.contains(&format!("\r\ncontent-location: {LEVEL}\r\n")), "{target}: {answer}");
        assert!(answer.contains(&format!("\r\netag: {}\r\n", level.header("etag"))), "{target}: {answer}");
        assert!(answer.contains("\r\ncache-status: mazed; hit\r\n"), "{target}: {answer}");
        assert!(answer.ends_with(&level.text()), "{target}: {answer}");
    }
    for (target, status) in [("/openapi%2Eyaml", 200), ("/maze%2Fstats?seed=7", 404), ("/maze%3Fseed=7", 404)] {
        let request = format!("GET {target} HTTP/1.1\r\nhost: mazed\r\nconnection: close\r\n\r\n");
        let answer = by_hand(&server, &request).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{target}: {answer}");
    }
}
