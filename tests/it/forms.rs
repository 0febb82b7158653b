//! One level in many encodings: solver, grid and path never change the level.

use std::collections::HashMap;
use std::fmt;

use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::LevelKind;
use mazed::level::parameters::options::OptionType;
use mazed::level::solvers::SOLVERS;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Value, json};

use crate::api::Server;
use crate::levels::{open_tiles, path, sides, tile, walk, without_query};

const GRIDS: [&str; 4] = ["matrix", "rows", "bits", "none"];
const PATHS: [&str; 3] = ["points", "moves", "none"];

fn solvers() -> impl Iterator<Item = &'static str> {
    SOLVERS.iter().map(|row| row.name)
}

/// Recipes of every algorithm, with widths of whole bytes and others, for `bits`.
fn recipes() -> impl Iterator<Item = String> {
    ALGORITHMS.iter().flat_map(|algorithm| {
        let sizes: &[_] = match algorithm.kind {
            LevelKind::Maze => &[(3, 3), (21, 31), (65, 9)],
            LevelKind::Rooms => &[(3, 3), (24, 31), (64, 10)],
        };
        sizes
            .iter()
            .map(|(width, height)| format!("/maze?algo={}&width={width}&height={height}&seed=7", algorithm.name))
    })
}

/// The names of an object's fields in the order of the text.
struct Fields(Vec<String>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut names = Vec::new();
                while let Some((name, IgnoredAny)) = map.next_entry()? {
                    names.push(name);
                }
                Ok(Fields(names))
            }
        }
        deserializer.deserialize_map(Names)
    }
}

/// Checks a path from start to exit: each step leads to an open neighbour.
fn assert_path(level: &Value, open: &[Vec<bool>], tiles: &[(usize, usize)]) {
    assert_eq!(tiles.first(), Some(&tile(&level["start"])));
    assert_eq!(tiles.last(), Some(&tile(&level["exit"])));
    assert!(tiles.iter().all(|&(x, y)| open[y][x]));
    assert!(tiles.windows(2).all(|step| step[0].0.abs_diff(step[1].0) + step[0].1.abs_diff(step[1].1) == 1));
}

#[tokio::test]
async fn solver_grid_and_path_do_not_change_the_level() {
    let server = Server::start().await;
    for recipe in recipes() {
        let first = server.client.level(&recipe).await;
        let open = open_tiles(&first).unwrap();
        // the path of each solver, the same in every encoding
        let mut paths: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
        for solver in solvers().chain(["none"]) {
            for grid in GRIDS {
                for form in PATHS {
                    let target = format!("{recipe}&solver={solver}&grid={grid}&path={form}");
                    let level = server.client.level(&target).await;
                    assert_eq!(without_query(&level), without_query(&first), "{target}");
                    match open_tiles(&level) {
                        Some(tiles) => assert_eq!(tiles, open, "{target}"),
                        None => assert_eq!(grid, "none", "{target}"),
                    }
                    let solution = &level["solution"];
                    let tiles = match form {
                        _ if solver == "none" || solution["found"] == false => continue,
                        "points" => path(solution),
                        "moves" => walk(tile(&level["start"]), solution["moves"].as_str().unwrap()),
                        _ => paths[solver].clone(),
                    };
                    assert_path(&level, &open, &tiles);
                    assert_eq!(solution["length"], tiles.len() - 1, "{target}");
                    assert_eq!(paths.entry(solver.to_owned()).or_insert_with(|| tiles.clone()), &tiles, "{target}");
                }
            }
        }
        for row in SOLVERS.iter().filter(|row| row.shortest && paths.contains_key(row.name)) {
            assert!(
                paths.values().all(|path| path.len() >= paths[row.name].len()),
                "{recipe}: {} is not shortest",
                row.name
            );
        }
    }
}

#[tokio::test]
async fn fields_come_in_a_fixed_order_and_only_if_requested() {
    let server = Server::start().await;
    for algorithm in ALGORITHMS {
        for solver in ["bfs", "none"] {
            for (grid, field) in
                [("matrix", Some("grid")), ("rows", Some("rows")), ("bits", Some("bits")), ("none", None)]
            {
                for (form, path_field) in [("points", Some("path")), ("moves", Some("moves")), ("none", None)] {
                    let query =
                        format!("algo={}&size=21&seed=7&solver={solver}&grid={grid}&path={form}", algorithm.name);
                    let answer = server.client.get(&format!("/maze?{query}")).await;
                    let Fields(names) = serde_json::from_slice(&answer.body).unwrap();
                    let rooms = answer.json().get("rooms").is_some();
                    let expected: Vec<_> =
                        ["algorithm", "seed", "width", "height", "options", "start", "exit", "recipe"]
                            .into_iter()
                            .chain(field)
                            .chain(["rooms", "doors"].into_iter().filter(|_| rooms))
                            .chain((solver != "none").then_some("solution"))
                            .collect();
                    assert_eq!(names, expected, "{query}");
                    assert_eq!(rooms, algorithm.name == "bsp", "{query}");
                    if solver != "none" {
                        let text = answer.text();
                        let solution = &text[text.find("\"solution\":").unwrap() + 11..text.len() - 1];
                        let Fields(names) = serde_json::from_str(solution).unwrap();
                        assert_eq!(
                            names,
                            ["solver", "length"].into_iter().chain(path_field).collect::<Vec<_>>(),
                            "{query}"
                        );
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn the_response_has_every_option_with_its_default_filled_in() {
    let server = Server::start().await;
    for algorithm in ALGORITHMS {
        let answer = server.client.get(&format!("/maze?algo={}&seed=7", algorithm.name)).await;
        let text = answer.text();
        let options = text.split_once("\"options\":").unwrap().1.split_once('}').unwrap().0;
        let Fields(names) = serde_json::from_str(&format!("{options}}}")).unwrap();
        let expected: Vec<_> = algorithm.options.iter().map(|option| option.row().name).collect();
        assert_eq!(names, expected, "{}", algorithm.name);
        for row in algorithm.options.iter().map(|option| option.row()) {
            let value = &answer.json()["options"][row.name];
            assert!(
                if row.kind == OptionType::Count { value.is_u64() } else { value.is_number() },
                "{}: {value}",
                row.name
            );
        }
    }
    let level = server.client.level("/maze?algo=bsp&seed=7").await;
    assert_eq!(
        level["options"],
        json!({ "min_room_area": 9, "door_size": 1, "rooms": 21, "min_side": 3, "jitter": 0.2, "loops": 0 })
    );
    let level = server.client.level("/maze?algo=bsp&seed=7&rooms=03&min_room_area=4&door_size=2&jitter=0.90").await;
    assert_eq!(
        level["options"],
        json!({ "min_room_area": 4, "door_size": 2, "rooms": 3, "min_side": 2, "jitter": 0.9, "loops": 0 })
    );
    for digits in [0, 1, 1_234, 8_999] {
        let jitter = format!("0.{digits:04}");
        let level = server.client.level(&format!("/maze?algo=bsp&seed=7&jitter={jitter}")).await;
        assert_eq!(level["options"]["jitter"].as_f64(), jitter.parse().ok());
    }
}

#[tokio::test]
async fn a_start_that_is_the_exit_is_a_path_of_one_tile() {
    let server = Server::start().await;
    for algorithm in ALGORITHMS {
        for solver in solvers() {
            let recipe = format!("/maze?algo={}&size=9&seed=7&start=1,1&exit=1,1&solver={solver}", algorithm.name);
            let solution = server.client.level(&recipe).await["solution"].take();
            assert_eq!(solution, json!({ "solver": solver, "length": 0, "path": [[1, 1]] }), "{recipe}");
            let solution = server.client.level(&format!("{recipe}&path=moves")).await["solution"].take();
            assert_eq!(solution, json!({ "solver": solver, "length": 0, "moves": "" }), "{recipe}");
        }
        // in the smallest level, start and exit are the same tile by default
        let level = server.client.level(&format!("/maze?algo={}&size=3&seed=7", algorithm.name)).await;
        assert_eq!(level["solution"]["path"], json!([[1, 1]]));
        assert_eq!(level["grid"], json!([[1, 1, 1], [1, 0, 1], [1, 1, 1]]));
    }
}

#[tokio::test]
async fn every_walk_in_a_map_of_rooms_ends() {
    let server = Server::start().await;
    let (mut found, mut in_circles) = (0, 0);
    for seed in 0..150 {
        for solver in ["right_hand", "left_hand"] {
            let target = format!("/maze?algo=bsp&width=30&height=23&seed={seed}&rooms=8&solver={solver}");
            let level = server.client.level(&target).await;
            let solution = &level["solution"];
            assert_eq!(solution["solver"], solver);
            if solution["found"] == false {
                in_circles += 1;
            } else {
                found += 1;
                assert_path(&level, &open_tiles(&level).unwrap(), &path(solution));
            }
        }
    }
    assert!(
        found > 0 && in_circles > 0,
        "some walkers must find the exit and some must walk in circles: {found} and {in_circles}"
    );
}

#[tokio::test]
async fn every_solver_finds_the_exit_of_every_maze() {
    let server = Server::start().await;
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.kind == LevelKind::Maze) {
        for seed in 0..20 {
            let mut lengths = Vec::new();
            for solver in solvers() {
                let target = format!("/maze?algo={}&width=25&height=17&seed={seed}&solver={solver}", algorithm.name);
                let level = server.client.level(&target).await;
                assert_eq!(sides(&level), (25, 17));
                assert_path(&level, &open_tiles(&level).unwrap(), &path(&level["solution"]));
                lengths.push(level["solution"]["length"].as_u64().unwrap());
            }
            // a perfect maze has one path; a walker that leaves it walks back to it, which adds an even number of steps
            assert!(lengths.iter().all(|length| length % 2 == lengths[0] % 2), "{lengths:?}");
        }
    }
}
