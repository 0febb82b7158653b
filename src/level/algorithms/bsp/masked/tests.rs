use super::*;
use crate::level::parameters::{Parameters, Value};
use crate::level::recipe::{Limits, Recipe};
use crate::level::work::Buffers;

/// Ten by eight tiles without a corner of four by two: 72 in all.
const NICKED: [&str; 10] = [
    "            ",
    " ######     ",
    " ######     ",
    " ########## ",
    " ########## ",
    " ########## ",
    " ########## ",
    " ########## ",
    " ########## ",
    "            ",
];

fn recipe(pairs: &[(&'static str, &str)], seed: u64) -> Recipe {
    recipe_in(&NICKED, pairs, seed)
}

fn recipe_in(mask: &[&'static str], pairs: &[(&'static str, &str)], seed: u64) -> Recipe {
    let seed = seed.to_string();
    let texts = [("algo", "bsp"), ("seed", &seed)].into_iter().chain(pairs.iter().copied());
    let texts = texts.map(|(name, text)| (name.into(), Ok(Value::Bare(text.into()))));
    let rows = Value::Rows(mask.iter().map(|row| (*row).into()).collect());
    let mut params = Parameters::new(texts.chain([("mask".into(), Ok(rows))]).collect());
    let recipe = Recipe::read(&mut params, Limits::of_side(41), || 0);
    params.finish(recipe, Vec::new).unwrap()
}

fn build(recipe: &Recipe) -> Result<Layout, Error> {
    let mut buffers = Buffers::default();
    generate(
        recipe.blueprint(),
        recipe.mask().unwrap(),
        &mut JobContext { buffers: &mut buffers, cancel: Cancel::never() },
    )
}

#[test]
fn the_deciding_searches_do_not_use_the_seed() {
    let words = |seed, number| {
        let mut rng = deciding_rng(recipe(&[("rooms", "3")], seed).blueprint(), number);
        [rng.word(), rng.word()]
    };
    assert!((0..DECIDING_SEARCHES).all(|number| words(1, number) == words(2, number)));
    assert!((1..DECIDING_SEARCHES).all(|number| words(1, number) != words(1, 0)));
    let own = |seed| recipe(&[("rooms", "3")], seed).streams().stream(CUTS, 0).word();
    assert_ne!(own(1), own(2));
    assert!((0..2).all(|seed| words(1, 0)[0] != own(seed)));
}

#[test]
fn huge_numbers_become_just_too_large() {
    let demand = demand(recipe(&[("rooms", "1000000000000"), ("door_size", "4294967297")], 7).blueprint());
    assert_eq!((demand.rooms, demand.area, demand.door, demand.jitter), (73, 73, 73, 2_000));
}

fn errors_of(pairs: &[(&'static str, &str)]) -> Vec<ParameterError> {
    let errors = |seed| match build(&recipe(pairs, seed)) {
        Err(Error::Unbuildable(errors)) => errors,
        other => panic!("{other:?}"),
    };
    assert_eq!(errors(1), errors(2), "the same for every seed");
    errors(1)
}

#[test]
fn the_error_says_how_many_rooms_were_found() {
    // a number of rooms that the searches try, and one above the upper bound
    for rooms in ["15", "4000000000000"] {
        let errors = errors_of(&[("rooms", rooms), ("min_room_area", "3"), ("jitter", "0.30")]);
        let message = format!(
            "cannot be built: no search found {rooms} rooms in this mask with min_room_area 3, door_size 1 and \
             jitter 0.3; at most 10 were found"
        );
        assert_eq!(errors, [ParameterError::new("rooms", message)]);
    }
    let errors = errors_of(&[("rooms", "2"), ("min_room_area", "36")]);
    let message = "cannot be built: no search found 2 rooms in this mask with min_room_area 36, door_size 1 and \
                   jitter 0.2; at most 1 were found";
    assert_eq!(errors, [ParameterError::new("rooms", message)], "no room for a door");
    let errors = errors_of(&[("rooms", "2"), ("door_size", "11")]);
    assert!(errors[0].message.contains("door_size 11 and jitter 0.2; at most 1 were found"), "{errors:?}");
    let Err(Error::Unbuildable(errors)) =
        build(&recipe_in(&["     ", " ### ", "     ", "     "], &[("rooms", "3"), ("min_room_area", "1")], 7))
    else {
        panic!("three tiles hold three rooms")
    };
    assert!(errors[0].message.contains("at most 2 were found"), "the bound of three tiles: {errors:?}");
}

#[test]
fn a_room_larger_than_the_mask_is_an_error_of_its_area() {
    let message = "is too large: the mask has 72 tiles inside";
    for rooms in ["1", "2"] {
        let errors = errors_of(&[("rooms", rooms), ("min_room_area", "73")]);
        assert_eq!(errors, [ParameterError::new("min_room_area", message)]);
    }
    let plan = build(&recipe(&[("rooms", "1"), ("min_room_area", "72")], 7)).unwrap().plan.unwrap();
    let whole = Room { x: 1, y: 1, width: 10, height: 8, area: 72 };
    assert_eq!((plan.rooms, plan.doors), (vec![whole], vec![]));
}

#[test]
fn a_seed_whose_search_fails_gets_the_rooms_of_the_first_deciding_search_that_succeeds() {
    let (mut others, mut differ, mut later) = (0, 0, 0);
    for (rooms, area) in [("9", "4"), ("7", "5"), ("7", "6"), ("8", "6")] {
        for seed in 0..20 {
            let recipe = recipe(&[("rooms", rooms), ("min_room_area", area)], seed);
            let (mask, demand) = (recipe.mask().unwrap(), demand(recipe.blueprint()));
            let mut search = RoomSearch::new(mask);
            let mut run = |mut rng| search.run(&demand, &mut rng, Cancel::never()).unwrap();
            let Some(decider) = (0..DECIDING_SEARCHES).find(|number| run(deciding_rng(recipe.blueprint(), *number)))
            else {
                assert!(matches!(build(&recipe), Err(Error::Unbuildable(_))));
                continue;
            };
            let is_own = run(recipe.streams().stream(CUTS, 0));
            let built = build(&recipe).unwrap();
            run(deciding_rng(recipe.blueprint(), decider));
            let (ownership, parts, mut doors) = search.finish(&demand);
            doors.sort_unstable_by_key(|door| (door.first.y, door.first.x));
            let plan = Plan { rooms: parts.iter().map(|part| outline(ownership, *part)).collect(), doors };
            if is_own {
                differ += u32::from(built.plan != Some(plan));
            } else {
                assert_eq!(built.plan, Some(plan));
                others += 1;
                later += u32::from(decider > 0);
            }
        }
    }
    assert!(differ > 0 && others > 0 && later > 0, "{differ} {others} {later}");
}
