//! The metrics that Prometheus collects. A new one needs a field of [`Metrics`], its line in [`Metrics::new`], and a
//! line that counts where the event happens.

use std::collections::HashMap;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, prometheus_text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use crate::config::Settings;
use crate::telemetry::process::ProcessMetrics;

/// Upper bounds of the buckets in seconds, from a cached response to the longest request.
const BUCKETS: [f64; 16] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// What became of levels that the service set out to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// They were made.
    Made,
    /// The recipe cannot be built, or its start or exit is a wall.
    Refused,
    /// The job was cancelled: its deadline passed, or the service stopped.
    Cancelled,
    /// The job panicked.
    Failed,
}

impl Generation {
    const ALL: [Self; 4] = [Self::Made, Self::Refused, Self::Cancelled, Self::Failed];

    const fn label(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }
}

/// A limit at which the service sheds requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overload {
    /// Jobs that wait for a worker.
    Queue,
    /// The time that waiting jobs take.
    Wait,
    /// Bytes of responses that clients have not read.
    Unread,
    /// Bytes of request bodies.
    Bodies,
    /// Picks that run at once.
    Picks,
    /// Open connections.
    Connections,
}

impl Overload {
    /// Every limit.
    pub const ALL: [Self; 6] = [Self::Queue, Self::Wait, Self::Unread, Self::Bodies, Self::Picks, Self::Connections];

    const fn label(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Wait => "wait",
            Self::Unread => "unread",
            Self::Bodies => "bodies",
            Self::Picks => "picks",
            Self::Connections => "connections",
        }
    }
}

/// The route label of requests whose path is no route.
pub const UNMATCHED: &str = "unmatched";

/// The commit that the program was built from, if the build named it.
pub(super) const COMMIT: &str = match option_env!("MAZED_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};

/// All metrics. Counters and gauges are atomics; the code changes them where the events happen.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// Requests for which no level was made.
    pub cache_hits: Counter,
    /// Requests for which a level was made.
    pub cache_misses: Counter,
    /// Requests that waited for a level that another request made.
    pub cache_collapsed: Counter,
    /// Entries that left the cache to make room.
    pub cache_evictions: Counter,
    /// Entries in the cache.
    pub cache_entries: Gauge,
    /// Bytes in the cache.
    pub cache_bytes: Gauge,
    /// Bytes of responses in the cache and on their way to clients.
    pub responses_bytes: Gauge,
    /// Bytes of request bodies and of what was parsed from them.
    pub bodies_bytes: Gauge,
    /// Bytes that running jobs may hold.
    pub work_bytes: Gauge,
    /// Jobs on a worker.
    pub jobs_running: Gauge,
    /// Jobs that wait for a worker.
    pub jobs_queued: Gauge,
    /// Picks that run.
    pub picks: Gauge,
    /// Open connections.
    pub connections: Gauge,
    /// Requests that were malformed or too large for the HTTP library, which answered them itself.
    pub bad_requests: Counter,
    limits: Limits,
    generations: Family<OutcomeLabels, Counter>,
    generation_seconds: Family<AlgorithmLabels, Histogram, NewHistogram>,
    wait_seconds: Family<AlgorithmLabels, Histogram, NewHistogram>,
    shed: Family<LimitLabels, Counter>,
    requests: Family<RequestLabels, Counter>,
    /// All made at the start, so that requests cannot add labels.
    routes: HashMap<&'static str, RouteMetrics>,
}

/// The limits that the settings give, each beside the gauge of what is in use.
#[derive(Debug)]
struct Limits {
    workers: Gauge,
    queue: Gauge,
    picks: Gauge,
    connections: Gauge,
    cache: Gauge,
    responses: Gauge,
    bodies: Gauge,
    work: Gauge,
}

/// The metrics of one route.
#[derive(Debug)]
struct RouteMetrics {
    seconds: Histogram,
    bytes: Counter,
}

/// An answer to a request, as it is counted.
#[derive(Debug, Clone, Copy)]
pub struct Answered<'a> {
    /// The path of the route. One that is not in the table counts as [`UNMATCHED`].
    pub route: &'a str,
    /// The method of the request.
    pub method: &'a str,
    /// The status of the response.
    pub status: u16,
    /// The bytes of the response's body.
    pub bytes: u64,
    /// From the end of the request's head to the response.
    pub time: Duration,
}

type NewHistogram = fn() -> Histogram;

fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BuildLabels {
    version: &'static str,
    commit: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AlgorithmLabels {
    algorithm: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: &'static str,
    method: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LimitLabels {
    limit: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: &'static str,
}

impl Metrics {
    /// All metrics at zero. `routes` are the paths of the routes.
    pub fn new(routes: impl IntoIterator<Item = &'static str>) -> Self {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(ProcessMetrics));
        let own = registry.sub_registry_with_prefix("mazed");
        let build = BuildLabels { version: env!("CARGO_PKG_VERSION"), commit: COMMIT };
        own.register("build", "The version of the program and the commit that it was built from", Info::new(build));

        let seconds = Family::<RouteLabels, _, _>::new_with_constructor(histogram as NewHistogram);
        let bytes = Family::<RouteLabels, Counter>::default();
        let routes = routes.into_iter().chain([UNMATCHED]).map(|route| {
            let labels = RouteLabels { route };
            let seconds = seconds.get_or_create_owned(&labels);
            (route, RouteMetrics { seconds, bytes: bytes.get_or_create_owned(&labels) })
        });
        let routes = routes.collect();
        own.register("http_request_duration_seconds", "Time from a request's head to its response", seconds);
        own.register("http_response_bytes", "Bytes of the bodies of responses", bytes);
        let requests = Family::default();
        own.register("http_requests", "Requests answered", requests.clone());

        // every label from the start, so that a rate over a counter sees its first event
        let generations = Family::<OutcomeLabels, Counter>::default();
        own.register("generations", "Levels by what became of them", generations.clone());
        for outcome in Generation::ALL {
            drop(generations.get_or_create(&OutcomeLabels { outcome: outcome.label() }));
        }
        let shed = Family::<LimitLabels, Counter>::default();
        own.register("shed", "Requests rejected under load, by the limit that they met", shed.clone());
        for limit in Overload::ALL {
            drop(shed.get_or_create(&LimitLabels { limit: limit.label() }));
        }

        let mut by_algorithm = |name, help| {
            let family = Family::<AlgorithmLabels, _, _>::new_with_constructor(histogram as NewHistogram);
            own.register(name, help, family.clone());
            family
        };
        let generation_seconds = by_algorithm("generation_duration_seconds", "Time in which a worker made a level");
        let wait_seconds = by_algorithm("queue_wait_seconds", "Time for which a job waited for a worker");
        let mut counter = |name, help| {
            let counter = Counter::default();
            own.register(name, help, counter.clone());
            counter
        };
        let cache_hits = counter("cache_hits", "Requests for which no level was made");
        let cache_misses = counter("cache_misses", "Requests for which a level was made");
        let cache_collapsed = counter("cache_collapsed", "Requests that waited for a level that another request made");
        let cache_evictions = counter("cache_evictions", "Entries that left the cache to make room");
        let bad_requests = counter("bad_requests", "Malformed or oversized requests, refused before routing");
        let mut gauge = |name, help| {
            let gauge = Gauge::default();
            own.register(name, help, gauge.clone());
            gauge
        };
        let limits = Limits {
            workers: gauge("workers", "Jobs of each class that may run at once"),
            queue: gauge("queue_limit", "Jobs of each class that may wait for a worker"),
            picks: gauge("picks_limit", "Picks that may run at once"),
            connections: gauge("connections_limit", "Connections that may be open"),
            cache: gauge("cache_limit_bytes", "The budget of the cache"),
            responses: gauge("responses_limit_bytes", "The budget of responses in the cache and on their way"),
            bodies: gauge("bodies_limit_bytes", "The budget of request bodies"),
            work: gauge("work_limit_bytes", "The budget of running jobs"),
        };
        Self {
            cache_entries: gauge("cache_entries", "Entries in the cache"),
            cache_bytes: gauge("cache_bytes", "Bytes in the cache"),
            responses_bytes: gauge("responses_bytes", "Bytes of responses in the cache and on their way to clients"),
            bodies_bytes: gauge("bodies_bytes", "Bytes of request bodies and of what was parsed from them"),
            work_bytes: gauge("work_bytes", "Bytes that running jobs may hold"),
            jobs_running: gauge("jobs_running", "Jobs on a worker"),
            jobs_queued: gauge("jobs_queued", "Jobs that wait for a worker"),
            picks: gauge("picks", "Picks that run"),
            connections: gauge("connections", "Open connections"),
            registry,
            limits,
            generations,
            generation_seconds,
            wait_seconds,
            cache_hits,
            cache_misses,
            cache_collapsed,
            cache_evictions,
            bad_requests,
            shed,
            requests,
            routes,
        }
    }

    /// Shows the limits of these settings.
    pub fn set_limits(&self, settings: &Settings) {
        let Limits { workers, queue, picks, connections, cache, responses, bodies, work } = &self.limits;
        for (gauge, limit) in [
            (workers, settings.workers),
            (queue, settings.queue),
            (picks, settings.workers),
            (connections, settings.connections),
            (cache, settings.cache_bytes),
            (responses, settings.cache_bytes + settings.unread_bytes),
            (bodies, settings.bodies_bytes),
            (work, settings.work_bytes),
        ] {
            gauge.set(limit.cast_signed() as i64);
        }
    }

    /// Records how long a worker took to make a level, or several for a pick.
    pub fn observe_generation(&self, algorithm: &'static str, time: Duration) {
        self.generation_seconds.get_or_create(&AlgorithmLabels { algorithm }).observe(time.as_secs_f64());
    }

    /// Records how long a job waited for a worker.
    pub fn observe_wait(&self, algorithm: &'static str, time: Duration) {
        self.wait_seconds.get_or_create(&AlgorithmLabels { algorithm }).observe(time.as_secs_f64());
    }

    /// Counts levels by what became of them.
    pub fn count_generations(&self, outcome: Generation, levels: u64) {
        self.generations.get_or_create(&OutcomeLabels { outcome: outcome.label() }).inc_by(levels);
    }

    /// Counts a request that met a limit.
    pub fn count_shed(&self, limit: Overload) {
        self.shed.get_or_create(&LimitLabels { limit: limit.label() }).inc();
    }

    /// How many levels had this outcome so far.
    pub fn generations(&self, outcome: Generation) -> u64 {
        self.generations.get_or_create(&OutcomeLabels { outcome: outcome.label() }).get()
    }

    /// How many requests have met this limit so far.
    pub fn shed(&self, limit: Overload) -> u64 {
        self.shed.get_or_create(&LimitLabels { limit: limit.label() }).get()
    }

    /// Counts an answer.
    pub fn count_answer(&self, answered: Answered) {
        let Answered { route, method, status, bytes, time } = answered;
        let known = self.routes.get_key_value(route).or_else(|| self.routes.get_key_value(UNMATCHED));
        let Some((&route, metrics)) = known else { return };
        metrics.seconds.observe(time.as_secs_f64());
        metrics.bytes.inc_by(bytes);
        self.requests.get_or_create(&RequestLabels { route, method: known_method(method), status }).inc();
    }

    /// All metrics in the Prometheus text format, whose media type is [`CONTENT_TYPE`](crate::telemetry::CONTENT_TYPE).
    pub fn encode(&self) -> String {
        let mut text = String::new();
        if let Err(error) = prometheus_text::encode(&mut text, &self.registry) {
            tracing::error!(%error, "metrics cannot be written");
        }
        text
    }
}

/// The label of a method. Clients can send any method name, and must not add labels by it.
fn known_method(method: &str) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    known.into_iter().find(|known| *known == method).unwrap_or("other")
}

#[cfg(test)]
mod tests;
