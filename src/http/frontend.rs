//! What happens to every request before its handler, and to every response after it: limits, the deadline, panics,
//! metrics and log lines.
//!
//! A [`RouteHandler`] is wrapped around each handler. A layer of the router could do the same work, but each layer
//! costs every request a few allocations, and it runs before the router has found the route.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use futures_util::FutureExt as _;
use hyper::body::Incoming;
use tower_http::cors::Cors;
use tower_service::Service;

use crate::config::{Settings, TrustedProxies};
use crate::http::access_log::{PostedRecipe, RequestMetrics};
use crate::http::app::App;
use crate::http::caller::{Caller, REQUEST_ID};
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
        let recorded = RequestMetrics::new(route, app.clone(), &mut request, began);
        let (recipe, times) = (recorded.recipe(), recorded.times());
        let handled = times.during(async {
            limits::check(&request, &app)?;
            if route.audience == Audience::Clients && is_kept_back(&mut request).await {
                return Err(Problem::Overloaded(Busy::soon(Overload::Connections)));
            }
            let deadline = began + app.request_timeout;
            handler(Call { route, app, request, deadline, recipe }).await
        });
        let answer = AssertUnwindSafe(handled).catch_unwind().await;
        recorded.finish(answer.unwrap_or_else(|panic| {
            Err(Problem::Internal(format!("a handler panicked: {}", panic_text(panic.as_ref())).into()))
        }))
    }
}

/// Whether the connection of a request is one of those for probes.
async fn is_kept_back(request: &mut Request) -> bool {
    match request.extensions_mut().remove() {
        Some(KeptBack(slot)) => slot.stays_kept_back().await,
        None => false,
    }
}

/// Answers the requests of the connections of one client through a router.
#[derive(Clone)]
pub(super) struct Frontend {
    routes: Routes,
    readiness: Readiness,
    trusted_proxies: TrustedProxies,
    /// The other end of the connection.
    peer: IpAddr,
}

/// The router, with the headers for pages of other origins around it if the settings allow any.
#[derive(Clone)]
enum Routes {
    SameOrigin(Router),
    CrossOrigin(Box<Cors<Router>>),
}

impl Frontend {
    pub(super) fn new(router: Router, settings: &Settings, readiness: Readiness) -> Self {
        let routes = match cors::allowed(&settings.cors_origin) {
            None => Routes::SameOrigin(router),
            Some(origins) => Routes::CrossOrigin(Box::new(cors::around(router, origins))),
        };
        let (trusted_proxies, peer) = (settings.trusted_proxies.clone(), Ipv4Addr::UNSPECIFIED.into());
        Self { routes, readiness, trusted_proxies, peer }
    }

    /// The same for connections from this address.
    pub(super) fn for_client(&self, peer: IpAddr) -> Self {
        // on a socket for both versions of IP, an address of version 4 looks like one of version 6
        Self { peer: peer.to_canonical(), ..self.clone() }
    }
}

impl hyper::service::Service<axum::http::Request<Incoming>> for Frontend {
    type Response = axum::http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: axum::http::Request<Incoming>) -> Self::Future {
        let (mut head, body) = request.into_parts();
        url_path::normalize(&mut head.uri);
        let caller = Caller::read(&head.headers, self.peer, &self.trusted_proxies);
        let id = caller.id.clone();
        head.extensions.insert(caller);
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
                    let mut response = answer.await?;
                    if is_preflight {
                        *response.status_mut() = StatusCode::NO_CONTENT;
                    }
                    Ok(finish(response, id, lender, &readiness))
                });
            }
        };
        // a router is always ready, and its clone is the same router
        let answer = router.clone().call(request);
        Box::pin(async move { Ok(finish(answer.await?, id, lender, &readiness)) })
    }
}

/// Completes a response. The client learns the id of its request, and whether it may send the next one on this
/// connection.
fn finish(mut response: Response, id: HeaderValue, lender: Option<unread::Lender>, readiness: &Readiness) -> Response {
    response.headers_mut().insert(REQUEST_ID, id);
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

#[cfg(test)]
mod tests {
    use axum::body;

    use super::*;
    use crate::http::fixtures::app;
    use crate::http::routes::ROUTES;

    async fn broken(_: Call) -> Result<Response, Problem> {
        panic!("a secret")
    }

    #[tokio::test]
    async fn a_handler_that_panics_gives_an_internal_error_without_its_cause() {
        let request = Request::builder().uri("/maze?seed=7").header(header::HOST, "mazed").body(Body::empty()).unwrap();
        let app = app(&[]);
        let response = RouteHandler::new(&ROUTES[0], broken).call(request, app.clone()).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = body::to_bytes(response.into_body(), 1 << 10).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        assert!(body.contains("urn:mazed:internal") && !body.contains("secret"), "{body}");
        let text = app.metrics.encode();
        let counted = |line: &&str| line.starts_with("mazed_http_requests_total") && line.contains("500");
        assert!(text.lines().find(counted).is_some_and(|line| line.ends_with(" 1")), "{text}");
    }
}
