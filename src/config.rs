//! Every setting: a flag and an environment variable of the same name (`--max-side`, `MAZED_MAX_SIDE`). The comments
//! here are the text of `mazed --help`.

mod address;
mod memory;
mod origins;
mod proxies;
mod read;
mod units;
mod variables;

use std::env;
use std::ffi::OsString;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::level::recipe::{DEFAULT_ROOM_MASK_SIDE, MAX_ROOM_MASK_SIDE, MAX_SIDE, MIN_SIDE};
use units::{size, size_text, some_time, time};

pub use address::{Address, AdminAddress};
pub use memory::container_limit;
pub use origins::Origins;
pub use proxies::TrustedProxies;
pub use read::ReadError;

// The groups of `mazed --help`.
const ADDRESS: &str = "Addresses";
const REQUESTS: &str = "Limits of a request";
const MEMORY: &str = "Memory and work";
const TIMES: &str = "Times";
const BROWSERS: &str = "Browsers";
const LOGS: &str = "Logs";

/// Makes mazes and room maps for games, over HTTP.
///
/// Each option can also be set by the environment variable that its value is named after. A variable that is empty
/// counts as not set. Sizes are in bytes or have a unit (64MiB, 64MB), times are in seconds or have a unit (500ms, 10s,
/// 2m, 1h).
#[derive(Debug, Clone, Parser)]
#[command(version, max_term_width = 120)]
pub struct Settings {
    /// What to do instead of serving
    #[command(subcommand)]
    pub action: Option<Action>,

    /// Address and port to listen on: an IP address, a host name (localhost:8080), or all interfaces (:8080). Port 0
    /// takes a free one and logs it
    #[arg(long, env = "MAZED_ADDR", help_heading = ADDRESS, default_value = "127.0.0.1:8080", global = true)]
    pub addr: Address,
    /// Address and port of a listener of its own for /healthz, /readyz and /metrics, with connections of its own; or
    /// none, then clients and probes share one. With it, the listener for clients does not answer /metrics
    #[arg(long, env = "MAZED_ADMIN_ADDR", help_heading = ADDRESS, default_value = "none", global = true)]
    #[arg(value_parser = address::address_or_none)]
    pub admin_addr: AdminAddress,

    /// Largest side of a level in tiles.
    #[arg(long, env = "MAZED_MAX_SIDE", help_heading = REQUESTS, default_value = "4001", value_parser = side)]
    #[arg(help = format!("Largest side of a level in tiles, from {MIN_SIDE} to {MAX_SIDE}"))]
    pub max_side: u32,
    /// Largest side of a mask for rooms in tiles.
    #[arg(long, env = "MAZED_MAX_ROOM_MASK_SIDE", help_heading = REQUESTS, default_value_t = DEFAULT_ROOM_MASK_SIDE)]
    #[arg(value_parser = room_mask_side, help = room_mask_help())]
    pub max_room_mask_side: u32,
    /// Largest response; a request for a larger one gets 422
    #[arg(long, env = "MAZED_MAX_ANSWER_BYTES", help_heading = REQUESTS, default_value = "64MiB")]
    #[arg(value_parser = size(1024..=TERABYTE))]
    pub max_answer_bytes: usize,
    /// Largest request body; a larger one gets 413
    #[arg(long, env = "MAZED_MAX_BODY_BYTES", help_heading = REQUESTS, default_value = "2MiB")]
    #[arg(value_parser = size(1..=TERABYTE))]
    pub max_body_bytes: usize,
    /// Longest path and query; a longer one gets 414
    #[arg(long, env = "MAZED_MAX_URL_BYTES", help_heading = REQUESTS, default_value = "4KiB")]
    #[arg(value_parser = size(64..=65_000))]
    pub max_url_bytes: usize,
    /// Largest request head, from the first line to the empty one: at least 8KiB and above the longest URL; a larger
    /// one gets 431
    #[arg(long, env = "MAZED_MAX_HEADER_BYTES", help_heading = REQUESTS, default_value = "32KiB")]
    #[arg(value_parser = size(8192..=1 << 20))]
    pub max_header_bytes: usize,

    /// Memory for cached levels and responses; 0 caches none
    #[arg(long, env = "MAZED_CACHE_BYTES", help_heading = MEMORY, default_value = "64MiB")]
    #[arg(value_parser = size(0..=TERABYTE))]
    pub cache_bytes: usize,
    /// Jobs of each class (small, medium, large) that run at the same time: a number, or one for each core
    #[arg(long, env = "MAZED_WORKERS", help_heading = MEMORY, default_value = CORES, value_parser = workers)]
    pub workers: usize,
    /// Memory that running jobs may hold together; a request that needs more than three quarters of it gets 422
    #[arg(long, env = "MAZED_WORK_BYTES", help_heading = MEMORY, default_value = "256MiB")]
    #[arg(value_parser = size(1 << 20..=TERABYTE))]
    pub work_bytes: usize,
    /// Jobs of each class that wait for a worker before requests get 503
    #[arg(long, env = "MAZED_QUEUE", help_heading = MEMORY, default_value = "256")]
    #[arg(value_parser = within(0..=1_000_000))]
    pub queue: usize,
    /// Memory for responses that clients have not read to their end, beside the cache; above it requests get 503
    #[arg(long, env = "MAZED_UNREAD_BYTES", help_heading = MEMORY, default_value = "64MiB")]
    #[arg(value_parser = size(1 << 20..=TERABYTE))]
    pub unread_bytes: usize,
    /// Memory for request bodies and what is parsed from them, counted as three bytes for each byte sent, until the
    /// response; above it requests get 503
    #[arg(long, env = "MAZED_BODIES_BYTES", help_heading = MEMORY, default_value = "48MiB")]
    #[arg(value_parser = size(1024..=TERABYTE))]
    pub bodies_bytes: usize,
    /// Connections open at once; a further one takes the place of the one that has been idle longest. Keep it below the
    /// limit on open files
    #[arg(long, env = "MAZED_CONNECTIONS", help_heading = MEMORY, default_value = "1024")]
    #[arg(value_parser = within(1..=1_000_000))]
    pub connections: usize,

    /// Time for a request before it gets 504, or 408 while its body still arrives
    #[arg(long, env = "MAZED_REQUEST_TIMEOUT", help_heading = TIMES, default_value = "10s", value_parser = some_time)]
    pub request_timeout: Duration,
    /// Time for a request's head, from its first byte or from the start of the connection
    #[arg(long, env = "MAZED_HEAD_TIMEOUT", help_heading = TIMES, default_value = "10s", value_parser = some_time)]
    pub head_timeout: Duration,
    /// Time after which a connection is closed if no request has followed the last one, or the client has read nothing
    /// of a response, or less than 16KiB/s on average. Set it above the idle timeout of the load balancer
    #[arg(long, env = "MAZED_IDLE_TIMEOUT", help_heading = TIMES, default_value = "75s", value_parser = some_time)]
    pub idle_timeout: Duration,
    /// After SIGTERM, SIGINT or SIGHUP: time to go on serving while /readyz says 503, so that load balancers stop
    /// sending requests first
    #[arg(long, env = "MAZED_READINESS_DELAY", help_heading = TIMES, default_value = "2s", value_parser = time)]
    pub readiness_delay: Duration,
    /// After the readiness delay: time for running requests to end before their connections are cut
    #[arg(long, env = "MAZED_DRAIN_TIMEOUT", help_heading = TIMES, default_value = "5s", value_parser = time)]
    pub drain_timeout: Duration,

    /// Origins whose web pages may read responses in a browser (CORS): `*` for any, or a list such as
    /// `https://play.example,http://localhost:3000`
    #[arg(long, env = "MAZED_CORS_ORIGIN", help_heading = BROWSERS, default_value = "none")]
    #[arg(value_parser = origins::origins)]
    pub cors_origin: Origins,

    /// What to log: a level, or a list such as `warn,mazed=debug`
    #[arg(long, env = "MAZED_LOG", help_heading = LOGS, default_value = "info", value_parser = log_filter)]
    pub log: String,
    /// Format of log lines
    #[arg(long, env = "MAZED_LOG_FORMAT", help_heading = LOGS, default_value = "text")]
    pub log_format: LogFormat,
    /// Which requests are logged: those that failed (5xx other than 503) or were slow, or all
    #[arg(long, env = "MAZED_LOG_REQUESTS", help_heading = LOGS, default_value = "errors")]
    pub log_requests: LogRequests,
    /// Proxies that are believed when `X-Forwarded-For` names the client: a list of addresses and networks, such as
    /// `10.0.0.0/8,::1`
    #[arg(long, env = "MAZED_TRUSTED_PROXIES", help_heading = LOGS, default_value = "none")]
    pub trusted_proxies: TrustedProxies,
}

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

/// The value of the number of workers that stands for the number of cores.
const CORES: &str = "cores";

/// Bytes of the budget that each byte of a body takes: parsed, a list of points takes up to three times as much memory.
pub const BODY_COST: usize = 3;

/// How much of the budget for bodies only small bodies may take.
pub const fn bodies_for_small(bodies_bytes: usize) -> usize {
    bodies_bytes / 8
}

impl Settings {
    /// Reads arguments (the first is the program's name) and the environment.
    ///
    /// # Errors
    /// All bad settings at once: each text names the variable and the values that it takes. A request for help is an
    /// error too.
    pub fn read(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, ReadError> {
        let arguments = arguments.into_iter().map(Into::into).collect();
        let read::Parsed { matches, bad, is_json } = read::parse(Self::command(), arguments)?;
        let settings = Self::from_arg_matches(&matches).map_err(ReadError::Usage)?;
        // a bad setting has its default here, so a conflict with another setting may be none
        let is_bad = |variable: &str| bad.iter().any(|bad| bad.variable == variable);
        let conflicts = settings.conflicts().filter(|([one, other], _)| !is_bad(one) && !is_bad(other));
        let conflicts = conflicts.map(|(_, message)| message);
        let messages: Vec<_> = bad.iter().map(|bad| bad.message.clone()).chain(conflicts).collect();
        if messages.is_empty() { Ok(settings) } else { Err(ReadError::Bad { messages, is_json }) }
    }

    /// A warning for each environment variable that looks like a setting and is none.
    pub fn unknown_variables() -> Vec<String> {
        let variables: Vec<_> = env::vars_os().collect();
        let variables = variables.iter().filter_map(|(name, value)| name.to_str().zip(value.to_str()));
        let command = Self::command();
        let known = command.get_arguments().filter_map(|argument| argument.get_env()?.to_str());
        let known: Vec<_> = known.map(str::to_owned).collect();
        variables::unknown(variables, &known).collect()
    }

    /// The most bytes that the program takes: the sum of all budgets, of all connections, and of the idle program.
    pub fn memory_bytes(&self) -> usize {
        let budgets = [self.cache_bytes, self.work_bytes, self.unread_bytes, self.bodies_bytes];
        memory::most_bytes(budgets, self.connections)
    }

    /// A warning if the program may take more than this limit of its container.
    pub fn memory_warning(&self, limit: Option<usize>) -> Option<String> {
        memory::warning(self.memory_bytes(), limit?)
    }

    /// Settings that do not go together: their variables, and what is wrong.
    fn conflicts(&self) -> impl Iterator<Item = ([&'static str; 2], String)> {
        let &Self { max_header_bytes, max_url_bytes, bodies_bytes, max_body_bytes, .. } = self;
        let for_large = bodies_bytes - bodies_for_small(bodies_bytes);
        let bodies = (for_large / BODY_COST < max_body_bytes).then(|| {
            let message = format!(
                "MAZED_BODIES_BYTES ({}) does not hold even one body of MAZED_MAX_BODY_BYTES ({}): raise it to \
                 {} times as much or more",
                size_text(bodies_bytes),
                size_text(max_body_bytes),
                // a little more than its cost, because a part of the budget is for small bodies
                BODY_COST + 1
            );
            (["MAZED_BODIES_BYTES", "MAZED_MAX_BODY_BYTES"], message)
        });
        let head = (max_header_bytes <= max_url_bytes).then(|| {
            let message = format!(
                "MAZED_MAX_HEADER_BYTES ({}) holds the URL too: raise it above MAZED_MAX_URL_BYTES ({})",
                size_text(max_header_bytes),
                size_text(max_url_bytes)
            );
            (["MAZED_MAX_HEADER_BYTES", "MAZED_MAX_URL_BYTES"], message)
        });
        let admin = (self.admin_addr.0.as_ref() == Some(&self.addr) && !self.addr.takes_a_free_port()).then(|| {
            let message = format!("MAZED_ADMIN_ADDR ({0}) is MAZED_ADDR ({0}) too: give it another port", self.addr);
            (["MAZED_ADMIN_ADDR", "MAZED_ADDR"], message)
        });
        bodies.into_iter().chain(head).chain(admin)
    }
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

fn room_mask_help() -> String {
    format!(
        "Largest side of a mask for rooms in tiles, from {MIN_SIDE} to {MAX_ROOM_MASK_SIDE}: the search for rooms in a \
         mask takes long"
    )
}

fn workers(text: &str) -> Result<usize, String> {
    if text == CORES {
        return Ok(available_parallelism().map_or(1, NonZero::get));
    }
    within(1..=256)(text).map_err(|message| format!("{message}, or {CORES}"))
}

/// Checks that each part of a log filter names a level. A part such as `verbose` would be taken for the name of a
/// module, and all other modules would log nothing.
fn log_filter(text: &str) -> Result<String, String> {
    let names_level = |part: &str| part.rsplit('=').next().is_some_and(|level| level.parse::<LevelFilter>().is_ok());
    let error = match text.split(',').find(|part| !names_level(part.trim())) {
        Some(part) => format!("{part:?} names no level"),
        None => match EnvFilter::try_new(text) {
            Ok(_) => return Ok(text.to_owned()),
            Err(error) => error.to_string(),
        },
    };
    Err(format!("{error}; give a level (error, warn, info, debug, trace, off), or a list such as warn,mazed=debug"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(flags: &[&str]) -> Settings {
        Settings::read([&["mazed"], flags].concat()).unwrap()
    }

    #[test]
    fn the_defaults_suit_a_container_of_512_mib() {
        let settings = settings(&[]);
        assert!(settings.memory_bytes() <= 512 << 20, "{}", settings.memory_bytes());
        assert_eq!(settings.memory_warning(Some(512 << 20)), None);
        assert_eq!(settings.memory_warning(None), None);
    }

    #[test]
    fn each_budget_counts() {
        let bytes = settings(&[]).memory_bytes();
        for flag in ["--cache-bytes", "--work-bytes", "--unread-bytes", "--bodies-bytes"] {
            let more = settings(&[flag, "1GiB"]);
            assert!(more.memory_bytes() > bytes + (512 << 20), "{flag}");
            let warning = more.memory_warning(Some(512 << 20)).unwrap();
            assert!(warning.contains("the container has 512MiB"), "{warning}");
        }
        assert!(settings(&["--connections", "2048"]).memory_bytes() > bytes);
    }
}
