//! The table of formats: for each query the formats of its answers, the default one first.

use crate::level::queries::distances::DistancesQuery;
use crate::level::queries::path::PathQuery;
use crate::level::queries::solution::SolutionQuery;
use crate::level::queries::spawns::SpawnsQuery;
use crate::level::queries::stats::StatsQuery;
use crate::level::queries::verify::VerifyQuery;
use crate::render::format::{Format, Render};
use crate::render::json;

impl Render for SolutionQuery {
    const FORMATS: &'static [Format<Self>] = &[json::level::FORMAT];
}

impl Render for PathQuery {
    const FORMATS: &'static [Format<Self>] = &[json::path::FORMAT];
}

impl Render for DistancesQuery {
    const FORMATS: &'static [Format<Self>] = &[json::distances::FORMAT];
}

impl Render for StatsQuery {
    const FORMATS: &'static [Format<Self>] = &[json::small::STATS];
}

impl Render for SpawnsQuery {
    const FORMATS: &'static [Format<Self>] = &[json::small::SPAWNS];
}

impl Render for VerifyQuery {
    const FORMATS: &'static [Format<Self>] = &[json::small::VERIFICATION];
}
