//! What happens to every request before its handler, and to every response after it: limits, the deadline, panics,
//! metrics and log lines.
//!
//! A [`RouteHandler`] is wrapped around each handler. A layer of the router could do the same work, but each layer
//! costs every request a few allocations, and it runs before the router has found the route.

use std::any::Any;
use std::convert::Infallible;
use std::pin::Pin;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use tower_http::catch_panic::CatchPanic;
use tower_http::cors::Cors;
use tower_service::Service;

use crate::config::Origins;
use crate::http::access_log::{PostedRecipe, RequestMetrics};
use crate::http::app::App;
use crate::http::problem::Problem;
use crate::http::route::{Audience, Route};
use crate::http::server::Readiness;
use crate::http::tracked::KeptBack;
use crate::http::{cors, limits, unread, url_path};
use crate::service::Busy;
use crate::telemetry::{Overload, panic_text};

/// A request within the limits, as a handler gets it.
pub(super) struct Call {
    /// The route, a row of the table.
    pub(super) route: &'static Route,
    pub(super) app: App,
    pub(super) request: Request,
    /// When the client gets 504 instead of a response. Receiving the body, every wait and every job of the request
    /// share this time. It begins at the end of the request's head; the head has a limit of its own.
    pub(super) deadline: Instant,
    /// For the log.
    pub(super) recipe: PostedRecipe,
}

/// A handler, with the work that every request needs before and after it.
#[derive(Clone)]
pub(super) struct RouteHandler<H> {
    route: &'static Route,
    handler: H,
}

impl<H> RouteHandler<H> {
    pub(super) const fn new(route: &'static Route, handler: H) -> Self {
        Self { route, handler }
    }
}

impl<H, F> Handler<(), App> for RouteHandler<H>
where
    H: FnOnce(Call) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Response, Problem>> + Send + 'static,
{
    type Future = Pin<Box<dyn Future<Output = Response> + Send>>;

    fn call(self, request: Request, app: App) -> Self::Future {
        Box::pin(self.handle(request, app))
    }
}

impl<H, F> RouteHandler<H>
where
    H: FnOnce(Call) -> F,
    F: Future<Output = Result<Response, Problem>>,
{
    async fn handle(self, mut request: Request, app: App) -> Response {
        let Self { route, handler } = self;
        let began = Instant::now();
        let recorded = RequestMetrics::new(route, app.clone(), &request, began);
        let answer = match limits::check(&request, &app) {
            Ok(()) if route.audience == Audience::Clients && is_kept_back(&mut request).await => {
                Err(Problem::Overloaded(Busy::soon(Overload::Connections)))
            }
            Ok(()) => {
                let deadline = began + app.request_timeout;
                handler(Call { route, app, request, deadline, recipe: recorded.recipe() }).await
            }
            Err(problem) => Err(problem),
        };
        recorded.finish(answer)
    }
}

/// Whether the connection of a request is one of those for probes.
async fn is_kept_back(request: &mut Request) -> bool {
    match request.extensions_mut().remove() {
        Some(KeptBack(place)) => place.stays_kept_back().await,
        None => false,
    }
}

/// Answers the requests of connections through a router. If a handler panics, the client gets 500.
#[derive(Clone)]
pub(super) struct Frontend {
    routes: Routes,
    readiness: Readiness,
}

/// The router, with the headers for pages of other origins around it if the settings allow any.
#[derive(Clone)]
enum Routes {
    SameOrigin(CaughtRouter),
    CrossOrigin(Box<Cors<CaughtRouter>>),
}

type CaughtRouter = CatchPanic<Router, AnswerToPanic>;
type AnswerToPanic = fn(Box<dyn Any + Send>) -> Response;

impl Frontend {
    pub(super) fn new(router: Router, origins: &Origins, readiness: Readiness) -> Self {
        let router = CatchPanic::custom(router, answer_to_panic as AnswerToPanic);
        let routes = match cors::allowed(origins) {
            None => Routes::SameOrigin(router),
            Some(origins) => Routes::CrossOrigin(Box::new(cors::around(router, origins))),
        };
        Self { routes, readiness }
    }
}

impl hyper::service::Service<axum::http::Request<Incoming>> for Frontend {
    type Response = axum::http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: axum::http::Request<Incoming>) -> Self::Future {
        let (mut head, body) = request.into_parts();
        url_path::normalize(&mut head.uri);
        let (body, lender) = unread::lend(body, &mut head);
        let is_preflight = cors::is_preflight(&head) && limits::has_host(head.version, &head.headers);
        let request = Request::from_parts(head, body);
        let readiness = self.readiness.clone();
        let router = match &self.routes {
            Routes::SameOrigin(router) => router,
            // the library would answer each request with this method as if a browser sent it ahead of another one
            Routes::CrossOrigin(cors) if request.method() == Method::OPTIONS && !is_preflight => cors.get_ref(),
            Routes::CrossOrigin(cors) => {
                let answer = Cors::clone(cors).call(request);
                return Box::pin(async move {
                    let mut response = answer.await?.map(Body::new);
                    if is_preflight {
                        *response.status_mut() = StatusCode::NO_CONTENT;
                    }
                    Ok(finish(response, lender, &readiness))
                });
            }
        };
        // a router is always ready, and its clone is the same router
        let answer = router.clone().call(request);
        Box::pin(async move { Ok(finish(answer.await?.map(Body::new), lender, &readiness)) })
    }
}

/// Completes a response. The client learns whether it may send the next request on this connection.
fn finish(mut response: Response, lender: Option<unread::Lender>, readiness: &Readiness) -> Response {
    let status = response.status();
    let has_unread_body = lender.is_some_and(|lender| lender.discard_rest(status));
    if has_unread_body || !readiness.is_ready() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    if status == StatusCode::NOT_MODIFIED {
        // the router adds the length of this body, but the header says the length of the body that GET would send
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    response
}

/// Sends the client a 500 without the cause. The cause goes to the log.
#[expect(clippy::needless_pass_by_value, reason = "the signature that CatchPanic wants")]
fn answer_to_panic(cause: Box<dyn Any + Send>) -> Response {
    tracing::error!(cause = panic_text(cause.as_ref()), "a handler panicked");
    Problem::Internal.into_response()
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;

    #[tokio::test]
    async fn the_client_does_not_learn_the_cause_of_an_internal_error() {
        let response = answer_to_panic(Box::new("a secret"));
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = axum::body::to_bytes(response.into_body(), 1 << 10).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        assert!(body.contains("urn:mazed:internal") && !body.contains("secret"), "{body}");
    }
}
