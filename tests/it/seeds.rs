//! A response gives its seed exactly as it was meant, and every bit of a seed counts.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::api::Server;

/// A seed as written in a query, and as the response gives it.
const SEEDS: &[(&str, &str)] = &[
    ("0", "0"),
    ("-0", "0"),
    ("007", "7"),
    ("1", "1"),
    ("-1", "-1"),
    ("4294967297", "4294967297"),
    ("9007199254740993", "9007199254740993"),
    ("9223372036854775808", "9223372036854775808"),
    ("18446744073709551615", "18446744073709551615"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("level-1", "level-1"),
    ("미로", "미로"),
    ("%EB%AF%B8%EB%A1%9C", "미로"),
    ("%F0%9F%97%BA", "🗺"),
    ("two+words", "two words"),
    ("two%20words", "two words"),
    ("%2B5", "+5"),
    ("%207", " 7"),
    ("a%26b%3Dc%23d%25e%3Bf", "a&b=c#d%e;f"),
    ("%22quoted%22%5C", "\"quoted\"\\"),
    ("true", "true"),
    ("1.0", "1.0"),
];

#[tokio::test]
async fn every_seed_comes_back_exactly() {
    let server = Server::start().await;
    for (written, meant) in SEEDS {
        let answer = server.client.get(&format!("/maze?size=5&seed={written}")).await;
        assert_eq!(answer.json()["seed"], *meant, "{written}");
    }
}

#[tokio::test]
async fn the_canonical_url_leads_to_the_same_bytes() {
    let server = Server::start().await;
    for (written, _) in SEEDS {
        let first = server.client.get(&format!("/maze?size=5&seed={written}")).await;
        let same = server.client.get(first.header("content-location")).await;
        assert_eq!(same.body, first.body, "{written}");
        for name in ["content-location", "etag"] {
            assert_eq!(same.header(name), first.header(name), "{written}");
        }
    }
}

#[tokio::test]
async fn javascript_reads_every_seed_exactly() {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: there is no node here");
        return;
    }
    let server = Server::start().await;
    for (written, meant) in SEEDS {
        let answer = server.client.get(&format!("/maze?size=3&seed={written}")).await;
        let script = "process.stdout.write(JSON.parse(require('fs').readFileSync(0, 'utf8')).seed)";
        let mut node =
            Command::new("node").args(["-e", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        node.stdin.take().unwrap().write_all(&answer.body).unwrap();
        let output = node.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), *meant, "{written}");
    }
}

#[tokio::test]
async fn all_bits_and_characters_of_a_seed_count() {
    let server = Server::start().await;
    let mut grids: Vec<Value> = Vec::new();
    for seed in ["0", "1", "4294967297", "9223372036854775809", "abc", "xyz", "Abc", "abc+"] {
        let grid = server.client.level(&format!("/maze?size=21&seed={seed}")).await["grid"].take();
        assert!(!grids.contains(&grid), "{seed} gives the level of another seed");
        grids.push(grid);
    }
}

#[tokio::test]
async fn a_negative_seed_gives_the_level_of_its_twos_complement() {
    let server = Server::start().await;
    let negative = server.client.level("/maze?size=21&seed=-1").await;
    let positive = server.client.level("/maze?size=21&seed=18446744073709551615").await;
    assert_eq!(negative["grid"], positive["grid"]);
    assert_ne!(negative["seed"], positive["seed"]);
}

#[tokio::test]
async fn without_a_seed_the_level_is_random_and_has_a_permanent_url() {
    let server = Server::start().await;
    let mut seeds = Vec::new();
    for query in ["", "?", "?algo=bsp&size=30&grid=rows", "?algo=dfs&width=9&height=31&solver=none"] {
        let random = server.client.get(&format!("/maze{query}")).await;
        assert_eq!(random.status, 200, "{}", random.text());
        assert_eq!(random.header("cache-control"), "no-store");
        assert!(!random.headers.contains_key("etag"));
        let seed: u64 = random.json()["seed"].as_str().unwrap().parse().unwrap();
        assert!(seed < 1 << 53);
        assert!(!seeds.contains(&seed));
        seeds.push(seed);

        let same = server.client.get(random.header("content-location")).await;
        assert_eq!(same.body, random.body, "{query}");
        assert_eq!(same.header("content-location"), random.header("content-location"));
        assert_eq!(same.header("cache-control"), "public, max-age=31536000, immutable");
        assert!(same.headers.contains_key("etag"));
    }
}
