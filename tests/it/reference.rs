//! `openapi.yaml` says what the code says: routes, names, limits and defaults.

use std::collections::{BTreeMap, BTreeSet};

use mazed::http::ROUTES;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::parameters::options::{OPTIONS, OptionType};
use mazed::level::queries::solution::NO_SOLVER;
use mazed::level::recipe::{DEFAULT_SIDE, MASK, MAX_ROOM_MASK_SIDE, MAX_SIDE, MIN_SIDE, PARAMETERS};
use mazed::level::rng::Seed;
use mazed::level::solvers::SOLVERS;
use serde_json::{Value, json};

use crate::api::Server;
use crate::catalogue::bounds;
use crate::schema::REFERENCE;

fn schema(name: &str) -> &'static Value {
    &REFERENCE.document["components"]["schemas"][name]
}

fn parameter(name: &str) -> &'static Value {
    &REFERENCE.document["components"]["parameters"][name]
}

fn names(entries: &Value) -> Vec<&Value> {
    entries.as_array().unwrap().iter().map(|entry| &entry["name"]).collect()
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(REFERENCE.document["info"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn routes_and_methods_are_those_of_the_router() {
    let documented: BTreeMap<_, BTreeSet<_>> = REFERENCE.document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(path, item)| {
            let methods = item.as_object().unwrap().keys().filter(|key| *key != "parameters");
            (path.clone(), methods.map(|method| method.to_ascii_uppercase()).collect())
        })
        .collect();
    let routed: BTreeMap<_, BTreeSet<_>> = ROUTES
        .iter()
        .map(|route| (route.path.to_owned(), route.methods.iter().map(ToString::to_string).collect()))
        .collect();
    assert_eq!(documented, routed);
}

/// The names of the fields of a schema, those of the schemas that it builds on included.
fn fields(schema: &'static Value) -> BTreeSet<&'static str> {
    let schema = REFERENCE.resolve(schema);
    let own = schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys().map(String::as_str));
    let base = schema["allOf"].as_array().into_iter().flatten().flat_map(fields);
    own.chain(base).collect()
}

#[test]
fn the_parameters_of_each_query_are_those_that_the_code_reads() {
    for route in ROUTES {
        let Some(own) = route.parameters else { continue };
        let options = OPTIONS.iter().map(|row| row.name);
        let read: BTreeSet<_> = PARAMETERS.into_iter().chain(options).chain(own()).collect();
        let path = &REFERENCE.document["paths"][route.path];
        for method in ["get", "head"].iter().filter(|method| path[*method].is_object()) {
            let documented: BTreeSet<_> = path[*method]["parameters"]
                .as_array()
                .unwrap()
                .iter()
                .map(|parameter| REFERENCE.resolve(parameter))
                .filter(|parameter| parameter["in"] == "query")
                .map(|parameter| parameter["name"].as_str().unwrap())
                .collect();
            assert_eq!(documented, read, "{method} {}", route.path);
        }
        if path["post"].is_object() {
            let body = &path["post"]["requestBody"]["content"]["application/json"]["schema"];
            assert_eq!(fields(body), read.into_iter().chain([MASK]).collect(), "POST {}", route.path);
        }
    }
}

#[test]
fn algorithms_and_solvers_are_those_of_the_tables() {
    let algorithms: Vec<_> = ALGORITHMS.iter().map(|row| row.name).collect();
    let algo = &parameter("algo")["schema"];
    assert_eq!(algo["enum"], json!(algorithms));
    assert_eq!(algo["default"], algorithms[0]);
    let description = parameter("algo")["description"].as_str().unwrap();
    for row in ALGORITHMS {
        assert!(row.aliases.iter().all(|alias| description.contains(&format!("`{alias}`"))), "{}", row.name);
    }

    let solvers: Vec<_> = SOLVERS.iter().map(|row| row.name).collect();
    let solver = &parameter("solver")["schema"];
    assert_eq!(solver["enum"], json!(solvers.iter().copied().chain([NO_SOLVER]).collect::<Vec<_>>()));
    assert_eq!(solver["default"], solvers[0]);
    for name in ["Solution", "NoSolution"] {
        assert_eq!(schema(name)["properties"]["solver"]["enum"], json!(solvers), "{name}");
    }
}

#[test]
fn options_are_those_of_the_table() {
    let answered = schema("Options")["properties"].as_object().unwrap();
    let names: BTreeSet<_> = answered.keys().map(String::as_str).collect();
    assert_eq!(names, OPTIONS.iter().map(|row| row.name).collect());
    for row in &OPTIONS {
        let kind = if row.kind == OptionType::Count { "integer" } else { "number" };
        let (minimum, maximum) = bounds(row.kind);
        for schema in [&parameter(row.name)["schema"], &answered[row.name]] {
            assert_eq!(schema["type"], kind, "{}", row.name);
            assert_eq!(schema["minimum"].as_f64(), minimum.as_f64(), "{}", row.name);
            assert_eq!(schema["maximum"].as_f64(), maximum.as_f64(), "{}", row.name);
        }
        // a default is a number in the schema or, where it depends on the level, words in the description
        match &parameter(row.name)["schema"]["default"] {
            Value::Null => {
                let description = parameter(row.name)["description"].as_str().unwrap().replace('\n', " ");
                assert!(description.contains(row.default_summary), "{}: {description}", row.name);
            }
            default => assert_eq!(default.to_string(), row.default_summary, "{}", row.name),
        }
    }
}

#[tokio::test]
async fn limits_forms_and_defaults_are_those_of_the_catalogue() {
    let catalogue = Server::start().await.client.level("/algorithms").await;
    for name in ["size", "width", "height"] {
        assert_eq!(parameter(name)["schema"]["minimum"], catalogue["limits"]["min_side"], "{name}");
        assert_eq!(parameter(name)["schema"]["maximum"], catalogue["limits"]["max_side"], "{name}");
    }
    for name in ["algo", "size", "solver", "grid", "path"] {
        assert_eq!(parameter(name)["schema"]["default"], catalogue["defaults"][name], "{name}");
    }
    for limit in ["minItems", "maxItems"].iter().zip(["min_side", "max_side"]) {
        assert_eq!(schema("Recipe")["properties"]["mask"][limit.0], catalogue["limits"][limit.1]);
    }
    // a mask for rooms has a limit of its own, which no schema can tell from that of a mask for a maze
    let mask = schema("Recipe")["properties"]["mask"]["description"].as_str().unwrap().replace('\n', " ");
    let most = &catalogue["limits"]["max_room_mask_side"];
    assert!(mask.contains(&format!("leaves tiles out are at most {most}")), "{mask}");
    let limits = &schema("Catalogue")["properties"]["limits"]["properties"];
    for (name, most) in [("max_side", MAX_SIDE), ("max_room_mask_side", MAX_ROOM_MASK_SIDE)] {
        assert_eq!((&limits[name]["minimum"], &limits[name]["maximum"]), (&json!(MIN_SIDE), &json!(most)), "{name}");
    }
    for (name, forms) in [("grid", "grids"), ("path", "paths")] {
        assert_eq!(json!(names(&catalogue[forms])), parameter(name)["schema"]["enum"], "{name}");
    }
    assert_eq!(parameter("size")["schema"]["minimum"], MIN_SIDE);
    assert_eq!(parameter("size")["schema"]["default"], DEFAULT_SIDE);
    assert_eq!(schema("Head")["properties"]["seed"]["maxLength"], Seed::MAX_CHARS);
    assert!(parameter("seed")["description"].as_str().unwrap().contains(&format!("1 to {} Unicode", Seed::MAX_CHARS)));
}

#[tokio::test]
async fn the_service_hands_out_this_very_reference() {
    let server = Server::start().await;
    assert_eq!(server.client.get("/openapi.yaml").await.text(), REFERENCE.text);
    assert_eq!(server.client.get("/openapi.json").await.json(), REFERENCE.document);
}

#[test]
fn every_reference_leads_somewhere_and_every_component_is_used() {
    fn collect<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(reference)) = fields.get("$ref") {
                    found.insert(reference);
                }
                fields.values().for_each(|value| collect(value, found));
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    collect(&REFERENCE.document, &mut found);
    for reference in &found {
        assert!(REFERENCE.document.pointer(&reference[1..]).is_some(), "{reference}");
    }
    for (kind, components) in REFERENCE.document["components"].as_object().unwrap() {
        for name in components.as_object().unwrap().keys() {
            // no route refers to these: every other path, method or body gets them
            let common = ["NotFound", "MethodNotAllowed", "BodyTooLarge"].contains(&name.as_str());
            assert!(
                common || found.contains(format!("#/components/{kind}/{name}").as_str()),
                "{kind}/{name} is unused"
            );
        }
    }
}

#[test]
fn operations_have_names_of_their_own() {
    let mut seen = BTreeSet::new();
    for item in REFERENCE.document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values().filter_map(|operation| operation["operationId"].as_str()) {
            assert!(seen.insert(operation), "{operation} twice");
        }
    }
}
