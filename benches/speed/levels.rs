//! Generators, solvers, and all that an answer takes, in nanoseconds per cell.

use std::hint::black_box;

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::grid::Tile;
use mazed::level::queries::distances::DistancesQuery;
use mazed::level::queries::spawns::{SpawnKind, spawns};
use mazed::level::queries::stats::stats;
use mazed::level::queries::verify::{SubmittedPath, verify};
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::search::distances;
use mazed::level::search::distances::farthest;
use mazed::level::solvers::{SOLVERS, Solution, shortest_path};
use mazed::level::work::JobContext;
use mazed::render::{Rendering, json};

use super::clock::{median_ns, time};
use super::{Wanted, bytes, report};

/// Options for algorithms whose defaults differ from what other programs measure.
const OPTIONS: [(&str, &[(&str, &str)]); 1] = [("growing_tree", &[("mix", "0")])];

/// Measures each algorithm with a new seed in each run. Skips an algorithm that cannot make a level of this size.
pub(super) fn generators(wanted: &Wanted, context: &mut JobContext) {
    for algorithm in ALGORITHMS.iter().filter(|algorithm| wanted.subject(algorithm.name)) {
        for &side in &wanted.sides {
            if (algorithm.generate)(recipe(algorithm.name, side, 7).blueprint(), context).is_ok() {
                each_seed(algorithm.name, algorithm.name, side, |recipe| {
                    if let Ok(layout) = black_box((algorithm.generate)(black_box(recipe.blueprint()), context)) {
                        context.buffers.recycle(layout);
                    }
                });
            }
        }
    }
}

/// Measures each solver, in mazes and among rooms.
pub(super) fn solvers(wanted: &Wanted, context: &mut JobContext) {
    let all = |kind, algorithm| SOLVERS.iter().map(move |row| (format!("{kind}_{}", row.name), algorithm, row.solve));
    // the algorithm `dfs` stores parents, from which the first solver gets the path
    let parents = ("solve_parents".to_owned(), "dfs", SOLVERS[0].solve);
    let subjects = all("solve", "kruskal").chain([parents]).chain(all("rooms", "bsp"));
    for (subject, algorithm, solve) in subjects {
        few_levels(&subject, algorithm, wanted, context, |level, context| {
            drop(black_box(solve(level, level.start(), level.exit(), context)));
        });
    }
    few_levels("farthest", "kruskal", wanted, context, |level, context| {
        let _ = black_box(farthest(level.grid(), level.start(), context));
    });
    for (subject, algorithm) in [("stats", "kruskal"), ("stats_dfs", "dfs"), ("stats_rooms", "bsp")] {
        few_levels(subject, algorithm, wanted, context, |level, context| {
            let _ = black_box(stats(level, context));
        });
    }
    few_levels("distances", "kruskal", wanted, context, |level, context| {
        let _ = black_box(distances::all(level.grid(), level.start(), context).is_ok());
    });
    few_levels("distances_json", "kruskal", wanted, context, |level, context| {
        let _ = black_box(json::distances::write_answer(&DistancesQuery { from: None }, level, u64::MAX, context));
    });
    for (subject, kind) in [("spawns", SpawnKind::Any), ("spawns_dead_end", SpawnKind::DeadEnd)] {
        few_levels(subject, "kruskal", wanted, context, |level, context| {
            drop(black_box(spawns(level, 8, kind, context)));
        });
    }
}

/// Measures the path between two tiles that are 20 steps apart, in the middle of levels whose parents lead far away
/// from there.
pub(super) fn near(wanted: &Wanted, context: &mut JobContext) {
    for &side in wanted.sides.iter().filter(|_| wanted.subject("solve_near")) {
        let levels: Vec<_> = (7..12).map(|seed| build(recipe("dfs", side, seed), context)).collect();
        let endpoints: Vec<_> = levels.iter().map(|level| (level, twenty_apart(level, context))).collect();
        let runs = 100;
        let [ns] = median_ns(|| {
            let mut run =
                |(level, [from, to]): &(&Level, [Tile; 2])| drop(black_box(shortest_path(level, *from, *to, context)));
            [time(|| (0..runs).for_each(|_| endpoints.iter().for_each(&mut run)))]
        });
        report("solve_near", side, ns / f64::from(runs) / 5.0);
    }
}

/// Measures how long it takes to find all parents of a level whose algorithm stores none.
pub(super) fn trees(wanted: &Wanted, context: &mut JobContext) {
    for (algorithm, side) in ["kruskal", "eller", "recursive_division"]
        .into_iter()
        .filter(|algorithm| wanted.subject(&format!("tree_{algorithm}")))
        .flat_map(|algorithm| wanted.sides.iter().map(move |side| (algorithm, *side)))
    {
        // one run may take hardly longer than to read the clock, so many are timed at once
        let runs = if side < 100 { 256 } else { 1 };
        let mut seed = 7;
        let [ns] = median_ns(|| {
            let levels: Vec<_> =
                (seed..seed + runs).map(|seed| build(recipe(algorithm, side, seed), context)).collect();
            seed += runs;
            let each = time(|| {
                for level in &levels {
                    let _ = black_box(level.tree(context));
                }
            });
            [each / runs as u32]
        });
        report(&format!("tree_{algorithm}"), side, ns / cells(side));
    }
}

/// Measures the verification of a correct path, from the letters of its steps on, in nanoseconds a step.
pub(super) fn verifier(wanted: &Wanted, context: &mut JobContext) {
    for &side in wanted.sides.iter().filter(|_| wanted.subject("verify")) {
        let levels: Vec<_> = (7..12).map(|seed| build(recipe("dfs", side, seed), context)).collect();
        let texts: Vec<_> = levels.iter().map(|level| solution(level, context)).collect();
        let steps: usize = texts.iter().map(String::len).sum();
        let [ns] = median_ns(|| {
            let run = |(level, text): (&Level, &String)| {
                let moves = SubmittedPath::moves(black_box(text)).unwrap_or_default();
                let _ = black_box(verify(level, &SubmittedPath::Moves(moves), context));
            };
            [time(|| levels.iter().zip(&texts).for_each(run))]
        });
        report("verify", side, ns / f64::from(steps as u32));
    }
}

/// The path from start to exit in letters.
fn solution(level: &Level, context: &mut JobContext) -> String {
    match shortest_path(level, level.start(), level.exit(), context) {
        Ok(Solution::Found(moves)) => moves.iter().map(|step| char::from(step.letter())).collect(),
        other => panic!("{other:?}"),
    }
}

/// Two tiles on the path from the middle of a level, 20 steps apart.
fn twenty_apart(level: &Level, context: &mut JobContext) -> [Tile; 2] {
    let middle = level.grid().size().width / 4 * 2 + 1;
    let middle = Tile { x: middle, y: middle };
    let Ok(Solution::Found(moves)) = shortest_path(level, middle, level.exit(), context) else {
        panic!("no path leads from the middle to the exit")
    };
    [middle, moves.iter().take(20).fold(middle, |tile, step| tile.step(*step))]
}

/// Measures `run` on the levels of a few seeds.
fn few_levels(
    subject: &str,
    algorithm: &str,
    wanted: &Wanted,
    context: &mut JobContext,
    run: impl Fn(&Level, &mut JobContext),
) {
    for &side in wanted.sides.iter().filter(|_| wanted.subject(subject)) {
        let levels: Vec<_> = (7..12).map(|seed| build(recipe(algorithm, side, seed), context)).collect();
        let [ns] = median_ns(|| [time(|| levels.iter().for_each(|level| run(black_box(level), context))) / 5]);
        report(subject, side, ns / cells(side));
    }
}

/// Measures a level from its recipe to the last byte of its answer.
pub(super) fn whole(wanted: &Wanted, context: &mut JobContext) {
    if !wanted.subject("level") {
        return;
    }
    let (query, options) = bytes::view(&[]);
    let rendering = Rendering { query: &query, options, limit: u64::MAX };
    let mut body = Vec::new();
    for &side in &wanted.sides {
        each_seed("level", "dfs", side, |recipe| {
            let level = build(black_box(recipe).clone(), context);
            let _ = black_box(json::level::write_into(&mut body, &rendering, &level, context));
            context.buffers.recycle(level.into_layout());
        });
    }
}

/// Measures `run` on a new seed each time.
fn each_seed(subject: &str, algorithm: &str, side: u32, mut run: impl FnMut(&Recipe)) {
    // one run may take hardly longer than to read the clock, so many are timed at once
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
        Err(errors) => panic!("{algorithm} {side}: {errors:?}"),
    }
}

pub(super) fn build(recipe: Recipe, context: &mut JobContext) -> Level {
    match Level::build(recipe, context) {
        Ok(level) => level,
        Err(error) => panic!("{error:?}"),
    }
}
