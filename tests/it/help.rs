//! Checks `mazed --help`, the flags and the variables against a table of every setting.

use std::collections::BTreeSet;

use clap::CommandFactory;
use mazed::config::Settings;

use crate::harness::mazed;

/// The flag and the default of every setting, except the number of workers: its default depends on the machine.
const SETTINGS: &[(&str, &str)] = &[
    ("addr", "127.0.0.1:8080"),
    ("max-side", "4001"),
    ("max-room-mask-side", "512"),
    ("max-answer-bytes", "67108864"),
    ("max-body-bytes", "2097152"),
    ("max-url-bytes", "4096"),
    ("max-header-bytes", "32768"),
    ("cache-bytes", "67108864"),
    ("work-bytes", "268435456"),
    ("queue", "256"),
    ("unread-bytes", "67108864"),
    ("bodies-bytes", "50331648"),
    ("connections", "1024"),
    ("request-timeout", "10"),
    ("idle-timeout", "75"),
    ("readiness-delay", "2"),
    ("drain-timeout", "5"),
    ("cors-origin", "none"),
    ("log", "info"),
    ("log-format", "text"),
    ("log-requests", "errors"),
];

/// The setting without a default in the help.
const WORKERS: &str = "workers";

fn flags() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|(flag, _)| *flag).chain([WORKERS])
}

fn variable(flag: &str) -> String {
    format!("MAZED_{}", flag.to_uppercase().replace('-', "_"))
}

/// Each flag in the help, with the text from there to the next flag.
fn paragraphs(help: &str) -> Vec<(&str, &str)> {
    let parts = help.split("\n      --").skip(1);
    parts.map(|part| part.split_once(|end: char| end.is_whitespace()).unwrap_or((part, ""))).collect()
}

#[test]
fn every_setting_is_in_the_help_with_its_variable_its_text_and_its_default() {
    let help = String::from_utf8(mazed(&["--help"], &[]).stdout).expect("text");
    let paragraphs = paragraphs(&help);
    let shown: BTreeSet<_> = paragraphs.iter().map(|(flag, _)| *flag).collect();
    assert_eq!(shown, flags().collect());
    for (flag, paragraph) in paragraphs {
        let text = paragraph.strip_prefix(&format!("<{}>\n", variable(flag)));
        let text = text.unwrap_or_else(|| panic!("--{flag} names another variable: {paragraph}")).trim();
        assert!(text.starts_with(char::is_uppercase), "--{flag} has no text: {paragraph}");
        let default = SETTINGS.iter().find(|(name, _)| *name == flag).map(|(_, default)| *default);
        match default {
            Some(default) => assert!(text.contains(&format!("[default: {default}]")), "--{flag}: {paragraph}"),
            None => assert!(!text.contains("[default"), "--{flag}: {paragraph}"),
        }
    }
}

#[test]
fn every_setting_is_a_flag_and_a_variable_of_the_same_name() {
    let command = Settings::command();
    let known: BTreeSet<_> = command.get_arguments().filter_map(|argument| argument.get_long()).collect();
    assert_eq!(
        known.iter().filter(|flag| !["help", "version"].contains(flag)).copied().collect::<BTreeSet<_>>(),
        flags().collect()
    );
    for flag in flags() {
        let bad = if flag == "log" { "mazed=loud" } else { "?" };
        let (long, variable) = (format!("--{flag}"), variable(flag));
        for output in [mazed(&[&long, bad], &[]), mazed(&[], &[(&variable, bad)])] {
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{variable}: {message}");
            assert!(message.contains(&variable), "{variable}: {message}");
        }
    }
}
