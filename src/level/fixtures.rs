//! Levels for tests, of any shape and without an algorithm.

use crate::level::Level;
use crate::level::grid::{Bitmap, Grid, Layout, OpenTiles, Tile};
use crate::level::recipe::{Limits, Recipe};

/// A level without rooms, of `side` by `side` tiles. `open` says for each tile inside the border whether it is open.
/// `start` and `exit` are indices into the open tiles, taken modulo their number. `None` if no tile is open.
pub(crate) fn map(side: u32, open: &[bool], start: usize, exit: usize) -> Option<Level> {
    let inner = side as usize - 2;
    let tile = |i: usize| Tile { x: (i % inner) as u32 + 1, y: (i / inner) as u32 + 1 };
    let tiles: Vec<_> = (0..inner * inner).filter(|i| open[*i]).map(tile).collect();
    let mut bits = Bitmap::new(side as usize, side as usize);
    for tile in &tiles {
        bits.set(tile.x as usize, tile.y as usize);
    }
    let pick = |i: usize| tiles.get(i % tiles.len().max(1)).map(|tile| format!("{},{}", tile.x, tile.y));
    let (start, exit, side) = (pick(start)?, pick(exit)?, side.to_string());
    let pairs = [("algo", "bsp"), ("size", &side), ("seed", "0"), ("start", &start), ("exit", &exit)];
    let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).ok()?;
    let (start, exit) = (recipe.start().tile()?, recipe.exit().tile()?);
    let grid = Grid::new(OpenTiles::Rooms(bits));
    let layout = Layout { grid, parents: None, plan: None };
    Some(Level::of_layout(recipe, layout, start, exit))
}
