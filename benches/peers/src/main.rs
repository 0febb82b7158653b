//! Measures the crates amaze and knossos: `cargo run --release -- [SIDE ...] [SUBJECT ...]` (tile sides, default 41 401
//! 2001; subjects as printed, default all).
//!
//! Prints one line per algorithm, peer and side: `algorithm peer side median_ns_per_cell`. A cell is one odd-odd tile.
//! The peers give walls or graphs; what it would take to turn these into tiles is not counted. A point that would take
//! more than 20 s is left out.

use std::hint::black_box;
use std::time::{Duration, Instant};

use amaze::generators::{
    BinaryTree4, Eller4, GrowingTree4, HuntAndKill4, Kruskal4, MazeGenerator2D, Prim4, RandomCell,
    RecursiveBacktracker4, Sidewinder4, Wilson4,
};
use amaze::preamble::GridCoord2D;
use amaze::solvers::{BfsSolver, MazeSolver};
use knossos::maze::{
    AldousBroder, Algorithm, Bias, BinaryTree, Eller, GrowingTree, HuntAndKill, Kruskal, Method, OrthogonalMazeBuilder,
    Prim, RecursiveBacktracking, RecursiveDivision, Sidewinder,
};
use rustix::time::{ClockId, clock_gettime};

/// How long to measure one point.
const BUDGET: Duration = Duration::from_millis(1_500);

/// A point is left out if its three runs would take longer.
const LONGEST: Duration = Duration::from_secs(20);

/// Some of the algorithms recurse once for each cell.
const STACK_BYTES: usize = 4 << 30;

fn main() {
    let (mut sides, mut subjects) = (vec![], vec![]);
    for argument in std::env::args().skip(1) {
        match argument.parse() {
            Ok(side) => sides.push(side),
            Err(_) => subjects.push(argument),
        }
    }
    if sides.is_empty() {
        sides = vec![41, 401, 2001];
    }
    sides.sort_unstable();
    let points = Points { sides, subjects };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || all(&points));
        thread.expect("address space for a deep stack");
    });
}

fn all(points: &Points) {
    points.knossos("binary_tree", || BinaryTree::new(Bias::SouthEast));
    points.amaze("binary_tree", BinaryTree4::new_from_seed);
    points.knossos("sidewinder", || Sidewinder);
    points.amaze("sidewinder", Sidewinder4::new_from_seed);
    points.knossos("dfs", || RecursiveBacktracking);
    points.amaze("dfs", RecursiveBacktracker4::new_from_seed);
    points.knossos("kruskal", || Kruskal);
    points.amaze("kruskal", Kruskal4::new_from_seed);
    points.knossos("prim", Prim::new);
    points.amaze("prim", Prim4::new_from_seed);
    points.knossos("eller", || Eller);
    points.amaze("eller", Eller4::new_from_seed);
    points.amaze("wilson", Wilson4::new_from_seed);
    points.knossos("aldous_broder", || AldousBroder);
    points.knossos("hunt_and_kill", HuntAndKill::new);
    points.amaze("hunt_and_kill", HuntAndKill4::new_from_seed);
    points.knossos("growing_tree", || GrowingTree::new(Method::Random));
    points.amaze("growing_tree", GrowingTree4::<RandomCell>::new_from_seed);
    points.knossos("recursive_division", || RecursiveDivision);
    let corner = GridCoord2D::new(0, 0);
    points.measure("solve_bfs", "amaze", |cells| {
        let maze = Kruskal4::new_from_seed(7).generate(cells, cells);
        let goal = GridCoord2D::new(cells - 1, cells - 1);
        move |_| drop(black_box(BfsSolver.solve(&maze, corner, goal)))
    });
}

/// What to measure.
struct Points {
    sides: Vec<usize>,
    subjects: Vec<String>,
}

impl Points {
    fn amaze<G: MazeGenerator2D>(&self, algorithm: &str, seeded: fn(u64) -> G) {
        self.measure(algorithm, "amaze", |cells| move |seed| drop(black_box(seeded(seed).generate(cells, cells))));
    }

    fn knossos<A: Algorithm + 'static>(&self, algorithm: &str, make: fn() -> A) {
        self.measure(algorithm, "knossos", |cells| {
            move |seed| {
                let builder = OrthogonalMazeBuilder::new().width(cells).height(cells).seed(Some(seed));
                drop(black_box(builder.algorithm(Box::new(make())).build()));
            }
        });
    }

    /// Measures every side, from the smallest on, until the time of one side says that the next would take too long.
    /// `prepare` gets a number of columns and rows and returns the function to run with each seed.
    fn measure<R: FnMut(u64)>(&self, algorithm: &str, peer: &str, prepare: impl Fn(usize) -> R) {
        if !self.subjects.is_empty() && !self.subjects.iter().any(|subject| subject == algorithm) {
            return;
        }
        let mut ns_per_cell = 0.0;
        for &side in &self.sides {
            let cells = (side / 2).pow(2) as f64;
            if 3.0 * cells * ns_per_cell > LONGEST.as_nanos() as f64 {
                return;
            }
            let Some(ns) = median_ns(prepare(side / 2)) else { return };
            ns_per_cell = ns / cells;
            println!("{algorithm} {peer} {side} {ns_per_cell:.4}");
        }
    }
}

/// The median, in nanoseconds, of at least three runs; `None` if they take too long.
fn median_ns(mut run: impl FnMut(u64)) -> Option<f64> {
    let (begin, mut times) = (Instant::now(), Vec::new());
    while times.len() < 3 || (begin.elapsed() < BUDGET && times.len() < 5_001) {
        let from = cpu_time();
        run(black_box(7 + times.len() as u64));
        times.push(cpu_time().saturating_sub(from));
        if begin.elapsed() > LONGEST {
            return None;
        }
    }
    times.sort();
    Some(times[times.len() / 2].as_secs_f64() * 1e9)
}

/// The processor time of this thread, which other work on the machine hardly changes.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_nanos(time.tv_nsec.unsigned_abs())
}
