//! The service behind nginx as a load balancer.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::Duration;

use crate::harness::{Program, TIMEOUT, connect, eventually, send};
use crate::programs;
use crate::shutdown::{CLIENTS, KeepAlive, Outcome, at_once, pause, request_text};

/// nginx in a process of its own.
struct Nginx {
    addr: SocketAddr,
    child: Child,
}

impl Nginx {
    /// Starts nginx before these replicas; `None` if it is not installed.
    fn start(name: &str, replicas: &[SocketAddr], settings: &str) -> Option<Self> {
        if !programs::are_installed(&["nginx"], "tests behind nginx") {
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nginx-{name}"));
        fs::create_dir_all(&folder).unwrap();
        let addr = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let servers = replicas.iter().map(|addr| format!("server {addr};")).collect::<Vec<_>>().concat();
        let folder = folder.display();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {folder}/{kind};"))
            .concat();
        let file = format!("{folder}/nginx.conf");
        let configuration = format!(
            "daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
            events {{ worker_connections 256; }}
            http {{
                access_log off; {temporary} client_max_body_size 0; {settings}
                upstream replicas {{ {servers} keepalive 16; }}
                server {{
                    listen {addr};
                    location / {{
                        proxy_pass http://replicas; proxy_http_version 1.1; proxy_set_header Connection \"\";
                    }}
                }}
            }}"
        );
        fs::write(&file, configuration).unwrap();
        let child = Command::new(programs::find("nginx").unwrap())
            .args(["-e", &format!("{folder}/error.log"), "-c", &file])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        eventually("nginx listens", || TcpStream::connect(addr).is_ok());
        Some(Self { addr, child })
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn a_client_hears_that_its_body_is_too_large() {
    let program = Program::start(&[]);
    for (name, settings) in [("buffered", ""), ("streamed", "proxy_request_buffering off;")] {
        let Some(nginx) = Nginx::start(name, &[program.addr], settings) else { return };
        for (path, kind, bytes, status) in [
            ("/maze", "application/json", 24 << 20, "HTTP/1.1 413 "),
            ("/maze", "text/plain", 2_000_000, "HTTP/1.1 415 "),
            ("/labyrinth", "application/json", 2_000_000, "HTTP/1.1 404 "),
        ] {
            let mut stream = connect(nginx.addr);
            stream.set_write_timeout(Some(TIMEOUT)).unwrap();
            let headers = format!("content-type: {kind}\r\ncontent-length: {bytes}\r\nconnection: close\r\n");
            send(&mut stream, &format!("POST {path} HTTP/1.1\r\nhost: mazed\r\n{headers}\r\n"));
            stream.write_all(&vec![b' '; bytes]).unwrap_or_else(|error| panic!("{name} {path} {bytes}: {error}"));
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap_or_else(|error| panic!("{name} {path} {bytes}: {error}"));
            assert!(answer.starts_with(status) && answer.contains("urn:mazed:"), "{name}: {answer}");
        }
    }
}

#[test]
fn stopping_one_of_two_replicas_loses_no_request() {
    at_once(stop_one_of_two_replicas);
}

fn stop_one_of_two_replicas(run: usize) {
    let delay = [("MAZED_READINESS_DELAY", "0.3")];
    let (stays, stops) = (Program::start(&delay), Program::start(&delay));
    let Some(nginx) = Nginx::start(&format!("replicas-{run}"), &[stays.addr, stops.addr], "") else { return };
    let addr = nginx.addr;
    let is_over = AtomicBool::new(false);
    let lost: Vec<_> = scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let is_over = &is_over;
                scope.spawn(move || {
                    let mut connection = KeepAlive::new(addr);
                    let mut lost = Vec::new();
                    for number in 0.. {
                        sleep(pause(client, number));
                        match connection.request(&request_text(number)) {
                            Outcome::Answered { status: 200 } => {}
                            other => lost.push(format!("{other:?} after {} responses", connection.answered)),
                        }
                        if is_over.load(Ordering::Relaxed) {
                            break;
                        }
                    }
                    lost
                })
            })
            .collect();
        sleep(Duration::from_millis(100));
        stops.signal("TERM");
        assert_eq!(stops.ended().code(), Some(0));
        sleep(Duration::from_millis(50));
        is_over.store(true, Ordering::Relaxed);
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    assert!(lost.is_empty(), "run {run}: {lost:#?}");
}
