//! A job never holds more bytes than its recipe and query announce. Admission control relies on it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(unsafe_code, reason = "an allocator that counts has to be one")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use mazed::level::Level;
use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::grid::LevelKind;
use mazed::level::parameters::options::OptionType;
use mazed::level::parameters::{Parameters, Value};
use mazed::level::queries::Query as _;
use mazed::level::queries::distances::DistancesQuery;
use mazed::level::queries::path::PathQuery;
use mazed::level::queries::solution::{NO_SOLVER, SolutionQuery};
use mazed::level::queries::spawns::{KINDS, MAX_COUNT, SpawnsQuery};
use mazed::level::queries::stats::StatsQuery;
use mazed::level::queries::verify::VerifyQuery;
use mazed::level::recipe::{Limits, Recipe};
use mazed::level::solvers::{SOLVERS, path_bytes, shortest_path};
use mazed::level::work::{Buffers, Cancel, JobContext};
use mazed::render::coding::CODINGS;
use mazed::render::{Render, RenderOptions, Rendering};

/// The system's allocator, with a count of the bytes that each thread allocated and did not free, and of the peak. A
/// job runs on one thread, so jobs on several threads can be measured at once.
struct Counting;

thread_local! {
    // These need no allocation and no destructor, so the allocator can use them at any time. If a thread frees memory
    // that another thread allocated, its count may be below zero; only differences are read.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn add(bytes: usize) {
    HELD.set(HELD.get() + bytes.cast_signed());
    PEAK.set(PEAK.get().max(HELD.get()));
}

fn subtract(bytes: usize) {
    HELD.set(HELD.get() - bytes.cast_signed());
}

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        subtract(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // the old and the new memory may both be held for a moment
        add(size);
        subtract(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The result of `job`, and the most bytes that its thread held meanwhile beyond those before.
fn peak<T>(job: impl FnOnce() -> T) -> (T, u64) {
    let before = HELD.get();
    PEAK.set(before);
    let result = job();
    (result, (PEAK.get() - before).cast_unsigned() as u64)
}

fn recipe(algorithm: &str, (width, height): (u32, u32), extra: &[(&str, &str)]) -> Recipe {
    let [width, height] = [width, height].map(|side| side.to_string());
    let pairs = [("algo", algorithm), ("width", &width), ("height", &height), ("seed", "7")];
    Recipe::from_pairs(&[&pairs[..], extra].concat(), Limits::of_side(16_001)).unwrap()
}

/// Levels in masks that leave out little, and half of the rectangle. Room maps with few rooms, with many, and with so
/// many that the search takes long.
fn masked(algorithm: &Algorithm) -> Vec<Recipe> {
    if !algorithm.masks {
        return vec![];
    }
    let recipe = |options: &[(&str, &str)], (width, height), void: &dyn Fn(usize, usize) -> bool| {
        let row = |y| (0..width).map(|x| if void(x, y) { ' ' } else { '#' }).collect::<String>().into();
        let params = [("algo", algorithm.name), ("exit", "farthest")];
        let params = params.iter().chain(options).map(|&(name, value)| (name.into(), Ok(Value::Bare(value.into()))));
        let mask = ("mask".into(), Ok(Value::Rows((0..height).map(row).collect())));
        let mut params = Parameters::new(params.chain([mask]).collect());
        let recipe = Recipe::read(&mut params, Limits::of_side(16_001), || 7);
        params.finish(recipe, Vec::new).unwrap()
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

/// Checks that the answer to a query, in each of its formats, holds no more bytes than it announces.
fn check_answer<Q: Render>(level: &Level, pairs: &[(&str, &str)]) {
    let recipe = level.recipe();
    for format in Q::FORMATS {
        let mut params = Parameters::bare(pairs);
        let query = Q::read(&mut params).unwrap();
        let options = RenderOptions::read(&mut params, format.parameters).unwrap();
        let rendering = Rendering { query: &query, options, limit: u64::MAX };
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        let (_, held) = peak(|| (format.write)(&rendering, level, &mut context));
        let announced = query.work_bytes(recipe) + (format.work_bytes)(&rendering, recipe);
        assert!(held <= announced, "{recipe}{query}{options}: {held} bytes instead of {announced}");
    }
}

/// Levels of an algorithm of many sizes, with its options at their defaults and at their greatest values.
fn recipes(algorithm: &Algorithm) -> Vec<Recipe> {
    let sizes = [(3, 3), (41, 41), (401, 401), (3, 4001), (3, 15_999), (4001, 3), (131, 2001), (1501, 1501)];
    let most: Vec<_> = algorithm
        .options
        .iter()
        .filter_map(|option| match option.row().kind {
            OptionType::Fraction { max } => Some((option.row().name, option.row().kind.format(max))),
            OptionType::Count => None,
        })
        .collect();
    let mut most: Vec<_> = most.iter().map(|(name, value)| (*name, value.as_str())).collect();
    // endpoints that take a search
    most.extend([("start", "farthest"), ("exit", "farthest")]);
    let by_default = sizes.map(|size| recipe(algorithm.name, size, &[]));
    let at_most = sizes.map(|size| recipe(algorithm.name, size, &most));
    let mut recipes = [by_default, at_most].concat();
    if algorithm.kind == LevelKind::Rooms {
        let many = ["0", "1"].map(|loops| [("rooms", "1000000"), ("min_room_area", "1"), ("loops", loops)]);
        recipes.extend(many.map(|many| recipe(algorithm.name, (2003, 2003), &many)));
    }
    recipes.extend(masked(algorithm));
    recipes
}

/// Builds a level and answers every query about it.
fn check(recipe: &Recipe) {
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    let (level, held) = peak(|| Level::build(recipe.clone(), &mut context).unwrap());
    let announced = recipe.work_bytes();
    assert!(held <= announced, "{recipe}: {held} bytes instead of {announced}");
    check_answer::<StatsQuery>(&level, &[]);
    let exit = format!("{},{}", level.exit().x, level.exit().y);
    for from in [&[][..], &[("from", exit.as_str())]] {
        check_answer::<DistancesQuery>(&level, from);
    }
    for row in KINDS {
        let pairs = [("count", &*MAX_COUNT.to_string()), ("kind", row.name)];
        check_answer::<SpawnsQuery>(&level, &pairs);
    }
    for solver in SOLVERS.iter().map(|solver| solver.name).chain([NO_SOLVER]) {
        for (path, grid) in [("points", "matrix"), ("moves", "bits"), ("points", "bits"), ("none", "rows")] {
            let pairs = [("solver", solver), ("path", path), ("grid", grid)];
            check_answer::<SolutionQuery>(&level, &pairs);
            if solver != NO_SOLVER {
                check_answer::<PathQuery>(&level, &pairs);
            }
        }
    }
    check_answer::<VerifyQuery>(&level, &[("seed", ""), ("moves", "RRDD")]);
    // after the solvers, because the level stores the tree that this call computes
    let (_, held) = peak(|| {
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        shortest_path(&level, level.start(), level.exit(), &mut context)
    });
    let announced = path_bytes(recipe);
    assert!(held <= announced, "{recipe}: {held} bytes for a path instead of {announced}");
}

#[test]
fn no_job_holds_more_than_it_announces() {
    let recipes: Vec<_> = ALGORITHMS.iter().flat_map(recipes).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().unwrap().get() {
            scope.spawn(|| {
                while let Some(recipe) = recipes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(recipe);
                }
            });
        }
    });
}

#[test]
fn no_compression_holds_more_than_it_announces() {
    let recipe = recipe("kruskal", (1001, 1001), &[]);
    let mut buffers = Buffers::default();
    let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
    let level = Level::build(recipe, &mut context).unwrap();
    let mut bodies = vec![vec![], b"[0,1]".repeat(300)];
    for grid in ["matrix", "rows", "bits"] {
        let mut params = Parameters::bare(&[("grid", grid)]);
        let query = SolutionQuery::read(&mut params).unwrap();
        let [format, ..] = SolutionQuery::FORMATS else { panic!("no format") };
        let options = RenderOptions::read(&mut params, format.parameters).unwrap();
        let rendering = Rendering { query: &query, options, limit: u64::MAX };
        bodies.push((format.write)(&rendering, &level, &mut context).unwrap());
    }
    for body in bodies {
        for spec in CODINGS {
            let (copy, bytes) = (body.clone(), body.len() as u64);
            let (coded, held) = peak(|| spec.coding.encode(copy, Cancel::never()).unwrap());
            let announced = spec.coding.price(bytes).bytes;
            assert!(held <= announced, "{} of {bytes} bytes: {held} bytes instead of {announced}", spec.name);
            let range = spec.coding.bytes(bytes..bytes);
            assert!(range.contains(&(coded.len() as u64)), "{} of {bytes} bytes: {} bytes", spec.name, coded.len());
        }
    }
}
