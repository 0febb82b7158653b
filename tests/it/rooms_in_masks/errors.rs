//! Errors: their messages name what could be built.

use mazed::level::recipe::DEFAULT_ROOM_MASK_SIDE;
use serde_json::{Value, json};

use crate::api::{Client, Server};
use crate::harness::Program;
use crate::rooms_in_masks::*;

/// A corridor one tile wide that turns at every tile, alternately down and right.
fn staircase() -> Vec<String> {
    (0..12).map(|y| (0..12).map(|x| if x == y || x == y + 1 { '#' } else { ' ' }).collect()).collect()
}

#[tokio::test]
async fn an_invalid_mask_is_refused_with_the_reason() {
    let server = Server::start().await;
    let too_large = square(DEFAULT_ROOM_MASK_SIDE as usize + 1, &[(9, 9)]);
    let in_two = ["        ", " ##  ## ", " ##  ## ", "        "].map(str::to_owned);
    let diagonal = ["    ", " #  ", "  # ", "    "].map(str::to_owned);
    let rows: [(&[String], u16, &[&str]); 9] = [
        (&["####", "###", "####"].map(str::to_owned), 400, &["row 1 has 3"]),
        (&[], 400, &[]),
        (&[String::new()], 400, &[]),
        (&["##", "##"].map(str::to_owned), 400, &["2 columns", "from 3"]),
        (&[" ".repeat(4), " ".repeat(4), " ".repeat(4)], 422, &["no tile"]),
        // the border is always wall
        (&["####", "#  #", "####"].map(str::to_owned), 422, &["no tile"]),
        (&too_large, 400, &["513", "512"]),
        (&in_two, 422, &["[1,1]", "[5,1]"]),
        (&diagonal, 422, &["[1,1]", "[2,2]"]),
    ];
    for (mask, status, said) in rows {
        let recipe = json!({"algo": "bsp", "seed": 7, "mask": mask});
        for (route, more) in [
            ("/maze", json!({"seed": 8})),
            ("/maze", json!({})),
            ("/maze/path", json!({})),
            ("/maze/distances", json!({})),
            ("/maze/stats", json!({})),
            ("/maze/spawns", json!({})),
            ("/maze/verify", json!({"moves": ""})),
        ] {
            let message = error_message(&server.client.post(route, with(&recipe, more)).await, status, "mask");
            assert!(said.iter().all(|part| message.contains(part)), "{route}: {message}");
        }
    }
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn a_least_side_does_not_work_with_a_mask() {
    let server = Server::start().await;
    let recipe = json!({"algo": "bsp", "seed": 7, "mask": island()});
    let message =
        error_message(&server.client.post("/maze", with(&recipe, json!({"min_side": 2}))).await, 400, "min_side");
    assert!(message.contains("does not work with a mask"), "{message}");
    // what the response says can be sent back
    let level = server.client.post("/maze", recipe.to_string()).await.json();
    assert_eq!(level["options"]["min_side"], 1);
    let again = server.client.post("/maze", with(&recipe, json!({"min_side": 1}))).await.json();
    assert_eq!(again, level);
    // a mask that leaves nothing out is none
    let full = json!({"algo": "bsp", "seed": 7, "mask": vec!["xxxxxxxxx"; 9], "min_side": 3});
    assert_eq!(server.client.post("/maze", full.to_string()).await.json()["options"]["min_side"], 3);
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn impossible_rooms_are_refused_for_every_seed_and_the_number_that_the_error_names_can_be_built() {
    let server = Server::start().await;
    let one = ["    ", "  # ", "    ", "    "].map(str::to_owned);
    let rows: [(&[String], Value, Option<u64>); 6] = [
        (&one, json!({"rooms": 2}), Some(1)),
        (&staircase(), json!({"rooms": 2, "min_room_area": 1}), Some(1)),
        // more rooms than tiles, and fewer, but more than fit
        (&island(), json!({"rooms": 1_000}), None),
        (&island(), json!({"rooms": 9_007_199_254_740_991_u64}), None),
        (&island(), json!({"rooms": 30, "min_room_area": 9}), None),
        (&island(), json!({"rooms": 15, "min_room_area": 20, "door_size": 3}), None),
    ];
    for (mask, more, most) in rows {
        let post = |seed: u64, more: &Value| {
            let recipe = json!({"algo": "bsp", "seed": seed, "mask": mask});
            server.client.post("/maze", with(&recipe, more.clone()))
        };
        let message = error_message(&post(7, &more).await, 422, "rooms");
        assert_eq!(error_message(&post(8, &more).await, 422, "rooms"), message, "the same for every seed");
        let (_, named) = message.split_once("at most ").expect("the largest number");
        let named: u64 = named.split(' ').next().unwrap().parse().unwrap();
        assert!(named >= 1 && most.is_none_or(|most| most == named), "{more}: {message}");
        for seed in [7, 8] {
            let mut fewer = more.clone();
            fewer["rooms"] = named.into();
            let built = post(seed, &fewer).await;
            assert_eq!(built.status, 200, "{fewer}: {}", built.text());
            assert_eq!(built.json()["rooms"].as_array().unwrap().len() as u64, named, "{fewer}");
        }
    }
    let large = json!({"algo": "bsp", "seed": 7, "mask": island(), "rooms": 1, "min_room_area": 1_000});
    let inside = island()[1..].iter().flat_map(|row| row.chars()).filter(|character| *character != ' ').count();
    let message = error_message(&server.client.post("/maze", large.to_string()).await, 422, "min_room_area");
    assert!(message.contains(&format!(" {inside} tiles")), "{message}");
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn the_limit_of_masks_for_rooms_is_a_setting_and_applies_to_nothing_else() {
    let program = Program::start(&[("MAZED_MAX_ROOM_MASK_SIDE", "20")]);
    let client = Client::new(format!("http://{}", program.addr));
    assert_eq!(client.level("/algorithms").await["limits"]["max_room_mask_side"], 20);
    let post = |algo: &str, mask: Vec<String>| {
        let body = json!({"algo": algo, "seed": 7, "mask": mask}).to_string();
        let client = client.clone();
        async move { client.post("/maze", body).await }
    };
    let wide = island();
    let message = error_message(&post("bsp", wide).await, 400, "mask");
    assert!(message.contains("30 columns") && message.contains("from 3 to 20"), "{message}");
    for (algo, side, void) in [("bsp", 20, true), ("bsp", 21, false), ("kruskal", 21, true)] {
        let void: &[Tile] = if void { &[(9, 9)] } else { &[] };
        assert_eq!(post(algo, square(side, void)).await.status, 200, "{algo} {side}");
    }
    assert!(error_message(&post("bsp", square(21, &[(9, 9)])).await, 400, "mask").contains("20"));
    assert_eq!(client.get("/maze?algo=bsp&size=21&seed=7").await.status, 200);
}
