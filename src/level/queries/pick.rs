//! Picks, among several candidate levels, the one that comes nearest to what the client wants.
//!
//! The candidates are the levels of a series. Their recipes differ only in the seed: the seed of the request, a slash,
//! and the number of the level, for example `cave/0`, `cave/1` and so on. They are measured in batches of several
//! levels, each batch as one job. A job for each level would cost too much, and one job for all levels would hold a
//! worker for too long. The batches of a series are always the same, so another pick from the same series finds them in
//! the cache.

use std::fmt;

use serde::Serialize;

use crate::level::Level;
use crate::level::error::{Error, ParameterError};
use crate::level::grid::Tile;
use crate::level::parameters::options::MAX_COUNT;
use crate::level::parameters::{ParameterKind, ParameterSpec, Parameters};
use crate::level::queries::effort::{self, Rating, rate};
use crate::level::queries::fraction::Fraction;
use crate::level::queries::stats;
use crate::level::recipe::Recipe;
use crate::level::rng::Seed;
use crate::level::work::{JobContext, Price};

/// Grows whenever another level may be picked. Only the statistics decide that, so this is their revision.
pub const REVISION: u32 = stats::REVISION;

/// The parameters of a pick besides those of a recipe.
pub const PARAMETERS: &[ParameterSpec] = &[DIFFICULTY, EFFORT[0], EFFORT[1], LENGTH[0], LENGTH[1], TRIES];

const DIFFICULTY: ParameterSpec = ParameterSpec::new(
    "difficulty",
    ParameterKind::Fraction,
    "the wanted difficulty; or else bounds of another figure",
)
.required()
.instead_of(&["min_effort", "max_effort", "min_length", "max_length"]);
/// The bounds of the effort, the lower one first.
const EFFORT: [ParameterSpec; 2] = bounds(
    ["min_effort", "max_effort"],
    ["the fewest steps of the explorer", "the most steps of the explorer"],
    &["difficulty", "min_length", "max_length"],
);
/// The bounds of the length, the lower one first.
const LENGTH: [ParameterSpec; 2] = bounds(
    ["min_length", "max_length"],
    ["the fewest steps of the solution", "the most steps of the solution"],
    &["difficulty", "min_effort", "max_effort"],
);
const TRIES: ParameterSpec = ParameterSpec::new(
    "tries",
    ParameterKind::Integer { minimum: 1, maximum: MAX_TRIES as u64, default: Some(DEFAULT_TRIES as u64) },
    "how many levels of the series to look at",
);

/// Two parameters that bound a number of steps.
const fn bounds(
    names: [&'static str; 2],
    summaries: [&'static str; 2],
    excludes: &'static [&'static str],
) -> [ParameterSpec; 2] {
    [
        ParameterSpec::new(names[0], STEPS, summaries[0]).instead_of(excludes),
        ParameterSpec::new(names[1], STEPS, summaries[1]).instead_of(excludes),
    ]
}

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
    /// So many steps of an explorer.
    Effort(Range),
    /// A solution of so many steps.
    Length(Range),
}

/// A number of steps, with one bound at least.
#[derive(Debug, Clone, Copy)]
struct Range {
    min: Option<u64>,
    max: Option<u64>,
}

/// How far a level is from what the client wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Miss {
    /// The difference between its difficulty and the wanted one.
    Difficulty(Fraction),
    /// Steps too few or too many.
    Steps(u64),
}

impl Miss {
    /// Whether the level is as wanted.
    pub const fn is_zero(self) -> bool {
        matches!(self, Self::Difficulty(Fraction(0)) | Self::Steps(0))
    }
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
    /// Steps of an explorer.
    pub effort: u64,
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

    /// How far a level is from what the client wants.
    pub fn miss(&self, level: &Measured) -> Miss {
        match self.target {
            Target::Difficulty(wanted) => Miss::Difficulty(Fraction(level.difficulty.units().abs_diff(wanted))),
            Target::Effort(range) => Miss::Steps(range.miss(level.effort)),
            Target::Length(range) => Miss::Steps(range.miss(level.length)),
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

    /// What measuring the batch takes, if making a level takes this much. Its levels are made one after the other.
    pub fn price(&self, level: Price) -> Price {
        Price {
            bytes: level.bytes + effort::work_bytes(&self.series),
            nanos: u64::from(self.levels) * (level.nanos + effort::work_nanos(&self.series)),
        }
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
                let Rating { length, effort, difficulty, .. } = rate(&level, context)?;
                let measured = Measured { start: level.start(), exit: level.exit(), length, effort, difficulty };
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
        let has_difficulty = params.has(DIFFICULTY.name);
        let difficulty = params.number(&DIFFICULTY);
        let [effort, length] =
            [EFFORT, LENGTH].map(|bounds| bounds.map(|row| row.name).into_iter().find(|name| params.has(name)));
        let ranges = [EFFORT, LENGTH].map(|bounds| Range::read(params, &bounds));
        match (has_difficulty, effort, length) {
            (true, None, None) => difficulty.map(Self::Difficulty),
            (false, Some(_), None) => ranges[0].map(Self::Effort),
            (false, None, Some(_)) => ranges[1].map(Self::Length),
            (false, None, None) => params.accept(
                DIFFICULTY.name,
                Err("is missing; give it, or min_effort or max_effort, or min_length or max_length".to_owned()),
            ),
            (true, Some(other), _) | (true, None, Some(other)) => {
                params.accept(DIFFICULTY.name, Err(format!("cannot be combined with {other}; give one of the two")))
            }
            (false, Some(effort), Some(length)) => {
                params.accept(length, Err(format!("cannot be combined with {effort}; give one of the two")))
            }
        }
    }
}

impl Range {
    /// Reads both bounds. `None` where neither is given, or there is an error, which `params` then holds.
    fn read(params: &mut Parameters, bounds: &[ParameterSpec; 2]) -> Option<Self> {
        let given = bounds.map(|row| params.has(row.name));
        let [min, max] = bounds.map(|row| params.number(&row));
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            return params.accept(bounds[0].name, Err(format!("is above {}, which is {max}", bounds[1].name)));
        }
        // a bound that was given and could not be read is an error already
        (given.contains(&true) && given == [min.is_some(), max.is_some()]).then_some(Self { min, max })
    }

    /// Writes the bounds as parameters of a query.
    fn write(self, bounds: &[ParameterSpec; 2], f: &mut fmt::Formatter) -> fmt::Result {
        let values = bounds.iter().zip([self.min, self.max]);
        values
            .filter_map(|(row, value)| Some((row.name, value?)))
            .try_for_each(|(name, value)| write!(f, "&{name}={value}"))
    }

    /// How far a number of steps is from the range.
    fn miss(self, steps: u64) -> u64 {
        let too_few = self.min.map_or(0, |min| min.saturating_sub(steps));
        too_few.max(self.max.map_or(0, |max| steps.saturating_sub(max)))
    }
}

/// The canonical query.
impl fmt::Display for PickQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.series)?;
        match self.target {
            Target::Difficulty(wanted) => write!(f, "&difficulty={}", DIFFICULTY.kind.format_number(wanted))?,
            Target::Effort(range) => range.write(&EFFORT, f)?,
            Target::Length(range) => range.write(&LENGTH, f)?,
        }
        if self.tries != DEFAULT_TRIES {
            write!(f, "&tries={}", self.tries)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
