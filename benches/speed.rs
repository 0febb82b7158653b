//! Measures generators and solvers: `cargo bench --bench speed -- [SIDE ...] [SUBJECT ...]` (tile sides, default 41 401 2001 4001;
//! subjects as printed, default all).
//!
//! Prints one line per subject and side: `subject ours side median_ns_per_cell`. A cell is one odd-odd tile. Buffers are
//! recycled from run to run, and so are the planes of the levels.
#![expect(clippy::print_stdout, reason = "a benchmark reports on the terminal")]
#![expect(clippy::panic, reason = "a benchmark that cannot build its level has nothing to go on with")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use mazed::level::Level;
use mazed::level::algorithms::ALGORITHMS;
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::solvers::SOLVERS;
use mazed::level::work::{Halt, Scratch, Work};
use rustix::time::{ClockId, clock_gettime};

/// How long to measure one point.
const BUDGET: Duration = Duration::from_millis(1_500);

fn main() {
    // `cargo test --all-targets` starts it too, without the flag that `cargo bench` adds
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let arguments: Vec<_> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (mut sides, mut subjects) = (Vec::new(), Vec::new());
    for argument in &arguments {
        match argument.parse() {
            Ok(side) => sides.push(side),
            Err(_) => subjects.push(argument.as_str()),
        }
    }
    if sides.is_empty() {
        sides = vec![41, 401, 2001, 4001];
    }
    let wanted = |subject: &str| subjects.is_empty() || subjects.contains(&subject);
    let mut scratch = Scratch::default();
    let mut work = Work { scratch: &mut scratch, halt: Halt::never() };
    for algorithm in ALGORITHMS.iter().filter(|algorithm| wanted(algorithm.name)) {
        for &side in &sides {
            generate(algorithm.name, side, &mut work);
        }
    }
    let solvers = SOLVERS.iter().map(|solver| (format!("solve_{}", solver.name), "kruskal", solver.solve));
    // the first solver takes the parents that this algorithm leaves
    let parents = ("solve_parents".to_owned(), "dfs", SOLVERS[0].solve);
    for (subject, algorithm, solver) in solvers.chain([parents]).filter(|(subject, ..)| wanted(subject)) {
        for &side in &sides {
            solve(&subject, algorithm, solver, side, &mut work);
        }
    }
}

/// Measures one algorithm, a new seed in each run; leaves out what refuses.
fn generate(algorithm: &str, side: u32, work: &mut Work) {
    let mut seed = 7;
    if (recipe(algorithm, side, seed).algorithm().generate)(&recipe(algorithm, side, seed), work).is_err() {
        return;
    }
    // many at once where one takes hardly longer than to read the clock
    let runs = if side < 100 { 256 } else { 1 };
    let ns = median_ns(|| {
        let recipes: Vec<_> = (0..runs).map(|i| recipe(algorithm, side, seed + i)).collect();
        seed += runs;
        let begin = cpu_time();
        for recipe in &recipes {
            if let Ok(layout) = black_box((recipe.algorithm().generate)(black_box(recipe), work)) {
                work.scratch.reclaim(layout);
            }
        }
        cpu_time().saturating_sub(begin) / runs as u32
    });
    report(algorithm, side, ns);
}

/// Measures one solver, on the levels of a few seeds.
fn solve<R, E>(
    subject: &str,
    algorithm: &str,
    solver: fn(&Level, &mut Work) -> Result<R, E>,
    side: u32,
    work: &mut Work,
) {
    let levels: Vec<_> = (7..12)
        .map(|seed| match Level::build(recipe(algorithm, side, seed), work) {
            Ok(level) => level,
            Err(refusal) => panic!("{algorithm} {side}: {refusal:?}"),
        })
        .collect();
    let ns = median_ns(|| {
        let begin = cpu_time();
        for level in &levels {
            let _ = black_box(solver(black_box(level), work));
        }
        cpu_time().saturating_sub(begin) / levels.len() as u32
    });
    report(subject, side, ns);
}

fn recipe(algorithm: &str, side: u32, seed: u64) -> Recipe {
    let texts = [side.into(), seed].map(|number: u64| number.to_string());
    let pairs = [("algo", algorithm), ("size", &texts[0]), ("seed", &texts[1])];
    match Recipe::from_pairs(&pairs, Limits { max_side: 16_001 }) {
        Ok(recipe) => recipe,
        Err(faults) => panic!("{algorithm} {side}: {faults:?}"),
    }
}

/// What this thread has used of its core: other work on the machine counts little.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_nanos(time.tv_nsec.unsigned_abs())
}

/// Median nanoseconds of what `run` measures, over at least three runs.
fn median_ns(mut run: impl FnMut() -> Duration) -> f64 {
    let (begin, mut times) = (Instant::now(), Vec::new());
    while times.len() < 3 || (begin.elapsed() < BUDGET && times.len() < 5_001) {
        times.push(run());
    }
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e9
}

fn report(subject: &str, side: u32, ns: f64) {
    let cells = f64::from(side / 2).powi(2);
    println!("{subject} ours {side} {:.4}", ns / cells);
}
