//! Bounds that keep the files readable, and numbers that stand in several files and must agree.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of Rust sources; some of them may not exist.
const FOLDERS: [&str; 5] = ["src", "tests", "benches", "examples", "fuzz"];

const MOST_LINES: usize = 450;
const MOST_COLUMNS: usize = 120;
const MOST_README_LINES: usize = 150;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Every Rust file of the project, without the output of builds.
fn rust_files() -> Vec<PathBuf> {
    let mut folders: Vec<_> = FOLDERS.iter().map(|folder| root().join(folder)).filter(|path| path.is_dir()).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn files_are_short_and_lines_are_narrow() {
    let files = rust_files();
    let found: Vec<_> = ["src/main.rs", "tests/house.rs", "benches/speed/main.rs"].map(|file| root().join(file)).into();
    assert!(found.iter().all(|file| files.contains(file)), "the walk misses files");

    let mut long = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let name = file.strip_prefix(root()).unwrap().display();
        let lines = text.lines().count();
        if lines > MOST_LINES {
            long.push(format!("{name}: {lines} lines, at most {MOST_LINES}"));
        }
        for (line, columns) in text.lines().map(|line| line.chars().count()).enumerate() {
            if columns > MOST_COLUMNS {
                long.push(format!("{name}:{}: {columns} columns, at most {MOST_COLUMNS}", line + 1));
            }
        }
    }
    long.sort();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn the_readme_is_short() {
    let lines = fs::read_to_string(root().join("README.md")).unwrap().lines().count();
    assert!(lines <= MOST_README_LINES, "README.md: {lines} lines, at most {MOST_README_LINES}; the rest is for docs/");
}

#[test]
fn every_file_names_the_same_toolchain() {
    let pinned = env!("CARGO_PKG_RUST_VERSION");
    let names = |file: &str, text: &str| {
        let found = fs::read_to_string(root().join(file)).unwrap().lines().any(|line| line == text);
        assert!(found, "{file} has no line `{text}`, as Cargo.toml would have it");
    };
    names("rust-toolchain.toml", &format!("channel = \"{pinned}\""));
    names("Dockerfile", &format!("FROM rust:{pinned}-bookworm AS build"));
    names("Dockerfile", &format!("ENV RUSTUP_TOOLCHAIN={pinned}"));
}
