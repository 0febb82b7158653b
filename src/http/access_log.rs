//! Records every request: a count, its time, and a log line if it failed, was slow, or all requests are logged.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::HttpBody;
use axum::extract::Request;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use tracing::field::display;

use crate::config::LogRequests;
use crate::http::app::App;
use crate::http::problem::Problem;
use crate::http::route::Route;
use crate::telemetry::Answered;

/// Requests that take longer are logged.
const SLOW: Duration = Duration::from_secs(1);

/// Log lines show at most so many bytes of a URL or a recipe, so that the lines that wait to be written are bounded.
const MAX_SHOWN: usize = 1024;

/// The recipe of a POST, as a canonical query, for its line in the log: its URL does not name it. The handler sets it
/// once it has read the body. Other requests have none.
#[derive(Clone)]
pub(super) struct PostedRecipe(Option<Arc<OnceLock<String>>>);

impl PostedRecipe {
    fn new(method: &Method) -> Self {
        Self((*method == Method::POST).then(Arc::default))
    }

    /// Sets the recipe. A mask in it is a digest.
    pub(super) fn set(&self, query: impl FnOnce() -> String) {
        if let Self(Some(recipe)) = self {
            recipe.get_or_init(query);
        }
    }

    fn get(&self) -> Option<&str> {
        self.0.as_ref()?.get().map(String::as_str)
    }
}

/// A request under way.
pub(super) struct RequestMetrics {
    route: &'static Route,
    app: App,
    began: Instant,
    method: Method,
    uri: Uri,
    recipe: PostedRecipe,
}

impl RequestMetrics {
    pub(super) fn new(route: &'static Route, app: App, request: &Request, began: Instant) -> Self {
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let recipe = PostedRecipe::new(&method);
        Self { route, app, began, method, uri, recipe }
    }

    /// Where the handler puts the recipe of the request.
    pub(super) fn recipe(&self) -> PostedRecipe {
        self.recipe.clone()
    }

    /// Counts the request under the status of its response, and logs it if need be. Shed requests are counted only
    /// here.
    pub(super) fn finish(self, answer: Result<Response, Problem>) -> Response {
        if let Err(Problem::Overloaded(limit)) = &answer {
            self.app.metrics.count_shed(*limit);
        }
        let response = answer.unwrap_or_else(IntoResponse::into_response);
        // the router leaves out the body of a response to HEAD afterwards
        let bytes = if self.method == Method::HEAD { 0 } else { response.body().size_hint().lower() };
        self.record(response.status(), bytes);
        response
    }

    /// Counts the request. Logs it if all requests are logged, or if it failed or was slow. A 503 counts as neither: an
    /// overloaded server sends thousands of them, also after a long wait, and the metrics count them.
    fn record(&self, status: StatusCode, bytes: u64) {
        let Self { route, app, began, method, uri, recipe } = self;
        let time = began.elapsed();
        app.metrics.count_answer(Answered {
            route: route.path,
            method: method.as_str(),
            status: status.as_u16(),
            bytes,
            time,
        });
        let is_shed = status == StatusCode::SERVICE_UNAVAILABLE;
        let is_bad = status.is_server_error() || time > SLOW;
        if !(is_bad && !is_shed || app.log_requests == LogRequests::All) {
            return;
        }
        let (method, uri, recipe) = (method.as_str(), uri.to_string(), recipe.get());
        let (method, uri, recipe) = (cut(method), cut(&uri), recipe.map(cut).map(display));
        let (status, millis) = (status.as_u16(), time.as_millis() as u64);
        if is_bad && !is_shed {
            tracing::warn!(route = route.path, %method, %uri, recipe, status, millis, "request");
        } else {
            tracing::info!(route = route.path, %method, %uri, recipe, status, millis, "request");
        }
    }
}

/// What a client sent, as a log line shows it: at most [`MAX_SHOWN`] bytes.
fn cut(text: &str) -> impl fmt::Display {
    let shown = &text[..text.floor_char_boundary(MAX_SHOWN)];
    fmt::from_fn(move |f| write!(f, "{shown}{}", if shown.len() < text.len() { "..." } else { "" }))
}

impl Drop for RequestMetrics {
    /// A handler that panics never calls `finish`, so its request is recorded here.
    fn drop(&mut self) {
        if thread::panicking() {
            self.record(StatusCode::INTERNAL_SERVER_ERROR, 0);
        }
    }
}

#[cfg(test)]
mod tests;
