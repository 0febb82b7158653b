//! The tables of the pages are those of the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use clap::CommandFactory;
use mazed::config::Settings;
use mazed::http::ROUTES;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::parameters::options::OPTIONS;
use mazed::level::solvers::SOLVERS;
use serde_json::Value;

use super::{Page, root};
use crate::api::Server;
use crate::schema::REFERENCE;

/// The names in the first cells of a page that have this form.
fn first_cells(page: &Page, is_name: impl Fn(&str) -> bool) -> BTreeSet<&str> {
    let cells = page.rows().into_iter().map(|row| row[0]);
    cells.filter_map(|cell| cell.split('`').nth(1)).filter(|name| is_name(name)).collect()
}

#[test]
fn every_setting_has_a_row_with_its_default() {
    let (readme, operations) = (Page::read("README.md"), Page::read("docs/operations.md"));
    let is_setting = |name: &str| name.starts_with("MAZED_");
    let chosen = first_cells(&readme, is_setting);
    assert_eq!(chosen.len(), 5, "the settings that people change: {chosen:?}");
    let mut known = BTreeSet::new();
    let command = Settings::command();
    for argument in command.get_arguments() {
        let Some(variable) = argument.get_env().and_then(|name| name.to_str()) else { continue };
        known.insert(variable);
        let default = argument.get_default_values()[0].to_str().unwrap();
        assert_eq!(operations.row(variable)[1], default, "{variable}");
        if chosen.contains(variable) {
            assert_eq!(readme.row(variable)[1], default, "{variable}");
        }
    }
    assert_eq!(first_cells(&operations, is_setting), known);
    assert!(chosen.is_subset(&known), "{chosen:?}");
}

#[test]
fn every_algorithm_option_and_solver_has_a_row() {
    let (readme, api, algorithms) =
        (Page::read("README.md"), Page::read("docs/api.md"), Page::read("docs/algorithms.md"));
    for algorithm in ALGORITHMS {
        readme.row(algorithm.name);
        let row = algorithms.row(algorithm.name);
        assert_eq!(row[3], if algorithm.masks { "yes" } else { "no" }, "{}", algorithm.name);
        assert!(algorithm.aliases.iter().all(|alias| row[0].contains(&format!("`{alias}`"))), "{}", algorithm.name);
    }
    for option in &OPTIONS {
        api.row(option.name);
    }
    let solvers = api.row("solver")[1];
    for solver in SOLVERS {
        assert!(solvers.contains(&format!("`{}`", solver.name)), "{}", solver.name);
        let row = algorithms.row(solver.name);
        assert!(!solver.shortest || row[1].contains("shortest") || row[1].contains("`bfs`"), "{}", solver.name);
    }
}

#[test]
fn every_route_has_a_row_with_its_methods() {
    let readme = Page::read("README.md");
    let mut rows = BTreeMap::<_, BTreeSet<_>>::new();
    for row in readme.rows() {
        // such as "`GET`, `POST /maze`": methods, and the path behind the last of them
        let mut methods = Vec::new();
        for word in row[0].split('`').skip(1).step_by(2) {
            let (method, path) = word.split_once(' ').unwrap_or((word, ""));
            methods.push(method.to_owned());
            if path.starts_with('/') {
                rows.entry(path.to_owned()).or_default().extend(std::mem::take(&mut methods));
            }
        }
    }
    // HEAD works wherever GET does
    let methods = |route: &mazed::http::Route| {
        route.methods.iter().filter(|method| **method != "HEAD").map(ToString::to_string).collect()
    };
    let routes: BTreeMap<_, BTreeSet<_>> = ROUTES.iter().map(|route| (route.path.to_owned(), methods(route))).collect();
    assert_eq!(rows, routes);
}

#[test]
fn every_query_has_a_row_with_its_parameters() {
    let api = Page::read("docs/api.md");
    for route in ROUTES {
        let Some(parameters) = route.parameters else { continue };
        for name in parameters().iter().map(|row| row.name) {
            // the format is a parameter of every query, which the table of levels explains
            if route.path == "/maze" || name == "format" {
                api.row(name);
            } else {
                assert!(api.row(route.path)[1].contains(&format!("`{name}`")), "{name} of {}", route.path);
            }
        }
    }
}

#[test]
fn every_problem_type_has_a_row_with_its_status() {
    let api = Page::read("docs/api.md");
    let types = &REFERENCE.document["components"]["schemas"]["ProblemType"]["enum"];
    let types: BTreeSet<_> = types.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(first_cells(&api, |name| name.starts_with("urn:")), types);
    let paths = REFERENCE.document["paths"].as_object().unwrap().values();
    let responses: Vec<_> =
        paths.flat_map(|path| path.as_object().unwrap().values()).map(|operation| &operation["responses"]).collect();
    for name in types {
        let status = api.row(name)[1];
        let states = |responses: &&Value| {
            let description = REFERENCE.resolve(&responses[status])["description"].as_str();
            description.is_some_and(|text| text.contains(&format!("`{name}`")))
        };
        assert!(responses.iter().any(states), "{name} is not {status}");
    }
}

#[tokio::test]
async fn every_metric_has_a_row_with_its_type() {
    let server = Server::start().await;
    // one request is counted before the metrics are written
    server.client.level("/maze?size=5&seed=7").await;
    let text = server.client.get("/metrics").await.text();
    let metrics: BTreeMap<_, _> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' ')).collect();
    let operations = Page::read("docs/operations.md");
    let is_metric = |name: &&str| name.starts_with("mazed_") || name.starts_with("process_");
    let mut documented: BTreeMap<_, _> = BTreeMap::new();
    for row in operations.rows() {
        // a gauge, and in the last cell perhaps its limit, which is a gauge too
        for cell in [row.first(), row.get(3)].into_iter().flatten() {
            documented.extend(cell.split('`').nth(1).filter(is_metric).map(|name| (name, row[1])));
        }
    }
    assert_eq!(documented, metrics);
}

#[test]
fn every_log_field_has_a_row() {
    let code = fs::read_to_string(root().join("src/http/access_log.rs")).unwrap();
    let (_, fields) = code.split_once("tracing::$level!(").unwrap();
    let (fields, _) = fields.split_once("\"request\"").unwrap();
    let names = fields.lines().map(|line| line.trim().trim_end_matches(',').split(" = ").next().unwrap());
    let operations = Page::read("docs/operations.md");
    let rows = operations.rows();
    let table = rows.iter().skip_while(|row| row[0] != "log field").skip(2).map(|row| row[0].trim_matches('`'));
    let listed: Vec<_> = table.take(names.clone().filter(|name| !name.is_empty()).count()).collect();
    assert_eq!(listed, names.filter(|name| !name.is_empty()).collect::<Vec<_>>());
    assert_eq!(listed.last(), Some(&"work_seconds"));
}
