//! The queries about the levels, and the solvers.

use mazed::level::solvers::SOLVERS;
use serde_json::{Value, json};

use crate::api::Server;
use crate::rooms_in_masks::*;

#[tokio::test]
async fn every_query_about_rooms_in_a_mask_is_answered() {
    let server = Server::start().await;
    for recipe in recipes() {
        let what = brief(&recipe);
        let post = |route: &'static str, more: Value| post_ok(&server.client, route, with(&recipe, more));
        let level = post("/maze", json!({})).await;
        let (grid, start, exit) = (matrix(&level), tile(&level["start"]), tile(&level["exit"]));
        let made = server.client.generations().await;
        let from_start = distances(&grid, start);
        let length = from_start[exit.1][exit.0];

        let path = post("/maze/path", json!({})).await;
        assert_eq!((&path["length"], &path["path"]), (&json!(length), &level["solution"]["path"]), "{what}");
        let back = post("/maze/path", json!({"from": level["exit"], "to": level["start"]})).await;
        assert_eq!(back["length"], length, "{what}");
        assert_legal(&grid, &tiles(&back["path"]), [exit, start], &what);
        assert_eq!(back["next"], back["path"][1], "{what}");

        assert_eq!(post("/maze/distances", json!({})).await["distances"], json!(from_start), "{what}");
        let from_exit = post("/maze/distances", json!({"from": level["exit"]})).await;
        assert_eq!(from_exit["distances"], json!(distances(&grid, exit)), "{what}");

        let stats = post("/maze/stats", json!({})).await;
        assert_eq!(stats["open_tiles"], grid.iter().flatten().filter(|tile| **tile == 0).count(), "{what}");
        assert_eq!(stats["solution"]["length"], length, "{what}");

        let spawns = tiles(&post("/maze/spawns", json!({"count": 5})).await["spawns"]);
        assert_eq!(spawns.len(), 5, "{what}");
        for (i, spawn) in spawns.iter().enumerate() {
            let is_other = ![start, exit].contains(spawn) && !spawns[..i].contains(spawn);
            assert!(is_open(&grid, *spawn) && is_other, "{what}: {spawn:?}");
        }
        assert_eq!(server.client.generations().await, made, "{what}: built again for a query");
    }
}

#[tokio::test]
async fn paths_through_rooms_in_a_mask_are_verified() {
    let server = Server::start().await;
    for recipe in recipes() {
        let what = brief(&recipe);
        let level = post_ok(&server.client, "/maze", with(&recipe, json!({}))).await;
        let moved = post_ok(&server.client, "/maze", with(&recipe, json!({"path": "moves"}))).await;
        let verify = |path: Value| post_ok(&server.client, "/maze/verify", with(&recipe, path));
        for path in [json!({"path": level["solution"]["path"]}), json!({"moves": moved["solution"]["moves"]})] {
            let verification = verify(path).await;
            assert_eq!((&verification["valid"], &verification["reaches_exit"]), (&json!(true), &json!(true)), "{what}");
            assert_eq!(
                [&verification["steps"], &verification["shortest"]],
                [&level["solution"]["length"]; 2],
                "{what}"
            );
        }
        // the first wall or void tile beside the path, and the path up to there
        let (grid, path) = (matrix(&level), tiles(&level["solution"]["path"]));
        let shut = path.iter().enumerate().find_map(|(i, at)| {
            let wall = beside(*at).find(|next| !is_open(&grid, *next));
            wall.map(|wall| (i + 1, [&path[..=i], &[wall]].concat()))
        });
        let (step, into_wall) = shut.expect("a path along a wall");
        let at = into_wall[step];
        let verification = verify(json!({"path": into_wall})).await;
        assert_eq!((&verification["valid"], &verification["reaches_exit"]), (&json!(false), &json!(false)), "{what}");
        assert_eq!(verification["first_error"], json!({"step": step, "at": at, "reason": "wall"}), "{what}");
    }
}

#[tokio::test]
async fn every_solver_finds_a_legal_path_or_says_that_it_walks_in_circles() {
    let server = Server::start().await;
    let mut in_circles = 0;
    for recipe in recipes() {
        let level = post_ok(&server.client, "/maze", with(&recipe, json!({"solver": "bfs"}))).await;
        let (grid, endpoints) = (matrix(&level), [tile(&level["start"]), tile(&level["exit"])]);
        for solver in SOLVERS {
            let what = format!("{} {}", solver.name, brief(&recipe));
            let body = with(&recipe, json!({"solver": solver.name}));
            let found = post_ok(&server.client, "/maze", body.clone()).await["solution"].take();
            let answer = post_ok(&server.client, "/maze/path", body).await;
            if found["found"] == false {
                assert!(!solver.shortest && found["reason"] == answer["reason"], "{what}: {found}");
                in_circles += 1;
                continue;
            }
            assert_legal(&grid, &tiles(&found["path"]), endpoints, &what);
            assert_eq!(answer["path"], found["path"], "{what}");
            let (length, shortest) = (found["length"].as_u64(), level["solution"]["length"].as_u64());
            assert!(if solver.shortest { length == shortest } else { length >= shortest }, "{what}");
        }
    }
    assert!(in_circles > 0, "no walker walked in circles, so that case is not tested");
}

#[tokio::test]
async fn a_farthest_endpoint_is_the_farthest_open_tile() {
    let server = Server::start().await;
    for seed in 0..5 {
        let recipe = json!({"algo": "bsp", "seed": seed, "mask": island(), "rooms": 7});
        for (near, far) in [("start", "exit"), ("exit", "start")] {
            let level = post_ok(&server.client, "/maze", with(&recipe, json!({ far: "farthest" }))).await;
            let steps = distances(&matrix(&level), tile(&level[near]));
            let (x, y) = tile(&level[far]);
            assert_eq!(steps.iter().flatten().max(), Some(&steps[y][x]), "{seed} {far}");
        }
    }
}
