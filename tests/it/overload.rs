//! An overloaded service: it answers 503, stays alive, and recovers.

use std::io::Read;

use mazed::level::algorithms::ALGORITHMS;
use serde_json::json;

use crate::api::Server;
use crate::harness::{Program, connect, eventually, send};

/// A level that keeps a worker busy for longer than the rest of a test takes.
const LONG: &str = "/maze?algo=prim&size=16001&grid=none&path=none";

const SHED: &str = "mazed_shed_total";

/// Waits until a job runs.
async fn busy(server: &Server) {
    while server.client.metric("mazed_jobs_running").await == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn probes_answer_while_levels_are_refused() {
    let server =
        Server::start_with(&["--workers", "1", "--queue", "0", "--max-side", "16001", "--work-bytes", "2GiB"]).await;
    let client = server.client.clone();
    let long = tokio::spawn(async move { client.get(LONG).await });
    busy(&server).await;
    let refused = server.client.get(&format!("{LONG}&seed=8")).await;
    assert_eq!((refused.status, refused.json()["type"].as_str()), (503, Some("urn:mazed:overloaded")));
    assert_eq!(refused.header("retry-after"), "1");
    assert!(refused.text().contains("MAZED_QUEUE"), "{}", refused.text());
    for probe in ["/healthz", "/readyz", "/metrics", "/algorithms"] {
        assert_eq!(server.client.get(probe).await.status, 200, "{probe}");
    }
    let small = server.client.get("/maze?size=41&seed=7").await;
    assert_eq!(small.status, 200, "a small level waits for no large one");
    assert_eq!(server.client.metric(SHED).await, 1);
    long.abort();
}

#[tokio::test]
async fn a_level_that_takes_too_long_is_given_up_and_its_worker_is_free_again() {
    let server = Server::start_with(&[
        "--workers",
        "1",
        "--request-timeout",
        "0.1",
        "--max-side",
        "16001",
        "--work-bytes",
        "2GiB",
    ])
    .await;
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
    let flags = ["--cache-bytes", "0", "--unread-bytes", "40000000"];
    let server = Server::start_with(&flags).await;
    let target = |seed: u32| format!("/maze?algo=binary_tree&size=4001&solver=none&seed={seed}");
    let addr = server.client.address().parse().unwrap();
    let mut unread = connect(addr);
    send(&mut unread, &format!("GET {} HTTP/1.1\r\nhost: mazed\r\n\r\n", target(1)));
    tokio::task::block_in_place(|| unread.read_exact(&mut [0; 1])).unwrap();
    let refused = server.client.get(&target(2)).await;
    assert_eq!((refused.status, refused.json()["type"].as_str()), (503, Some("urn:mazed:overloaded")));
    assert!(refused.text().contains("MAZED_UNREAD_BYTES"), "{}", refused.text());
    drop(unread);
    while server.client.get(&target(2)).await.status != 200 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn what_a_recipe_alone_decides_needs_no_worker() {
    let server =
        Server::start_with(&["--workers", "1", "--queue", "0", "--max-side", "16001", "--work-bytes", "2GiB"]).await;
    let client = server.client.clone();
    let long = tokio::spawn(async move { client.get(LONG).await });
    busy(&server).await;
    // a corridor of cells that winds from side to side: too long for a random walk
    let winding = |y: usize| match y % 8 {
        1 | 5 => "#".repeat(601),
        3 => format!("{}# ", " ".repeat(599)),
        7 => format!(" #{}", " ".repeat(599)),
        _ => " ".repeat(601),
    };
    let winding: Vec<_> = (0..601).map(winding).collect();
    let pieces = ["       ", " ##    ", "       ", "     # ", "       ", " #     ", "       "];
    for (body, parameter) in [
        (json!({"algo": "aldous_broder", "size": 4003}), "algo"),
        (json!({"algo": "kruskal", "size": 9, "start": [3, 3], "openings": true}), "start"),
        (json!({"algo": "bsp", "size": 21, "rooms": 40, "min_room_area": 25}), "rooms"),
        (
            json!({"algo": "bsp", "mask": ["#######", "####  #", "#######", "#######"], "min_room_area": 99}),
            "min_room_area",
        ),
        (json!({"algo": "kruskal", "mask": ["#####", "     ", "     ", "     ", "#####"]}), "mask"),
        (json!({"algo": "dfs", "mask": pieces}), "mask"),
        (json!({"algo": "wilson", "mask": winding}), "mask"),
    ] {
        let answer = server.client.post("/maze", body.to_string()).await;
        assert_eq!((answer.status, &answer.json()["type"]), (422, &json!("urn:mazed:unbuildable")), "{}", body["algo"]);
        assert!(answer.faulty().contains(&parameter.to_owned()), "{}", answer.text());
    }
    let unable = ALGORITHMS.iter().filter(|algorithm| !algorithm.masks);
    for algorithm in unable {
        let body = json!({"algo": algorithm.name, "mask": ["#####", "#####", "#####", "###  ", "###  "]});
        let answer = server.client.post("/maze", body.to_string()).await;
        assert_eq!((answer.status, answer.faulty()), (422, vec!["mask".to_owned()]), "{}", algorithm.name);
    }
    let pick = server.client.get("/maze/pick?algo=aldous_broder&size=4003&min_length=9").await;
    assert_eq!((pick.status, pick.faulty()), (422, vec!["algo".to_owned()]));
    assert_eq!(server.client.metric(SHED).await, 0);
    long.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_level_is_made_for_a_client_that_is_then_refused() {
    // responses of 18 MB, more than the system takes off the server's hands, and room for five of them
    let server = Server::start_with(&["--cache-bytes", "0", "--unread-bytes", "96MiB"]).await;
    let addr = server.client.address().parse().unwrap();
    let mut clients = vec![];
    let mut answered = 0;
    for seed in 0..12 {
        let mut client = connect(addr);
        send(&mut client, &format!("GET /maze?algo=binary_tree&size=3001&seed={seed} HTTP/1.1\r\nhost: mazed\r\n\r\n"));
        let mut status = [0; 12];
        tokio::task::block_in_place(|| client.read_exact(&mut status)).unwrap();
        match &status[9..] {
            b"200" => answered += 1,
            status => assert_eq!(status, b"503"),
        }
        clients.push(client);
    }
    assert!((2..6).contains(&answered), "{answered} of 12");
    assert_eq!(server.client.generations().await, answered);
    assert_eq!(server.client.metric("mazed_generations_total").await, answered, "with every outcome");
    assert_eq!(server.client.metric(SHED).await, 12 - answered);
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn a_level_that_needs_more_memory_than_there_is_gets_422_on_every_route() {
    let server = Server::start().await;
    let rooms = "algo=bsp&size=4001&rooms=3900000&min_room_area=1&loops=1&jitter=0.9&seed=7";
    for route in ["/maze/stats", "/maze/spawns", "/maze/path"] {
        let refused = server.client.get(&format!("{route}?{rooms}")).await;
        assert_eq!((refused.status, refused.json()["type"].as_str()), (422, Some("urn:mazed:unbuildable")), "{route}");
        let error = &refused.json()["errors"][0];
        assert_eq!(error["parameter"], "rooms", "{error}");
        assert!(error["message"].as_str().unwrap().contains("MAZED_WORK_BYTES"), "{error}");
    }
    let picked = server.client.get(&format!("/maze/pick?{rooms}&difficulty=0.5")).await;
    assert_eq!((picked.status, picked.json()["errors"][0]["parameter"].as_str()), (422, Some("rooms")));
    assert_eq!(server.client.metric("mazed_generations_total").await, 0);
}

#[test]
fn the_larger_the_jobs_of_a_worker_the_more_it_steps_back() {
    let program = Program::start(&[("MAZED_WORKERS", "2")]);
    let expected = [("large", 10), ("medium", 5), ("small", 0)];
    eventually("the workers are ready", || {
        let mut workers = program.threads();
        workers.retain(|(name, _)| expected.iter().any(|(class, _)| name.starts_with(class)));
        workers.sort();
        let of = |(class, nice)| [0, 1].map(|number| (format!("{class}-{number}"), nice));
        workers == expected.map(of).concat()
    });
}
