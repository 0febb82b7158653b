//! A path between two tiles of a level as JSON.

use std::ops::Range;

use crate::level::Level;
use crate::level::error::Error;
use crate::level::queries::path::PathQuery;
use crate::level::recipe::Recipe;
use crate::level::solvers::Solution;
use crate::level::work::{FIXED_BYTES, JobContext};
use crate::render::format::{Format, Rendering};
use crate::render::json::buffer::{put, resize, text};
use crate::render::json::head::Head;
use crate::render::json::row;
use crate::render::json::size::Parts;
use crate::render::json::steps::{self, Steps};
use crate::render::options::{GridForm, PATH, RenderOptions};

/// The answers of `/maze/path`.
pub const FORMAT: Format<PathQuery> = Format {
    name: row::NAME,
    media_type: row::MEDIA_TYPE,
    revision: row::REVISION,
    compressible: true,
    parameters: &[PATH],
    check: None,
    work_bytes,
    answer_bytes,
    write,
};

/// Finds the path and writes it, with its first step.
fn write(rendering: &Rendering<PathQuery>, level: &Level, context: &mut JobContext) -> Result<Vec<u8>, Error> {
    let &Rendering { query, options, limit } = rendering;
    let (from, solution) = query.find(level, context)?;
    let solver = query.solver.name;
    let mut head = text(&Head::of(level));
    head.pop();
    let moves = match solution {
        Solution::Found(moves) => moves,
        Solution::Unreachable(reason) => {
            let reason = text(reason);
            return Ok(format!(r#"{head},"solver":"{solver}","found":false,"reason":{reason}}}"#).into_bytes());
        }
    };
    let head = format!(r#"{head},"solver":"{solver}","length":{}{}"#, moves.len(), steps::field(options.path));
    let tail = match moves.first() {
        Some(step) => format!(r#","next":{}}}"#, text(&from.step(*step))),
        None => "}".to_owned(),
    };
    let path = Steps::new(options.path, level.grid().size(), from, &moves);
    let parts = Parts { grid: 0, plan: 0, path: path.bytes() };
    let bytes = (head.len() + tail.len()) as u64 + parts.total();
    if bytes > limit {
        let options = RenderOptions { grid: GridForm::None, ..options };
        return Err(Error::TooLarge(parts.too_large(options, bytes, limit)));
    }
    let mut body = Vec::new();
    resize(&mut body, bytes as usize);
    let rest = put(&mut body, head.as_bytes());
    let (steps, rest) = rest.split_at_mut(parts.path as usize);
    path.write(steps);
    put(rest, tail.as_bytes());
    Ok(body)
}

fn answer_bytes(&Rendering { query, options, limit }: &Rendering<PathQuery>, recipe: &Recipe) -> Range<u64> {
    0..(steps::max_bytes(options.path, query.max_steps(recipe)) + row::HEAD_BYTES).min(limit)
}

/// Most bytes that writing takes: the body and tables of texts.
fn work_bytes(rendering: &Rendering<PathQuery>, recipe: &Recipe) -> u64 {
    let &Rendering { query, options, limit } = rendering;
    let path = steps::max_bytes(options.path, query.max_steps(recipe));
    path.min(limit) + steps::table_bytes(options.path, recipe.size()) + FIXED_BYTES
}
