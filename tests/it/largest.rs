//! The largest levels that the default settings allow: each request gets its level or an error, and the service stays
//! alive and within its memory.

use mazed::level::algorithms::ALGORITHMS;
use serde::Deserialize;
use tokio::sync::{Mutex, MutexGuard};

use crate::api::{Client, Server};
use crate::harness::Program;

const SIDE: usize = 4001;

/// The memory of the container that the default settings are made for.
const MEMORY: u64 = 512 << 20;

/// These tests run one at a time: together they would need too much memory.
async fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::const_new(());
    TURN.lock().await
}

/// Only the grid of a level, one byte for each tile: a JSON tree would be far larger.
#[derive(Deserialize)]
struct Matrix {
    grid: Vec<Vec<u8>>,
}

#[tokio::test]
async fn the_largest_mazes_are_made_and_the_service_lives() {
    let _turn = turn().await;
    let server = Server::start().await;
    for algorithm in ["dfs", "kruskal"] {
        let recipe = format!("/maze?algo={algorithm}&size={SIDE}&seed=7");
        let level = server.client.level(&format!("{recipe}&grid=none&path=none")).await;
        let length = level["solution"]["length"].as_u64().unwrap() as usize;
        assert!(length >= 2 * (SIDE - 3), "{length} steps from corner to corner");
        server.client.assert_healthy().await;
    }

    let target = format!("/maze?algo=kruskal&size={SIDE}&seed=7&path=none");
    let answer = server.client.get(&target).await;
    assert_eq!(answer.status, 200);
    let Matrix { grid } = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!((grid.len(), grid[0].len()), (SIDE, SIDE));
    // a perfect maze opens a tile for each cell and for each passage, and there is one passage fewer than cells
    let open = grid.iter().flatten().filter(|tile| **tile == 0).count();
    assert_eq!(open, 2 * (SIDE / 2) * (SIDE / 2) - 1);
    server.client.assert_healthy().await;

    assert_eq!(server.client.get(&target).await.header("cache-status"), "mazed; hit", "the largest level is cached");
    assert!(server.client.metric("mazed_cache_bytes").await <= 64 << 20);
}

#[tokio::test]
async fn a_walk_too_long_for_a_response_gets_an_error_that_names_a_smaller_encoding() {
    let _turn = turn().await;
    let server = Server::start().await;
    // a walk of more than six million steps, each of them at least ten bytes as a point, does not fit in 64 MiB
    let mut long = None;
    for (seed, solver) in (1..=10).flat_map(|seed| ["right_hand", "left_hand"].map(|solver| (seed, solver))) {
        let recipe = format!("/maze?algo=dfs&size={SIDE}&seed={seed}&solver={solver}&grid=none");
        let level = server.client.level(&format!("{recipe}&path=none")).await;
        if level["solution"]["length"].as_u64().unwrap() > 6_700_000 {
            long = Some(recipe);
            break;
        }
    }
    let recipe = long.expect("one walk in twenty is long");
    for query in ["", "&path=points"] {
        let answer = server.client.get(&format!("{recipe}{query}")).await;
        assert_eq!((answer.status, answer.json()["type"].as_str()), (422, Some("urn:mazed:answer-too-large")));
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("path=moves") || detail.contains("path=none"), "{detail}");
        server.client.assert_healthy().await;
    }
    assert_eq!(server.client.get(&format!("{recipe}&path=moves")).await.status, 200);
}

#[tokio::test]
async fn the_limit_of_answers_is_a_setting() {
    let server = Server::start_with(&["--max-answer-bytes", "65536"]).await;
    for (query, status) in [
        ("size=101&seed=7&path=none", 200),
        ("size=301&seed=7&path=none", 422),
        ("size=301&seed=7&path=none&grid=bits", 200),
        ("size=601&seed=7&path=none&grid=none", 200),
    ] {
        let answer = server.client.get(&format!("/maze?{query}")).await;
        assert_eq!(answer.status, status, "{query}");
        if status == 422 {
            assert_eq!(answer.json()["type"], "urn:mazed:answer-too-large");
            let detail = answer.json()["detail"].as_str().unwrap().to_owned();
            assert!(detail.contains("grid="), "{detail}");
        }
    }
    server.client.assert_healthy().await;
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn ten_different_largest_levels_stay_under_the_memory_of_a_small_container() {
    let _turn = turn().await;
    let program = Program::start(&[]);
    let client = Client::new(format!("http://{}", program.addr));
    for (seed, algorithm) in ALGORITHMS.iter().cycle().take(ALGORITHMS.len().max(10)).enumerate() {
        let target = format!("/maze?algo={}&size={SIDE}&seed={seed}&path=none", algorithm.name);
        let answer = client.get(&target).await;
        assert_eq!(answer.status, 200, "{target}: {:.300}", String::from_utf8_lossy(&answer.body));
        let peak = program.memory("VmHWM");
        assert!(peak < MEMORY, "{} MiB after {target}", peak >> 20);
    }
    client.assert_healthy().await;

    // and ten at once: requests that cannot be served now get 503
    let targets: Vec<_> =
        (0..10).map(|seed| format!("/maze?algo=dfs&size={SIDE}&seed=level-{seed}&grid=none&path=none")).collect();
    let answers = client.get_at_once(targets).await;
    assert!(answers.iter().all(|answer| [200, 503].contains(&answer.status)));
    assert!(answers.iter().any(|answer| answer.status == 200));
    client.assert_healthy().await;
    let (peak, now) = (program.memory("VmHWM"), program.memory("VmRSS"));
    assert!(peak < MEMORY, "{} MiB at the most, {} MiB at the end", peak >> 20, now >> 20);
}
