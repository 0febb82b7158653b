//! The fields that a response begins with can be sent back: a backend that stores them gets the same level.

use std::fmt::Write as _;

use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::grid::LevelKind;
use mazed::level::parameters::options::{FRACTION_UNIT, OptionType};
use serde_json::{Map, Value, json};

use crate::api::{Client, Server};

/// The fields that every response about a level begins with.
const HEAD: [&str; 8] = ["algorithm", "seed", "width", "height", "options", "start", "exit", "recipe"];

/// Recipes of an algorithm, as queries: defaults, each option with values of its own, and every other parameter.
fn recipes(algorithm: &Algorithm) -> Vec<String> {
    let sides: &[&str] = match algorithm.kind {
        LevelKind::Maze => &["size=15", "width=21&height=9"],
        LevelKind::Rooms => &["size=15", "width=20&height=12"],
    };
    let mut endings = vec![
        "seed=7".to_owned(),
        "seed=-1&openings=true".to_owned(),
        "seed=a%20b%26c%3D%EB%AF%B8%22&exit=farthest".to_owned(),
        "seed=level-1&start=farthest".to_owned(),
        "seed=18446744073709551615&start=farthest&exit=farthest".to_owned(),
        "seed=7&start=1,1&exit=1,1".to_owned(),
    ];
    if algorithm.kind == LevelKind::Maze {
        // the tiles of cells are open in every maze
        endings.push("seed=9007199254740993&start=3,1&exit=1,7".to_owned());
    }
    let mut all_options = "seed=7".to_owned();
    for row in algorithm.options.iter().map(|option| option.row()) {
        let values: &[&str] = match row.kind {
            OptionType::Count => &["1", "2"],
            OptionType::Fraction { max } if max < FRACTION_UNIT => &["0", "0.3333", "0.9"],
            OptionType::Fraction { .. } => &["0", "0.3333", "1"],
        };
        endings.extend(values.iter().map(|value| format!("seed=7&{}={value}", row.name)));
        write!(all_options, "&{}={}", row.name, values[1]).unwrap();
    }
    endings.push(all_options);
    let name = algorithm.name;
    sides.iter().flat_map(|side| endings.iter().map(move |ending| format!("algo={name}&{side}&{ending}"))).collect()
}

/// The fields of an answer that a client would store.
fn head(answer: &Value) -> Map<String, Value> {
    HEAD.iter().map(|name| ((*name).to_owned(), answer[*name].clone())).collect()
}

/// Posts these fields, and those that the route needs, to every route that takes a body. Checks that each answers about
/// the same level.
async fn post_everywhere(client: &Client, fields: &Map<String, Value>, level: &Value) {
    for (route, more) in [
        ("/maze", json!({})),
        ("/maze/path", json!({"path": "moves"})),
        ("/maze/distances", json!({})),
        ("/maze/stats", json!({})),
        ("/maze/spawns", json!({"count": 2})),
        ("/maze/verify", json!({"moves": ""})),
    ] {
        let mut body = fields.clone();
        body.extend(more.as_object().unwrap().clone());
        let answer = client.post(route, Value::Object(body.clone()).to_string()).await;
        assert_eq!(answer.status, 200, "{route} {body:?}: {}", answer.text());
        let answer = answer.json();
        assert_eq!(head(&answer), head(level), "{route} {body:?}");
        if route == "/maze" {
            assert_eq!((&answer["grid"], &answer["doors"]), (&level["grid"], &level["doors"]), "{body:?}");
        }
    }
}

#[tokio::test]
async fn the_head_of_any_answer_can_be_posted_to_every_route_and_gives_the_same_level() {
    let server = Server::start().await;
    for recipe in ALGORITHMS.iter().flat_map(recipes) {
        let level = server.client.level(&format!("/maze?{recipe}")).await;
        let whole = head(&level);
        post_everywhere(&server.client, &whole, &level).await;
        // the recipe alone is enough, and may be used as a query string
        let only: Map<_, _> = [("recipe".to_owned(), level["recipe"].clone())].into_iter().collect();
        post_everywhere(&server.client, &only, &level).await;
        let text = level["recipe"].as_str().unwrap();
        let same = server.client.get(&format!("/maze?{text}")).await;
        assert_eq!(same.json(), level);
        assert_eq!(same.header("content-location"), format!("/maze?{text}"));
    }
}

#[tokio::test]
async fn the_heads_of_all_routes_are_the_same_and_that_of_a_pick_names_the_picked_level() {
    let server = Server::start().await;
    let recipe = "algo=growing_tree&width=21&height=9&seed=7&exit=farthest&mix=0.25";
    let level = server.client.level(&format!("/maze?{recipe}")).await;
    assert_eq!(level["recipe"], recipe, "the canonical query");
    for route in ["path", "distances", "stats", "spawns"] {
        assert_eq!(head(&server.client.level(&format!("/maze/{route}?{recipe}")).await), head(&level), "{route}");
    }
    let picked = server.client.level("/maze/pick?size=15&seed=a/b&difficulty=0.5&exit=farthest&tries=4").await;
    let text = picked["recipe"].as_str().unwrap();
    assert!(text.starts_with("algo=kruskal&size=15&seed=a%2Fb%2F") && text.ends_with("&exit=farthest"), "{text}");
    let level = server.client.level(&format!("/maze?{text}")).await;
    assert_eq!(head(&picked), head(&level));
    post_everywhere(&server.client, &head(&picked), &level).await;
}

#[tokio::test]
async fn a_head_without_its_recipe_gives_the_same_level_too() {
    let server = Server::start().await;
    for recipe in ["algo=dfs&size=15&seed=7&braid=0.5", "algo=bsp&size=20&seed=a&start=farthest&exit=farthest&rooms=3"]
    {
        let level = server.client.level(&format!("/maze?{recipe}")).await;
        let mut fields = head(&level);
        fields.remove("recipe");
        let same = server.client.post("/maze", Value::Object(fields).to_string()).await.json();
        for field in ["grid", "start", "exit", "options", "seed", "solution", "doors"] {
            assert_eq!(same[field], level[field], "{recipe} {field}");
        }
    }
}

#[tokio::test]
async fn a_level_with_a_mask_has_no_recipe_and_its_head_is_sent_back_beside_the_mask() {
    let server = Server::start().await;
    let mask = json!(["  ###  ", "  ###  ", "#######", "#######", "#######", "  ###  ", "  ###  "]);
    for algorithm in ["kruskal", "bsp"] {
        let body = json!({"algo": algorithm, "seed": 7, "mask": mask, "exit": "farthest"});
        let level = server.client.post("/maze", body.to_string()).await.json();
        assert!(!level.as_object().unwrap().contains_key("recipe"));
        let mut fields = head(&level);
        fields.remove("recipe");
        fields.insert("mask".to_owned(), mask.clone());
        let same = server.client.post("/maze", Value::Object(fields).to_string()).await.json();
        assert_eq!(same, level, "{algorithm}");
    }
    let full = json!({"seed": 7, "mask": ["#####", "#####", "#####"]});
    let level = server.client.post("/maze", full.to_string()).await.json();
    assert_eq!(level["recipe"], "algo=kruskal&width=5&height=3&seed=7", "a mask that leaves nothing out is none");
}

#[tokio::test]
async fn a_field_beside_a_recipe_that_says_something_else_is_refused() {
    let server = Server::start().await;
    let recipe = "algo=dfs&size=15&seed=7&exit=farthest";
    let level = server.client.level(&format!("/maze?{recipe}")).await;
    for (field, value, status) in [
        ("algo", json!("prim"), 400),
        ("algorithm", json!("dfs"), 200),
        ("size", json!(15.0), 200),
        ("size", json!(17), 400),
        ("width", json!(17), 400),
        ("seed", json!(7), 200),
        ("seed", json!("007"), 200),
        ("seed", json!(8), 400),
        ("start", json!([1, 1]), 200),
        ("start", json!("3,1"), 400),
        ("exit", json!("farthest"), 200),
        ("exit", level["exit"].clone(), 200),
        ("exit", json!([1, 1]), 400),
        ("openings", json!(false), 200),
        ("openings", json!(true), 400),
        ("braid", json!(0), 200),
        ("braid", json!(0.5), 400),
        ("rooms", json!(5), 400),
        ("mask", json!(["###", "###", "###"]), 400),
        ("solver", json!("astar"), 200),
    ] {
        // twice: a cached answer must not hide the error
        for _ in 0..2 {
            let answer = server.client.post("/maze", json!({"recipe": recipe, field: value}).to_string()).await;
            assert_eq!(answer.status, status, "{field} {value}: {}", answer.text());
            if status == 400 {
                assert_eq!(answer.faulty(), [field], "{value}");
            }
        }
    }
    let answer = server.client.post("/maze", json!({"recipe": recipe, "exit": [1, 1]}).to_string()).await;
    let [x, y] = [0, 1].map(|i| level["exit"][i].as_u64().unwrap());
    let expected = format!("is [1,1], but recipe says farthest, which is [{x},{y}] in this level");
    assert_eq!(answer.message("exit"), expected);
}

#[tokio::test]
async fn a_recipe_a_mask_and_options_as_an_object_are_for_bodies_only() {
    let server = Server::start().await;
    for query in ["recipe=algo%3Ddfs%26size%3D9%26seed%3D7", "seed=7&options=%7B%7D", "seed=7&mask=%23"] {
        let answer = server.client.get(&format!("/maze?{query}")).await;
        assert_eq!(answer.status, 400, "{query}");
        assert!(answer.text().contains("goes into the JSON body of a POST"), "{query}: {}", answer.text());
    }
    let answer = server.client.post("/maze", r#"{"recipe":"size=9"}"#).await;
    assert_eq!(answer.message("recipe"), "has an error at seed: is missing");
    let answer = server.client.post("/maze", r#"{"recipe":7}"#).await;
    assert_eq!(answer.message("recipe"), "is a number; it must be a string");
}
