//! Tests of what is counted of a request.

use axum::body::Body;
use axum::http::StatusCode;

use super::*;
use crate::http::fixtures::app;
use crate::http::routes::ROUTES;
use crate::level::error::ParameterError;
use crate::service::Busy;
use crate::telemetry::Overload;

/// A request of `/maze` under way.
fn under_way(app: &App) -> RequestMetrics {
    let mut request = Request::builder().uri("/maze?seed=7").body(Body::empty()).unwrap();
    RequestMetrics::new(&ROUTES[0], app.clone(), &mut request, Instant::now())
}

/// How often this status was counted.
fn counted(app: &App, status: u16) -> u64 {
    let text = app.metrics.encode();
    let label = format!("status=\"{status}\"");
    let lines = text.lines().filter(|line| line.starts_with("mazed_http_requests_total{") && line.contains(&label));
    lines.map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum()
}

#[test]
fn only_what_the_service_sheds_counts_as_shed() {
    let app = app(&[]);
    for (problem, shed) in [
        (Problem::Draining, 0),
        (Problem::Deadline, 0),
        (Problem::Internal("broken on purpose".into()), 0),
        (Problem::BodyTooSlow, 0),
        (Problem::BadParameters(vec![ParameterError::new("size", "")]), 0),
        (Problem::Overloaded(Busy::soon(Overload::Picks)), 1),
        (Problem::Overloaded(Busy::soon(Overload::Picks)), 2),
        (Problem::Overloaded(Busy::soon(Overload::Queue)), 2),
    ] {
        let text = format!("{problem:?}");
        under_way(&app).finish(Err(problem));
        assert_eq!(app.metrics.shed(Overload::Picks), shed, "{text}");
    }
    assert_eq!(counted(&app, 503), 4, "three were shed, and one came while the server was shutting down");
}

#[test]
fn every_request_is_counted_once_under_the_status_of_its_response() {
    let app = app(&[]);
    let response = under_way(&app).finish(Ok(StatusCode::OK.into_response()));
    assert_eq!((response.status(), counted(&app, 200)), (StatusCode::OK, 1));
    let response = under_way(&app).finish(Err(Problem::NotFound));
    assert_eq!((response.status(), counted(&app, 404)), (StatusCode::NOT_FOUND, 1));
    drop(under_way(&app));
    assert_eq!(counted(&app, 500), 0, "the client left");
}
