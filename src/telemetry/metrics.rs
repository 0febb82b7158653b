//! The metrics that Prometheus collects. A new one needs a field of [`Metrics`], its line in [`Metrics::new`], and a
//! line that counts where the event happens.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, prometheus_text};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::telemetry::log::lines_lost;

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
    /// Jobs in large masks that wait for a worker.
    SlowQueue,
    /// Bytes of responses that clients have not read.
    Unread,
    /// Bytes of request bodies.
    Bodies,
    /// Picks that run at once.
    Picks,
}

impl Overload {
    /// Every limit.
    pub const ALL: [Self; 5] = [Self::Queue, Self::SlowQueue, Self::Unread, Self::Bodies, Self::Picks];

    const fn label(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::SlowQueue => "slow_queue",
            Self::Unread => "unread",
            Self::Bodies => "bodies",
            Self::Picks => "picks",
        }
    }
}

/// The route label of requests whose path is no route.
pub const UNMATCHED: &str = "unmatched";

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
    /// Entries in the cache.
    pub cache_entries: Gauge,
    /// Bytes in the cache.
    pub cache_bytes: Gauge,
    /// Jobs on a worker.
    pub jobs_running: Gauge,
    /// Jobs that wait for a worker.
    pub jobs_queued: Gauge,
    /// Open connections.
    pub connections: Gauge,
    generations: Family<OutcomeLabels, Counter>,
    shed: Family<LimitLabels, Counter>,
    requests: Family<RequestLabels, Counter>,
    /// One histogram for each route, all made at the start, so that requests cannot add labels.
    seconds: HashMap<&'static str, Histogram>,
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

/// Reads the count of lost log lines, which the log keeps.
#[derive(Debug)]
struct LostLines;

impl Collector for LostLines {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let lost = ConstCounter::new(lines_lost());
        let help = "Log lines lost because the reader of stderr was too slow";
        lost.encode(encoder.encode_descriptor("log_lines_lost", help, None, lost.metric_type())?)
    }
}

impl Metrics {
    /// All metrics at zero. `routes` are the paths of the routes.
    pub fn new(routes: impl IntoIterator<Item = &'static str>) -> Self {
        let mut registry = Registry::with_prefix("mazed");
        registry.register_collector(Box::new(LostLines));
        let durations = Family::<RouteLabels, _, _>::new_with_constructor(|| Histogram::new(BUCKETS));
        let seconds = routes.into_iter().chain([UNMATCHED]);
        let seconds = seconds.map(|route| (route, durations.get_or_create_owned(&RouteLabels { route }))).collect();
        registry.register("request_seconds", "Time from a request's head to its response", durations);
        let requests = Family::default();
        registry.register("requests", "Requests answered", requests.clone());
        // every label from the start, so that a rate over a counter sees its first event
        let generations = Family::<OutcomeLabels, Counter>::default();
        registry.register("generations", "Levels by what became of them", generations.clone());
        for outcome in Generation::ALL {
            drop(generations.get_or_create(&OutcomeLabels { outcome: outcome.label() }));
        }
        let shed = Family::<LimitLabels, Counter>::default();
        registry.register("shed", "Requests rejected under load, by the limit that they met", shed.clone());
        for limit in Overload::ALL {
            drop(shed.get_or_create(&LimitLabels { limit: limit.label() }));
        }
        let mut counter = |name, help| {
            let counter = Counter::default();
            registry.register(name, help, counter.clone());
            counter
        };
        let cache_hits = counter("cache_hits", "Requests for which no level was made");
        let cache_misses = counter("cache_misses", "Requests for which a level was made");
        let cache_collapsed = counter("cache_collapsed", "Requests that waited for a level that another request made");
        let mut gauge = |name, help| {
            let gauge = Gauge::default();
            registry.register(name, help, gauge.clone());
            gauge
        };
        Self {
            cache_entries: gauge("cache_entries", "Entries in the cache"),
            cache_bytes: gauge("cache_bytes", "Bytes in the cache"),
            jobs_running: gauge("jobs_running", "Jobs on a worker"),
            jobs_queued: gauge("jobs_queued", "Jobs that wait for a worker"),
            connections: gauge("connections", "Open connections"),
            registry,
            generations,
            cache_hits,
            cache_misses,
            cache_collapsed,
            shed,
            requests,
            seconds,
        }
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

    /// Counts a request of a route. A route that is not in the table counts as [`UNMATCHED`].
    pub fn count_request(&self, route: &str, method: &str, status: u16, time: Duration) {
        let known = self.seconds.get_key_value(route);
        let Some((&route, seconds)) = known.or_else(|| self.seconds.get_key_value(UNMATCHED)) else { return };
        seconds.observe(time.as_secs_f64());
        let labels = RequestLabels { route, method: known_method(method), status };
        self.requests.get_or_create(&labels).inc();
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
mod tests {
    use super::*;

    #[test]
    fn the_text_has_every_metric() {
        let metrics = Metrics::new(["/maze"]);
        metrics.count_generations(Generation::Made, 1);
        metrics.count_shed(Overload::Bodies);
        metrics.connections.set(3);
        metrics.count_request("/maze", "GET", 200, Duration::from_micros(300));
        let text = metrics.encode();
        for line in [
            "# TYPE mazed_generations_total counter",
            "mazed_generations_total{outcome=\"made\"} 1",
            "mazed_generations_total{outcome=\"refused\"} 0",
            "mazed_generations_total{outcome=\"cancelled\"} 0",
            "mazed_generations_total{outcome=\"failed\"} 0",
            "mazed_cache_hits_total 0",
            "mazed_cache_misses_total 0",
            "mazed_cache_collapsed_total 0",
            "mazed_cache_entries 0",
            "mazed_cache_bytes 0",
            "mazed_jobs_running 0",
            "mazed_jobs_queued 0",
            "mazed_connections 3",
            "mazed_shed_total{limit=\"queue\"} 0",
            "mazed_shed_total{limit=\"slow_queue\"} 0",
            "mazed_shed_total{limit=\"unread\"} 0",
            "mazed_shed_total{limit=\"bodies\"} 1",
            "mazed_shed_total{limit=\"picks\"} 0",
            "mazed_requests_total{route=\"/maze\",method=\"GET\",status=\"200\"} 1",
            "# TYPE mazed_request_seconds histogram",
            "mazed_request_seconds_bucket{le=\"0.00025\",route=\"/maze\"} 0",
            "mazed_request_seconds_bucket{le=\"0.0005\",route=\"/maze\"} 1",
        ] {
            let mut parts: Vec<_> = line.split(['{', ',', '}']).collect();
            parts.sort_unstable();
            let has = text.lines().any(|other| {
                let mut others: Vec<_> = other.split(['{', ',', '}']).collect();
                others.sort_unstable();
                others == parts
            });
            assert!(has, "{line} is missing in\n{text}");
        }
    }

    #[test]
    fn invented_paths_and_methods_add_one_series() {
        let metrics = Metrics::new(["/maze"]);
        for number in 0..1000 {
            let method = format!("M{number}");
            let path = format!("/{number}");
            metrics.count_request(&path, &method, 404, Duration::ZERO);
            metrics.count_request(UNMATCHED, &method, 404, Duration::ZERO);
        }
        let text = metrics.encode();
        let series: Vec<_> = text.lines().filter(|line| line.starts_with("mazed_requests_total")).collect();
        assert_eq!(series, ["mazed_requests_total{route=\"unmatched\",method=\"other\",status=\"404\"} 2000"]);
    }
}
