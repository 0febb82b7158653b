//! Tests of the explorer on levels drawn by hand, and of what the difficulty promises.

use proptest::prelude::*;

use super::*;
use crate::level::fixtures::map;
use crate::level::grid::{Bitmap, Direction, Door, Grid, Layout, OpenTiles, Plan, Room, Tile};
use crate::level::recipe::Limits;
use crate::level::solvers::SOLVERS;
use crate::level::work::{Buffers, Cancel};

fn of(level: &Level) -> Rating {
    rate(level, &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() }).unwrap()
}

fn build(pairs: &[(&str, &str)]) -> Level {
    let recipe = Recipe::from_pairs(pairs, Limits::of_side(4001)).unwrap();
    Level::build(recipe, &mut JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() }).unwrap()
}

#[test]
fn the_solution_is_that_of_bfs() {
    let row = SOLVERS.iter().find(|row| row.name == "bfs").unwrap();
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
    for algorithm in ["kruskal", "dfs", "bsp"] {
        let level = build(&[("algo", algorithm), ("seed", "7")]);
        assert_eq!(
            solvers::shortest(&level, &mut context),
            (row.solve)(&level, level.start(), level.exit(), &mut context)
        );
    }
}

/// A level without rooms of 5 by 5 inner tiles. Start and exit are open tiles, counted in row-major order.
fn drawn(rows: [&str; 5], start: usize, exit: usize) -> Rating {
    let open: Vec<_> = rows.concat().bytes().map(|byte| byte != b'#').collect();
    of(&map(7, &open, start, exit).unwrap())
}

#[test]
fn the_explorer_walks_as_the_definition_says() {
    for (rows, [start, exit], [length, effort], difficulty) in [
        // nothing but the way
        ([".....", "#####", "#####", "#####", "#####"], [0, 4], [4, 4], 0),
        // false branches that lead away from the exit
        ([".....", "#.#.#", "#.#.#", "###.#", "###.#"], [0, 4], [4, 4], 0),
        // a dead end of two tiles that comes nearer to the exit, in the corner below
        ([".....", ".###.", ".###.", "####.", "....."], [0, 10], [12, 16], 2_500),
        // up and right come equally near: up is first, and a dead end
        (["####.", "##.#.", "##...", "#####", "#####"], [3, 0], [4, 6], 3_333),
        // left and right lead equally far away: right is first, and a dead end
        (["##.##", "#####", "#...#", "#.###", "#...."], [2, 0], [0, 0], 0),
        // a ring
        ([".....", ".###.", ".###.", ".###.", "....."], [2, 13], [8, 8], 0),
        (["#####", "#####", "..#..", "#####", "#####"], [1, 1], [0, 0], 0),
    ] {
        let found = drawn(rows, start, exit);
        assert_eq!(
            (found.length, found.effort, found.difficulty.units()),
            (length, effort, difficulty),
            "{rows:?} {found:?}"
        );
    }
}

/// A tile.
const fn tile(x: u32, y: u32) -> Tile {
    Tile { x, y }
}

/// A level of rectangular rooms, each given by its first tile and its sides.
fn planned(side: u32, rooms: &[[u32; 4]], doors: Vec<Door>, [start, exit]: [Tile; 2]) -> Level {
    let mut open = Bitmap::new(side as usize, side as usize);
    let room = |&[x, y, width, height]: &[u32; 4]| Room { x, y, width, height, area: (width * height).into() };
    let rooms: Vec<_> = rooms.iter().map(room).collect();
    for room in &rooms {
        (room.y..room.y + room.height).for_each(|y| open.set_run(room.x as usize, y as usize, room.width as usize));
    }
    for tile in doors.iter().flat_map(Door::tiles) {
        open.set(tile.x as usize, tile.y as usize);
    }
    let pairs = [("algo", "bsp"), ("size", &*side.to_string()), ("seed", "0")];
    let recipe = Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap();
    let layout = Layout { grid: Grid::new(OpenTiles::Rooms(open)), parents: None, plan: Some(Plan { rooms, doors }) };
    Level::of_layout(recipe, layout, start, exit)
}

const fn door(first: Tile, along: Direction, length: u32, rooms: [u32; 2]) -> Door {
    Door { first, along, length, rooms }
}

#[test]
fn the_explorer_walks_through_rooms_as_the_definition_says() {
    // a room, a closet behind its right wall, a hall below both, and a room on the right of all
    let rooms = [[1, 1, 3, 3], [5, 1, 3, 3], [9, 1, 3, 7], [1, 5, 7, 3]];
    let [closet, below, right] = [tile(4, 2), tile(2, 4), tile(8, 6)];
    let doors = vec![
        door(closet, Direction::Down, 1, [0, 1]),
        door(below, Direction::Right, 1, [0, 3]),
        door(right, Direction::Down, 1, [2, 3]),
    ];
    for (start, exit, length, effort) in [
        // the closet is nearer to the exit: three steps to its door, two through it, and two back
        (tile(1, 1), tile(11, 1), 20, 26),
        // the exit in the same room, and on a door of it
        (tile(1, 1), tile(3, 3), 4, 4),
        (tile(1, 1), below, 4, 4),
        // both doors of the first room are eight tiles from the exit, and that of the closet is in an upper row
        (tile(1, 1), right, 12, 18),
        (tile(5, 1), right, 14, 14),
        // from a door the explorer sees both rooms
        (closet, tile(7, 3), 4, 4),
        (closet, tile(3, 3), 2, 2),
        (closet, tile(11, 1), 20, 20),
        // into the closet first, then back over the start and into the hall
        (below, tile(11, 1), 16, 26),
        (below, tile(7, 1), 8, 8),
        (right, below, 8, 8),
        (right, right, 0, 0),
    ] {
        let found = of(&planned(13, &rooms, doors.clone(), [start, exit]));
        assert_eq!((found.length, found.effort), (length, effort), "{start:?} {exit:?}");
    }
}

#[test]
fn from_a_door_the_explorer_begins_in_the_room_through_which_the_exit_is_nearer() {
    // a room in the form of an L, and one inside its bend; the way between the two doors is longer through the L
    let (arms, bend) = ([[1, 1, 9, 3], [1, 4, 3, 6]], [5, 5, 5, 5]);
    let doors = vec![door(tile(7, 4), Direction::Right, 1, [0, 1]), door(tile(4, 7), Direction::Down, 1, [0, 1])];
    let ends = [tile(7, 4), tile(4, 7)];
    let level = planned(11, &[arms[0], bend, arms[1]], doors, ends);
    let recipe = level.recipe().clone();
    let mut layout = level.into_layout();
    let plan = layout.plan.as_mut().unwrap();
    plan.rooms = vec![Room { x: 1, y: 1, width: 9, height: 9, area: 45 }, plan.rooms[1]];
    let found = of(&Level::of_layout(recipe, layout, ends[0], ends[1]));
    assert_eq!((found.length, found.effort), (6, 6));
}

#[test]
fn the_tile_of_a_long_door_that_is_nearest_to_the_exit_is_taken() {
    let rooms = [[1, 1, 9, 3], [1, 5, 9, 3]];
    let doors = || vec![door(tile(2, 4), Direction::Right, 5, [0, 1])];
    let effort = |start, exit| of(&planned(11, &rooms, doors(), [start, exit])).effort;
    // column 4 is that of the exit, so the explorer crosses there
    assert_eq!(effort(tile(9, 3), tile(4, 5)), 5 + 2);
    // column 6 is the last of the door: six columns on from the start, and two back in vain are none
    assert_eq!(effort(tile(1, 3), tile(9, 5)), 5 + 2 + 3);
    assert_eq!(effort(tile(3, 4), tile(6, 4)), 3, "along the door");
    assert_eq!(effort(tile(3, 4), tile(2, 7)), 1 + 3);
    let both_ways = vec![door(tile(2, 4), Direction::Right, 1, [0, 1]), door(tile(8, 4), Direction::Right, 1, [0, 1])];
    let found = of(&planned(11, &rooms, both_ways, [tile(2, 4), tile(8, 4)]));
    assert_eq!((found.length, found.effort), (8, 8), "two doors in one wall");
}

#[test]
fn of_equally_near_doors_the_first_in_row_major_order_is_taken() {
    // two rooms beside the start, equally near to the exit in a room on which only the second leads
    let rooms = [[1, 1, 7, 1], [1, 3, 3, 3], [5, 3, 3, 3], [1, 7, 7, 1]];
    let level = |open: u32| {
        let doors = vec![
            door(tile(2, 2), Direction::Right, 1, [0, 1]),
            door(tile(6, 2), Direction::Right, 1, [0, 2]),
            door(tile(4 * open - 2, 6), Direction::Right, 1, [open, 3]),
        ];
        of(&planned(9, &rooms, doors, [tile(4, 1), tile(4, 7)])).effort
    };
    assert_eq!(level(1), 2 + 2 + 2 + 2 + 2);
    assert_eq!(level(2), 2 + 2 + 2 + 4 + 2 + 2 + 2 + 2);
}

#[test]
fn more_steps_than_a_word_holds_are_counted() {
    // a room as wide as numbers go, with closets behind its lower wall at its two ends in turn
    const WIDTH: u32 = 1 << 31;
    let room = |x, y, width, height| Room { x, y, width, height, area: u64::from(width) * u64::from(height) };
    let mut plan = Plan { rooms: vec![room(1, 1, WIDTH, 1)], doors: vec![] };
    let middle = WIDTH / 2;
    for (number, at) in (1..).zip((0..8).flat_map(|i| [middle - 1_000_000_000 + 2 * i, middle + 1_000_000_001 - 2 * i]))
    {
        plan.rooms.push(room(at, 3, 1, 1));
        plan.doors.push(door(tile(at, 2), Direction::Right, 1, [0, number]));
    }
    // the exit is behind the closet that comes last
    plan.rooms.push(room(middle, 5, 1, 1));
    plan.doors.push(door(tile(middle, 4), Direction::Right, 1, [2, 17]));
    let level = planned(9, &[[1, 1, 7, 7]], vec![], [tile(1, 1), tile(middle, 5)]);
    let mut context = JobContext { buffers: &mut Buffers::default(), cancel: Cancel::never() };
    let effort = rooms::walk(&level, &plan, &mut context).unwrap().unwrap();
    assert!(effort > 15 * 1_900_000_000, "{effort}");
}

/// Draws a level of so many inner rows and columns from a part that is open or not, and asks for an effort.
fn inner(side: usize, is_open: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    (0..side * side).map(|i| is_open(i % side, i / side)).collect()
}

/// The number of a tile among the open ones.
fn number(side: usize, open: &[bool], (x, y): (usize, usize)) -> usize {
    open[..y * side + x].iter().filter(|open| **open).count()
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::default() })]

    /// A row of tiles is added below any level, joined to it at one tile only.
    #[test]
    fn a_false_branch_never_lowers_the_difficulty(
        open in proptest::collection::vec(proptest::bool::weighted(0.65), 49),
        [start, exit, mouth] in [0..49_usize, 0..49, 0..7],
        branch in proptest::collection::vec(proptest::bool::weighted(0.8), 7),
    ) {
        let tiles: Vec<_> = (0..49).filter(|i| open[*i]).collect();
        prop_assume!(!tiles.is_empty());
        let [start, exit] = [start, exit].map(|i| tiles[i % tiles.len()]);
        let level = |has_branch: bool| {
            let open = inner(9, |x, y| match y {
                _ if x >= 7 => false,
                0..7 => open[y * 7 + x],
                7 => has_branch && x == mouth && open[42 + x],
                _ => has_branch && branch[x],
            });
            let [start, exit] = [start, exit].map(|i| number(9, &open, (i % 7, i / 7)));
            of(&map(11, &open, start, exit).unwrap())
        };
        let (without, with) = (level(false), level(true));
        prop_assert_eq!(without.length, with.length);
        prop_assert!(without.effort <= with.effort && without.difficulty <= with.difficulty);
    }

    /// Any two pieces, one with the start and one with the exit, joined by a corridor.
    #[test]
    fn a_longer_corridor_that_must_be_walked_never_raises_the_difficulty(
        pieces in proptest::collection::vec(proptest::bool::weighted(0.65), 50),
        [start, exit, row] in [0..25_usize, 0..25, 0..5],
    ) {
        let mut last = None;
        for length in 1..6 {
            let is_open = |x: usize, y: usize| match x {
                _ if y >= 5 => false,
                0..5 => pieces[y * 5 + x],
                _ if x < 5 + length => y == row,
                _ if x < 10 + length => pieces[25 + y * 5 + x - 5 - length],
                _ => false,
            };
            let open = inner(15, is_open);
            let ends = [(start % 5, start / 5), (exit % 5 + 5 + length, exit / 5)];
            prop_assume!(ends.iter().all(|(x, y)| is_open(*x, *y)));
            let [start, exit] = ends.map(|end| number(15, &open, end));
            let found = of(&map(17, &open, start, exit).unwrap());
            // the pieces may not be joined at all
            prop_assume!(found.length > 0);
            prop_assert!(last.is_none_or(|difficulty| found.difficulty <= difficulty), "{found:?} after {last:?}");
            last = Some(found.difficulty);
        }
    }

    /// Rooms of different sides in rows and columns; a room without another door is a false branch.
    #[test]
    fn a_room_that_leads_nowhere_never_lowers_the_difficulty(
        columns in proptest::collection::vec(1..6_u32, 4),
        rows in proptest::collection::vec(1..6_u32, 4),
        is_door in proptest::collection::vec(proptest::bool::weighted(0.7), 24),
        at in proptest::collection::vec(0..6_u32, 24),
        [start, exit, closed] in [0..16_usize, 0..16, 0..16],
    ) {
        let begins = |sides: &[u32]| {
            sides.iter().scan(1, |at, side| Some(std::mem::replace(at, *at + side + 1))).collect()
        };
        let (xs, ys): (Vec<u32>, Vec<u32>) = (begins(&columns), begins(&rows));
        let rooms: Vec<_> = (0..16).map(|i| [xs[i % 4], ys[i / 4], columns[i % 4], rows[i / 4]]).collect();
        let mut doors = vec![];
        for i in 0..24 {
            let (along, number) = (if i < 12 { Direction::Down } else { Direction::Right }, i % 12);
            let room = if i < 12 { number / 3 * 4 + number % 3 } else { number };
            let [x, y, width, height] = rooms[room];
            let (first, other) = match along {
                Direction::Down => (tile(x + width, y + at[i] % height), room + 1),
                _ => (tile(x + at[i] % width, y + height), room + 4),
            };
            if is_door[i] {
                doors.push(door(first, along, 1, [room as u32, other as u32]));
            }
        }
        let of_closed = |door: &&Door| door.rooms.contains(&(closed as u32));
        prop_assume!(closed != start && closed != exit && doors.iter().filter(of_closed).count() == 1);
        let ends = [start, exit].map(|room| tile(rooms[room][0], rooms[room][1]));
        let found = |doors: &[Door]| of(&planned(26, &rooms, doors.to_vec(), ends));
        let with = found(&doors);
        doors.retain(|door| !of_closed(&door));
        let without = found(&doors);
        prop_assert_eq!(without.length, with.length);
        prop_assert!(without.effort <= with.effort && without.difficulty <= with.difficulty);
        prop_assert!(with.length <= with.effort);
    }
}

#[test]
fn a_corridor_without_a_choice_has_difficulty_0() {
    for length in ["3", "41", "201", "1001"] {
        let found = of(&build(&[("seed", "1"), ("width", length), ("height", "3")]));
        assert_eq!((found.difficulty.units(), found.effort), (0, found.length));
    }
    let spiral = [".....", "####.", "...#.", ".###.", "....."];
    let found = drawn(spiral, 0, 8);
    assert_eq!((found.length, found.effort, found.difficulty.units()), (16, 16, 0));
}

#[test]
fn a_cancelled_explorer_stops() {
    for pairs in [[("algo", "dfs"), ("size", "301")], [("algo", "bsp"), ("size", "301")]] {
        let level = build(&[&pairs[..], &[("seed", "1")]].concat());
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::when(&|| true) };
        let walked = match level.plan() {
            Some(plan) => rooms::walk(&level, plan, &mut context),
            None => tiles::walk(&level, &mut context),
        };
        assert_eq!(walked, Err(Cancelled));
    }
}
