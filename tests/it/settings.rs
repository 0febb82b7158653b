//! Settings: units, names, mistakes and the last words of a program that cannot start.

use std::ffi::OsStr;
use std::net::TcpListener;
use std::os::unix::ffi::OsStrExt as _;

use serde_json::Value;

use crate::harness::{Program, command, fetch, mazed};

#[test]
fn a_bad_setting_ends_the_program_with_2_and_names_its_variable() {
    let bad = [
        ("MAZED_ADDR", "8080", "localhost:8080"),
        ("MAZED_ADMIN_ADDR", "8081", "localhost:8080"),
        ("MAZED_ADMIN_ADDR", "127.0.0.1:8080", "give it another port"),
        ("MAZED_HEAD_TIMEOUT", "0", "more than 0"),
        ("MAZED_MAX_SIDE", "2", "from 3 to 16001"),
        ("MAZED_MAX_SIDE", "many", "from 3 to 16001"),
        ("MAZED_MAX_ROOM_MASK_SIDE", "2", "from 3 to 2048"),
        ("MAZED_MAX_ROOM_MASK_SIDE", "2049", "from 3 to 2048"),
        ("MAZED_MAX_HEADER_BYTES", "4096", "from 8KiB"),
        ("MAZED_MAX_URL_BYTES", "40000", "raise it above MAZED_MAX_URL_BYTES"),
        ("MAZED_BODIES_BYTES", "6000000", "raise it to 4 times as much"),
        ("MAZED_MAX_BODY_BYTES", "50000000", "MAZED_BODIES_BYTES"),
        ("MAZED_WORKERS", "0", "from 1 to"),
        ("MAZED_REQUEST_TIMEOUT", "0", "more than 0"),
        ("MAZED_DRAIN_TIMEOUT", "1e9", "seconds from 0 to 86400"),
        ("MAZED_DRAIN_TIMEOUT", "NaN", "seconds from 0 to 86400"),
        ("MAZED_DRAIN_TIMEOUT", "2 m", "500ms, 10s, 2m"),
        ("MAZED_CACHE_BYTES", "64M", "KiB, MiB, GiB"),
        ("MAZED_CACHE_BYTES", "2TiB", "from 0 to 1TiB"),
        ("MAZED_QUEUE", "-1", "from 0 to 1000000"),
        ("MAZED_LOG", "mazed=loud", "warn,mazed=debug"),
        ("MAZED_LOG", "verbose", "names no level"),
        ("MAZED_LOG", "info,verbose", "\"verbose\" names no level"),
        ("MAZED_LOG_FORMAT", "xml", "json"),
    ];
    for (variable, value, remedy) in bad {
        let output = mazed(&[], &[(variable, value)]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{variable}={value}: {message}");
        assert!(message.contains(variable) && message.contains(remedy), "{variable}={value}: {message}");
    }
}

#[test]
fn all_bad_settings_are_told_at_once() {
    let variables = [
        ("MAZED_MAX_SIDE", "2"),
        ("MAZED_LOG", "verbose"),
        ("MAZED_LOG_FORMAT", "xml"),
        ("MAZED_MAX_BODY_BYTES", "1GiB"),
        ("MAZED_MAX_URL_BYTES", "40000"),
    ];
    let output = mazed(&["--workers=0", "--queue", "many", "--queue", "9", "--addr", "nowhere"], &variables);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let named = ["MAX_SIDE", "LOG", "LOG_FORMAT", "MAX_BODY_BYTES", "MAX_URL_BYTES", "WORKERS", "QUEUE", "ADDR"];
    for name in named {
        let lines = message.lines().filter(|line| line.starts_with("error: "));
        let naming = lines.filter(|line| {
            let mut names = line.split(|c: char| !(c.is_ascii_uppercase() || c == '_'));
            names.any(|word| word == format!("MAZED_{name}"))
        });
        assert_eq!(naming.count(), 1, "{name}: {message}");
    }
    assert_eq!(message.lines().filter(|line| line.starts_with("error: ")).count(), named.len(), "{message}");
}

#[test]
fn a_setting_in_conflict_with_a_bad_one_is_not_told() {
    // with its default, the bad setting would be too small for the other one
    let output = mazed(&[], &[("MAZED_BODIES_BYTES", "many"), ("MAZED_MAX_BODY_BYTES", "64MiB")]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(message.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{message}");
}

#[test]
fn a_setting_that_is_no_text_is_named() {
    let output = command().env("MAZED_QUEUE", OsStr::from_bytes(b"\xff")).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("MAZED_QUEUE is not UTF-8"));
}

#[test]
fn sizes_and_times_have_units_and_addresses_names() {
    let program = Program::start(&[
        ("MAZED_CACHE_BYTES", "16MiB"),
        ("MAZED_MAX_URL_BYTES", "1KiB"),
        ("MAZED_MAX_BODY_BYTES", "64kB"),
        ("MAZED_REQUEST_TIMEOUT", "1500ms"),
        ("MAZED_IDLE_TIMEOUT", "2m"),
        ("MAZED_ADDR", "localhost:0"),
    ]);
    assert!(program.addr.ip().is_loopback());
    let limits = fetch(program.addr, "/algorithms");
    assert!(limits.contains("\"max_url_bytes\":1024") && limits.contains("\"max_body_bytes\":64000"), "{limits}");
    let port = program.addr.port();
    assert_eq!(mazed(&["healthcheck", "--addr", &format!("localhost:{port}")], &[]).status.code(), Some(0));
}

#[test]
fn a_port_alone_stands_for_all_interfaces() {
    let program = Program::start(&[("MAZED_ADDR", ":0")]);
    assert!(program.addr.ip().is_unspecified());
    let port = program.addr.port();
    assert!(fetch(([127, 0, 0, 1], port).into(), "/healthz").starts_with("HTTP/1.1 200"));
    assert_eq!(mazed(&["healthcheck"], &[("MAZED_ADDR", &format!(":{port}"))]).status.code(), Some(0));
}

#[test]
fn a_variable_that_is_no_setting_is_warned_of() {
    let variables = [("MAZED_MAX_SIZE", "7"), ("MAZED_LOG_FORMAT", "json"), ("MAZED_SERVICE_HOST", "10.0.0.1")];
    let program = Program::start(&variables);
    program.signal("TERM");
    let lines = program.logged_up_to("not ready");
    assert!(lines.iter().all(|line| !line.contains("SERVICE_HOST")), "{lines:?}");
    // the line with the address was read by the harness, and the warning before it
    let taken = program.addr.to_string();
    let output = command().args(["--addr", &taken]).envs(variables).output().expect("the program starts");
    let text = String::from_utf8(output.stderr).expect("text");
    let warning: Value = serde_json::from_str(text.lines().nth(1).expect("a line after the first")).expect("JSON");
    assert_eq!(warning["level"], "WARN");
    assert_eq!(warning["message"], "MAZED_MAX_SIZE is no setting; did you mean MAZED_MAX_SIDE?");
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let program = Program::start(&[("MAZED_WORKERS", ""), ("MAZED_LOG", "")]);
    assert!(fetch(program.addr, "/healthz").starts_with("HTTP/1.1 200"));
}

#[test]
fn an_address_in_use_ends_the_program_with_1() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let addr = taken.local_addr().expect("an address").to_string();
    let output = mazed(&["--addr", &addr], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains(&addr));
}

#[test]
fn last_words_follow_the_log_format_and_no_filter_hides_them() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let addr = taken.local_addr().expect("an address").to_string();
    let json = ("MAZED_LOG_FORMAT", "json");
    for (arguments, variables, code, words) in [
        (&["--addr", &*addr][..], &[json, ("MAZED_LOG", "off")][..], 1, &*addr),
        (&["healthcheck", "--addr", "127.0.0.1:1"], &[json], 1, "127.0.0.1:1"),
        (&[], &[json, ("MAZED_MAX_SIDE", "2"), ("MAZED_QUEUE", "?")], 2, "MAZED_"),
        (&["--log-format", "json", "--wokers", "7"], &[], 2, "--workers"),
        (&["--log-format=json", "--workers", "0"], &[], 2, "MAZED_WORKERS"),
    ] {
        let output = mazed(arguments, variables);
        let text = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(!text.is_empty(), "{arguments:?}");
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(line["level"], "ERROR");
            assert!(line["message"].as_str().expect("a text").contains(words), "{text}");
        }
    }
    let output = mazed(&["--addr", &addr], &[("MAZED_LOG", "off")]);
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.contains("ERROR mazed: ") && text.contains(&addr), "{text}");
}
