//! The catalogue lists what the tables of the code list.

use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::LevelKind;
use mazed::level::parameters::options::{MAX_COUNT, OPTIONS, OptionDefault, OptionType};
use mazed::level::recipe::{DEFAULT_ROOM_MASK_SIDE, DEFAULT_SIDE, MIN_SIDE};
use mazed::level::rng::Seed;
use mazed::level::solvers::SOLVERS;
use serde_json::{Value, json};

use crate::api::Server;

/// The least and the largest value of an option.
pub(crate) fn bounds(kind: OptionType) -> (Value, Value) {
    let number = |value| serde_json::from_str(&kind.format(value)).unwrap();
    match kind {
        OptionType::Count => (number(1), number(MAX_COUNT)),
        OptionType::Fraction { max } => (number(0), number(max)),
    }
}

async fn catalogue(flags: &[&str]) -> Value {
    Server::start_with(flags).await.client.level("/algorithms").await
}

#[tokio::test]
async fn algorithms_options_and_solvers_are_those_of_the_tables() {
    let catalogue = catalogue(&[]).await;
    let algorithms: Vec<_> = ALGORITHMS
        .iter()
        .map(|row| {
            let options: Vec<_> = row.options.iter().map(|option| option.row().name).collect();
            json!({
                "name": row.name,
                "aliases": row.aliases,
                "summary": row.summary,
                "character": row.character,
                "source": row.source,
                "revision": row.revision,
                "sides": if row.kind == LevelKind::Maze { "odd" } else { "any" },
                "masks": row.masks,
                "options": options,
            })
        })
        .collect();
    assert_eq!(catalogue["algorithms"], json!(algorithms));

    assert_eq!(catalogue["options"].as_array().unwrap().len(), OPTIONS.len());
    for (row, option) in OPTIONS.iter().zip(catalogue["options"].as_array().unwrap()) {
        assert_eq!(option["name"], row.name);
        assert_eq!(option["summary"], row.summary);
        let (minimum, maximum) = bounds(row.kind);
        match row.default {
            OptionDefault::Value(value) => {
                assert_eq!(option["default"].to_string(), row.kind.format(value), "{}", row.name);
                assert_eq!(option.get("default_description"), None, "{}", row.name);
            }
            OptionDefault::Computed { summary, .. } => {
                assert_eq!((&option["default"], &option["default_description"]), (&Value::Null, &json!(summary)));
            }
        }
        assert_eq!(option["kind"], if row.kind == OptionType::Count { "integer" } else { "fraction" });
        assert_eq!(option["minimum"].as_f64(), minimum.as_f64());
        assert_eq!(option["maximum"].as_f64(), maximum.as_f64());
    }

    let solvers: Vec<_> = SOLVERS
        .iter()
        .map(|row| {
            json!({ "name": row.name, "summary": row.summary, "shortest": row.shortest, "revision": row.revision })
        })
        .collect();
    assert_eq!(catalogue["solvers"], json!(solvers));
}

#[tokio::test]
async fn limits_and_defaults_are_those_of_the_service() {
    let catalogue = catalogue(&[]).await;
    let limits = json!({
        "min_side": MIN_SIDE,
        "max_side": 4001,
        "max_room_mask_side": DEFAULT_ROOM_MASK_SIDE,
        "max_seed_characters": Seed::MAX_CHARS,
        "max_answer_bytes": 64 << 20,
        "max_url_bytes": 4096,
        "max_body_bytes": 2 << 20,
    });
    assert_eq!(catalogue["limits"], limits);
    let defaults = json!({
        "algo": ALGORITHMS[0].name,
        "size": DEFAULT_SIDE,
        "solver": SOLVERS[0].name,
        "grid": "matrix",
        "path": "points",
    });
    assert_eq!(catalogue["defaults"], defaults);
}

#[tokio::test]
async fn limits_follow_the_settings() {
    let catalogue = catalogue(&["--max-side", "401", "--max-room-mask-side", "40"]).await;
    assert_eq!(catalogue["limits"]["max_side"], 401);
    assert_eq!(catalogue["limits"]["max_room_mask_side"], 40);
}

#[tokio::test]
async fn a_request_without_parameters_is_one_with_all_the_defaults() {
    let server = Server::start().await;
    let defaults = server.client.level("/algorithms").await["defaults"].take();
    let text = |name: &str| defaults[name].to_string().replace('"', "");
    let query = ["algo", "size", "solver", "grid", "path"].map(|name| format!("{name}={}", text(name))).join("&");
    let short = server.client.get("/maze?seed=7").await;
    let long = server.client.get(&format!("/maze?seed=7&{query}")).await;
    assert_eq!(long.body, short.body);
    assert_eq!(long.header("etag"), short.header("etag"));
}

#[tokio::test]
async fn every_name_and_alias_is_accepted_with_hyphens_too() {
    let server = Server::start().await;
    for row in ALGORITHMS {
        for name in row.aliases.iter().chain([&row.name]) {
            for written in [(*name).to_owned(), name.replace('_', "-")] {
                let level = server.client.level(&format!("/maze?algo={written}&size=5&seed=7")).await;
                assert_eq!(level["algorithm"], row.name, "{written}");
            }
        }
    }
    for row in SOLVERS {
        let written = row.name.replace('_', "-");
        let level = server.client.level(&format!("/maze?size=5&seed=7&solver={written}")).await;
        assert_eq!(level["solution"]["solver"], row.name);
    }
}

#[tokio::test]
async fn every_form_of_the_catalogue_is_accepted() {
    let server = Server::start().await;
    let catalogue = server.client.level("/algorithms").await;
    for (parameter, field) in [("grid", "grids"), ("path", "paths")] {
        for form in catalogue[field].as_array().unwrap() {
            let name = form["name"].as_str().unwrap();
            server.client.level(&format!("/maze?size=5&seed=7&{parameter}={name}")).await;
        }
    }
}
