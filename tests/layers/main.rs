//! The dependency rule, read off the source: no module uses one of a higher layer, no modules use each other in a
//! circle, the lower layers know no async runtime and no HTTP, and HTTP names no algorithm but reads the tables.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod drawing;
mod graph;
mod planted;
mod reader;
mod rules;
mod source;
mod tokens;

use std::path::{Path, PathBuf};
use std::{env, fs};

use graph::{Graph, name_of};
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::solvers::SOLVERS;
use source::{Binding, Source};

/// The modules from the ground up; each may use itself and those below it.
const LAYERS: [&str; 7] = ["level", "render", "config", "telemetry", "service", "healthcheck", "http"];

/// What pure code must not know: runtimes, HTTP, clocks, threads, the world outside and random numbers without a seed.
const IMPURE: [&str; 14] = [
    "tokio",
    "axum",
    "hyper",
    "std::time",
    "std::thread",
    "std::net",
    "std::fs",
    "std::env",
    "rand::random",
    "rand::rng",
    "rand::make_rng",
    "rand::prelude",
    "ThreadRng",
    "SysRng",
];

/// The lines between which the graph stands in the docs.
const MARKS: [&str; 2] = ["<!-- module graph -->\n", "<!-- end of module graph -->\n"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn source() -> Source {
    Source::read(&source::files_in(&root().join("src")))
}

#[test]
fn no_arrow_runs_back() {
    let back = rules::arrows_back(&Graph::of(&source()), &LAYERS);
    assert!(back.is_empty(), "{}", back.join("\n"));
}

#[test]
fn no_modules_form_a_circle() {
    let circles = rules::describe_circles(&Graph::of(&source()));
    assert!(circles.is_empty(), "{circles}");
}

#[test]
fn every_module_is_used() {
    let source = source();
    let graph = Graph::of(&source);
    let within = |path: &[String], module: &[String]| path.starts_with(module);
    // a module that only implements traits has no names that others could use
    let named = source.modules.iter().filter(|(path, module)| {
        let names = module.names.values().flatten();
        names.into_iter().any(|name| matches!(name, Binding::Item { scope } if scope != *path))
    });
    let named = named.map(|(path, _)| path);
    for module in named.filter(|module| !module.is_empty() && **module != ["main"]) {
        let used = graph.arrows.iter().any(|arrow| within(&arrow.to, module) && !within(&arrow.from, module));
        assert!(used, "nothing uses {}, or the reader of the source does not see it", name_of(module));
    }
}

#[test]
fn levels_know_no_runtime_no_clock_and_no_chance() {
    let graph = Graph::of(&source());
    let mut uses = rules::foreign_uses(&graph, "level", &IMPURE);
    uses.extend(rules::foreign_uses(&graph, "render", &IMPURE));
    for layer in LAYERS.into_iter().filter(|layer| *layer != "http") {
        uses.extend(rules::foreign_uses(&graph, layer, &["axum"]));
    }
    assert!(uses.is_empty(), "{}", uses.join("\n"));
    assert!(!rules::foreign_uses(&graph, "http", &["axum"]).is_empty(), "the reader sees what http knows");
}

#[test]
fn http_names_no_algorithm_and_no_solver() {
    let names = ALGORITHMS.iter().map(|row| row.name).chain(SOLVERS.iter().map(|row| row.name));
    let names: Vec<_> = names.collect();
    let source = source();
    let http = source.modules.iter().filter(|(path, _)| path.first().is_some_and(|first| first == "http"));
    for (text, line, file) in http.flat_map(|(_, module)| module.texts.iter().map(|(t, l)| (t, l, &module.file))) {
        assert!(!names.contains(&text.as_str()), "src/{file}:{line} names {text}");
    }
}

#[test]
fn the_module_graph_stands_in_the_docs() {
    let graph = format!("```text\n{}```\n", drawing::draw(&Graph::of(&source())));
    println!("{graph}");
    let file = root().join("docs/development.md");
    let text = fs::read_to_string(&file).unwrap();
    let (before, rest) = text.split_once(MARKS[0]).unwrap();
    let (shown, after) = rest.split_once(MARKS[1]).unwrap();
    if env::var_os("MAZED_BLESS").is_some_and(|value| value == "1") {
        fs::write(&file, [before, MARKS[0], &graph, MARKS[1], after].concat()).unwrap();
    } else {
        assert_eq!(shown, graph, "`MAZED_BLESS=1 cargo test --test layers graph` writes it anew");
    }
}
