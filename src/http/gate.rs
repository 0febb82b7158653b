//! The gate that every request passes before its route and every answer after: limits, panics, counts and log lines.
//!
//! It stands before the router and is no layer in it: each layer of a router costs every request a few allocations.

use std::any::Any;
use std::convert::Infallible;
use std::pin::Pin;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use tower_http::catch_panic::CatchPanic;
use tower_service::Service;

use crate::http::observe::Observed;
use crate::http::problem::Problem;
use crate::http::{App, limits};
use crate::telemetry::panic_text;

/// Answers requests by a router.
#[derive(Clone)]
pub(super) struct Gate {
    router: CatchPanic<Router, AnswerToPanic>,
    app: App,
}

type AnswerToPanic = fn(Box<dyn Any + Send>) -> axum::response::Response;

impl Gate {
    pub(super) fn new(router: Router, app: App) -> Self {
        Self { router: CatchPanic::custom(router, broken), app }
    }
}

impl hyper::service::Service<Request<Incoming>> for Gate {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let observed = Observed::new(&request);
        let app = self.app.clone();
        // a router is always ready, and its clone the same one
        let answer = limits::check(&request, &app).map(|()| self.router.clone().call(request.map(Body::new)));
        Box::pin(async move {
            let response = match answer {
                Ok(answer) => answer.await?.map(Body::new),
                Err(problem) => problem.into_response(),
            };
            observed.answered(response.status(), &app.metrics, app.log_requests);
            Ok(response)
        })
    }
}

/// A handler panicked: the client learns that something broke, the log what.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
pub(super) fn broken(cause: Box<dyn Any + Send>) -> axum::response::Response {
    tracing::error!(cause = panic_text(cause.as_ref()), "a handler panicked");
    Problem::Internal.into_response()
}
