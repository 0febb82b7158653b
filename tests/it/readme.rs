//! The README says what is so: its commands give the answers that stand below them, its tables are those of the code,
//! and its links lead somewhere. With `MAZED_BLESS=1` the answers are rewritten to what the service gives now.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use clap::CommandFactory;
use mazed::config::Settings;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::parameters::options::OPTIONS;
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

/// The levels of all algorithms as pictures, three side by side, two rows of tiles to a line.
async fn pictures(server: &Server) -> Vec<String> {
    const SIDE: usize = 25;
    let mut lines = Vec::new();
    for three in ALGORITHMS.chunks(3) {
        let mut block = vec![String::new(); 2 + SIDE.div_ceil(2)];
        for algorithm in three {
            let target = format!("/maze?algo={}&size={SIDE}&seed=7&grid=rows&solver=none", algorithm.name);
            let level = server.client.level(&target).await;
            let is_wall = |x: usize, y: usize| {
                level["rows"].get(y).is_some_and(|row| row.as_str().unwrap().as_bytes()[x] == b'#')
            };
            let sign = |x, y| match (is_wall(x, y), is_wall(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            };
            write!(block[0], "{:28}", algorithm.name).unwrap();
            for (line, y) in block[1..].iter_mut().zip((0..SIDE).step_by(2)) {
                line.extend((0..SIDE).map(|x| sign(x, y)).chain("   ".chars()));
            }
        }
        lines.extend(block.iter().map(|line| line.trim_end().to_owned()));
    }
    lines.pop();
    lines
}

#[tokio::test]
async fn every_answer_and_every_picture_is_what_the_service_gives() {
    let server = Server::start().await;
    let shown: Vec<_> = text().lines().map(str::to_owned).collect();
    let mut given = shown.clone();
    let mut executed = 0;
    for at in 0..given.len() {
        let Some(command) = shown[at].strip_prefix("curl ") else { continue };
        let quoted: Vec<_> = command.split('\'').collect();
        let answer = match quoted[..] {
            ["", address, ""] => server.client.get(target(address)).await.text(),
            ["--json ", body, " ", address, ""] => server.client.post(target(address), body).await.text(),
            _ => panic!("{command}: is it an address in quotes, perhaps with --json and a body before it?"),
        };
        assert_eq!(shown[at + 1..at + 4], ["```", "", "```json"], "{command}: an answer stands below it");
        executed += 1;
        given[at + 4] = answer;
    }
    assert!(executed >= 5);
    let begin = 1 + given.iter().position(|line| line == "```text").expect("the pictures");
    let end = begin + given[begin..].iter().position(|line| line == "```").expect("their end");
    given.splice(begin..end, pictures(&server).await);
    if env::var_os("MAZED_BLESS").is_some_and(|value| value == "1") {
        fs::write(file(), given.join("\n") + "\n").unwrap();
        return;
    }
    for (shown, given) in shown.iter().zip(&given) {
        assert_eq!(shown, given, "run this test with MAZED_BLESS=1 if the answer is right");
    }
    assert_eq!(shown.len(), given.len());
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
        let rows = rows(&text, algorithm.name);
        assert_eq!(rows.len(), 1, "{}", algorithm.name);
        assert_eq!(rows[0][4], if algorithm.masks { "yes" } else { "no" }, "{}", algorithm.name);
    }
    for option in &OPTIONS {
        assert_eq!(rows(&text, option.name).len(), 1, "{}", option.name);
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
