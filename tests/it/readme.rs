//! The README says what is so: its commands give the answers that stand below them, its tables are those of the code,
//! and its links lead somewhere. With `MAZED_BLESS=1` the answers are rewritten to what the service gives now.

use std::path::{Path, PathBuf};
use std::{env, fs};

use clap::CommandFactory;
use mazed::config::Settings;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::solvers::SOLVERS;

use crate::api::Server;

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

fn text() -> String {
    fs::read_to_string(file()).unwrap()
}

/// Rows of tables whose first cell is `name`, cell by cell.
fn rows(text: &str, name: &str) -> Vec<Vec<String>> {
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    text.lines().filter(|line| line.starts_with(&format!("| `{name}`"))).map(cells).collect()
}

/// What of an address the server sees.
fn target(address: &str) -> &str {
    address.strip_prefix("localhost:8080").expect("the default address")
}

#[tokio::test]
async fn every_curl_line_gives_the_answer_below_it() {
    let server = Server::start().await;
    let bless = env::var_os("MAZED_BLESS").is_some_and(|value| value == "1");
    let mut lines: Vec<_> = text().lines().map(str::to_owned).collect();
    let mut executed = 0;
    for at in 0..lines.len() {
        let Some(command) = lines[at].strip_prefix("curl ") else { continue };
        let quoted: Vec<_> = command.split('\'').collect();
        let answer = match quoted[..] {
            ["", address, ""] => server.client.get(target(address)).await.text(),
            ["--json ", body, " ", address, ""] => server.client.post(target(address), body).await.text(),
            _ => panic!("{command}: is it an address in quotes, perhaps with --json and a body before it?"),
        };
        assert_eq!(lines[at + 1..at + 4], ["```", "", "```json"], "{command}: an answer stands below it");
        executed += 1;
        if bless {
            lines[at + 4] = answer;
        } else {
            assert_eq!(lines[at + 4], answer, "{command}: run this test with MAZED_BLESS=1 if the answer is right");
        }
    }
    assert!(executed >= 4);
    if bless {
        fs::write(file(), lines.join("\n") + "\n").unwrap();
    }
}

#[test]
fn every_setting_stands_in_the_table_with_its_default() {
    let text = text();
    for argument in Settings::command().get_arguments() {
        let Some(variable) = argument.get_env().and_then(|name| name.to_str()) else { continue };
        let rows = rows(&text, variable);
        assert_eq!(rows.len(), 1, "{variable}");
        // the number of cores is the machine's
        let default = argument.get_default_values()[0].to_str().unwrap();
        assert!(rows[0][2] == default || (variable == "MAZED_WORKERS" && rows[0][2] == "cores"), "{variable}");
    }
}

#[test]
fn every_algorithm_and_solver_is_told_of() {
    let text = text();
    for algorithm in ALGORITHMS {
        assert_eq!(rows(&text, algorithm.name).len(), 1, "{}", algorithm.name);
    }
    let solvers = &rows(&text, "solver")[0][2];
    for solver in SOLVERS {
        assert!(solvers.contains(&format!("`{}`", solver.name)), "{}", solver.name);
    }
}

#[test]
fn every_link_to_a_file_or_a_heading_leads_somewhere() {
    let text = text();
    let heading = |line: &str| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    let headings: Vec<_> = text.lines().filter(|line| line.starts_with('#')).map(heading).collect();
    for target in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        match target.strip_prefix('#') {
            Some(anchor) => assert!(headings.iter().any(|heading| heading == anchor), "#{anchor}"),
            None => assert!(file().with_file_name(target).exists(), "{target}"),
        }
    }
}
