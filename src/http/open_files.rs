//! The limit of the system on the open files of a process: each connection is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::warn;

use crate::config::Settings;
use crate::http::connections::KEPT_BACK;
use crate::http::server::ADMIN_CONNECTIONS;

/// Files that the program has open beside its connections: listeners, logs, the files of the runtime. Some to spare.
const OWN: u64 = 32;

/// Raises the limit on open files to what the connections of these settings need, as far as the system lets the program
/// do so itself. Warns if that is not enough: at the limit the program can accept no connection, a probe's neither.
pub fn provide(settings: &Settings) {
    let needed = needed(settings);
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return;
    }
    let current = limit.maximum.map_or(needed, |maximum| maximum.min(needed));
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(current), maximum: limit.maximum });
    let allowed = if raised.is_ok() { Some(current) } else { limit.current };
    if let Some(allowed) = allowed.filter(|allowed| *allowed < needed) {
        warn!(
            "the limit on open files ({allowed}) is too low for MAZED_CONNECTIONS ({}): raise it to {needed}, or lower \
             MAZED_CONNECTIONS",
            settings.connections
        );
    }
}

fn needed(settings: &Settings) -> u64 {
    let admin = if settings.admin_addr.0.is_some() { ADMIN_CONNECTIONS + KEPT_BACK } else { 0 };
    (settings.connections + KEPT_BACK + admin) as u64 + OWN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::fixtures::settings;

    #[test]
    fn each_connection_of_both_listeners_needs_a_file() {
        assert_eq!(needed(&settings(&["--connections", "100"])), 100 + 32 + 32);
        assert_eq!(needed(&settings(&["--connections", "100", "--admin-addr", ":0"])), 100 + 32 + 16 + 32 + 32);
    }
}
