//! Records every request: its metrics, and a log line if it failed, was slow, or all requests are logged.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::body::HttpBody;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use tracing::field::display;

use crate::config::LogRequests;
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::Problem;
use crate::http::reply::CACHE_STATUS;
use crate::http::route::Route;
use crate::telemetry::{Answered, JobTimes};

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
    caller: Option<Caller>,
    recipe: PostedRecipe,
    times: JobTimes,
}

impl RequestMetrics {
    pub(super) fn new(route: &'static Route, app: App, request: &mut Request, began: Instant) -> Self {
        let caller = request.extensions_mut().remove();
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let recipe = PostedRecipe::new(&method);
        Self { route, app, began, method, uri, caller, recipe, times: JobTimes::default() }
    }

    /// Where the handler puts the recipe of the request.
    pub(super) fn recipe(&self) -> PostedRecipe {
        self.recipe.clone()
    }

    /// The times of the jobs that the handler has the service run.
    pub(super) fn times(&self) -> JobTimes {
        self.times.clone()
    }

    /// Counts the request under the status of its response, and logs it if need be. Shed requests are counted only
    /// here.
    pub(super) fn finish(self, answer: Result<Response, Problem>) -> Response {
        let mut outcome = Outcome { name: "ok", cause: None, is_shed: false };
        let response = answer.unwrap_or_else(|problem| {
            if let Problem::Overloaded(busy) = problem {
                self.app.metrics.count_shed(busy.limit);
            }
            outcome.name = problem.name();
            outcome.is_shed = matches!(problem, Problem::Overloaded(_) | Problem::Draining);
            outcome.cause = problem.cause().cloned();
            problem.into_response()
        });
        self.record(&outcome, &response);
        response
    }

    /// Counts the request. Logs it if all requests are logged, or if it failed or was slow. One that was shed counts as
    /// neither: an overloaded server sheds thousands, also after a long wait, and the metrics count them.
    fn record(&self, outcome: &Outcome, response: &Response) {
        let Self { route, app, began, method, uri, caller, recipe, times } = self;
        let (time, status) = (began.elapsed(), response.status());
        // the router leaves out the body of a response to HEAD afterwards
        let bytes = if *method == Method::HEAD { 0 } else { response.body().size_hint().lower() };
        let (route, method) = (route.path, method.as_str());
        app.metrics.count_answer(Answered { route, method, status: status.as_u16(), bytes, time });
        let is_bad = (status.is_server_error() || time > SLOW) && !outcome.is_shed;
        if !is_bad && app.log_requests != LogRequests::All {
            return;
        }
        let uri = uri.to_string();
        let seconds = Duration::from_micros(time.as_micros() as u64).as_secs_f64();
        let recipe = recipe.get().or_else(|| canonical_query(response.headers())).map(|text| display(cut(text)));
        macro_rules! log_line {
            ($level:ident) => {
                tracing::$level!(
                    id = caller.as_ref().map(|caller| display(caller.id())),
                    trace_id = caller.as_ref().and_then(Caller::trace_id).map(display),
                    client = caller.as_ref().map(|caller| display(caller.address)),
                    route,
                    method = %cut(method),
                    uri = %cut(&uri),
                    recipe,
                    status = status.as_u16(),
                    outcome = outcome.name,
                    cause = outcome.cause.as_deref().map(cut).map(display),
                    bytes,
                    cache = response.headers().get(CACHE_STATUS).map(|value| display(cache_status(value))),
                    seconds,
                    queue_seconds = times.waited(),
                    work_seconds = times.worked(),
                    "request"
                )
            };
        }
        if outcome.cause.is_some() {
            log_line!(error);
        } else if is_bad {
            log_line!(warn);
        } else {
            log_line!(info);
        }
    }
}

/// How a request ended.
struct Outcome {
    name: &'static str,
    /// The cause of an internal error.
    cause: Option<Cow<'static, str>>,
    /// Whether it was rejected under load, or because the service stops.
    is_shed: bool,
}

/// The canonical query of the level that a response is about. It has the seed that the service chose.
fn canonical_query(headers: &HeaderMap) -> Option<&str> {
    Some(headers.get(header::CONTENT_LOCATION)?.to_str().ok()?.split_once('?')?.1)
}

/// `hit`, `miss` or `collapsed`.
fn cache_status(value: &HeaderValue) -> &str {
    let last = value.to_str().ok().and_then(|text| text.rsplit("; ").next()).unwrap_or_default();
    last.strip_prefix("fwd=").unwrap_or(last)
}

/// What a client sent, as a log line shows it: at most [`MAX_SHOWN`] bytes.
fn cut(text: &str) -> impl fmt::Display {
    let shown = &text[..text.floor_char_boundary(MAX_SHOWN)];
    fmt::from_fn(move |f| write!(f, "{shown}{}", if shown.len() < text.len() { "..." } else { "" }))
}

#[cfg(test)]
mod tests;
