//! A level and its solution as JSON.

use std::ops::Range;

use crate::level::Level;
use crate::level::error::{Error, ParameterError};
use crate::level::grid::Direction;
use crate::level::queries::solution::SolutionQuery;
use crate::level::recipe::Recipe;
use crate::level::solvers::Solution;
use crate::level::work::{FIXED_BYTES, JobContext};
use crate::render::format::{Format, Rendering};
use crate::render::json::buffer::{put, resize, text};
use crate::render::json::head::Head;
use crate::render::json::plan::{self, Fields};
use crate::render::json::size::Parts;
use crate::render::json::steps::{self, Steps};
use crate::render::json::{grid, row};
use crate::render::options::{GRID, GridForm, PATH, PathForm};

/// The answers of `/maze`.
pub const FORMAT: Format<SolutionQuery> = Format {
    name: row::NAME,
    media_type: row::MEDIA_TYPE,
    revision: row::REVISION,
    compressible: true,
    parameters: &[GRID, PATH],
    check: Some(check),
    work_bytes,
    answer_bytes,
    write: |rendering, level, context| {
        let mut body = Vec::new();
        write_into(&mut body, rendering, level, context)?;
        Ok(body)
    },
};

/// Solves a level and writes it into `body`, which is overwritten. The memory of `body` is used again if it is large
/// enough.
///
/// # Errors
/// If the body would pass the limit, or the job is cancelled.
pub fn write_into(
    body: &mut Vec<u8>,
    rendering: &Rendering<SolutionQuery>,
    level: &Level,
    context: &mut JobContext,
) -> Result<(), Error> {
    let &Rendering { query, options, limit } = rendering;
    let solution = query.solve(level, context)?;
    let solver = query.solver.map_or("", |solver| solver.name);
    let size = level.grid().size();
    // each large part comes after a text; the first text is the head without its closing brace
    let mut head = text(&Head::of(level));
    head.pop();
    head.push_str(grid::field(options.grid));
    let (mut middle, mut tail) = (String::new(), String::from("}"));
    let (mut moves, mut form): (&[Direction], _) = (&[], PathForm::None);
    match &solution {
        Some(Solution::Found(found)) => {
            (moves, form) = (found, options.path);
            middle = format!(r#","solution":{{"solver":"{solver}","length":{}{}"#, found.len(), steps::field(form));
            tail.push('}');
        }
        Some(Solution::Unreachable(reason)) => {
            let reason = text(reason);
            middle = format!(r#","solution":{{"solver":"{solver}","found":false,"reason":{reason}}}"#);
        }
        None => {}
    }
    let (plan, path) = (Fields(level.plan()), Steps::new(form, size, level.start(), moves));
    let void = level.grid().outline.as_ref().map_or(0, |outline| outline.void.count());
    let parts = Parts { grid: grid::bytes(options.grid, size, void), plan: plan.bytes(), path: path.bytes() };
    let bytes = (head.len() + middle.len() + tail.len()) as u64 + parts.total();
    if bytes > limit {
        return Err(Error::TooLarge(parts.too_large(options, bytes, limit)));
    }
    resize(body, bytes as usize);
    let rest = put(body, head.as_bytes());
    let (tiles, rest) = rest.split_at_mut(parts.grid as usize);
    grid::write(options.grid, level.grid(), tiles, context)?;
    let (rooms, rest) = rest.split_at_mut(parts.plan as usize);
    plan.write(rooms);
    let rest = put(rest, middle.as_bytes());
    let (steps, rest) = rest.split_at_mut(parts.path as usize);
    path.write(steps);
    put(rest, tail.as_bytes());
    Ok(())
}

fn check(&Rendering { options, limit, .. }: &Rendering<SolutionQuery>, recipe: &Recipe) -> Result<(), ParameterError> {
    let (grid, plan) = (grid_bytes(options.grid, recipe).start, plan::bounds(recipe).start);
    let parts = Parts { grid, plan, path: 0 };
    if parts.total() <= limit { Ok(()) } else { Err(parts.too_large(options, parts.total(), limit)) }
}

fn answer_bytes(&Rendering { query, options, limit }: &Rendering<SolutionQuery>, recipe: &Recipe) -> Range<u64> {
    let (grid, plan) = (grid_bytes(options.grid, recipe), plan::bounds(recipe));
    let path = steps::max_bytes(options.path, query.max_steps(recipe));
    grid.start + plan.start..(grid.end + plan.end + path + row::HEAD_BYTES).min(limit)
}

/// Most bytes that writing takes: the body, tables of texts, and the packed walls before they are encoded.
fn work_bytes(&Rendering { query, options, limit }: &Rendering<SolutionQuery>, recipe: &Recipe) -> u64 {
    let path = steps::max_bytes(options.path, query.max_steps(recipe));
    let body = grid_bytes(options.grid, recipe).end + plan::bounds(recipe).end + path;
    let packed = if options.grid == GridForm::Bits { grid_bytes(GridForm::Bits, recipe).end } else { 0 };
    body.min(limit) + packed + steps::table_bytes(options.path, recipe.size()) + FIXED_BYTES
}

/// The least and the most bytes that the grid of a recipe's level takes.
fn grid_bytes(form: GridForm, recipe: &Recipe) -> Range<u64> {
    let bytes = |void| grid::bytes(form, recipe.size(), void);
    bytes(0)..bytes(recipe.mask().map_or(0, |mask| mask.most_void()))
}

#[cfg(test)]
mod tests;
