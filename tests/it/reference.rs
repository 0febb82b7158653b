//! `openapi.yaml` says what the code says: routes, names, limits and defaults.

use std::collections::{BTreeMap, BTreeSet};

use mazed::http::ROUTES;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::parameters::options::{OPTIONS, OptionDefault, OptionType};
use mazed::level::queries::solution::{NO_SOLVER, SolutionQuery};
use mazed::level::recipe::{self, BODY_FIELDS, DEFAULT_SIDE, MAX_ROOM_MASK_SIDE, MAX_SIDE, MIN_SIDE};
use mazed::level::rng::Seed;
use mazed::level::solvers::SOLVERS;
use mazed::render::Render;
use serde_json::{Map, Value, json};

use crate::api::Server;
use crate::catalogue::bounds;
use crate::schema::REFERENCE;

fn schema(name: &str) -> &'static Value {
    &REFERENCE.document["components"]["schemas"][name]
}

fn parameter(name: &str) -> &'static Value {
    &REFERENCE.document["components"]["parameters"][name]
}

/// The schema of the values of a parameter.
fn values(name: &str) -> &'static Value {
    REFERENCE.resolve(&parameter(name)["schema"])
}

fn description(name: &str) -> String {
    parameter(name)["description"].as_str().unwrap().replace('\n', " ")
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
        let own = own().into_iter().map(|row| row.name);
        let read: BTreeSet<_> = recipe::parameter_names().into_iter().chain(own).collect();
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
            assert_eq!(fields(body), read.into_iter().chain(BODY_FIELDS).collect(), "POST {}", route.path);
        }
    }
}

#[test]
fn algorithms_and_solvers_are_those_of_the_tables() {
    let algorithms: Vec<_> = ALGORITHMS.iter().map(|row| row.name).collect();
    assert_eq!(values("algo")["enum"], json!(algorithms));
    let description = description("algo");
    assert!(description.contains(&format!("Default: `{}`.", algorithms[0])), "{description}");
    for row in ALGORITHMS {
        assert!(row.aliases.iter().all(|alias| description.contains(&format!("`{alias}`"))), "{}", row.name);
    }

    let solvers: Vec<_> = SOLVERS.iter().map(|row| row.name).collect();
    assert_eq!(values("solver")["enum"], json!(solvers.iter().copied().chain([NO_SOLVER]).collect::<Vec<_>>()));
    assert_eq!(values("solver")["default"], solvers[0]);
    assert_eq!(schema("Solver")["enum"], json!(solvers));
}

#[test]
fn options_are_those_of_the_table() {
    let answered = schema("Options")["properties"].as_object().unwrap();
    let names: BTreeSet<_> = answered.keys().map(String::as_str).collect();
    assert_eq!(names, OPTIONS.iter().map(|row| row.name).collect());
    for row in &OPTIONS {
        let kind = if row.kind == OptionType::Count { "integer" } else { "number" };
        let (minimum, maximum) = bounds(row.kind);
        assert_eq!(answered[row.name], parameter(row.name)["schema"], "{}", row.name);
        let values = values(row.name);
        assert_eq!(values["type"], kind, "{}", row.name);
        assert_eq!(values["minimum"].as_f64(), minimum.as_f64(), "{}", row.name);
        assert_eq!(values["maximum"].as_f64(), maximum.as_f64(), "{}", row.name);
        // no algorithm takes every option, and generated clients send every default that a schema has
        assert_eq!(values["default"], Value::Null, "{}", row.name);
        let description = description(row.name);
        let default = match row.default {
            OptionDefault::Value(value) => row.kind.format(value),
            OptionDefault::Computed { summary, .. } => summary.to_owned(),
        };
        assert!(description.contains(&format!("Default: {default}")), "{}: {description}", row.name);
    }
}

#[tokio::test]
async fn limits_forms_and_defaults_are_those_of_the_catalogue() {
    let catalogue = Server::start().await.client.level("/algorithms").await;
    for name in ["size", "width", "height"] {
        assert_eq!(values(name)["minimum"], catalogue["limits"]["min_side"], "{name}");
        assert_eq!(values(name)["maximum"], catalogue["limits"]["max_side"], "{name}");
    }
    for name in ["solver", "grid", "path"] {
        assert_eq!(values(name)["default"], catalogue["defaults"][name], "{name}");
    }
    // a mask replaces the size, `Accept` may choose the format: no client must send these without being told to
    for name in ["algo", "size", "openings", "format"] {
        assert_eq!(values(name)["default"], Value::Null, "{name}");
    }
    assert!(description("size").contains(&format!("Default: {}.", catalogue["defaults"]["size"])));
    let format = SolutionQuery::FORMATS[0].name;
    assert!(description("format").contains(&format!("without that it is `{format}`")));
    for limit in ["minItems", "maxItems"].iter().zip(["min_side", "max_side"]) {
        assert_eq!(schema("Mask")[limit.0], catalogue["limits"][limit.1]);
    }
    // a mask for rooms has a limit of its own, which no schema can tell from that of a mask for a maze
    let mask = schema("Mask")["description"].as_str().unwrap().replace('\n', " ");
    let most = &catalogue["limits"]["max_room_mask_side"];
    assert!(mask.contains(&format!("leaves tiles out are at most {most}")), "{mask}");
    let limits = &schema("Limits")["properties"];
    for (name, most) in [("max_side", MAX_SIDE), ("max_room_mask_side", MAX_ROOM_MASK_SIDE)] {
        assert_eq!((&limits[name]["minimum"], &limits[name]["maximum"]), (&json!(MIN_SIDE), &json!(most)), "{name}");
    }
    for (name, forms) in [("grid", "grids"), ("path", "paths")] {
        assert_eq!(json!(names(&catalogue[forms])), values(name)["enum"], "{name}");
    }
    assert_eq!(values("size")["minimum"], MIN_SIDE);
    assert_eq!(catalogue["defaults"]["size"], DEFAULT_SIDE);
    assert_eq!(schema("LevelHead")["properties"]["seed"]["maxLength"], Seed::MAX_CHARS);
    assert!(description("seed").contains(&format!("1 to {} Unicode", Seed::MAX_CHARS)));
}

#[tokio::test]
async fn the_service_hands_out_this_very_reference() {
    let server = Server::start().await;
    assert_eq!(server.client.get("/openapi.yaml").await.text(), REFERENCE.text);
    assert_eq!(server.client.get("/openapi.json").await.json(), REFERENCE.document);
}

/// Calls `visit` with each object of the document and the JSON pointer to it.
fn for_each_object(value: &Value, at: &str, visit: &mut impl FnMut(&str, &Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            visit(at, fields);
            for (name, field) in fields.iter().filter(|(name, _)| !["example", "examples"].contains(&name.as_str())) {
                for_each_object(field, &format!("{at}/{name}"), visit);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                for_each_object(item, &format!("{at}/{index}"), visit);
            }
        }
        _ => {}
    }
}

#[test]
fn every_reference_leads_to_a_component_and_every_component_is_used() {
    let mut found = BTreeSet::new();
    for_each_object(&REFERENCE.document, "", &mut |at, fields| {
        let Some(reference) = fields.get("$ref") else { return };
        let reference = reference.as_str().unwrap();
        // generators make a type of each component, and of nothing inside one
        let component = reference.strip_prefix("#/components/").and_then(|path| path.split_once('/'));
        assert!(component.is_some_and(|(_, name)| !name.contains('/')), "{at}: {reference}");
        assert!(REFERENCE.document.pointer(&reference[1..]).is_some(), "{at}: {reference}");
        assert_eq!(fields.len(), 1, "{at}: generators ignore what stands beside $ref");
        found.insert(reference.to_owned());
    });
    for (kind, components) in REFERENCE.document["components"].as_object().unwrap() {
        for name in components.as_object().unwrap().keys() {
            assert!(found.contains(&format!("#/components/{kind}/{name}")), "{kind}/{name} is unused");
        }
    }
}

/// Parameters and fields of bodies refer to schemas by name, so that a generator makes one type of each.
#[test]
fn every_value_that_a_client_sends_is_a_component() {
    for (name, parameter) in REFERENCE.document["components"]["parameters"].as_object().unwrap() {
        assert!(parameter["schema"]["$ref"].is_string(), "{name}");
    }
    for (name, schema) in REFERENCE.document["components"]["schemas"].as_object().unwrap() {
        let is_body = name == "Recipe" || name.ends_with("Query");
        let own = schema["allOf"].as_array().and_then(|parts| parts.last()).unwrap_or(schema);
        for (field, schema) in own["properties"].as_object().into_iter().flatten().filter(|_| is_body) {
            assert!(schema["$ref"].is_string(), "{name}: {field}");
        }
    }
}

/// Each of these made a generator fail, or write a client that does not compile or cannot read an answer.
#[test]
fn no_schema_has_a_shape_that_breaks_generators() {
    let schemas = &REFERENCE.document["components"]["schemas"];
    assert_eq!(schemas["Head"], Value::Null, "Head is the name of a method");
    assert_eq!(REFERENCE.document["security"], json!([]));
    for_each_object(schemas, "", &mut |at, fields| {
        let field = |name: &str| fields.get(name).unwrap_or(&Value::Null);
        if fields.contains_key("allOf") {
            let parts = field("allOf").as_array().unwrap();
            let well_formed = parts.len() == 2 && parts[0]["$ref"].is_string() && parts[1]["type"] == "object";
            assert!(well_formed, "{at}: allOf must be a base and one object");
            assert!(!fields.contains_key("properties") && !fields.contains_key("required"), "{at}: beside allOf");
        }
        if field("type") == "array" {
            assert!(fields.contains_key("items"), "{at}: an array without items");
            assert!(field("items").get("enum").is_none(), "{at}: an enum as items");
        }
        if field("type") == "number" {
            assert_eq!(field("format"), "double", "{at}: some generators take a number for one of 32 bits");
        }
        assert!(!fields.contains_key("const"), "{at}: const");
        assert!(!fields.contains_key("enum") || field("type") == "string", "{at}: an enum of something else than text");
        for alternative in field("oneOf").as_array().into_iter().flatten() {
            assert_ne!(REFERENCE.resolve(alternative)["type"], "object", "{at}: objects told apart by their fields");
            assert!(alternative.get("required").is_none(), "{at}: alternatives of required fields");
        }
        let is_named = at.matches('/').count() == 1 || at.ends_with("/allOf/1");
        assert!(
            !fields.contains_key("properties") || is_named,
            "{at}: generators would make up a name for this object"
        );
        // a client that refuses unknown fields would break when a later version adds one
        assert!(!fields.contains_key("additionalProperties"), "{at}: additionalProperties");
        assert!(!fields.contains_key("unevaluatedProperties"), "{at}: unevaluatedProperties");
    });
}

#[test]
fn every_operation_declares_what_every_request_may_get() {
    for (path, item) in REFERENCE.document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = &operation["responses"];
            if method == "head" {
                // a client that expected a body here would fail to read it
                for response in responses.as_object().unwrap().values() {
                    assert!(REFERENCE.resolve(response)["content"].is_null(), "HEAD {path}");
                }
                assert!(responses["4XX"].is_object(), "HEAD {path}");
                continue;
            }
            for status in ["404", "405", "413", "414"] {
                assert!(responses[status].is_object(), "{method} {path}: {status}");
            }
        }
    }
}

#[test]
fn each_anchor_is_set_once() {
    // YAML allows a second one of the same name, but some parsers warn of it
    let mut seen = BTreeSet::new();
    for anchor in REFERENCE.text.lines().filter_map(|line| line.split_once(": &")?.1.split(' ').next()) {
        assert!(seen.insert(anchor), "&{anchor} twice");
    }
    assert!(seen.contains("Algorithm"));
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
