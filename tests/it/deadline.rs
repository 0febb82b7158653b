//! A request has one deadline, counted from the end of its head: receiving the body, waiting and the job share the
//! time.

use std::io::Read;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;

use crate::api::Server;
use crate::harness::{connect, send};

#[tokio::test]
async fn a_body_that_comes_late_leaves_its_job_less_time() {
    let timeout = Duration::from_secs(2);
    let server = Server::start_with(&["--request-timeout", "2", "--max-side", "16001", "--work-bytes", "2GiB"]).await;
    let addr = server.client.address().parse().unwrap();
    let (answer, elapsed) = spawn_blocking(move || {
        let body = r#"{"algo":"prim","size":16001,"grid":"none","path":"none"}"#;
        let mut stream = connect(addr);
        let begun = Instant::now();
        let head = "POST /maze HTTP/1.1\r\nhost: mazed\r\nconnection: close\r\ncontent-type: application/json\r\n";
        send(&mut stream, &format!("{head}content-length: {}\r\n\r\n", body.len()));
        sleep(timeout * 6 / 10);
        send(&mut stream, body);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer, begun.elapsed())
    })
    .await
    .unwrap();
    assert!(answer.starts_with("HTTP/1.1 504") && answer.contains("urn:mazed:deadline"), "{answer}");
    // if the time of the job began with the job, the response would come at 1.6 times the limit
    assert!(elapsed < timeout * 3 / 2, "{elapsed:?} at a limit of {timeout:?}");
}
