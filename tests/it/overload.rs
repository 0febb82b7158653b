//! An overloaded service: it answers 503, stays alive, and recovers.

use std::io::Read;

use crate::api::Server;
use crate::harness::{connect, send};

/// A level that keeps a worker busy for longer than the rest of a test takes.
const LONG: &str = "/maze?algo=prim&size=16001&grid=none&path=none";

/// Waits until a job runs.
async fn busy(server: &Server) {
    while server.client.metric("mazed_jobs_running").await == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn probes_answer_while_levels_are_refused() {
    let server = Server::start_with(&["--workers", "1", "--queue", "0", "--max-side", "16001"]).await;
    let client = server.client.clone();
    let long = tokio::spawn(async move { client.get(LONG).await });
    busy(&server).await;
    let refused = server.client.get("/maze?size=41&seed=7").await;
    assert_eq!((refused.status, refused.json()["type"].as_str()), (503, Some("urn:mazed:overloaded")));
    assert_eq!(refused.header("retry-after"), "1");
    for probe in ["/healthz", "/readyz", "/metrics", "/algorithms"] {
        assert_eq!(server.client.get(probe).await.status, 200, "{probe}");
    }
    assert_eq!(server.client.metric("mazed_shed_total").await, 1);
    long.abort();
}

#[tokio::test]
async fn a_level_that_takes_too_long_is_given_up_and_its_worker_is_free_again() {
    let server = Server::start_with(&["--workers", "1", "--request-timeout", "0.1", "--max-side", "16001"]).await;
    let answer = server.client.get(LONG).await;
    assert_eq!((answer.status, answer.json()["type"].as_str()), (504, Some("urn:mazed:deadline")));
    while server.client.metric("mazed_jobs_running").await > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    server.client.assert_healthy().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_answers_do_not_fill_the_memory() {
    // memory for one unread response of 32 MB, and no cache
    let flags = ["--cache-bytes", "0", "--unread-bytes", "34000000"];
    let server = Server::start_with(&flags).await;
    let target = |seed: u32| format!("/maze?algo=binary_tree&size=4001&solver=none&seed={seed}");
    let addr = server.client.address().parse().unwrap();
    let mut unread = connect(addr);
    send(&mut unread, &format!("GET {} HTTP/1.1\r\nhost: mazed\r\n\r\n", target(1)));
    tokio::task::block_in_place(|| unread.read_exact(&mut [0; 1])).unwrap();
    let refused = server.client.get(&target(2)).await;
    assert_eq!((refused.status, refused.json()["type"].as_str()), (503, Some("urn:mazed:overloaded")));
    drop(unread);
    while server.client.get(&target(2)).await.status != 200 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
