//! `/maze/pick`: of a series of levels, the one that comes nearest to what the client wants.
//!
//! The batches of the series go through the same cache and the same queue as all jobs, one after the other, so a long
//! series does not keep others waiting. The search ends at the first level that is just as wanted, at the last one, or
//! with the best so far when the time of the request is nearly over or the queue is full. A level in which start or
//! exit is a wall is passed over.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout_at;

use crate::http::app::App;
use crate::http::problem::Problem;
use crate::http::reply::CachedBody;
use crate::http::resource::{Answer, Canonical, Parsed, Resource, known_parameters, read_recipe, wants_random_seed};
use crate::level::parameters::Parameters;
use crate::level::queries::pick::{self, Measured, PickQuery};
use crate::render::json;
use crate::service::{self, CacheStatus, Outcome};

/// The share of a request's time that the search may take: then the best level so far still reaches the client.
const TIME_SHARE: f64 = 0.8;

/// The parameters of the route beside those of a recipe.
pub(super) fn parameters() -> Vec<&'static str> {
    pick::PARAMETERS.to_vec()
}

/// What a search has found so far.
struct Search {
    /// The best level: how far it is from what the client wants, its number, and its numbers.
    best: Option<(u64, u32, Measured)>,
    tried: u32,
    status: CacheStatus,
    /// Whether neither time nor room was too short to look further.
    is_complete: bool,
}

impl Resource for PickQuery {
    fn media_types() -> impl Iterator<Item = &'static str> {
        [json::MEDIA_TYPE].into_iter()
    }

    fn parse(app: &App, path: &str, mut params: Parameters, _: Option<usize>) -> Result<Parsed<Self>, Problem> {
        let has_random_seed = wants_random_seed(&params);
        let query = Self::read(&mut params, |params| read_recipe(app, params));
        let query = params.finish(query, || known_parameters(&parameters())).map_err(Problem::BadParameters)?;
        let revisions = [query.series().algorithm().revision, pick::REVISION, json::REVISION];
        let canonical = Canonical::new(path, &query, revisions);
        Ok(Parsed { resource: query, canonical: Some(canonical), has_random_seed })
    }

    async fn answer(self, app: &App, canonical: Option<Canonical>, deadline: Instant) -> Result<Answer, Problem> {
        let searching_until = end_of_search(deadline, app.request_timeout);
        // a search occupies the queue as long as it lasts, so only a few run at once
        let Ok(Ok(_permit)) = timeout_at(searching_until.into(), app.picks.acquire()).await else {
            return Err(Problem::Overloaded);
        };
        let Search { best, tried, status, is_complete } = search(&self, app, deadline, searching_until).await?;
        let Some((_, number, level)) = best else { return Err(Problem::Internal) };
        let body = json::pick::write(&self.level(number), &level, tried, is_complete);
        let (url, etag) = canonical.map_or((None, None), |canonical| (Some(canonical.url), canonical.etag));
        let value = Arc::new(CachedBody { bytes: body.into(), media_type: json::MEDIA_TYPE, etag });
        if let (Some(url), true) = (url, is_complete) {
            app.service.put(&url, Arc::clone(&value));
        }
        Ok(Answer { outcome: Outcome { value, status }, is_final: is_complete })
    }
}

/// When the search of a request ends that has so much time in all, up to its deadline.
fn end_of_search(deadline: Instant, request_timeout: Duration) -> Instant {
    deadline.checked_sub(request_timeout.mul_f64(1.0 - TIME_SHARE)).unwrap_or(deadline)
}

/// Looks at the levels of a series, batch by batch. There is a best level in the result.
async fn search(query: &PickQuery, app: &App, deadline: Instant, searching_until: Instant) -> Result<Search, Problem> {
    let mut search = Search { best: None, tried: 0, status: CacheStatus::Hit, is_complete: true };
    let mut passed_over = None;
    for batch in query.batches() {
        // what is in the cache is there at once, and a series of such must not hold this thread
        tokio::task::yield_now().await;
        let first = batch.first();
        // without a level in hand there is nothing to answer early
        let until = if search.best.is_some() { searching_until } else { deadline };
        let outcome = app.service.make(batch, until).await;
        let Outcome { value: levels, status } = match outcome {
            Ok(outcome) => outcome,
            Err(service::Error::Busy | service::Error::Deadline) if search.best.is_some() => {
                search.is_complete = false;
                return Ok(search);
            }
            Err(error) => return Err(error.into()),
        };
        if search.status != CacheStatus::Miss && status != CacheStatus::Hit {
            search.status = status;
        }
        for (level, number) in levels.iter().zip(first..) {
            search.tried += 1;
            let level = match level {
                Ok(level) => level,
                Err(errors) => {
                    passed_over = Some(errors.clone());
                    continue;
                }
            };
            let miss = query.miss(level);
            if search.best.as_ref().is_none_or(|(least, ..)| miss < *least) {
                search.best = Some((miss, number, *level));
            }
            if miss == 0 {
                return Ok(search);
            }
        }
    }
    match (&search.best, passed_over) {
        (None, Some(errors)) => Err(Problem::BadParameters(errors)),
        _ => Ok(search),
    }
}

#[cfg(test)]
mod tests;
