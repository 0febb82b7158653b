//! Rooms in masks, as a client sees them.

mod errors;
mod levels;
mod queries;

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::api::{Answer, Client};

/// A mask: an island of 30 by 20 tiles with a lake. Two characters mark its tiles, which must not matter.
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

/// Recipes of rooms in the island with different options.
fn recipes() -> [Value; 5] {
    [
        json!({"algo": "bsp", "seed": 7, "mask": island()}),
        json!({"algo": "bsp", "seed": "level-1", "mask": island(), "rooms": 1}),
        json!({"algo": "bsp", "seed": -1, "mask": island(), "rooms": 9, "door_size": 2, "jitter": 0.9}),
        json!({"algo": "bsp", "seed": 7, "mask": island(), "rooms": 12, "min_room_area": 4, "loops": 1}),
        json!({"algo": "bsp", "seed": 8, "mask": island(), "rooms": 6, "start": "farthest", "exit": "farthest"}),
    ]
}

/// A recipe with more fields.
fn with(recipe: &Value, more: Value) -> String {
    let (Value::Object(mut body), Value::Object(more)) = (recipe.clone(), more) else { panic!("no recipe: {recipe}") };
    body.extend(more);
    Value::from(body).to_string()
}

/// A recipe without its mask, for messages.
fn brief(recipe: &Value) -> String {
    with(recipe, json!({"mask": "the mask"}))
}

/// The JSON of the response to a request that must succeed.
async fn post_ok(client: &Client, route: &str, body: String) -> Value {
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

/// The field `grid` of a response.
fn matrix(level: &Value) -> Vec<Vec<i64>> {
    serde_json::from_value(level["grid"].clone()).unwrap()
}

fn positions(grid: &[Vec<i64>]) -> impl Iterator<Item = Tile> + use<> {
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

/// Steps from a tile to every open tile, `-1` for tiles that cannot be reached.
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

/// Checks a path: every step leads to an open tile beside the one before.
fn assert_legal(grid: &[Vec<i64>], path: &[Tile], endpoints: [Tile; 2], what: &str) {
    assert_eq!([path[0], *path.last().unwrap()], endpoints, "{what}");
    assert!(path.iter().all(|at| is_open(grid, *at)), "{what}: a path through a wall");
    assert!(path.windows(2).all(|step| beside(step[0]).any(|next| next == step[1])), "{what}: not a step");
}

/// Checks each tile against the mask: open tiles are inside, and a tile is void if it is a space and touches no open
/// tile.
fn assert_keeps_to(mask: &[String], grid: &[Vec<i64>], what: &str) {
    for (x, y) in positions(grid) {
        let is_space = mask[y].as_bytes()[x] == b' ';
        let near = |at: usize, most: usize| at.saturating_sub(1)..(at + 2).min(most);
        let touches_open = near(y, grid.len()).any(|y| near(x, grid[0].len()).any(|x| is_open(grid, (x, y))));
        assert!(!is_space || grid[y][x] != 0, "{what}: [{x},{y}] is open, but outside");
        assert_eq!(grid[y][x] == -1, is_space && !touches_open, "{what}: [{x},{y}]");
    }
}

/// Checks that a response is a problem document that names only this parameter, and returns its message.
fn error_message(answer: &Answer, status: u16, parameter: &str) -> String {
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (status, "application/problem+json"),
        "{}",
        answer.text()
    );
    assert_eq!((answer.faulty(), answer.header("cache-control")), (vec![parameter.to_owned()], "no-store"));
    answer.message(parameter)
}

/// A square mask with void tiles only at these positions.
fn square(side: usize, void: &[Tile]) -> Vec<String> {
    let character = |at| if void.contains(&at) { ' ' } else { '#' };
    (0..side).map(|y| (0..side).map(|x| character((x, y))).collect()).collect()
}
