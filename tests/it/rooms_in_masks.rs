//! Rooms in masks, as a client sees them: levels that keep their promises, every question about them, and refusals that
//! say what would do.

use std::collections::VecDeque;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mazed::level::recipe::DEFAULT_ROOM_MASK_SIDE;
use mazed::level::solvers::SOLVERS;
use serde_json::{Value, json};

use crate::api::{Answer, Client, Server};
use crate::harness::Program;

/// An island of 30 by 20 tiles with a lake, drawn with more than one character, which mean the same.
fn island() -> Vec<String> {
    let is_in = |(x, y): (i32, i32), (across, down): (i32, i32)| {
        let (x, y) = ((2 * x - 29) * down, (2 * y - 19) * across);
        x * x + y * y <= 4 * across * across * down * down
    };
    let character = |at: (i32, i32)| match (is_in(at, (14, 9)), is_in(at, (4, 2))) {
        (true, false) if at.0 % 3 == 0 => '~',
        (true, false) => '#',
        _ => ' ',
    };
    (0..20).map(|y| (0..30).map(|x| character((x, y))).collect()).collect()
}

/// Recipes of rooms in the island, of which each promises something else.
fn recipes() -> [Value; 5] {
    [
        json!({"algo": "bsp", "seed": 7, "mask": island()}),
        json!({"algo": "bsp", "seed": "level-1", "mask": island(), "rooms": 1}),
        json!({"algo": "bsp", "seed": -1, "mask": island(), "rooms": 9, "door_size": 2, "jitter": 0.9}),
        json!({"algo": "bsp", "seed": 7, "mask": island(), "rooms": 12, "min_room_area": 4, "loops": 1}),
        json!({"algo": "bsp", "seed": 8, "mask": island(), "rooms": 6, "start": "farthest", "exit": "farthest"}),
    ]
}

/// A recipe with further fields.
fn with(recipe: &Value, more: Value) -> String {
    let (Value::Object(mut body), Value::Object(more)) = (recipe.clone(), more) else { panic!("no recipe: {recipe}") };
    body.extend(more);
    Value::from(body).to_string()
}

/// A recipe without its mask, for messages.
fn brief(recipe: &Value) -> String {
    with(recipe, json!({"mask": "the mask"}))
}

async fn answered(client: &Client, route: &str, body: String) -> Value {
    let answer = client.post(route, body).await;
    assert_eq!(answer.status, 200, "{route}: {}", answer.text());
    answer.json()
}

type Tile = (usize, usize);

fn tile(value: &Value) -> Tile {
    (value[0].as_u64().unwrap() as usize, value[1].as_u64().unwrap() as usize)
}

fn tiles(value: &Value) -> Vec<Tile> {
    value.as_array().unwrap().iter().map(tile).collect()
}

/// The field `grid` of an answer.
fn matrix(level: &Value) -> Vec<Vec<i64>> {
    serde_json::from_value(level["grid"].clone()).unwrap()
}

fn places(grid: &[Vec<i64>]) -> impl Iterator<Item = Tile> + use<> {
    let (width, height) = (grid[0].len(), grid.len());
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

fn beside((x, y): Tile) -> impl Iterator<Item = Tile> {
    [(0, -1), (1, 0), (0, 1), (-1, 0)]
        .into_iter()
        .filter_map(move |(dx, dy)| Some((x.checked_add_signed(dx)?, y.checked_add_signed(dy)?)))
}

fn is_open(grid: &[Vec<i64>], (x, y): Tile) -> bool {
    grid.get(y).and_then(|row| row.get(x)) == Some(&0)
}

/// Steps from a tile to every open one, `-1` where none lead.
fn distances(grid: &[Vec<i64>], from: Tile) -> Vec<Vec<i64>> {
    let mut steps = vec![vec![-1; grid[0].len()]; grid.len()];
    steps[from.1][from.0] = 0;
    let mut waiting = VecDeque::from([from]);
    while let Some(at) = waiting.pop_front() {
        for (x, y) in beside(at) {
            if is_open(grid, (x, y)) && steps[y][x] < 0 {
                steps[y][x] = steps[at.1][at.0] + 1;
                waiting.push_back((x, y));
            }
        }
    }
    steps
}

/// Holds a path to the grid: every step leads to an open tile beside the one before.
fn assert_legal(grid: &[Vec<i64>], path: &[Tile], endpoints: [Tile; 2], what: &str) {
    assert_eq!([path[0], *path.last().unwrap()], endpoints, "{what}");
    assert!(path.iter().all(|at| is_open(grid, *at)), "{what}: a path through a wall");
    assert!(path.windows(2).all(|step| beside(step[0]).any(|next| next == step[1])), "{what}: a leap");
}

/// Holds each tile to the mask: what is open is inside, and void is what is a space and touches nothing open.
fn assert_keeps_to(mask: &[String], grid: &[Vec<i64>], what: &str) {
    for (x, y) in places(grid) {
        let is_space = mask[y].as_bytes()[x] == b' ';
        let near = |at: usize, most: usize| at.saturating_sub(1)..(at + 2).min(most);
        let touches_open = near(y, grid.len()).any(|y| near(x, grid[0].len()).any(|x| is_open(grid, (x, y))));
        assert!(!is_space || grid[y][x] != 0, "{what}: [{x},{y}] is open, but outside");
        assert_eq!(grid[y][x] == -1, is_space && !touches_open, "{what}: [{x},{y}]");
    }
}

/// Holds `rooms` and `doors` to the grid: without the doors, rooms are what hangs together, in row order of their first
/// tiles; each door lies in one line between its two rooms.
fn assert_divided(level: &Value, grid: &[Vec<i64>], what: &str) {
    let doors = level["doors"].as_array().unwrap();
    let mut shut = grid.to_vec();
    for (x, y) in doors.iter().flat_map(|door| tiles(&door["tiles"])) {
        assert_eq!(shut[y][x], 0, "{what}: a door that is shut, or two in one place");
        shut[y][x] = 1;
    }
    let mut room_of = vec![vec![None; grid[0].len()]; grid.len()];
    let mut rooms = vec![];
    for first in places(grid) {
        if !is_open(&shut, first) || room_of[first.1][first.0].is_some() {
            continue;
        }
        let reached = distances(&shut, first);
        let of_room: Vec<_> = places(grid).filter(|(x, y)| reached[*y][*x] >= 0).collect();
        for (x, y) in &of_room {
            room_of[*y][*x] = Some(rooms.len());
        }
        let span = |coordinate: fn(&Tile) -> usize| {
            let all = || of_room.iter().map(coordinate);
            (all().min().unwrap(), all().max().unwrap() - all().min().unwrap() + 1)
        };
        let ((x, width), (y, height)) = (span(|at| at.0), span(|at| at.1));
        rooms.push(json!({"x": x, "y": y, "width": width, "height": height, "area": of_room.len()}));
    }
    assert_eq!(level["rooms"], json!(rooms), "{what}");
    assert_eq!(level["options"]["rooms"], rooms.len(), "{what}");
    let least = level["options"]["min_room_area"].as_u64().unwrap();
    assert!(rooms.iter().all(|room| room["area"].as_u64().unwrap() >= least), "{what}: a room that is too small");

    for door in doors {
        let (run, between) = (tiles(&door["tiles"]), tile(&door["rooms"]));
        assert_eq!(run.len() as u64, level["options"]["door_size"].as_u64().unwrap(), "{what}");
        assert!(between.0 < between.1, "{what}: {door}");
        for (i, (x, y)) in run.iter().copied().enumerate() {
            let lies_along = |dx: usize, dy: usize| run[0] == (x - i * dx, y - i * dy);
            let sides = |sides: [Tile; 2]| {
                let mut sides = sides.map(|(x, y)| room_of[y][x]);
                sides.sort_unstable();
                sides == [Some(between.0), Some(between.1)]
            };
            assert!(
                lies_along(0, 1) && sides([(x - 1, y), (x + 1, y)])
                    || lies_along(1, 0) && sides([(x, y - 1), (x, y + 1)]),
                "{what}: {door} is none between these rooms"
            );
        }
    }
    let loops = level["options"]["loops"].as_f64().unwrap() > 0.0;
    assert!(doors.len() + 1 == rooms.len() || loops && doors.len() + 1 > rooms.len(), "{what}: {} doors", doors.len());
    let (start, open) = (tile(&level["start"]), grid.iter().flatten().filter(|tile| **tile == 0).count());
    let reached = distances(grid, start).iter().flatten().filter(|steps| **steps >= 0).count();
    assert_eq!(reached, open, "{what}: not all rooms are joined");
}

#[tokio::test]
async fn rooms_doors_and_voids_are_as_promised_in_every_form_of_the_grid() {
    let server = Server::start().await;
    for recipe in recipes() {
        let (what, ask) = (brief(&recipe), |more: Value| answered(&server.client, "/maze", with(&recipe, more)));
        let level = ask(json!({})).await;
        assert_eq!((&level["width"], &level["height"]), (&json!(30), &json!(20)), "{what}");
        let grid = matrix(&level);
        assert_keeps_to(&island(), &grid, &what);
        assert_divided(&level, &grid, &what);
        let endpoints = [tile(&level["start"]), tile(&level["exit"])];
        let path = tiles(&level["solution"]["path"]);
        assert_legal(&grid, &path, endpoints, &what);
        let shortest = distances(&grid, endpoints[0])[endpoints[1].1][endpoints[1].0];
        assert_eq!(level["solution"]["length"], shortest, "{what}");
        assert_eq!(json!(path.len() - 1), shortest, "{what}");

        let rows = ask(json!({"grid": "rows"})).await;
        let drawn = grid.iter().map(|row| row.iter().map(|tile| ['.', '#', ' '][tile.rem_euclid(3) as usize]));
        assert_eq!(rows["rows"], json!(drawn.map(Iterator::collect::<String>).collect::<Vec<_>>()), "{what}");
        let bits = ask(json!({"grid": "bits"})).await;
        let bits = STANDARD.decode(bits["bits"].as_str().unwrap()).unwrap();
        assert_eq!(bits.len(), 20 * 4, "{what}");
        for (x, y) in places(&grid) {
            assert_eq!(bits[y * 4 + x / 8] >> (7 - x % 8) & 1 == 0, is_open(&grid, (x, y)), "{what}: [{x},{y}]");
        }
        let none = ask(json!({"grid": "none", "path": "moves"})).await;
        assert!(["grid", "rows", "bits"].iter().all(|form| none[form].is_null()), "{what}");
        for same in ["rooms", "doors", "start", "exit", "options"] {
            assert!(none[same] == level[same] && rows[same] == level[same], "{what}: {same}");
        }
    }
}

#[tokio::test]
async fn a_level_is_made_once_for_its_mask_however_that_is_drawn_and_is_another_with_another_seed() {
    let server = Server::start().await;
    let ask = |seed: u64, mask: Vec<String>| {
        let body = json!({"algo": "bsp", "seed": seed, "mask": mask}).to_string();
        server.client.post("/maze", body)
    };
    let first = ask(7, island()).await;
    let again = ask(7, island()).await;
    let other_characters = ask(7, island().iter().map(|row| row.replace('~', "미")).collect()).await;
    let other_seed = ask(8, island()).await;
    let found = [&first, &again, &other_characters, &other_seed].map(|answer| answer.header("cache-status"));
    assert_eq!(found, ["mazed; fwd=miss", "mazed; hit", "mazed; hit", "mazed; fwd=miss"]);
    for answer in [&first, &again, &other_characters, &other_seed] {
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!((answer.header("etag"), answer.header("content-location")), ("", ""));
    }
    assert_eq!([&again.body, &other_characters.body], [&first.body; 2]);
    assert_ne!(other_seed.json()["grid"], first.json()["grid"]);
    assert_eq!(server.client.generations().await, 2);
}

#[tokio::test]
async fn every_question_is_answered_about_rooms_in_a_mask() {
    let server = Server::start().await;
    for recipe in recipes() {
        let what = brief(&recipe);
        let ask = |route: &'static str, more: Value| answered(&server.client, route, with(&recipe, more));
        let level = ask("/maze", json!({})).await;
        let (grid, start, exit) = (matrix(&level), tile(&level["start"]), tile(&level["exit"]));
        let made = server.client.generations().await;
        let from_start = distances(&grid, start);
        let length = from_start[exit.1][exit.0];

        let path = ask("/maze/path", json!({})).await;
        assert_eq!((&path["length"], &path["path"]), (&json!(length), &level["solution"]["path"]), "{what}");
        let back = ask("/maze/path", json!({"from": level["exit"], "to": level["start"]})).await;
        assert_eq!(back["length"], length, "{what}");
        assert_legal(&grid, &tiles(&back["path"]), [exit, start], &what);
        assert_eq!(back["next"], back["path"][1], "{what}");

        assert_eq!(ask("/maze/distances", json!({})).await["distances"], json!(from_start), "{what}");
        let from_exit = ask("/maze/distances", json!({"from": level["exit"]})).await;
        assert_eq!(from_exit["distances"], json!(distances(&grid, exit)), "{what}");

        let stats = ask("/maze/stats", json!({})).await;
        assert_eq!(stats["open_tiles"], grid.iter().flatten().filter(|tile| **tile == 0).count(), "{what}");
        assert_eq!(stats["solution"]["length"], length, "{what}");

        let spawns = tiles(&ask("/maze/spawns", json!({"count": 5})).await["spawns"]);
        assert_eq!(spawns.len(), 5, "{what}");
        for (i, spawn) in spawns.iter().enumerate() {
            let is_other = ![start, exit].contains(spawn) && !spawns[..i].contains(spawn);
            assert!(is_open(&grid, *spawn) && is_other, "{what}: {spawn:?}");
        }
        assert_eq!(server.client.generations().await, made, "{what}: made anew for a question");
    }
}

#[tokio::test]
async fn paths_through_rooms_in_a_mask_are_verified() {
    let server = Server::start().await;
    for recipe in recipes() {
        let what = brief(&recipe);
        let level = answered(&server.client, "/maze", with(&recipe, json!({}))).await;
        let moved = answered(&server.client, "/maze", with(&recipe, json!({"path": "moves"}))).await;
        let verify = |claim: Value| answered(&server.client, "/maze/verify", with(&recipe, claim));
        for claim in [json!({"path": level["solution"]["path"]}), json!({"moves": moved["solution"]["moves"]})] {
            let verdict = verify(claim).await;
            assert_eq!((&verdict["valid"], &verdict["reaches_exit"]), (&json!(true), &json!(true)), "{what}");
            assert_eq!([&verdict["steps"], &verdict["shortest"]], [&level["solution"]["length"]; 2], "{what}");
        }
        // the first wall or void beside the way, and the way up to there
        let (grid, path) = (matrix(&level), tiles(&level["solution"]["path"]));
        let shut = path.iter().enumerate().find_map(|(i, at)| {
            let wall = beside(*at).find(|next| !is_open(&grid, *next));
            wall.map(|wall| (i + 1, [&path[..=i], &[wall]].concat()))
        });
        let (step, into_wall) = shut.expect("a way along a wall");
        let at = into_wall[step];
        let verdict = verify(json!({"path": into_wall})).await;
        assert_eq!((&verdict["valid"], &verdict["reaches_exit"]), (&json!(false), &json!(false)), "{what}");
        assert_eq!(verdict["first_error"], json!({"step": step, "at": at, "reason": "wall"}), "{what}");
    }
}

#[tokio::test]
async fn every_solver_finds_a_legal_way_through_rooms_in_a_mask_or_says_that_it_came_round() {
    let server = Server::start().await;
    let mut lost = 0;
    for recipe in recipes() {
        let level = answered(&server.client, "/maze", with(&recipe, json!({"solver": "bfs"}))).await;
        let (grid, endpoints) = (matrix(&level), [tile(&level["start"]), tile(&level["exit"])]);
        for solver in SOLVERS {
            let what = format!("{} {}", solver.name, brief(&recipe));
            let body = with(&recipe, json!({"solver": solver.name}));
            let found = answered(&server.client, "/maze", body.clone()).await["solution"].take();
            let way = answered(&server.client, "/maze/path", body).await;
            if found["found"] == false {
                assert!(!solver.shortest && found["reason"] == way["reason"], "{what}: {found}");
                lost += 1;
                continue;
            }
            assert_legal(&grid, &tiles(&found["path"]), endpoints, &what);
            assert_eq!(way["path"], found["path"], "{what}");
            let (length, shortest) = (found["length"].as_u64(), level["solution"]["length"].as_u64());
            assert!(if solver.shortest { length == shortest } else { length >= shortest }, "{what}");
        }
    }
    assert!(lost > 0, "nobody came round, so this says nothing about those who do");
}

#[tokio::test]
async fn the_farthest_end_is_the_farthest_open_tile() {
    let server = Server::start().await;
    for seed in 0..5 {
        let recipe = json!({"algo": "bsp", "seed": seed, "mask": island(), "rooms": 7});
        for (near, far) in [("start", "exit"), ("exit", "start")] {
            let level = answered(&server.client, "/maze", with(&recipe, json!({ far: "farthest" }))).await;
            let steps = distances(&matrix(&level), tile(&level[near]));
            let (x, y) = tile(&level[far]);
            assert_eq!(steps.iter().flatten().max(), Some(&steps[y][x]), "{seed} {far}");
        }
    }
}

#[tokio::test]
async fn openings_are_made_in_the_border_where_the_ends_lie_beside_it_though_nothing_is_drawn_there() {
    let server = Server::start().await;
    // two wings and a bridge between them; nothing is drawn on the border
    let mask: Vec<_> = (0..12)
        .map(|y| match y {
            0 | 11 => " ".repeat(24),
            5 | 6 => format!(" {} ", "#".repeat(22)),
            _ => format!(" {}{}{} ", "#".repeat(8), " ".repeat(6), "#".repeat(8)),
        })
        .collect();
    for seed in 0..5 {
        let recipe = json!({"algo": "bsp", "seed": seed, "mask": mask, "rooms": 4, "openings": true});
        let level = answered(&server.client, "/maze", recipe.to_string()).await;
        let grid = matrix(&level);
        assert_eq!((&level["start"], &level["exit"]), (&json!([1, 1]), &json!([22, 10])));
        let on_border = |(x, y): &Tile| [0, 23].contains(x) || [0, 11].contains(y);
        let open: Vec<_> = places(&grid).filter(|at| on_border(at) && is_open(&grid, *at)).collect();
        assert_eq!(open, [(1, 0), (23, 10)], "{seed}");
    }
    // an end inland has nothing to open
    let inland = ["        ", "   ##   ", "  ####  ", "  ####  ", "        ", "        "];
    let inland = json!({"algo": "bsp", "seed": 7, "mask": inland, "openings": true});
    refusal(&server.client.post("/maze", inland.to_string()).await, 422, "exit");
}

/// A refusal, which must be a problem document that names this parameter alone; what it says.
fn refusal(answer: &Answer, status: u16, parameter: &str) -> String {
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (status, "application/problem+json"),
        "{}",
        answer.text()
    );
    assert_eq!((answer.faulty(), answer.header("cache-control")), (vec![parameter.to_owned()], "no-store"));
    answer.message(parameter)
}

/// A square of so many tiles without void but at these places.
fn square(side: usize, void: &[Tile]) -> Vec<String> {
    let character = |at| if void.contains(&at) { ' ' } else { '#' };
    (0..side).map(|y| (0..side).map(|x| character((x, y))).collect()).collect()
}

/// A way of single tiles that turns at each: down and right by turns.
fn staircase() -> Vec<String> {
    (0..12).map(|y| (0..12).map(|x| if x == y || x == y + 1 { '#' } else { ' ' }).collect()).collect()
}

#[tokio::test]
async fn a_mask_that_is_none_or_too_large_is_refused_with_what_is_wrong_with_it() {
    let server = Server::start().await;
    let too_large = square(DEFAULT_ROOM_MASK_SIDE as usize + 1, &[(9, 9)]);
    let in_two = ["        ", " ##  ## ", " ##  ## ", "        "].map(str::to_owned);
    let diagonal = ["    ", " #  ", "  # ", "    "].map(str::to_owned);
    let rows: [(&[String], u16, &[&str]); 9] = [
        (&["####", "###", "####"].map(str::to_owned), 400, &["row 1 has 3"]),
        (&[], 400, &[]),
        (&[String::new()], 400, &[]),
        (&["##", "##"].map(str::to_owned), 400, &["2 columns", "from 3"]),
        (&[" ".repeat(4), " ".repeat(4), " ".repeat(4)], 422, &["no tile"]),
        // the border is a wall, whatever is drawn there
        (&["####", "#  #", "####"].map(str::to_owned), 422, &["no tile"]),
        (&too_large, 400, &["513", "512"]),
        (&in_two, 422, &["[1,1]", "[5,1]"]),
        (&diagonal, 422, &["[1,1]", "[2,2]"]),
    ];
    for (mask, status, said) in rows {
        let recipe = json!({"algo": "bsp", "seed": 7, "mask": mask});
        for (route, more) in [
            ("/maze", json!({"seed": 8})),
            ("/maze", json!({})),
            ("/maze/path", json!({})),
            ("/maze/distances", json!({})),
            ("/maze/stats", json!({})),
            ("/maze/spawns", json!({})),
            ("/maze/verify", json!({"moves": ""})),
        ] {
            let message = refusal(&server.client.post(route, with(&recipe, more)).await, status, "mask");
            assert!(said.iter().all(|part| message.contains(part)), "{route}: {message}");
        }
    }
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn rooms_that_cannot_be_built_are_refused_for_every_seed_and_as_many_as_the_refusal_names_are_built() {
    let server = Server::start().await;
    let one = ["    ", "  # ", "    ", "    "].map(str::to_owned);
    let rows: [(&[String], Value, Option<u64>); 6] = [
        (&one, json!({"rooms": 2}), Some(1)),
        (&staircase(), json!({"rooms": 2, "min_room_area": 1}), Some(1)),
        // more than there are tiles, and fewer, but more than fit
        (&island(), json!({"rooms": 1_000}), None),
        (&island(), json!({"rooms": 9_007_199_254_740_991_u64}), None),
        (&island(), json!({"rooms": 30, "min_room_area": 9}), None),
        (&island(), json!({"rooms": 15, "min_room_area": 20, "door_size": 3}), None),
    ];
    for (mask, more, most) in rows {
        let ask = |seed: u64, more: &Value| {
            let recipe = json!({"algo": "bsp", "seed": seed, "mask": mask});
            server.client.post("/maze", with(&recipe, more.clone()))
        };
        let message = refusal(&ask(7, &more).await, 422, "rooms");
        assert_eq!(refusal(&ask(8, &more).await, 422, "rooms"), message, "it does not depend on the seed");
        let (_, named) = message.split_once("at most ").expect("the largest number");
        let named: u64 = named.split(' ').next().unwrap().parse().unwrap();
        assert!(named >= 1 && most.is_none_or(|most| most == named), "{more}: {message}");
        for seed in [7, 8] {
            let mut fewer = more.clone();
            fewer["rooms"] = named.into();
            let built = ask(seed, &fewer).await;
            assert_eq!(built.status, 200, "{fewer}: {}", built.text());
            assert_eq!(built.json()["rooms"].as_array().unwrap().len() as u64, named, "{fewer}");
        }
    }
    let large = json!({"algo": "bsp", "seed": 7, "mask": island(), "rooms": 1, "min_room_area": 1_000});
    let inside = island()[1..].iter().flat_map(|row| row.chars()).filter(|character| *character != ' ').count();
    let message = refusal(&server.client.post("/maze", large.to_string()).await, 422, "min_room_area");
    assert!(message.contains(&format!(" {inside} tiles")), "{message}");
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn the_limit_of_masks_for_rooms_is_a_setting_and_holds_for_nothing_else() {
    let program = Program::start(&[("MAZED_MAX_ROOM_MASK_SIDE", "20")]);
    let client = Client::new(format!("http://{}", program.addr));
    assert_eq!(client.level("/algorithms").await["limits"]["max_room_mask_side"], 20);
    let ask = |algo: &str, mask: Vec<String>| {
        let body = json!({"algo": algo, "seed": 7, "mask": mask}).to_string();
        let client = client.clone();
        async move { client.post("/maze", body).await }
    };
    let wide = island();
    let message = refusal(&ask("bsp", wide).await, 400, "mask");
    assert!(message.contains("30 columns") && message.contains("from 3 to 20"), "{message}");
    for (algo, side, void) in [("bsp", 20, true), ("bsp", 21, false), ("kruskal", 21, true)] {
        let void: &[Tile] = if void { &[(9, 9)] } else { &[] };
        assert_eq!(ask(algo, square(side, void)).await.status, 200, "{algo} {side}");
    }
    assert!(refusal(&ask("bsp", square(21, &[(9, 9)])).await, 400, "mask").contains("20"));
    assert_eq!(client.get("/maze?algo=bsp&size=21&seed=7").await.status, 200);
}

#[tokio::test]
async fn a_mask_that_leaves_nothing_out_is_none_whatever_is_drawn_on_its_border() {
    let server = Server::start().await;
    let (width, height) = (33, 24);
    let is_border = |x: usize, y: usize| x == 0 || y == 0 || x + 1 == width || y + 1 == height;
    let draw = |border: fn(usize, usize) -> char| -> Vec<String> {
        (0..height).map(|y| (0..width).map(|x| if is_border(x, y) { border(x, y) } else { '.' }).collect()).collect()
    };
    for options in ["", "&rooms=9&door_size=2", "&rooms=5&min_room_area=40&jitter=0&loops=0.5&exit=farthest"] {
        let bare = server.client.get(&format!("/maze?algo=bsp&width={width}&height={height}&seed=7{options}")).await;
        assert_eq!(bare.status, 200, "{}", bare.text());
        let mut fields = json!({"algo": "bsp", "seed": 7});
        for (name, value) in options.split('&').filter_map(|pair| pair.split_once('=')) {
            fields[name] = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        }
        for mask in [draw(|_, _| '#'), draw(|_, _| ' '), draw(|x, y| if (x * 7 + y * 5) % 3 == 0 { ' ' } else { '미' })]
        {
            let masked = server.client.post("/maze", with(&fields, json!({ "mask": mask }))).await;
            assert_eq!((masked.status, &masked.body), (200, &bare.body), "{options}");
            assert_eq!(masked.header("content-location"), bare.header("content-location"));
            assert_eq!((masked.header("cache-status"), masked.header("cache-control")), ("mazed; hit", "no-store"));
        }
    }
    // such a mask is under no limit of its own
    let more = "rooms=5&grid=none&solver=none";
    let bare = server.client.get(&format!("/maze?algo=bsp&size=513&seed=7&{more}")).await;
    let fields = json!({"algo": "bsp", "seed": 7, "rooms": 5, "grid": "none", "solver": "none"});
    let masked = server.client.post("/maze", with(&fields, json!({"mask": square(513, &[])}))).await;
    assert_eq!((masked.status, &masked.body), (200, &bare.body));
}

#[tokio::test]
async fn a_single_tile_is_a_room() {
    let server = Server::start().await;
    let body = json!({"algo": "bsp", "seed": 7, "mask": ["    ", "  # ", "    ", "    "], "rooms": 1});
    let level = answered(&server.client, "/maze", body.to_string()).await;
    assert_eq!((&level["start"], &level["exit"]), (&json!([2, 1]), &json!([2, 1])));
    assert_eq!(level["grid"], json!([[-1, 1, 1, 1], [-1, 1, 0, 1], [-1, 1, 1, 1], [-1, -1, -1, -1]]));
    assert_eq!(level["rooms"], json!([{"x": 2, "y": 1, "width": 1, "height": 1, "area": 1}]));
    assert_eq!((&level["doors"], &level["solution"]["length"]), (&json!([]), &json!(0)));
}
