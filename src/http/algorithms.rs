//! `GET /algorithms`: every algorithm, option, query, solver and form, with limits and defaults, read from the tables.
//! It lists only what can be chosen.

use axum::response::Response;
use serde_json::{Value, json};

use crate::config::Settings;
use crate::http::frontend::Call;
use crate::http::problem::Problem;
use crate::http::route::Route;
use crate::level::algorithms::{ALGORITHMS, Algorithm};
use crate::level::grid::LevelKind;
use crate::level::parameters::options::{OPTIONS, OptionDefault, OptionSpec, OptionType};
use crate::level::parameters::{ParameterKind, ParameterSpec};
use crate::level::queries::solution::SolutionQuery;
use crate::level::queries::spawns::KINDS;
use crate::level::recipe::{self, Limits, MIN_SIDE};
use crate::level::rng::Seed;
use crate::level::solvers::{SOLVERS, Solver};
use crate::render::json::head::option_value;
use crate::render::options::{FormSpec, GRID_FORMS, PATH_FORMS};
use crate::render::{Format, Render};

pub(super) async fn get(call: Call) -> Result<Response, Problem> {
    call.app.catalogue.reply(call.request.headers())
}

/// The catalogue of a service with these settings and routes.
pub(super) fn catalogue(limits: Limits, settings: &Settings, routes: &[Route]) -> Value {
    let of_recipe = recipe::PARAMETERS.iter().chain([&recipe::MASK_PARAMETER]);
    let mut catalogue = json!({
        "algorithms": ALGORITHMS.iter().map(algorithm).collect::<Vec<_>>(),
        "options": OPTIONS.iter().map(option).collect::<Vec<_>>(),
        "parameters": of_recipe.map(|row| parameter(row, limits)).collect::<Vec<_>>(),
        "queries": routes.iter().filter_map(|route| query(route, limits)).collect::<Vec<_>>(),
        "solvers": SOLVERS.iter().map(solver).collect::<Vec<_>>(),
        "grids": GRID_FORMS.iter().map(form).collect::<Vec<_>>(),
        "paths": PATH_FORMS.iter().map(form).collect::<Vec<_>>(),
        "spawn_kinds": KINDS.iter().map(|row| json!({"name": row.name, "summary": row.summary})).collect::<Vec<_>>(),
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
        },
    });
    if SolutionQuery::FORMATS.len() > 1 {
        catalogue["formats"] = SolutionQuery::FORMATS.iter().map(format).collect();
        catalogue["defaults"]["format"] = SolutionQuery::FORMATS[0].name.into();
    }
    catalogue
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
    let mut option = json!({
        "name": row.name,
        "kind": match row.kind { OptionType::Count => "integer", OptionType::Fraction { .. } => "fraction" },
        "summary": row.summary,
        "minimum": option_value(row.kind, minimum),
        "maximum": option_value(row.kind, maximum),
        "default": null,
    });
    match row.default {
        OptionDefault::Value(value) => option["default"] = option_value(row.kind, value),
        OptionDefault::Computed { summary, .. } => option["default_description"] = summary.into(),
    }
    option
}

/// A route that answers a query, with its own parameters.
fn query(route: &Route, limits: Limits) -> Option<Value> {
    let own = (route.parameters?)();
    Some(json!({
        "path": route.path,
        "methods": route.methods,
        "needs_seed": route.needs_seed,
        "parameters": own.iter().filter(|row| is_choice(row)).map(|row| parameter(row, limits)).collect::<Vec<_>>(),
    }))
}

/// Whether there is anything to choose: a parameter with one value, such as the only format, is none for a menu.
fn is_choice(row: &ParameterSpec) -> bool {
    if let ParameterKind::Name(names) = row.kind { names().len() > 1 } else { true }
}

fn parameter(row: &ParameterSpec, limits: Limits) -> Value {
    let mut parameter = json!({
        "name": row.name,
        "kind": kind(row.kind),
        "summary": row.summary,
        "default": null,
        "required": row.is_required,
        "excludes": row.excludes,
        "needs": row.needs,
        "body_only": matches!(row.kind, ParameterKind::Mask),
    });
    match row.kind {
        ParameterKind::Name(names) => parameter["values"] = names().into(),
        ParameterKind::Integer { minimum, maximum, default } => {
            parameter["minimum"] = minimum.into();
            parameter["maximum"] = maximum.into();
            parameter["default"] = default.into();
        }
        ParameterKind::Fraction => {
            parameter["minimum"] = 0.into();
            parameter["maximum"] = 1.into();
        }
        ParameterKind::Side => {
            parameter["minimum"] = MIN_SIDE.into();
            parameter["maximum"] = limits.max_side.into();
            // `width` and `height` are only given together
            if row.needs.is_empty() {
                parameter["default"] = limits.default_side().into();
            }
        }
        _ => {}
    }
    if let Some(words) = row.default_summary {
        parameter["default_description"] = words.into();
    }
    parameter
}

const fn kind(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Name(_) => "name",
        ParameterKind::Integer { .. } => "integer",
        ParameterKind::Fraction => "fraction",
        ParameterKind::Side => "side",
        ParameterKind::Seed => "seed",
        ParameterKind::Tile => "tile",
        ParameterKind::Endpoint => "endpoint",
        ParameterKind::Flag => "flag",
        ParameterKind::Tiles => "tiles",
        ParameterKind::Moves => "moves",
        ParameterKind::Mask => "mask",
    }
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
