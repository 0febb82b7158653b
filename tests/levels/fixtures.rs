//! Recipes and levels for all of these tests.

use mazed::level::Level;
use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::error::ParameterError;
use mazed::level::grid::LevelKind;
use mazed::level::parameters::options::{OptionId, OptionSpec, OptionType};
use mazed::level::parameters::{Parameters, Value};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::rng::{Rng, Seed, Streams};
use mazed::level::work::{Buffers, Cancel, JobContext};

/// A context that nothing cancels.
pub(crate) fn context(buffers: &mut Buffers) -> JobContext<'_> {
    JobContext { buffers, cancel: Cancel::never() }
}

/// Reads a recipe from pairs of texts, as in a query string, and the rows of a mask, if there are any.
pub(crate) fn recipe(
    pairs: &[(&str, impl AsRef<str>)],
    mask: &[impl AsRef<str>],
) -> Result<Recipe, Vec<ParameterError>> {
    let text = |value: &str| Ok(Value::Bare(value.to_owned().into()));
    let mut all: Vec<_> = pairs.iter().map(|(name, value)| ((*name).into(), text(value.as_ref()))).collect();
    if !mask.is_empty() {
        all.push(("mask".into(), Ok(Value::Rows(mask.iter().map(|row| row.as_ref().into()).collect()))));
    }
    let mut params = Parameters::new(all);
    let recipe = Recipe::read(&mut params, Limits::of_side(4001), || 0);
    params.finish(recipe, Vec::new)
}

/// Builds a level without a mask, which must be possible.
pub(crate) fn build(pairs: &[(&str, impl AsRef<str>)], context: &mut JobContext) -> Level {
    Level::build(recipe(pairs, &[""; 0]).unwrap(), context).unwrap()
}

/// The algorithms that make mazes.
pub(crate) fn mazes() -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS.iter().filter(|algorithm| algorithm.kind == LevelKind::Maze)
}

/// Random numbers for one test.
pub(crate) fn rng(name: &str) -> Rng {
    Streams::new(&Seed::Integer(7), name, 0).stream(0, 0)
}

/// The fractions that an algorithm takes, except `braid`: at their defaults, their least or their greatest values, as
/// `turn` says.
pub(crate) fn fractions(algorithm: &Algorithm, turn: u64) -> Vec<(&'static str, String)> {
    let rows = algorithm.options.iter().filter(|option| **option != OptionId::Braid).map(|option| option.row());
    let fractions = rows.filter(|row| matches!(row.kind, OptionType::Fraction { .. }));
    let value = |row: &OptionSpec| match (turn % 3, row.kind.bounds()) {
        (0, _) => None,
        (1, (least, _)) => Some(least),
        (_, (_, most)) => Some(most),
    };
    fractions.filter_map(|row| Some((row.name, row.kind.format(value(row)?)))).collect()
}
