//! Start and exit of a level: the tiles that the recipe names or the farthest ones, and the openings beside them.

use crate::level::error::{Error, ParameterError};
use crate::level::grid::{Direction, Grid, Size, Tile};
use crate::level::recipe::{Endpoint, Recipe};
use crate::level::search::distances::farthest;
use crate::level::work::{Cancelled, JobContext};

/// Start and exit of a level.
///
/// The recipe may ask for the farthest tile: if several tiles are equally far, it is the first of them in row-major
/// order. If the recipe asks for the farthest tile both as start and as exit, the two are the endpoints of a
/// [`longest`] path, and the start is the one that comes first in row-major order.
///
/// # Errors
/// If a tile that the recipe names is not open, or the job is cancelled.
pub(crate) fn endpoints(recipe: &Recipe, grid: &Grid, context: &mut JobContext) -> Result<[Tile; 2], Error> {
    let named = [("start", recipe.start()), ("exit", recipe.exit())];
    let named = named.into_iter().filter_map(|(name, endpoint)| Some((name, endpoint.tile()?)));
    let misplaced: Vec<_> = named.filter_map(|(name, tile)| open_tile(grid, name, tile).err()).collect();
    if !misplaced.is_empty() {
        return Err(Error::Misplaced(misplaced));
    }
    let mut farthest_from = |from| farthest(grid, from, context).map(|(tile, _)| tile).map_err(Error::from);
    Ok(match (recipe.start(), recipe.exit()) {
        (Endpoint::At(start), Endpoint::At(exit)) => [start, exit],
        (Endpoint::At(start), Endpoint::Farthest) => [start, farthest_from(start)?],
        (Endpoint::Farthest, Endpoint::At(exit)) => [farthest_from(exit)?, exit],
        (Endpoint::Farthest, Endpoint::Farthest) => longest(grid, context).map_err(Error::from)?.0,
    })
}

/// Checks that the tile of a parameter is open.
///
/// # Errors
/// Says what the tile is instead, and which open tile is nearest.
pub(crate) fn open_tile(grid: &Grid, name: &str, tile: Tile) -> Result<Tile, ParameterError> {
    if grid.is_open(tile) {
        return Ok(tile);
    }
    let Size { width, height } = grid.size();
    if !grid.size().contains(tile) {
        let Tile { x, y } = tile;
        return Err(ParameterError::new(
            name,
            format!("[{x},{y}] is outside the level, which has {width} x {height} tiles"),
        ));
    }
    Err(ParameterError::new(name, wall_message(grid, tile)))
}

/// The endpoints of a longest path, in row-major order, and its number of steps.
///
/// Two searches find the path. The first finds the tile farthest from the first open tile; the second finds the tile
/// farthest from that tile. In a perfect maze no path is longer than the one between these two tiles (the double sweep
/// is exact in trees; Handler, "Minimax location of a facility in an undirected tree graph", 1973). In other levels the
/// path is long, but another path may be longer.
pub(crate) fn longest(grid: &Grid, context: &mut JobContext) -> Result<([Tile; 2], u32), Cancelled> {
    let (one, _) = farthest(grid, first_open(grid), context)?;
    let (other, steps) = farthest(grid, one, context)?;
    let endpoints = if (one.y, one.x) < (other.y, other.x) { [one, other] } else { [other, one] };
    Ok((endpoints, steps))
}

/// The first open tile in row-major order; every level has one.
fn first_open(grid: &Grid) -> Tile {
    let Size { width, height } = grid.size();
    let mut tiles = (0..height).flat_map(|y| (0..width).map(move |x| Tile { x, y }));
    tiles.find(|tile| grid.is_open(*tile)).unwrap_or(Tile { x: 1, y: 1 })
}

/// The two border tiles to open, if the recipe asks for openings: one beside the start and another one beside the exit.
/// Each is the first border tile among the neighbours of its endpoint, in the order above, left, right, below.
///
/// # Errors
/// If start or exit has no tile of the border beside it, or both are one tile with a single tile of the border beside
/// it.
pub(crate) fn openings(recipe: &Recipe) -> Result<Option<[Tile; 2]>, Vec<ParameterError>> {
    // a recipe with openings always names the tiles of start and exit
    let (true, Some(start), Some(exit)) = (recipe.openings(), recipe.start().tile(), recipe.exit().tile()) else {
        return Ok(None);
    };
    let size = recipe.size();
    let on_border = |tile: &Tile| tile.x == 0 || tile.y == 0 || tile.x + 1 == size.width || tile.y + 1 == size.height;
    let order = [Direction::Up, Direction::Left, Direction::Right, Direction::Down];
    let beside = |tile: Tile| order.into_iter().map(move |direction| tile.step(direction)).filter(on_border);
    let start_opening = beside(start).next();
    let exit_opening = beside(exit).find(|tile| start_opening != Some(*tile));
    if let (Some(beside_start), Some(beside_exit)) = (start_opening, exit_opening) {
        return Ok(Some([beside_start, beside_exit]));
    }
    let endpoints = [("start", start, start_opening), ("exit", exit, exit_opening)].into_iter();
    let without = endpoints.filter(|(.., opening)| opening.is_none());
    let error = |(name, tile, _)| {
        let Tile { x, y } = tile;
        let message = match beside(tile).next() {
            // only the exit gets here, and only if it is the tile of the start
            Some(Tile { x: border_x, y: border_y }) => format!(
                "[{x},{y}] is the start too, whose opening takes [{border_x},{border_y}], the only tile of the border \
                 beside it; take another tile for one of the two, or leave openings out"
            ),
            None => format!(
                "[{x},{y}] has no tile of the border beside it to open; take a tile next to the border, or leave \
                 openings out"
            ),
        };
        ParameterError::new(name, message)
    };
    Err(without.map(error).collect())
}

/// The error message: what the closed tile is, and which open tile is nearest.
fn wall_message(grid: &Grid, tile: Tile) -> String {
    let Tile { x, y } = tile;
    // a wall is one tile thick, so an open tile is within two tiles of it; a void tile may be far from all open tiles
    let near = |at: u32| at.saturating_sub(2)..=at + 2;
    let square = near(y).flat_map(|y| near(x).map(move |x| Tile { x, y }));
    let nearest = square.filter(|tile| grid.is_open(*tile)).min_by_key(|open| open.distance(tile));
    let kind = if grid.is_void(tile) { "void" } else { "a wall in this level" };
    match nearest {
        Some(Tile { x: open_x, y: open_y }) => {
            format!("[{x},{y}] is {kind}; the nearest open tile is [{open_x},{open_y}]")
        }
        None => format!("[{x},{y}] is {kind}"),
    }
}
