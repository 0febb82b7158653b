//! Connections and how they end; start and stop of the program.

use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use mazed::config::Settings;
use mazed::http::server::Readiness;

use crate::harness::{Program, Server, TIMEOUT, command, connect, eventually, fetch, mazed, read_to_close, send};

const SHORT: Duration = Duration::from_millis(200);
const GET: &str = "GET /healthz HTTP/1.1\r\nhost: mazed\r\n\r\n";
const HALF: &str = "GET /healthz HTTP/1.1\r\nhost: ma";

fn impatient(settings: &mut Settings) {
    (settings.head_timeout, settings.idle_timeout) = (SHORT, SHORT);
}

/// The smallest router.
fn router(_: Readiness) -> Router {
    Router::new().route("/healthz", get(async || "ok"))
}

/// A route with a response larger than the buffers of any socket.
fn large_answer() -> Router {
    Router::new().route("/large", get(async || vec![b'm'; LARGE]))
}
const LARGE: usize = 64 << 20;

#[test]
fn half_a_header_is_closed_soon_after_the_limit() {
    let server = Server::start(impatient, router);
    let mut stream = connect(server.addr);
    let begun = Instant::now();
    send(&mut stream, HALF);
    assert_eq!(read_to_close(&mut stream), 0);
    assert!(begun.elapsed() >= SHORT);
}

#[test]
fn a_header_that_trickles_is_closed_soon_after_the_limit() {
    let server = Server::start(impatient, router);
    let mut stream = connect(server.addr);
    eventually("a connection is open", || server.metrics.connections.get() == 1);
    eventually("it was closed although bytes kept coming", || {
        _ = std::io::Write::write(&mut stream, b"G");
        server.metrics.connections.get() == 0
    });
}

#[test]
fn a_silent_connection_is_closed() {
    let server = Server::start(impatient, router);
    assert_eq!(read_to_close(&mut connect(server.addr)), 0);
}

#[test]
fn an_idle_connection_is_closed_after_its_answer() {
    let server = Server::start(impatient, router);
    let mut stream = connect(server.addr);
    send(&mut stream, GET);
    assert!(read_to_close(&mut stream) > 0);
}

#[test]
fn a_connection_serves_many_requests() {
    let server = Server::start(|_| {}, router);
    let mut stream = connect(server.addr);
    for _ in 0..3 {
        send(&mut stream, GET);
        let mut status = [0; 15];
        stream.read_exact(&mut status).expect("an answer");
        assert_eq!(&status, b"HTTP/1.1 200 OK");
        let mut rest = Vec::new();
        while !rest.ends_with(b"\r\n\r\nok") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("an answer");
            rest.push(byte[0]);
        }
    }
}

#[test]
fn a_client_that_never_reads_is_cut() {
    let server = Server::start(impatient, |_| large_answer());
    let mut stream = connect(server.addr);
    send(&mut stream, "GET /large HTTP/1.1\r\nhost: mazed\r\n\r\n");
    eventually("it is connected", || server.metrics.connections.get() == 1);
    eventually("it is cut", || server.metrics.connections.get() == 0);
    assert!(read_to_close(&mut stream) < LARGE);
}

#[test]
fn a_client_that_reads_with_pauses_gets_it_all() {
    let server = Server::start(|settings| settings.idle_timeout = SHORT * 10, |_| large_answer());
    let mut stream = connect(server.addr);
    send(&mut stream, "GET /large HTTP/1.1\r\nhost: mazed\r\nconnection: close\r\n\r\n");
    let mut part = vec![0; LARGE / 16];
    for _ in 0..16 {
        sleep(SHORT);
        stream.read_exact(&mut part).expect("more of the answer");
    }
    assert!(read_to_close(&mut stream) > 0, "the head took some bytes, so some of the body is left");
}

#[test]
fn a_head_that_is_larger_than_the_limit_gets_431() {
    for limit in [8192, 10_000, 32 << 10] {
        let server = Server::start(|settings| settings.max_header_bytes = limit, router);
        let head = |bytes: usize| {
            let start = "GET /healthz HTTP/1.1\r\nhost: mazed\r\nx: ";
            format!("{start}{}\r\n\r\n", "x".repeat(bytes - start.len() - 4))
        };
        for (head, expected) in [
            (head(limit), "200"),
            (head(limit + 1), "431"),
            (head(limit + limit / 2), "431"),
            (head(2 * limit)[..=limit].to_owned(), "431"),
        ] {
            let mut stream = connect(server.addr);
            send(&mut stream, &head);
            let mut status = [0; 12];
            stream.read_exact(&mut status).expect("an answer");
            assert_eq!(&status[9..], expected.as_bytes(), "{} of {limit}", head.len());
        }
    }
}

#[test]
fn stopping_closes_idle_connections_at_once() {
    let server = Server::start(|settings| settings.drain_timeout = TIMEOUT, router);
    let mut silent = connect(server.addr);
    let mut idle = connect(server.addr);
    send(&mut idle, GET);
    assert_eq!(idle.read(&mut [0]).expect("an answer"), 1);
    eventually("both are accepted", || server.metrics.connections.get() == 2);
    assert!(server.stop() < TIMEOUT);
    assert_eq!(read_to_close(&mut silent), 0);
    read_to_close(&mut idle);
}

#[test]
fn stopping_waits_for_a_request_under_way() {
    let received = Arc::new(AtomicBool::new(false));
    let begun = Arc::clone(&received);
    let answer = async move || {
        begun.store(true, Ordering::Relaxed);
        tokio::time::sleep(SHORT * 5).await;
    };
    let slow = Router::new().route("/slow", get(answer));
    let server = Server::start(|settings| settings.drain_timeout = TIMEOUT, |_| slow);
    let mut stream = connect(server.addr);
    send(&mut stream, "GET /slow HTTP/1.1\r\nhost: mazed\r\n\r\n");
    eventually("it is under way", || received.load(Ordering::Relaxed));
    assert!(server.stop() < TIMEOUT);
    assert!(read_to_close(&mut stream) > 0, "it was answered");
}

#[test]
fn stopping_cuts_what_does_not_end_by_the_deadline() {
    let endless = Router::new().route("/endless", get(std::future::pending::<()>));
    let server = Server::start(|settings| settings.drain_timeout = SHORT, |_| endless);
    let (mut half, mut unanswered) = (connect(server.addr), connect(server.addr));
    send(&mut half, HALF);
    send(&mut unanswered, "GET /endless HTTP/1.1\r\nhost: mazed\r\n\r\n");
    eventually("both are accepted", || server.metrics.connections.get() == 2);
    assert!(server.stop() < TIMEOUT);
    assert_eq!(read_to_close(&mut half) + read_to_close(&mut unanswered), 0);
}

#[test]
fn sigterm_with_half_a_header_ends_the_program_by_the_deadline() {
    let program = Program::start(&[("MAZED_READINESS_DELAY", "0.5"), ("MAZED_DRAIN_TIMEOUT", "0.3")]);
    let mut stream = connect(program.addr);
    send(&mut stream, HALF);
    // a response on a later connection shows that the server accepted this one
    assert!(fetch(program.addr, "/healthz").starts_with("HTTP/1.1 200"));
    program.signal("TERM");
    program.logged("cutting connections");
    assert_eq!(program.ended().code(), Some(0));
}

#[test]
fn sigterm_sigint_or_sighup_right_after_start_ends_the_program_cleanly() {
    for signal in ["TERM", "INT", "HUP"] {
        let program = Program::start(&[("MAZED_READINESS_DELAY", "0")]);
        program.signal(signal);
        assert_eq!(program.ended().code(), Some(0), "{signal}");
    }
}

#[test]
fn an_unread_log_breaks_nothing() {
    let mut command = command();
    command.envs([("MAZED_ADDR", "127.0.0.1:0"), ("MAZED_LOG_REQUESTS", "all"), ("MAZED_READINESS_DELAY", "0")]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("its log")).lines().map(|line| line.expect("text"));
    let line = lines.find(|line| line.contains("listening")).expect("a line");
    // its reader
    drop(lines);
    let addr = line.trim().rsplit_once("http://").expect("an address in the line").1.parse().expect("an address");
    for _ in 0..3 {
        assert!(fetch(addr, "/maze?size=5&seed=7").starts_with("HTTP/1.1 200"));
    }
    let kill = format!("kill -TERM {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    assert_eq!(child.wait().expect("a child").code(), Some(0));
}

#[test]
fn signals_are_handled_before_the_program_listens() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let addr = taken.local_addr().expect("an address").to_string();
    let output = mazed(&["--addr", &addr], &[("MAZED_LOG", "mazed=debug")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("signals are handled"));
}

#[test]
fn sigterm_during_the_largest_job_ends_the_program_by_the_deadline() {
    let program = Program::start(&[
        ("MAZED_MAX_SIDE", "16001"),
        ("MAZED_WORK_BYTES", "2GiB"),
        ("MAZED_REQUEST_TIMEOUT", "600"),
        ("MAZED_READINESS_DELAY", "0"),
        ("MAZED_DRAIN_TIMEOUT", "0.2"),
    ]);
    let mut stream = connect(program.addr);
    send(&mut stream, "GET /maze?algo=prim&size=16001&grid=none&path=none HTTP/1.1\r\nhost: mazed\r\n\r\n");
    eventually("the job runs", || fetch(program.addr, "/metrics").contains("\nmazed_jobs_running 1"));
    program.signal("TERM");
    program.logged("cutting connections");
    let begun = Instant::now();
    assert_eq!(program.ended().code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5), "the job reads the stop flag");
}

#[test]
fn an_idle_program_ends_within_five_seconds() {
    let program = Program::start(&[]);
    let mut stream = connect(program.addr);
    send(&mut stream, GET);
    assert_eq!(stream.read(&mut [0]).expect("an answer"), 1);
    let begun = Instant::now();
    program.signal("TERM");
    assert_eq!(program.ended().code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_stopping_program_is_not_ready_but_still_serves() {
    let program = Program::start(&[("MAZED_READINESS_DELAY", "2")]);
    assert!(fetch(program.addr, "/readyz").starts_with("HTTP/1.1 200"));
    program.signal("TERM");
    program.logged("not ready");
    assert!(fetch(program.addr, "/readyz").starts_with("HTTP/1.1 503"));
    assert!(fetch(program.addr, "/healthz").starts_with("HTTP/1.1 200"));
    assert!(fetch(program.addr, "/maze?size=5&seed=7").starts_with("HTTP/1.1 200"));
    assert_eq!(program.ended().code(), Some(0));
}

#[test]
fn a_second_signal_ends_the_program_at_once() {
    let program = Program::start(&[("MAZED_READINESS_DELAY", "3600")]);
    program.signal("TERM");
    program.logged("not ready");
    program.signal("TERM");
    program.logged("second signal");
    assert_eq!(program.ended().code(), Some(1));
}

#[test]
fn the_program_recovers_from_running_out_of_files() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 40; exec \"$0\"", env!("CARGO_BIN_EXE_mazed")]);
    let program = Program::start_by(&mut shell, &[]);
    let crowd: Vec<_> = (0..60).map(|_| connect(program.addr)).collect();
    program.logged("cannot accept");
    drop(crowd);
    assert!(fetch(program.addr, "/healthz").starts_with("HTTP/1.1 200"));
}

#[test]
fn a_limit_on_open_files_below_that_on_connections_is_raised_or_warned_of() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let addr = taken.local_addr().expect("an address").to_string();
    for (limit, is_warned) in [("ulimit -n 100", true), ("ulimit -Sn 100", false), ("ulimit -n 300", false)] {
        let mut shell = Command::new("sh");
        let run = format!("{limit}; exec \"$0\" --connections 200 --addr {addr}");
        let output = shell.args(["-c", &run, env!("CARGO_BIN_EXE_mazed")]).output().expect("a shell");
        let text = String::from_utf8_lossy(&output.stderr);
        let warning = "limit on open files (100) is too low for MAZED_CONNECTIONS (200)";
        assert_eq!(text.contains(warning), is_warned, "{limit}: {text}");
    }
}

#[test]
fn a_thousand_clients_may_connect_before_the_first_is_accepted() {
    let program = Program::start(&[]);
    // a response shows that the server has begun to accept
    assert!(fetch(program.addr, "/healthz").starts_with("HTTP/1.1 200"));
    program.signal("STOP");
    // at a full queue the system drops what a client sends to connect, and the client tries again after a second
    let connecting = |_| TcpStream::connect_timeout(&program.addr, Duration::from_millis(900));
    let crowd: Result<Vec<_>, _> = (0..1000).map(connecting).collect();
    program.signal("CONT");
    assert_eq!(crowd.expect("all are connected").len(), 1000);
}

#[test]
fn the_system_holds_little_of_a_response_for_a_client_that_does_not_read() {
    let program = Program::start(&[]);
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    socket.connect(&program.addr.into()).expect("a connection");
    let mut stream = TcpStream::from(socket);
    send(&mut stream, "GET /maze?algo=binary_tree&size=4001&solver=none&seed=7 HTTP/1.1\r\nhost: mazed\r\n\r\n");
    stream.read_exact(&mut [0; 1]).expect("a response");
    let port = |addr: std::net::SocketAddr| format!(":{:04X}", addr.port());
    let (server, client) = (port(program.addr), port(stream.local_addr().expect("an address")));
    // the bytes that the kernel holds to send, of the connection between these two ports
    let unsent = || {
        let table = std::fs::read_to_string("/proc/net/tcp").expect("a table");
        let line = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let line = line
            .filter(|cells| cells.len() > 4)
            .find(|cells| cells[1].ends_with(&server) && cells[2].ends_with(&client));
        let queue = line.expect("a connection")[4].split(':').next().expect("a number").to_owned();
        u64::from_str_radix(&queue, 16).expect("a number")
    };
    let mut before = 0;
    eventually("the buffer is full", || {
        sleep(SHORT);
        let now = unsent();
        std::mem::replace(&mut before, now) == now && now > 0
    });
    assert!(before <= 1 << 20, "{before} bytes");
}

#[test]
fn json_log_lines_are_json() {
    let program = Program::start(&[("MAZED_LOG_FORMAT", "json"), ("MAZED_READINESS_DELAY", "0")]);
    program.signal("TERM");
    let line = program.logged("not ready");
    let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(line["level"], "INFO");
}

#[test]
fn healthcheck_says_whether_the_service_is_alive() {
    let program = Program::start(&[]);
    let port = program.addr.port();
    for addr in [format!("127.0.0.1:{port}"), format!("0.0.0.0:{port}")] {
        let output = mazed(&["healthcheck"], &[("MAZED_ADDR", &addr)]);
        assert_eq!(output.status.code(), Some(0), "{addr}: {output:?}");
    }
    program.signal("KILL");
    program.ended();
    assert_eq!(mazed(&["healthcheck", "--addr", &format!("127.0.0.1:{port}")], &[]).status.code(), Some(1));
}

#[test]
fn healthcheck_gives_up_on_a_service_that_says_nothing() {
    let mute = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let addr = mute.local_addr().expect("an address").to_string();
    assert_eq!(mazed(&["healthcheck"], &[("MAZED_ADDR", &addr)]).status.code(), Some(1));
}
