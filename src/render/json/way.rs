//! A way between two tiles of a level as JSON.

use crate::level::Level;
use crate::level::error::Error;
use crate::level::grid::Tile;
use crate::level::solvers::{Solution, Solver};
use crate::level::work::JobContext;
use crate::render::json::path::Path;
use crate::render::json::{Head, path, put, resize, text};
use crate::render::{GridForm, Parts, PathForm, RenderOptions};

/// Writes the way from one open tile to another, and its first step, in at most `limit` bytes.
///
/// # Errors
/// Where the body would pass the limit, or the job is told to stop.
pub fn way(
    level: &Level,
    [from, to]: [Tile; 2],
    solver: &'static Solver,
    form: PathForm,
    limit: u64,
    context: &mut JobContext,
) -> Result<Vec<u8>, Error> {
    if solver.shortest {
        // who asks for one way in a level asks for more
        level.tree(context)?;
    }
    let route = (solver.solve)(level, from, to, context)?;
    let mut head = text(&Head(level));
    head.pop();
    let moves = match route {
        Solution::Found(moves) => moves,
        Solution::Unreachable(reason) => {
            let reason = text(reason);
            return Ok(format!(r#"{head},"solver":"{}","found":false,"reason":{reason}}}"#, solver.name).into_bytes());
        }
    };
    let head = format!(r#"{head},"solver":"{}","length":{}{}"#, solver.name, moves.len(), path::field(form));
    let tail = match moves.first() {
        Some(step) => format!(r#","next":{}}}"#, text(&from.step(*step))),
        None => "}".to_owned(),
    };
    let path = Path::new(form, level.grid().size(), from, &moves);
    let parts = Parts { grid: 0, plan: 0, path: path.bytes() };
    let bytes = (head.len() + tail.len()) as u64 + parts.total();
    if bytes > limit {
        let view = RenderOptions { solver: Some(solver), grid: GridForm::None, path: form };
        return Err(Error::TooLarge(view.too_large(parts, bytes, limit)));
    }
    let mut body = Vec::new();
    resize(&mut body, bytes as usize);
    let rest = put(&mut body, head.as_bytes());
    let (steps, rest) = rest.split_at_mut(parts.path as usize);
    path.write(steps);
    put(rest, tail.as_bytes());
    Ok(body)
}
