//! Queries about the level of a recipe: `/maze` and the routes below it. The recipe and the query come from the URL of
//! a GET, or from the body of a POST, which can hold a mask.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use axum::response::{IntoResponse, Response};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;

use crate::http::app::App;
use crate::http::body;
use crate::http::frontend::Call;
use crate::http::negotiation::Accepted;
use crate::http::precondition::Precondition;
use crate::http::problem::Problem;
use crate::http::reply::{CachePolicy, CachedBody, Reply};
use crate::http::resource::{
    Answer, Canonical, FORMAT, Parsed, Resource, known_parameters, random_seed, wants_random_seed,
};
use crate::level::parameters::{ParameterKind, ParameterSpec, ParameterType, Parameters, find_by_name};
use crate::level::recipe::{BODY_FIELDS, Claims, Recipe};
use crate::level::work::{JobContext, Price};
use crate::level::{self, Level};
use crate::render::coding;
use crate::render::{self, Coding, Format, Render, RenderOptions, Rendering};
use crate::service::{self, Busy, Job, Reservation};
use crate::telemetry::Overload;

/// A query about the level of a recipe, and how to write the answer.
pub(super) struct LevelQuery<Q: Render> {
    recipe: Recipe,
    /// What making the level takes.
    level_price: Price,
    claims: Claims,
    query: Q,
    options: RenderOptions,
    format: &'static Format<Q>,
    /// The coding of the response; `None` if all clients get it in one form.
    coding: Option<Coding>,
    /// The body's permits of the budget for bodies. The job holds them until it ends.
    body_permits: Option<OwnedSemaphorePermit>,
}

/// The parameters of a route beside those of a recipe.
pub(super) fn parameters<Q: Render>() -> Vec<ParameterSpec> {
    let is_taken = |row: &&ParameterSpec| Q::FORMATS.iter().any(|format| format.parameters.contains(&row.name));
    let format = ParameterSpec::new(
        FORMAT,
        ParameterKind::Name(|| Q::FORMATS.iter().map(|format| format.name).collect()),
        "the format of the response",
    )
    .or_else("what the Accept header prefers, else the first");
    Q::PARAMETERS.iter().chain(render::options::PARAMETERS.iter().filter(is_taken)).copied().chain([format]).collect()
}

impl<Q: Render> LevelQuery<Q> {
    /// Parses all parameters. `more` are further ones that this route knows.
    fn read(
        app: &App,
        path: &str,
        mut params: Parameters,
        accepted: Accepted,
        more: &[&'static str],
    ) -> Result<Parsed<Self>, Problem> {
        let has_random_seed = wants_random_seed(&params);
        let recipe = Recipe::read_with_claims(&mut params, app.recipe_limits, random_seed);
        if Q::NEEDS_SEED && has_random_seed {
            params.add_error("seed", "is missing; a random level is not the one that this request is about");
        }
        let query = Q::read(&mut params);
        let preferred = &Q::FORMATS[accepted.format.unwrap_or(0)];
        let format = params.value_or(FORMAT, ParameterType::Name, preferred, |text| {
            find_by_name(text, Q::FORMATS, |row| row.name, |_| &[])
        });
        let options = RenderOptions::read(&mut params, format.unwrap_or(preferred).parameters);
        let all = recipe.zip(query).zip(options).zip(format);
        let known = || known_parameters(&parameters::<Q>(), more);
        let ((((recipe, claims), query), options), format) =
            params.finish(all, known).map_err(Problem::BadParameters)?;
        let level_price = Level::price(&recipe).map_err(service::Error::from)?;
        let rendering = Rendering { query: &query, options, limit: app.max_answer_bytes };
        if let Some(check) = format.check {
            check(&rendering, &recipe).map_err(Problem::AnswerTooLarge)?;
        }
        let has_coded_forms =
            format.compressible && (format.answer_bytes)(&rendering, &recipe).end >= coding::MIN_BYTES;
        let coding = has_coded_forms.then_some(accepted.coding);
        let resource = Self { recipe, level_price, claims, query, options, format, coding, body_permits: None };
        let canonical = Q::HAS_CANONICAL_TEXT.then(|| resource.canonical(path));
        Ok(Parsed { resource, canonical, has_random_seed })
    }

    fn canonical(&self, path: &str) -> Canonical {
        let revisions = [self.recipe.algorithm().revision, self.query.revision(), self.format.revision];
        Canonical::new(path, self, revisions, self.coding.unwrap_or(Coding::Identity))
    }
}

/// Writes the canonical query string.
impl<Q: Render> fmt::Display for LevelQuery<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { recipe, query, options, format, .. } = self;
        write!(f, "{recipe}{query}{options}")?;
        if format.name == Q::FORMATS[0].name { Ok(()) } else { write!(f, "&{FORMAT}={}", format.name) }
    }
}

impl<Q: Render> Resource for LevelQuery<Q> {
    fn media_types() -> impl Iterator<Item = &'static str> {
        Q::FORMATS.iter().map(|format| format.media_type)
    }

    fn parse(app: &App, path: &str, params: Parameters, accepted: Accepted) -> Result<Parsed<Self>, Problem> {
        Self::read(app, path, params, accepted, &[])
    }

    async fn answer(self, app: &App, canonical: Option<Canonical>, deadline: Instant) -> Result<Answer, Problem> {
        let Self { recipe, level_price, claims, query, options, format, coding, body_permits } = self;
        let (limit, sent_as) = (app.max_answer_bytes, coding.unwrap_or(Coding::Identity));
        let rendering = Rendering { query: &query, options, limit };
        let written = (format.answer_bytes)(&rendering, &recipe);
        let price = Price {
            bytes: query.work_bytes(&recipe) + (format.work_bytes)(&rendering, &recipe),
            // no format takes more than about a nanosecond for a byte
            nanos: query.work_nanos(&recipe) + written.end,
        } + sent_as.price(written.end);
        let response = sent_as.bytes(written);
        let (key, etag) = canonical.map_or((None, None), |canonical| (Some(canonical.key), canonical.etag));
        // a cached answer does not tell whether the claims are right
        let key = key.filter(|_| claims.is_empty());
        let run = move |level: &Arc<Level>, context: &mut JobContext, reservation: Reservation| {
            let _permits = body_permits;
            claims.check(level.start(), level.exit())?;
            let body = (format.write)(&Rendering { query: &query, options, limit }, level, context)?;
            let body = sent_as.encode(body, context.cancel).map_err(level::error::Error::from)?;
            let bytes = reservation.settle(body).ok_or(service::Error::Busy(Busy::soon(Overload::Unread)))?;
            Ok(CachedBody { bytes, media_type: format.media_type, coding, etag })
        };
        let job = Job { key, source: recipe, source_price: level_price, price, response, deadline, run };
        Ok(Answer { outcome: app.service.run(job).await?, is_final: true })
    }
}

/// Answers a POST, whose parameters are in its body.
pub(super) async fn post<Q: Render>(call: Call) -> Result<Response, Problem> {
    let Call { route, app, request, deadline, recipe } = call;
    let (head, body) = request.into_parts();
    let accepted = Accepted::read(&head.headers, LevelQuery::<Q>::media_types());
    let body = body::read(&head.headers, body, &app, deadline).await?;
    let has_query = head.uri.query().is_some_and(|query| !query.is_empty());
    let is_large = body.is_large();
    let shared = app.clone();
    let read = move || {
        let mut params = body.parameters()?;
        if accepted.format.is_none() && !params.has(FORMAT) {
            return Err(Problem::NotAcceptable);
        }
        if has_query {
            params.add_error("query", "is not read here; put all parameters into the body");
        }
        let mut parsed = LevelQuery::<Q>::read(&shared, route.path, params, accepted, &BODY_FIELDS)?;
        parsed.resource.body_permits = body.into_permits();
        Ok::<_, Problem>(parsed)
    };
    let Parsed { resource, canonical, .. } = if is_large {
        spawn_blocking(read).await.map_err(|error| Problem::Internal(error.to_string().into()))??
    } else {
        read()?
    };
    recipe.set(|| resource.to_string());
    // the responses to a POST have no tag that a client could name
    if Precondition::read(&head.headers, None) == Precondition::Failed {
        return Err(Problem::PreconditionFailed);
    }
    // a URL cannot hold a mask, so a level with a mask has no URL
    let url = canonical.as_ref().filter(|_| resource.recipe.mask().is_none()).map(|canonical| canonical.url.clone());
    let Answer { outcome, .. } = resource.answer(&app, canonical, deadline).await?;
    Ok(Reply::new(outcome, CachePolicy::NoStore).located(url.as_ref()).into_response())
}

#[cfg(test)]
mod tests;
