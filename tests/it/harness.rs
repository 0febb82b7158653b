//! Runs the service in two forms. [`Server`] runs inside the test, with settings and routes of the test's own.
//! [`Program`] is the built program in a process of its own, for signals, exit codes and environment variables. Both
//! listen on a free port and end when they are dropped.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::Router;
use hyper_util::service::TowerToHyperService;
use mazed::config::Settings;
use mazed::http::server::{Front, Readiness, run};
use mazed::telemetry::Metrics;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// Longer than any step takes that works, on a busy machine too.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

/// The service inside the test, on a thread and a runtime of its own.
pub(crate) struct Server {
    pub(crate) addr: SocketAddr,
    pub(crate) metrics: Arc<Metrics>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts with the default settings, changed by `change`, and the routes that `routes` makes.
    pub(crate) fn start(change: impl FnOnce(&mut Settings), routes: impl FnOnce(Readiness) -> Router) -> Self {
        let mut settings = Settings::read(["mazed"]).expect("defaults are good");
        settings.readiness_delay = Duration::ZERO;
        change(&mut settings);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a socket");
        let addr = listener.local_addr().expect("an address");
        let metrics = Arc::new(Metrics::new(mazed::http::ROUTES.iter().map(|route| route.path)));
        let (stop, stopped) = oneshot::channel::<()>();
        let readiness = Readiness::default();
        let served = routes(readiness.clone());
        let counted = Arc::clone(&metrics);
        let thread = thread::spawn(move || {
            let runtime = Runtime::new().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a socket");
                let stopped = async { _ = stopped.await };
                let for_client = |_| TowerToHyperService::new(served.clone());
                let public = Front { listener, for_client };
                run(public, None, &settings, readiness, &counted, stopped).await;
            });
        });
        Self { addr, metrics, stop: Some(stop), thread: Some(thread) }
    }

    /// Stops the server and returns how long that took.
    pub(crate) fn stop(mut self) -> Duration {
        let begun = Instant::now();
        self.end();
        begun.elapsed()
    }

    fn end(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && let Err(panic) = thread.join()
            && !thread::panicking()
        {
            std::panic::resume_unwind(panic);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// The built program, in a process of its own.
pub(crate) struct Program {
    pub(crate) addr: SocketAddr,
    child: Child,
    log: Receiver<String>,
}

impl Program {
    /// Starts the program with these variables, on a free port.
    pub(crate) fn start(variables: &[(&str, &str)]) -> Self {
        Self::start_by(&mut command(), variables)
    }

    /// Starts the program through another command, such as a shell that sets limits first.
    pub(crate) fn start_by(command: &mut Command, variables: &[(&str, &str)]) -> Self {
        let command = without_settings(command).env("MAZED_ADDR", "127.0.0.1:0").envs(variables.iter().copied());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
        let lines = BufReader::new(child.stderr.take().expect("its log")).lines();
        let (send, log) = channel();
        // a thread reads the log to its end: the program would wait if the pipe were full
        thread::spawn(move || lines.map_while(Result::ok).for_each(|line| _ = send.send(line)));
        let mut program = Self { addr: ([127, 0, 0, 1], 0).into(), child, log };
        let line = program.logged("listening on http://");
        let (_, addr) = line.rsplit_once("http://").expect("an address in the line");
        let (addr, _) = addr.split_once('"').unwrap_or((addr, "")); // in JSON a quote ends the text
        program.addr = addr.parse().expect("an address");
        program
    }

    /// Waits for a line of the log that has this text.
    pub(crate) fn logged(&self, text: &str) -> String {
        let mut before = Vec::new();
        loop {
            match self.log.recv_timeout(TIMEOUT) {
                Ok(line) if line.contains(text) => return line,
                Ok(line) => before.push(line),
                Err(error) => panic!("{text:?} is not in the log ({error}): {before:#?}"),
            }
        }
    }

    /// Waits for a line of the log that has this text, and returns it with all lines before it.
    pub(crate) fn logged_up_to(&self, text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.log.recv_timeout(TIMEOUT) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("{text:?} is not in the log ({error}): {lines:#?}"),
            }
            if lines.last().is_some_and(|line| line.contains(text)) {
                return lines;
            }
        }
    }

    /// Sends a signal such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    /// A value of `/proc/PID/status` such as `VmRSS`, in bytes.
    pub(crate) fn memory(&self, line: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("an account");
        let value = status.lines().find_map(|text| text.strip_prefix(line)).expect("such a line");
        value.trim_matches([':', ' ', '\t', 'k', 'B']).parse::<u64>().expect("a number") << 10
    }

    /// The names and nice values of its threads.
    pub(crate) fn threads(&self) -> Vec<(String, i32)> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("a program that runs");
        let stats = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("stat")).ok());
        let read = |stat: String| {
            let (_, rest) = stat.split_once('(')?;
            let (name, fields) = rest.rsplit_once(") ")?;
            // the 19th of all fields, of which two stand before these
            Some((name.to_owned(), fields.split(' ').nth(16)?.parse().ok()?))
        };
        stats.filter_map(read).collect()
    }

    /// Waits until the program has ended.
    pub(crate) fn ended(mut self) -> ExitStatus {
        ended(&mut self.child)
    }
}

/// Sends a signal such as `TERM`.
pub(crate) fn signal(child: &Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
}

/// Waits until a program has ended.
pub(crate) fn ended(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        match child.try_wait().expect("a child") {
            Some(status) => return status,
            None if Instant::now() > deadline => panic!("the program does not end"),
            None => thread::sleep(Duration::from_millis(5)),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Removes the settings in the environment of the test, so that the program does not inherit them.
fn without_settings(command: &mut Command) -> &mut Command {
    let names = std::env::vars_os().map(|(name, _)| name);
    names.filter(|name| name.to_string_lossy().starts_with("MAZED_")).fold(command, Command::env_remove)
}

/// The program, without the settings in the environment of the test.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazed"));
    without_settings(&mut command);
    command
}

/// Runs the program to its end.
pub(crate) fn mazed(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    command().args(arguments).envs(variables.iter().copied()).output().expect("the program starts")
}

/// A connection whose reads fail after [`TIMEOUT`].
pub(crate) fn connect(addr: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(addr).expect("a connection");
    stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
    stream
}

/// Sends a GET on a new connection and returns the whole response.
pub(crate) fn fetch(addr: SocketAddr, path: &str) -> String {
    let mut stream = connect(addr);
    send(&mut stream, &format!("GET {path} HTTP/1.1\r\nhost: mazed\r\nconnection: close\r\n\r\n"));
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

pub(crate) fn send(stream: &mut TcpStream, text: &str) {
    stream.write_all(text.as_bytes()).expect("it is taken");
}

/// Reads until the other side closes the connection, and returns the number of bytes. A reset counts as closing.
pub(crate) fn read_to_close(stream: &mut TcpStream) -> usize {
    let mut buffer = vec![0; 1 << 16];
    let mut total = 0;
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return total,
            Ok(read) => total += read,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => panic!("the connection stays open"),
            Err(_) => return total,
        }
    }
}

/// Waits until the condition holds.
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !holds() {
        assert!(Instant::now() < deadline, "did not happen: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
