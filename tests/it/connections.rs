//! The limit on connections: who makes room, and what is left for probes.

use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::harness::{Program, TIMEOUT, connect, eventually, fetch, read_to_close, send};

const GET: &str = "GET /maze?size=5&seed=7 HTTP/1.1\r\nhost: mazed\r\n\r\n";
const HALF: &str = "GET /healthz HTTP/1.1\r\nhost: ma";

/// A connection is safe for this long, and more.
const SAFE: Duration = Duration::from_millis(150);

/// A request that takes as long as the server lives, until its client leaves.
const LONG: &str = "GET /maze?algo=prim&size=16001&grid=none&path=none&seed=";

/// Opens connections on which requests are under way.
fn busy(program: &Program, connections: usize) -> Vec<TcpStream> {
    let all = (0..connections).map(|number| {
        let mut stream = connect(program.addr);
        send(&mut stream, &format!("{LONG}{number} HTTP/1.1\r\nhost: mazed\r\n\r\n"));
        stream
    });
    let all = all.collect();
    let jobs = |metrics: &str| {
        let value = |name: &str| {
            metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<usize>().ok()).unwrap_or(0)
        };
        value("mazed_jobs_running ") + value("mazed_jobs_queued ")
    };
    eventually("all are under way", || jobs(&fetch(program.addr, "/metrics")) == connections);
    all
}

/// A program on which a request can take for ever, with the response of [`GET`] in its cache.
fn start(connections: &str) -> Program {
    let program = Program::start(&[
        ("MAZED_CONNECTIONS", connections),
        ("MAZED_MAX_SIDE", "16001"),
        ("MAZED_WORK_BYTES", "2GiB"),
        ("MAZED_REQUEST_TIMEOUT", "600"),
        ("MAZED_READINESS_DELAY", "0"),
    ]);
    assert!(fetch(program.addr, "/maze?size=5&seed=7").starts_with("HTTP/1.1 200 "));
    program
}

fn assert_alive(addr: SocketAddr) {
    let begun = Instant::now();
    let answer = fetch(addr, "/healthz");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(begun.elapsed() < Duration::from_secs(5), "before an orchestrator gives up");
}

#[test]
fn silent_clients_do_not_fail_a_probe() {
    let program = Program::start(&[("MAZED_CONNECTIONS", "2")]);
    let _silent = [connect(program.addr), connect(program.addr)];
    assert_alive(program.addr);
}

#[test]
fn clients_between_requests_do_not_fail_a_probe() {
    let program = Program::start(&[("MAZED_CONNECTIONS", "2")]);
    let mut idle = [connect(program.addr), connect(program.addr)];
    for stream in &mut idle {
        send(stream, GET);
        assert_eq!(stream.read(&mut [0]).expect("a response"), 1);
    }
    for _ in 0..3 {
        assert_alive(program.addr);
    }
}

#[test]
fn more_than_a_thousand_silent_or_half_sent_connections_do_not_fail_a_probe() {
    let program = Program::start(&[("MAZED_CONNECTIONS", "200")]);
    for start in ["", HALF] {
        let crowd: Vec<_> = (0..400)
            .map(|_| {
                let mut stream = connect(program.addr);
                send(&mut stream, start);
                stream
            })
            .collect();
        for _ in 0..5 {
            assert_alive(program.addr);
            assert!(fetch(program.addr, "/maze?size=5&seed=7").starts_with("HTTP/1.1 200 "));
        }
        drop(crowd);
    }
}

#[test]
fn the_connection_that_has_been_idle_longest_makes_room() {
    let program = Program::start(&[("MAZED_CONNECTIONS", "2")]);
    let (mut first, mut second) = (connect(program.addr), connect(program.addr));
    sleep(SAFE);
    // the first to connect is the last to have been answered
    send(&mut first, GET);
    assert_eq!(first.read(&mut [0; 4096]).expect("a response").min(1), 1);
    sleep(SAFE);
    let mut third = connect(program.addr);
    send(&mut third, GET);
    assert!(read_to_close(&mut second) == 0, "it makes room");
    let mut start = [0; 12];
    third.read_exact(&mut start).expect("a response");
    assert_eq!(&start, b"HTTP/1.1 200");
    send(&mut first, GET);
    first.read_exact(&mut start).expect("it is still open");
    assert_eq!(&start, b"HTTP/1.1 200");
}

#[test]
fn a_silent_connection_above_the_limit_is_not_the_one_that_makes_room() {
    let program = Program::start(&[("MAZED_CONNECTIONS", "1")]);
    let mut within = connect(program.addr);
    send(&mut within, GET);
    assert!(within.read(&mut [0; 4096]).expect("a response") > 0);
    let _above = connect(program.addr);
    sleep(SAFE);
    send(&mut within, GET);
    assert!(within.read(&mut [0; 4096]).expect("a response") > 0);
    sleep(SAFE);
    let answer = fetch(program.addr, "/maze?size=5&seed=7");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert_eq!(read_to_close(&mut within), 0);
}

#[test]
fn a_head_that_trickles_does_not_keep_its_connection() {
    let program = Program::start(&[("MAZED_CONNECTIONS", "1")]);
    let mut slow = connect(program.addr);
    for byte in HALF.bytes() {
        send(&mut slow, &char::from(byte).to_string());
        sleep(Duration::from_millis(5));
    }
    let answer = fetch(program.addr, "/maze?size=5&seed=7");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert_eq!(read_to_close(&mut slow), 0);
}

#[test]
fn while_all_connections_are_busy_only_probes_are_answered() {
    let program = start("2");
    let busy = busy(&program, 2);
    for path in ["/healthz", "/readyz", "/metrics"] {
        let answer = fetch(program.addr, path);
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("\r\nconnection: close\r\n"), "{answer}");
    }
    let refused = fetch(program.addr, "/maze?size=5&seed=7");
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("MAZED_CONNECTIONS"), "{refused}");
    let mut keeps_open = connect(program.addr);
    send(&mut keeps_open, GET);
    let mut text = String::new();
    keeps_open.read_to_string(&mut text).expect("the connection ends");
    assert!(text.starts_with("HTTP/1.1 503 ") && text.contains("\r\nconnection: close\r\n"), "{text}");
    let metrics = fetch(program.addr, "/metrics");
    assert!(metrics.contains("mazed_shed_total{limit=\"connections\"} 2"), "{metrics}");
    drop(busy);
    eventually("there is room", || fetch(program.addr, "/maze?size=5&seed=7").starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_probe_is_answered_beside_busy_and_many_silent_connections() {
    let program = start("2");
    let _busy = busy(&program, 2);
    let _silent: Vec<_> = (0..100).map(|_| connect(program.addr)).collect();
    assert_alive(program.addr);
}

#[test]
fn a_connection_may_be_silent_between_requests_for_longer_than_a_head_may_take() {
    let program = Program::start(&[("MAZED_HEAD_TIMEOUT", "0.3"), ("MAZED_IDLE_TIMEOUT", "20")]);
    let mut stream = connect(program.addr);
    for _ in 0..2 {
        send(&mut stream, GET);
        let mut buffer = vec![0; 4096];
        let read = stream.read(&mut buffer).expect("a response");
        assert!(buffer[..read].starts_with(b"HTTP/1.1 200 "));
        sleep(Duration::from_millis(900));
    }
    let begun = Instant::now();
    send(&mut stream, HALF);
    assert_eq!(read_to_close(&mut stream), 0);
    assert!(begun.elapsed() < TIMEOUT / 2, "a head that has begun must end in time");
    let begun = Instant::now();
    assert_eq!(read_to_close(&mut connect(program.addr)), 0);
    assert!(begun.elapsed() < TIMEOUT / 2, "the first head must come in time");
}

#[test]
fn a_body_that_is_discarded_is_not_taken_for_a_head() {
    let program = Program::start(&[("MAZED_HEAD_TIMEOUT", "0.5")]);
    let mut stream = connect(program.addr);
    send(&mut stream, "PUT /maze HTTP/1.1\r\nhost: mazed\r\ncontent-length: 30\r\n\r\n");
    let mut buffer = vec![0; 4096];
    assert!(stream.read(&mut buffer).expect("a response") > 0);
    for _ in 0..10 {
        sleep(Duration::from_millis(100));
        send(&mut stream, "xxx");
    }
    sleep(Duration::from_millis(600));
    send(&mut stream, GET);
    let read = stream.read(&mut buffer).expect("a response");
    assert!(buffer[..read].starts_with(b"HTTP/1.1 200 "));
}
