//! Resources: what all routes about levels have in common. A GET gets its response from the cache by its URL, or a 304,
//! or from a job.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Instant;

use axum::http::HeaderValue;
use axum::http::uri::PathAndQuery;
use axum::response::{IntoResponse, Response};

use crate::http::app::App;
use crate::http::frontend::Call;
use crate::http::negotiation::Accepted;
use crate::http::precondition::{Precondition, entity_tag};
use crate::http::problem::Problem;
use crate::http::random;
use crate::http::reply::{CachePolicy, CachedBody, Reply};
use crate::level::parameters::{ParameterSpec, Parameters, form_parameters};
use crate::level::recipe::{self, Recipe, names_seed};
use crate::render::Coding;
use crate::service::{CacheStatus, Key, Outcome};

/// Random seeds are below this, so that every JSON parser reads them exactly.
const RANDOM_SEEDS: u64 = 1 << 53;

/// The parameter that names a format.
pub(super) const FORMAT: &str = "format";

/// What a route parses from a request, and how it makes the response.
pub(super) trait Resource: Sized + Send {
    /// The media types of its formats, the default first.
    fn media_types() -> impl Iterator<Item = &'static str>;

    /// Parses a request for the route of this path. The accepted format is used if the parameters name none.
    fn parse(app: &App, path: &str, params: Parameters, accepted: Accepted) -> Result<Parsed<Self>, Problem>;

    /// Makes the response.
    fn answer(
        self,
        app: &App,
        canonical: Option<Canonical>,
        deadline: Instant,
    ) -> impl Future<Output = Result<Answer, Problem>> + Send;
}

/// A parsed request.
pub(super) struct Parsed<R> {
    pub(super) resource: R,
    /// `None` if no URL can name the response.
    pub(super) canonical: Option<Canonical>,
    /// Whether the service chose the seed.
    pub(super) has_random_seed: bool,
}

/// The canonical URL of a response, its key in the cache, and its entity tag: all are known before any work.
#[derive(Clone)]
pub(super) struct Canonical {
    /// Path and query string. With a mask, `#` and the digest of the mask follow: no request has a `#`, so no URL finds
    /// such a response in the cache.
    pub(super) url: Key,
    /// The key of the response in its coding.
    pub(super) key: Key,
    pub(super) etag: Option<HeaderValue>,
}

impl Canonical {
    /// `query` is the canonical query; the revisions are those of algorithm, query and format.
    pub(super) fn new(path: &str, query: impl Display, revisions: [u32; 3], coding: Coding) -> Self {
        let url = format!("{path}?{query}");
        let etag = entity_tag(&url, revisions, coding);
        let url = Key::from(url);
        let key = coded_key(&url, coding).unwrap_or_else(|| url.clone());
        Self { url, key, etag }
    }
}

/// The key of the compressed form of the response with this key. `None` for the identity.
fn coded_key(key: &[u8], coding: Coding) -> Option<Key> {
    Some(Key::from([key, b"#", coding.spec()?.name.as_bytes()].concat()))
}

/// The cached response for this request target, if it is a canonical URL, in the form for clients that prefer this
/// coding.
fn cached(app: &App, target: &[u8], coding: Coding) -> Option<Arc<CachedBody>> {
    match coded_key(target, coding) {
        None => app.service.get(target, |_| true),
        Some(key) => app
            .service
            .get(&key, |_| true)
            .or_else(|| app.service.get(target, |body: &CachedBody| body.coding.is_none())),
    }
}

/// The result of a request.
pub(super) struct Answer {
    pub(super) outcome: Outcome<CachedBody>,
    /// Whether the same request gets the same response at any time.
    pub(super) is_final: bool,
}

/// Answers a GET.
pub(super) async fn get<R: Resource>(call: Call) -> Result<Response, Problem> {
    let Call { route, app, request, deadline, .. } = call;
    let (uri, headers) = (request.uri(), request.headers());
    let accepted = Accepted::read(headers, R::media_types());
    let target = uri.path_and_query().map_or(route.path, PathAndQuery::as_str);
    // A canonical URL is itself the cache key, so it needs no parsing. It names its format only if that is not the
    // default one, so this shortcut is only for clients that prefer the default format.
    if accepted.format == Some(0)
        && let Some(value) = cached(&app, target.as_bytes(), accepted.coding)
    {
        let url = Key::copy_from_slice(target.as_bytes());
        let reply = match Precondition::read(headers, value.etag.as_ref()) {
            Precondition::Failed => return Err(Problem::PreconditionFailed),
            Precondition::None => Reply::new(Outcome { value, status: CacheStatus::Hit }, CachePolicy::Immutable),
            Precondition::ThisVersion | Precondition::AnyVersion => Reply::not_modified(value.etag.clone()),
        };
        return Ok(reply.located(Some(&url)).into_response());
    }
    let params = form_parameters(uri.query().unwrap_or_default());
    if accepted.format.is_none() && !params.has(FORMAT) {
        return Err(Problem::NotAcceptable);
    }
    let Parsed { resource, canonical, has_random_seed } = R::parse(&app, route.path, params, accepted)?;
    let etag = canonical.as_ref().and_then(|canonical| canonical.etag.clone());
    // a response with a random seed has no tag
    let precondition = Precondition::read(headers, etag.as_ref().filter(|_| !has_random_seed));
    let url = canonical.as_ref().map(|canonical| canonical.url.clone());
    match precondition {
        Precondition::Failed => return Err(Problem::PreconditionFailed),
        Precondition::ThisVersion => return Ok(Reply::not_modified(etag).located(url.as_ref()).into_response()),
        Precondition::None | Precondition::AnyVersion => {}
    }
    let Answer { outcome, is_final } = resource.answer(&app, canonical, deadline).await?;
    let reply = match precondition {
        _ if !is_final => Reply::new(outcome, CachePolicy::NoStore),
        _ if has_random_seed => Reply::new(outcome, CachePolicy::NoStore).located(url.as_ref()),
        Precondition::AnyVersion => Reply::not_modified(etag).located(url.as_ref()),
        _ => Reply::new(outcome, CachePolicy::Immutable).located(url.as_ref()),
    };
    Ok(reply.into_response())
}

/// Whether the service has to choose the seed.
pub(super) fn wants_random_seed(params: &Parameters) -> bool {
    !names_seed(params)
}

/// Reads a recipe, within the limits of the service.
pub(super) fn read_recipe(app: &App, params: &mut Parameters) -> Option<Recipe> {
    Recipe::read(params, app.recipe_limits, random_seed)
}

/// A seed for a request without one.
pub(super) fn random_seed() -> u64 {
    random::number() % RANDOM_SEEDS
}

/// The names of the parameters of a route: those of every recipe, its own, and `more`.
pub(super) fn known_parameters(own: &[ParameterSpec], more: &[&'static str]) -> Vec<&'static str> {
    recipe::parameter_names().into_iter().chain(own.iter().map(|row| row.name)).chain(more.iter().copied()).collect()
}
