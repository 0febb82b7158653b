//! `GET /algorithms`: every algorithm, option, solver and form, with limits and defaults, read from the tables.

use axum::response::Response;
use serde_json::{Value, json};

use crate::config::Settings;
use crate::http::frontend::Call;
use crate::http::problem::Problem;
use crate::level::algorithms::{ALGORITHMS, Algorithm};
use crate::level::grid::LevelKind;
use crate::level::parameters::options::{OPTIONS, OptionSpec, OptionType};
use crate::level::queries::solution::SolutionQuery;
use crate::level::recipe::{Limits, MIN_SIDE};
use crate::level::rng::Seed;
use crate::level::solvers::{SOLVERS, Solver};
use crate::render::json::head::option_value;
use crate::render::options::{FormSpec, GRID_FORMS, PATH_FORMS};
use crate::render::{Format, Render};

pub(super) async fn get(call: Call) -> Result<Response, Problem> {
    call.app.catalogue.reply(call.request.headers())
}

/// The catalogue of a service with these settings.
pub(super) fn catalogue(limits: Limits, settings: &Settings) -> Value {
    json!({
        "algorithms": ALGORITHMS.iter().map(algorithm).collect::<Vec<_>>(),
        "options": OPTIONS.iter().map(option).collect::<Vec<_>>(),
        "solvers": SOLVERS.iter().map(solver).collect::<Vec<_>>(),
        "grids": GRID_FORMS.iter().map(form).collect::<Vec<_>>(),
        "paths": PATH_FORMS.iter().map(form).collect::<Vec<_>>(),
        "formats": SolutionQuery::FORMATS.iter().map(format).collect::<Vec<_>>(),
        "limits": {
            "min_side": MIN_SIDE,
            "max_side": limits.max_side,
            "max_room_mask_side": limits.max_room_mask_side,
            "max_seed_characters": Seed::MAX_CHARS,
            "max_answer_bytes": settings.max_answer_bytes,
            "max_url_bytes": settings.max_url_bytes,
            "max_body_bytes": settings.max_body_bytes,
        },
        "defaults": {
            "algo": ALGORITHMS[0].name,
            "size": limits.default_side(),
            "solver": SOLVERS[0].name,
            "grid": GRID_FORMS[0].name,
            "path": PATH_FORMS[0].name,
            "format": SolutionQuery::FORMATS[0].name,
        },
    })
}

fn algorithm(row: &Algorithm) -> Value {
    json!({
        "name": row.name,
        "aliases": row.aliases,
        "summary": row.summary,
        "character": row.character,
        "source": row.source,
        "revision": row.revision,
        "sides": match row.kind { LevelKind::Maze => "odd", LevelKind::Rooms => "any" },
        "masks": row.masks,
        "options": row.options.iter().map(|option| option.row().name).collect::<Vec<_>>(),
    })
}

fn option(row: &OptionSpec) -> Value {
    let (minimum, maximum) = row.kind.bounds();
    json!({
        "name": row.name,
        "kind": match row.kind { OptionType::Count => "count", OptionType::Fraction { .. } => "fraction" },
        "minimum": option_value(row.kind, minimum),
        "maximum": option_value(row.kind, maximum),
        "default": row.default_summary,
        "summary": row.summary,
    })
}

fn solver(row: &Solver) -> Value {
    json!({"name": row.name, "summary": row.summary, "shortest": row.shortest, "revision": row.revision})
}

fn form<T>(row: &FormSpec<T>) -> Value {
    json!({"name": row.name, "summary": row.summary})
}

fn format(row: &Format<SolutionQuery>) -> Value {
    json!({"name": row.name, "media_type": row.media_type})
}
