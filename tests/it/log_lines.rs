//! What the program logs about requests: only failed and slow ones, or all.

use std::io::Read;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::harness::{Program, connect, eventually, fetch, mazed, send};

/// A level that takes longer than the request timeout in these tests.
const LONG: &str = "/maze?algo=prim&size=16001&grid=none&path=none";

const AT_ONCE: (&str, &str) = ("MAZED_READINESS_DELAY", "0");

/// Ends the program and gives the lines about requests that it logged.
fn request_lines(program: &Program) -> Vec<String> {
    program.signal("TERM");
    let lines = program.logged_up_to("not ready");
    lines.into_iter().filter(|line| line.contains(" request ")).collect()
}

/// Whether a line has all of these parts.
fn has(line: &str, parts: &[&str]) -> bool {
    parts.iter().all(|part| line.contains(part))
}

/// Sends a request whose body comes so late that the request counts as slow.
fn post_slowly(program: &Program, body: &str) -> String {
    let mut stream = connect(program.addr);
    let head = "POST /maze HTTP/1.1\r\nhost: mazed\r\nconnection: close\r\ncontent-type: application/json\r\n";
    send(&mut stream, &format!("{head}content-length: {}\r\n\r\n", body.len()));
    sleep(Duration::from_millis(1_100));
    send(&mut stream, body);
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn a_fast_request_is_logged_only_if_all_are() {
    for (setting, lines) in [("errors", 0), ("all", 3)] {
        let program = Program::start(&[("MAZED_LOG_REQUESTS", setting), AT_ONCE]);
        assert!(fetch(program.addr, "/maze?size=5&seed=7").starts_with("HTTP/1.1 200"));
        assert!(fetch(program.addr, "/maze?size=4").starts_with("HTTP/1.1 400"));
        assert!(fetch(program.addr, "/labyrinth").starts_with("HTTP/1.1 404"));
        let logged = request_lines(&program);
        assert_eq!(logged.len(), lines, "{setting}: {logged:#?}");
        for (line, parts) in logged.iter().zip([
            ["INFO", "method=GET", "uri=/maze?size=5&seed=7", "status=200", "seconds=0."],
            ["INFO", "method=GET", "uri=/maze?size=4", "status=400", "outcome=\"bad-parameters\""],
            ["INFO", "method=GET", "uri=/labyrinth", "status=404", "route=\"unmatched\""],
        ]) {
            assert!(has(line, &parts), "{line}");
        }
    }
}

#[test]
fn a_long_url_is_cut() {
    let program = Program::start(&[("MAZED_LOG_REQUESTS", "all"), AT_ONCE]);
    fetch(program.addr, &format!("/maze?seed={}", "x".repeat(4_000)));
    let logged = request_lines(&program);
    let uri = format!("uri=/maze?seed={}...", "x".repeat(1024 - "/maze?seed=".len()));
    assert!(has(&logged[0], &[&uri, "status="]), "{}", logged[0]);
}

#[test]
fn a_slow_request_is_a_warning() {
    let program = Program::start(&[AT_ONCE]);
    assert!(post_slowly(&program, r#"{"size":5,"seed":7}"#).starts_with("HTTP/1.1 200"));
    let logged = request_lines(&program);
    assert_eq!(logged.len(), 1, "{logged:#?}");
    assert!(has(&logged[0], &["WARN", "method=POST", "uri=/maze ", "status=200", "seconds=1."]), "{}", logged[0]);
}

#[test]
fn a_slow_post_is_logged_with_its_recipe() {
    let mask =
        r#"{"algo":"dfs","seed":"cave","mask":["xxxxxxx","xxxxxxx","xxxxxxx","xxx    ","xxx    "],"path":"none"}"#;
    for (body, recipe) in [
        (r#"{"grid":"rows","seed":7,"size":5,"braid":0.5}"#, "algo=kruskal&size=5&seed=7&braid=0.5&grid=rows"),
        (mask, "algo=dfs&width=7&height=5&seed=cave#"),
        (r#"{"size":4,"seed":7}"#, ""),
    ] {
        let program = Program::start(&[("MAZED_LOG_FORMAT", "json"), AT_ONCE]);
        post_slowly(&program, body);
        let line: Value = serde_json::from_str(&program.logged("\"request\"")).expect("JSON");
        let logged = line["recipe"].as_str().unwrap_or_default();
        if body == mask {
            // the digest of the mask, and the rest of the query
            let (before, after) = logged.split_once('#').expect("a digest");
            assert_eq!(format!("{before}#"), recipe);
            let digest = after.split('&').next().expect("a digest");
            assert!(digest.len() >= 16 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{logged}");
        } else {
            assert_eq!(logged, recipe, "{body}");
        }
    }
}

#[test]
fn a_timeout_is_a_warning_and_a_shed_request_is_logged_only_if_all_are() {
    for (setting, shed_lines) in [("errors", 0), ("all", 3)] {
        let program = Program::start(&[
            ("MAZED_LOG_REQUESTS", setting),
            ("MAZED_MAX_SIDE", "16001"),
            ("MAZED_WORK_BYTES", "2GiB"),
            ("MAZED_WORKERS", "1"),
            ("MAZED_QUEUE", "0"),
            ("MAZED_REQUEST_TIMEOUT", "1.5"),
            AT_ONCE,
        ]);
        let mut stream = connect(program.addr);
        send(&mut stream, &format!("GET {LONG} HTTP/1.1\r\nhost: mazed\r\nconnection: close\r\n\r\n"));
        eventually("the job runs", || fetch(program.addr, "/metrics").contains("\nmazed_jobs_running 1"));
        for seed in 0..3 {
            let answer = fetch(program.addr, &format!("{LONG}&seed={seed}"));
            assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
        }
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 504"), "{answer}");
        let logged = request_lines(&program);
        let shed_uri = format!("uri={LONG}&seed=");
        let shed = logged.iter().filter(|line| has(line, &["INFO", &shed_uri, "status=503"]));
        assert_eq!(shed.count(), shed_lines, "{setting}: {logged:#?}");
        let uri = format!("uri={LONG}");
        let late: Vec<_> = logged.iter().filter(|line| has(line, &["WARN", &uri, "status=504"])).collect();
        assert_eq!(late.len(), 1, "{setting}: {logged:#?}");
        assert!(setting == "all" || logged.len() == 1, "{logged:#?}");
    }
}

#[test]
fn a_request_that_waited_long_and_was_shed_is_logged_only_if_all_are() {
    for (setting, is_logged) in [("errors", false), ("all", true)] {
        let program = Program::start(&[
            ("MAZED_LOG_REQUESTS", setting),
            ("MAZED_MAX_SIDE", "16001"),
            ("MAZED_WORK_BYTES", "2GiB"),
            ("MAZED_WORKERS", "1"),
            ("MAZED_REQUEST_TIMEOUT", "2500ms"),
            AT_ONCE,
        ]);
        // its first level takes longer than the request has, so it holds the only turn for all of its time
        let pick = "/maze/pick?algo=prim&size=16001&difficulty=0&seed=7";
        let mut first = connect(program.addr);
        send(&mut first, &format!("GET {pick} HTTP/1.1\r\nhost: mazed\r\n\r\n"));
        eventually("it runs", || fetch(program.addr, "/metrics").contains("\nmazed_jobs_running 1"));
        // waits for a turn for as long as a pick may search, which is four fifths of its time
        let shed = fetch(program.addr, pick);
        assert!(shed.starts_with("HTTP/1.1 503"), "{shed}");
        let logged = request_lines(&program);
        let of_shed: Vec<_> = logged.iter().filter(|line| line.contains("status=503")).collect();
        assert_eq!(!of_shed.is_empty(), is_logged, "{setting}: {logged:#?}");
        assert!(of_shed.iter().all(|line| has(line, &["INFO", "uri=/maze/pick?"])), "{of_shed:?}");
    }
}

#[test]
fn a_request_is_logged_as_json_with_the_same_fields() {
    let format = ("MAZED_LOG_FORMAT", "json");
    let program = Program::start(&[("MAZED_LOG_REQUESTS", "all"), format, AT_ONCE]);
    fetch(program.addr, "/maze?size=5&seed=7");
    let line: Value = serde_json::from_str(&program.logged("\"request\"")).expect("JSON");
    assert_eq!(
        (&line["level"], &line["method"], &line["uri"], &line["status"]),
        (&"INFO".into(), &"GET".into(), &"/maze?size=5&seed=7".into(), &200.into())
    );
    assert!(line["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{line}");
}

/// Sends requests with these header lines, the second one for the same level, and gives their answers and JSON lines.
fn logged(variables: &[(&str, &str)], requests: &[(&str, &str)]) -> Vec<(String, Value)> {
    let all = [("MAZED_LOG_REQUESTS", "all"), ("MAZED_LOG_FORMAT", "json"), AT_ONCE];
    let program = Program::start(&[&all, variables].concat());
    let answer = |(target, headers): &(&str, &str)| {
        let mut stream = connect(program.addr);
        send(&mut stream, &format!("GET {target} HTTP/1.1\r\nhost: mazed\r\nconnection: close\r\n{headers}\r\n"));
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        (answer, serde_json::from_str(&program.logged("\"request\"")).expect("JSON"))
    };
    requests.iter().map(answer).collect()
}

/// The value of a header of an answer.
fn header<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    answer.lines().take_while(|line| !line.is_empty()).find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[test]
fn the_id_of_a_request_is_in_its_answer_and_in_its_line() {
    let trace = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n";
    let answers = logged(
        &[],
        &[
            ("/maze?size=5&seed=7", ""),
            ("/maze?size=5&seed=7", "x-request-id: from-a-client\r\n"),
            ("/maze?size=4", "x-request-id: from-a-client\r\n"),
            ("/labyrinth", "x-request-id: two words\r\n"),
            ("/healthz", trace),
        ],
    );
    for (index, (answer, line)) in answers.iter().enumerate() {
        let id = header(answer, "x-request-id").expect("an id");
        assert_eq!(line["id"], id, "{line}");
        assert_eq!(id == "from-a-client", index == 1 || index == 2, "{id}");
        assert_eq!(line["trace_id"].as_str(), (index == 4).then_some("4bf92f3577b34da6a3ce929d0e0e4736"), "{line}");
        assert_eq!(line["client"], "127.0.0.1", "{line}");
    }
}

#[test]
fn a_line_says_what_became_of_the_request() {
    let answers = logged(&[], &[("/maze?size=41&seed=7", ""), ("/maze?seed=7&size=41", ""), ("/maze", ""), ("/x", "")]);
    for ((answer, line), cache) in answers.iter().zip([Some("miss"), Some("hit"), Some("miss"), None]) {
        let body = answer.split_once("\r\n\r\n").expect("a body").1;
        assert_eq!(line["bytes"], body.len(), "{line}");
        assert_eq!(line["cache"].as_str(), cache, "{line}");
        let (whole, queue, work) = (&line["seconds"], line["queue_seconds"].as_f64(), line["work_seconds"].as_f64());
        assert_eq!((queue.is_some(), work.is_some()), (cache == Some("miss"), cache == Some("miss")), "{line}");
        let parts = queue.unwrap_or_default() + work.unwrap_or_default();
        // each of the three was rounded to microseconds, those of less than one to a whole one
        assert!(whole.as_f64().is_some_and(|whole| parts <= whole + 3e-6), "{line}");
        assert_eq!(line["outcome"], if cache.is_some() { "ok" } else { "not-found" });
        let query = header(answer, "content-location").and_then(|url| url.split_once('?')).map(|(_, query)| query);
        assert_eq!(line["recipe"].as_str(), query, "{line}");
        assert_eq!(query.is_some(), cache.is_some());
    }
}

#[test]
fn the_client_is_the_one_that_a_trusted_proxy_names() {
    let forwarded = [("/healthz", "x-forwarded-for: 10.9.9.9, 198.51.100.1\r\nx-forwarded-for: 192.0.2.7\r\n")];
    for (trusted, client) in [
        ("none", "127.0.0.1"),
        ("192.0.2.0/24", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.7"),
        ("127.0.0.0/8,192.0.2.0/24", "198.51.100.1"),
    ] {
        let answers = logged(&[("MAZED_TRUSTED_PROXIES", trusted)], &forwarded);
        assert_eq!(answers[0].1["client"], client, "{trusted}");
    }
}

#[test]
fn the_first_line_has_the_version_and_the_settings_and_the_last_says_stopped() {
    let program = Program::start(&[("MAZED_LOG_FORMAT", "json"), ("MAZED_QUEUE", "77"), AT_ONCE]);
    program.signal("TERM");
    // `Program::start` has read the line with the address, and all before it
    let lines = program.logged_up_to("stopped");
    assert!(lines.iter().rev().skip(1).all(|line| !line.contains("stopped")), "{lines:#?}");
    assert!(program.ended().success());
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let addr = taken.local_addr().expect("an address").to_string();
    let output = mazed(&["--addr", &addr], &[("MAZED_LOG_FORMAT", "json"), ("MAZED_QUEUE", "77")]);
    let text = String::from_utf8(output.stderr).expect("text");
    let first: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&first["message"], &first["version"]), (&"starting".into(), &env!("CARGO_PKG_VERSION").into()));
    let settings = first["settings"].as_str().expect("the settings");
    for setting in ["queue: 77", "max_side: 4001", "request_timeout: 10s", "trusted_proxies: TrustedProxies([])"] {
        assert!(settings.contains(setting), "{setting}: {settings}");
    }
}
