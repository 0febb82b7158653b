//! A shutdown loses no request: from the signal on each response ends its connection, so that clients go elsewhere.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, scope, sleep};
use std::time::{Duration, Instant};

use crate::harness::{Program, TIMEOUT, connect, fetch, send};

/// How often a program is stopped under load.
const RUNS: usize = 20;

/// The clients of each run.
pub(crate) const CLIENTS: u64 = 8;

/// A client that keeps its connection, and opens another one when a response ends it.
pub(crate) struct KeepAlive {
    addr: SocketAddr,
    stream: Option<TcpStream>,
    pub(crate) answered: usize,
}

/// What became of a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Answered {
        status: u16,
    },
    /// Nobody listens: nothing was sent.
    Refused,
    /// It was sent, and the connection ended before its response.
    Lost(String),
}

impl KeepAlive {
    pub(crate) fn new(addr: SocketAddr) -> Self {
        Self { addr, stream: None, answered: 0 }
    }

    /// Sends a request and reads its response.
    pub(crate) fn request(&mut self, text: &str) -> Outcome {
        let mut stream = match self.stream.take().map_or_else(|| TcpStream::connect(self.addr), Ok) {
            Ok(stream) => stream,
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => return Outcome::Refused,
            Err(error) => return Outcome::Lost(error.to_string()),
        };
        _ = stream.set_read_timeout(Some(TIMEOUT));
        if let Err(error) = stream.write_all(text.as_bytes()) {
            return Outcome::Lost(error.to_string());
        }
        let (mut answer, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
        loop {
            if let Some((status, closes)) = whole_response(&answer) {
                self.answered += 1;
                self.stream = (!closes).then_some(stream);
                return Outcome::Answered { status };
            }
            match stream.read(&mut buffer) {
                Ok(0) => return Outcome::Lost(format!("closed after {} bytes", answer.len())),
                Ok(read) => answer.extend_from_slice(&buffer[..read]),
                Err(error) => return Outcome::Lost(error.to_string()),
            }
        }
    }
}

/// The status of a response that has arrived whole, and whether it ends its connection.
fn whole_response(bytes: &[u8]) -> Option<(u16, bool)> {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let head = head.to_ascii_lowercase();
    let length: usize = head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse().unwrap();
    let status = head.split(' ').nth(1)?.parse().unwrap();
    (body.len() >= length).then(|| (status, head.contains("\r\nconnection: close")))
}

/// Requests of both methods, with a new level now and then. A proxy sends a GET again if its connection breaks, but no
/// POST.
pub(crate) fn request_text(number: u64) -> String {
    if number.is_multiple_of(2) {
        return format!("GET /maze?size=21&seed={number} HTTP/1.1\r\nhost: mazed\r\n\r\n");
    }
    let body = format!(r#"{{"size":21,"seed":{}}}"#, number % 7);
    let head = "POST /maze HTTP/1.1\r\nhost: mazed\r\ncontent-type: application/json\r\n";
    format!("{head}content-length: {}\r\n\r\n{body}", body.len())
}

/// The pause of a client before a request: none, or up to twice as long as the readiness delay of these tests.
pub(crate) fn pause(client: u64, number: u64) -> Duration {
    Duration::from_millis(if client.is_multiple_of(2) { 0 } else { (client * 31 + number * 17) % 450 })
}

/// Does all runs, some at once: the system makes a client wait for a second that connects at the last moment.
pub(crate) fn at_once(run: fn(usize)) {
    const AT_ONCE: usize = 5;
    scope(|scope| {
        for first in 0..AT_ONCE {
            scope.spawn(move || (first..RUNS).step_by(AT_ONCE).for_each(run));
        }
    });
}

#[test]
fn from_the_signal_on_every_response_ends_its_connection() {
    let program = Program::start(&[("MAZED_READINESS_DELAY", "3600"), ("MAZED_CORS_ORIGIN", "*")]);
    let preflight =
        "OPTIONS /maze HTTP/1.1\r\nhost: mazed\r\norigin: http://a\r\naccess-control-request-method: GET\r\n";
    let get = |target: &str| format!("GET {target} HTTP/1.1\r\nhost: mazed\r\n");
    let requests = [
        (get("/maze?algo=kruskal&size=5&seed=7"), 200),
        (get("/maze?size=5&seed=7") + "if-none-match: *\r\n", 304),
        (get("/maze?size=4"), 400),
        (get("/maze") + "host: other\r\n", 400),
        (get("/labyrinth"), 404),
        (get("/healthz"), 200),
        (get("/metrics"), 200),
        ("DELETE /maze HTTP/1.1\r\nhost: mazed\r\n".to_owned(), 405),
        (preflight.to_owned(), 204),
    ];
    let mut idle: Vec<_> = requests.iter().map(|_| connect(program.addr)).collect();
    let head = |stream: &mut TcpStream, request: &str| {
        send(stream, &format!("{request}\r\n"));
        let mut text = Vec::new();
        while !text.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("a response");
            text.push(byte[0]);
        }
        String::from_utf8(text).unwrap()
    };
    for (stream, (request, status)) in idle.iter_mut().zip(&requests) {
        let before = head(stream, request);
        assert!(before.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {before}");
        assert!(!before.contains("connection: close"), "{request}: {before}");
        let length =
            before.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
        stream.read_exact(&mut vec![0; length]).expect("its body");
    }
    program.signal("TERM");
    program.logged("not ready");
    for (stream, (request, status)) in idle.iter_mut().zip(&requests) {
        let after = head(stream, request);
        assert!(after.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {after}");
        assert!(after.contains("\r\nconnection: close\r\n"), "{request}: {after}");
        stream.read_to_end(&mut Vec::new()).expect("the connection ends");
    }
    assert!(fetch(program.addr, "/readyz").starts_with("HTTP/1.1 503"));
}

#[test]
fn keep_alive_clients_lose_no_request() {
    at_once(stop_under_load);
}

/// Stops a program whose clients send requests all the time.
fn stop_under_load(run: usize) {
    let program = Program::start(&[("MAZED_READINESS_DELAY", "0.3")]);
    let addr = program.addr;
    let outcomes: Vec<_> = scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                scope.spawn(move || {
                    let mut connection = KeepAlive::new(addr);
                    for number in 0.. {
                        sleep(pause(client, number));
                        match connection.request(&request_text(number)) {
                            Outcome::Answered { status: 200 } => {}
                            other => return (connection.answered, other),
                        }
                    }
                    unreachable!("the program ends")
                })
            })
            .collect();
        sleep(Duration::from_millis(100));
        program.signal("TERM");
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    assert_eq!(program.ended().code(), Some(0));
    for (answered, last) in outcomes {
        assert_eq!(last, Outcome::Refused, "run {run}, after {answered} responses");
    }
}

#[test]
fn a_shutdown_under_overload_ends_in_time_and_lets_responses_end() {
    let program = Program::start(&[
        ("MAZED_CONNECTIONS", "40"),
        ("MAZED_MAX_SIDE", "16001"),
        ("MAZED_WORK_BYTES", "2GiB"),
        ("MAZED_REQUEST_TIMEOUT", "600"),
        ("MAZED_READINESS_DELAY", "0.3"),
        ("MAZED_DRAIN_TIMEOUT", "3"),
    ]);
    let addr = program.addr;
    // the responses that have begun: larger than the buffers of the sockets
    let mut readers: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = connect(addr);
            send(
                &mut stream,
                "GET /maze?algo=binary_tree&size=2001&solver=none&seed=7 HTTP/1.1\r\nhost: mazed\r\n\r\n",
            );
            stream.read_exact(&mut [0; 1]).unwrap();
            stream
        })
        .collect();
    let jobs: Vec<_> = (0..8)
        .map(|seed| {
            let mut stream = connect(addr);
            let target = format!("/maze?algo=prim&size=16001&grid=none&path=none&seed={seed}");
            send(&mut stream, &format!("GET {target} HTTP/1.1\r\nhost: mazed\r\n\r\n"));
            stream
        })
        .collect();
    let halves: Vec<_> = (0..60)
        .map(|_| {
            let mut stream = connect(addr);
            _ = stream.write_all(b"GET /maze?size=5&seed=7 HTTP/1.1\r\nhost: ma");
            stream
        })
        .collect();
    program.signal("TERM");
    program.logged("draining");
    let begun = Instant::now();
    for stream in &mut readers {
        let mut text = Vec::new();
        stream.read_to_end(&mut text).unwrap();
        let text = format!("H{}", String::from_utf8(text).unwrap());
        assert!(text.starts_with("HTTP/1.1 200 ") && whole_response(text.as_bytes()).is_some(), "{text:.200}");
    }
    program.logged("cutting connections");
    assert_eq!(program.ended().code(), Some(0));
    assert!(begun.elapsed() < TIMEOUT / 2, "the drain timeout is over by then");
    drop((jobs, halves));
}

#[test]
fn an_idle_connection_may_send_one_more_request_until_the_last_moment() {
    let program = Program::start(&[("MAZED_READINESS_DELAY", "0.5")]);
    let stopping = AtomicBool::new(false);
    let mut connections: Vec<_> = (0..20).map(|_| KeepAlive::new(program.addr)).collect();
    for connection in &mut connections {
        assert_eq!(connection.request(&request_text(0)), Outcome::Answered { status: 200 });
    }
    scope(|scope| {
        for (number, connection) in connections.iter_mut().enumerate() {
            let stopping = &stopping;
            scope.spawn(move || {
                while !stopping.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
                // spread over the readiness delay
                sleep(Duration::from_millis(25 * number as u64));
                assert_eq!(connection.request(&request_text(1)), Outcome::Answered { status: 200 });
                assert!(connection.stream.is_none(), "the response ended the connection");
            });
        }
        program.signal("TERM");
        program.logged("not ready");
        stopping.store(true, Ordering::Relaxed);
    });
    assert_eq!(program.ended().code(), Some(0));
}
