//! Checks `mazed --help`, the flags and the variables against a table of every setting.

use std::collections::BTreeSet;

use clap::CommandFactory;
use mazed::config::Settings;

use crate::harness::mazed;

/// The flag and the default of every setting.
const SETTINGS: &[(&str, &str)] = &[
    ("addr", "127.0.0.1:8080"),
    ("admin-addr", "none"),
    ("max-side", "4001"),
    ("max-room-mask-side", "512"),
    ("max-answer-bytes", "64MiB"),
    ("max-body-bytes", "2MiB"),
    ("max-url-bytes", "4KiB"),
    ("max-header-bytes", "32KiB"),
    ("cache-bytes", "64MiB"),
    ("workers", "cores"),
    ("work-bytes", "256MiB"),
    ("queue", "256"),
    ("unread-bytes", "64MiB"),
    ("bodies-bytes", "48MiB"),
    ("connections", "1024"),
    ("request-timeout", "10s"),
    ("head-timeout", "10s"),
    ("idle-timeout", "75s"),
    ("readiness-delay", "2s"),
    ("drain-timeout", "5s"),
    ("cors-origin", "none"),
    ("log", "info"),
    ("log-format", "text"),
    ("log-requests", "errors"),
    ("trusted-proxies", "none"),
];

/// The groups of the help, each with the first and the last of its settings.
const GROUPS: [(&str, &str, &str); 6] = [
    ("Addresses", "addr", "admin-addr"),
    ("Limits of a request", "max-side", "max-header-bytes"),
    ("Memory and work", "cache-bytes", "connections"),
    ("Times", "request-timeout", "drain-timeout"),
    ("Browsers", "cors-origin", "cors-origin"),
    ("Logs", "log", "trusted-proxies"),
];

fn flags() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|(flag, _)| *flag)
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
        let (_, default) = SETTINGS.iter().find(|(name, _)| *name == flag).expect("a setting");
        assert!(text.contains(&format!("[default: {default}]")), "--{flag}: {paragraph}");
    }
}

#[test]
fn the_help_has_the_settings_in_groups() {
    let help = String::from_utf8(mazed(&["--help"], &[]).stdout).expect("text");
    let shown = paragraphs(&help).into_iter().map(|(flag, _)| flag);
    assert!(shown.eq(flags()), "in the order of the table");
    for (group, first, last) in GROUPS {
        let (_, settings) = help.split_once(&format!("\n{group}:\n")).unwrap_or_else(|| panic!("no {group}: {help}"));
        let settings = settings.split("\n\n").take_while(|part| part.starts_with(' '));
        let settings: Vec<_> = settings.filter_map(|part| part.trim().strip_prefix("--")?.split(' ').next()).collect();
        assert_eq!((settings.first(), settings.last()), (Some(&first), Some(&last)), "{group}: {settings:?}");
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
