//! Planes: sets of tiles, and the connected components in them.

use std::collections::VecDeque;

use mazed::level::grid::{Room, Tile};

/// A set of tiles: for each tile, row by row, whether it is in the set.
pub(crate) type Plane = Vec<Vec<bool>>;

/// For each tile of a set the number of its connected component; `None` for the other tiles.
pub(crate) type Labels = Vec<Vec<Option<u32>>>;

pub(crate) fn plane((width, height): (usize, usize), holds: impl Fn(usize, usize) -> bool) -> Plane {
    (0..height).map(|y| (0..width).map(|x| holds(x, y)).collect()).collect()
}

pub(crate) fn size(plane: &Plane) -> (usize, usize) {
    (plane[0].len(), plane.len())
}

/// All positions of a plane, in row-major order.
pub(crate) fn positions(plane: &Plane) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
    let (width, height) = size(plane);
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

/// Whether a tile is in the set; no tile outside the level is.
pub(crate) fn at(plane: &Plane, tile: Tile) -> bool {
    plane.get(tile.y as usize).and_then(|row| row.get(tile.x as usize)) == Some(&true)
}

pub(crate) const fn tile(x: usize, y: usize) -> Tile {
    Tile { x: x as u32, y: y as u32 }
}

/// Numbers the connected components of a set, in row-major order of their first tiles, and measures the bounding box
/// and the area of each. No tile of the border may be in the set.
pub(crate) fn flood(plane: &Plane) -> (Labels, Vec<Room>) {
    let (columns, rows) = size(plane);
    let mut labels = vec![vec![None; columns]; rows];
    let mut sets = Vec::new();
    for (x, y) in positions(plane) {
        if !plane[y][x] || labels[y][x].is_some() {
            continue;
        }
        let label = Some(sets.len() as u32);
        let (mut left, mut right, mut bottom, mut area) = (x, x, y, 0);
        let mut queue = VecDeque::from([(x, y)]);
        labels[y][x] = label;
        while let Some((x, y)) = queue.pop_front() {
            (left, right, bottom, area) = (left.min(x), right.max(x), bottom.max(y), area + 1);
            for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                if plane[y][x] && labels[y][x].is_none() {
                    labels[y][x] = label;
                    queue.push_back((x, y));
                }
            }
        }
        let (width, height) = ((right - left + 1) as u32, (bottom - y + 1) as u32);
        sets.push(Room { x: left as u32, y: y as u32, width, height, area });
    }
    (labels, sets)
}
