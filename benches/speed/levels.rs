//! Generators, solvers, and all that an answer takes, in nanoseconds per cell.

use std::hint::black_box;

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::distances::{self, farthest};
use mazed::level::grid::Tile;
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::solvers::{Route, SOLVERS, way};
use mazed::level::spawns::{Kind, spawns};
use mazed::level::stats::stats;
use mazed::level::verify::{Claim, verify};
use mazed::level::work::Work;
use mazed::render::json;

use super::clock::{median_ns, time};
use super::{Wanted, bytes, report};

/// The options of an algorithm whose defaults are not what others measure.
const OPTIONS: [(&str, &[(&str, &str)]); 1] = [("growing_tree", &[("mix", "0")])];

/// Measures each algorithm, a new seed in each run; leaves out what refuses.
pub(super) fn generators(wanted: &Wanted, work: &mut Work) {
    for algorithm in ALGORITHMS.iter().filter(|algorithm| wanted.subject(algorithm.name)) {
        for &side in &wanted.sides {
            if (algorithm.generate)(&recipe(algorithm.name, side, 7), work).is_ok() {
                each_seed(algorithm.name, algorithm.name, side, |recipe| {
                    if let Ok(layout) = black_box((algorithm.generate)(black_box(recipe), work)) {
                        work.scratch.reclaim(layout);
                    }
                });
            }
        }
    }
}

/// Measures each solver, in mazes and among rooms.
pub(super) fn solvers(wanted: &Wanted, work: &mut Work) {
    let all = |kind, algorithm| SOLVERS.iter().map(move |row| (format!("{kind}_{}", row.name), algorithm, row.solve));
    // the first solver takes the parents that this algorithm leaves
    let parents = ("solve_parents".to_owned(), "dfs", SOLVERS[0].solve);
    let subjects = all("solve", "kruskal").chain([parents]).chain(all("rooms", "bsp"));
    for (subject, algorithm, solve) in subjects {
        few_levels(&subject, algorithm, wanted, work, |level, work| {
            drop(black_box(solve(level, level.start(), level.exit(), work)));
        });
    }
    few_levels("farthest", "kruskal", wanted, work, |level, work| {
        let _ = black_box(farthest(level.grid(), level.start(), work));
    });
    for (subject, algorithm) in [("stats", "kruskal"), ("stats_dfs", "dfs"), ("stats_rooms", "bsp")] {
        few_levels(subject, algorithm, wanted, work, |level, work| {
            let _ = black_box(stats(level, work));
        });
    }
    few_levels("distances", "kruskal", wanted, work, |level, work| {
        let _ = black_box(distances::all(level.grid(), level.start(), work).is_ok());
    });
    few_levels("distances_json", "kruskal", wanted, work, |level, work| {
        let _ = black_box(json::distances::distances(level, level.start(), u64::MAX, work));
    });
    for (subject, kind) in [("spawns", Kind::Any), ("spawns_dead_end", Kind::DeadEnd)] {
        few_levels(subject, "kruskal", wanted, work, |level, work| drop(black_box(spawns(level, 8, kind, work))));
    }
}

/// Measures the way between two tiles that are 20 steps apart, in the middle of levels whose parents lead far from there.
pub(super) fn near(wanted: &Wanted, work: &mut Work) {
    for &side in wanted.sides.iter().filter(|_| wanted.subject("solve_near")) {
        let levels: Vec<_> = (7..12).map(|seed| build(recipe("dfs", side, seed), work)).collect();
        let ends: Vec<_> = levels.iter().map(|level| (level, twenty_apart(level, work))).collect();
        let runs = 100;
        let [ns] = median_ns(|| {
            let mut run = |(level, [from, to]): &(&Level, [Tile; 2])| drop(black_box(way(level, *from, *to, work)));
            [time(|| (0..runs).for_each(|_| ends.iter().for_each(&mut run)))]
        });
        report("solve_near", side, ns / f64::from(runs) / 5.0);
    }
}

/// Measures how long it takes to find all parents of a level whose algorithm leaves none.
pub(super) fn trees(wanted: &Wanted, work: &mut Work) {
    for (algorithm, side) in ["kruskal", "eller", "recursive_division"]
        .into_iter()
        .filter(|algorithm| wanted.subject(&format!("tree_{algorithm}")))
        .flat_map(|algorithm| wanted.sides.iter().map(move |side| (algorithm, *side)))
    {
        // many at once where one takes hardly longer than to read the clock
        let runs = if side < 100 { 256 } else { 1 };
        let mut seed = 7;
        let [ns] = median_ns(|| {
            let levels: Vec<_> = (seed..seed + runs).map(|seed| build(recipe(algorithm, side, seed), work)).collect();
            seed += runs;
            let each = time(|| {
                for level in &levels {
                    let _ = black_box(level.tree(work));
                }
            });
            [each / runs as u32]
        });
        report(&format!("tree_{algorithm}"), side, ns / cells(side));
    }
}

/// Measures the judgement of the right path, from its letters on, in nanoseconds a step.
pub(super) fn verifier(wanted: &Wanted, work: &mut Work) {
    for &side in wanted.sides.iter().filter(|_| wanted.subject("verify")) {
        let levels: Vec<_> = (7..12).map(|seed| build(recipe("dfs", side, seed), work)).collect();
        let texts: Vec<_> = levels.iter().map(|level| solution(level, work)).collect();
        let steps: usize = texts.iter().map(String::len).sum();
        let [ns] = median_ns(|| {
            let run = |(level, text): (&Level, &String)| {
                let moves = Claim::moves(black_box(text)).unwrap_or_default();
                let _ = black_box(verify(level, &Claim::Moves(moves), work));
            };
            [time(|| levels.iter().zip(&texts).for_each(run))]
        });
        report("verify", side, ns / f64::from(steps as u32));
    }
}

/// The way from start to exit in letters.
fn solution(level: &Level, work: &mut Work) -> String {
    match way(level, level.start(), level.exit(), work) {
        Ok(Route::Found(moves)) => moves.iter().map(|step| char::from(step.letter())).collect(),
        other => panic!("{other:?}"),
    }
}

/// Two tiles on the way from the middle of a level.
fn twenty_apart(level: &Level, work: &mut Work) -> [Tile; 2] {
    let middle = level.grid().size().width / 4 * 2 + 1;
    let middle = Tile { x: middle, y: middle };
    let Ok(Route::Found(moves)) = way(level, middle, level.exit(), work) else {
        panic!("no way leads from the middle to the exit")
    };
    [middle, moves.iter().take(20).fold(middle, |tile, step| tile.step(*step))]
}

/// Measures `run` on the levels of a few seeds.
fn few_levels(subject: &str, algorithm: &str, wanted: &Wanted, work: &mut Work, run: impl Fn(&Level, &mut Work)) {
    for &side in wanted.sides.iter().filter(|_| wanted.subject(subject)) {
        let levels: Vec<_> = (7..12).map(|seed| build(recipe(algorithm, side, seed), work)).collect();
        let [ns] = median_ns(|| [time(|| levels.iter().for_each(|level| run(black_box(level), work))) / 5]);
        report(subject, side, ns / cells(side));
    }
}

/// Measures a level from its recipe to the last byte of its answer.
pub(super) fn whole(wanted: &Wanted, work: &mut Work) {
    if !wanted.subject("level") {
        return;
    }
    let view = bytes::view(&[]);
    let mut body = Vec::new();
    for &side in &wanted.sides {
        each_seed("level", "dfs", side, |recipe| {
            let level = build(black_box(recipe).clone(), work);
            let _ = black_box(json::level_into(&mut body, &level, &view, u64::MAX, work));
            work.scratch.reclaim(level.into_layout());
        });
    }
}

/// Measures `run` on a new seed each time.
fn each_seed(subject: &str, algorithm: &str, side: u32, mut run: impl FnMut(&Recipe)) {
    // many at once where one takes hardly longer than to read the clock
    let runs = if side < 100 { 256 } else { 1 };
    let mut seed = 7;
    let [ns] = median_ns(|| {
        let recipes: Vec<_> = (0..runs).map(|i| recipe(algorithm, side, seed + i)).collect();
        seed += runs;
        [time(|| recipes.iter().for_each(&mut run)) / runs as u32]
    });
    report(subject, side, ns / cells(side));
}

fn cells(side: u32) -> f64 {
    f64::from(side / 2).powi(2)
}

pub(super) fn recipe(algorithm: &str, side: u32, seed: u64) -> Recipe {
    let texts = [side.into(), seed].map(|number: u64| number.to_string());
    let options = OPTIONS.iter().find(|(name, _)| *name == algorithm).map_or(&[][..], |(_, options)| *options);
    let pairs = [("algo", algorithm), ("size", &texts[0]), ("seed", &texts[1])];
    match Recipe::from_pairs(&[&pairs, options].concat(), Limits::of_side(16_001)) {
        Ok(recipe) => recipe,
        Err(faults) => panic!("{algorithm} {side}: {faults:?}"),
    }
}

pub(super) fn build(recipe: Recipe, work: &mut Work) -> Level {
    match Level::build(recipe, work) {
        Ok(level) => level,
        Err(refusal) => panic!("{refusal:?}"),
    }
}
