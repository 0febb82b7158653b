//! Golden files: the levels of every algorithm, and the paths of every solver through them.
//!
//! A difference means that a seed no longer gives the same level or path as before. `MAZED_BLESS=1` writes the files
//! again. That is right for a new algorithm or solver. For a changed one it is right only together with a new revision
//! in its table.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::grid::Plan;
use mazed::level::grid::{LevelKind, Tile};
use mazed::level::parameters::options::{OPTIONS, OptionId};
use mazed::level::parameters::{Parameters, Value};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::solvers::{SOLVERS, Solution};
use mazed::level::work::{Buffers, Cancel, JobContext};
use mazed::level::{Level, recipe};

/// Letters of a path on one line.
const LETTERS: usize = 100;

/// What is recorded of each algorithm.
struct Entry {
    /// Width and height: for mazes, whose sides must be odd, and for room maps, whose sides may be even.
    sides: [(u32, u32); 2],
    seed: &'static str,
    /// Options with their values. Each algorithm gets only the options that it takes.
    options: &'static [(OptionId, &'static str)],
    /// Other parameters.
    more: &'static [(&'static str, &'static str)],
}

const fn entry(sides: [(u32, u32); 2], seed: &'static str, options: &'static [(OptionId, &'static str)]) -> Entry {
    Entry { sides, seed, options, more: &[] }
}

const RECIPES: [Entry; 11] = [
    entry([(3, 3), (3, 4)], "0", &[]),
    entry(
        [(21, 21), (20, 20)],
        "7",
        &[(OptionId::MinRoomArea, "3"), (OptionId::DoorSize, "3"), (OptionId::Rooms, "3"), (OptionId::Jitter, "0.45")],
    ),
    entry([(41, 15), (41, 16)], "-1", &[]),
    entry(
        [(15, 41), (14, 41)],
        "level-1",
        &[(OptionId::MinRoomArea, "2"), (OptionId::DoorSize, "2"), (OptionId::Rooms, "2"), (OptionId::Jitter, "0.9")],
    ),
    entry([(131, 67), (130, 67)], "미로", &[]),
    entry(
        [(25, 25), (40, 24)],
        "8",
        &[(OptionId::Braid, "0.5"), (OptionId::Mix, "0.25"), (OptionId::Rooms, "15"), (OptionId::Loops, "0.5")],
    ),
    entry([(21, 11), (20, 11)], "least", &[(OptionId::Mix, "0")]),
    entry([(21, 11), (20, 11)], "most", &[(OptionId::Mix, "1")]),
    Entry { more: &[("start", "farthest"), ("exit", "farthest")], ..entry([(21, 11), (20, 11)], "far", &[]) },
    Entry { more: &[("exit", "1,9"), ("openings", "true")], ..entry([(21, 11), (20, 11)], "open", &[]) },
    entry(
        [(31, 21), (30, 22)],
        "wide",
        &[(OptionId::MinSide, "5"), (OptionId::Rooms, "11"), (OptionId::Jitter, "0.9"), (OptionId::Braid, "1")],
    ),
];

/// A mask with a hole, a narrow neck and a missing corner, for algorithms that work with masks.
const MASK: [&str; 13] = [
    "                   ",
    "      #############",
    "  ################ ",
    "################## ",
    "##################",
    "########     #####",
    "########     #####",
    "########     #####",
    "##################",
    "##################",
    "               ###",
    "     #############",
    "     #############",
];

/// The rows of a mask, and options with their values.
type Masked = (Vec<String>, &'static [(OptionId, &'static str)]);

/// More masks for room maps, each with the options of its levels: a ring with loops, a comb of long teeth, and blobs on
/// necks that are as wide as the door.
fn room_masks() -> [Masked; 3] {
    let mask = |(width, height): (i32, i32), inside: &dyn Fn(i32, i32) -> bool| {
        let row = |y| (0..width).map(|x| if inside(x, y) { 'x' } else { ' ' }).collect();
        (0..height).map(row).collect()
    };
    let from_middle = |x: i32, y: i32| (x - 20).pow(2) + (y - 12).pow(2) * 3;
    [
        (
            mask((41, 25), &|x, y| (40..400).contains(&from_middle(x, y))),
            &[(OptionId::Rooms, "14"), (OptionId::Loops, "0.5")],
        ),
        (mask((30, 20), &|x, y| y > 15 || x % 2 == 1), &[(OptionId::MinRoomArea, "4"), (OptionId::Jitter, "0.9")]),
        (
            mask((33, 33), &|x, y| x % 8 != 0 && y % 8 != 0 || x % 8 / 2 == 2 || y % 8 / 2 == 2),
            &[(OptionId::DoorSize, "2"), (OptionId::Rooms, "30")],
        ),
    ]
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The names and values of an entry for this algorithm.
fn pairs(algorithm: &Algorithm, entry: &Entry) -> Vec<(&'static str, String)> {
    let Entry { sides: [odd, any], seed, options, more } = *entry;
    let (width, height) = if algorithm.kind == LevelKind::Maze { odd } else { any };
    let mut pairs = vec![
        ("algo", algorithm.name.to_owned()),
        ("width", width.to_string()),
        ("height", height.to_string()),
        ("seed", seed.to_owned()),
    ];
    let taken = options.iter().filter(|(option, _)| algorithm.options.contains(option));
    pairs.extend(taken.map(|(option, value)| (option.row().name, (*value).to_owned())));
    pairs.extend(more.iter().map(|&(name, value)| (name, value.to_owned())));
    pairs
}

/// The level and the paths through it as text.
fn describe(pairs: &[(&'static str, String)], mask: &[String]) -> String {
    let query: Vec<_> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut text = format!("\n## {}\n", query.join("&"));
    let mut values: Vec<_> =
        pairs.iter().map(|(name, value)| ((*name).into(), Ok(Value::Bare(value.into())))).collect();
    if !mask.is_empty() {
        text.insert_str(text.len() - 1, " in a mask");
        values.push((recipe::MASK.into(), Ok(Value::Rows(mask.iter().map(|row| row.as_str().into()).collect()))));
    }
    let mut params = Parameters::new(values);
    let recipe = Recipe::read(&mut params, Limits::of_side(4001), || 0);
    let recipe = params.finish(recipe, Vec::new).unwrap();
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    let level = Level::build(recipe, &mut context).unwrap();

    let size = level.grid().size();
    for y in 0..size.height {
        text.extend((0..size.width).map(|x| {
            let is_void = level.grid().is_void(Tile { x, y });
            if level.grid().is_open(Tile { x, y }) {
                '.'
            } else if is_void {
                '~'
            } else {
                '#'
            }
        }));
        text.push('\n');
    }
    if let Some(plan) = level.plan() {
        describe_plan(plan, &mut text);
    }
    let endpoints = [level.start(), level.exit()].map(|Tile { x, y }| format!("{x},{y}"));
    if endpoints != ["1,1".to_owned(), format!("{},{}", size.width - 2, size.height - 2)] {
        writeln!(text, "from {} to {}", endpoints[0], endpoints[1]).unwrap();
    }
    for solver in SOLVERS {
        match (solver.solve)(&level, level.start(), level.exit(), &mut context).unwrap() {
            Solution::Found(moves) => {
                writeln!(text, "{} revision {}: {} steps", solver.name, solver.revision, moves.len()).unwrap();
                for line in moves.chunks(LETTERS) {
                    text.extend(line.iter().map(|direction| char::from(direction.letter())));
                    text.push('\n');
                }
            }
            Solution::Unreachable(reason) => {
                writeln!(text, "{} revision {}: {reason}", solver.name, solver.revision).unwrap();
            }
        }
    }
    text
}

fn describe_plan(plan: &Plan, text: &mut String) {
    for room in &plan.rooms {
        writeln!(text, "room at {},{}: {} x {}, {} open", room.x, room.y, room.width, room.height, room.area).unwrap();
    }
    for door in &plan.doors {
        let tiles: Vec<_> = door.tiles().map(|tile| format!("{},{}", tile.x, tile.y)).collect();
        writeln!(text, "door at {} between rooms {} and {}", tiles.join(" "), door.rooms[0], door.rooms[1]).unwrap();
    }
}

#[test]
fn every_level_and_every_path_is_the_recorded_one() {
    let bless = env::var_os("MAZED_BLESS").is_some_and(|value| value == "1");
    let mut differences = Vec::new();
    for algorithm in ALGORITHMS {
        let mut text = format!("# {} revision {}\n", algorithm.name, algorithm.revision);
        for entry in &RECIPES {
            text += &describe(&pairs(algorithm, entry), &[]);
        }
        if algorithm.masks {
            let mask = MASK.map(|row| format!("{row:19}"));
            text += &describe(&[("algo", algorithm.name.to_owned()), ("seed", "7".to_owned())], &mask);
        }
        for (mask, options) in room_masks().iter().filter(|_| algorithm.options.contains(&OptionId::Rooms)) {
            let mut pairs = vec![("algo", algorithm.name.to_owned()), ("seed", "level-1".to_owned())];
            pairs.extend(options.iter().map(|(option, value)| (option.row().name, (*value).to_owned())));
            text += &describe(&pairs, mask);
        }
        let file = folder().join(format!("{}.txt", algorithm.name));
        if bless {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&file, &text).unwrap();
            continue;
        }
        match fs::read_to_string(&file) {
            Ok(recorded) if recorded == text => {}
            Ok(recorded) => {
                let line = recorded.lines().zip(text.lines()).take_while(|(old, new)| old == new).count();
                let (old, new) = (recorded.lines().nth(line), text.lines().nth(line));
                differences.push(format!("{} from line {} on: {old:?} is now {new:?}", file.display(), line + 1));
            }
            Err(error) => differences.push(format!("{}: {error}", file.display())),
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));

    let files: BTreeSet<_> =
        fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let expected: BTreeSet<_> = ALGORITHMS.iter().map(|algorithm| format!("{}.txt", algorithm.name)).collect();
    assert_eq!(files, expected, "a file for each algorithm, and no other");
}

#[test]
fn every_option_is_in_some_recipe() {
    for row in &OPTIONS {
        assert!(
            RECIPES.iter().any(|entry| entry.options.iter().any(|(option, _)| *option == row.option)),
            "{}",
            row.name
        );
    }
}
