//! What names a level: an algorithm, a size, a seed, options, start and exit. A [`Recipe`] that exists is valid.

use std::fmt;
use std::sync::Arc;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::level::algorithms::blueprint::{Blueprint, tiles_inside};
use crate::level::algorithms::{ALGORITHMS, Algorithm};
use crate::level::error::{Error, ParameterError};
use crate::level::grid::{LevelKind, Mask, Shape, Size, Tile};
pub use crate::level::parameters::MASK;
use crate::level::parameters::options::{OPTIONS, OptionId, Options};
use crate::level::parameters::{ParameterType, Parameters, integer};
use crate::level::rng::{Seed, Streams};
use crate::level::work::{Cancel, FIXED_BYTES};

/// The shortest side of a level in tiles: one open tile between two walls.
pub const MIN_SIDE: u32 = 3;

/// The longest side that any limit may allow, in tiles: the numbers of all tiles and of all edges between cells fit 32
/// bits.
pub const MAX_SIDE: u32 = 16_001;

/// The side of a level where none is asked for and the limits allow it, in tiles.
pub const DEFAULT_SIDE: u32 = 41;

/// The parameters that every recipe has, beside its algorithm's options and its [`MASK`].
pub const PARAMETERS: [&str; 8] = ["algo", "size", "width", "height", "seed", "start", "exit", "openings"];

/// Of so many pieces of a mask a refusal names a tile.
const MAX_PIECES_NAMED: usize = 16;

/// In a mask of so many tiles even rooms that are refused take some hundredths of a second at the most.
const MOST_TILES_OF_QUICK_MASK: u64 = 64 * 64;

/// The name of the tile that is farthest from the other end.
pub const FARTHEST: &str = "farthest";

/// What a recipe may ask for at the most.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest side in tiles.
    pub max_side: u32,
    /// The longest side in tiles of a mask for rooms: their search takes time in proportion to its tiles many times over.
    pub max_room_mask_side: u32,
}

/// The longest side of a mask for rooms that any limit may allow, in tiles.
pub const MAX_ROOM_MASK_SIDE: u32 = 2_048;

/// The same where nothing else is set.
pub const DEFAULT_ROOM_MASK_SIDE: u32 = 512;

impl Limits {
    /// These sides at the most, and masks for rooms as large as they can be by default.
    pub const fn of_side(max_side: u32) -> Self {
        Self { max_side, max_room_mask_side: DEFAULT_ROOM_MASK_SIDE }
    }

    /// The side of a level where none is asked for, in tiles; odd, so that every algorithm takes it.
    pub const fn default_side(self) -> u32 {
        let largest_odd = (self.max_side - 1) | 1;
        if largest_odd < DEFAULT_SIDE { largest_odd } else { DEFAULT_SIDE }
    }
}

/// Where a level starts or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    /// At this tile.
    At(Tile),
    /// At the open tile that is farthest from the other end.
    Farthest,
}

impl Endpoint {
    /// The tile, where it is known before the level is made.
    pub const fn tile(self) -> Option<Tile> {
        match self {
            Self::At(tile) => Some(tile),
            Self::Farthest => None,
        }
    }
}

/// Names one level. Two equal recipes name the same level, on any machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    algorithm: &'static Algorithm,
    seed: Seed,
    start: Endpoint,
    exit: Endpoint,
    openings: bool,
    blueprint: Blueprint,
}

impl Recipe {
    /// Reads a recipe, leaving the parameters that are none of its own to other readers. `drawn` is the seed where none
    /// is given. `None` where there is a fault, which `given` then holds.
    pub fn read(given: &mut Parameters, limits: Limits, drawn: impl FnOnce() -> u64) -> Option<Self> {
        let algorithm = given.value_or("algo", ParameterType::Name, &ALGORITHMS[0], Algorithm::named);
        let kind = algorithm.map_or(LevelKind::Rooms, |algorithm| algorithm.kind);
        let outline = read_outline(given, algorithm, limits);
        let size = outline.as_ref().map(|(size, _)| *size);
        let mask = outline.as_ref().and_then(|(_, mask)| mask.as_deref());
        let seed = if given.has("seed") {
            given.value("seed", ParameterType::Seed, Seed::parse)
        } else {
            Some(Seed::Integer(drawn().into()))
        };
        let inside = size.map(|size| tiles_inside(size, mask));
        let options = read_options(given, algorithm, inside);
        let openings = given.value_or("openings", ParameterType::Flag, false, read_flag);
        let endpoints = size.map(|size| default_ends(size, mask));
        let mut end = |name, which: usize| {
            if !given.has(name) {
                return endpoints.map(|endpoints| Endpoint::At(endpoints[which]));
            }
            given.value(name, ParameterType::Tile, |text| {
                if text != FARTHEST {
                    // where size or algorithm are at fault themselves, what holds for all of them is still checked
                    let size = size.unwrap_or(Size { width: u32::MAX, height: u32::MAX });
                    let tile = read_tile(text).map_err(|message| format!("{message}, or {FARTHEST}"))?;
                    return check_end(tile, size, kind, mask).map(Endpoint::At);
                }
                if openings == Some(true) {
                    return Err("cannot be farthest where there are openings: name a tile at the border".into());
                }
                Ok(Endpoint::Farthest)
            })
        };
        let (start, exit) = (end("start", 0), end("exit", 1));
        let (algorithm, (size, mask), seed) = (algorithm?, outline?, seed?);
        let streams = streams_of(&seed, algorithm, size);
        let (options, start, exit, openings) = (options?, start?, exit?, openings?);
        let blueprint = Blueprint { size, mask, options, streams, exit: exit.tile() };
        Some(Self { algorithm, seed, start, exit, openings, blueprint })
    }

    /// The recipe of these pairs of names and values, with sides up to `limits`; a seed must be among them.
    ///
    /// # Errors
    /// Every fault there is.
    pub fn from_pairs(pairs: &[(&str, &str)], limits: Limits) -> Result<Self, Vec<ParameterError>> {
        let mut given = Parameters::bare(pairs);
        if !given.has("seed") {
            given.fault("seed", "is missing");
        }
        let recipe = Self::read(&mut given, limits, || 0);
        given.finish(recipe, || PARAMETERS.to_vec())
    }

    /// The algorithm.
    pub const fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// The sides of the level.
    pub const fn size(&self) -> Size {
        self.blueprint.size
    }

    /// The seed.
    pub const fn seed(&self) -> &Seed {
        &self.seed
    }

    /// A value for each option that the algorithm takes.
    pub const fn options(&self) -> &Options {
        &self.blueprint.options
    }

    /// Where a player starts.
    pub const fn start(&self) -> Endpoint {
        self.start
    }

    /// Where the level ends.
    pub const fn exit(&self) -> Endpoint {
        self.exit
    }

    /// Whether a tile of the border beside the start is open, and one beside the exit.
    pub const fn openings(&self) -> bool {
        self.openings
    }

    /// What of the rectangle is part of the level, where not all of it is.
    pub const fn mask(&self) -> Option<&Arc<Mask>> {
        self.blueprint.mask.as_ref()
    }

    /// The cells of the maze.
    pub fn shape(&self) -> Shape<'_> {
        self.blueprint.shape()
    }

    /// Tiles of a room map that may be open.
    pub fn inside(&self) -> u64 {
        self.blueprint.inside()
    }

    /// What the algorithm makes the level from.
    pub const fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    /// Refuses a mask that the algorithm cannot keep to, or that is not one piece.
    ///
    /// # Errors
    /// Says what would do, or that the job is told to stop.
    pub(crate) fn check_mask(&self, cancel: Cancel) -> Result<(), Error> {
        let Some(mask) = self.mask() else { return Ok(()) };
        let refuse = |message| Err(Error::Unbuildable(vec![ParameterError::new(MASK, message)]));
        if !self.algorithm.masks {
            let able = ALGORITHMS.iter().filter(|other| other.masks).map(|other| other.name);
            let able = able.collect::<Vec<_>>().join(", ");
            return refuse(format!("is nothing that {} can keep to; these can: {able}", self.algorithm.name));
        }
        let (pieces, count) = mask.pieces(MAX_PIECES_NAMED, cancel)?;
        if count == 1 {
            return Ok(());
        }
        if count == 0 {
            return refuse(match self.algorithm.kind {
                LevelKind::Maze => "leaves no cell: no tile with odd x and odd y is inside".to_owned(),
                LevelKind::Rooms => "leaves no tile: none that is inside the border is inside the mask".to_owned(),
            });
        }
        let tiles: Vec<_> = pieces.iter().map(|tile| format!("[{},{}]", tile.x, tile.y)).collect();
        let more = if count > pieces.len() { format!(" and {} more", count - pieces.len()) } else { String::new() };
        let places = match self.algorithm.kind {
            LevelKind::Maze => "cells side by side, which lie two tiles apart",
            LevelKind::Rooms => "tiles side by side",
        };
        refuse(format!("falls into {count} pieces, one at each of {}{more}; join them by {places}", tiles.join(", ")))
    }

    /// The share of the dead ends that get a second way out, in [`FRACTION_UNIT`](super::options::FRACTION_UNIT)s.
    pub fn braid(&self) -> u64 {
        if self.algorithm.options.contains(&OptionId::Braid) { self.options().get(OptionId::Braid) } else { 0 }
    }

    /// The same recipe with another seed.
    pub fn with_seed(&self, seed: Seed) -> Self {
        let streams = streams_of(&seed, self.algorithm, self.size());
        Self { seed, blueprint: Blueprint { streams, ..self.blueprint.clone() }, ..self.clone() }
    }

    /// The random numbers of this recipe: a function of the seed, the algorithm and the kind.
    pub const fn streams(&self) -> Streams {
        self.blueprint.streams
    }

    /// Whether making the level may take much longer than others of its bytes do: rooms are searched for in a mask, and a
    /// random walk may be long there.
    pub fn is_slow(&self) -> bool {
        self.mask().is_some() && self.size().area() > MOST_TILES_OF_QUICK_MASK
    }

    /// Most bytes that making the level takes, the level included.
    pub fn work_bytes(&self) -> u64 {
        let area = self.size().area();
        // where a level is narrow, the words of its planes are mostly padding: three planes of half as many rows
        let padding = 12 * u64::from(self.size().height);
        // a copy of the mask and a list of cells; a list of dead ends; a mark for each tile and the tiles of a round
        let mask = if self.mask().is_some() { 3 * area } else { 0 };
        let braid = if self.braid() > 0 { area } else { 0 };
        let endpoints = if [self.start, self.exit].contains(&Endpoint::Farthest) { 2 * area } else { 0 };
        (self.algorithm.work_bytes)(&self.blueprint) + padding + mask + braid + endpoints + FIXED_BYTES
    }
}

/// Writes the canonical query: the shortest one that names this recipe, in a fixed order, percent-encoded. Algorithm,
/// size and seed always, the rest where it is not the default. No query holds a mask: its name follows behind a `#`,
/// which cannot be part of a query.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size { width, height } = self.size();
        write!(f, "algo={}", self.algorithm.name)?;
        if width == height {
            write!(f, "&size={width}")?;
        } else {
            write!(f, "&width={width}&height={height}")?;
        }
        match &self.seed {
            Seed::Integer(value) => write!(f, "&seed={value}")?,
            Seed::Text(text) => write!(f, "&seed={}", utf8_percent_encode(text, ENCODED))?,
        }
        let defaults = default_ends(self.size(), self.mask().map(|mask| &**mask)).map(Endpoint::At);
        for (name, end, default) in [("start", self.start, defaults[0]), ("exit", self.exit, defaults[1])] {
            match end {
                _ if end == default => {}
                Endpoint::At(Tile { x, y }) => write!(f, "&{name}={x},{y}")?,
                Endpoint::Farthest => write!(f, "&{name}={FARTHEST}")?,
            }
        }
        if self.openings {
            write!(f, "&openings=true")?;
        }
        for row in self.algorithm.options.iter().map(|option| option.row()) {
            let value = self.options().get(row.option);
            if value != (row.default)(self.inside(), self.options()) {
                write!(f, "&{}={}", row.name, row.kind.format(value))?;
            }
        }
        match self.mask() {
            Some(mask) => write!(f, "#{}", mask.name()),
            None => Ok(()),
        }
    }
}

fn streams_of(seed: &Seed, algorithm: &Algorithm, size: Size) -> Streams {
    Streams::new(seed, algorithm.name, u64::from(size.width) << 32 | u64::from(size.height))
}

/// What a query value must not hold as it is: all but the characters that no reader treats specially.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Start and exit where none is given: the corners, or the first and the last place that a mask leaves.
fn default_ends(size: Size, mask: Option<&Mask>) -> [Tile; 2] {
    let corners = [Tile { x: 1, y: 1 }, Tile { x: size.width - 2, y: size.height - 2 }];
    mask.and_then(Mask::endpoints).unwrap_or(corners)
}

/// The sides, and the mask that sets them, if one is given that leaves anything out.
fn read_outline(
    given: &mut Parameters,
    algorithm: Option<&Algorithm>,
    limits: Limits,
) -> Option<(Size, Option<Arc<Mask>>)> {
    let kind = algorithm.map_or(LevelKind::Rooms, |algorithm| algorithm.kind);
    if !given.has(MASK) {
        return read_size(given, kind, limits).map(|size| (size, None));
    }
    for name in ["size", "width", "height"] {
        if given.take(name) {
            given.fault(name, "is given beside mask, which sets the sides; leave it out");
        }
    }
    let mask = given.rows(MASK, |rows| {
        // before anything is made of so many tiles
        let columns = rows.first().map_or(0, |row| row.chars().count());
        for (count, what) in [(columns, "columns"), (rows.len(), "rows")] {
            check_side(count as u64, kind, limits).map_err(|message| format!("has {count} {what}, which {message}"))?;
        }
        let mask = Mask::read(rows, kind)?;
        let most = limits.max_room_mask_side;
        let for_rooms = algorithm.is_some() && kind == LevelKind::Rooms && !mask.has_all_places();
        if for_rooms && columns.max(rows.len()) > most as usize {
            let rows = rows.len();
            return Err(format!(
                "has {columns} columns and {rows} rows; for rooms both must be from {MIN_SIDE} to {most}"
            ));
        }
        Ok(mask)
    })?;
    Some((mask.size(), (!mask.has_all_places()).then(|| Arc::new(mask))))
}

/// The sides, from `size` or from `width` and `height`.
fn read_size(given: &mut Parameters, kind: LevelKind, limits: Limits) -> Option<Size> {
    let mut side = |name: &str| given.value(name, ParameterType::Number, |text| parse_side(text, kind, limits));
    let (size, width, height) = (side("size"), side("width"), side("height"));
    match (given.has("size"), given.has("width"), given.has("height")) {
        (true, false, false) => size.map(|side| Size { width: side, height: side }),
        (false, true, true) => Some(Size { width: width?, height: height? }),
        (false, false, false) => Some(Size { width: limits.default_side(), height: limits.default_side() }),
        (false, true, false) => given.accept("height", Err("is missing; width and height go together".into())),
        (false, false, true) => given.accept("width", Err("is missing; width and height go together".into())),
        (true, _, _) => given.accept("size", Err("is given beside width or height; give one or the other".into())),
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

/// The value of each option that the algorithm takes. Where the algorithm or the size is at fault, the values given are
/// still checked by themselves.
fn read_options(given: &mut Parameters, algorithm: Option<&Algorithm>, inside: Option<u64>) -> Option<Options> {
    let mut options = Options::default();
    let mut complete = inside.is_some();
    for row in &OPTIONS {
        let taken = algorithm.is_none_or(|algorithm| algorithm.options.contains(&row.option));
        if !taken {
            if given.take(row.name) {
                let takers = ALGORITHMS.iter().filter(|other| other.options.contains(&row.option));
                let takers: Vec<_> = takers.map(|other| other.name).collect();
                let name = algorithm.map_or("", |algorithm| algorithm.name);
                given.fault(row.name, format!("is no option of {name}; it belongs to {}", takers.join(", ")));
            }
        } else if given.has(row.name) {
            match given.value(row.name, ParameterType::Number, |text| row.kind.parse(text)) {
                Some(value) => options.set(row.option, value),
                None => complete = false,
            }
        } else if let Some(inside) = inside
            && complete
        {
            options.set(row.option, (row.default)(inside, &options));
        }
    }
    complete.then_some(options)
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

/// Refuses the tiles that are open in no level of this size and mask.
fn check_end(tile: Tile, size: Size, kind: LevelKind, mask: Option<&Mask>) -> Result<Tile, String> {
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
        _ => Ok(tile),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits::of_side(4001);

    fn recipe(pairs: &[(&str, &str)]) -> Result<Recipe, Vec<ParameterError>> {
        Recipe::from_pairs(&[pairs, &[("seed", "7")]].concat(), LIMITS)
    }

    fn faulty(pairs: &[(&str, &str)]) -> Vec<String> {
        recipe(pairs).unwrap_err().into_iter().map(|fault| fault.parameter).collect()
    }

    #[test]
    fn the_default_is_a_kruskal_maze_of_41() {
        let recipe = recipe(&[]).unwrap();
        assert_eq!(recipe.algorithm().name, "kruskal");
        assert_eq!(recipe.size(), Size { width: 41, height: 41 });
        assert_eq!(recipe.start().tile().zip(recipe.exit().tile()), Some((Tile { x: 1, y: 1 }, Tile { x: 39, y: 39 })));
    }

    #[test]
    fn the_default_side_is_odd_and_within_the_limit() {
        for (max_side, side) in [(3, 3), (4, 3), (40, 39), (41, 41), (42, 41), (4001, 41)] {
            assert_eq!(Limits::of_side(max_side).default_side(), side);
            assert!(Recipe::from_pairs(&[("seed", "7")], Limits::of_side(max_side)).is_ok());
        }
    }

    #[test]
    fn the_canonical_query_is_the_shortest() {
        for (pairs, query) in [
            (
                &[
                    ("algo", "bsp"),
                    ("width", "20"),
                    ("height", "30"),
                    ("jitter", "0.90"),
                    ("exit", "3,3"),
                    ("rooms", "008"),
                ][..],
                "algo=bsp&width=20&height=30&seed=7&exit=3,3&rooms=8&jitter=0.9",
            ),
            (&[("algo", "binary-tree"), ("size", "005"), ("start", "3,3")], "algo=binary_tree&size=5&seed=7&start=3,3"),
            (
                &[("algo", "recursive-backtracker"), ("size", "41"), ("start", "1,1"), ("exit", "39,39")],
                "algo=dfs&size=41&seed=7",
            ),
            (&[("algo", "bsp"), ("jitter", "0.20"), ("rooms", "21"), ("door_size", "1")], "algo=bsp&size=41&seed=7"),
        ] {
            assert_eq!(recipe(pairs).unwrap().to_string(), query);
        }
        let text = Recipe::from_pairs(&[("seed", "a b&c=미")], LIMITS).unwrap().to_string();
        assert_eq!(text, "algo=kruskal&size=41&seed=a%20b%26c%3D%EB%AF%B8");
    }

    #[test]
    fn every_fault_is_named_at_once() {
        assert_eq!(
            faulty(&[("size", "4"), ("algo", "x"), ("jitter", "2"), ("start", "1;1")]),
            ["algo", "jitter", "start"]
        );
        assert_eq!(
            faulty(&[("size", "4"), ("rooms", "2"), ("start", "x"), ("what", "")]),
            ["size", "rooms", "start", "what"]
        );
        assert_eq!(faulty(&[("width", "5")]), ["height"]);
        assert_eq!(faulty(&[("height", "5")]), ["width"]);
        assert_eq!(faulty(&[("size", "5"), ("width", "5")]), ["size"]);
        assert_eq!(faulty(&[("start", "0,1"), ("exit", "40,39")]), ["start", "exit"]);
        assert_eq!(faulty(&[("start", "2,2"), ("exit", "1,4294967297")]), ["start", "exit"]);
        assert_eq!(faulty(&[("size", "40"), ("start", "0,0"), ("exit", "2,2")]), ["size", "start", "exit"]);
        assert_eq!(faulty(&[("algo", "x"), ("start", "0,0"), ("exit", "2,2")]), ["algo", "start"]);
    }

    #[test]
    fn an_even_size_is_told_its_odd_neighbours() {
        let message = |size: &'static str| recipe(&[("size", size)]).unwrap_err().remove(0).message;
        assert_eq!(message("4"), "must be odd for a maze: take 3 or 5");
        assert!(message("4002").contains("3 to 4001"));
        assert!(recipe(&[("algo", "bsp"), ("size", "4")]).is_ok());
    }
}
