//! Submitted paths of every kind, against reference rules that know only which tiles are open.

use std::collections::HashMap;

use mazed::level::Level;
use mazed::level::algorithms::{ALGORITHMS, Algorithm};
use mazed::level::grid::{Direction, LevelKind, Tile};
use mazed::level::queries::verify::{PathError, Reason, SubmittedPath, Verification, verify};
use mazed::level::rng::Rng;
use mazed::level::solvers::{SOLVERS, Solution, shortest_path};
use mazed::level::work::{Buffers, Cancel, JobContext};

use crate::fixtures::{build, context, recipe, rng};
use crate::oracle::{distances, open_tiles};

/// How many levels of each algorithm are checked.
const LEVELS: u64 = 1_000;

/// Rows of a mask: a ring or a disc of random width.
fn mask(width: u32, height: u32, rng: &mut Rng) -> Vec<String> {
    let hole = i64::from(rng.below(4));
    let row = |y: i64| {
        let inside = |x: i64| {
            let [dx, dy] = [(2 * x + 1 - i64::from(width)).abs(), (2 * y + 1 - i64::from(height)).abs()];
            dx + dy < i64::from(width.max(height)) + 6 && (hole == 0 || dx > 2 * hole || dy > 2 * hole)
        };
        (0..i64::from(width)).map(|x| if inside(x) { '#' } else { ' ' }).collect()
    };
    (0..i64::from(height)).map(row).collect()
}

/// A level of at most 31 tiles a side; the seed says whether it has loops, a mask, openings or farthest endpoints.
/// `None` if there is no such level.
fn any_level(algorithm: &Algorithm, seed: u64, rng: &mut Rng, context: &mut JobContext) -> Option<Level> {
    let mut side = || match algorithm.kind {
        LevelKind::Maze => rng.below(15) * 2 + 3,
        LevelKind::Rooms => rng.below(29) + 3,
    };
    let (width, height) = (side(), side());
    let mut pairs = vec![("algo", algorithm.name.to_owned()), ("seed", seed.to_string())];
    let mask = (algorithm.masks && seed.is_multiple_of(5)).then(|| mask(width, height, rng));
    if mask.is_none() {
        pairs.extend([("width", width.to_string()), ("height", height.to_string())]);
    }
    let loops = if algorithm.kind == LevelKind::Maze { "braid" } else { "loops" };
    if algorithm.options.iter().any(|option| option.row().name == loops) && seed.is_multiple_of(3) {
        pairs.push((loops, ["0.1", "0.5", "1"][rng.below(3) as usize].to_owned()));
    }
    match seed % 4 {
        0 => pairs.push(("openings", "true".to_owned())),
        1 => pairs.push(("exit", "farthest".to_owned())),
        2 => pairs.extend([("start", "farthest".to_owned()), ("exit", "farthest".to_owned())]),
        _ => {}
    }
    let mask = mask.unwrap_or_default();
    Level::build(recipe(&pairs, &mask).ok()?, context).ok()
}

/// Runs `check` on many levels of every kind.
fn many_levels(name: &str, mut check: impl FnMut(&Level, &mut Rng, &mut JobContext)) {
    let (mut rng, mut buffers) = (rng(name), Buffers::default());
    let mut context = context(&mut buffers);
    for algorithm in ALGORITHMS {
        let mut built = 0;
        for seed in 0..LEVELS {
            if let Some(level) = any_level(algorithm, seed, &mut rng, &mut context) {
                check(&level, &mut rng, &mut context);
                built += 1;
            }
        }
        assert!(built * 10 > LEVELS * 8, "{}: {built} levels", algorithm.name);
    }
}

fn point(tile: Tile) -> [i64; 2] {
    [tile.x.into(), tile.y.into()]
}

fn points_of(level: &Level, moves: &[Direction]) -> Vec<[i64; 2]> {
    let steps = moves.iter().scan(level.start(), |tile, step| {
        *tile = tile.step(*step);
        Some(point(*tile))
    });
    std::iter::once(point(level.start())).chain(steps).collect()
}

/// The expected result, computed tile by tile in 128-bit numbers.
fn expected_verification(level: &Level, points: &[[i64; 2]], shortest: u64) -> Verification {
    let size = level.grid().size();
    let reason = |i: usize| {
        let [x, y] = points[i].map(i128::from);
        if i == 0 {
            return (points[0] != point(level.start())).then_some(Reason::StartsElsewhere);
        }
        let [before_x, before_y] = points[i - 1].map(i128::from);
        if (x - before_x).abs() + (y - before_y).abs() != 1 {
            return Some(Reason::NoStep);
        }
        if x < 0 || y < 0 || x >= size.width.into() || y >= size.height.into() {
            return Some(Reason::Outside);
        }
        let [x, y] = [x, y].map(|side| u32::try_from(side).unwrap());
        let tile = Tile { x, y };
        let open = level.grid().is_open(tile);
        // a void tile is never beside an open one
        assert!(!level.grid().is_void(tile), "{tile:?} on {}", level.recipe());
        (!open).then_some(Reason::Wall)
    };
    let first = (0..points.len()).find_map(|i| Some((i, reason(i)?)));
    let good = &points[..first.map_or(points.len(), |(i, _)| i)];
    Verification {
        valid: first.is_none(),
        reaches_exit: good.contains(&point(level.exit())),
        steps: points.len() as u64 - 1,
        shortest,
        first_error: first.map(|(i, reason)| PathError { step: i as u64, at: points[i], reason }),
    }
}

#[test]
fn every_solver_keeps_the_rules() {
    many_levels("solvers", |level, _, context| {
        let shortest = u64::from(distances(level, &[level.start()])[level.exit()]);
        for solver in SOLVERS {
            let label = format!("{} on {}", solver.name, level.recipe());
            let solution = (solver.solve)(level, level.start(), level.exit(), context).unwrap();
            let Solution::Found(moves) = solution else {
                assert!(!solver.shortest, "{label}");
                continue;
            };
            let steps = moves.len() as u64;
            assert!(steps >= shortest && (!solver.shortest || steps == shortest), "{label}");
            let expected = Verification { valid: true, reaches_exit: true, steps, shortest, first_error: None };
            let letters: String = moves.iter().map(|step| char::from(step.letter())).collect();
            assert_eq!(SubmittedPath::moves(&letters), Ok(moves.clone()));
            let points = points_of(level, &moves);
            assert_eq!(expected_verification(level, &points, shortest), expected, "{label}");
            for path in [SubmittedPath::Points(points), SubmittedPath::Moves(moves)] {
                assert_eq!(verify(level, &path, context), Ok(expected.clone()), "{label}");
            }
        }
    });
}

/// Changes a path at a random point in a random way.
fn mutate(points: &mut Vec<[i64; 2]>, rng: &mut Rng) {
    let at = rng.below(points.len() as u32) as usize;
    let (other, direction) = (rng.below(points.len() as u32) as usize, Direction::ALL[rng.below(4) as usize]);
    let beside = |[x, y]: [i64; 2]| [x + i64::from(direction.offset().0), y + i64::from(direction.offset().1)];
    match rng.below(8) {
        0 if points.len() > 1 => drop(points.remove(at)),
        1 => points.insert(at, points[at]),
        2 => points.insert(at, points[other]),
        3 => points.swap(at, other),
        4 => points[at] = beside(points[at]),
        5 => points.insert(at + 1, beside(points[at])),
        // a detour of one tile and back
        6 => drop(points.splice(at..at, [points[at], beside(points[at])])),
        _ => {
            let far = [i64::MIN, i64::MAX, -1, 0, 1 << 32, (1 << 32) + points[at][0]];
            points[at][rng.below(2) as usize] = far[rng.below(far.len() as u32) as usize];
        }
    }
}

#[test]
fn a_changed_path_is_verified_as_the_reference_rules_say() {
    let mut counts = HashMap::new();
    many_levels("mutations", |level, rng, context| {
        let Solution::Found(moves) = shortest_path(level, level.start(), level.exit(), context).unwrap() else {
            unreachable!()
        };
        let shortest = moves.len() as u64;
        let points = points_of(level, &moves);
        for _ in 0..20 {
            let mut changed = points.clone();
            mutate(&mut changed, rng);
            let expected = expected_verification(level, &changed, shortest);
            *counts.entry(expected.first_error.map(|error| error.reason as u8)).or_insert(0) += 1;
            let found = verify(level, &SubmittedPath::Points(changed.clone()), context).unwrap();
            assert_eq!(found, expected, "{changed:?} on {}", level.recipe());
        }
        for _ in 0..8 {
            let mut changed = moves.clone();
            let (at, step) = (rng.below(moves.len() as u32 + 1) as usize, Direction::ALL[rng.below(4) as usize]);
            match rng.below(3) {
                0 => changed.insert(at, step),
                1 if at < moves.len() => drop(changed.remove(at)),
                _ => changed[at..].fill(step),
            }
            // moves are verified like the tiles that they lead to
            let mut tile = point(level.start());
            let mut tiles = vec![tile];
            for (dx, dy) in changed.iter().map(|step| step.offset()) {
                tile = [tile[0] + i64::from(dx), tile[1] + i64::from(dy)];
                tiles.push(tile);
            }
            let expected = expected_verification(level, &tiles, shortest);
            *counts.entry(expected.first_error.map(|error| error.reason as u8)).or_insert(0) += 1;
            assert_eq!(
                verify(level, &SubmittedPath::Moves(changed), context),
                Ok(expected),
                "{tiles:?} on {}",
                level.recipe()
            );
        }
    });
    // every reason occurs, and so do changes that break no rule
    let reasons =
        [Reason::StartsElsewhere, Reason::NoStep, Reason::Outside, Reason::Wall].map(|reason| Some(reason as u8));
    for kind in reasons.iter().chain([&None]) {
        assert!(counts.get(kind).is_some_and(|count| *count > 10), "{kind:?} of {counts:?}");
    }
}

#[test]
fn the_path_between_any_two_tiles_is_a_shortest_one() {
    many_levels("way", |level, rng, context| {
        let open = open_tiles(level);
        let weight = level.bytes();
        for round in 0..4 {
            let mut any = || open[rng.below(open.len() as u32) as usize];
            let [from, to] = match level.grid().openings {
                Some([one, other]) => [[one, any()], [any(), other], [one, other], [any(), any()]][round],
                None => [any(), any()],
            };
            let Solution::Found(moves) = shortest_path(level, from, to, context).unwrap() else { unreachable!() };
            let label = format!("from {from:?} to {to:?} on {}", level.recipe());
            let end = moves.iter().fold(from, |tile, step| {
                assert!(level.grid().is_open(tile.step(*step)), "{label}");
                tile.step(*step)
            });
            assert_eq!((end, moves.len()), (to, distances(level, &[from])[to] as usize), "{label}");
        }
        let perfect = level.plan().is_none() && level.recipe().braid() == 0;
        assert_eq!(level.parents().is_some(), perfect, "{}", level.recipe());
        assert_eq!(level.bytes(), weight, "{}", level.recipe());
    });
}

#[test]
fn the_first_error_has_its_step_tile_and_reason() {
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    let level = build(&[("algo", "binary_tree"), ("size", "5"), ("seed", "7")], &mut context);
    let mut error = |path: &SubmittedPath| {
        verify(&level, path, &mut context).unwrap().first_error.map(|error| (error.step, error.at, error.reason))
    };
    let mut points = |points: &[[i64; 2]]| error(&SubmittedPath::Points(points.to_vec()));
    assert_eq!(points(&[[1, 1]]), None);
    assert_eq!(points(&[[3, 3]]), Some((0, [3, 3], Reason::StartsElsewhere)));
    assert_eq!(points(&[[i64::MIN, i64::MAX]]), Some((0, [i64::MIN, i64::MAX], Reason::StartsElsewhere)));
    assert_eq!(points(&[[1, 1], [1, 1]]), Some((1, [1, 1], Reason::NoStep)));
    assert_eq!(points(&[[1, 1], [2, 2]]), Some((1, [2, 2], Reason::NoStep)));
    assert_eq!(points(&[[1, 1], [i64::MAX, 1]]), Some((1, [i64::MAX, 1], Reason::NoStep)));
    assert_eq!(points(&[[1, 1], [i64::MIN, i64::MIN]]), Some((1, [i64::MIN, i64::MIN], Reason::NoStep)));
    assert_eq!(points(&[[1, 1], [(1 << 32) + 2, 1]]), Some((1, [(1 << 32) + 2, 1], Reason::NoStep)));
    assert_eq!(points(&[[1, 1], [1, 0]]), Some((1, [1, 0], Reason::Wall)));
    let mut moves = |text: &str| error(&SubmittedPath::Moves(SubmittedPath::moves(text).unwrap()));
    assert_eq!(moves(""), None);
    assert_eq!(moves("UU"), Some((1, [1, 0], Reason::Wall)));

    // out of each side, through openings
    for (start, step, at) in [("3,1", "U", [3, -1]), ("5,3", "R", [7, 3]), ("3,5", "D", [3, 7]), ("1,3", "L", [-1, 3])]
    {
        let pairs = [("algo", "kruskal"), ("size", "7"), ("seed", "7"), ("start", start), ("openings", "true")];
        let level = build(&pairs, &mut context);
        let verification =
            verify(&level, &SubmittedPath::Moves(SubmittedPath::moves(&step.repeat(3)).unwrap()), &mut context)
                .unwrap();
        assert_eq!(
            verification.first_error,
            Some(PathError { step: 2, at, reason: Reason::Outside }),
            "{}",
            level.recipe()
        );
    }
}

#[test]
fn a_path_of_no_steps_reaches_an_exit_that_is_the_start() {
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    for (exit, reaches_exit) in [("1,1", true), ("3,3", false)] {
        let level = build(&[("algo", "eller"), ("size", "5"), ("seed", "7"), ("exit", exit)], &mut context);
        for path in [SubmittedPath::Moves(vec![]), SubmittedPath::Points(vec![[1, 1]])] {
            let verification = verify(&level, &path, &mut context).unwrap();
            let shortest = u64::from(distances(&level, &[level.start()])[level.exit()]);
            assert_eq!(verification, Verification { valid: true, reaches_exit, steps: 0, shortest, first_error: None });
        }
    }
}

#[test]
fn steps_beyond_the_exit_are_verified_too() {
    let mut buffers = Buffers::default();
    let mut context = context(&mut buffers);
    let level = build(&[("algo", "dfs"), ("size", "11"), ("seed", "7")], &mut context);
    let Solution::Found(mut moves) = shortest_path(&level, level.start(), level.exit(), &mut context).unwrap() else {
        unreachable!()
    };
    let shortest = moves.len() as u64;
    let last = moves[moves.len() - 1];
    moves.push(last.back());
    let back = verify(&level, &SubmittedPath::Moves(moves.clone()), &mut context).unwrap();
    assert_eq!(
        back,
        Verification { valid: true, reaches_exit: true, steps: shortest + 1, shortest, first_error: None }
    );
    moves.extend([last, last, last, last]);
    let through = verify(&level, &SubmittedPath::Moves(moves), &mut context).unwrap();
    assert!(through.reaches_exit && !through.valid && through.steps == shortest + 5, "{through:?}");
}

#[test]
fn a_verification_is_written_in_words() {
    let verification = |first_error: Option<PathError>| Verification {
        valid: first_error.is_none(),
        reaches_exit: true,
        steps: 3,
        shortest: 2,
        first_error,
    };
    let text = |verification| serde_json::to_string(&verification).unwrap();
    assert_eq!(text(verification(None)), r#"{"valid":true,"reaches_exit":true,"steps":3,"shortest":2}"#);
    let words = [
        (Reason::StartsElsewhere, "starts_elsewhere"),
        (Reason::NoStep, "no_step"),
        (Reason::Outside, "outside"),
        (Reason::Wall, "wall"),
    ];
    for (reason, word) in words {
        let error = format!(r#""first_error":{{"step":1,"at":[-1,2],"reason":"{word}"}}"#);
        assert!(text(verification(Some(PathError { step: 1, at: [-1, 2], reason }))).contains(&error), "{word}");
    }
}

#[test]
fn moves_are_letters_and_nothing_else() {
    let all: Vec<_> = Direction::ALL.into_iter().collect();
    assert_eq!(SubmittedPath::moves("URDL"), Ok(all));
    assert_eq!(SubmittedPath::moves(""), Ok(vec![]));
    for (text, part) in [
        ("URd", "'d' as character 3"),
        (" U", "' ' as character 1"),
        ("UÜR", "'Ü' as character 2"),
        ("U\n", "'\\n' as character 2"),
        ("\u{155}", "character 1"),
    ] {
        let message = SubmittedPath::moves(text).unwrap_err();
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_cancelled_job_gives_no_verification() {
    let mut buffers = Buffers::default();
    let level = build(&[("algo", "kruskal"), ("size", "5"), ("seed", "7")], &mut context(&mut buffers));
    let there_and_back = if level.grid().is_open(Tile { x: 2, y: 1 }) {
        [Direction::Right, Direction::Left]
    } else {
        [Direction::Down, Direction::Up]
    };
    let path = SubmittedPath::Moves(there_and_back.repeat(1 << 16));
    assert!(verify(&level, &path, &mut JobContext { buffers: &mut buffers, cancel: Cancel::when(&|| true) }).is_err());
}
