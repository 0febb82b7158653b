//! `GET /maze`: the level and a way through it.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::conditional::{self, Held};
use super::problem::Problem;
use super::{App, accept, query};
use crate::level::options::OPTIONS;
use crate::level::recipe::{self, Recipe};
use crate::render::{self, View, json};

/// Seeds that the service draws are below this, so that every JSON reader holds them exactly.
const DRAWN_BELOW: u64 = 1 << 53;

pub(super) async fn show(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    accept::json(&headers)?;
    let mut given = query::parameters(&uri);
    let drawn = !given.has("seed");
    let recipe = Recipe::read(&mut given, app.recipe_limits, || rand::random_range(0..DRAWN_BELOW));
    let view = View::read(&mut given);
    let (recipe, view) = given.finish(recipe.zip(view), &parameters()).map_err(Problem::BadParameters)?;
    let limit = app.max_answer_bytes;
    view.check(&recipe, limit).map_err(Problem::AnswerTooLarge)?;

    let address = format!("{}?{recipe}{view}", uri.path());
    let solver = view.solver.map_or(0, |solver| solver.revision);
    let tag = conditional::entity_tag(&address, [recipe.algorithm().revision, solver, json::REVISION]);
    let held = if drawn { Held::Other } else { conditional::held(&headers, &tag) };
    if held == Held::This {
        return Ok(caching(StatusCode::NOT_MODIFIED.into_response(), &address, Some(&tag)));
    }
    let work_bytes = view.work_bytes(&recipe, limit);
    let answer =
        app.service.answer(&address, recipe, work_bytes, move |level, work| json::level(level, &view, limit, work));
    let answer = answer.await?;
    let mut response = if held == Held::Any {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, "application/json")], answer.body).into_response()
    };
    response.headers_mut().insert("cache-status", conditional::cache_status(answer.origin));
    Ok(caching(response, &address, (!drawn).then_some(&tag)))
}

/// The parameters that this route knows.
fn parameters() -> Vec<&'static str> {
    let options = OPTIONS.iter().map(|row| row.name);
    recipe::PARAMETERS.into_iter().chain(options).chain(render::PARAMETERS).collect()
}

/// Adds the headers that tell caches about the answer; without a tag it is not to be kept.
fn caching(mut response: Response, address: &str, tag: Option<&String>) -> Response {
    let headers = response.headers_mut();
    if let Ok(location) = HeaderValue::from_str(address) {
        headers.insert(header::CONTENT_LOCATION, location);
    }
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(tag).ok()) {
        headers.insert(header::ETAG, tag);
        headers.insert(header::CACHE_CONTROL, conditional::IMMUTABLE);
    } else {
        headers.insert(header::CACHE_CONTROL, conditional::NO_STORE);
    }
    response
}
