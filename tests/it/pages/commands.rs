//! Every command that a page tells its reader to type is run somewhere.

use std::collections::BTreeSet;
use std::fs;

use super::{pages, root};

/// A command, the file that runs it, and the text in this file by which it is run.
const COMMANDS: [(&str, &str, &str); 21] = [
    ("cargo run --release", ".ci/first-steps", "cargo run --release"),
    // what the image's build runs, and what the image contains; CI has no Docker
    (
        "docker build --tag mazed . && docker run --publish 8080:8080 mazed",
        ".ci/run",
        "step .ci/build-static \"$static/mazed\"\nstep .ci/chroot-test \"$static/mazed\"",
    ),
    ("mazed --help", "tests/it/help.rs", "\"--help\""),
    ("mazed healthcheck", "tests/it/server.rs", "healthcheck"),
    ("cargo test", ".ci/run", "step cargo test --locked\n"),
    ("cargo test --lib", ".ci/run", "step cargo test --locked\n"),
    ("cargo test --test golden --test layers", ".ci/run", "step cargo test --locked\n"),
    ("cargo test --test it", ".ci/run", "step cargo test --locked\n"),
    ("cargo test --test layers graph -- --nocapture", "tests/layers/main.rs", "the_module_graph_stands_in_the_docs"),
    ("MAZED_BLESS=1 cargo test", "tests/golden.rs", "MAZED_BLESS"),
    (".ci/run", ".ci/run", "all is well"),
    ("cargo bench --bench speed", ".ci/first-steps", "'^cargo bench ' docs/performance.md"),
    (
        "cargo bench --bench speed -- 401 4001 json serde_json memcpy level dfs",
        ".ci/first-steps",
        "'^cargo bench ' docs/performance.md",
    ),
    ("cargo bench --bench speed -- 41 401 masks", ".ci/first-steps", "'^cargo bench ' docs/performance.md"),
    // measured by hand: these take minutes, and programs that CI does not install; CI compiles them
    ("benches/peers/compare", ".ci/run", "python3 - benches/*/compare"),
    (
        "cargo build --release && benches/server/overload target/release/mazed",
        ".ci/run",
        "python3 - benches/*/compare benches/server/overload",
    ),
    ("cargo build --release && benches/server/compare target/release/mazed", ".ci/run", "python3 - benches/*/compare"),
    ("node examples/client.mjs", "tests/it/pages/clients.rs", "\"node\""),
    ("python3 examples/client.py", "tests/it/pages/clients.rs", "\"python3\""),
    (
        "mcs -r:System.Net.Http -r:System.Runtime.Serialization -out:client.exe examples/Client.cs",
        "tests/it/pages/clients.rs",
        "\"mcs\"",
    ),
    ("mono client.exe", "tests/it/pages/clients.rs", "\"mono\""),
];

#[test]
fn every_command_is_run_by_a_test_or_by_ci() {
    let pages = pages();
    let mut shown = BTreeSet::new();
    for page in &pages {
        let blocks = page.blocks().into_iter().filter(|block| block.language == "sh").flat_map(|block| block.lines);
        // a test in `responses.rs` runs these and compares the responses
        let typed = blocks.filter(|line| !line.starts_with("curl "));
        let spans = page.spans().into_iter();
        let commands = spans.filter(|span| ["cargo ", "mazed "].iter().any(|program| span.starts_with(program)));
        for command in typed.chain(commands) {
            let known = COMMANDS.iter().any(|row| row.0 == command);
            assert!(known, "{}: what runs {command:?}? Add it to COMMANDS", page.name);
            shown.insert(command);
        }
    }
    for (command, file, runs) in COMMANDS {
        assert!(shown.contains(command), "no page shows {command:?} any more");
        let text = fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains(runs), "{file} does not run {command:?}: it has no {runs:?}");
    }
}

#[test]
fn every_target_and_program_of_a_command_exists() {
    for (command, ..) in COMMANDS {
        let words: Vec<_> = command.split(' ').collect();
        for pair in words.windows(2) {
            let folder = match pair[0] {
                "--test" => "tests",
                "--bench" => "benches",
                _ => continue,
            };
            let files = [format!("{folder}/{}.rs", pair[1]), format!("{folder}/{}/main.rs", pair[1])];
            assert!(files.iter().any(|file| root().join(file).exists()), "{command}: none of {files:?} exists");
        }
        let own = ["benches/", "examples/", ".ci/"];
        for word in words.iter().filter(|word| own.iter().any(|folder| word.starts_with(folder))) {
            assert!(root().join(word).exists(), "{command}: {word}");
        }
    }
}
