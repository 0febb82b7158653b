//! Verifies a path that a player's client submitted: whether each of its steps can be made, and whether it reaches the
//! exit.
//!
//! A path is valid if it begins at the start of the level, each of its tiles is next to the one before and each is
//! open. It need not end at the exit. The check of a step reads a few bits of the level, so a path of a million steps
//! takes milliseconds. Most of the time goes into the length of a shortest path, which [`shortest_path`] finds.

use std::fmt;

use serde::Serialize;

use crate::level::Level;
use crate::level::grid::{Direction, OpenTiles, Passages, Size, Tile};
use crate::level::parameters::{ParameterKind, ParameterSpec, ParameterType, Parameters};
use crate::level::queries::query::Query;
use crate::level::recipe::Recipe;
use crate::level::solvers::{Solution, path_bytes, shortest_path};
use crate::level::work::{Cancel, Cancelled, JobContext};

/// A path that a client submitted.
///
/// ```
/// use mazed::level::queries::verify::{SubmittedPath, verify};
/// # use mazed::level::Level;
/// # use mazed::level::recipe::{Limits, Recipe};
/// # use mazed::level::work::{Buffers, Cancel, JobContext};
/// # let pairs = [("algo", "dfs"), ("size", "9"), ("seed", "7")];
/// # let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).expect("these pairs are a recipe");
/// # let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
/// # let level = Level::build(recipe, &mut context).expect("every seed has such a level");
/// let path = SubmittedPath::Moves(SubmittedPath::moves("L").expect("L is a step"));
/// let verification = verify(&level, &path, &mut context).expect("nothing cancels it");
/// assert!(!verification.valid, "left of the start is the border");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubmittedPath {
    /// The tiles of the path, each as `[x, y]`, the first one included, so at least one. They may lie anywhere, even
    /// outside the level.
    Points(Vec<[i64; 2]>),
    /// The steps of the path, from the start of the level on.
    Moves(Vec<Direction>),
}

/// The result for a submitted path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// Whether all of the path can be walked.
    pub valid: bool,
    /// Whether the exit is one of the tiles before the first error.
    pub reaches_exit: bool,
    /// The number of steps, valid or not: the tiles without the first one, or the moves.
    pub steps: u64,
    /// Steps of a shortest path from start to exit.
    pub shortest: u64,
    /// What is wrong with a path that is not valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_error: Option<PathError>,
}

/// The first tile of a submitted path that makes it invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PathError {
    /// How many tiles of the path are before it: 0 for the first tile of all, `k` for the one that move `k` leads to.
    pub step: u64,
    /// The tile, inside the level or not.
    pub at: [i64; 2],
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a tile of a path. If several reasons apply, the first of them in this list is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The first tile of the path is not the start of the level.
    StartsElsewhere,
    /// The tile is not next to the tile before. To stay on the same tile is no step either.
    NoStep,
    /// The tile is outside the rectangle of the level.
    Outside,
    /// The tile is a wall. (A void tile is never next to an open tile, so a step to it is [`Reason::NoStep`].)
    Wall,
}

impl SubmittedPath {
    /// Reads steps from letters: U, R, D and L.
    ///
    /// # Errors
    /// Says which character is no step.
    pub fn moves(text: &str) -> Result<Vec<Direction>, String> {
        let number = |letter: u8| NUMBERS[usize::from(letter)];
        if text.bytes().fold(0, |all, letter| all | number(letter)) & NO_STEP == 0 {
            return Ok(text.bytes().map(|letter| Direction::from_bits(number(letter))).collect());
        }
        let is_bad = |(character, _): &(char, u64)| u8::try_from(*character).map_or(NO_STEP, number) == NO_STEP;
        let (character, position) = text.chars().zip(1..).find(is_bad).unwrap_or_default();
        Err(format!("has {character:?} as character {position}; a step is one of U, R, D, L"))
    }

    /// The number of steps, valid or not.
    fn steps(&self) -> u64 {
        match self {
            Self::Points(points) => points.len().saturating_sub(1) as u64,
            Self::Moves(moves) => moves.len() as u64,
        }
    }
}

/// Grows by one whenever the answers change.
const REVISION: u32 = 1;

/// Whether the path that a player's client submitted can be walked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyQuery(pub SubmittedPath);

impl Query for VerifyQuery {
    const PARAMETERS: &'static [ParameterSpec] = &[
        ParameterSpec::new("path", ParameterKind::Tiles, "the tiles of the path, the start first")
            .required()
            .instead_of(&["moves"]),
        ParameterSpec::new("moves", ParameterKind::Moves, "the steps of the path, from the start on")
            .instead_of(&["path"]),
    ];
    const NEEDS_SEED: bool = true;
    const HAS_CANONICAL_TEXT: bool = false;

    fn read(params: &mut Parameters) -> Option<Self> {
        let (has_path, has_moves) = (params.has("path"), params.has("moves"));
        let path = params.points("path").map(SubmittedPath::Points);
        let moves = params.value("moves", ParameterType::Name, SubmittedPath::moves).map(SubmittedPath::Moves);
        match (has_path, has_moves) {
            (true, true) => params.accept("moves", Err("is given beside path; give one or the other".to_owned())),
            (false, false) => params.accept("path", Err("is missing; give it, or moves".to_owned())),
            _ => path.or(moves).map(Self),
        }
    }

    fn revision(&self) -> u32 {
        REVISION
    }

    fn work_bytes(&self, recipe: &Recipe) -> u64 {
        path_bytes(recipe)
    }

    fn work_nanos(&self, recipe: &Recipe) -> u64 {
        recipe.blueprint().nanos(30_000, 0)
    }
}

/// A submitted path is no part of a canonical query.
impl fmt::Display for VerifyQuery {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// What [`NUMBERS`] has for a byte that is no step.
const NO_STEP: u8 = 4;

/// For each byte the number of the direction whose letter it is.
static NUMBERS: [u8; 256] = {
    let mut numbers = [NO_STEP; 256];
    let mut i = 0;
    while i < 4 {
        let direction = Direction::ALL[i];
        numbers[direction.letter() as usize] = direction as u8;
        i += 1;
    }
    numbers
};

/// Verifies a submitted path.
///
/// # Errors
/// If the job is cancelled.
pub fn verify(level: &Level, path: &SubmittedPath, context: &mut JobContext) -> Result<Verification, Cancelled> {
    let (reaches_exit, first_error) = match path {
        SubmittedPath::Points(points) => judge_points(level, points, context.cancel)?,
        SubmittedPath::Moves(moves) => judge_moves(level, moves, context.cancel)?,
    };
    let shortest = match shortest_path(level, level.start(), level.exit(), context)? {
        Solution::Found(moves) => moves.len() as u64,
        // no recipe makes such a level
        Solution::Unreachable(_) => u64::MAX,
    };
    Ok(Verification { valid: first_error.is_none(), reaches_exit, steps: path.steps(), shortest, first_error })
}

/// Whether a path reaches the exit before its first error, and the first error.
type Judgement = (bool, Option<PathError>);

fn judge_points(level: &Level, points: &[[i64; 2]], cancel: Cancel) -> Result<Judgement, Cancelled> {
    let start = point(level.start());
    if let Some(first) = points.first().filter(|first| **first != start) {
        return Ok((false, Some(PathError { step: 0, at: *first, reason: Reason::StartsElsewhere })));
    }
    let steps = points.iter().zip(points.iter().skip(1)).map(|(from, to)| step_between(*from, *to));
    let (reaches_exit, error) = walk(level, steps, cancel)?;
    Ok((reaches_exit, error.map(|(step, _, reason)| PathError { step, at: points[step as usize], reason })))
}

/// The direction of the step between two tiles; `None` if they are not neighbours. `from` is a tile of the level.
fn step_between(from: [i64; 2], to: [i64; 2]) -> Option<Direction> {
    // `to` may be any numbers: if a difference overflows, it wraps to a number far from 0, which is no step
    match [to[0].wrapping_sub(from[0]), to[1].wrapping_sub(from[1])] {
        [0, -1] => Some(Direction::Up),
        [1, 0] => Some(Direction::Right),
        [0, 1] => Some(Direction::Down),
        [-1, 0] => Some(Direction::Left),
        _ => None,
    }
}

fn judge_moves(level: &Level, moves: &[Direction], cancel: Cancel) -> Result<Judgement, Cancelled> {
    let (reaches_exit, error) = walk(level, moves.iter().copied().map(Some), cancel)?;
    let error = error.map(|(step, before, reason)| {
        let ([x, y], (dx, dy)) = (point(before), moves[step as usize - 1].offset());
        PathError { step, at: [x + i64::from(dx), y + i64::from(dy)], reason }
    });
    Ok((reaches_exit, error))
}

fn point(tile: Tile) -> [i64; 2] {
    [tile.x.into(), tile.y.into()]
}

/// Steps between two checks for cancellation.
const BLOCK: u64 = 1 << 16;

/// Whether a walk reached the exit; and if a step could not be made, the number of the step, the tile before it, and
/// why.
type Walked = (bool, Option<(u64, Tile, Reason)>);

/// Walks from the start of a level up to the first step that cannot be made.
fn walk(level: &Level, steps: impl Iterator<Item = Option<Direction>>, cancel: Cancel) -> Result<Walked, Cancelled> {
    let grid = level.grid();
    match &grid.open_tiles {
        OpenTiles::Rooms(_) => walk_while(|tile| grid.is_open(tile), level, steps, cancel),
        OpenTiles::Maze(passages) => {
            let Size { width, height } = grid.size();
            let is_open = |tile: Tile| {
                let (x, y) = (tile.x.wrapping_sub(1), tile.y.wrapping_sub(1));
                if x < width - 2 && y < height - 2 { leads_to(passages, x, y) } else { grid.is_open(tile) }
            };
            walk_while(is_open, level, steps, cancel)
        }
    }
}

/// Whether the tile that is `x` columns and `y` rows inside the border is open, given that one of its neighbours is.
/// Then a cell is always open, because an open passage joins only cells inside the mask. The code does not branch on
/// the kind of the tile, because the kind changes too often for the processor to predict.
#[inline]
fn leads_to(passages: &Passages, x: u32, y: u32) -> bool {
    let is_cell = (x | y) & 1 == 0;
    let bitmap = [&passages.south, &passages.east][x as usize % 2];
    is_cell | ((x ^ y) & 1 == 1) & bitmap.get(x as usize / 2, y as usize / 2)
}

fn walk_while(
    is_open: impl Fn(Tile) -> bool,
    level: &Level,
    steps: impl Iterator<Item = Option<Direction>>,
    cancel: Cancel,
) -> Result<Walked, Cancelled> {
    let exit = level.exit();
    let mut tile = level.start();
    let mut reaches_exit = tile == exit;
    for (number, step) in (1..).zip(steps) {
        if number % BLOCK == 0 {
            cancel.check()?;
        }
        let Some(step) = step else { return Ok((reaches_exit, Some((number, tile, Reason::NoStep)))) };
        // a step over row 0 or column 0 wraps to a large number, which is outside too
        let next = tile.step(step);
        if !is_open(next) {
            let reason = if level.grid().size().contains(next) { Reason::Wall } else { Reason::Outside };
            return Ok((reaches_exit, Some((number, tile, reason))));
        }
        tile = next;
        reaches_exit |= tile == exit;
    }
    Ok((reaches_exit, None))
}
