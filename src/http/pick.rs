//! `/maze/pick`: of many candidates, the level that comes nearest to what the client wants.
//!
//! The candidates are made and measured in batches, one batch after the other. Each batch goes through the same cache
//! and queue as all jobs, so a long search does not keep other clients waiting. The search ends at the first candidate
//! that matches exactly, or after the last one. If the time of the request is nearly over or the queue is full, it ends
//! with the best candidate so far. Candidates in which start or exit is a wall are skipped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout_at;

use crate::http::app::App;
use crate::http::negotiation::Accepted;
use crate::http::problem::Problem;
use crate::http::reply::CachedBody;
use crate::http::resource::{Answer, Canonical, Parsed, Resource, known_parameters, read_recipe, wants_random_seed};
use crate::level::Level;
use crate::level::parameters::{ParameterSpec, Parameters};
use crate::level::queries::pick::{self, Measured, Miss, PickQuery};
use crate::level::work::Price;
use crate::render::{Coding, json};
use crate::service::{self, Busy, CacheStatus, Outcome};
use crate::telemetry::Overload;

/// The fraction of a request's time that the search may take. The rest is left for sending the best candidate.
const TIME_FRACTION: f64 = 0.8;

/// The parameters of the route beside those of a recipe.
pub(super) fn parameters() -> Vec<ParameterSpec> {
    pick::PARAMETERS.to_vec()
}

/// What a search has found so far.
struct Search {
    /// The best candidate: how far it is from what the client wants, its number, and its measurements.
    best: Option<(Miss, u32, Measured)>,
    tried: u32,
    status: CacheStatus,
    /// False if time or room in the queue ran out before the search ended.
    is_complete: bool,
}

/// A query, and what making one of its candidates takes.
pub(super) struct Pick {
    query: PickQuery,
    level_price: Price,
}

impl Resource for Pick {
    fn media_types() -> impl Iterator<Item = &'static str> {
        [json::MEDIA_TYPE].into_iter()
    }

    fn parse(app: &App, path: &str, mut params: Parameters, _: Accepted) -> Result<Parsed<Self>, Problem> {
        let has_random_seed = wants_random_seed(&params);
        let query = PickQuery::read(&mut params, |params| read_recipe(app, params));
        let query = params.finish(query, || known_parameters(pick::PARAMETERS, &[])).map_err(Problem::BadParameters)?;
        let level_price = Level::price(query.series()).map_err(service::Error::from)?;
        let revisions = [query.series().algorithm().revision, pick::REVISION, json::REVISION];
        let canonical = Canonical::new(path, &query, revisions, Coding::Identity);
        Ok(Parsed { resource: Self { query, level_price }, canonical: Some(canonical), has_random_seed })
    }

    async fn answer(self, app: &App, canonical: Option<Canonical>, deadline: Instant) -> Result<Answer, Problem> {
        let searching_until = end_of_search(deadline, app.request_timeout);
        // a search keeps sending jobs to the queue, so only as many run at once as there are workers
        let Ok(Ok(_permit)) = timeout_at(searching_until.into(), app.picks.acquire()).await else {
            return Err(Problem::Overloaded(Busy::soon(Overload::Picks)));
        };
        let Search { best, tried, status, is_complete } = search(&self, app, deadline, searching_until).await?;
        let Some((missed_by, number, level)) = best else {
            return Err(Problem::Internal("a search has no best candidate".into()));
        };
        let body = json::pick::write(&self.query.level(number), &level, missed_by, tried, is_complete);
        let (url, etag) = canonical.map_or((None, None), |canonical| (Some(canonical.url), canonical.etag));
        // a few hundred bytes are not worth compression
        let value = Arc::new(CachedBody { bytes: body.into(), media_type: json::MEDIA_TYPE, coding: None, etag });
        if let (Some(url), true) = (url, is_complete) {
            app.service.put(&url, Arc::clone(&value));
        }
        Ok(Answer { outcome: Outcome { value, status }, is_final: is_complete })
    }
}

/// When the search must end, for a request that has `request_timeout` in all and ends at `deadline`.
fn end_of_search(deadline: Instant, request_timeout: Duration) -> Instant {
    deadline.checked_sub(request_timeout.mul_f64(1.0 - TIME_FRACTION)).unwrap_or(deadline)
}

/// The cache status of a value that needed two others.
const fn both(one: CacheStatus, other: CacheStatus) -> CacheStatus {
    match (one, other) {
        (CacheStatus::Miss, _) | (_, CacheStatus::Hit) => one,
        _ => other,
    }
}

/// Looks at the candidates, batch by batch. A result that is `Ok` has a best candidate.
async fn search(pick: &Pick, app: &App, deadline: Instant, searching_until: Instant) -> Result<Search, Problem> {
    let Pick { query, level_price } = pick;
    let mut search = Search { best: None, tried: 0, status: CacheStatus::Hit, is_complete: true };
    let mut skipped = None;
    for batch in query.batches() {
        // a batch from the cache never waits; without this, many of them in a row would block the thread
        tokio::task::yield_now().await;
        let first = batch.first();
        // before there is a best candidate, the search may take all the time of the request
        let until = if search.best.is_some() { searching_until } else { deadline };
        let price = batch.price(*level_price);
        let outcome = app.service.make(batch, price, until).await;
        let Outcome { value: levels, status } = match outcome {
            Ok(outcome) => outcome,
            Err(service::Error::Busy(_) | service::Error::Deadline) if search.best.is_some() => {
                search.is_complete = false;
                return Ok(search);
            }
            Err(error) => return Err(error.into()),
        };
        search.status = both(search.status, status);
        for (level, number) in levels.iter().zip(first..) {
            search.tried += 1;
            let level = match level {
                Ok(level) => level,
                Err(errors) => {
                    skipped = Some(errors.clone());
                    continue;
                }
            };
            let distance = query.miss(level);
            if search.best.as_ref().is_none_or(|(least, ..)| distance < *least) {
                search.best = Some((distance, number, *level));
            }
            if distance.is_zero() {
                return Ok(search);
            }
        }
    }
    match (&search.best, skipped) {
        (None, Some(errors)) => Err(Problem::BadParameters(errors)),
        _ => Ok(search),
    }
}

#[cfg(test)]
mod tests;
