//! Questions about a level: from a request to its answer, the same way for every route that asks one.
//!
//! A question is a recipe and what the route wants to know of its level. Both come from the query of a GET, or from the
//! body of a POST, which can hold a mask. The answer to a question with a seed never changes: its tag is known before any
//! work, and it is kept under its canonical address.

use std::fmt::Display;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use bytes::Bytes;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;

use crate::http::conditional::Held;
use crate::http::problem::Problem;
use crate::http::{App, accept, body, conditional, query};
use crate::level::error::{Error, ParameterError};
use crate::level::parameters::Parameters;
use crate::level::parameters::options::OPTIONS;
use crate::level::recipe::Recipe;
use crate::level::work::JobContext;
use crate::level::{Level, recipe};
use crate::render::json;
use crate::service::{Answer, Ask, Keep};

/// Seeds that the service draws are below this, so that every JSON reader holds them exactly.
const DRAWN_BELOW: u64 = 1 << 53;

/// What a route wants to know of a level. It is written as the part of a canonical query that says what is not the
/// default: each pair begins with `&`.
pub(super) trait Question: Display + Send + Sized + 'static {
    /// The path of the route, with which canonical addresses begin.
    const PATH: &'static str;

    /// The parameters that it reads.
    const PARAMETERS: &'static [&'static str];

    /// What of its answers is worth keeping.
    const KEEP: Keep = Keep::All;

    /// Reads the question, leaving the parameters that are none of its own to other readers. `None` where there is a
    /// fault, which `given` then holds.
    fn read(given: &mut Parameters) -> Option<Self>;

    /// Counts the times that the answers changed; part of every entity tag.
    fn revision(&self) -> u32;

    /// Refuses what is known to pass `limit` before any work is done for it.
    fn check(&self, _recipe: &Recipe, _limit: u64) -> Result<(), ParameterError> {
        Ok(())
    }

    /// Most bytes that the answer takes to write beside the level, itself included.
    fn work_bytes(&self, recipe: &Recipe, limit: u64) -> u64;

    /// Writes the answer, in at most `limit` bytes.
    fn write(self, level: &Level, limit: u64, work: &mut JobContext) -> Result<Vec<u8>, Error>;
}

/// Answers a question to GET and HEAD from the query, and to POST from the body.
pub(super) fn by_query_and_body<Q: Question>() -> MethodRouter<App> {
    get(by_query::<Q>).post(by_body::<Q>)
}

/// Answers a question to POST alone.
pub(super) fn by_body_only<Q: Question>() -> MethodRouter<App> {
    post(by_body::<Q>)
}

/// A question about the level of a recipe.
pub(super) struct Asked<Q> {
    recipe: Recipe,
    question: Q,
    /// Names the answer: the canonical address, and behind a `#` the mask, if there is one.
    address: String,
    tag: Bytes,
    /// Whether the seed is the service's.
    drawn: bool,
    /// The share that its body had of the budget of bodies, for as long as it waits.
    held: Option<OwnedSemaphorePermit>,
}

impl<Q: Question> Asked<Q> {
    /// Reads all of it; `more` are other parameters that are known here.
    fn read(app: &App, mut given: Parameters, more: &'static [&'static str]) -> Result<Self, Problem> {
        let drawn = !given.has("seed");
        let recipe = read_recipe(app, &mut given);
        let question = Q::read(&mut given);
        let known = || [&known_parameters(Q::PARAMETERS), more].concat();
        let (recipe, question) = given.finish(recipe.zip(question), known).map_err(Problem::BadParameters)?;
        Self { drawn, ..Self::new(recipe, question) }.checked(app)
    }

    /// A question that was not asked by a client.
    pub(super) fn new(recipe: Recipe, question: Q) -> Self {
        let address = format!("{}?{recipe}{question}", Q::PATH);
        let revisions = [recipe.algorithm().revision, question.revision(), json::REVISION];
        let tag = conditional::entity_tag(&address, revisions);
        Self { recipe, question, address, tag, drawn: false, held: None }
    }

    fn checked(self, app: &App) -> Result<Self, Problem> {
        match self.question.check(&self.recipe, app.max_answer_bytes) {
            Ok(()) => Ok(self),
            Err(fault) => Err(Problem::AnswerTooLarge(fault)),
        }
    }

    /// Has the service answer it.
    pub(super) async fn answer(self, app: &App, keep: Keep) -> Result<Answer, Problem> {
        let Self { recipe, question, address, tag, held, .. } = self;
        let limit = app.max_answer_bytes;
        let write_bytes = question.work_bytes(&recipe, limit);
        let ask = Ask { address: address.into(), label: tag, recipe, write_bytes, keep };
        let write = move |level: &Level, work: &mut JobContext| {
            let _held = held;
            question.write(level, limit, work)
        };
        Ok(app.service.answer(ask, write).await?)
    }
}

async fn by_query<Q: Question>(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (uri, headers) = (request.uri(), request.headers());
    accept::json(headers)?;
    // whoever asks by the canonical address names the answer in the cache himself: nothing is left to understand
    let target = uri.path_and_query().map_or(Q::PATH, |target| target.as_str());
    if let Some(answer) = app.service.kept(target) {
        let held = conditional::held(headers, &answer.kept.label);
        return Ok(again(target, answer, held));
    }
    let asked = Asked::<Q>::read(&app, query::parameters(uri), &[])?;
    let (address, drawn) = (asked.address.clone(), asked.drawn);
    let held = if drawn { Held::Other } else { conditional::held(headers, &asked.tag) };
    if held == Held::This {
        return Ok(unchanged(&address, asked.tag));
    }
    let answer = asked.answer(&app, Q::KEEP).await?;
    Ok(match held {
        Held::Any => unchanged(&address, answer.kept.label),
        _ if drawn => not_to_be_stored(Some(&address), answer),
        _ => found(&address, answer),
    })
}

async fn by_body<Q: Question>(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    accept::json(&head.headers)?;
    let text = body::read(&head.headers, body, &app).await?;
    let has_query = head.uri.query().is_some_and(|query| !query.is_empty());
    let is_large = text.is_large();
    let shared = app.clone();
    let read = move || {
        let mut given = text.parameters()?;
        if has_query {
            given.add_error("query", "is not read here; put all parameters into the body");
        }
        let asked = Asked::<Q>::read(&shared, given, &[recipe::MASK])?;
        Ok::<_, Problem>(Asked { held: text.into_share(), ..asked })
    };
    let asked = if is_large { spawn_blocking(read).await.map_err(|_| Problem::Internal)?? } else { read()? };
    // no address stands for a mask, nor for what is asked once
    let address = (asked.recipe.mask().is_none() && Q::KEEP == Keep::All).then(|| asked.address.clone());
    let answer = asked.answer(&app, Q::KEEP).await?;
    Ok(not_to_be_stored(address.as_deref(), answer))
}

/// Reads a recipe, within the limits of the service.
pub(super) fn read_recipe(app: &App, given: &mut Parameters) -> Option<Recipe> {
    Recipe::read(given, app.recipe_limits, || rand::random_range(0..DRAWN_BELOW))
}

/// The parameters of a route: those of every recipe, and its own.
pub(super) fn known_parameters(own: &[&'static str]) -> Vec<&'static str> {
    let options = OPTIONS.iter().map(|row| row.name);
    recipe::PARAMETERS.into_iter().chain(options).chain(own.iter().copied()).collect()
}

/// An answer that was kept, or that it is unchanged.
pub(super) fn again(address: &str, answer: Answer, held: Held) -> Response {
    if held == Held::Other { found(address, answer) } else { unchanged(address, answer.kept.label) }
}

/// The answer to a request with a seed: the same for ever.
pub(super) fn found(address: &str, answer: Answer) -> Response {
    let tag = answer.kept.label.clone();
    immutable(answered(Some(address), answer), tag)
}

/// An answer that is for this client and this time: the next request without a seed gets another one.
pub(super) fn not_to_be_stored(address: Option<&str>, answer: Answer) -> Response {
    let mut response = answered(address, answer);
    response.headers_mut().insert(header::CACHE_CONTROL, conditional::NO_STORE);
    response
}

/// The client has the answer already.
pub(super) fn unchanged(address: &str, tag: Bytes) -> Response {
    immutable(located(StatusCode::NOT_MODIFIED.into_response(), address), tag)
}

fn answered(address: Option<&str>, answer: Answer) -> Response {
    let mut response = Response::new(answer.kept.body.into());
    let headers = response.headers_mut();
    headers.reserve(8);
    headers.insert(header::CONTENT_TYPE, conditional::JSON);
    headers.insert(conditional::CACHE_STATUS, conditional::cache_status(answer.origin));
    match address {
        Some(address) => located(response, address),
        None => response,
    }
}

/// Adds the canonical address.
fn located(mut response: Response, address: &str) -> Response {
    if let Ok(location) = HeaderValue::from_str(address) {
        response.headers_mut().insert(header::CONTENT_LOCATION, location);
    }
    response
}

/// Lets caches keep the answer for ever, under its tag.
fn immutable(mut response: Response, tag: Bytes) -> Response {
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_maybe_shared(tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CACHE_CONTROL, conditional::IMMUTABLE);
    response
}
