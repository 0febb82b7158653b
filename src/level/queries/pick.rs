//! Picks, among several candidate levels, the one that comes nearest to what the client wants.
//!
//! The candidates are the levels of a series. Their recipes differ only in the seed: the seed of the request, a slash,
//! and the number of the level, for example `cave/0`, `cave/1` and so on. They are measured in batches of several
//! levels, each batch as one job. A job for each level would cost too much, and one job for all levels would hold a
//! worker for too long. The batches of a series are always the same, so another pick from the same series finds them in
//! the cache.

use std::fmt;

use crate::level::Level;
use crate::level::error::{Error, ParameterError};
use crate::level::grid::Tile;
use crate::level::parameters::options::MAX_COUNT;
use crate::level::parameters::{ParameterKind, ParameterSpec, Parameters};
use crate::level::queries::difficulty::{Rating, rate};
use crate::level::queries::fraction::Fraction;
use crate::level::queries::stats;
use crate::level::recipe::Recipe;
use crate::level::rng::Seed;
use crate::level::work::JobContext;

/// Grows whenever another level may be picked. Only the statistics decide that, so this is their revision.
pub const REVISION: u32 = stats::REVISION;

/// The parameters of a pick besides those of a recipe.
pub const PARAMETERS: &[ParameterSpec] = &[DIFFICULTY, MIN_LENGTH, MAX_LENGTH, TRIES];

const DIFFICULTY: ParameterSpec =
    ParameterSpec::new("difficulty", ParameterKind::Fraction, "the wanted difficulty; or else bounds for the length")
        .required()
        .instead_of(&["min_length", "max_length"]);
const MIN_LENGTH: ParameterSpec =
    ParameterSpec::new("min_length", STEPS, "the fewest steps of the solution").instead_of(&["difficulty"]);
const MAX_LENGTH: ParameterSpec =
    ParameterSpec::new("max_length", STEPS, "the most steps of the solution").instead_of(&["difficulty"]);
const TRIES: ParameterSpec = ParameterSpec::new(
    "tries",
    ParameterKind::Integer { minimum: 1, maximum: MAX_TRIES as u64, default: Some(DEFAULT_TRIES as u64) },
    "how many levels of the series to look at",
);

/// A number of steps.
const STEPS: ParameterKind = ParameterKind::Integer { minimum: 0, maximum: MAX_COUNT, default: None };

/// How many levels of a series to look at: if the client does not say, and at most.
const DEFAULT_TRIES: u32 = 32;
const MAX_TRIES: u32 = 1_024;

/// Most characters of the seed of a series: the number of a level must fit behind it.
const MAX_SERIES_CHARS: usize = Seed::MAX_CHARS - "/1023".len();

/// Levels of the first batch, if the levels are small.
const MIN_BATCH_LEVELS: u32 = 4;

/// Most levels of a batch, and most tiles of a batch of several levels. Such a batch takes a worker about half a
/// millisecond.
const MAX_BATCH_LEVELS: u32 = 16;
const MAX_BATCH_TILES: u64 = 32_768;

/// What the client wants of a level.
#[derive(Debug, Clone, Copy)]
enum Target {
    /// A difficulty, in [`FRACTION_UNIT`](crate::level::parameters::options::FRACTION_UNIT)s.
    Difficulty(u64),
    /// A solution of at least `min` and at most `max` steps.
    Length { min: Option<u64>, max: Option<u64> },
}

/// A series of levels, and which one of them the client wants.
///
/// Not a [`Query`](crate::level::queries::Query): a query is about one level and is answered by one job, but a pick
/// looks at many levels and takes several jobs.
#[derive(Debug)]
pub struct PickQuery {
    series: Recipe,
    target: Target,
    tries: u32,
}

/// Consecutive levels of a series, measured as one job.
#[derive(Debug, Clone)]
pub struct Batch {
    series: Recipe,
    first: u32,
    levels: u32,
}

/// The figures of a level that decide whether it is picked, and that the answer contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// The start.
    pub start: Tile,
    /// The exit.
    pub exit: Tile,
    /// Steps of the solution.
    pub length: u64,
    /// How hard the level is.
    pub difficulty: Fraction,
}

/// A level of a batch: its figures, or why it cannot be made (start or exit is a wall in it).
pub type Candidate = Result<Measured, Vec<ParameterError>>;

impl PickQuery {
    /// Reads the query, and by `read_recipe` the recipe of its series. Returns `None` if there is an error; `params`
    /// holds it.
    pub fn read<'a>(
        params: &mut Parameters<'a>,
        read_recipe: impl FnOnce(&mut Parameters<'a>) -> Option<Recipe>,
    ) -> Option<Self> {
        let series = read_recipe(params);
        let seed = series.as_ref().map(|series| series.seed().to_string());
        if seed.is_some_and(|seed| seed.chars().count() > MAX_SERIES_CHARS) {
            params.add_error("seed", format!("names a series and has at most {MAX_SERIES_CHARS} characters"));
        }
        let target = Target::read(params);
        let tries = params.number(&TRIES);
        Some(Self { series: series?, target: target?, tries: tries? as u32 })
    }

    /// The recipe that the levels of the series have in common, with the seed of the series itself.
    pub const fn series(&self) -> &Recipe {
        &self.series
    }

    /// The recipe of a level of the series.
    pub fn level(&self, number: u32) -> Recipe {
        level_of(&self.series, number)
    }

    /// The levels to look at, in batches whose size doubles up to a limit. The first batches are small, so that little
    /// work is wasted if an early level is just what the client wants. A level of a given number is always in the same
    /// batch; only the last batch may be cut short by `tries`.
    pub fn batches(&self) -> impl Iterator<Item = Batch> + '_ {
        let area = self.series.size().area();
        let most =
            u32::try_from(MAX_BATCH_TILES / area).map_or(MAX_BATCH_LEVELS, |most| most.clamp(1, MAX_BATCH_LEVELS));
        let mut next = (0, MIN_BATCH_LEVELS.min(most));
        std::iter::from_fn(move || {
            let (first, levels) = next;
            next = (first + levels, (2 * levels).min(most));
            let levels = levels.min(self.tries.saturating_sub(first));
            (levels > 0).then(|| Batch { series: self.series.clone(), first, levels })
        })
    }

    /// How far a level is from what the client wants; 0 if it is exactly that.
    pub fn miss(&self, level: &Measured) -> u64 {
        match self.target {
            Target::Difficulty(wanted) => level.difficulty.units().abs_diff(wanted),
            Target::Length { min, max } => {
                let too_short = min.map_or(0, |min| min.saturating_sub(level.length));
                too_short.max(max.map_or(0, |max| level.length.saturating_sub(max)))
            }
        }
    }
}

impl Batch {
    /// The number of the first level.
    pub const fn first(&self) -> u32 {
        self.first
    }

    /// How many levels the batch has.
    pub const fn levels(&self) -> u32 {
        self.levels
    }

    /// The recipe of the first level, which costs as much as the others.
    pub fn recipe(&self) -> Recipe {
        level_of(&self.series, self.first)
    }

    /// Most bytes that measuring the batch takes. Its levels are made one after the other.
    pub fn work_bytes(&self) -> u64 {
        self.series.work_bytes() + stats::work_bytes(self.series.size())
    }

    /// Makes the levels of the batch and measures them.
    ///
    /// # Errors
    /// If no seed has such a level, or the job is cancelled.
    pub fn measure(&self, context: &mut JobContext) -> Result<Vec<Candidate>, Error> {
        (self.first..self.first + self.levels)
            .map(|number| {
                let level = match Level::build(level_of(&self.series, number), context) {
                    Ok(level) => level,
                    Err(Error::Misplaced(errors)) => return Ok(Err(errors)),
                    Err(error) => return Err(error),
                };
                let Rating { length, difficulty, .. } = rate(&level, context)?;
                let measured = Measured { start: level.start(), exit: level.exit(), length, difficulty };
                context.buffers.recycle(level.into_layout());
                Ok(Ok(measured))
            })
            .collect()
    }
}

fn level_of(series: &Recipe, number: u32) -> Recipe {
    series.with_seed(Seed::Text(format!("{}/{number}", series.seed()).into()))
}

/// A text that differs from that of every other batch of any series.
impl fmt::Display for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pick?{}#{}+{}", self.series, self.first, self.levels)
    }
}

impl Target {
    fn read(params: &mut Parameters) -> Option<Self> {
        let given = [DIFFICULTY, MIN_LENGTH, MAX_LENGTH].map(|row| params.has(row.name));
        let [difficulty, min, max] = [DIFFICULTY, MIN_LENGTH, MAX_LENGTH].map(|row| params.number(&row));
        match given {
            [true, false, false] => difficulty.map(Self::Difficulty),
            [true, ..] => params.accept("difficulty", Err("is given beside lengths; give one or the other".to_owned())),
            [false, false, false] => {
                params.accept("difficulty", Err("is missing; give it, or min_length or max_length".to_owned()))
            }
            [false, has_min, has_max] => {
                if let (Some(min), Some(max)) = (min, max)
                    && min > max
                {
                    return params.accept("min_length", Err(format!("is above max_length, which is {max}")));
                }
                // if a length could not be read, `params` already holds the error
                (has_min == min.is_some() && has_max == max.is_some()).then_some(Self::Length { min, max })
            }
        }
    }
}

/// The canonical query.
impl fmt::Display for PickQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.series)?;
        match self.target {
            Target::Difficulty(wanted) => write!(f, "&difficulty={}", DIFFICULTY.kind.format_number(wanted))?,
            Target::Length { min, max } => {
                for (name, bound) in [("min_length", min), ("max_length", max)] {
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

#[cfg(test)]
mod tests;
