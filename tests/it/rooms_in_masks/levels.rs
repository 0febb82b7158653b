//! The levels: rooms, doors and void tiles are as promised.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::api::Server;
use crate::rooms_in_masks::*;

/// Checks `rooms` and `doors` against the grid: without the doors, the rooms are the connected sets of open tiles in
/// row-major order of their first tiles; each door is a straight run between its two rooms.
fn assert_divided(level: &Value, grid: &[Vec<i64>], what: &str) {
    let doors = level["doors"].as_array().unwrap();
    let mut shut = grid.to_vec();
    for (x, y) in doors.iter().flat_map(|door| tiles(&door["tiles"])) {
        assert_eq!(shut[y][x], 0, "{what}: a door that is shut, or two doors on one tile");
        shut[y][x] = 1;
    }
    let mut room_of = vec![vec![None; grid[0].len()]; grid.len()];
    let mut rooms = vec![];
    for first in positions(grid) {
        if !is_open(&shut, first) || room_of[first.1][first.0].is_some() {
            continue;
        }
        let reached = distances(&shut, first);
        let of_room: Vec<_> = positions(grid).filter(|(x, y)| reached[*y][*x] >= 0).collect();
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
                "{what}: {door} does not lie between these rooms"
            );
        }
    }
    let loops = level["options"]["loops"].as_f64().unwrap() > 0.0;
    assert!(doors.len() + 1 == rooms.len() || loops && doors.len() + 1 > rooms.len(), "{what}: {} doors", doors.len());
    let (start, open) = (tile(&level["start"]), grid.iter().flatten().filter(|tile| **tile == 0).count());
    let reached = distances(grid, start).iter().flatten().filter(|steps| **steps >= 0).count();
    assert_eq!(reached, open, "{what}: not all rooms are connected");
}

#[tokio::test]
async fn rooms_doors_and_void_tiles_are_as_promised_in_every_form_of_the_grid() {
    let server = Server::start().await;
    for recipe in recipes() {
        let (what, post) = (brief(&recipe), |more: Value| post_ok(&server.client, "/maze", with(&recipe, more)));
        let level = post(json!({})).await;
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

        let rows = post(json!({"grid": "rows"})).await;
        let expected = grid.iter().map(|row| row.iter().map(|tile| ['.', '#', ' '][tile.rem_euclid(3) as usize]));
        assert_eq!(rows["rows"], json!(expected.map(Iterator::collect::<String>).collect::<Vec<_>>()), "{what}");
        let bits = post(json!({"grid": "bits"})).await;
        let bits = STANDARD.decode(bits["bits"].as_str().unwrap()).unwrap();
        assert_eq!(bits.len(), 20 * 4, "{what}");
        for (x, y) in positions(&grid) {
            assert_eq!(bits[y * 4 + x / 8] >> (7 - x % 8) & 1 == 0, is_open(&grid, (x, y)), "{what}: [{x},{y}]");
        }
        let none = post(json!({"grid": "none", "path": "moves"})).await;
        assert!(["grid", "rows", "bits"].iter().all(|form| none[form].is_null()), "{what}");
        for same in ["rooms", "doors", "start", "exit", "options"] {
            assert!(none[same] == level[same] && rows[same] == level[same], "{what}: {same}");
        }
    }
}

#[tokio::test]
async fn a_level_is_built_once_for_its_mask_whatever_characters_mark_it_and_once_for_each_seed() {
    let server = Server::start().await;
    let post = |seed: u64, mask: Vec<String>| {
        let body = json!({"algo": "bsp", "seed": seed, "mask": mask}).to_string();
        server.client.post("/maze", body)
    };
    let first = post(7, island()).await;
    let repeated = post(7, island()).await;
    let other_characters = post(7, island().iter().map(|row| row.replace('~', "미")).collect()).await;
    let other_seed = post(8, island()).await;
    let statuses = [&first, &repeated, &other_characters, &other_seed].map(|answer| answer.header("cache-status"));
    assert_eq!(statuses, ["mazed; fwd=miss", "mazed; hit", "mazed; hit", "mazed; fwd=miss"]);
    for answer in [&first, &repeated, &other_characters, &other_seed] {
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!((answer.header("etag"), answer.header("content-location")), ("", ""));
    }
    assert_eq!([&repeated.body, &other_characters.body], [&first.body; 2]);
    assert_ne!(other_seed.json()["grid"], first.json()["grid"]);
    assert_eq!(server.client.generations().await, 2);
}

#[tokio::test]
async fn openings_are_in_the_border_beside_the_endpoints_though_the_mask_has_spaces_there() {
    let server = Server::start().await;
    // two wings and a bridge between them; the border is spaces
    let mask: Vec<_> = (0..12)
        .map(|y| match y {
            0 | 11 => " ".repeat(24),
            5 | 6 => format!(" {} ", "#".repeat(22)),
            _ => format!(" {}{}{} ", "#".repeat(8), " ".repeat(6), "#".repeat(8)),
        })
        .collect();
    for seed in 0..5 {
        let recipe = json!({"algo": "bsp", "seed": seed, "mask": mask, "rooms": 4, "openings": true});
        let level = post_ok(&server.client, "/maze", recipe.to_string()).await;
        let grid = matrix(&level);
        assert_eq!((&level["start"], &level["exit"]), (&json!([1, 1]), &json!([22, 10])));
        let on_border = |(x, y): &Tile| [0, 23].contains(x) || [0, 11].contains(y);
        let open: Vec<_> = positions(&grid).filter(|at| on_border(at) && is_open(&grid, *at)).collect();
        assert_eq!(open, [(1, 0), (23, 10)], "{seed}");
    }
    // an endpoint that touches no border has nothing to open
    let inland = ["        ", "   ##   ", "  ####  ", "  ####  ", "        ", "        "];
    let inland = json!({"algo": "bsp", "seed": 7, "mask": inland, "openings": true});
    error_message(&server.client.post("/maze", inland.to_string()).await, 422, "exit");
}

#[tokio::test]
async fn a_mask_without_void_tiles_is_the_same_as_no_mask_whatever_its_border_is() {
    let server = Server::start().await;
    let (width, height) = (33, 24);
    let is_border = |x: usize, y: usize| x == 0 || y == 0 || x + 1 == width || y + 1 == height;
    let mask_with = |border: fn(usize, usize) -> char| -> Vec<String> {
        (0..height).map(|y| (0..width).map(|x| if is_border(x, y) { border(x, y) } else { '.' }).collect()).collect()
    };
    for options in ["", "&rooms=9&door_size=2", "&rooms=5&min_room_area=40&jitter=0&loops=0.5&exit=farthest"] {
        let bare = server.client.get(&format!("/maze?algo=bsp&width={width}&height={height}&seed=7{options}")).await;
        assert_eq!(bare.status, 200, "{}", bare.text());
        let mut fields = json!({"algo": "bsp", "seed": 7});
        for (name, value) in options.split('&').filter_map(|pair| pair.split_once('=')) {
            fields[name] = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        }
        for mask in [
            mask_with(|_, _| '#'),
            mask_with(|_, _| ' '),
            mask_with(|x, y| if (x * 7 + y * 5) % 3 == 0 { ' ' } else { '미' }),
        ] {
            let masked = server.client.post("/maze", with(&fields, json!({ "mask": mask }))).await;
            assert_eq!((masked.status, &masked.body), (200, &bare.body), "{options}");
            assert_eq!(masked.header("content-location"), bare.header("content-location"));
            assert_eq!((masked.header("cache-status"), masked.header("cache-control")), ("mazed; hit", "no-store"));
        }
    }
    // the limit for masks does not apply to such a mask
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
    let level = post_ok(&server.client, "/maze", body.to_string()).await;
    assert_eq!((&level["start"], &level["exit"]), (&json!([2, 1]), &json!([2, 1])));
    assert_eq!(level["grid"], json!([[-1, 1, 1, 1], [-1, 1, 0, 1], [-1, 1, 1, 1], [-1, -1, -1, -1]]));
    assert_eq!(level["rooms"], json!([{"x": 2, "y": 1, "width": 1, "height": 1, "area": 1}]));
    assert_eq!((&level["doors"], &level["solution"]["length"]), (&json!([]), &json!(0)));
}
