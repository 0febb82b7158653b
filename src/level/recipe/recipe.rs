//! The recipe itself.

use std::fmt;
use std::sync::Arc;

use crate::level::algorithms::{ALGORITHMS, Algorithm, Blueprint};
use crate::level::error::{Error, ParameterError};
use crate::level::grid::{LevelKind, Mask, Shape, Size, Tile};
use crate::level::parameters::MASK;
use crate::level::parameters::options::{OptionId, Options};
use crate::level::rng::{Seed, Streams};
use crate::level::search::components::Components;
use crate::level::work::{Cancel, FIXED_BYTES};

/// The value of `start` or `exit` for the tile that is farthest from the other endpoint.
pub const FARTHEST: &str = "farthest";

/// If a mask is not connected, the error lists a tile of each of the first components, at most this many.
const MAX_COMPONENTS_LISTED: usize = 16;

/// Start or exit of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    /// At this tile.
    At(Tile),
    /// At the open tile that is farthest from the other endpoint.
    Farthest,
}

impl Endpoint {
    /// The tile, if it is known before the level is made.
    pub const fn tile(self) -> Option<Tile> {
        match self {
            Self::At(tile) => Some(tile),
            Self::Farthest => None,
        }
    }
}

/// The endpoint as an error message names it.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(Tile { x, y }) => write!(f, "[{x},{y}]"),
            Self::Farthest => f.write_str(FARTHEST),
        }
    }
}

/// Names one level. Two equal recipes name the same level, on any machine.
///
/// ```
/// use mazed::level::recipe::{Limits, Recipe};
///
/// let limits = Limits::of_side(101);
/// let pairs = [("seed", "cellar"), ("algo", "recursive-backtracker"), ("size", "21"), ("start", "1,1")];
/// let recipe = Recipe::from_pairs(&pairs, limits).expect("a valid recipe");
/// // the canonical text leaves out what is the default
/// assert_eq!(recipe.to_string(), "algo=dfs&size=21&seed=cellar");
///
/// let errors = Recipe::from_pairs(&[("size", "40"), ("seed", "7"), ("rooms", "3")], limits).unwrap_err();
/// assert_eq!(errors[0].parameter, "size");
/// assert_eq!(errors[0].message, "must be odd for a maze: take 39 or 41");
/// assert_eq!(errors[1].parameter, "rooms");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    pub(super) algorithm: &'static Algorithm,
    pub(super) seed: Seed,
    pub(super) start: Endpoint,
    pub(super) exit: Endpoint,
    pub(super) openings: bool,
    pub(super) blueprint: Blueprint,
}

impl Recipe {
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

    /// The start.
    pub const fn start(&self) -> Endpoint {
        self.start
    }

    /// The exit.
    pub const fn exit(&self) -> Endpoint {
        self.exit
    }

    /// Whether the border has openings: one open tile beside the start, and one beside the exit.
    pub const fn openings(&self) -> bool {
        self.openings
    }

    /// Which part of the rectangle belongs to the level, unless all of it does.
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

    /// Checks that the algorithm works with masks, and that the positions inside the mask are connected.
    ///
    /// # Errors
    /// If the check fails: the error says what would be accepted. Or if the job is cancelled.
    pub(crate) fn check_mask(&self, cancel: Cancel) -> Result<(), Error> {
        let Some(mask) = self.mask() else { return Ok(()) };
        let error = |message| Err(Error::Unbuildable(vec![ParameterError::new(MASK, message)]));
        if !self.algorithm.masks {
            let able = ALGORITHMS.iter().filter(|other| other.masks).map(|other| other.name);
            let able = able.collect::<Vec<_>>().join(", ");
            return error(format!("does not work with {}; it works with {able}", self.algorithm.name));
        }
        let Components { tiles, count } = Components::of(mask, MAX_COMPONENTS_LISTED, cancel)?;
        if count == 1 {
            return Ok(());
        }
        if count == 0 {
            return error(match self.algorithm.kind {
                LevelKind::Maze => "leaves no cell: no tile with odd x and odd y is inside".to_owned(),
                LevelKind::Rooms => "leaves no tile: no tile inside the border is inside the mask".to_owned(),
            });
        }
        let more = if count > tiles.len() { format!(" and {} more", count - tiles.len()) } else { String::new() };
        let tiles: Vec<_> = tiles.iter().map(|tile| format!("[{},{}]", tile.x, tile.y)).collect();
        let neighbours = match self.algorithm.kind {
            LevelKind::Maze => "cells side by side, which lie two tiles apart",
            LevelKind::Rooms => "tiles side by side",
        };
        error(format!(
            "falls into {count} pieces, with a tile of each at {}{more}; join them by {neighbours}",
            tiles.join(", ")
        ))
    }

    /// The fraction of the dead ends that braiding opens, in
    /// [`FRACTION_UNIT`](crate::level::parameters::options::FRACTION_UNIT)s.
    pub fn braid(&self) -> u64 {
        if self.algorithm.options.contains(&OptionId::Braid) { self.options().get(OptionId::Braid) } else { 0 }
    }

    /// The same recipe with another seed.
    pub fn with_seed(&self, seed: Seed) -> Self {
        let streams = streams_of(&seed, self.algorithm, self.size());
        Self { seed, blueprint: Blueprint { streams, ..self.blueprint.clone() }, ..self.clone() }
    }

    /// The random numbers of this recipe: a function of the seed, the algorithm and the size.
    pub const fn streams(&self) -> Streams {
        self.blueprint.streams
    }

    /// Most bytes that making the level takes, the level included.
    pub fn work_bytes(&self) -> u64 {
        let area = self.size().area();
        // rows of bitmaps are padded to whole words, 8 bytes a row: three bitmaps, each with half as many rows as the
        // level
        let padding = 12 * u64::from(self.size().height);
        // `mask`: a copy of the mask and a list of cells; `braid`: a list of dead ends; `endpoints`: the marks and
        // queue of a search
        let mask = if self.mask().is_some() { 3 * area } else { 0 };
        let braid = if self.braid() > 0 { area } else { 0 };
        let endpoints = if [self.start, self.exit].contains(&Endpoint::Farthest) { 2 * area } else { 0 };
        (self.algorithm.work_bytes)(&self.blueprint) + padding + mask + braid + endpoints + FIXED_BYTES
    }
}

/// The random numbers of a recipe.
pub(super) fn streams_of(seed: &Seed, algorithm: &Algorithm, size: Size) -> Streams {
    Streams::new(seed, algorithm.name, u64::from(size.width) << 32 | u64::from(size.height))
}

/// Start and exit if the request names none: the corners, or the first and the last position inside a mask.
pub(super) fn default_endpoints(size: Size, mask: Option<&Mask>) -> [Tile; 2] {
    let corners = [Tile { x: 1, y: 1 }, Tile { x: size.width - 2, y: size.height - 2 }];
    mask.and_then(Mask::endpoints).unwrap_or(corners)
}
