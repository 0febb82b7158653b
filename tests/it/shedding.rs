//! Each request that the service sheds is counted once, whether too many bodies, unread responses or picks were the
//! reason. A server that shuts down sheds none. (`overload.rs` has the full queue.)

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use mazed::telemetry::Overload;
use tokio::task::{JoinSet, block_in_place};

use crate::api::{Server, samples};
use crate::harness::{Program, TIMEOUT, connect, fetch, send};

const SHED: &str = "mazed_shed_total";

/// Begins a request with a body of `length` bytes, of which `sent` are sent.
fn begin(address: &str, length: usize, sent: usize) -> TcpStream {
    let mut stream = connect(address.parse().unwrap());
    let head = "POST /maze HTTP/1.1\r\nhost: mazed\r\ncontent-type: application/json\r\n";
    send(&mut stream, &format!("{head}content-length: {length}\r\n\r\n"));
    stream.write_all(" ".repeat(sent).as_bytes()).unwrap();
    stream
}

fn status(stream: &mut TcpStream) -> String {
    let mut start = [0; 12];
    stream.read_exact(&mut start).unwrap();
    String::from_utf8(start[9..].to_vec()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_past_the_budget_of_bodies_is_shed_once() {
    let server = Server::start_with(&["--bodies-bytes", "300000"]).await;
    let address = server.client.address().to_owned();
    let begin_held = || block_in_place(|| begin(&address, 90_001, 90_000));
    let (mut held, mut shed) = (begin_held(), 0);
    for _ in 0..100 {
        if block_in_place(|| status(&mut begin(&address, 20_000, 20_000))) == "503" {
            shed += 1;
            break;
        }
        // either the server has not read the first body yet, or it read the first body second and shed it
        held.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        if block_in_place(|| held.read_exact(&mut [0; 12])).is_ok() {
            shed += 1;
            break;
        }
        held = begin_held();
    }
    // while both bodies arrive, each may meet the part that the other has taken
    let counted = server.client.metric(SHED).await;
    if counted > shed {
        held.set_read_timeout(Some(TIMEOUT)).unwrap();
        block_in_place(|| held.read_exact(&mut [0; 12])).unwrap();
        shed += 1;
    }
    assert_eq!(shed, counted);
    let metrics = server.client.get("/metrics").await.text();
    let sample = ("mazed_shed_total{limit=\"bodies\"}", &*shed.to_string());
    assert!(samples(&metrics).any(|other| other == sample), "{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_past_the_budget_of_unread_answers_is_shed_once() {
    let server = Server::start_with(&["--cache-bytes", "0", "--unread-bytes", "40000000"]).await;
    let target = |seed: u32| format!("/maze?algo=binary_tree&size=4001&solver=none&seed={seed}");
    let mut unread = connect(server.client.address().parse().unwrap());
    send(&mut unread, &format!("GET {} HTTP/1.1\r\nhost: mazed\r\n\r\n", target(1)));
    block_in_place(|| unread.read_exact(&mut [0; 1])).unwrap();
    let refused = server.client.get(&target(2)).await;
    assert_eq!((refused.status, refused.json()["type"].as_str()), (503, Some("urn:mazed:overloaded")));
    assert_eq!(server.client.metric(SHED).await, 1);
}

#[tokio::test]
async fn picks_that_wait_too_long_for_others_are_shed_once_each() {
    // only one pick runs at a time, and each uses all the time that it may
    let server = Server::start_with(&["--workers", "1", "--request-timeout", "2"]).await;
    let mut picks = JoinSet::new();
    for seed in 0..6 {
        let client = server.client.clone();
        let target = format!("/maze/pick?algo=prim&size=1001&seed={seed}&difficulty=0&tries=1024");
        picks.spawn(async move { client.get(&target).await });
    }
    let answers = picks.join_all().await;
    let of_status = |status: u16| answers.iter().filter(|answer| answer.status == status).count() as u64;
    assert!(of_status(200) >= 1, "the first gets its best so far");
    assert!(of_status(503) >= 2, "the others wait for longer than they may search");
    let overloaded = |answer: &&crate::api::Answer| answer.status == 503;
    for answer in answers.iter().filter(overloaded) {
        assert_eq!(answer.json()["type"], "urn:mazed:overloaded");
        assert!(answer.text().contains("MAZED_WORKERS"), "{}", answer.text());
    }
    assert_eq!(server.client.metric(SHED).await, of_status(503));
}

#[test]
fn a_server_that_shuts_down_sheds_nothing() {
    let program = Program::start(&[("MAZED_READINESS_DELAY", "600")]);
    program.signal("TERM");
    program.logged("not ready");
    let answer = fetch(program.addr, "/readyz");
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("urn:mazed:draining"), "{answer}");
    let metrics = fetch(program.addr, "/metrics");
    let shed = samples(&metrics).filter(|(series, _)| series.starts_with(SHED));
    assert!(shed.map(|(_, count)| count).eq(["0"; Overload::ALL.len()]), "{metrics}");
    let counted = |line: &&str| {
        ["mazed_http_requests_total{", "route=\"/readyz\"", "status=\"503\""].iter().all(|part| line.contains(part))
    };
    assert_eq!(metrics.lines().filter(counted).count(), 1, "{metrics}");
}
