use std::sync::Arc;

use super::*;
use crate::level::grid::{Grid, OpenTiles};

fn mask(rows: &[&str]) -> Mask {
    Mask::read(rows, LevelKind::Maze).unwrap()
}

/// A mask of random characters, `inside` in eight of them inside.
fn random(width: usize, height: usize, inside: u64, mut state: u64) -> Vec<String> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state >> 40
    };
    let mut row = |_| (0..width).map(|_| if next() % 8 < inside { '#' } else { ' ' }).collect();
    (0..height).map(&mut row).collect()
}

#[test]
fn void_is_what_is_outside_and_touches_no_cell() {
    for (width, height, seed) in [(3, 3, 1), (9, 5, 2), (63, 7, 3), (65, 9, 4), (129, 31, 5), (131, 33, 6)] {
        for inside in 0..=8 {
            let rows = random(width, height, inside, seed);
            let read = Mask::read(&rows, LevelKind::Maze).unwrap();
            let is_inside = |x: usize, y: usize| rows[y].as_bytes()[x] != b' ';
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let around = |at: usize, most: usize| at.saturating_sub(1)..=(at + 1).min(most - 1);
                let mut near = around(y, height).flat_map(|y| around(x, width).map(move |x| (x, y)));
                let touches = near.any(|(x, y)| x % 2 == 1 && y % 2 == 1 && is_inside(x, y));
                assert_eq!(read.outside().get(x, y), !is_inside(x, y) && !touches, "[{x},{y}] {inside} of {width}");
                if x % 2 == 1 && y % 2 == 1 {
                    assert_eq!(read.positions().get(x / 2, y / 2), is_inside(x, y));
                }
            }
        }
    }
}

#[test]
fn of_a_room_map_void_is_what_is_outside_and_touches_no_open_tile() {
    for (width, height, seed) in [(3, 4, 1), (64, 9, 2), (65, 8, 3), (130, 7, 4)] {
        let (rows, open) = (random(width, height, 4, seed), random(width, height, 1, seed + 9));
        let read = Mask::read(&rows, LevelKind::Rooms).unwrap();
        let mut tiles = Bitmap::new(width, height);
        let all = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let has = |rows: &[String], x: usize, y: usize| rows[y].as_bytes()[x] != b' ';
        all().filter(|&(x, y)| has(&open, x, y)).for_each(|(x, y)| tiles.set(x, y));
        let mut grid = Grid::new(OpenTiles::Rooms(tiles));
        grid.set_mask(&Arc::new(read.clone()));
        let void = grid.outline.unwrap().void;
        for (x, y) in all() {
            let near = |at: usize, most: usize| at.saturating_sub(1)..(at + 2).min(most);
            let touches = near(y, height).any(|y| near(x, width).any(|x| has(&open, x, y)));
            assert_eq!(void.get(x, y), !has(&rows, x, y) && !touches, "[{x},{y}]");
            let tile = Tile { x: x as u32, y: y as u32 };
            let on_border = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
            assert_eq!(read.may_be_open(tile), has(&rows, x, y) && !on_border, "[{x},{y}]");
        }
    }
}

#[test]
fn the_error_of_a_ragged_mask_names_the_row() {
    let read = |rows: &[&str]| Mask::read(rows, LevelKind::Maze);
    assert!(read(&["###", "##", "###"]).unwrap_err().contains("row 1 has 2"));
    assert!(read(&["##", "###", "##"]).unwrap_err().contains("row 1 has 3"));
    assert!(read(&["미로방", "###", "###"]).is_ok(), "characters are counted, not bytes");
}

#[test]
fn the_ends_are_the_first_and_the_last_cell() {
    let none = mask(&["   ", "# #", "   "]);
    assert_eq!(none.endpoints(), None);
    let some = mask(&["     ", "   # ", "     ", " #   ", "     "]);
    assert_eq!(some.endpoints(), Some([Tile { x: 3, y: 1 }, Tile { x: 1, y: 3 }]));
    let wide = mask(&[&" ".repeat(301), &format!("{}#{}", " ".repeat(161), " ".repeat(139)), &" ".repeat(301)]);
    assert_eq!(wide.endpoints(), Some([Tile { x: 161, y: 1 }; 2]));
}

#[test]
fn a_mask_is_full_if_all_cells_are_inside() {
    assert!(mask(&["#####"; 5]).is_full());
    assert!(mask(&["     ", " # # ", "     "]).is_full(), "the other characters do not count");
    assert!(!mask(&["#####", "#   #", "#####"]).is_full());
}

#[test]
fn equal_cells_with_the_same_void_tiles_share_a_digest() {
    let digests = [
        mask(&["###", "###", "###"]),
        mask(&["   ", "   ", "   "]),
        mask(&["   ", " # ", "   "]),
        mask(&["    ", " #  ", "   #"]),
    ];
    let digests = digests.each_ref().map(Mask::digest);
    assert_eq!(digests[0], digests[2], "what touches a cell is a wall, whatever its character is");
    assert_ne!(digests[0], digests[1]);
    assert_ne!(digests[0], digests[3]);
    assert_eq!(digests[0].len(), 64);
}

#[test]
fn masks_that_differ_only_in_their_void_tiles_have_different_digests() {
    // of a maze: one cell, and far from it a tile that is void in one mask and a wall in the other
    let one_cell = ["     ", " #   ", "     ", "     ", "     "];
    let with_wall = ["     ", " #   ", "     ", "     ", "    #"];
    let (one_cell, with_wall) = (mask(&one_cell), mask(&with_wall));
    assert_eq!(one_cell.positions(), with_wall.positions());
    assert_eq!(one_cell.most_void(), with_wall.most_void() + 1);
    assert_ne!(one_cell.digest(), with_wall.digest());
    // of a room map: the tiles of the border are never open
    let rooms = |rows: &[&str]| Mask::read(rows, LevelKind::Rooms).unwrap();
    let (void_corner, wall_corner) = (rooms(&[" ###", "####", "####"]), rooms(&["####"; 3]));
    assert_eq!(void_corner.positions(), wall_corner.positions());
    assert_ne!(void_corner.digest(), wall_corner.digest());
}
