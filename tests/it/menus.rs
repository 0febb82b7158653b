//! The catalogue is enough to build menus: each test builds its requests from the catalogue alone.

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::api::{Answer, Client, Server};

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().unwrap().iter()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Values that a menu would offer for a parameter.
fn values(parameter: &Value) -> Vec<Value> {
    let minimum = || parameter["minimum"].as_u64().unwrap();
    let mut values = match text(&parameter["kind"]) {
        "name" => items(&parameter["values"]).cloned().collect(),
        "integer" => vec![parameter["minimum"].clone()],
        "fraction" => vec![parameter["minimum"].clone(), parameter["maximum"].clone(), json!(0.5)],
        // the least side is odd, and so is this one
        "side" => vec![json!(minimum() + 6)],
        "seed" => vec![json!(7), json!("a b")],
        "tile" => vec![json!([1, 1])],
        "endpoint" => vec![json!([1, 1]), json!("farthest")],
        "flag" => vec![json!(true), json!(false)],
        "tiles" => vec![json!([[1, 1]])],
        "moves" => vec![json!(""), json!("URDL")],
        "mask" => vec![json!(["###  ", "###  ", "#####", "#####", "#####"])],
        other => panic!("{other}: no menu knows this kind"),
    };
    if !parameter["default"].is_null() {
        values.push(parameter["default"].clone());
    }
    values
}

/// Sends a request by a method.
async fn send(client: &Client, method: &str, path: &str, fields: &Map<String, Value>) -> Answer {
    if method == "POST" {
        return client.post(path, Value::Object(fields.clone()).to_string()).await;
    }
    let encode = |value: &Value| match value {
        Value::String(text) => text.replace(' ', "%20"),
        Value::Array(tile) => format!("{},{}", tile[0], tile[1]),
        other => other.to_string(),
    };
    let pairs: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
    client.send(method.parse::<Method>().unwrap(), &format!("{path}?{}", pairs.join("&")), &[]).await
}

/// Adds a value of a parameter, and what has to stand beside it.
fn add(fields: &mut Map<String, Value>, parameter: &Value, value: Value, all: &[&Value]) {
    for name in items(&parameter["excludes"]) {
        fields.remove(text(name));
    }
    fields.insert(text(&parameter["name"]).to_owned(), value);
    for name in items(&parameter["needs"]).map(text).filter(|name| *name != parameter["name"]) {
        let beside = all.iter().find(|other| other["name"] == name).expect("it is in the catalogue");
        fields.insert(name.to_owned(), values(beside).remove(0));
    }
}

#[tokio::test]
async fn a_request_for_every_algorithm_and_every_query_can_be_built_from_the_catalogue_alone() {
    let server = Server::start().await;
    let catalogue = server.client.level("/algorithms").await;
    let mut built = 0;
    for algorithm in items(&catalogue["algorithms"]) {
        let is_option = |option: &&Value| items(&algorithm["options"]).any(|name| *name == option["name"]);
        let options: Vec<_> = items(&catalogue["options"]).filter(is_option).cloned().collect();
        assert_eq!(options.len(), items(&algorithm["options"]).count(), "{algorithm}");
        for query in items(&catalogue["queries"]) {
            let own: Vec<_> = items(&query["parameters"]).collect();
            let of_recipe: Vec<_> =
                items(&catalogue["parameters"]).filter(|parameter| parameter["name"] != "algo").collect();
            let all: Vec<_> = own.iter().chain(&of_recipe).copied().collect();
            // what every request of this query needs
            let mut least = json!({"algo": algorithm["name"]}).as_object().unwrap().clone();
            if query["needs_seed"] == true {
                least.insert("seed".to_owned(), json!(7));
            }
            for parameter in own.iter().filter(|parameter| parameter["required"] == true) {
                least.insert(text(&parameter["name"]).to_owned(), values(parameter).remove(0));
            }
            let mut requests = vec![(least.clone(), false)];
            // recipes mean the same for all queries, so they are tried out with one
            let of_recipe = if query["path"] == "/maze" { of_recipe } else { vec![] };
            for parameter in own.iter().chain(&of_recipe) {
                let body_only = parameter["body_only"] == true;
                if body_only && algorithm["masks"] == false {
                    continue;
                }
                for value in values(parameter) {
                    let mut fields = least.clone();
                    add(&mut fields, parameter, value, &all);
                    requests.push((fields, body_only));
                }
            }
            for option in &options {
                for value in [&option["minimum"], &option["default"]].into_iter().filter(|value| !value.is_null()) {
                    let mut fields = least.clone();
                    fields.insert(text(&option["name"]).to_owned(), value.clone());
                    requests.push((fields, false));
                }
            }
            for (fields, body_only) in requests {
                for method in items(&query["methods"]).map(text).filter(|method| !body_only || *method == "POST") {
                    let answer = send(&server.client, method, text(&query["path"]), &fields).await;
                    // rooms have no dead ends, as the error says
                    let expected = if fields.get("kind") == Some(&json!("dead_end")) && algorithm["sides"] == "any" {
                        422
                    } else {
                        200
                    };
                    assert_eq!(answer.status, expected, "{method} {} {fields:?}: {}", query["path"], answer.text());
                    built += 1;
                }
            }
        }
    }
    assert!(built > 1_000, "{built} requests");
}

#[tokio::test]
async fn a_default_of_the_catalogue_is_what_holds_if_the_parameter_is_left_out() {
    let server = Server::start().await;
    let catalogue = server.client.level("/algorithms").await;
    for query in items(&catalogue["queries"]).filter(|query| query["methods"][0] == "GET") {
        let path = text(&query["path"]);
        let mut least = json!({"seed": 7}).as_object().unwrap().clone();
        for parameter in items(&query["parameters"]).filter(|parameter| parameter["required"] == true) {
            least.insert(text(&parameter["name"]).to_owned(), values(parameter).remove(0));
        }
        let short = send(&server.client, "GET", path, &least).await;
        let parameters = items(&catalogue["parameters"]).chain(items(&query["parameters"]));
        for parameter in parameters.filter(|parameter| parameter.get("default_description").is_none()) {
            let default = match text(&parameter["kind"]) {
                "name" => parameter["values"][0].clone(),
                "flag" => json!(false),
                _ if parameter["default"].is_null() => continue,
                _ => parameter["default"].clone(),
            };
            let mut fields = least.clone();
            fields.insert(text(&parameter["name"]).to_owned(), default);
            let long = send(&server.client, "GET", path, &fields).await;
            assert_eq!((long.body, &long.headers["etag"]), (short.body.clone(), &short.headers["etag"]), "{fields:?}");
        }
    }
    for algorithm in items(&catalogue["algorithms"]) {
        let least = json!({"algo": algorithm["name"], "seed": 7, "grid": "none"}).as_object().unwrap().clone();
        let level = send(&server.client, "GET", "/maze", &least).await.json();
        for option in items(&catalogue["options"]).filter(|option| !option["default"].is_null()) {
            if let Some(value) = level["options"].get(text(&option["name"])) {
                assert_eq!(*value, option["default"], "{} of {}", option["name"], algorithm["name"]);
            }
        }
    }
}

#[tokio::test]
async fn the_catalogue_lists_nothing_without_a_choice() {
    let server = Server::start().await;
    let catalogue = server.client.level("/algorithms").await;
    assert_eq!(catalogue.get("formats"), None, "there is one format");
    let queries = items(&catalogue["queries"]).flat_map(|query| items(&query["parameters"]));
    for parameter in queries.chain(items(&catalogue["parameters"])).filter(|parameter| parameter["kind"] == "name") {
        assert!(items(&parameter["values"]).count() > 1, "{parameter}");
    }
    for kind in items(&catalogue["queries"]).flat_map(|query| items(&query["parameters"])) {
        if kind["name"] == "kind" {
            let listed: Vec<_> = items(&catalogue["spawn_kinds"]).map(|row| row["name"].clone()).collect();
            assert_eq!(kind["values"], json!(listed));
        }
    }
    // words stand where no value says the default
    for option in items(&catalogue["options"]) {
        assert_eq!(option["default"].is_null(), option["default_description"].is_string(), "{option}");
    }
}
