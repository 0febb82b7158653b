//! A response that comes before the end of the request's body reaches the client, and the connection ends or goes on as
//! the response says.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::harness::{Program, TIMEOUT, connect, fetch, send};
use crate::programs;

/// A body above the limit of 2 MiB, larger than the buffers of any socket.
const TOO_LARGE: usize = 24 << 20;

/// A body within the limit, larger than what the server reads ahead.
const LARGE: usize = 2_000_000;

const JSON: &str = "content-type: application/json\r\n";

/// Reads one response, with the body that its length announces.
fn response(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    while !text.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&text)));
        text.push(byte[0]);
    }
    let head = String::from_utf8(text).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

fn has_status(answer: &str, status: u16) -> bool {
    answer.starts_with(&format!("HTTP/1.1 {status} "))
}

fn says_close(answer: &str) -> bool {
    answer.contains("\r\nconnection: close\r\n")
}

/// Sends a request with a body of `bytes`, all of it before the first read, and returns the response.
fn exchange(addr: SocketAddr, line: &str, headers: &str, bytes: usize) -> String {
    let mut stream = connect(addr);
    stream.set_write_timeout(Some(TIMEOUT)).unwrap();
    send(&mut stream, &format!("{line} HTTP/1.1\r\nhost: mazed\r\n{headers}content-length: {bytes}\r\n\r\n"));
    stream.write_all(&vec![b' '; bytes]).unwrap_or_else(|error| panic!("{line}: the body is not taken: {error}"));
    // a reset on the way would discard the response now
    sleep(Duration::from_millis(50));
    let answer = response(&mut stream);
    assert_eq!(stream.read(&mut [0]).unwrap(), 0, "{line}: the server closes after {answer}");
    answer
}

#[test]
fn a_client_that_sends_its_whole_body_first_hears_why_it_was_refused() {
    let program = Program::start(&[]);
    let long = format!("POST /maze?seed={}", "7".repeat(5_000));
    for (line, headers, bytes, status) in [
        ("POST /maze", JSON, TOO_LARGE, 413),
        ("GET /maze?size=5&seed=7", "", TOO_LARGE, 413),
        ("PUT /labyrinth", "", TOO_LARGE, 413),
        ("POST /maze", "", LARGE, 415),
        ("POST /labyrinth", JSON, LARGE, 404),
        ("PUT /maze", JSON, LARGE, 405),
        (&long, JSON, LARGE, 414),
        ("GET /maze?size=4", "", LARGE, 400),
        ("GET /maze?size=5&seed=7", "", LARGE, 200),
        ("GET /maze?size=5&seed=7", "if-none-match: *\r\n", LARGE, 304),
        ("GET /maze?size=5&seed=7", "accept: image/png\r\n", LARGE, 406),
        ("GET /healthz", "", LARGE, 200),
        ("POST /maze", "host: other\r\n", LARGE, 400),
    ] {
        let answer = exchange(program.addr, line, headers, bytes);
        assert!(has_status(&answer, status) && says_close(&answer), "{line}: {answer}");
    }
}

#[test]
fn a_body_for_which_there_is_no_memory_is_read_on_too() {
    let program = Program::start(&[("MAZED_BODIES_BYTES", "7300000")]);
    // the other half of the budget is not enough for the second body
    let mut first = connect(program.addr);
    let head = |bytes| format!("POST /maze HTTP/1.1\r\nhost: mazed\r\n{JSON}content-length: {bytes}\r\n\r\n");
    send(&mut first, &head(LARGE));
    first.write_all(&vec![b' '; LARGE / 2]).unwrap();
    sleep(Duration::from_millis(300));
    let answer = exchange(program.addr, "POST /maze", JSON, LARGE);
    assert!(has_status(&answer, 503) && says_close(&answer), "{answer}");
}

#[test]
fn a_chunked_body_above_the_limit_is_refused_and_heard() {
    let program = Program::start(&[]);
    let mut stream = connect(program.addr);
    stream.set_write_timeout(Some(TIMEOUT)).unwrap();
    send(&mut stream, &format!("POST /maze HTTP/1.1\r\nhost: mazed\r\n{JSON}transfer-encoding: chunked\r\n\r\n"));
    let chunk = [b"10000\r\n".to_vec(), vec![b' '; 0x10000], b"\r\n".to_vec()].concat();
    for _ in 0..TOO_LARGE / 0x10000 {
        stream.write_all(&chunk).expect("it is taken");
    }
    send(&mut stream, "0\r\n\r\n");
    let answer = response(&mut stream);
    assert!(has_status(&answer, 413) && says_close(&answer), "{answer}");
}

#[test]
fn after_malformed_chunks_the_connection_ends_and_the_response_says_so() {
    let program = Program::start(&[]);
    for chunks in ["zz\r\n", "5\r\n{\"size\":5}\r\n", "99999999999999999\r\n"] {
        let mut stream = connect(program.addr);
        let head = format!("POST /maze HTTP/1.1\r\nhost: mazed\r\n{JSON}transfer-encoding: chunked\r\n\r\n");
        send(&mut stream, &format!("{head}{chunks}"));
        let answer = response(&mut stream);
        assert!(has_status(&answer, 400) && says_close(&answer), "{chunks:?}: {answer}");
        assert_eq!(stream.read(&mut [0]).unwrap(), 0, "{chunks:?}: the connection ends");
    }
}

#[test]
fn a_body_in_a_coding_that_nobody_decodes_is_refused() {
    let program = Program::start(&[]);
    for codings in ["transfer-encoding: gzip, chunked", "transfer-encoding: gzip\r\ntransfer-encoding: chunked"] {
        let mut stream = connect(program.addr);
        send(
            &mut stream,
            &format!("POST /maze HTTP/1.1\r\nhost: mazed\r\n{JSON}{codings}\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"),
        );
        let answer = response(&mut stream);
        assert!(has_status(&answer, 501) && says_close(&answer), "{codings}: {answer}");
        assert!(answer.contains("urn:mazed:unsupported-transfer-coding"), "{answer}");
    }
    let mut stream = connect(program.addr);
    let head = format!("POST /maze HTTP/1.1\r\nhost: mazed\r\n{JSON}transfer-encoding: Chunked\r\n\r\n");
    send(&mut stream, &format!("{head}13\r\n{{\"size\":5,\"seed\":7}}\r\n0\r\n\r\n"));
    assert!(has_status(&response(&mut stream), 200));
}

#[test]
fn a_body_without_end_is_not_read_for_ever() {
    let program = Program::start(&[]);
    let mut stream = connect(program.addr);
    stream.set_write_timeout(Some(TIMEOUT)).unwrap();
    send(&mut stream, &format!("POST /maze HTTP/1.1\r\nhost: mazed\r\n{JSON}transfer-encoding: chunked\r\n\r\n"));
    let chunk = [b"10000\r\n".to_vec(), vec![b' '; 0x10000], b"\r\n".to_vec()].concat();
    let most = 200 << 20;
    let sent = (0..most / 0x10000).take_while(|_| stream.write_all(&chunk).is_ok()).count() * 0x10000;
    assert!((TOO_LARGE..most).contains(&sent), "{sent} bytes were taken");
    assert!(fetch(program.addr, "/healthz").starts_with("HTTP/1.1 200"));
}

#[test]
fn after_a_small_body_the_connection_goes_on() {
    let program = Program::start(&[]);
    let mut stream = connect(program.addr);
    for (line, status) in [("POST /maze", 415), ("PUT /maze", 405), ("POST /labyrinth", 404), ("GET /healthz", 200)] {
        send(&mut stream, &format!("{line} HTTP/1.1\r\nhost: mazed\r\ncontent-length: 60000\r\n\r\n"));
        // the response does not wait for the body
        let answer = response(&mut stream);
        assert!(has_status(&answer, status) && !says_close(&answer), "{line}: {answer}");
        stream.write_all(&vec![b' '; 60_000]).expect("it is taken");
    }
    send(&mut stream, "GET /healthz HTTP/1.1\r\nhost: mazed\r\n\r\n");
    assert!(has_status(&response(&mut stream), 200));
}

#[test]
fn a_client_that_waits_to_be_asked_is_not_asked_for_a_body_that_is_refused() {
    let program = Program::start(&[]);
    let expect = "expect: 100-continue\r\n";
    for (line, headers, bytes, status) in [
        ("POST /maze", JSON, TOO_LARGE, 413),
        ("POST /maze", JSON, 3 << 20, 413),
        ("POST /maze", "", 20, 415),
        ("PUT /maze", JSON, 20, 405),
        ("POST /labyrinth", JSON, 20, 404),
    ] {
        let mut stream = connect(program.addr);
        let request = format!("{line} HTTP/1.1\r\nhost: mazed\r\n{headers}{expect}content-length: {bytes}\r\n\r\n");
        send(&mut stream, &request);
        let answer = response(&mut stream);
        assert!(has_status(&answer, status) && says_close(&answer), "{line}: {answer}");
        assert_eq!(stream.read(&mut [0]).unwrap(), 0, "{line}: the connection ends");
    }
    let body = r#"{"size":5,"seed":7}"#;
    let mut stream = connect(program.addr);
    let head = format!("POST /maze HTTP/1.1\r\nhost: mazed\r\n{JSON}{expect}content-length: {}\r\n\r\n", body.len());
    send(&mut stream, &head);
    assert!(has_status(&response(&mut stream), 100));
    send(&mut stream, body);
    assert!(has_status(&response(&mut stream), 200));
}

#[test]
fn a_head_that_is_refused_is_read_on_too() {
    let program = Program::start(&[]);
    for (head, status) in [
        (format!("GET /healthz HTTP/1.1\r\nhost: mazed\r\nx: {}\r\n\r\n", "x".repeat(1_000_000)), 431),
        (format!("GET / nonsense\r\n\r\n{}", "x".repeat(1_000_000)), 400),
    ] {
        let mut stream = connect(program.addr);
        stream.set_write_timeout(Some(TIMEOUT)).unwrap();
        // with pauses, so that the client is still sending when the response has left
        for part in head.as_bytes().chunks(64 << 10) {
            stream.write_all(part).unwrap_or_else(|error| panic!("{status}: the head is not taken: {error}"));
            sleep(Duration::from_millis(5));
        }
        let answer = response(&mut stream);
        assert!(has_status(&answer, status) && says_close(&answer), "{answer}");
    }
}

/// The statuses that a client of some language prints, one a line, for these requests.
fn statuses(programs: &[&str], name: &str, code: &str, requests: &[(&str, &str, &str, usize)]) -> Option<String> {
    if !programs::are_installed(programs, name) {
        return None;
    }
    let program = Program::start(&[]);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, code).unwrap();
    let mut command = vec![programs[0].to_owned(), file.display().to_string(), format!("http://{}", program.addr)];
    for (method, path, media_type, bytes) in requests {
        command.extend([(*method).to_owned(), (*path).to_owned(), (*media_type).to_owned(), bytes.to_string()]);
    }
    Some(programs::output(&command, file.parent().unwrap()))
}

/// What clients send, each several times, since a reset comes only now and then before the response.
fn requests() -> (Vec<(&'static str, &'static str, &'static str, usize)>, String) {
    let once = [
        (("POST", "/maze", "application/json", TOO_LARGE), 413),
        (("POST", "/maze", "text/plain", LARGE), 415),
        (("POST", "/labyrinth", "application/json", LARGE), 404),
        (("PUT", "/maze", "application/json", LARGE), 405),
    ];
    let all: Vec<_> = (0..5).flat_map(|_| once).collect();
    let expected = all.iter().fold(String::new(), |mut lines, (_, status)| {
        _ = writeln!(lines, "{status}");
        lines
    });
    (all.into_iter().map(|(request, _)| request).collect(), expected)
}

#[test]
fn urllib_of_python_hears_it() {
    let code = r#"
import sys, urllib.error, urllib.request
base, rest = sys.argv[1], sys.argv[2:]
for method, path, media_type, size in zip(*[iter(rest)] * 4):
    request = urllib.request.Request(base + path, b" " * int(size), {"Content-Type": media_type}, method=method)
    try:
        print(urllib.request.urlopen(request).status)
    except urllib.error.HTTPError as error:
        error.read()
        print(error.code)
"#;
    let (requests, expected) = requests();
    if let Some(printed) = statuses(&["python3"], "refused.py", code, &requests) {
        assert_eq!(printed, expected);
    }
}

#[test]
fn fetch_of_node_hears_it() {
    let code = r#"
const [base, ...rest] = process.argv.slice(2);
for (let i = 0; i < rest.length; i += 4) {
  const [method, path, type, size] = rest.slice(i, i + 4);
  const body = Buffer.alloc(+size, " ");
  const answer = await fetch(base + path, { method, headers: { "content-type": type }, body });
  await answer.text();
  console.log(answer.status);
}
"#;
    let (requests, expected) = requests();
    if let Some(printed) = statuses(&["node"], "refused.mjs", code, &requests) {
        assert_eq!(printed, expected);
    }
}
