//! Masks for the tests of rooms in masks.

use std::iter;

use crate::level::grid::{LevelKind, Mask};

/// A mask from a picture: every character but a space is inside. A border of spaces is added around the picture, so
/// that its first character is at column 1 of row 1.
pub(crate) fn mask_of(rows: &[&str]) -> Mask {
    let border = " ".repeat(rows[0].len() + 2);
    let inside = rows.iter().map(|row| format!(" {row} "));
    let rows: Vec<_> = iter::once(border.clone()).chain(inside).chain([border.clone()]).collect();
    Mask::read(&rows, LevelKind::Rooms).unwrap()
}
