//! What a job holds at the most is what its recipe and view say: admission relies on it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(unsafe_code, reason = "an allocator that counts has to be one")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use mazed::level::Level;
use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::grid::LevelKind;
use mazed::level::parameters::options::OptionType;
use mazed::level::parameters::{Parameters, Value};
use mazed::level::queries::distances::DistancesQuery;
use mazed::level::queries::path::PathQuery;
use mazed::level::queries::solution::{NO_SOLVER, SolutionQuery};
use mazed::level::queries::spawns::{KINDS, MAX_COUNT, SpawnsQuery};
use mazed::level::queries::stats::StatsQuery;
use mazed::level::queries::verify::VerifyQuery;
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::solvers::{SOLVERS, path_bytes, shortest_path};
use mazed::level::work::{Buffers, Cancel, JobContext};
use mazed::render::{Render, RenderOptions, Rendering};

/// The system's allocator, with a count of the bytes that are held and of the most that were.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grown(bytes: usize) {
    PEAK.fetch_max(HELD.fetch_add(bytes, Ordering::Relaxed) + bytes, Ordering::Relaxed);
}

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // both may be held for a moment
        grown(size);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What `job` gives, and the most bytes that were held while it ran beyond those before.
fn peak<T>(job: impl FnOnce() -> T) -> (T, u64) {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = job();
    (result, (PEAK.load(Ordering::Relaxed) - before) as u64)
}

fn recipe(algorithm: &str, (width, height): (u32, u32), extra: &[(&str, &str)]) -> Recipe {
    let [width, height] = [width, height].map(|side| side.to_string());
    let pairs = [("algo", algorithm), ("width", &width), ("height", &height), ("seed", "7")];
    Recipe::from_pairs(&[&pairs[..], extra].concat(), Limits::of_side(16_001)).unwrap()
}

/// Levels in masks that fall short of the rectangle by little, and by half; room maps with few rooms, with many, and with
/// so many that they take long to search for.
fn masked(algorithm: &Algorithm) -> Vec<Recipe> {
    if !algorithm.masks {
        return vec![];
    }
    let recipe = |options: &[(&str, &str)], (width, height), void: &dyn Fn(usize, usize) -> bool| {
        let row = |y| (0..width).map(|x| if void(x, y) { ' ' } else { '#' }).collect::<String>().into();
        let given = [("algo", algorithm.name), ("exit", "farthest")];
        let given = given.iter().chain(options).map(|&(name, value)| (name.into(), Ok(Value::Bare(value.into()))));
        let mask = ("mask".into(), Ok(Value::Rows((0..height).map(row).collect())));
        let mut given = Parameters::new(given.chain([mask]).collect());
        let recipe = Recipe::read(&mut given, Limits::of_side(16_001), || 7);
        given.finish(recipe, Vec::new).unwrap()
    };
    let options: &[&[(&str, &str)]] = match algorithm.kind {
        LevelKind::Maze => &[&[("braid", "1")]],
        LevelKind::Rooms => &[
            &[("rooms", "2"), ("loops", "1")],
            &[("rooms", "3000"), ("loops", "1")],
            &[("rooms", "9000"), ("min_room_area", "1"), ("loops", "1")],
        ],
    };
    let masks: [&dyn Fn(usize, usize) -> bool; 3] =
        [&|x, y| x < 3 && y < 3, &|x, y| x % 4 < 2 && y > 2, &|x, y| x % 2 == 0 && y > 2];
    let mut recipes: Vec<_> =
        options.iter().flat_map(|options| masks.map(|mask| recipe(options, (401, 301), mask))).collect();
    if algorithm.kind == LevelKind::Rooms {
        // just wider than a power of two, and as many rooms as pillars allow
        let many = [("rooms", "7315"), ("min_room_area", "1"), ("loops", "1")];
        recipes.push(recipe(&many, (257, 129), &|x, y| x % 2 == 0 && y % 2 == 0));
    }
    recipes
}

/// Holds the answer to a query, in each of its formats, to the memory that it announces.
fn answer_holds_what_it_says<Q: Render>(level: &Level, pairs: &[(&str, &str)]) {
    let recipe = level.recipe();
    for format in Q::FORMATS {
        let mut params = Parameters::bare(pairs);
        let query = Q::read(&mut params).unwrap();
        let options = RenderOptions::read(&mut params, format.parameters).unwrap();
        let rendering = Rendering { query: &query, options, limit: u64::MAX };
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        let (_, held) = peak(|| (format.write)(&rendering, level, &mut context));
        let said = query.work_bytes(recipe) + (format.work_bytes)(&rendering, recipe);
        assert!(held <= said, "{recipe}{query}{options}: {held} bytes instead of {said}");
    }
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn no_job_holds_more_than_it_says() {
    let sizes = [(3, 3), (41, 41), (401, 401), (3, 4001), (3, 15_999), (4001, 3), (131, 2001), (1501, 1501)];
    for algorithm in ALGORITHMS {
        let crowded = [("rooms", "1000000"), ("min_room_area", "1")];
        let many = algorithm.kind == LevelKind::Rooms;
        // every option at its most, and ends that take a search
        let most: Vec<_> = algorithm
            .options
            .iter()
            .filter_map(|option| match option.row().kind {
                OptionType::Fraction { max } => Some((option.row().name, option.row().kind.format(max))),
                OptionType::Count => None,
            })
            .collect();
        let mut most: Vec<_> = most.iter().map(|(name, value)| (*name, value.as_str())).collect();
        most.extend([("start", "farthest"), ("exit", "farthest")]);
        let plain = sizes.iter().map(|size| recipe(algorithm.name, *size, &[]));
        let recipes: Vec<_> = plain.chain(sizes.iter().map(|size| recipe(algorithm.name, *size, &most))).collect();
        let loops = if many { &["0", "1"][..] } else { &[] };
        let crowds = loops
            .iter()
            .map(|loops| recipe(algorithm.name, (2003, 2003), &[&crowded[..], &[("loops", loops)]].concat()));
        for recipe in recipes.into_iter().chain(crowds).chain(masked(algorithm)) {
            let mut buffers = Buffers::default();
            let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
            let (level, held) = peak(|| Level::build(recipe.clone(), &mut context).unwrap());
            let said = recipe.work_bytes();
            assert!(held <= said, "{recipe}: {held} bytes instead of {said}");
            answer_holds_what_it_says::<StatsQuery>(&level, &[]);
            let exit = format!("{},{}", level.exit().x, level.exit().y);
            for from in [&[][..], &[("from", exit.as_str())]] {
                answer_holds_what_it_says::<DistancesQuery>(&level, from);
            }
            for row in KINDS {
                let pairs = [("count", &*MAX_COUNT.to_string()), ("kind", row.name)];
                answer_holds_what_it_says::<SpawnsQuery>(&level, &pairs);
            }
            for solver in SOLVERS.iter().map(|solver| solver.name).chain([NO_SOLVER]) {
                for (path, grid) in [("points", "matrix"), ("moves", "bits"), ("points", "bits"), ("none", "rows")] {
                    let pairs = [("solver", solver), ("path", path), ("grid", grid)];
                    answer_holds_what_it_says::<SolutionQuery>(&level, &pairs);
                    if solver != NO_SOLVER {
                        answer_holds_what_it_says::<PathQuery>(&level, &pairs);
                    }
                }
            }
            answer_holds_what_it_says::<VerifyQuery>(&level, &[("seed", ""), ("moves", "RRDD")]);
            // after the solvers: the level keeps what it finds
            let (_, held) = peak(|| {
                let mut buffers = Buffers::default();
                let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
                shortest_path(&level, level.start(), level.exit(), &mut context)
            });
            let said = path_bytes(&recipe);
            assert!(held <= said, "{recipe}: {held} bytes for a way instead of {said}");
        }
    }
}
