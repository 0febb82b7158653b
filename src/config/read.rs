//! Reads the command line and the environment, and reports all bad settings at once: clap alone stops at the first one.

use std::env;
use std::ffi::OsString;
use std::fmt;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command};

/// Why there are no settings.
#[derive(Debug)]
pub enum ReadError {
    /// The arguments ask for help or the version, or clap does not understand them.
    Usage(clap::Error),
    /// Some settings are bad.
    Bad {
        /// What is wrong, for each.
        messages: Vec<String>,
        /// Whether log lines are to be JSON.
        is_json: bool,
    },
}

/// What the arguments and the environment say.
pub(super) struct Parsed {
    pub(super) matches: ArgMatches,
    /// Settings with a bad value; `matches` has their defaults.
    pub(super) bad: Vec<Bad>,
    /// Whether log lines are to be JSON.
    pub(super) is_json: bool,
}

/// A setting with a bad value.
pub(super) struct Bad {
    pub(super) variable: String,
    pub(super) message: String,
}

/// Reads the arguments and the variables of a command.
pub(super) fn parse(command: Command, mut arguments: Vec<OsString>) -> Result<Parsed, ReadError> {
    let is_json = wants_json(&arguments);
    let (mut command, mut bad) = named_after_variables(command);
    loop {
        let error = match command.clone().try_get_matches_from(&arguments) {
            Ok(matches) => return Ok(Parsed { matches, bad, is_json }),
            Err(error) => error,
        };
        let Some((flag, variable)) = culprit(&command, &error) else {
            if !error.use_stderr() || bad.is_empty() && !is_json {
                return Err(ReadError::Usage(error));
            }
            let messages = bad.into_iter().map(|bad| bad.message).chain([message(&error)]).collect();
            return Err(ReadError::Bad { messages, is_json });
        };
        bad.push(Bad { message: message(&error), variable });
        // with the default instead, clap goes on to the next bad setting
        command = command.mut_arg(flag.replace('-', "_"), |argument| argument.env(None::<&'static str>));
        remove(&mut arguments, &flag);
    }
}

/// Whether log lines are to be JSON, as far as this is known before the arguments are parsed.
fn wants_json(arguments: &[OsString]) -> bool {
    let flag = arguments.iter().map(|argument| argument.to_str().unwrap_or_default());
    let values = arguments.iter().skip(1).map(|argument| argument.to_str().unwrap_or_default());
    let mut flag = flag.zip(values.chain([""])).filter_map(|(argument, value)| match argument {
        "--log-format" => Some(value),
        _ => argument.strip_prefix("--log-format="),
    });
    flag.next()
        .map_or_else(|| env::var_os("MAZED_LOG_FORMAT").is_some_and(|value| value == "json"), |value| value == "json")
}

/// Clap's errors name a flag and its value, but not the variable. So the value gets the name of the variable, and an
/// error shows both.
fn named_after_variables(command: Command) -> (Command, Vec<Bad>) {
    let mut bad = Vec::new();
    let command = command.mut_args(|argument| {
        let Some(variable) = argument.get_env().map(|name| name.to_string_lossy().into_owned()) else {
            return argument;
        };
        let value = env::var_os(&variable).unwrap_or_default();
        let is_text = value.to_str().is_some();
        if !is_text {
            bad.push(Bad { message: format!("{variable} is not UTF-8"), variable: variable.clone() });
        }
        // templates for containers often set a variable to the empty string to leave it unset
        let argument = if value.is_empty() || !is_text { argument.env(None::<&'static str>) } else { argument };
        // without this, clap would take -1 for a flag
        argument.value_name(variable).hide_env(true).allow_negative_numbers(true)
    });
    (command, bad)
}

/// The flag and the variable of the setting whose value is bad, if that is the error.
fn culprit(command: &Command, error: &clap::Error) -> Option<(String, String)> {
    // a flag that is given twice is a conflict
    if !matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::ArgumentConflict) {
        return None;
    }
    let Some(ContextValue::String(named)) = error.get(ContextKind::InvalidArg) else { return None };
    let flag = named.strip_prefix("--")?.split_whitespace().next()?;
    let argument = command.get_arguments().find(|argument| argument.get_long() == Some(flag))?;
    Some((flag.to_owned(), argument.get_value_names()?.first()?.to_string()))
}

/// The text of an error in one line, without the remarks on usage.
fn message(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let end = ["\n\nUsage:", "\n\nFor more"].iter().filter_map(|remark| text.find(remark)).min();
    let text = text[..end.unwrap_or(text.len())].trim_start_matches("error: ");
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Removes a flag and its value.
fn remove(arguments: &mut Vec<OsString>, flag: &str) {
    let (alone, with_value) = (format!("--{flag}"), format!("--{flag}="));
    while let Some(index) = arguments.iter().position(|argument| {
        argument.to_str().is_some_and(|argument| argument == alone || argument.starts_with(&with_value))
    }) {
        let is_alone = arguments[index].to_str() == Some(&alone);
        arguments.drain(index..(index + 1 + usize::from(is_alone)).min(arguments.len()));
    }
}

impl ReadError {
    /// The exit code of the program: 0 if it was asked for a text that it has.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(error) if !error.use_stderr() => 0,
            _ => 2,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(error) => error.fmt(f),
            Self::Bad { messages, .. } => {
                for message in messages {
                    writeln!(f, "error: {message}")?;
                }
                writeln!(f, "\nFor more information, try '--help'.")
            }
        }
    }
}
