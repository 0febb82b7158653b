//! The dependency rule of the house, read off the source: no arrow runs back, the lower floors know no async runtime
//! and no HTTP, and HTTP names no algorithm but reads the tables.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use mazed::level::algorithms::ALGORITHMS;
use mazed::level::solvers::SOLVERS;

/// The modules from the ground up; each may use itself and those below it.
const FLOORS: [&str; 7] = ["level", "render", "config", "telemetry", "service", "healthcheck", "http"];

/// Every source file of a module, with its text without tests.
fn sources(module: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = vec![root.join(module).with_extension("rs")];
    let mut folders = vec![root.join(module)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    let text = |path: &PathBuf| fs::read_to_string(path).unwrap().split("#[cfg(test)]").next().unwrap().to_owned();
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .map(|path| (path.clone(), text(&path)))
        .collect()
}

/// The names that follow `crate::` in `text`, alone or in braces.
fn used(text: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    text.split("crate::")
        .skip(1)
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap().split(',').map(|item| name(item.trim())).collect(),
            None => vec![name(rest)],
        })
        .collect()
}

#[test]
fn no_arrow_runs_back() {
    for (floor, module) in FLOORS.iter().enumerate() {
        let sources = sources(module);
        assert!(!sources.is_empty());
        for (path, text) in sources {
            for name in used(&text).iter().filter(|name| !name.is_empty()) {
                let target = FLOORS.iter().position(|module| module == name);
                assert!(target.is_some_and(|target| target <= floor), "{} uses crate::{name}", path.display());
            }
        }
    }
}

#[test]
fn levels_know_no_runtime_no_clock_and_no_chance() {
    for module in ["level", "render"] {
        for (path, text) in sources(module) {
            for foreign in ["tokio", "axum", "hyper", "std::time", "std::thread", "rand::random", "rand::rng", "SysRng"]
            {
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                assert!(!code.into_iter().any(|line| line.contains(foreign)), "{} knows {foreign}", path.display());
            }
        }
    }
    for module in FLOORS.iter().filter(|module| **module != "http") {
        for (path, text) in sources(module) {
            assert!(!text.contains("axum"), "{} knows axum", path.display());
        }
    }
}

#[test]
fn http_names_no_algorithm_and_no_solver() {
    let names = ALGORITHMS.iter().map(|row| row.name).chain(SOLVERS.iter().map(|row| row.name));
    let quoted: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
    for (path, text) in sources("http") {
        for name in &quoted {
            assert!(!text.contains(name), "{} names {name}", path.display());
        }
    }
}
