//! Reads the tiles of a recipe: start and exit.

use crate::level::grid::{LevelKind, Mask, Size, Tile};
use crate::level::parameters::integer;
use crate::level::recipe::recipe::{Endpoint, FARTHEST};

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
pub(super) fn read_endpoint(text: &str, openings: bool) -> Result<Endpoint, String> {
    match text {
        FARTHEST if openings => Err("cannot be farthest if there are openings: name a tile at the border".into()),
        FARTHEST => Ok(Endpoint::Farthest),
        _ => read_tile(text).map(Endpoint::At).map_err(|message| format!("{message}, or {FARTHEST}")),
    }
}

/// Rejects a tile that is open in no level of this size, kind and mask.
pub(super) fn check_endpoint(tile: Tile, size: Size, kind: LevelKind, mask: Option<&Mask>) -> Result<(), String> {
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
