//! Whatever a client sends, a reader returns a value or an error that names the parameter, and never panics.

use proptest::prelude::*;

use crate::level::parameters::options::OPTIONS;
use crate::level::parameters::{Given, Parameters, Value};
use crate::level::recipe::{self, BODY_FIELDS, Limits, MASK, Recipe, read_tile};
use crate::level::rng::Seed;

/// Names that a recipe knows, and others.
fn names() -> impl Strategy<Value = String> {
    let known: Vec<_> = recipe::parameter_names().into_iter().chain(BODY_FIELDS).collect();
    prop_oneof![8 => prop::sample::select(known).prop_map(str::to_owned), 1 => ".{0,9}"]
}

/// Texts that are nearly values, and any others.
fn texts() -> impl Strategy<Value = String> {
    let values = [
        "kruskal",
        "bsp",
        "binary-tree",
        "wilson",
        "3",
        "4",
        "5",
        "41",
        "4001",
        "4002",
        "0",
        "0.5",
        "0.9",
        "1",
        "1.0001",
        "-1",
        "true",
        "false",
        "farthest",
        "1,1",
        "3,3",
        "2,2",
        "39,39",
        "99999999999999999999",
        "algo=kruskal&size=5&seed=7",
        "algo=bsp&size=9&seed=%37&rooms=1&exit=farthest",
        "size=5&seed=7&seed=8",
    ];
    prop_oneof![
        6 => prop::sample::select(values.to_vec()).prop_map(str::to_owned),
        2 => "[0-9,.+-]{0,12}",
        1 => any::<String>(),
    ]
}

/// Rows of a mask, most of them of equal length.
fn rows() -> impl Strategy<Value = Vec<String>> {
    let row = |width| prop::collection::vec(prop::sample::select(vec!['#', ' ', '미']), width);
    let even = (0_usize..12, 0_usize..12)
        .prop_flat_map(move |(width, height)| prop::collection::vec(row(width).prop_map(String::from_iter), height));
    prop_oneof![4 => even, 1 => prop::collection::vec(".{0,4}", 0..6)]
}

fn values() -> impl Strategy<Value = Given<'static>> {
    prop_oneof![
        8 => texts().prop_map(|text| Ok(Value::Bare(text.into()))),
        2 => texts().prop_map(|text| Ok(Value::Text(text.into()))),
        2 => texts().prop_map(|text| Ok(Value::Number(text.into()))),
        1 => prop::sample::select(vec!["true", "false"]).prop_map(|flag| Ok(Value::Flag(flag))),
        1 => (any::<i64>(), any::<i64>()).prop_map(|(x, y)| Ok(Value::Pair(format!("{x},{y}")))),
        4 => rows().prop_map(|rows| Ok(Value::Rows(rows.into_iter().map(Into::into).collect()))),
        1 => prop::collection::vec(any::<[i64; 2]>(), 0..4).prop_map(|points| Ok(Value::Points(points))),
        1 => Just(Ok(Value::Other("an object"))),
        3 => prop::collection::vec((names(), texts()), 0..3).prop_map(|fields| {
            let value = |(name, text): (String, String)| (name.into(), Value::Number(text.into()));
            Ok(Value::Fields(fields.into_iter().map(value).collect()))
        }),
        1 => Just(Err("is not percent-encoded UTF-8")),
    ]
}

fn pairs() -> impl Strategy<Value = Vec<(String, Given<'static>)>> {
    let mask = rows().prop_map(|rows| (MASK.to_owned(), Ok(Value::Rows(rows.into_iter().map(Into::into).collect()))));
    let any = || prop::collection::vec((names(), values()), 0..6);
    prop_oneof![any(), (any(), mask).prop_map(|(pairs, mask)| pairs.into_iter().chain([mask]).collect())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn a_recipe_is_read_or_each_error_names_a_parameter(pairs in pairs(), limit in 3_u32..60) {
        let limits = Limits { max_side: limit, max_room_mask_side: limit / 2 + 3 };
        let names: Vec<String> = pairs.iter().map(|(name, _)| name.clone()).collect();
        let mut params = Parameters::new(pairs.into_iter().map(|(name, value)| (name.into(), value)).collect());
        let recipe = Recipe::read(&mut params, limits, || 7);
        match params.finish(recipe, recipe::parameter_names) {
            Ok(recipe) => {
                let size = recipe.size();
                prop_assert!((3..=limit).contains(&size.width) && (3..=limit).contains(&size.height));
                // the canonical text, if it is a query, is the same recipe
                let text = recipe.to_string();
                if recipe.mask().is_none() && !text.contains('%') {
                    let pairs: Vec<_> = text.split('&').filter_map(|pair| pair.split_once('=')).collect();
                    prop_assert_eq!(Recipe::from_pairs(&pairs, limits), Ok(recipe));
                }
            }
            Err(errors) => {
                prop_assert!(!errors.is_empty());
                for error in errors {
                    // a missing side is an error of the one that is missing
                    let missing = ["width", "height"].contains(&error.parameter.as_str());
                    let in_options = error.parameter.starts_with("options.") && names.contains(&"options".to_owned());
                    prop_assert!(missing || in_options || names.contains(&error.parameter), "{error:?}");
                    prop_assert!(!error.message.is_empty());
                }
            }
        }
    }

    #[test]
    fn a_seed_that_is_read_is_read_again_from_its_text(text in prop_oneof![texts(), any::<String>(), "-?[0-9]{1,25}"]) {
        if let Ok(seed) = Seed::parse(&text) {
            prop_assert_eq!(Seed::parse(&seed.to_string()), Ok(seed));
        }
    }

    #[test]
    fn a_tile_that_is_read_is_read_again_from_its_text(
        text in prop_oneof![texts(), any::<String>(), "[0-9]{1,12},[0-9]{1,12}"]
    ) {
        if let Ok(tile) = read_tile(&text) {
            prop_assert_eq!(read_tile(&format!("{},{}", tile.x, tile.y)), Ok(tile));
        }
    }

    #[test]
    fn an_option_that_is_read_is_in_its_bounds_and_is_read_again_from_its_text(
        text in prop_oneof![texts(), any::<String>(), "[0-9]{1,22}", "[0-9]{0,3}[.][0-9]{0,6}"],
    ) {
        for row in &OPTIONS {
            if let Ok(value) = row.kind.parse(&text) {
                let (least, most) = row.kind.bounds();
                prop_assert!((least..=most).contains(&value), "{} {value}", row.name);
                prop_assert_eq!(row.kind.parse(&row.kind.format(value)), Ok(value));
            }
        }
    }
}
