//! Tests of recipes.

use crate::level::error::{Error, ParameterError};
use crate::level::grid::{LevelKind, Size, Tile};
use crate::level::parameters::{Parameters, Value};
use crate::level::recipe::tiles::check_endpoint;
use crate::level::recipe::{Limits, MASK, Recipe};
use crate::level::work::Cancel;

mod foreign_input;
mod stated;

const LIMITS: Limits = Limits::of_side(4001);

fn recipe(pairs: &[(&str, &str)]) -> Result<Recipe, Vec<ParameterError>> {
    Recipe::from_pairs(&[pairs, &[("seed", "7")]].concat(), LIMITS)
}

fn names_of_errors(pairs: &[(&str, &str)]) -> Vec<String> {
    recipe(pairs).unwrap_err().into_iter().map(|error| error.parameter).collect()
}

#[test]
fn the_default_is_a_kruskal_maze_of_41() {
    let recipe = recipe(&[]).unwrap();
    assert_eq!(recipe.algorithm().name, "kruskal");
    assert_eq!(recipe.size(), Size { width: 41, height: 41 });
    assert_eq!(recipe.start().tile().zip(recipe.exit().tile()), Some((Tile { x: 1, y: 1 }, Tile { x: 39, y: 39 })));
}

#[test]
fn the_default_side_is_odd_and_within_the_limit() {
    for (max_side, side) in [(3, 3), (4, 3), (40, 39), (41, 41), (42, 41), (4001, 41)] {
        assert_eq!(Limits::of_side(max_side).default_side(), side);
        assert!(Recipe::from_pairs(&[("seed", "7")], Limits::of_side(max_side)).is_ok());
    }
}

#[test]
fn the_canonical_query_is_the_shortest() {
    for (pairs, query) in [
        (
            &[
                ("algo", "bsp"),
                ("width", "20"),
                ("height", "30"),
                ("jitter", "0.90"),
                ("exit", "3,3"),
                ("rooms", "008"),
            ][..],
            "algo=bsp&width=20&height=30&seed=7&exit=3,3&rooms=8&jitter=0.9",
        ),
        (&[("algo", "binary-tree"), ("size", "005"), ("start", "3,3")], "algo=binary_tree&size=5&seed=7&start=3,3"),
        (
            &[("algo", "recursive-backtracker"), ("size", "41"), ("start", "1,1"), ("exit", "39,39")],
            "algo=dfs&size=41&seed=7",
        ),
        (
            &[("algo", "bsp"), ("jitter", "0.20"), ("rooms", "21"), ("door_size", "1"), ("min_side", "3")],
            "algo=bsp&size=41&seed=7",
        ),
        (&[("algo", "bsp"), ("min_side", "04")], "algo=bsp&size=41&seed=7&min_side=4"),
    ] {
        assert_eq!(recipe(pairs).unwrap().to_string(), query);
    }
    let text = Recipe::from_pairs(&[("seed", "a b&c=미")], LIMITS).unwrap().to_string();
    assert_eq!(text, "algo=kruskal&size=41&seed=a%20b%26c%3D%EB%AF%B8");
}

#[test]
fn every_error_is_reported_at_once() {
    assert_eq!(
        names_of_errors(&[("size", "4"), ("algo", "x"), ("jitter", "2"), ("start", "1;1")]),
        ["algo", "jitter", "start"]
    );
    assert_eq!(
        names_of_errors(&[("size", "4"), ("rooms", "2"), ("start", "x"), ("what", "")]),
        ["size", "rooms", "start", "what"]
    );
    assert_eq!(names_of_errors(&[("width", "5")]), ["height"]);
    assert_eq!(names_of_errors(&[("height", "5")]), ["width"]);
    assert_eq!(names_of_errors(&[("size", "5"), ("width", "5")]), ["size"]);
    assert_eq!(names_of_errors(&[("start", "0,1"), ("exit", "40,39")]), ["start", "exit"]);
    assert_eq!(names_of_errors(&[("start", "2,2"), ("exit", "1,4294967297")]), ["start", "exit"]);
    assert_eq!(names_of_errors(&[("size", "40"), ("start", "0,0"), ("exit", "2,2")]), ["size", "start", "exit"]);
    assert_eq!(names_of_errors(&[("algo", "x"), ("start", "0,0"), ("exit", "2,2")]), ["algo", "start"]);
}

#[test]
fn the_error_of_an_even_size_names_the_odd_sizes_next_to_it() {
    let message = |size: &'static str| recipe(&[("size", size)]).unwrap_err().remove(0).message;
    assert_eq!(message("4"), "must be odd for a maze: take 3 or 5");
    assert!(message("4002").contains("3 to 4001"));
    let at_limit = Recipe::from_pairs(&[("size", "4000"), ("seed", "7")], Limits::of_side(4000)).unwrap_err().remove(0);
    assert_eq!(at_limit.message, "must be odd for a maze: take 3999");
    assert!(recipe(&[("algo", "bsp"), ("size", "4")]).is_ok());
}

/// The recipe of an algorithm and a mask of these rows.
fn masked(algorithm: &'static str, rows: &[String]) -> Recipe {
    let rows = Value::Rows(rows.iter().map(|row| row.as_str().into()).collect());
    let text = |text: &'static str| Ok(Value::Bare(text.into()));
    let pairs = vec![("algo".into(), text(algorithm)), ("seed".into(), text("7")), (MASK.into(), Ok(rows))];
    Recipe::read(&mut Parameters::new(pairs), LIMITS, || 0).unwrap()
}

/// A mask of so many tiles without one position inside the border.
fn mask_with_a_hole(width: usize, height: usize) -> Vec<String> {
    let mut rows = vec!["#".repeat(width); height];
    rows[1].replace_range(1..2, " ");
    rows
}

#[test]
fn masks_that_differ_only_in_their_void_tiles_have_different_canonical_texts() {
    let rows = |corner: char| {
        let mut rows = mask_with_a_hole(9, 9);
        rows[0].replace_range(..1, &corner.to_string());
        rows
    };
    for algorithm in ["kruskal", "bsp"] {
        let [void, wall] = [' ', '#'].map(|corner| masked(algorithm, &rows(corner)).to_string());
        assert_ne!(void, wall);
        assert!(void.starts_with(&format!("algo={algorithm}&size=9&seed=7#")), "{void}");
    }
}

#[test]
fn the_error_of_a_mask_in_pieces_lists_some_of_them_and_counts_the_others() {
    for (pieces, more) in [(2, None), (16, None), (17, Some(" and 1 more")), (40, Some(" and 24 more"))] {
        // cells four tiles apart
        let row: String = (0..=4 * pieces).map(|x| if x % 4 < 3 { '#' } else { ' ' }).collect();
        let recipe = masked("kruskal", &[row.clone(), row.clone(), row]);
        let Err(Error::Unbuildable(errors)) = recipe.check_mask(Cancel::never()) else {
            panic!("{pieces} are connected")
        };
        assert_eq!(errors[0].message.contains(" more"), more.is_some(), "{}", errors[0].message);
        assert!(errors[0].message.contains(more.unwrap_or("[1,1]")), "{}", errors[0].message);
    }
}

#[test]
fn an_endpoint_outside_the_mask_is_an_error_that_names_a_tile_inside() {
    let recipe = masked("kruskal", &mask_with_a_hole(21, 21));
    let mask = recipe.mask().unwrap();
    let void = (1..20).flat_map(|y| (1..20).map(move |x| Tile { x, y }));
    let void = void.filter(|tile| tile.x % 2 == 1 && tile.y % 2 == 1).find(|tile| !mask.may_be_open(*tile)).unwrap();
    let checked = |tile| check_endpoint(tile, recipe.size(), LevelKind::Maze, Some(mask));
    let message = checked(void).unwrap_err();
    assert!(message.contains("outside the mask") && message.contains("[3,1] is inside"), "{message}");
    assert_eq!(checked(Tile { x: 3, y: 1 }), Ok(()));
}
