//! Every setting: a flag and an environment variable of the same name (`--max-side`, `MAZED_MAX_SIDE`). The comments
//! here are the text of `mazed --help`.

mod origins;

use std::env;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use tracing_subscriber::EnvFilter;

use crate::level::recipe::{MAX_ROOM_MASK_SIDE, MAX_SIDE, MIN_SIDE};

/// Makes mazes and room maps for games, over HTTP.
///
/// Each option can also be set by the environment variable that its value is named after. A variable that is empty
/// counts as not set. Sizes are in bytes, times in seconds (`0.5` is half a second).
#[derive(Debug, Clone, Parser)]
#[command(version, max_term_width = 120)]
pub struct Settings {
    /// What to do instead of serving
    #[command(subcommand)]
    pub action: Option<Action>,

    /// IP address and port to listen on; port 0 takes a free one and logs it
    #[arg(long, env = "MAZED_ADDR", default_value = "127.0.0.1:8080", value_parser = address, global = true)]
    pub addr: SocketAddr,

    /// Largest side of a level in tiles, from 3 to 16001
    #[arg(long, env = "MAZED_MAX_SIDE", default_value = "4001", value_parser = side)]
    pub max_side: u32,
    /// Largest side of a mask for rooms in tiles, from 3 to 2048: the search for rooms in a mask takes long
    #[arg(long, env = "MAZED_MAX_ROOM_MASK_SIDE", default_value = "512", value_parser = room_mask_side)]
    pub max_room_mask_side: u32,
    /// Largest response; a request for a larger one gets 422
    #[arg(long, env = "MAZED_MAX_ANSWER_BYTES", default_value = "67108864", value_parser = within(1024..=TERABYTE))]
    pub max_answer_bytes: usize,
    /// Largest request body; a larger one gets 413
    #[arg(long, env = "MAZED_MAX_BODY_BYTES", default_value = "2097152", value_parser = within(1..=TERABYTE))]
    pub max_body_bytes: usize,
    /// Longest path and query; a longer one gets 414
    #[arg(long, env = "MAZED_MAX_URL_BYTES", default_value = "4096", value_parser = within(64..=65_000))]
    pub max_url_bytes: usize,
    /// Largest request head, from the first line to the empty one: at least 8192 and above the longest URL; a larger
    /// one gets 431
    #[arg(long, env = "MAZED_MAX_HEADER_BYTES", default_value = "32768", value_parser = within(8192..=1_048_576))]
    pub max_header_bytes: usize,

    /// Memory for cached levels and responses; 0 caches none
    #[arg(long, env = "MAZED_CACHE_BYTES", default_value = "67108864", value_parser = within(0..=TERABYTE))]
    pub cache_bytes: usize,
    /// Jobs that run at the same time; by default the number of cores
    #[arg(long, env = "MAZED_WORKERS", default_value_t = cores(), hide_default_value = true)]
    #[arg(value_parser = within(1..=256))]
    pub workers: usize,
    /// Memory that running jobs may hold together
    #[arg(long, env = "MAZED_WORK_BYTES", default_value = "268435456", value_parser = within(1_048_576..=TERABYTE))]
    pub work_bytes: usize,
    /// Jobs that wait for a worker before requests get 503
    #[arg(long, env = "MAZED_QUEUE", default_value = "256", value_parser = within(0..=1_000_000))]
    pub queue: usize,
    /// Memory for responses that clients have not read to their end, beside the cache; above it requests get 503
    #[arg(long, env = "MAZED_UNREAD_BYTES", default_value = "67108864", value_parser = within(1_048_576..=TERABYTE))]
    pub unread_bytes: usize,
    /// Memory for request bodies and what is parsed from them, counted as three bytes for each byte sent, until the
    /// response; above it requests get 503
    #[arg(long, env = "MAZED_BODIES_BYTES", default_value = "50331648", value_parser = within(1_024..=TERABYTE))]
    pub bodies_bytes: usize,
    /// Connections open at once; more wait to be accepted. Keep it below the limit on open files
    #[arg(long, env = "MAZED_CONNECTIONS", default_value = "1024", value_parser = within(1..=1_000_000))]
    pub connections: usize,

    /// Time for a request before it gets 504, or 408 while its body still arrives
    #[arg(long, env = "MAZED_REQUEST_TIMEOUT", default_value = "10", value_parser = some_time)]
    pub request_timeout: Duration,
    /// Time after which a connection is closed if it has sent no complete request head, or read nothing of a response.
    /// Set it above the idle timeout of the load balancer
    #[arg(long, env = "MAZED_IDLE_TIMEOUT", default_value = "75", value_parser = some_time)]
    pub idle_timeout: Duration,
    /// After SIGTERM or SIGINT: time to go on serving while /readyz says 503, so that load balancers stop sending
    /// requests first
    #[arg(long, env = "MAZED_READINESS_DELAY", default_value = "2", value_parser = time)]
    pub readiness_delay: Duration,
    /// After the readiness delay: time for running requests to end before their connections are cut
    #[arg(long, env = "MAZED_DRAIN_TIMEOUT", default_value = "5", value_parser = time)]
    pub drain_timeout: Duration,

    /// Origins whose web pages may read responses in a browser (CORS): `*` for any, or a list such as
    /// `https://play.example,http://localhost:3000`
    #[arg(long, env = "MAZED_CORS_ORIGIN", default_value = "none", value_parser = origins::origins)]
    pub cors_origin: Origins,

    /// What to log: a level, or a list such as `warn,mazed=debug`
    #[arg(long, env = "MAZED_LOG", default_value = "info")]
    pub log: String,
    /// Format of log lines
    #[arg(long, env = "MAZED_LOG_FORMAT", default_value = "text")]
    pub log_format: LogFormat,
    /// Which requests are logged: those that failed (5xx other than 503) or were slow, or all
    #[arg(long, env = "MAZED_LOG_REQUESTS", default_value = "errors")]
    pub log_requests: LogRequests,
}

pub use origins::Origins;

/// What the program can do besides serving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum Action {
    /// Ask the service that runs with these settings whether it is alive: exit code 0 if so, else 1
    Healthcheck,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Which requests are logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogRequests {
    /// Failed and slow ones.
    Errors,
    /// Each one.
    All,
}

const TERABYTE: usize = 1 << 40;

/// Bytes of the budget that each byte of a body takes: parsed, a list of points takes up to three times as much memory.
pub const BODY_COST: usize = 3;

impl Settings {
    /// Reads arguments (the first is the program's name) and the environment.
    ///
    /// # Errors
    /// If a setting is bad: the text names the variable and the values that it takes. A request for help is an error to
    /// clap too.
    pub fn read(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, clap::Error> {
        let mut command = name_values_after_variables(Self::command());
        let settings = Self::from_arg_matches(&command.try_get_matches_from_mut(arguments)?)?;
        settings.validate().map_err(|message| command.error(ErrorKind::ValueValidation, message))?;
        Ok(settings)
    }

    /// Checks settings against each other.
    fn validate(&self) -> Result<(), String> {
        let Self { max_header_bytes, max_url_bytes, bodies_bytes, max_body_bytes, .. } = self;
        if bodies_bytes / BODY_COST < *max_body_bytes {
            return Err(format!(
                "MAZED_BODIES_BYTES ({bodies_bytes}) does not hold even one body of MAZED_MAX_BODY_BYTES \
                 ({max_body_bytes}): raise it to {BODY_COST} times as much or more"
            ));
        }
        if max_header_bytes <= max_url_bytes {
            return Err(format!(
                "MAZED_MAX_HEADER_BYTES ({max_header_bytes}) holds the URL too: raise it above MAZED_MAX_URL_BYTES \
                 ({max_url_bytes})"
            ));
        }
        EnvFilter::try_new(&self.log).map(|_| ()).map_err(|error| {
            format!(
                "MAZED_LOG ({:?}): {error}; give a level such as info, or a list such as warn,mazed=debug",
                self.log
            )
        })
    }
}

/// Clap's errors name a flag and its value, but not the variable. So the value gets the name of the variable, and an
/// error shows both.
fn name_values_after_variables(command: Command) -> Command {
    command.mut_args(|arg| match arg.get_env().map(|name| name.to_string_lossy().into_owned()) {
        None => arg,
        Some(name) => {
            // templates for containers often set a variable to the empty string to leave it unset
            let unset = env::var_os(&name).is_none_or(|value| value.is_empty());
            let arg = if unset { arg.env(None::<&'static str>) } else { arg };
            arg.value_name(name).hide_env(true)
        }
    })
}

fn within(range: RangeInclusive<usize>) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("give a whole number from {} to {}", range.start(), range.end()))
    }
}

fn side(text: &str) -> Result<u32, String> {
    within(MIN_SIDE as usize..=MAX_SIDE as usize)(text).map(|side| side as u32)
}

fn room_mask_side(text: &str) -> Result<u32, String> {
    within(MIN_SIDE as usize..=MAX_ROOM_MASK_SIDE as usize)(text).map(|side| side as u32)
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "give an IP address and a port, such as 0.0.0.0:8080 or [::]:8080".to_owned())
}

fn time(text: &str) -> Result<Duration, String> {
    // a day at most, so that no deadline exceeds what the clock can hold
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "give seconds from 0 to 86400, such as 10 or 0.5".to_owned())
}

fn some_time(text: &str) -> Result<Duration, String> {
    time(text).and_then(|time| if time.is_zero() { Err("give more than 0 seconds".to_owned()) } else { Ok(time) })
}

fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}
