//! The program goes on if its stderr is a pipe that is not read, or not read to its end.

use std::io::{BufRead, BufReader, PipeReader, Read, pipe};
use std::net::SocketAddr;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::Duration;

use crate::harness::{command, connect, ended, fetch, send, signal};

/// The program with a log that is read up to the line with its address, and no further.
struct Unread {
    addr: SocketAddr,
    child: Ended,
    log: BufReader<PipeReader>,
}

impl Unread {
    fn start(variables: &[(&str, &str)]) -> Self {
        let (reader, writer) = pipe().expect("a pipe");
        let stdout = writer.try_clone().expect("a pipe");
        let mut command = command();
        command.env("MAZED_ADDR", "127.0.0.1:0").env("MAZED_READINESS_DELAY", "0").envs(variables.iter().copied());
        // as with 2>&1: the program must not wait for its stdout either
        let child = Ended(command.stderr(writer).stdout(stdout).spawn().expect("the program starts"));
        let mut log = BufReader::with_capacity(1, reader);
        let mut line = String::new();
        while !line.contains("listening on http://") {
            line.clear();
            assert!(log.read_line(&mut line).expect("a line") > 0, "the program ended");
        }
        let addr = line.trim_end().rsplit_once("http://").expect("an address").1.parse().expect("an address");
        Self { addr, child, log }
    }

    fn stop(&mut self) -> ExitStatus {
        signal(&self.child.0, "TERM");
        ended(&mut self.child.0)
    }
}

/// Ends a program when it is dropped, so that a test that fails leaves none.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// How many lines were lost, by the metric.
fn lost(addr: SocketAddr) -> u64 {
    let text = fetch(addr, "/metrics");
    let line = text.lines().find_map(|line| line.strip_prefix("mazed_log_lines_lost_total "));
    line.expect("the metric").parse().expect("a number")
}

#[test]
fn a_log_that_is_not_read_holds_up_neither_requests_nor_the_end() {
    let mut program = Unread::start(&[("MAZED_LOG_REQUESTS", "all")]);
    assert_eq!(lost(program.addr), 0);
    // 150 lines of 1 kB fill the pipe and leave most of the queue free; with 3,000 more, both are full
    for requests in [150, 3_000] {
        let mut stream = connect(program.addr);
        let path = format!("/maze?size=5&seed={}", "7".repeat(900));
        let request = format!("GET {path} HTTP/1.1\r\nhost: mazed\r\n\r\n");
        let mut answers = stream.try_clone().expect("a socket");
        let reader = std::thread::spawn(move || {
            let mut reader = BufReader::new(&mut answers);
            let mut answered = 0;
            let mut line = String::new();
            while answered < requests {
                line.clear();
                assert!(reader.read_line(&mut line).expect("an answer in time") > 0, "{answered} answers");
                answered += usize::from(line.starts_with("HTTP/1.1 ") || line.contains("}HTTP/1.1 "));
            }
        });
        for _ in 0..requests {
            send(&mut stream, &request);
        }
        reader.join().expect("every request is answered");
    }
    assert!(fetch(program.addr, "/healthz").starts_with("HTTP/1.1 200"));
    assert!(lost(program.addr) > 0);
    assert!(program.stop().success());
}

#[test]
fn the_lines_that_wait_at_the_end_are_written() {
    let mut program = Unread::start(&[("MAZED_LOG_REQUESTS", "all")]);
    for _ in 0..20 {
        fetch(program.addr, "/maze?size=5&seed=7");
    }
    assert!(program.stop().success());
    let mut lines = String::new();
    program.log.read_to_string(&mut lines).expect("text");
    assert_eq!(lines.matches(" request ").count(), 20, "{lines}");
    assert!(lines.lines().last().is_some_and(|line| line.contains("stopped")), "{lines}");
}

#[test]
fn bad_settings_end_the_program_though_the_log_is_full() {
    let (_reader, mut writer) = pipe().expect("a pipe");
    let full = writer.try_clone().expect("a pipe");
    // a thread fills the pipe and goes on waiting
    std::thread::spawn(move || std::io::Write::write_all(&mut writer, &vec![b'.'; 1 << 20]));
    sleep(Duration::from_millis(200));
    for format in ["text", "json"] {
        let mut command = command();
        command.env("MAZED_MAX_SIDE", "no").env("MAZED_LOG_FORMAT", format);
        let stderr = full.try_clone().expect("a pipe");
        let mut child = Ended(command.stderr(stderr).spawn().expect("the program starts"));
        let status = ended(&mut child.0);
        assert_eq!(status.code(), Some(2), "{format}");
    }
}
