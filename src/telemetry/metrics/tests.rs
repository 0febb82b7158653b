//! Tests of the text that Prometheus collects.

use super::*;

fn answered<'a>(route: &'a str, method: &'a str, status: u16) -> Answered<'a> {
    Answered { route, method, status, bytes: 1_000, time: Duration::from_micros(300) }
}

#[test]
fn the_text_has_every_metric() {
    let metrics = Metrics::new(["/maze"]);
    metrics.count_generations(Generation::Made, 1);
    metrics.count_shed(Overload::Bodies);
    metrics.connections.set(3);
    metrics.observe_wait("dfs", Duration::from_millis(2));
    metrics.observe_generation("dfs", Duration::from_millis(3));
    metrics.count_answer(answered("/maze", "GET", 200));
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
        "# TYPE mazed_build_info gauge",
        "mazed_http_response_bytes_total{route=\"/maze\"} 1000",
        "# TYPE mazed_queue_wait_seconds histogram",
        "mazed_queue_wait_seconds_bucket{le=\"0.001\",algorithm=\"dfs\"} 0",
        "mazed_queue_wait_seconds_bucket{le=\"0.0025\",algorithm=\"dfs\"} 1",
        "mazed_generation_duration_seconds_bucket{le=\"0.0025\",algorithm=\"dfs\"} 0",
        "mazed_generation_duration_seconds_bucket{le=\"0.005\",algorithm=\"dfs\"} 1",
        "mazed_shed_total{limit=\"queue\"} 0",
        "mazed_shed_total{limit=\"wait\"} 0",
        "mazed_shed_total{limit=\"unread\"} 0",
        "mazed_shed_total{limit=\"bodies\"} 1",
        "mazed_shed_total{limit=\"picks\"} 0",
        "mazed_http_requests_total{route=\"/maze\",method=\"GET\",status=\"200\"} 1",
        "# TYPE mazed_http_request_duration_seconds histogram",
        "mazed_http_request_duration_seconds_bucket{le=\"0.00025\",route=\"/maze\"} 0",
        "mazed_http_request_duration_seconds_bucket{le=\"0.0005\",route=\"/maze\"} 1",
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
        metrics.count_answer(answered(&path, &method, 404));
        metrics.count_answer(answered(UNMATCHED, &method, 404));
    }
    let text = metrics.encode();
    let series: Vec<_> = text.lines().filter(|line| line.starts_with("mazed_http_requests_total")).collect();
    assert_eq!(series, ["mazed_http_requests_total{route=\"unmatched\",method=\"other\",status=\"404\"} 2000"]);
}

#[test]
fn the_limits_are_those_of_the_settings() {
    let flags = ["--workers", "3", "--queue", "5", "--connections", "7", "--cache-bytes", "0", "--work-bytes", "2MiB"];
    let flags = [&["mazed"], &flags[..], &["--unread-bytes", "1MiB", "--bodies-bytes", "9MiB"]].concat();
    let metrics = Metrics::new([]);
    metrics.set_limits(&Settings::read(flags).unwrap());
    let text = metrics.encode();
    for line in [
        "mazed_workers 3",
        "mazed_queue_limit 5",
        "mazed_picks_limit 3",
        "mazed_connections_limit 7",
        "mazed_cache_limit_bytes 0",
        "mazed_responses_limit_bytes 1048576",
        "mazed_bodies_limit_bytes 9437184",
        "mazed_work_limit_bytes 2097152",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} is missing in\n{text}");
    }
}

#[test]
fn the_process_is_measured_on_linux() {
    let text = Metrics::new([]).encode();
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} is missing in\n{text}")).parse::<f64>().unwrap()
    };
    assert!(value("mazed_panics_total") >= 0.0);
    if cfg!(target_os = "linux") {
        assert!(value("process_cpu_seconds_total") >= 0.0);
        let (resident, all) = (value("process_resident_memory_bytes"), value("process_virtual_memory_bytes"));
        assert!(1e6 < resident && resident < all, "{resident} {all}");
        assert!(1.0 < value("process_open_fds") && value("process_open_fds") < value("process_max_fds"));
        assert!(value("process_threads") >= 1.0);
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
        let started = value("process_start_time_seconds");
        assert!(now - 86_400.0 < started && started < now + 5.0, "{started} {now}");
    }
}
