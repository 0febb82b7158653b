//! Tests of the fields of a body that stand for other parameters: `recipe`, `algorithm` and `options`.

use super::LIMITS;
use crate::level::error::{Error, ParameterError};
use crate::level::grid::Tile;
use crate::level::parameters::{Parameters, Value};
use crate::level::recipe::{self, Claims, Recipe};

/// A field of a body: a text, or a number if it is one, or an object of numbers.
fn field(text: &'static str) -> Value<'static> {
    let scalar = |text: &'static str| {
        if text.parse::<f64>().is_ok() { Value::Number(text.into()) } else { Value::Text(text.into()) }
    };
    match text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        None if ["true", "false"].contains(&text) => Value::Flag(text),
        None => scalar(text),
        Some(fields) => {
            let pairs = fields.split_terminator(',').filter_map(|field| field.split_once(':'));
            Value::Fields(pairs.map(|(name, value)| (name.into(), scalar(value))).collect())
        }
    }
}

fn read(pairs: &[(&'static str, &'static str)]) -> Result<(Recipe, Claims), Vec<ParameterError>> {
    let pairs = pairs.iter().map(|(name, text)| ((*name).into(), Ok(field(text))));
    let mut params = Parameters::new(pairs.collect());
    let recipe = Recipe::read_with_claims(&mut params, LIMITS, || panic!("the seed is named"));
    params.finish(recipe, recipe::parameter_names)
}

fn errors(pairs: &[(&'static str, &'static str)]) -> Vec<(String, String)> {
    let errors = read(pairs).unwrap_err();
    errors.into_iter().map(|error| (error.parameter, error.message)).collect()
}

const DFS: &str = "algo=dfs&width=21&height=11&seed=a%20b&start=3,1&braid=0.5";
const ROOMS: &str = "algo=bsp&size=41&seed=7&exit=farthest&rooms=5";

#[test]
fn a_recipe_as_one_text_stands_for_all_its_parameters() {
    for text in [DFS, ROOMS, "algo=kruskal&size=41&seed=7", "algo=kruskal&size=41&seed=-7&openings=true"] {
        let (recipe, claims) = read(&[("recipe", text)]).unwrap();
        assert_eq!((recipe.to_string().as_str(), claims.is_empty()), (text, true));
    }
    let (recipe, _) = read(&[("recipe", "seed=007&exit=19,9&height=11&width=21&algo=recursive-backtracker")]).unwrap();
    assert_eq!(recipe.to_string(), "algo=dfs&width=21&height=11&seed=7", "any form of a query is read");
}

#[test]
fn what_stands_beside_a_recipe_and_says_the_same_is_fine() {
    for beside in [
        &[("algo", "recursive-backtracker"), ("algorithm", "dfs"), ("width", "21"), ("height", "11")][..],
        &[("seed", "a b"), ("start", "3,1"), ("exit", "19,9"), ("openings", "false")],
        &[("braid", "0.50"), ("options", "{braid:0.5}")],
        &[("width", "21")],
        &[("options", "{}")],
    ] {
        let (recipe, claims) = read(&[&[("recipe", DFS)], beside].concat()).unwrap();
        assert_eq!((recipe.to_string().as_str(), claims.is_empty()), (DFS, true), "{beside:?}");
    }
    let defaults = "{min_room_area:9,door_size:1,rooms:5,jitter:0.2,loops:0}";
    let (recipe, _) = read(&[("recipe", ROOMS), ("size", "41"), ("exit", "farthest"), ("options", defaults)]).unwrap();
    assert_eq!(recipe.to_string(), ROOMS);
}

#[test]
fn what_stands_beside_a_recipe_and_says_something_else_is_an_error() {
    for (beside, parameter, message) in [
        (("algo", "prim"), "algo", "is prim, but recipe says dfs"),
        (("algorithm", "prim"), "algorithm", "is prim, but recipe says dfs"),
        (("size", "21"), "size", "is 21, but recipe says 21 x 11"),
        (("width", "23"), "width", "is 23, but recipe says 21"),
        (("height", "21"), "height", "is 21, but recipe says 11"),
        (("seed", "a"), "seed", "is a, but recipe says a b"),
        (("start", "1,1"), "start", "is [1,1], but recipe says [3,1]"),
        (("start", "farthest"), "start", "is farthest, but recipe says [3,1]"),
        (("exit", "1,1"), "exit", "is [1,1], but recipe says [19,9]"),
        (("openings", "true"), "openings", "is true, but recipe says false"),
        (("braid", "0.25"), "braid", "is 0.25, but recipe says 0.5"),
        (("options", "{braid:0}"), "options.braid", "is 0, but recipe says 0.5"),
        (("rooms", "5"), "rooms", "is no option of dfs; it belongs to bsp"),
        (("mask", "{}"), "mask", "is given beside recipe, which names a level without a mask"),
        (("size", "x"), "size", "is a string; it must be a number"),
    ] {
        assert_eq!(errors(&[("recipe", DFS), beside]), [(parameter.to_owned(), message.to_owned())], "{beside:?}");
    }
    let several = errors(&[("recipe", ROOMS), ("seed", "8"), ("size", "43"), ("options", "{loops:1,x:1}")]);
    let names: Vec<_> = several.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["size", "seed", "options.loops", "options.x"]);
}

#[test]
fn an_error_in_a_recipe_says_where_and_what_stands_beside_it_is_still_read() {
    for (text, messages) in [
        ("algo=dfs&size=40&seed=7", &["at size: must be odd for a maze: take 39 or 41"][..]),
        ("algo=dfs&size=41", &["at seed: is missing"]),
        ("", &["at seed: is missing"]),
        (
            "algo=krusk&seed=7&colour=red",
            &["at algo: must be one of", "did you mean kruskal?", "at colour: is unknown"],
        ),
        ("seed=7&solver=bfs", &["at solver: is unknown"]),
        ("seed=7&mask=%23", &["at mask: goes into the JSON body"]),
        ("seed=7&recipe=seed=7", &["at recipe: goes into the JSON body"]),
        ("seed=%", &["at seed: has a percent sign"]),
    ] {
        let [(name, message)] = &errors(&[("recipe", text), ("size", "41"), ("algorithm", "prim")])[..] else {
            panic!("{text}: one error is expected");
        };
        assert_eq!(name, "recipe");
        assert!(messages.iter().all(|part| message.contains(part)), "{text}: {message}");
    }
    let several = errors(&[("recipe", "seed"), ("size", "1"), ("algorithm", "x"), ("options", "{loops:2}")]);
    let names: Vec<_> = several.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["recipe", "algorithm", "size", "options.loops"]);
    let long: &'static str = "seed=7&".repeat(1_000).leak();
    assert!(errors(&[("recipe", long)])[0].1.len() < 200);
}

#[test]
fn a_tile_beside_a_recipe_that_says_farthest_is_compared_with_the_level() {
    let (recipe, claims) = read(&[("recipe", ROOMS), ("start", "1,1"), ("exit", "39,20")]).unwrap();
    assert_eq!(recipe.to_string(), ROOMS);
    let start = Tile { x: 1, y: 1 };
    assert!(!claims.is_empty());
    assert_eq!(claims.check(start, Tile { x: 39, y: 20 }), Ok(()));
    let Err(Error::Misplaced(errors)) = claims.check(start, Tile { x: 39, y: 21 }) else { panic!("another exit") };
    let message = "is [39,20], but recipe says farthest, which is [39,21] in this level";
    assert_eq!(errors, [ParameterError::new("exit", message)]);
}

#[test]
fn algorithm_and_options_are_other_names_that_must_agree_with_the_first_ones() {
    let (recipe, _) = read(&[("algorithm", "bsp"), ("seed", "7"), ("options", "{rooms:5,loops:0.5}")]).unwrap();
    assert_eq!(recipe.to_string(), "algo=bsp&size=41&seed=7&rooms=5&loops=0.5");
    let both = [("algo", "bsp"), ("algorithm", "bsp"), ("seed", "7"), ("rooms", "5"), ("options", "{rooms:5}")];
    assert_eq!(read(&both).unwrap().0.to_string(), "algo=bsp&size=41&seed=7&rooms=5");
    for (pairs, name, message) in [
        (&[("algo", "bsp"), ("algorithm", "dfs")][..], "algorithm", "is dfs, but algo is bsp; give one of the two"),
        (
            &[("algo", "bsp"), ("rooms", "5"), ("options", "{rooms:6}")],
            "options.rooms",
            "is 6, but rooms is 5; give one of the two",
        ),
        (&[("options", "{rooms:6}")], "options.rooms", "is no option of kruskal; it belongs to bsp"),
        (&[("options", "{braid:2}")], "options.braid", "must be a plain decimal from 0 to 1"),
        (&[("options", "{brai:1}")], "options.brai", "is unknown here; known are braid; did you mean braid?"),
        (&[("options", "7")], "options", "is a number; it must be an object"),
    ] {
        let pairs = [pairs, &[("seed", "7")]].concat();
        assert_eq!(errors(&pairs), [(name.to_owned(), message.to_owned())], "{pairs:?}");
    }
}

#[test]
fn a_recipe_may_have_the_most_bytes_and_not_one_more() {
    for (bytes, fits) in [(4_096, true), (4_097, false)] {
        let text = format!("algo=bsp&seed=7&rooms={:0>width$}", 5, width = bytes - "algo=bsp&seed=7&rooms=".len());
        assert_eq!(text.len(), bytes);
        let read = read(&[("recipe", text.leak())]);
        let message = read.map(|_| ()).map_err(|errors| errors[0].message.clone()).err().unwrap_or_default();
        assert_eq!(message.is_empty(), fits, "{message:.200}");
        assert!(fits || message.contains("no recipe has more than 4096"), "{message:.200}");
    }
}
