//! Tiles for what a game puts into a level - enemies, treasure, players - far from start and exit and from each other.
//! None of them is a tile of a door, which would block the path between two rooms, or an opening in the border.
//!
//! The farthest-first traversal (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985): each tile
//! is the one with the most steps to the nearest of start, exit and the tiles before it. No choice of tiles keeps all
//! of them more than twice as far apart.
//!
//! One search from start and exit counts the steps from each tile to the nearer of the two. When a tile is picked, only
//! the tiles change that are nearer to it than to all earlier ones, so the search from it visits no others. The steps
//! of a tile never grow, so the maximum of a row is an upper bound for all its later maxima: only rows with a large
//! bound are scanned again (Minoux, "Accelerated greedy algorithms for maximizing submodular set functions", 1978).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use crate::level::Level;
use crate::level::error::{Error, ParameterError};
use crate::level::grid::{Bitmap, Direction, Door, Size, Tile};
use crate::level::parameters::{ParameterKind, ParameterSpec, ParameterType, Parameters, find_by_name};
use crate::level::queries::query::Query;
use crate::level::recipe::Recipe;
use crate::level::search::bfs;
use crate::level::search::bfs::Bfs;
use crate::level::search::tile_map::{NO_STEPS, TileMap, UNMET};
use crate::level::work::{Cancel, Cancelled, JobContext};

/// The most tiles that a client may ask for.
pub const MAX_COUNT: u32 = 256;

/// Which tiles may be picked. Start, exit, tiles of doors and openings in the border never are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpawnKind {
    /// Any such open tile.
    Any,
    /// Such an open tile with one open neighbour.
    DeadEnd,
}

/// A name for a kind, with a line for the catalogue.
#[derive(Debug)]
pub struct SpawnKindSpec {
    /// The kind.
    pub kind: SpawnKind,
    /// Its name in requests.
    pub name: &'static str,
    /// One line for the catalogue.
    pub summary: &'static str,
    /// The word for several tiles of this kind, for error messages.
    plural: &'static str,
}

/// Every kind; the first is the default.
pub const KINDS: &[SpawnKindSpec] = &[
    SpawnKindSpec {
        kind: SpawnKind::Any,
        name: "any",
        summary: "any open tile but start, exit, doors and border openings",
        plural: "open tiles",
    },
    SpawnKindSpec {
        kind: SpawnKind::DeadEnd,
        name: "dead_end",
        summary: "of these, a tile with exactly one open neighbour",
        plural: "dead ends",
    },
];

impl SpawnKind {
    /// The kind of this name, where a hyphen equals an underscore.
    ///
    /// # Errors
    /// Lists the names.
    pub fn named(text: &str) -> Result<Self, String> {
        find_by_name(text, KINDS, |row| row.name, |_| &[]).map(|row| row.kind)
    }

    fn plural(self) -> &'static str {
        KINDS.iter().find(|row| row.kind == self).map_or("tiles", |row| row.plural)
    }
}

/// The tiles of a level that may be taken, apart from start and exit.
struct Candidates {
    kind: SpawnKind,
    /// A one for each tile of a door, if there are doors.
    doors: Option<Bitmap>,
    /// The openings in the border.
    openings: Option<[Tile; 2]>,
}

impl Candidates {
    fn of(level: &Level, kind: SpawnKind) -> Self {
        let Size { width, height } = level.grid().size();
        let doors = level.plan().filter(|plan| !plan.doors.is_empty()).map(|plan| {
            let mut tiles = Bitmap::new(width as usize, height as usize);
            plan.doors.iter().flat_map(Door::tiles).for_each(|tile| tiles.set(tile.x as usize, tile.y as usize));
            tiles
        });
        Self { kind, doors, openings: level.grid().openings }
    }

    /// Whether an open tile is one of them.
    #[inline]
    fn has(&self, map: &TileMap<i32>, tile: Tile) -> bool {
        let is_open = |direction: &Direction| map.tiles[map.step(map.index(tile), *direction) as usize] != NO_STEPS;
        let is_of_kind = match self.kind {
            SpawnKind::Any => true,
            SpawnKind::DeadEnd => Direction::ALL.iter().filter(|direction| is_open(direction)).count() == 1,
        };
        let is_door = |doors: &Bitmap| doors.get(tile.x as usize, tile.y as usize);
        is_of_kind
            && !self.doors.as_ref().is_some_and(is_door)
            && !self.openings.is_some_and(|openings| openings.contains(&tile))
    }
}

/// Picks `count` tiles of a kind, one after the other. Each is the tile with the most steps to the nearest of start,
/// exit and the tiles picked before; of several such tiles the first in row-major order. Tiles of doors and openings in
/// the border are left out.
///
/// # Errors
/// If the level has fewer of them, or the job is cancelled.
pub fn spawns(level: &Level, count: u32, kind: SpawnKind, context: &mut JobContext) -> Result<Vec<Tile>, Error> {
    let size = level.grid().size();
    let map = TileMap::unpack(level.grid(), &mut context.buffers.steps);
    let endpoints = [level.start(), level.exit()].map(|tile| map.index(tile));
    let mut search = Bfs::new(map, endpoints[0], &mut context.buffers.indices);
    if endpoints[0] != endpoints[1] {
        search.add_source(endpoints[1]);
    }
    let candidates = Candidates::of(level, kind);
    let mut rows = Rows::new(size);
    let mut tiles = Vec::new();
    for placed in 0..count {
        search.visit_while(|_| true, context.cancel)?;
        let Some(tile) = rows.farthest(&search.map, &candidates, context.cancel)? else {
            return Err(Error::Unbuildable(vec![too_few(count, kind, placed)]));
        };
        tiles.push(tile);
        search.add_source(search.map.index(tile));
    }
    Ok(tiles)
}

/// Grows by one whenever the answers change.
const REVISION: u32 = 2;

/// How many tiles, if the client does not say.
const DEFAULT_COUNT: u32 = 1;

/// The number of tiles.
const COUNT: ParameterSpec = ParameterSpec::new(
    "count",
    ParameterKind::Integer { minimum: 1, maximum: MAX_COUNT as u64, default: Some(DEFAULT_COUNT as u64) },
    "how many tiles",
);

/// The kind of the tiles.
const KIND: ParameterSpec = ParameterSpec::new(
    "kind",
    ParameterKind::Name(|| KINDS.iter().map(|row| row.name).collect()),
    "which tiles may be picked",
);

/// How many tiles, and of which kind.
#[derive(Debug, Clone, Copy)]
pub struct SpawnsQuery {
    /// How many.
    pub count: u32,
    /// Of which kind.
    pub kind: SpawnKind,
}

impl Query for SpawnsQuery {
    const PARAMETERS: &'static [ParameterSpec] = &[COUNT, KIND];

    fn read(params: &mut Parameters) -> Option<Self> {
        let count = params.number(&COUNT);
        let kind = params.value_or(KIND.name, ParameterType::Name, KINDS[0].kind, SpawnKind::named);
        Some(Self { count: count? as u32, kind: kind? })
    }

    fn revision(&self) -> u32 {
        REVISION
    }

    fn work_bytes(&self, recipe: &Recipe) -> u64 {
        work_bytes(recipe.size())
    }

    fn work_nanos(&self, recipe: &Recipe) -> u64 {
        recipe.blueprint().nanos(60_000, 500)
    }
}

impl fmt::Display for SpawnsQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count != DEFAULT_COUNT {
            write!(f, "&count={}", self.count)?;
        }
        KINDS[1..].iter().filter(|row| row.kind == self.kind).try_for_each(|row| write!(f, "&kind={}", row.name))
    }
}

/// Most bytes that [`spawns`] holds besides the level.
pub const fn work_bytes(size: Size) -> u64 {
    let rows = size.height as u64 * size_of::<(i32, Reverse<u32>)>() as u64;
    let tiles = 2 * MAX_COUNT as u64 * size_of::<Tile>() as u64;
    let doors = (size.width as u64).div_ceil(64) * 8 * size.height as u64;
    bfs::most_bytes(size) + rows + tiles + doors + (size.width as u64).div_ceil(8) + 1024
}

/// The error for a level with fewer tiles of a kind than the client asks for.
fn too_few(count: u32, kind: SpawnKind, there_are: u32) -> ParameterError {
    let remedy = if there_are == 0 { String::new() } else { format!("; ask for at most {there_are}") };
    let plural = kind.plural();
    ParameterError::new(
        "count",
        format!(
            "is {count}, but this level has {there_are} {plural} besides start, exit, doors and border openings{remedy}"
        ),
    )
}

/// The rows of a level in a heap. The key of a row is an upper bound for the steps to any candidate in it: the maximum
/// when the row was last scanned. Of several rows with the largest bound the first is on top.
struct Rows {
    size: Size,
    heap: BinaryHeap<(i32, Reverse<u32>)>,
}

impl Rows {
    /// No row was scanned yet, so all rows have the largest bound.
    fn new(size: Size) -> Self {
        Self { size, heap: (0..size.height).map(|y| (UNMET, Reverse(y))).collect() }
    }

    /// The candidate with the most steps, of several the first in row-major order. `None` if there is no candidate with
    /// any steps.
    fn farthest(
        &mut self,
        map: &TileMap<i32>,
        candidates: &Candidates,
        cancel: Cancel,
    ) -> Result<Option<Tile>, Cancelled> {
        for looks in 0_u32.. {
            if looks.is_multiple_of(64) {
                cancel.check()?;
            }
            let Some(mut top) = self.heap.peek_mut() else { break };
            let (bound, Reverse(y)) = *top;
            let (steps, x) = farthest_in_row(map, self.size.width, y, candidates);
            if steps == bound {
                return Ok((steps > 0).then_some(Tile { x, y }));
            }
            top.0 = steps;
        }
        Ok(None)
    }
}

/// The most steps to a candidate in row `y`, and the column of the first candidate with so many steps. The steps are 0
/// if there is no candidate.
fn farthest_in_row(map: &TileMap<i32>, width: u32, y: u32, candidates: &Candidates) -> (i32, u32) {
    let first = map.index(Tile { x: 0, y });
    let row = &map.tiles[first as usize..][..width as usize];
    let (mut most, mut at) = (0, 0);
    for (x, &steps) in (0..).zip(row) {
        if steps > most && steps < UNMET && candidates.has(map, Tile { x, y }) {
            (most, at) = (steps, x);
        }
    }
    (most, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_count_that_is_too_great_names_the_kind_and_what_there_is() {
        for row in KINDS {
            let some = too_few(9, row.kind, 4).message;
            let begin = format!("is 9, but this level has 4 {} besides", row.plural);
            assert!(some.starts_with(&begin) && some.ends_with("; ask for at most 4"), "{some}");
            let none = too_few(9, row.kind, 0).message;
            assert!(none.contains(row.plural) && !none.contains("ask for"), "{none}");
        }
        let plurals: std::collections::HashSet<_> = KINDS.iter().map(|row| row.kind.plural()).collect();
        assert_eq!(plurals.len(), KINDS.len());
    }
}
