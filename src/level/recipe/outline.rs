//! Reads the outline of a level: its sides, and its mask if there is one.

use std::sync::Arc;

use crate::level::algorithms::Algorithm;
use crate::level::grid::{LevelKind, Mask, Size};
use crate::level::parameters::{MASK, ParameterType, Parameters, RECIPE, integer};
use crate::level::recipe::limits::{Limits, MIN_SIDE};
use crate::level::recipe::stated::Stated;

/// Reads the sides, and the mask if there is one. A mask sets the sides. A mask that leaves nothing out is dropped.
pub(super) fn read_outline(
    params: &mut Parameters,
    algorithm: Option<&Algorithm>,
    limits: Limits,
    stated: &Stated,
) -> Option<(Size, Option<Arc<Mask>>)> {
    let kind = algorithm.map_or(LevelKind::Rooms, |algorithm| algorithm.kind);
    if let Some(recipe) = stated.recipe() {
        if params.take(MASK) {
            params.add_error(MASK, format!("is given beside {RECIPE}, which names a level without a mask"));
        }
        compare_sides(params, Some(recipe.size()), RECIPE, limits);
        return Some((recipe.size(), None));
    }
    if params.has(MASK) {
        let mask = read_mask(params, algorithm, kind, limits);
        compare_sides(params, mask.as_ref().map(Mask::size), MASK, limits);
        let mask = mask?;
        return Some((mask.size(), (!mask.is_full()).then(|| Arc::new(mask))));
    }
    if !stated.is_absent() {
        compare_sides(params, None, RECIPE, limits);
        return None;
    }
    read_size(params, kind, limits).map(|size| (size, None))
}

/// Adds an error for each side that differs from the size that another parameter sets. If that one has an error, there
/// is no such size, and the sides are read by themselves.
fn compare_sides(params: &mut Parameters, set: Option<Size>, by: &str, limits: Limits) {
    for name in ["size", "width", "height"] {
        params.value(name, ParameterType::Number, |text| {
            let side = integer(text, MIN_SIDE.into()..=limits.max_side.into())? as u32;
            let Some(Size { width, height }) = set else { return Ok(()) };
            let (is_same, set) = match name {
                "width" => (side == width, width.to_string()),
                "height" => (side == height, height.to_string()),
                _ if width == height => (side == width, width.to_string()),
                _ => (false, format!("{width} x {height}")),
            };
            if is_same { Ok(()) } else { Err(format!("is {side}, but {by} says {set}")) }
        });
    }
}

/// Reads the mask.
fn read_mask(params: &mut Parameters, algorithm: Option<&Algorithm>, kind: LevelKind, limits: Limits) -> Option<Mask> {
    params.rows(MASK, |rows| {
        // the sides are checked first, so that no memory is taken for a mask that is too large
        let columns = rows.first().map_or(0, |row| row.chars().count());
        for (count, what) in [(columns, "column"), (rows.len(), "row")] {
            let s = if count == 1 { "" } else { "s" };
            check_side(count as u64, kind, limits)
                .map_err(|message| format!("has {count} {what}{s}; their number {message}"))?;
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
    })
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
