//! `/maze`: the level and a way through it.

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;

use super::conditional::{self, Held};
use super::problem::Problem;
use super::{App, accept, body, query};
use crate::level::Level;
use crate::level::options::OPTIONS;
use crate::level::parameters::Parameters;
use crate::level::recipe::{self, Recipe};
use crate::level::work::Work;
use crate::render::{self, View, json};
use crate::service::{Answer, Ask};

/// The path of the route, with which canonical addresses begin.
const PATH: &str = "/maze";

/// Seeds that the service draws are below this, so that every JSON reader holds them exactly.
const DRAWN_BELOW: u64 = 1 << 53;

/// What a request asks for.
struct Question {
    recipe: Recipe,
    view: View,
    /// Names the answer: the canonical address, and behind a `#` the mask, if there is one.
    address: String,
    tag: Bytes,
    /// Whether the seed is the service's.
    drawn: bool,
    /// The share that its body had of the budget of bodies, for as long as it waits.
    held: Option<OwnedSemaphorePermit>,
}

impl Question {
    fn read(app: &App, mut given: Parameters, known: fn() -> Vec<&'static str>) -> Result<Self, Problem> {
        let drawn = !given.has("seed");
        let recipe = Recipe::read(&mut given, app.recipe_limits, || rand::random_range(0..DRAWN_BELOW));
        let view = View::read(&mut given);
        let (recipe, view) = given.finish(recipe.zip(view), known).map_err(Problem::BadParameters)?;
        view.check(&recipe, app.max_answer_bytes).map_err(Problem::AnswerTooLarge)?;
        let address = format!("{PATH}?{recipe}{view}");
        let solver = view.solver.map_or(0, |solver| solver.revision);
        let tag = conditional::entity_tag(&address, [recipe.algorithm().revision, solver, json::REVISION]);
        Ok(Self { recipe, view, address, tag, drawn, held: None })
    }

    async fn answer(self, app: &App) -> Result<Answer, Problem> {
        let (view, limit) = (self.view, app.max_answer_bytes);
        let write_bytes = view.work_bytes(&self.recipe, limit);
        let ask = Ask { address: self.address.into(), label: self.tag, recipe: self.recipe, write_bytes };
        let held = self.held;
        let write = move |level: &Level, work: &mut Work| {
            let _held = held;
            json::level(level, &view, limit, work)
        };
        Ok(app.service.answer(ask, write).await?)
    }
}

/// `GET` and `HEAD`.
pub(super) async fn show(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (uri, headers) = (request.uri(), request.headers());
    accept::json(headers)?;
    // whoever asks by the canonical address names the answer in the cache himself: nothing is left to understand
    let target = uri.path_and_query().map_or(PATH, |target| target.as_str());
    if let Some(answer) = app.service.kept(target) {
        let held = conditional::held(headers, &answer.kept.label);
        return Ok(if held == Held::Other { found(target, answer) } else { unchanged(target, answer.kept.label) });
    }
    let question = Question::read(&app, query::parameters(uri), known_in_query)?;
    let (address, drawn) = (question.address.clone(), question.drawn);
    let held = if drawn { Held::Other } else { conditional::held(headers, &question.tag) };
    if held == Held::This {
        return Ok(unchanged(&address, question.tag));
    }
    let answer = question.answer(&app).await?;
    Ok(match held {
        Held::Any => unchanged(&address, answer.kept.label),
        _ if drawn => not_to_be_stored(Some(&address), answer),
        _ => found(&address, answer),
    })
}

/// `POST`: the same from a body, which can hold a mask.
pub(super) async fn show_posted(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    accept::json(&head.headers)?;
    let text = body::read(&head.headers, body, &app).await?;
    let has_query = head.uri.query().is_some_and(|query| !query.is_empty());
    let is_large = text.is_large();
    let asked = app.clone();
    let read = move || {
        let mut given = text.parameters()?;
        if has_query {
            given.fault("query", "is not read here; put all parameters into the body");
        }
        let question = Question::read(&asked, given, known_in_body)?;
        Ok::<_, Problem>(Question { held: text.into_share(), ..question })
    };
    let question = if is_large { spawn_blocking(read).await.map_err(|_| Problem::Internal)?? } else { read()? };
    // no address stands for a mask
    let address = question.recipe.mask().is_none().then(|| question.address.clone());
    let answer = question.answer(&app).await?;
    Ok(not_to_be_stored(address.as_deref(), answer))
}

/// The parameters that a query may have.
fn known_in_query() -> Vec<&'static str> {
    let options = OPTIONS.iter().map(|row| row.name);
    recipe::PARAMETERS.into_iter().chain(options).chain(render::PARAMETERS).collect()
}

/// The parameters that a body may have.
fn known_in_body() -> Vec<&'static str> {
    [known_in_query(), vec![recipe::MASK]].concat()
}

/// The answer to a request with a seed: the same for ever.
fn found(address: &str, answer: Answer) -> Response {
    let tag = answer.kept.label.clone();
    immutable(answered(Some(address), answer), tag)
}

/// An answer that is for this client and this time: the next request without a seed gets another one.
fn not_to_be_stored(address: Option<&str>, answer: Answer) -> Response {
    let mut response = answered(address, answer);
    response.headers_mut().insert(header::CACHE_CONTROL, conditional::NO_STORE);
    response
}

/// The client has the answer already.
fn unchanged(address: &str, tag: Bytes) -> Response {
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
