//! `GET /maze`: the level and a way through it.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use super::conditional::{self, Held};
use super::problem::Problem;
use super::{App, accept, query};
use crate::level::options::OPTIONS;
use crate::level::recipe::{self, Recipe};
use crate::render::{self, View, json};
use crate::service::{Answer, Ask};

/// The path of the route, with which canonical addresses begin.
const PATH: &str = "/maze";

/// Seeds that the service draws are below this, so that every JSON reader holds them exactly.
const DRAWN_BELOW: u64 = 1 << 53;

pub(super) async fn show(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    accept::json(&headers)?;
    // whoever asks by the canonical address names the answer in the cache himself: nothing is left to understand
    let target = uri.path_and_query().map_or(PATH, |target| target.as_str());
    if let Some(answer) = app.service.kept(target) {
        let held = conditional::held(&headers, &answer.kept.label);
        return Ok(if held == Held::Other { found(target, answer) } else { unchanged(target, answer.kept.label) });
    }
    let mut given = query::parameters(&uri);
    let drawn = !given.has("seed");
    let recipe = Recipe::read(&mut given, app.recipe_limits, || rand::random_range(0..DRAWN_BELOW));
    let view = View::read(&mut given);
    let (recipe, view) = given.finish(recipe.zip(view), parameters).map_err(Problem::BadParameters)?;
    let limit = app.max_answer_bytes;
    view.check(&recipe, limit).map_err(Problem::AnswerTooLarge)?;

    let address = format!("{PATH}?{recipe}{view}");
    let solver = view.solver.map_or(0, |solver| solver.revision);
    let tag = conditional::entity_tag(&address, [recipe.algorithm().revision, solver, json::REVISION]);
    let held = if drawn { Held::Other } else { conditional::held(&headers, &tag) };
    if held == Held::This {
        return Ok(unchanged(&address, tag));
    }
    let write_bytes = view.work_bytes(&recipe, limit);
    let ask = Ask { address: address.as_str().into(), label: tag, recipe, write_bytes };
    let answer = app.service.answer(ask, move |level, work| json::level(level, &view, limit, work)).await?;
    Ok(match held {
        Held::Any => unchanged(&address, answer.kept.label),
        _ if drawn => drawn_now(&address, answer),
        _ => found(&address, answer),
    })
}

/// The parameters that this route knows.
fn parameters() -> Vec<&'static str> {
    let options = OPTIONS.iter().map(|row| row.name);
    recipe::PARAMETERS.into_iter().chain(options).chain(render::PARAMETERS).collect()
}

/// The answer to a request with a seed: the same for ever.
fn found(address: &str, answer: Answer) -> Response {
    let tag = answer.kept.label.clone();
    immutable(body(address, answer), tag)
}

/// The answer to a request without a seed, which the next one will not get.
fn drawn_now(address: &str, answer: Answer) -> Response {
    let mut response = body(address, answer);
    response.headers_mut().insert(header::CACHE_CONTROL, conditional::NO_STORE);
    response
}

/// The client has the answer already.
fn unchanged(address: &str, tag: Bytes) -> Response {
    immutable(located(StatusCode::NOT_MODIFIED.into_response(), address), tag)
}

fn body(address: &str, answer: Answer) -> Response {
    let mut response = Response::new(answer.kept.body.into());
    let headers = response.headers_mut();
    headers.reserve(8);
    headers.insert(header::CONTENT_TYPE, conditional::JSON);
    headers.insert(conditional::CACHE_STATUS, conditional::cache_status(answer.origin));
    located(response, address)
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
