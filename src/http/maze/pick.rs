//! `/maze/pick`: of a series of levels the one that comes nearest to what is wanted.
//!
//! Each level of the series is asked about through the same cache and the same queue as by `/maze/stats`, one after the
//! other, so a long series does not keep others waiting. It ends at the first level that is just as wanted, at the last
//! one, or with the best so far when the time of a request is nearly over or the queue is full. A level in which start or
//! exit is a wall is passed over.

use std::fmt;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::response::Response;
use serde_json::{Map, Value};
use tokio::time::timeout_at;

use crate::http::ask::Asked;
use crate::http::conditional::Held;
use crate::http::maze::stats;
use crate::http::maze::stats::Stats;
use crate::http::problem::Problem;
use crate::http::{App, accept, ask, conditional, query};
use crate::level::parameters::options::{FRACTION_UNIT, MAX_COUNT, OptionType};
use crate::level::parameters::{ParameterType, Parameters, integer};
use crate::level::recipe::Recipe;
use crate::level::rng::Seed;
use crate::render::json;
use crate::service::{Answer, Keep, Kept, Origin};

/// The path of the route, with which canonical addresses begin.
pub(crate) const PATH: &str = "/maze/pick";

/// The parameters of the route beside those of a recipe.
pub(crate) const PARAMETERS: &[&str] = &["difficulty", "min_length", "max_length", "tries"];

/// Levels of a series that are looked at, where it is not said, and at the most.
const DEFAULT_TRIES: u32 = 32;
const MAX_TRIES: u32 = 1_024;

/// Characters of a series' name, so that the number of a level still fits behind it.
const MAX_SERIES_CHARS: usize = Seed::MAX_CHARS - "/1023".len();

/// The share of a request's time that a series may take: then the best so far still reaches the client.
const TIME_SHARE: f64 = 0.8;

/// A difficulty from 0 to 1.
const DIFFICULTY: OptionType = OptionType::Fraction { max: FRACTION_UNIT };

/// What is wanted of a level.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    /// A difficulty, in [`FRACTION_UNIT`]s.
    Difficulty(u64),
    /// A solution of so many steps.
    Length { least: Option<u64>, most: Option<u64> },
}

/// A series of levels, and which one of them is wanted.
struct Pick {
    series: Recipe,
    wanted: Wanted,
    tries: u32,
}

/// What came of it.
struct Picked {
    body: Vec<u8>,
    origin: Origin,
    /// Whether neither time nor room was too short to look further.
    complete: bool,
}

pub(crate) async fn show(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let deadline = Instant::now() + app.request_timeout.mul_f64(TIME_SHARE);
    accept::json(request.headers())?;
    let target = request.uri().path_and_query().map_or(PATH, |target| target.as_str());
    if let Some(answer) = app.service.kept(target) {
        let held = conditional::held(request.headers(), &answer.kept.label);
        return Ok(ask::again(target, answer, held));
    }
    let mut given = query::parameters(request.uri());
    let drawn = !given.has("seed");
    let pick = Pick::read(&app, &mut given);
    let pick = given.finish(pick, || ask::known_parameters(PARAMETERS)).map_err(Problem::BadParameters)?;
    let address = format!("{PATH}?{pick}");
    let tag = conditional::entity_tag(&address, [pick.series.algorithm().revision, stats::REVISION, json::REVISION]);
    let held = if drawn { Held::Other } else { conditional::held(request.headers(), &tag) };
    if held == Held::This {
        return Ok(ask::unchanged(&address, tag));
    }
    // each series has a place in the queue as long as it lasts; so that others have one too, few do at once
    let turn = timeout_at(deadline.into(), app.picks.acquire()).await;
    let Picked { body, origin, complete } = match turn {
        Ok(Ok(_turn)) => pick.choose(&app, deadline).await?,
        _ => return Err(Problem::Overloaded),
    };
    let answer = Answer { kept: Kept { body: body.into(), label: tag.clone() }, origin };
    if complete {
        app.service.keep(&address, answer.kept.clone());
    }
    Ok(match held {
        // the same request may get further another time
        _ if !complete => ask::not_to_be_stored(None, answer),
        _ if drawn => ask::not_to_be_stored(Some(&address), answer),
        Held::Any => ask::unchanged(&address, tag),
        _ => ask::found(&address, answer),
    })
}

impl Pick {
    fn read(app: &App, given: &mut Parameters) -> Option<Self> {
        let series = ask::read_recipe(app, given);
        let name = series.as_ref().map(|series| series.seed().to_string());
        if name.is_some_and(|name| name.chars().count() > MAX_SERIES_CHARS) {
            given.add_error("seed", format!("names a series and has at most {MAX_SERIES_CHARS} characters"));
        }
        let wanted = Wanted::read(given);
        let tries = given.value_or("tries", ParameterType::Number, DEFAULT_TRIES, |text| {
            integer(text, 1..=MAX_TRIES.into()).map(|tries| tries as u32)
        });
        Some(Self { series: series?, wanted: wanted?, tries: tries? })
    }

    /// Looks at the levels of the series in turn.
    async fn choose(&self, app: &App, deadline: Instant) -> Result<Picked, Problem> {
        let (mut best, mut origin, mut tried, mut complete) = (None::<(u64, Map<String, Value>)>, Origin::Hit, 0, true);
        let mut refused = None;
        for number in 0..self.tries {
            // what is in the cache is answered at once, and a series of such must not hold this thread
            tokio::task::yield_now().await;
            let seed = Seed::Text(format!("{}/{number}", self.series.seed()).into());
            let asked = Asked::new(self.series.with_seed(seed), Stats).answer(app, Keep::Body);
            // without a level in hand there is nothing to answer early
            let answer = match &best {
                None => Ok(asked.await),
                Some(_) => timeout_at(deadline.into(), asked).await,
            };
            let answer = match answer {
                Ok(Ok(answer)) => answer,
                // in this level start or exit is a wall
                Ok(Err(problem @ Problem::BadParameters(_))) => {
                    (tried, refused) = (tried + 1, Some(problem));
                    continue;
                }
                Err(_) | Ok(Err(Problem::Overloaded | Problem::Deadline)) if best.is_some() => {
                    complete = false;
                    break;
                }
                Ok(Err(problem)) => return Err(problem),
                Err(_) => return Err(Problem::Deadline),
            };
            tried += 1;
            if origin != Origin::Miss && answer.origin != Origin::Hit {
                origin = answer.origin;
            }
            let stats = serde_json::from_slice(&answer.kept.body).map_err(|_| Problem::Internal)?;
            let distance = self.wanted.distance(&stats);
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, stats));
            }
            if distance == 0 {
                break;
            }
        }
        let Some((_, stats)) = best else { return Err(refused.unwrap_or(Problem::Internal)) };
        Ok(Picked { body: body(stats, tried, complete), origin, complete })
    }
}

/// The head of the level that was chosen, and what it was chosen by.
fn body(stats: Map<String, Value>, tried: u32, complete: bool) -> Vec<u8> {
    let (difficulty, length) = (stats["difficulty"].clone(), stats["solution"]["length"].clone());
    let mut fields: Map<_, _> = stats.into_iter().take_while(|(name, _)| !stats::FIRST_FIELD.eq(name)).collect();
    let own = [("difficulty", difficulty), ("length", length), ("tried", tried.into()), ("complete", complete.into())];
    fields.extend(own.map(|(name, value)| (name.to_owned(), value)));
    serde_json::to_vec(&fields).unwrap_or_default()
}

impl Wanted {
    fn read(given: &mut Parameters) -> Option<Self> {
        let has = ["difficulty", "min_length", "max_length"].map(|name| given.has(name));
        let difficulty = given.value("difficulty", ParameterType::Number, |text| DIFFICULTY.parse(text));
        let [least, most] = ["min_length", "max_length"]
            .map(|name| given.value(name, ParameterType::Number, |text| integer(text, 0..=MAX_COUNT)));
        match has {
            [true, false, false] => difficulty.map(Self::Difficulty),
            [true, ..] => given.accept("difficulty", Err("is given beside lengths; give one or the other".to_owned())),
            [false, false, false] => {
                given.accept("difficulty", Err("is missing; give it, or min_length or max_length".to_owned()))
            }
            [false, has_least, has_most] => {
                if let (Some(least), Some(most)) = (least, most)
                    && least > most
                {
                    return given.accept("min_length", Err(format!("is above max_length, which is {most}")));
                }
                // what was given and could not be read is a fault already
                (has_least == least.is_some() && has_most == most.is_some()).then_some(Self::Length { least, most })
            }
        }
    }

    /// How far a level is from what is wanted.
    fn distance(self, stats: &Map<String, Value>) -> u64 {
        match self {
            Self::Difficulty(wanted) => {
                let found = DIFFICULTY.parse(&stats["difficulty"].to_string()).unwrap_or(0);
                found.abs_diff(wanted)
            }
            Self::Length { least, most } => {
                let length = stats["solution"]["length"].as_u64().unwrap_or(0);
                let short = least.map_or(0, |least| least.saturating_sub(length));
                short.max(most.map_or(0, |most| length.saturating_sub(most)))
            }
        }
    }
}

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.series)?;
        match self.wanted {
            Wanted::Difficulty(wanted) => write!(f, "&difficulty={}", DIFFICULTY.format(wanted))?,
            Wanted::Length { least, most } => {
                for (name, bound) in [("min_length", least), ("max_length", most)] {
                    if let Some(bound) = bound {
                        write!(f, "&{name}={bound}")?;
                    }
                }
            }
        }
        if self.tries != DEFAULT_TRIES {
            write!(f, "&tries={}", self.tries)?;
        }
        Ok(())
    }
}
