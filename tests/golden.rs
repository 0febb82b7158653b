//! Golden files: the levels of every algorithm, the paths of every solver through them, their spawns and their effort.
//!
//! A difference means that a seed no longer gives what it gave before. Since release 1.0 that is never right: a changed
//! algorithm or solver is a new one, with a new name. `MAZED_BLESS=1` adds what is new. It changes nothing that
//! `checksums.txt` lists, because games rely on it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::grid::Plan;
use mazed::level::grid::{LevelKind, Tile};
use mazed::level::parameters::options::{OPTIONS, OptionId};
use mazed::level::parameters::{Parameters, Value};
use mazed::level::queries::effort::{Rating, rate};
use mazed::level::queries::spawns::{KINDS, spawns};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::solvers::{SOLVERS, Solution};
use mazed::level::work::{Buffers, Cancel, JobContext};
use mazed::level::{Level, recipe};
use sha2::{Digest, Sha256};

/// The list of checksums of all that is recorded, one line each. It is only ever added to.
const CHECKSUMS: &str = "checksums.txt";

/// The number of lines that the list had at release 1.0, and their checksum.
const RELEASED_LINES: usize = 1840;
const RELEASED: &str = "df42e56d258d20cd3c2f135b72b1302f";

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

/// A level of which only the checksums are recorded: its text would be long.
const LARGE: Entry = entry([(401, 259), (400, 259)], "large", &[]);

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

/// More masks for mazes: a ring with loops, and blobs on necks.
fn maze_masks() -> [Masked; 2] {
    let [(ring, _), _, (blobs, _)] = room_masks();
    [(ring, &[(OptionId::Braid, "0.5")]), (blobs, &[])]
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The checksum of a text: the first half of its SHA-256, in hexadecimal digits.
fn checksum(text: &str) -> String {
    Sha256::digest(text).iter().take(16).fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

/// The list of checksums: a line has a checksum, a space, and the name of what it belongs to.
struct Checksums {
    file: PathBuf,
    /// By name.
    recorded: BTreeMap<String, String>,
    /// The lines that are not in the list yet.
    new: String,
    differences: Vec<String>,
}

impl Checksums {
    fn read(file: &Path) -> Self {
        let list = fs::read_to_string(file).unwrap_or_default();
        let recorded = list.lines().filter_map(|line| line.split_once(' '));
        let recorded = recorded.map(|(sum, name)| (name.to_owned(), sum.to_owned())).collect();
        Self { file: file.to_owned(), recorded, new: String::new(), differences: Vec::new() }
    }

    /// Compares a text with the recorded checksum of this name, or adds it to the new ones.
    fn add(&mut self, name: &str, text: &str) {
        let sum = checksum(text);
        match self.recorded.remove(name) {
            None => writeln!(self.new, "{sum} {name}").unwrap(),
            Some(recorded) if recorded == sum => {}
            Some(_) => self.differences.push(format!("{name}: this is not what earlier versions gave")),
        }
    }

    /// What is wrong: changed and missing texts. New ones are wrong too, unless they are to be added to the list.
    fn finish(mut self, bless: bool) -> Vec<String> {
        let missing = self.recorded.keys().map(|name| format!("{name}: it is in the list, but nothing makes it"));
        self.differences.extend(missing);
        if bless {
            let list = fs::read_to_string(&self.file).unwrap_or_default();
            fs::write(&self.file, list + &self.new).unwrap();
        } else if !self.new.is_empty() {
            self.differences.push(format!("not in the list of checksums:\n{}", self.new));
        }
        self.differences
    }
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

/// What one recipe gives.
struct Record {
    /// Names the recipe.
    title: String,
    /// The level, and what is computed from it: each has a name and a text of whole lines.
    parts: Vec<(String, String)>,
}

impl Record {
    fn text(&self) -> String {
        let parts: String = self.parts.iter().map(|(_, text)| text.as_str()).collect();
        format!("\n## {}\n{parts}", self.title)
    }
}

/// Makes the level of a recipe, and computes all that is recorded of it.
fn record(pairs: &[(&'static str, String)], mask: &[String]) -> Record {
    let query: Vec<_> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut title = query.join("&");
    let mut values: Vec<_> =
        pairs.iter().map(|(name, value)| ((*name).into(), Ok(Value::Bare(value.into())))).collect();
    if !mask.is_empty() {
        write!(title, " in a mask of {} columns and {} rows", mask[0].chars().count(), mask.len()).unwrap();
        values.push((recipe::MASK.into(), Ok(Value::Rows(mask.iter().map(|row| row.as_str().into()).collect()))));
    }
    let mut params = Parameters::new(values);
    let recipe = Recipe::read(&mut params, Limits::of_side(4001), || 0);
    let recipe = params.finish(recipe, Vec::new).unwrap();
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    let level = Level::build(recipe, &mut context).unwrap();

    let mut parts = vec![("level".to_owned(), describe_level(&level))];
    for solver in SOLVERS {
        let solution = (solver.solve)(&level, level.start(), level.exit(), &mut context).unwrap();
        parts.push((solver.name.to_owned(), describe_solution(solver.name, &solution)));
    }
    for kind in KINDS {
        // a small level has fewer of them
        let found = (1..=5).map_while(|count| spawns(&level, count, kind.kind, &mut context).ok()).last();
        let spawns: Vec<_> = found.unwrap_or_default().iter().map(|tile| format!(" {},{}", tile.x, tile.y)).collect();
        let spawns = spawns.concat();
        parts.push((format!("spawns {}", kind.name), format!("spawns {}:{spawns}\n", kind.name)));
    }
    let Rating { effort, .. } = rate(&level, &mut context).unwrap();
    parts.push(("effort".to_owned(), format!("effort {effort}\n")));
    Record { title, parts }
}

/// Tiles, rooms, doors, start and exit.
fn describe_level(level: &Level) -> String {
    let mut text = String::new();
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
    text
}

/// The steps of a solver's path, or why it has none.
fn describe_solution(solver: &str, solution: &Solution) -> String {
    match solution {
        Solution::Found(moves) => {
            let mut text = format!("{solver}: {} steps\n", moves.len());
            for line in moves.chunks(LETTERS) {
                text.extend(line.iter().map(|direction| char::from(direction.letter())));
                text.push('\n');
            }
            text
        }
        Solution::Unreachable(reason) => format!("{solver}: {reason}\n"),
    }
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

/// All that is recorded of an algorithm.
fn records(algorithm: &Algorithm) -> Vec<Record> {
    let mut records: Vec<_> = RECIPES.iter().map(|entry| record(&pairs(algorithm, entry), &[])).collect();
    if algorithm.masks {
        let mask = MASK.map(|row| format!("{row:19}"));
        records.push(record(&[("algo", algorithm.name.to_owned()), ("seed", "7".to_owned())], &mask));
    }
    let masks: Vec<_> = if algorithm.options.contains(&OptionId::Rooms) {
        room_masks().into()
    } else if algorithm.masks {
        maze_masks().into()
    } else {
        vec![]
    };
    for (mask, options) in masks {
        let mut pairs = vec![("algo", algorithm.name.to_owned()), ("seed", "level-1".to_owned())];
        pairs.extend(options.iter().map(|(option, value)| (option.row().name, (*value).to_owned())));
        records.push(record(&pairs, &mask));
    }
    records
}

#[test]
fn every_level_and_every_path_is_the_recorded_one() {
    let bless = env::var_os("MAZED_BLESS").is_some_and(|value| value == "1");
    let mut differences = Vec::new();
    let mut checksums = Checksums::read(&folder().join(CHECKSUMS));
    for algorithm in ALGORITHMS {
        let records = records(algorithm);
        let large = record(&pairs(algorithm, &LARGE), &[]);
        for Record { title, parts } in records.iter().chain([&large]) {
            for (part, text) in parts {
                checksums.add(&format!("{} {title} {part}", algorithm.name), text);
            }
        }
        let text = records.iter().fold(format!("# {}\n", algorithm.name), |text, record| text + &record.text());
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
    differences.extend(checksums.finish(bless));
    assert!(differences.is_empty(), "{}", differences.join("\n"));

    let files: BTreeSet<_> =
        fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let expected = ALGORITHMS.iter().map(|algorithm| format!("{}.txt", algorithm.name));
    assert_eq!(files, expected.chain([CHECKSUMS.to_owned()]).collect(), "a file for each algorithm, and the checksums");
}

#[test]
fn the_checksums_of_release_1_0_are_never_changed() {
    let list = fs::read_to_string(folder().join(CHECKSUMS)).unwrap();
    let released: String = list.split_inclusive('\n').take(RELEASED_LINES).collect();
    assert_eq!(checksum(&released), RELEASED, "the first {RELEASED_LINES} lines are those of the release; add below");
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
