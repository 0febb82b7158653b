//! What making a level takes, and what a query about it takes, as the service knows it before any work: the bytes and
//! the time by which it admits a request, and the bytes that it reserves for the response. `MAZED_BLESS=1` records them
//! anew.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::LevelKind;
use mazed::level::parameters::Parameters;
use mazed::level::queries::distances::DistancesQuery;
use mazed::level::queries::path::PathQuery;
use mazed::level::queries::pick::PickQuery;
use mazed::level::queries::solution::SolutionQuery;
use mazed::level::queries::spawns::SpawnsQuery;
use mazed::level::queries::stats::StatsQuery;
use mazed::level::queries::verify::VerifyQuery;
use mazed::level::recipe::Recipe;
use mazed::render::{Render, RenderOptions, Rendering};

use crate::fixtures::recipe;

/// The largest response of the default settings.
const LIMIT: u64 = 64 << 20;

fn query<Q: Render>(name: &str, pairs: &[(&str, &str)], recipe: &Recipe, text: &mut String) {
    let mut params = Parameters::bare(pairs);
    let query = Q::read(&mut params).expect(name);
    for format in Q::FORMATS {
        let options = RenderOptions::read(&mut params, format.parameters).expect(name);
        let rendering = Rendering { query: &query, options, limit: LIMIT };
        let bytes = [query.work_bytes(recipe), (format.work_bytes)(&rendering, recipe)];
        let (nanos, response) = (query.work_nanos(recipe), (format.answer_bytes)(&rendering, recipe));
        let values: Vec<_> = pairs.iter().map(|(_, value)| *value).filter(|value| value.len() < 16).collect();
        let [values, format] = [values.join(" "), format.name.to_owned()];
        writeln!(text, "  {name} {values} {format}: {bytes:?} bytes, {nanos} ns, response {response:?}").unwrap();
    }
}

fn prices(name: &str, recipe: &Recipe) -> String {
    let mut text = format!("{name}\n  level {:?}\n", Level::price(recipe).expect(name));
    query::<SolutionQuery>("solution", &[], recipe, &mut text);
    query::<SolutionQuery>("solution", &[("solver", "none"), ("grid", "bits")], recipe, &mut text);
    query::<SolutionQuery>("solution", &[("solver", "right_hand"), ("path", "moves")], recipe, &mut text);
    query::<PathQuery>("path", &[], recipe, &mut text);
    query::<PathQuery>("path", &[("solver", "tremaux"), ("path", "moves")], recipe, &mut text);
    query::<DistancesQuery>("distances", &[], recipe, &mut text);
    query::<StatsQuery>("stats", &[], recipe, &mut text);
    query::<SpawnsQuery>("spawns", &[("count", "9")], recipe, &mut text);
    query::<VerifyQuery>("verify", &[("moves", "RRDDRRDDRRDDRRDDRRDD")], recipe, &mut text);
    let mut params = Parameters::bare(&[("difficulty", "0.5")]);
    let pick = PickQuery::read(&mut params, |_| Some(recipe.clone())).expect(name);
    let batch = pick.batches().nth(1).expect(name);
    writeln!(text, "  batch of {}: {:?}", batch.levels(), batch.price(Level::price(recipe).expect(name))).unwrap();
    text
}

#[test]
fn every_price_is_the_recorded_one() {
    let mut text = String::new();
    for algorithm in ALGORITHMS {
        let name = algorithm.name;
        for (width, height) in [("21", "33"), ("1001", "301")] {
            let pairs = [("algo", name), ("width", width), ("height", height), ("seed", "7")];
            let more = match algorithm.kind {
                LevelKind::Maze => ("braid", "0.5"),
                LevelKind::Rooms => ("loops", "0.5"),
            };
            for more in [&[][..], &[more], &[("start", "farthest")]] {
                let options: Vec<_> = more.iter().map(|(name, value)| format!(" {name}={value}")).collect();
                let recipe = recipe(&[&pairs[..], more].concat(), &[""; 0]).expect(name);
                text += &prices(&format!("{name} {width}x{height}{}", options.concat()), &recipe);
            }
        }
        if algorithm.masks {
            let mut rows = vec!["#".repeat(71); 69];
            rows[20].replace_range(3..31, &" ".repeat(28));
            let recipe = recipe(&[("algo", name), ("seed", "7")], &rows).expect(name);
            text += &prices(&format!("{name} 71x69 masked"), &recipe);
        }
    }
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/levels/prices.txt");
    if env::var_os("MAZED_BLESS").is_some_and(|value| value == "1") {
        fs::write(&file, &text).unwrap();
    }
    let recorded = fs::read_to_string(&file).unwrap();
    for (now, then) in text.lines().zip(recorded.lines()) {
        assert_eq!(now, then);
    }
    assert_eq!(text.lines().count(), recorded.lines().count());
}
