//! What `/metrics` says after requests.

use std::io::Read;

use crate::harness::{Program, connect, eventually, fetch, send};

const AT_ONCE: (&str, &str) = ("MAZED_READINESS_DELAY", "0");

/// The value of the series that begins with `name` and has these labels, in any order; 0 if there is none.
fn value(text: &str, name: &str, labels: &[&str]) -> u64 {
    let mut lines = text.lines().filter(|line| line.split(['{', ' ']).next() == Some(name));
    let line = lines.find(|line| labels.iter().all(|label| line.contains(label)));
    line.map_or(0, |line| line.rsplit_once(' ').expect("a value").1.parse().expect("a number"))
}

#[test]
fn an_answer_is_counted_under_its_route_with_its_bytes_and_times() {
    let program = Program::start(&[AT_ONCE]);
    let path = "/maze?algo=dfs&size=21&seed=7";
    let answers: Vec<_> = (0..3).map(|_| fetch(program.addr, path)).collect();
    let body = answers[0].split_once("\r\n\r\n").expect("a body").1.len() as u64;
    let mut stream = connect(program.addr);
    send(&mut stream, &format!("HEAD {path} HTTP/1.1\r\nhost: mazed\r\nconnection: close\r\n\r\n"));
    stream.read_to_string(&mut String::new()).expect("an answer");
    let text = fetch(program.addr, "/metrics");
    let route = "route=\"/maze\"";
    let of = |method, status| value(&text, "mazed_http_requests_total", &[route, method, status]);
    assert_eq!(of("method=\"GET\"", "status=\"200\""), 3);
    assert_eq!(of("method=\"HEAD\"", "status=\"200\""), 1);
    assert_eq!(value(&text, "mazed_http_response_bytes_total", &[route]), 3 * body, "HEAD has no body");
    assert_eq!(value(&text, "mazed_http_request_duration_seconds_count", &[route]), 4);
    let dfs = ["algorithm=\"dfs\""];
    // the level is made once, by one job
    assert_eq!(value(&text, "mazed_generation_duration_seconds_count", &dfs), 1);
    assert_eq!(value(&text, "mazed_queue_wait_seconds_count", &dfs), 1);
    assert!(value(&text, "mazed_responses_bytes", &[]) >= body, "the response is in the cache");
    let version = concat!("version=\"", env!("CARGO_PKG_VERSION"), "\"");
    assert_eq!(value(&text, "mazed_build_info", &[version, "commit=\""]), 1);
}

#[test]
fn requests_refused_before_routing_are_counted() {
    let program = Program::start(&[AT_ONCE]);
    let long = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "x".repeat(1 << 20));
    for request in ["GET /maze\r\n\r\n", "nonsense\r\n\r\n", long.as_str()] {
        let mut stream = connect(program.addr);
        // the server may have answered before it has read everything
        _ = std::io::Write::write_all(&mut stream, request.as_bytes());
        _ = stream.read_to_end(&mut Vec::new());
    }
    // a client that leaves without a request is no bad request
    drop(connect(program.addr));
    eventually("three are counted", || value(&fetch(program.addr, "/metrics"), "mazed_bad_requests_total", &[]) >= 3);
    assert_eq!(value(&fetch(program.addr, "/metrics"), "mazed_bad_requests_total", &[]), 3);
}

#[test]
fn limits_stand_beside_what_is_in_use() {
    let program = Program::start(&[
        ("MAZED_WORKERS", "1"),
        ("MAZED_QUEUE", "7"),
        ("MAZED_CONNECTIONS", "99"),
        ("MAZED_MAX_SIDE", "16001"),
        ("MAZED_WORK_BYTES", "2GiB"),
        ("MAZED_CACHE_BYTES", "1MiB"),
        AT_ONCE,
    ]);
    let mut body = connect(program.addr);
    send(&mut body, "POST /maze HTTP/1.1\r\nhost: mazed\r\ncontent-type: application/json\r\n");
    send(&mut body, &format!("content-length: 2000\r\n\r\n{}", " ".repeat(1_000)));
    let mut long = connect(program.addr);
    send(&mut long, "GET /maze?algo=prim&size=16001&grid=none&path=none HTTP/1.1\r\nhost: mazed\r\n\r\n");
    let metrics = || fetch(program.addr, "/metrics");
    eventually("the job runs", || value(&metrics(), "mazed_jobs_running", &[]) >= 1);
    eventually("the body arrives", || value(&metrics(), "mazed_bodies_bytes", &[]) >= 3_000);
    let text = metrics();
    let of = |name| value(&text, name, &[]);
    assert_eq!((of("mazed_workers"), of("mazed_queue_limit")), (1, 7));
    assert_eq!((of("mazed_connections"), of("mazed_connections_limit")), (3, 99));
    assert_eq!(of("mazed_work_limit_bytes"), 2 << 30);
    let work = of("mazed_work_bytes");
    assert!(work > 2 * 16_001 * 16_001 && work < 3 << 29, "{work}");
    assert_eq!((of("mazed_bodies_bytes"), of("mazed_bodies_limit_bytes")), (3_000, 48 << 20));
    assert_eq!((of("mazed_picks"), of("mazed_picks_limit")), (0, 1));
}

#[test]
fn what_leaves_the_cache_to_make_room_is_counted() {
    let program = Program::start(&[("MAZED_CACHE_BYTES", "64KiB"), AT_ONCE]);
    for seed in 0..20 {
        fetch(program.addr, &format!("/maze?size=101&seed={seed}"));
    }
    let text = fetch(program.addr, "/metrics");
    assert!(value(&text, "mazed_cache_evictions_total", &[]) >= 10, "{text}");
    assert!(value(&text, "mazed_cache_bytes", &[]) <= value(&text, "mazed_cache_limit_bytes", &[]));
}
