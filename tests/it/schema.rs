//! Checks responses against `openapi.yaml`: is this one of the responses that the reference declares?

use std::collections::HashMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use crate::api::Answer;

/// Bodies above this many bytes are not checked against their schema: the JSON tree of a largest level would take
/// gigabytes, and a smaller level has the same structure.
const MAX_CHECKED_BODY: usize = 2 << 20;

/// Headers that clients rely on: the service must not send one of them undeclared.
const DECLARED_ONLY: [&str; 6] = ["allow", "cache-control", "cache-status", "content-location", "etag", "retry-after"];

/// The reference in the working tree.
pub(crate) static REFERENCE: LazyLock<Reference> = LazyLock::new(|| {
    let text = fs::read_to_string(file()).unwrap();
    let document: Value = serde_saphyr::from_str(&text).unwrap();
    let strict = strict(&document["components"]["schemas"]);
    Reference { document, strict, text, validators: Mutex::default() }
});

/// The schemas as these tests read them: without fields that they do not name, and with what the reference says in
/// words because generators fail on it as a schema.
fn strict(schemas: &Value) -> Value {
    let mut strict = schemas.clone();
    let all = schemas.as_object().unwrap().values();
    let bases: Vec<_> = all.filter_map(|schema| schema["allOf"][0]["$ref"].as_str()).collect();
    for (name, schema) in strict.as_object_mut().unwrap() {
        // a base has more fields where it is used; `validator` forbids others in the whole
        if schema["properties"].is_object() && !bases.contains(&format!("#/components/schemas/{name}").as_str()) {
            schema["additionalProperties"] = false.into();
        }
    }
    strict["Found"]["const"] = false.into();
    for name in ["Solution", "Path"] {
        strict[name]["oneOf"] = json!([{ "required": ["length"] }, { "required": ["found", "reason"] }]);
    }
    strict["VerifyQuery"]["oneOf"] = json!([{ "required": ["path"] }, { "required": ["moves"] }]);
    let exact = 1_i64 << 53;
    let number = json!({ "type": "integer", "minimum": -exact, "maximum": exact });
    strict["Recipe"]["properties"]["seed"] = json!({ "oneOf": [schemas["Seed"], number] });
    strict
}

/// The file of the reference.
pub(crate) fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("openapi.yaml")
}

pub(crate) struct Reference {
    pub(crate) text: String,
    pub(crate) document: Value,
    /// The strict form of its schemas.
    strict: Value,
    /// A validator for each schema that was needed so far, by the text of the schema.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Reference {
    /// Checks a response against the reference: its status is declared for the route and method, the declared headers
    /// are there with the declared values, and so are content type and body.
    pub(crate) fn check(&self, method: &str, target: &str, answer: &Answer) {
        let path = target.split('?').next().unwrap();
        // HEAD has the headers of GET
        let (expected, response) = self.response(if method == "HEAD" { "GET" } else { method }, path, answer.status);
        let problem = |what: &str| -> ! {
            let body: String = String::from_utf8_lossy(&answer.body).chars().take(2_000).collect();
            panic!("{}: {what}\n{} {:#?}\n{body}", answer.request, answer.status, answer.headers);
        };
        let Some(response) = response else { problem(&format!("the reference has {expected}")) };

        let declared = response["headers"].as_object().cloned().unwrap_or_default();
        for (name, header) in &declared {
            let header = self.resolve(header);
            match answer.headers.get(name) {
                Some(value) => {
                    let text = value.to_str().unwrap_or_else(|_| problem(&format!("{name} is no text")));
                    // a header is text, but its schema may want a number; either may match
                    let number = text.parse::<i64>().map_or(Value::Null, Value::from);
                    let validator = self.validator(&header["schema"]);
                    if !validator.is_valid(&text.into()) && !validator.is_valid(&number) {
                        problem(&format!("{name} is not as declared: {}", header["schema"]));
                    }
                }
                None if header["required"] == true => problem(&format!("{name} is missing")),
                None => {}
            }
        }
        for name in DECLARED_ONLY {
            let known = declared.keys().any(|header| header.eq_ignore_ascii_case(name));
            if answer.headers.contains_key(name) && !known {
                problem(&format!("{name} is not declared"));
            }
        }

        let Some(content) = response["content"].as_object() else {
            if !answer.body.is_empty() {
                problem("no body is declared");
            }
            return;
        };
        let media_type = answer.header("content-type").split(';').next().unwrap();
        let Some(media) = content.get(media_type) else {
            problem(&format!("the content type is not one of {:?}", content.keys().collect::<Vec<_>>()));
        };
        if method == "HEAD" {
            if !answer.body.is_empty() {
                problem("HEAD has a body");
            }
        } else if answer.body.len() <= MAX_CHECKED_BODY {
            let body = if media_type.ends_with("json") { answer.json() } else { answer.text().into() };
            let no_schema = json!({});
            let validator = self.validator(media.get("schema").unwrap_or(&no_schema));
            let errors: Vec<_> = validator
                .iter_errors(&body)
                .map(|error| format!("at {:?} of the body: {error:.300}", error.instance_path().to_string()))
                .collect();
            if !errors.is_empty() {
                problem(&errors.join("\n"));
            }
            if media_type == "application/problem+json" {
                let described = format!("`{}`", body["type"].as_str().unwrap());
                if body["status"] != answer.status || !response["description"].as_str().unwrap().contains(&described) {
                    problem("another type of problem is declared");
                }
            }
        }
    }

    /// Checks the body of a successful request against the reference.
    pub(crate) fn check_body(&self, target: &str, body: &Value) {
        let schema = &self.document["paths"][target]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let validator = self.validator(schema);
        let errors: Vec<_> = validator.iter_errors(body).map(|error| format!("{error:.300}")).collect();
        assert!(errors.is_empty(), "POST {target} was answered, but the reference knows no such body: {errors:#?}");
    }

    /// The declared response. Also, for the message if there is none, what the reference declares instead.
    fn response(&self, method: &str, path: &str, status: u16) -> (String, Option<&Value>) {
        let common = |name: &str, only: u16| {
            let response = &self.document["components"]["responses"][name];
            (format!("only {only} for that"), (status == only).then_some(response))
        };
        let Some(route) = self.document["paths"].get(path) else { return common("NotFound", 404) };
        let Some(operation) = route.get(method.to_ascii_lowercase()) else { return common("MethodNotAllowed", 405) };
        let responses = operation["responses"].as_object().unwrap();
        let response = responses.get(&status.to_string()).map(|response| self.resolve(response));
        (format!("only {:?}", responses.keys().collect::<Vec<_>>()), response)
    }

    /// Follows a `$ref` to another part of the document.
    pub(crate) fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        let Some(reference) = value["$ref"].as_str() else { return value };
        let pointer = reference.strip_prefix('#').expect("references stay inside the document");
        self.document.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"))
    }

    /// A validator of this schema, in which only named fields are allowed. The schema becomes the root of a document
    /// with the strict components, so that each `$ref` finds the strict schema.
    fn validator(&self, schema: &Value) -> Arc<Validator> {
        let key = schema.to_string();
        if let Some(known) = self.validators.lock().unwrap().get(&key) {
            return Arc::clone(known);
        }
        let components = json!({ "schemas": self.strict });
        let root = json!({ "allOf": [schema], "unevaluatedProperties": false, "components": components });
        let compiled = jsonschema::draft202012::new(&root).unwrap_or_else(|error| panic!("{schema}: {error}"));
        Arc::clone(self.validators.lock().unwrap().entry(key).or_insert_with(|| compiled.into()))
    }
}

#[test]
fn what_the_reference_does_not_declare_is_caught() {
    let (target, body) = (
        "/maze?size=5&seed=7&grid=none&solver=none",
        r#"{"algorithm":"kruskal","seed":"7","width":5,"height":5,"options":{},"start":[1,1],"exit":[3,3]}"#,
    );
    let headers = [
        ("content-type", "application/json"),
        ("cache-control", "no-store"),
        ("content-location", "/maze?algo=kruskal&size=5&seed=7"),
        ("cache-status", "mazed; hit"),
        ("vary", "accept, accept-encoding"),
        ("x-request-id", "7"),
    ];
    let caught = |method: &str, target: &str, status: u16, change: (&'static str, &str), body: &str| {
        let mut answer =
            Answer { request: target.to_owned(), status, headers: HeaderMap::new(), body: body.to_owned().into() };
        for (name, value) in headers {
            answer.headers.insert(name, HeaderValue::from_static(value));
        }
        match change {
            ("", _) => {}
            (name, "") => _ = answer.headers.remove(name),
            (name, value) => _ = answer.headers.insert(name, value.parse().unwrap()),
        }
        catch_unwind(AssertUnwindSafe(|| REFERENCE.check(method, target, &answer))).is_err()
    };
    let same = ("", "");
    assert!(!caught("GET", target, 200, same, body));
    assert!(!caught("HEAD", target, 200, same, ""));
    assert!(!caught("GET", target, 200, ("etag", "\"x\""), body));
    for (what, is_caught) in [
        ("a status", caught("GET", target, 202, same, body)),
        ("a method", caught("PUT", target, 200, same, body)),
        ("a path", caught("GET", "/labyrinth", 200, same, body)),
        ("a missing header", caught("GET", target, 200, ("cache-status", ""), body)),
        ("another value", caught("GET", target, 200, ("cache-control", "max-age=1"), body)),
        ("a weak tag", caught("GET", target, 200, ("etag", "W/\"x\""), body)),
        ("another header", caught("GET", target, 200, ("retry-after", "1"), body)),
        ("a content type", caught("GET", target, 200, ("content-type", "text/html"), body)),
        ("a body of HEAD", caught("HEAD", target, 200, same, body)),
        ("a new field", caught("GET", target, 200, same, &body.replace("\"seed\"", "\"new\":1,\"seed\""))),
        ("a new option", caught("GET", target, 200, same, &body.replace("{}", "{\"new\":1}"))),
        ("a missing field", caught("GET", target, 200, same, &body.replace("\"seed\":\"7\",", ""))),
        ("another type", caught("GET", target, 200, same, &body.replace("\"7\"", "7"))),
        ("a tile of three", caught("GET", target, 200, same, &body.replace("[1,1]", "[1,1,1]"))),
    ] {
        assert!(is_caught, "{what} is not caught");
    }
}
