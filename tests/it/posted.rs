//! `POST /maze`: parameters in a body, masks among them, and malformed bodies.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::LevelKind;
use mazed::level::solvers::SOLVERS;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::api::{Answer, Client, Server};
use crate::harness::Program;

/// A cross of cells.
const CROSS: [&str; 7] = ["  ###  ", "  ###  ", "#######", "#######", "#######", "  ###  ", "  ###  "];

#[tokio::test]
async fn a_body_gets_what_the_same_query_gets() {
    let server = Server::start().await;
    for (query, body) in [
        ("seed=7", json!({"seed": 7})),
        (
            "algo=dfs&size=21&seed=-1&solver=right_hand",
            json!({"algo": "dfs", "size": 21, "seed": -1, "solver": "right_hand"}),
        ),
        (
            "width=9&height=5&seed=level-1&grid=rows",
            json!({"width": 9, "height": 5, "seed": "level-1", "grid": "rows"}),
        ),
        (
            "size=9&seed=7&start=3,1&exit=1,7&path=moves",
            json!({"size": 9, "seed": "7", "start": [3, 1], "exit": "1,7", "path": "moves"}),
        ),
        ("size=9&seed=7&exit=farthest&braid=0.5", json!({"size": 9, "seed": "007", "exit": "farthest", "braid": 0.5})),
        ("size=9&seed=7&openings=true", json!({"size": 9, "seed": 7, "openings": true})),
        (
            "algo=bsp&size=20&seed=7&rooms=3&jitter=0.1",
            json!({"algo": "bsp", "size": 20, "seed": 7, "rooms": 3, "jitter": 0.10}),
        ),
    ] {
        let got = server.client.get(&format!("/maze?{query}")).await;
        let posted = server.client.post("/maze", body.to_string()).await;
        assert_eq!((posted.status, &posted.body), (200, &got.body), "{query}");
        assert_eq!(posted.header("content-location"), got.header("content-location"), "{query}");
        assert_eq!(posted.header("cache-control"), "no-store");
        assert_eq!(posted.header("cache-status"), "mazed; hit", "{query}: both are one level");
        assert_eq!(posted.header("etag"), "");
    }
}

#[tokio::test]
async fn a_body_without_a_seed_gets_a_random_one() {
    let server = Server::start().await;
    let random = server.client.post("/maze", "{}").await;
    let same = server.client.get(random.header("content-location")).await;
    assert_eq!(same.body, random.body);
}

#[tokio::test]
async fn a_masked_level_has_its_sides_and_voids_from_the_mask_in_every_form() {
    let server = Server::start().await;
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.masks) {
        let post = |grid: &'static str| {
            let body = json!({"algo": algorithm.name, "seed": 7, "mask": CROSS, "grid": grid});
            server.client.post("/maze", body.to_string())
        };
        let (matrix, rows) = (post("matrix").await, post("rows").await.json());
        assert_eq!((matrix.header("content-location"), matrix.header("etag")), ("", ""), "a mask has no URL");
        let matrix = matrix.json();
        assert_eq!((&matrix["width"], &matrix["height"]), (&json!(7), &json!(7)));
        let endpoints = if algorithm.kind == LevelKind::Maze { [[3, 1], [3, 5]] } else { [[2, 1], [4, 5]] };
        assert_eq!(json!([matrix["start"], matrix["exit"]]), json!(endpoints));
        let is_open = |x: usize, y: usize| matrix["grid"][y][x] == 0;
        for (y, row) in matrix["grid"].as_array().unwrap().iter().enumerate() {
            for (x, tile) in row.as_array().unwrap().iter().enumerate() {
                let character = char::from(rows["rows"][y].as_str().unwrap().as_bytes()[x]);
                assert_eq!(
                    tile.as_i64().unwrap(),
                    match character {
                        '.' => 0,
                        '#' => 1,
                        _ => -1,
                    },
                    "[{x},{y}]"
                );
                let near = |at: usize| at.saturating_sub(1)..(at + 2).min(7);
                let touches_open = near(y).any(|y| near(x).any(|x| is_open(x, y)));
                let is_space = CROSS[y].as_bytes()[x] == b' ';
                assert_eq!(tile == -1, is_space && !touches_open, "{} [{x},{y}]", algorithm.name);
                if algorithm.kind == LevelKind::Maze {
                    // all cells of the cross are open; they touch every tile but the two by two tiles in each corner
                    assert_eq!(tile == -1, x % 5 < 2 && y % 5 < 2, "{} [{x},{y}]", algorithm.name);
                }
            }
        }
    }
}

#[tokio::test]
async fn a_masked_level_is_made_once_for_all_solvers_and_has_no_url() {
    let server = Server::start().await;
    let before = server.client.generations().await;
    for solver in SOLVERS {
        let body = json!({"seed": 7, "mask": CROSS, "solver": solver.name});
        assert_eq!(server.client.post("/maze", body.to_string()).await.status, 200, "{}", solver.name);
        assert_eq!(server.client.post("/maze", body.to_string()).await.header("cache-status"), "mazed; hit");
    }
    assert_eq!(server.client.generations().await, before + 1);
    let other = json!({"seed": 7, "mask": ["#####", "#####", "#####", "#   #", "#   #"]});
    assert_eq!(server.client.post("/maze", other.to_string()).await.header("cache-status"), "mazed; fwd=miss");
}

/// Bodies, the status, and the parameters that the error response names, sorted.
fn malformed() -> Vec<(String, u16, Vec<&'static str>)> {
    let rows = |body: Value, status, faulty: &[&'static str]| (body.to_string(), status, faulty.to_vec());
    let text = |body: &str, faulty: &[&'static str]| (body.to_owned(), 400, faulty.to_vec());
    let masked = |mask: Value, status, faulty: &[&'static str]| rows(json!({"seed": 7, "mask": mask}), status, faulty);
    let tall = vec!["###"; 4_003];
    let many = format!("{{{}}}", (0..1_000).map(|i| format!(r#""a{i}":{i}"#)).collect::<Vec<_>>().join(","));
    vec![
        // no JSON, or not an object
        text("", &["body"]),
        text("seed=7", &["body"]),
        text("{", &["body"]),
        text("[]", &["body"]),
        text("7", &["body"]),
        text("null", &["body"]),
        text(r#""seed""#, &["body"]),
        text("{} {}", &["body"]),
        text("{'seed':7}", &["body"]),
        text("{\"seed\":7,}", &["body"]),
        text("{\"seed\":NaN}", &["body"]),
        text("{\"seed\":\"\\ud800\"}", &["seed"]),
        text(&"[".repeat(10_000), &["body"]),
        text(&format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)), &["body"]),
        text(&format!(r#"{{"seed":{}{}}}"#, "[".repeat(10_000), "]".repeat(10_000)), &["seed"]),
        text(&format!("{}7{}", r#"{"seed":"#.repeat(10_000), "}".repeat(10_000)), &["seed"]),
        // unknown and repeated keys
        text(r#"{"seed":7,"seed":8}"#, &["seed"]),
        text(r#"{"seed":7,"seed":7}"#, &["seed"]),
        text(r#"{"seed":7,"\u0073eed":7}"#, &["seed"]),
        text(r#"{"seed":7,"colour":"red"}"#, &["colour"]),
        text(r#"{"seed":7,"Mask":[]}"#, &["Mask"]),
        // wrong types
        rows(json!({"algo": 1}), 400, &["algo"]),
        rows(json!({"size": "41"}), 400, &["size"]),
        rows(json!({"size": [41]}), 400, &["size"]),
        rows(json!({"size": null}), 400, &["size"]),
        rows(json!({"size": 41.5}), 400, &["size"]),
        text(r#"{"size":4e1}"#, &["size"]),
        rows(json!({"size": 4}), 400, &["size"]),
        rows(json!({"size": -5}), 400, &["size"]),
        rows(json!({"seed": true}), 400, &["seed"]),
        rows(json!({"seed": 7.5}), 400, &["seed"]),
        rows(json!({"seed": 9_007_199_254_740_993_u64}), 400, &["seed"]),
        rows(json!({"seed": -9_007_199_254_740_993_i64}), 400, &["seed"]),
        text(r#"{"seed":1e17}"#, &["seed"]),
        rows(json!({"seed": ""}), 400, &["seed"]),
        rows(json!({"seed": {"value": 7}}), 400, &["seed"]),
        rows(json!({"start": 1}), 400, &["start"]),
        rows(json!({"start": [1]}), 400, &["start"]),
        rows(json!({"start": [1, 1, 1]}), 400, &["start"]),
        rows(json!({"start": [1.5, 1]}), 400, &["start"]),
        rows(json!({"start": ["1", "1"]}), 400, &["start"]),
        rows(json!({"start": [0, 0], "exit": [-1, 1]}), 400, &["exit", "start"]),
        rows(json!({"openings": "true"}), 400, &["openings"]),
        rows(json!({"openings": 1}), 400, &["openings"]),
        rows(json!({"openings": true, "start": "farthest"}), 400, &["start"]),
        rows(json!({"openings": true, "size": 9, "start": [3, 3], "exit": [5, 5]}), 422, &["exit", "start"]),
        rows(json!({"solver": ["bfs"]}), 400, &["solver"]),
        // fractions
        rows(json!({"braid": 1.1}), 400, &["braid"]),
        rows(json!({"braid": 1.00005}), 400, &["braid"]),
        rows(json!({"braid": -0.5}), 400, &["braid"]),
        rows(json!({"braid": "0.5"}), 400, &["braid"]),
        text(r#"{"braid":11e-1}"#, &["braid"]),
        text(r#"{"braid":NaN}"#, &["body"]),
        rows(json!({"algo": "bsp", "braid": 0.5}), 400, &["braid"]),
        // masks
        masked(json!(null), 400, &["mask"]),
        masked(json!("###"), 400, &["mask"]),
        masked(json!([]), 400, &["mask"]),
        masked(json!([""]), 400, &["mask"]),
        masked(json!(["", "", ""]), 400, &["mask"]),
        masked(json!(["###", 1, "###"]), 400, &["mask"]),
        masked(json!([["#", "#"], ["#", "#"]]), 400, &["mask"]),
        masked(json!([1, 1]), 400, &["mask"]),
        masked(json!(["###", "##", "###"]), 400, &["mask"]),
        masked(json!(["###", "####", "###"]), 400, &["mask"]),
        masked(json!(["####", "####", "####"]), 400, &["mask"]),
        masked(json!(["###", "###", "###", "###"]), 400, &["mask"]),
        masked(json!(tall), 400, &["mask"]),
        masked(json!(["#".repeat(4_003), "#".repeat(4_003), "#".repeat(4_003)]), 400, &["mask"]),
        masked(json!(["   ", "   ", "   "]), 422, &["mask"]),
        masked(json!(["#####", "# # #", "#####"]), 422, &["mask"]),
        masked(json!(["#######", "### ###", "#######"]), 422, &["mask"]),
        rows(json!({"size": 9, "mask": CROSS}), 400, &["size"]),
        rows(json!({"width": 9, "height": 9, "mask": CROSS}), 400, &["height", "width"]),
        rows(json!({"mask": CROSS, "start": [1, 1]}), 400, &["start"]),
        rows(json!({"mask": CROSS, "start": [2, 1], "exit": [5, 5]}), 400, &["exit", "start"]),
        rows(json!({"mask": CROSS, "start": [2, 2]}), 400, &["start"]),
        rows(json!({"mask": CROSS, "exit": [7, 1]}), 400, &["exit"]),
        rows(
            json!({"mask": ["##", "#"], "size": "x", "what": 1, "solver": 1}),
            400,
            &["mask", "size", "solver", "what"],
        ),
        (many, 400, vec![]),
    ]
}

#[tokio::test]
async fn every_malformed_body_gets_exactly_its_errors_and_makes_no_level() {
    let server = Server::start().await;
    for (body, status, faulty) in malformed() {
        let mut answer = Err(Duration::MAX);
        // on a busy machine a single response may be late, so there are three tries
        for _ in 0..3 {
            let begun = Instant::now();
            let response = server.client.post("/maze", body.as_str()).await;
            answer = if begun.elapsed() < Duration::from_millis(100) { Ok(response) } else { Err(begun.elapsed()) };
            if answer.is_ok() {
                break;
            }
        }
        let answer: Answer = answer.unwrap_or_else(|time| panic!("{body:.100}: {time:?}"));
        assert_eq!(answer.status, status, "{body:.200}: {}", answer.text());
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert!(answer.body.len() < 20_000, "{body:.100}: an error of {} bytes", answer.body.len());
        if !faulty.is_empty() {
            assert_eq!(answer.faulty(), faulty, "{body:.200}: {}", answer.text());
        }
    }
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn an_algorithm_without_masks_gets_an_error_that_names_those_with_masks() {
    let server = Server::start().await;
    for algorithm in ALGORITHMS {
        let body = json!({"algo": algorithm.name, "seed": 7, "mask": CROSS});
        let answer = server.client.post("/maze", body.to_string()).await;
        assert_eq!(answer.status, if algorithm.masks { 200 } else { 422 }, "{}", algorithm.name);
        if !algorithm.masks {
            let message = answer.message("mask");
            let able = ALGORITHMS.iter().filter(|other| other.masks);
            able.for_each(|other| assert!(message.contains(other.name), "{message}"));
        }
    }
}

#[tokio::test]
async fn only_json_is_read_and_only_from_the_body() {
    let server = Server::start().await;
    let send = |headers: &'static [(&'static str, &'static str)], target: &'static str| {
        server.client.send_body(Method::POST, target, headers, Some("{\"seed\":7,\"size\":5}".into()))
    };
    for (content_type, status) in [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("application/problem+json", 415),
        ("json", 415),
        ("", 415),
    ] {
        let headers: &'static _ = Box::leak(Box::new([("content-type", content_type)]));
        assert_eq!(send(headers, "/maze").await.status, status, "{content_type:?}");
    }
    assert_eq!(send(&[], "/maze").await.status, 415);
    assert_eq!(send(&[("content-type", "application/json"), ("content-encoding", "gzip")], "/maze").await.status, 415);
    let json = &[("content-type", "application/json")];
    let answer = send(json, "/maze?seed=7").await;
    assert_eq!((answer.status, answer.faulty()), (400, vec!["query".to_owned()]));
    assert_eq!(send(&[("content-type", "application/json"), ("accept", "image/png")], "/maze").await.status, 406);
}

#[tokio::test]
async fn a_body_above_the_limit_is_refused_however_it_comes() {
    let server = Server::start_with(&["--max-body-bytes", "1000"]).await;
    let whole = server.client.post("/maze", " ".repeat(1_001)).await;
    assert_eq!((whole.status, whole.json()["type"].clone()), (413, json!("urn:mazed:body-too-large")));
    let address = server.client.address().to_owned();
    let answer = spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        let head =
            "POST /maze HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        for _ in 0..11 {
            stream.write_all(format!("64\r\n{}\r\n", " ".repeat(100)).as_bytes()).unwrap();
        }
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        String::from_utf8(answer.to_vec()).unwrap()
    });
    assert_eq!(answer.await.unwrap(), "HTTP/1.1 413");
    let fits = format!("{{\"seed\":7,\"size\":5{}}}", " ".repeat(900));
    assert_eq!(server.client.post("/maze", fits).await.status, 200);
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn ten_megabytes_are_refused() {
    let server = Server::start().await;
    let body = json!({"mask": vec!["#".repeat(3_999); 2_600]}).to_string();
    assert!(body.len() > 10_000_000);
    assert_eq!(server.client.post("/maze", body).await.status, 413);
    server.client.assert_healthy().await;
}

/// Begins a request with a body of `length` bytes, of which `sent` are sent.
fn begin(address: &str, length: usize, sent: usize) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let head =
        format!("POST /maze HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(" ".repeat(sent).as_bytes()).unwrap();
    stream
}

fn status_of(mut stream: TcpStream) -> String {
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    String::from_utf8(answer[9..].to_vec()).unwrap()
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for_longer_than_a_request_may_take() {
    let server = Server::start_with(&["--request-timeout", "0.3"]).await;
    let address = server.client.address().to_owned();
    let statuses = spawn_blocking(move || [0, 5].map(|sent| status_of(begin(&address, 10, sent))));
    assert_eq!(statuses.await.unwrap(), ["408", "408"]);
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn bodies_share_a_budget() {
    let server = Server::start_with(&["--bodies-bytes", "330000"]).await;
    let address = server.client.address().to_owned();
    let (held, refused) = spawn_blocking(move || {
        let held = begin(&address, 90_001, 90_000);
        // the server needs some time to read this body
        std::thread::sleep(Duration::from_millis(300));
        (held, status_of(begin(&address, 20_000, 20_000)))
    })
    .await
    .unwrap();
    assert_eq!(refused, "503");
    assert_eq!(server.client.post("/maze", "{\"seed\":7,\"size\":5}").await.status, 200, "small ones still fit");
    drop(held);
    let large = format!("{{\"seed\":7,\"size\":5{}}}", " ".repeat(90_000));
    for _ in 0..100 {
        let status = server.client.post("/maze", large.as_str()).await.status;
        if status == 200 {
            return;
        }
        assert_eq!(status, 503);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the bytes of the first body never go back to the budget");
}

#[tokio::test]
async fn bodies_that_grow_when_they_are_parsed_stay_within_their_budget() {
    let program = Program::start(&[]);
    let before = program.memory("VmHWM");
    let client = Client::new(format!("http://{}", program.addr));
    // empty rows of three bytes each
    let body = format!(r#"{{"mask":[{}""]}}"#, r#""","#.repeat(690_000));
    assert!((2_000_000..2 << 20).contains(&body.len()));
    let posts = (0..16).map(|_| {
        let (client, body) = (client.clone(), body.clone());
        tokio::spawn(async move { client.post("/maze", body).await.status })
    });
    for post in posts.collect::<Vec<_>>() {
        let status = post.await.unwrap();
        assert!([400, 503].contains(&status), "{status}");
    }
    let grown = program.memory("VmHWM") - before;
    // the budget for bodies, the copies that parsing makes of them, and what the allocator keeps
    assert!(grown < 150 << 20, "{} MiB", grown >> 20);
}
