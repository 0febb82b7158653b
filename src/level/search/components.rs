//! The connected components of a mask.

use crate::level::grid::{Mask, Tile};
use crate::level::work::{Cancel, Cancelled};

/// The number of components of a mask, and a tile of each of the first ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Components {
    /// The first tile, in row-major order, of each listed component.
    pub(crate) tiles: Vec<Tile>,
    /// The number of all components.
    pub(crate) count: usize,
}

impl Components {
    /// The components of the positions inside a mask. Positions are neighbours if they lie side by side, not
    /// diagonally. At most `max_tiles` tiles are listed.
    pub(crate) fn of(mask: &Mask, max_tiles: usize, cancel: Cancel) -> Result<Self, Cancelled> {
        let mut unvisited = mask.positions().clone();
        let (columns, rows) = (unvisited.width(), unvisited.height());
        let mut found = Self { tiles: Vec::new(), count: 0 };
        let mut visits = 0_u32;
        let mut stack = Vec::new();
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            if !unvisited.take(x, y) {
                continue;
            }
            found.count += 1;
            if found.tiles.len() < max_tiles {
                found.tiles.push(mask.kind().tile(x as u32, y as u32));
            }
            stack.push((x as u32, y as u32));
            while let Some((x, y)) = stack.pop() {
                visits += 1;
                if visits.is_multiple_of(4096) {
                    cancel.check()?;
                }
                let (x, y) = (x as usize, y as usize);
                for (x, y) in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
                    if x < columns && y < rows && unvisited.take(x, y) {
                        stack.push((x as u32, y as u32));
                    }
                }
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::grid::LevelKind;

    fn mask(rows: &[&str]) -> Mask {
        Mask::read(rows, LevelKind::Maze).unwrap()
    }

    fn components(mask: &Mask, max_tiles: usize) -> (Vec<Tile>, usize) {
        let Components { tiles, count } = Components::of(mask, max_tiles, Cancel::never()).unwrap();
        (tiles, count)
    }

    #[test]
    fn components_are_counted_and_a_tile_of_each_is_listed() {
        let one = mask(&["#####"; 5]);
        assert_eq!(components(&one, 9), (vec![Tile { x: 1, y: 1 }], 1));
        let two = mask(&["#####", "##  #", "#####", "#  ##", "#####"]);
        assert_eq!(components(&two, 9), (vec![Tile { x: 1, y: 1 }, Tile { x: 3, y: 3 }], 2), "diagonal neighbours");
        assert_eq!(components(&two, 1), (vec![Tile { x: 1, y: 1 }], 2));
        assert_eq!(components(&mask(&["#####", "#   #", "#####"]), 9), (vec![], 0));
    }

    #[test]
    fn a_large_mask_can_be_cancelled_and_a_small_one_is_done_before() {
        let cancelled = |mask: &Mask| Components::of(mask, 1, Cancel::when(&|| true)).err();
        assert_eq!(cancelled(&mask(&["###"; 3])), None);
        assert_eq!(cancelled(&mask(&["#".repeat(201).as_str(); 201])), Some(Cancelled));
    }
}
