//! The reader of recipes.

use std::sync::Arc;

use crate::level::algorithms::blueprint::inside;
use crate::level::algorithms::{ALGORITHMS, Algorithm, Blueprint};
use crate::level::error::ParameterError;
use crate::level::grid::{LevelKind, Mask, Size, Tile};
use crate::level::parameters::options::{Inside, OPTIONS, OptionId, Options};
use crate::level::parameters::{MASK, ParameterType, Parameters, integer};
use crate::level::recipe::limits::{Limits, MIN_SIDE};
use crate::level::recipe::recipe::{Endpoint, FARTHEST, Recipe, default_endpoints, streams_of};
use crate::level::rng::Seed;

/// The parameters that every recipe has, besides the options of its algorithm and its [`MASK`].
pub const PARAMETERS: [&str; 8] = ["algo", "size", "width", "height", "seed", "start", "exit", "openings"];

impl Recipe {
    /// Reads a recipe, and leaves the parameters that are not its own to other readers. `random_seed` makes the seed if
    /// there is none. Returns `None` if there is an error; `params` holds it.
    pub fn read(params: &mut Parameters, limits: Limits, random_seed: impl FnOnce() -> u64) -> Option<Self> {
        let algorithm = params.value_or("algo", ParameterType::Name, &ALGORITHMS[0], Algorithm::named);
        let kind = algorithm.map_or(LevelKind::Rooms, |algorithm| algorithm.kind);
        let outline = read_outline(params, algorithm, limits);
        let size = outline.as_ref().map(|(size, _)| *size);
        let mask = outline.as_ref().and_then(|(_, mask)| mask.as_deref());
        let seed = if params.has("seed") {
            params.value("seed", ParameterType::Seed, Seed::parse)
        } else {
            Some(Seed::Integer(random_seed().into()))
        };
        let inside = size.map(|size| inside(size, mask));
        let options = read_options(params, algorithm, inside);
        let openings = params.value_or("openings", ParameterType::Flag, false, read_flag);
        let defaults = size.map(|size| default_endpoints(size, mask).map(Endpoint::At));
        // if the size or the algorithm has an error, start and exit are still checked by the rules that hold for all of
        // them
        let size_or_any = size.unwrap_or(Size { width: u32::MAX, height: u32::MAX });
        let mut endpoint = |name, default: Option<Endpoint>| {
            if !params.has(name) {
                return default;
            }
            params.value(name, ParameterType::Tile, |text| {
                let endpoint = read_endpoint(text, openings == Some(true))?;
                endpoint.tile().map_or(Ok(()), |tile| check_endpoint(tile, size_or_any, kind, mask))?;
                Ok(endpoint)
            })
        };
        let start = endpoint("start", defaults.map(|[start, _]| start));
        let exit = endpoint("exit", defaults.map(|[_, exit]| exit));
        let (algorithm, (size, mask), seed) = (algorithm?, outline?, seed?);
        let streams = streams_of(&seed, algorithm, size);
        let (options, start, exit, openings) = (options?, start?, exit?, openings?);
        let blueprint = Blueprint { size, mask, options, streams, exit: exit.tile() };
        Some(Self { algorithm, seed, start, exit, openings, blueprint })
    }

    /// Reads a recipe from pairs of names and values; a seed must be among them.
    ///
    /// # Errors
    /// All errors at once.
    pub fn from_pairs(pairs: &[(&str, &str)], limits: Limits) -> Result<Self, Vec<ParameterError>> {
        let mut params = Parameters::bare(pairs);
        if !params.has("seed") {
            params.add_error("seed", "is missing");
        }
        let recipe = Self::read(&mut params, limits, || 0);
        params.finish(recipe, || PARAMETERS.to_vec())
    }
}

/// Reads the sides, and the mask if there is one. A mask sets the sides. A mask that leaves nothing out is dropped.
fn read_outline(
    params: &mut Parameters,
    algorithm: Option<&Algorithm>,
    limits: Limits,
) -> Option<(Size, Option<Arc<Mask>>)> {
    let kind = algorithm.map_or(LevelKind::Rooms, |algorithm| algorithm.kind);
    if !params.has(MASK) {
        return read_size(params, kind, limits).map(|size| (size, None));
    }
    for name in ["size", "width", "height"] {
        if params.take(name) {
            params.add_error(name, "is given beside mask, which sets the sides; leave it out");
        }
    }
    let mask = params.rows(MASK, |rows| {
        // the sides are checked first, so that no memory is taken for a mask that is too large
        let columns = rows.first().map_or(0, |row| row.chars().count());
        for (count, what) in [(columns, "columns"), (rows.len(), "rows")] {
            check_side(count as u64, kind, limits).map_err(|message| format!("has {count} {what}, which {message}"))?;
        }
        let mask = Mask::read(rows, kind)?;
        let max_side = limits.max_room_mask_side;
        let for_rooms = algorithm.is_some() && kind == LevelKind::Rooms && !mask.is_full();
        if for_rooms && columns.max(rows.len()) > max_side as usize {
            let rows = rows.len();
            return Err(format!(
                "has {columns} columns and {rows} rows; for rooms both must be from {MIN_SIDE} to {max_side}"
            ));
        }
        Ok(mask)
    })?;
    Some((mask.size(), (!mask.is_full()).then(|| Arc::new(mask))))
}

/// The sides, from `size` or from `width` and `height`.
fn read_size(params: &mut Parameters, kind: LevelKind, limits: Limits) -> Option<Size> {
    let mut side = |name: &str| params.value(name, ParameterType::Number, |text| parse_side(text, kind, limits));
    let (size, width, height) = (side("size"), side("width"), side("height"));
    match (params.has("size"), params.has("width"), params.has("height")) {
        (true, false, false) => size.map(|side| Size { width: side, height: side }),
        (false, true, true) => Some(Size { width: width?, height: height? }),
        (false, false, false) => Some(Size { width: limits.default_side(), height: limits.default_side() }),
        (false, true, false) => params.accept("height", Err("is missing; width and height go together".into())),
        (false, false, true) => params.accept("width", Err("is missing; width and height go together".into())),
        (true, _, _) => params.accept("size", Err("is given beside width or height; give one or the other".into())),
    }
}

fn parse_side(text: &str, kind: LevelKind, limits: Limits) -> Result<u32, String> {
    check_side(integer(text, MIN_SIDE.into()..=limits.max_side.into())?, kind, limits)
}

fn check_side(side: u64, kind: LevelKind, limits: Limits) -> Result<u32, String> {
    if !(MIN_SIDE.into()..=limits.max_side.into()).contains(&side) {
        return Err(format!("must be from {MIN_SIDE} to {}", limits.max_side));
    }
    let side = side as u32;
    if kind == LevelKind::Maze && side.is_multiple_of(2) {
        let above = if side < limits.max_side { format!(" or {}", side + 1) } else { String::new() };
        return Err(format!("must be odd for a maze: take {}{above}", side - 1));
    }
    Ok(side)
}

/// Reads a value for each option that the algorithm takes. If the algorithm or the size has an error, each value is
/// still checked by itself.
fn read_options(params: &mut Parameters, algorithm: Option<&Algorithm>, inside: Option<Inside>) -> Option<Options> {
    let mut options = Options::default();
    let (mut complete, mut left_out) = (true, Vec::new());
    for row in &OPTIONS {
        let taken = algorithm.is_none_or(|algorithm| algorithm.options.contains(&row.option));
        if !taken {
            if params.take(row.name) {
                let owners = ALGORITHMS.iter().filter(|other| other.options.contains(&row.option));
                let owners: Vec<_> = owners.map(|other| other.name).collect();
                let name = algorithm.map_or("", |algorithm| algorithm.name);
                params.add_error(row.name, format!("is no option of {name}; it belongs to {}", owners.join(", ")));
            }
        } else if params.has(row.name) {
            let is_masked = inside.is_some_and(|inside| inside.sides.is_none());
            let read = |text: &str| match row.kind.parse(text)? {
                2.. if is_masked && row.option == OptionId::MinSide => {
                    Err("does not work with a mask: rooms have any shape there; leave it out".to_owned())
                }
                value => Ok(value),
            };
            match params.value(row.name, ParameterType::Number, read) {
                Some(value) => options.set(row.option, value),
                None => complete = false,
            }
        } else {
            left_out.push(row);
        }
    }
    let inside = inside.filter(|_| complete)?;
    // only now, because a default may depend on any option that is given
    for row in left_out {
        options.set(row.option, (row.default)(&inside, &options));
    }
    Some(options)
}

fn read_flag(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "must be true or false".to_owned())
}

/// Reads a tile: column and row, with a comma between them.
///
/// # Errors
/// Says what is accepted.
pub fn read_tile(text: &str) -> Result<Tile, String> {
    let coordinate = |part: &str| integer(part, 0..=u32::MAX.into()).ok().map(|value| value as u32);
    text.split_once(',')
        .and_then(|(x, y)| Some(Tile { x: coordinate(x)?, y: coordinate(y)? }))
        .ok_or_else(|| "must be the column and row of an open tile, for example 1,1".to_owned())
}

/// Reads start or exit. With openings both must be named tiles.
fn read_endpoint(text: &str, openings: bool) -> Result<Endpoint, String> {
    match text {
        FARTHEST if openings => Err("cannot be farthest if there are openings: name a tile at the border".into()),
        FARTHEST => Ok(Endpoint::Farthest),
        _ => read_tile(text).map(Endpoint::At).map_err(|message| format!("{message}, or {FARTHEST}")),
    }
}

/// Rejects a tile that is open in no level of this size, kind and mask.
fn check_endpoint(tile: Tile, size: Size, kind: LevelKind, mask: Option<&Mask>) -> Result<(), String> {
    let Tile { x, y } = tile;
    let (last_x, last_y) = (size.width - 2, size.height - 2);
    if !(1..=last_x).contains(&x) || !(1..=last_y).contains(&y) {
        return Err(format!("[{x},{y}] is not inside the border: take x from 1 to {last_x} and y from 1 to {last_y}"));
    }
    if kind == LevelKind::Maze && x % 2 == 0 && y % 2 == 0 {
        return Err(format!(
            "[{x},{y}] is a wall in every maze; x and y are odd where a cell is, as in [{},{}]",
            x - 1,
            y - 1
        ));
    }
    match mask {
        Some(mask) if !mask.may_be_open(tile) => {
            let remedy = mask.endpoints().map(|[first, _]| format!("; [{},{}] is inside", first.x, first.y));
            Err(format!("[{x},{y}] is outside the mask or a wall beside it{}", remedy.unwrap_or_default()))
        }
        _ => Ok(()),
    }
}
