//! Tests of a pick that lacks time or room.

use super::*;
use crate::http::fixtures::{TIMEOUT, app};

/// The time of a request in these tests.
const REQUEST_TIMEOUT: Duration = TIMEOUT;

fn app_with_workers(workers: &str) -> App {
    app(&["--workers", workers, "--request-timeout", &REQUEST_TIMEOUT.as_secs().to_string()])
}

fn parse(app: &App, pairs: &[(&str, &str)]) -> Parsed<Pick> {
    let accepted = Accepted { format: Some(0), coding: Coding::Identity };
    match Pick::parse(app, "/maze/pick", Parameters::bare(pairs), accepted) {
        Ok(parsed) => parsed,
        Err(problem) => panic!("{problem:?}"),
    }
}

/// A pick that no candidate matches exactly, so that the search looks at all of them.
const NO_EXACT_MATCH: [(&str, &str); 4] = [("size", "15"), ("seed", "cave"), ("min_length", "100000"), ("tries", "64")];

/// A deadline so near that no time is left for the search.
fn search_is_over() -> Instant {
    // half of the time that is reserved for the response
    Instant::now() + REQUEST_TIMEOUT.mul_f64(1.0 - TIME_FRACTION) / 2
}

#[test]
fn a_fifth_of_the_time_is_left_when_the_search_ends() {
    let deadline = Instant::now() + TIMEOUT;
    for seconds in [1, 10, 15] {
        let left = deadline - end_of_search(deadline, Duration::from_secs(seconds));
        assert!(left.as_millis().abs_diff(u128::from(seconds) * 200) <= 1, "{left:?} of {seconds} s");
    }
}

#[tokio::test]
async fn a_pick_is_cached_only_if_it_is_complete() {
    let app = app_with_workers("2");
    let url = parse(&app, &NO_EXACT_MATCH).canonical.unwrap().url;
    let Parsed { resource, canonical, .. } = parse(&app, &NO_EXACT_MATCH);
    let answer = resource.answer(&app, canonical, search_is_over()).await.unwrap();
    assert!(!answer.is_final);
    let body: serde_json::Value = serde_json::from_slice(&answer.outcome.value.bytes).unwrap();
    assert_eq!((&body["complete"], &body["tried"]), (&false.into(), &4.into()), "{body}");
    assert!(app.service.get::<CachedBody>(&url, |_| true).is_none(), "the best so far is not kept");

    let Parsed { resource, canonical, .. } = parse(&app, &NO_EXACT_MATCH);
    let answer = resource.answer(&app, canonical, Instant::now() + REQUEST_TIMEOUT).await.unwrap();
    assert!(answer.is_final);
    let body: serde_json::Value = serde_json::from_slice(&answer.outcome.value.bytes).unwrap();
    assert_eq!((&body["complete"], &body["tried"]), (&true.into(), &64.into()), "{body}");
    assert!(app.service.get::<CachedBody>(&url, |_| true).is_some());
}

#[tokio::test]
async fn no_more_searches_run_at_once_than_there_are_workers() {
    let app = app_with_workers("2");
    assert_eq!(app.picks.available_permits(), 2);
    let long = [("algo", "prim"), ("size", "1001"), ("seed", "7"), ("difficulty", "0"), ("tries", "1024")];
    let searches = [(); 2].map(|()| {
        let app = app.clone();
        tokio::spawn(async move {
            let Parsed { resource, canonical, .. } = parse(&app, &long);
            resource.answer(&app, canonical, Instant::now() + REQUEST_TIMEOUT).await.map(|_| ())
        })
    });
    let begun = Instant::now();
    while app.picks.available_permits() > 0 {
        assert!(begun.elapsed() < TIMEOUT, "the searches hold no permit");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let Parsed { resource, canonical, .. } = parse(&app, &NO_EXACT_MATCH);
    let refused = resource.answer(&app, canonical, search_is_over()).await.err();
    assert_eq!(refused, Some(Problem::Overloaded(Busy::soon(Overload::Picks))));
    for search in searches {
        search.abort();
        assert!(search.await.unwrap_err().is_cancelled());
    }
    assert_eq!(app.picks.available_permits(), 2, "a client that leaves gives its permit back");
}

#[test]
fn the_entity_tag_has_the_revisions_of_algorithm_query_and_format() {
    let app = app_with_workers("1");
    let Canonical { etag, .. } = parse(&app, &NO_EXACT_MATCH).canonical.unwrap();
    let etag = etag.unwrap().to_str().unwrap().to_owned();
    let algorithm = parse(&app, &NO_EXACT_MATCH).resource.query.series().algorithm().revision;
    assert!(etag.ends_with(&format!("-{algorithm}.{}.{}\"", pick::REVISION, json::REVISION)), "{etag}");
}

#[tokio::test]
async fn a_pick_whose_time_is_over_before_it_has_a_candidate_fails() {
    let app = app_with_workers("2");
    let Parsed { resource, canonical, .. } = parse(&app, &[("size", "2001"), ("seed", "7"), ("difficulty", "0")]);
    assert_eq!(resource.answer(&app, canonical, Instant::now()).await.err(), Some(Problem::Deadline));
}

#[tokio::test]
async fn a_pick_whose_candidates_all_have_a_wall_at_the_start_says_so() {
    let app = app_with_workers("2");
    let (mut picked, mut refused) = (0, 0);
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let pairs = [("size", "15"), ("start", "1,2"), ("seed", seed), ("difficulty", "0"), ("tries", "1")];
        let Parsed { resource, canonical, .. } = parse(&app, &pairs);
        match resource.answer(&app, canonical, Instant::now() + REQUEST_TIMEOUT).await {
            Ok(_) => picked += 1,
            Err(Problem::BadParameters(errors)) => {
                assert_eq!(errors[0].parameter, "start");
                refused += 1;
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(picked > 0 && refused > 0, "{picked} {refused}");
}

#[test]
fn a_pick_is_a_miss_if_one_of_its_batches_is() {
    use CacheStatus::{Collapsed, Hit, Miss};
    for (one, other, status) in [
        (Hit, Hit, Hit),
        (Hit, Collapsed, Collapsed),
        (Collapsed, Hit, Collapsed),
        (Collapsed, Miss, Miss),
        (Miss, Collapsed, Miss),
        (Miss, Hit, Miss),
        (Hit, Miss, Miss),
    ] {
        assert_eq!(both(one, other), status, "{one:?} {other:?}");
    }
}
