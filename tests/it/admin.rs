//! The listener for operators.

use std::net::{SocketAddr, TcpListener};

use mazed::http::{Audience, ROUTES};

use crate::harness::{Program, connect, eventually, fetch, mazed, send};

/// Starts the program with a listener for operators. Returns its address too.
fn start(variables: &[(&str, &str)]) -> (Program, SocketAddr) {
    let program = Program::start(&[&[("MAZED_ADMIN_ADDR", "127.0.0.1:0")], variables].concat());
    let line = program.logged("probes and metrics on http://");
    let admin = line.rsplit_once("http://").unwrap().1.parse().unwrap();
    (program, admin)
}

fn status(addr: SocketAddr, path: &str) -> u16 {
    fetch(addr, path).split(' ').nth(1).unwrap().parse().unwrap()
}

#[test]
fn each_listener_answers_the_routes_of_its_audience() {
    let (program, admin) = start(&[]);
    for route in ROUTES {
        let [public, operators] = [program.addr, admin].map(|addr| status(addr, route.path) != 404);
        let expected = match route.audience {
            Audience::Clients => (true, false),
            Audience::Probes => (true, true),
            Audience::Operators => (false, true),
        };
        assert_eq!((public, operators), expected, "{}", route.path);
    }
    let not_found = fetch(admin, "/maze?size=5&seed=7");
    assert!(not_found.starts_with("HTTP/1.1 404 ") && not_found.contains("urn:mazed:not-found"), "{not_found}");
}

#[test]
fn without_it_one_listener_answers_all_routes() {
    let program = Program::start(&[]);
    assert!(ROUTES.iter().all(|route| status(program.addr, route.path) != 404));
}

#[test]
fn it_answers_while_clients_take_all_connections() {
    let (program, admin) = start(&[("MAZED_CONNECTIONS", "1")]);
    let mut busy: Vec<_> = (0..60).map(|_| connect(program.addr)).collect();
    for stream in &mut busy {
        send(stream, "GET /maze?algo=prim&size=4001&seed=7 HTTP/1.1\r\nhost: mazed\r\n\r\n");
    }
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(status(admin, path), 200, "{path}");
    }
}

#[test]
fn silent_connections_to_it_make_room_for_a_probe() {
    let (_program, admin) = start(&[]);
    let _silent: Vec<_> = (0..100).map(|_| connect(admin)).collect();
    assert_eq!(status(admin, "/healthz"), 200);
}

#[test]
fn it_answers_until_the_last_client_is_served() {
    let (program, admin) = start(&[
        ("MAZED_READINESS_DELAY", "0.2"),
        ("MAZED_DRAIN_TIMEOUT", "3"),
        ("MAZED_MAX_SIDE", "16001"),
        ("MAZED_WORK_BYTES", "2GiB"),
        ("MAZED_REQUEST_TIMEOUT", "600"),
    ]);
    let mut stream = connect(program.addr);
    send(&mut stream, "GET /maze?algo=prim&size=16001&grid=none&path=none HTTP/1.1\r\nhost: mazed\r\n\r\n");
    eventually("the job runs", || fetch(admin, "/metrics").contains("\nmazed_jobs_running 1"));
    program.signal("TERM");
    program.logged("not ready");
    assert_eq!((status(admin, "/readyz"), status(admin, "/healthz")), (503, 200));
    let line = program.logged("draining");
    assert!(line.ends_with("connections=1"), "{line}");
    assert_eq!((status(admin, "/readyz"), status(admin, "/healthz"), status(admin, "/metrics")), (503, 200, 200));
    let line = program.logged("cutting connections");
    assert!(line.ends_with("connections=1"), "{line}");
    assert_eq!(program.ended().code(), Some(0));
}

#[test]
fn healthcheck_asks_it() {
    let (program, admin) = start(&[]);
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let port = admin.port();
    for address in [admin.to_string(), format!(":{port}"), format!("localhost:{port}")] {
        let output = mazed(&["healthcheck"], &[("MAZED_ADDR", &nobody), ("MAZED_ADMIN_ADDR", &address)]);
        assert_eq!(output.status.code(), Some(0), "{address}: {output:?}");
    }
    let public = program.addr.to_string();
    let output = mazed(&["healthcheck", "--addr", &public, "--admin-addr", &nobody], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains(&nobody), "{output:?}");
}

#[test]
fn an_address_that_it_cannot_have_ends_the_program_with_1_and_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let output = mazed(&["--addr", "127.0.0.1:0", "--admin-addr", &addr], &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains(&format!("{addr}: ")), "{text}");
}
