//! The queries of a game backend about a level: path, distances, stats, spawns, verify and pick.

use mazed::level::algorithms::ALGORITHMS;
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::{Answer, Server};

/// Levels of every kind, as queries.
const LEVELS: [&str; 8] = [
    "size=21&seed=7",
    "algo=dfs&width=31&height=15&seed=level-1",
    "algo=wilson&size=15&seed=-1&start=farthest&exit=farthest",
    "algo=growing_tree&size=21&seed=7&braid=0.5",
    "algo=bsp&size=24&seed=7",
    "algo=bsp&size=24&seed=7&loops=1&door_size=2",
    "algo=sidewinder&size=15&seed=7&openings=true",
    "size=3&seed=7",
];

/// A query string as the fields of a body.
fn fields(query: &str) -> Value {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap());
    let value = |name: &str, value: &str| match name {
        "algo" | "seed" | "start" | "exit" | "kind" | "solver" | "path" => value.into(),
        _ => serde_json::from_str(value).unwrap(),
    };
    pairs.map(|(name, text)| (name.to_owned(), value(name, text))).collect::<serde_json::Map<_, _>>().into()
}

fn tile(value: &Value) -> (usize, usize) {
    (value[0].as_u64().unwrap() as usize, value[1].as_u64().unwrap() as usize)
}

#[tokio::test]
async fn every_query_gets_the_same_answer_by_url_and_by_body_and_it_begins_with_the_head_of_the_level() {
    let server = Server::start().await;
    for level in LEVELS {
        let head = server.client.level(&format!("/maze?{level}&grid=none&solver=none")).await;
        for route in ["path", "distances", "stats", "spawns"] {
            if route == "spawns" && level.starts_with("size=3") {
                continue;
            }
            let got = server.client.get(&format!("/maze/{route}?{level}")).await;
            let posted = server.client.post(&format!("/maze/{route}"), fields(level).to_string()).await;
            assert_eq!((got.status, posted.status), (200, 200), "{route} {level}: {}", got.text());
            assert_eq!(got.body, posted.body, "{route} {level}");
            assert_eq!(got.header("content-location"), posted.header("content-location"));
            assert_eq!(posted.header("cache-control"), "no-store");
            let tag = [("if-none-match", got.header("etag"))];
            let unchanged = server.client.send(Method::GET, &format!("/maze/{route}?{level}"), &tag).await;
            assert_eq!(unchanged.status, 304, "{route} {level}");
            let answer = got.json();
            for field in ["algorithm", "seed", "width", "height", "options", "start", "exit", "recipe"] {
                assert_eq!(answer[field], head[field], "{route} {level}");
            }
        }
    }
    // each level is generated once, for all queries about it
    assert_eq!(server.client.generations().await, LEVELS.len() as u64);
}

#[tokio::test]
async fn following_the_next_steps_is_a_shortest_path() {
    let server = Server::start().await;
    for level in LEVELS {
        let whole = server.client.level(&format!("/maze/path?{level}")).await;
        let (mut at, exit) = (tile(&whole["start"]), tile(&whole["exit"]));
        let mut steps = 0;
        while at != exit {
            let hint = server.client.level(&format!("/maze/path?{level}&from={},{}&path=none", at.0, at.1)).await;
            assert_eq!(hint["length"].as_u64().unwrap(), whole["length"].as_u64().unwrap() - steps, "{level}");
            at = tile(&hint["next"]);
            steps += 1;
        }
        assert_eq!(whole["length"], steps, "{level}");
        let there = server.client.level(&format!("/maze/path?{level}&from={},{}", exit.0, exit.1)).await;
        assert_eq!(
            (&there["length"], &there["next"], &there["path"]),
            (&json!(0), &Value::Null, &json!([[exit.0, exit.1]]))
        );
    }
}

#[tokio::test]
async fn answers_about_one_level_agree_with_each_other() {
    let server = Server::start().await;
    for level in LEVELS {
        let maze = server.client.level(&format!("/maze?{level}")).await;
        let stats = server.client.level(&format!("/maze/stats?{level}")).await;
        let distances = server.client.level(&format!("/maze/distances?{level}")).await;
        let length = &maze["solution"]["length"];
        let (x, y) = tile(&maze["exit"]);
        assert_eq!(distances["from"], maze["start"], "{level}");
        assert_eq!(&distances["distances"][y][x], length, "{level}");
        assert_eq!(&stats["solution"]["length"], length, "{level}");
        let mut open = 0;
        for (row, numbers) in maze["grid"].as_array().unwrap().iter().zip(distances["distances"].as_array().unwrap()) {
            for (tile, number) in row.as_array().unwrap().iter().zip(numbers.as_array().unwrap()) {
                assert_eq!(*tile == 0, *number != -1, "{level}");
                open += u64::from(*tile == 0);
            }
        }
        assert_eq!(stats["open_tiles"], open, "{level}");
    }
}

#[tokio::test]
async fn spawns_are_open_and_as_many_as_requested() {
    let server = Server::start().await;
    for level in &LEVELS[..7] {
        let maze = server.client.level(&format!("/maze?{level}&solver=none")).await;
        for (count, kind) in [(1, "any"), (9, "any"), (3, "dead_end")] {
            let answer = server.client.get(&format!("/maze/spawns?{level}&count={count}&kind={kind}")).await;
            if kind == "dead_end" && answer.status == 422 {
                assert!(answer.message("count").contains("this level has"), "{}", answer.text());
                continue;
            }
            let spawns = answer.json()["spawns"].as_array().unwrap().iter().map(tile).collect::<Vec<_>>();
            assert_eq!(spawns.len(), count, "{level}");
            for (i, (x, y)) in spawns.iter().enumerate() {
                assert_eq!(maze["grid"][y][x], 0, "{level}");
                assert!(
                    ![tile(&maze["start"]), tile(&maze["exit"])].contains(&(*x, *y))
                        && !spawns[..i].contains(&(*x, *y))
                );
            }
        }
    }
    let none = server.client.get("/maze/spawns?size=3&seed=7").await;
    assert_eq!(
        (none.status, none.json()["type"].clone(), none.faulty()),
        (422, json!("urn:mazed:unbuildable"), vec!["count".to_owned()])
    );
}

async fn verify(server: &Server, level: &str, submitted: Value) -> Answer {
    let mut body = fields(level);
    body.as_object_mut().unwrap().extend(submitted.as_object().unwrap().clone());
    server.client.post("/maze/verify", body.to_string()).await
}

#[tokio::test]
async fn a_path_of_the_service_is_verified_without_making_its_level_again() {
    let server = Server::start().await;
    for level in LEVELS {
        let maze = server.client.level(&format!("/maze?{level}")).await;
        let moves = server.client.level(&format!("/maze?{level}&path=moves")).await;
        let made = server.client.generations().await;
        for submitted in [json!({"path": maze["solution"]["path"]}), json!({"moves": moves["solution"]["moves"]})] {
            let answer = verify(&server, level, submitted).await;
            assert_eq!((answer.header("cache-control"), answer.header("content-location")), ("no-store", ""));
            let result = answer.json();
            assert_eq!((&result["valid"], &result["reaches_exit"]), (&json!(true), &json!(true)), "{level}");
            assert_eq!(
                (&result["steps"], &result["shortest"]),
                (&maze["solution"]["length"], &maze["solution"]["length"])
            );
            assert_eq!(result["first_error"], Value::Null);
        }
        assert_eq!(server.client.generations().await, made, "{level}");
    }
}

#[tokio::test]
async fn a_wrong_path_gets_a_result_and_not_an_error() {
    let server = Server::start().await;
    // rows of the level: #.#.#, #.#.#, #...#
    let level = "size=5&seed=7";
    for (submitted, error) in [
        (json!({"moves": ""}), None),
        (json!({"moves": "DD"}), None),
        (json!({"moves": "DDUUDDRRUU"}), None),
        (json!({"moves": "R"}), Some((1, [2, 1], "wall"))),
        (json!({"moves": "DDD"}), Some((3, [1, 4], "wall"))),
        (json!({"moves": "UU"}), Some((1, [1, 0], "wall"))),
        (json!({"path": [[1, 1]]}), None),
        (json!({"path": [[1, 2]]}), Some((0, [1, 2], "starts_elsewhere"))),
        (json!({"path": [[1, 1], [1, 1]]}), Some((1, [1, 1], "no_step"))),
        (json!({"path": [[1, 1], [1, 3]]}), Some((1, [1, 3], "no_step"))),
        (json!({"path": [[1, 1], [1, 2], [0, 2], [-1, 2]]}), Some((2, [0, 2], "wall"))),
        (json!({"path": [[-1, 1]]}), Some((0, [-1, 1], "starts_elsewhere"))),
        (
            json!({"path": [[1, 1], [9_223_372_036_854_775_807_i64, -9_223_372_036_854_775_808_i64]]}),
            Some((1, [i64::MAX, i64::MIN], "no_step")),
        ),
    ] {
        let answer = verify(&server, level, submitted.clone()).await;
        assert_eq!(answer.status, 200, "{submitted}: {}", answer.text());
        let result = answer.json();
        assert_eq!(result["valid"], error.is_none(), "{submitted}");
        let expected =
            error.map_or(Value::Null, |(step, at, reason)| json!({"step": step, "at": at, "reason": reason}));
        assert_eq!(result["first_error"], expected, "{submitted}");
    }
    let masked =
        json!({"mask": ["     ", "     ", "     ", "###  ", "#####", "#####", "#####"], "path": [[1, 3], [1, 2]]});
    let result = verify(&server, "seed=7", masked).await.json();
    assert_eq!(result["first_error"]["reason"], "wall", "{result}");
}

#[tokio::test]
async fn a_million_moves_are_verified() {
    let server = Server::start().await;
    let level = "algo=binary_tree&size=41&seed=7";
    let rights = server.client.level(&format!("/maze?{level}&path=moves")).await;
    let first = &rights["solution"]["moves"].as_str().unwrap()[..1];
    let back = match first {
        "R" => "L",
        "D" => "U",
        _ => unreachable!(),
    };
    let moves = format!("{first}{back}").repeat(500_000);
    let result = verify(&server, level, json!({ "moves": moves })).await.json();
    assert_eq!(
        (&result["valid"], &result["steps"], &result["reaches_exit"]),
        (&json!(true), &json!(1_000_000), &json!(false))
    );
    assert_eq!(verify(&server, level, json!({"moves": "R".repeat(2_097_152)})).await.status, 413);
}

#[tokio::test]
async fn a_pick_is_the_best_candidate_by_the_stats_of_all() {
    let server = Server::start().await;
    for level in ["size=15", "algo=dfs&size=15&braid=0.5", "algo=bsp&size=20"] {
        let mut candidates = vec![];
        for i in 0..20 {
            candidates.push(server.client.level(&format!("/maze/stats?{level}&seed=cave/{i}")).await);
        }
        let length = |stats: &Value| stats["solution"]["length"].as_u64().unwrap();
        let parts = |value: &Value| (value.as_f64().unwrap() * 10_000.0).round() as i64;
        let nearest = |distance: &dyn Fn(&Value) -> u64| candidates.iter().min_by_key(|stats| distance(stats)).unwrap();
        for (wanted, text) in [(0, "0"), (1_234, "0.1234"), (5_000, "0.5"), (10_000, "1")] {
            let pick = server.client.level(&format!("/maze/pick?{level}&seed=cave&tries=20&difficulty={text}")).await;
            let best = nearest(&|stats| parts(&stats["difficulty"]).abs_diff(wanted));
            assert_eq!((&pick["seed"], &pick["difficulty"]), (&best["seed"], &best["difficulty"]), "{level} {wanted}");
            assert_eq!((length(best), &pick["complete"]), (pick["length"].as_u64().unwrap(), &json!(true)));
            assert_eq!(pick["effort"], best["effort"], "{level} {wanted}");
            assert_eq!(parts(&pick["missed_by"]), (wanted - parts(&pick["difficulty"])).abs(), "{pick}");
            assert!(
                pick["tried"] == 20 || pick["difficulty"] == serde_json::from_str::<Value>(text).unwrap(),
                "{pick}"
            );
        }
        for (query, least, most) in [
            ("min_length=40", 40, u64::MAX),
            ("max_length=30", 0, 30),
            ("min_length=33&max_length=35", 33, 35),
            ("min_length=100000", 100_000, u64::MAX),
            ("max_length=0", 0, 0),
        ] {
            let pick = server.client.level(&format!("/maze/pick?{level}&seed=cave&tries=20&{query}")).await;
            let distance =
                |stats: &Value| least.max(length(stats)) - length(stats) + (length(stats) - most.min(length(stats)));
            let best = nearest(&distance);
            assert_eq!((&pick["seed"], &pick["missed_by"]), (&best["seed"], &json!(distance(best))), "{level} {query}");
        }
        for (query, least, most) in
            [("min_effort=90", 90, u64::MAX), ("max_effort=30", 0, 30), ("min_effort=50&max_effort=55", 50, 55)]
        {
            let pick = server.client.level(&format!("/maze/pick?{level}&seed=cave&tries=20&{query}")).await;
            let distance = |stats: &Value| {
                let effort = stats["effort"].as_u64().unwrap();
                effort.abs_diff(effort.clamp(least, most))
            };
            let best = nearest(&distance);
            assert_eq!((&pick["seed"], &pick["missed_by"]), (&best["seed"], &json!(distance(best))), "{level} {query}");
        }
    }
}

#[tokio::test]
async fn a_pick_ends_at_the_first_exact_match_and_skips_candidates_whose_start_is_a_wall() {
    let server = Server::start().await;
    let first = server.client.level("/maze/pick?size=15&seed=cave&min_length=0").await;
    assert_eq!((&first["seed"], &first["tried"]), (&json!("cave/0"), &json!(1)));
    let skipped = server.client.level("/maze/pick?size=5&start=1,2&exit=3,3&seed=a&difficulty=1&tries=32").await;
    assert_eq!(skipped["tried"], 32, "{skipped}");
    // an error of the recipe must not make the route's own parameters unknown
    let faulty = server.client.get("/maze/pick?size=4&difficulty=0.5&tries=3&seed=1").await;
    assert_eq!((faulty.status, faulty.faulty()), (400, vec!["size".to_owned()]));
}

#[tokio::test]
async fn a_tile_far_in_the_void_is_refused_soon() {
    let server = Server::start().await;
    let row = format!("{}###", " ".repeat(3_998));
    let body = json!({"seed": 7, "mask": [row, row, row], "from": [1, 1]});
    let begun = std::time::Instant::now();
    let answer = server.client.post("/maze/path", body.to_string()).await;
    assert_eq!((answer.status, answer.faulty()), (400, vec!["from".to_owned()]));
    assert!(answer.message("from").contains("void") && begun.elapsed() < std::time::Duration::from_secs(2));
}

#[tokio::test]
async fn a_pick_has_a_permanent_url_and_makes_no_level_twice() {
    let server = Server::start().await;
    let target = "/maze/pick?size=15&seed=cave&difficulty=0.5";
    let first = server.client.get(target).await;
    assert_eq!((first.status, first.header("cache-status")), (200, "mazed; fwd=miss"));
    assert!(first.header("cache-control").contains("immutable"));
    let made = server.client.generations().await;
    let second = server.client.get(target).await;
    assert_eq!((second.header("cache-status"), &second.body), ("mazed; hit", &first.body));
    let unchanged = server.client.send(Method::GET, target, &[("if-none-match", first.header("etag"))]).await;
    assert_eq!(unchanged.status, 304);
    let located = server.client.get(first.header("content-location")).await;
    assert_eq!(located.body, first.body);
    assert_eq!(server.client.generations().await, made);
    let random = server.client.get("/maze/pick?size=15&difficulty=0.5").await;
    assert_eq!(random.header("cache-control"), "no-store");
    assert_eq!(server.client.get(random.header("content-location")).await.body, random.body);
}

#[tokio::test]
async fn a_pick_that_runs_out_of_time_gives_the_best_so_far_and_says_so() {
    let server = Server::start_with(&["--request-timeout", "1"]).await;
    let answer = server.client.get("/maze/pick?algo=prim&size=1001&seed=7&difficulty=0&tries=1024").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let pick = answer.json();
    assert_eq!(
        (&pick["complete"], answer.header("cache-control"), answer.header("etag")),
        (&json!(false), "no-store", "")
    );
    assert!((1..1_024).contains(&pick["tried"].as_u64().unwrap()), "{pick}");
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn every_malformed_query_gets_all_its_errors() {
    let server = Server::start().await;
    let long = "x".repeat(60);
    let long = format!("/maze/pick?difficulty=0.5&seed={long}");
    let rows: &[(&str, &[&str])] = &[
        ("/maze/path?seed=7&from=0,0", &["from"]),
        ("/maze/path?seed=7&from=2,2&to=40,1", &["from", "to"]),
        ("/maze/path?seed=7&from=41,1", &["from"]),
        ("/maze/path?seed=7&to=4294967295,4294967295", &["to"]),
        ("/maze/path?seed=7&to=4294967296,1", &["to"]),
        ("/maze/path?seed=7&from=1&to=x,y", &["from", "to"]),
        ("/maze/path?seed=7&from=farthest", &["from"]),
        ("/maze/path?seed=7&solver=none", &["solver"]),
        ("/maze/path?seed=7&solver=x&path=x&grid=rows", &["grid", "path", "solver"]),
        ("/maze/distances?seed=7&from=0,0", &["from"]),
        ("/maze/distances?seed=7&to=1,1", &["to"]),
        ("/maze/stats?seed=7&from=1,1", &["from"]),
        ("/maze/stats?size=4&seed=", &["seed", "size"]),
        ("/maze/spawns?seed=7&count=0", &["count"]),
        ("/maze/spawns?seed=7&count=257", &["count"]),
        ("/maze/spawns?seed=7&count=-1&kind=x", &["count", "kind"]),
        ("/maze/pick?seed=7", &["difficulty"]),
        ("/maze/pick?seed=7&difficulty=0.5&min_length=3", &["difficulty"]),
        ("/maze/pick?seed=7&difficulty=0.5&max_effort=3", &["difficulty"]),
        ("/maze/pick?seed=7&min_effort=5&min_length=3", &["min_length"]),
        ("/maze/pick?seed=7&min_effort=5&max_effort=3", &["min_effort"]),
        ("/maze/pick?seed=7&difficulty=1.1", &["difficulty"]),
        ("/maze/pick?seed=7&difficulty=1.00005", &["difficulty"]),
        ("/maze/pick?seed=7&min_length=9&max_length=8", &["min_length"]),
        ("/maze/pick?seed=7&min_length=-1&max_length=x", &["max_length", "min_length"]),
        ("/maze/pick?seed=7&difficulty=0.5&tries=0", &["tries"]),
        ("/maze/pick?seed=7&difficulty=0.5&tries=5000", &["tries"]),
        ("/maze/pick?size=4&difficulty=x&tries=x", &["difficulty", "size", "tries"]),
        (&long, &["seed"]),
    ];
    for (target, faulty) in rows {
        let answer = server.client.get(target).await;
        assert_eq!(
            (answer.status, answer.faulty()),
            (400, faulty.iter().map(ToString::to_string).collect()),
            "{target}: {}",
            answer.text()
        );
    }
    let bodies: &[(&str, Value, &[&str])] = &[
        ("/maze/verify", json!({"seed": 7}), &["path"]),
        ("/maze/verify", json!({"seed": 7, "path": [[1, 1]], "moves": ""}), &["moves"]),
        ("/maze/verify", json!({"seed": 7, "path": []}), &["path"]),
        ("/maze/verify", json!({"seed": 7, "path": [1, 1]}), &["path"]),
        ("/maze/verify", json!({"seed": 7, "path": [[1, 1], [1]]}), &["path"]),
        ("/maze/verify", json!({"seed": 7, "path": [[1, 1], [1, 2, 3]]}), &["path"]),
        ("/maze/verify", json!({"seed": 7, "path": [[1, 1.5]]}), &["path"]),
        ("/maze/verify", json!({"seed": 7, "path": ["1,1"]}), &["path"]),
        ("/maze/verify", json!({"seed": 7, "path": "RR"}), &["path"]),
        ("/maze/verify", json!({"seed": 7, "moves": "rr"}), &["moves"]),
        ("/maze/verify", json!({"seed": 7, "moves": "RRX"}), &["moves"]),
        ("/maze/verify", json!({"seed": 7, "moves": ["R"]}), &["moves"]),
        ("/maze/verify", json!({"size": 4, "moves": "R L", "what": 1}), &["moves", "seed", "size", "what"]),
        (
            "/maze/path",
            json!({"mask": ["     ", "     ", "     ", "###  ", "#####", "#####", "#####"], "from": [3, 1]}),
            &["from"],
        ),
        ("/maze/path", json!({"seed": 7, "from": "1;1"}), &["from"]),
        ("/maze/distances", json!({"seed": 7, "from": 1}), &["from"]),
        ("/maze/spawns", json!({"seed": 7, "count": "3"}), &["count"]),
    ];
    for (target, body, faulty) in bodies {
        let answer = server.client.post(target, body.to_string()).await;
        assert_eq!(
            (answer.status, answer.faulty()),
            (400, faulty.iter().map(ToString::to_string).collect()),
            "{target} {body}: {}",
            answer.text()
        );
    }
    for (target, status) in [("/maze/verify", 405), ("/maze/pick", 400)] {
        assert_eq!(server.client.get(target).await.status, status, "{target}");
    }
    assert_eq!(server.client.post("/maze/pick", "{}").await.status, 405);
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn distances_that_would_be_too_long_are_refused() {
    let server = Server::start_with(&["--max-answer-bytes", "20000"]).await;
    assert_eq!(server.client.get("/maze/distances?size=41&seed=7").await.status, 200);
    for size in ["101", "1001"] {
        let answer = server.client.get(&format!("/maze/distances?size={size}&seed=7")).await;
        assert_eq!(
            (answer.status, answer.json()["type"].clone()),
            (422, json!("urn:mazed:answer-too-large")),
            "{size}"
        );
    }
    let long = server.client.get("/maze/path?algo=dfs&size=301&seed=7").await;
    assert_eq!((long.status, long.faulty()), (422, vec!["path".to_owned()]));
}

#[tokio::test]
async fn every_algorithm_answers_every_query() {
    let server = Server::start().await;
    for algorithm in ALGORITHMS {
        for route in ["path", "distances", "stats", "spawns"] {
            server.client.level(&format!("/maze/{route}?algo={}&size=15&seed=7", algorithm.name)).await;
        }
    }
}
