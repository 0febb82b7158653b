use super::*;
use crate::level::algorithms::bsp::masked::fixtures::draw;

fn places(plot: &Ownership, part: Part) -> Vec<[u32; 2]> {
    plot.tiles(part).iter().map(|tile| plot.place(*tile)).collect()
}

/// The places of the tiles that must stay open.
fn kept(plot: &Ownership) -> Vec<[u32; 2]> {
    (0..plot.board() as u32).filter(|tile| plot.is_kept(*tile)).map(|tile| plot.place(tile)).collect()
}

/// Divides a part by a column.
fn divide(plot: &mut Ownership, part: Part, rooms: [u32; 2], column: u32) -> [Part; 2] {
    let columns = (1 << plot.shift) - 1;
    plot.divide(part, rooms, |tile| match (tile & columns).cmp(&column) {
        std::cmp::Ordering::Less => Side::First,
        std::cmp::Ordering::Equal => Side::Wall,
        std::cmp::Ordering::Greater => Side::Second,
    })
}

#[test]
fn a_tile_is_the_place_where_it_was_drawn() {
    // eight columns with the border: the board is no wider
    let mask = draw(&["  ## #", "#    #"]);
    let mut plot = Ownership::new(&mask);
    assert_eq!(plot.board(), 8 * 4);
    let whole = plot.reset(&mask, 3);
    assert_eq!((whole.area(), whole.rooms), (5, 3));
    assert_eq!(places(&plot, whole), [[3, 1], [4, 1], [6, 1], [1, 2], [6, 2]]);
    for &tile in plot.all() {
        let [x, y] = plot.place(tile);
        assert_eq!((plot.at([x, y]), plot.tile(tile)), (tile, Tile { x, y }));
        assert_eq!(plot.place(tile + plot.step(Axis::X)), [x + 1, y]);
        assert_eq!(plot.place(tile - plot.step(Axis::Y)), [x, y - 1]);
    }
    assert_eq!(plot.bounds(whole), [[1, 6], [1, 2]]);
    let mut open = Bitmap::new(8, 4);
    plot.paint(whole, &mut open);
    assert_eq!((open.count(), open.get(3, 1), open.get(1, 2), open.get(5, 1)), (5, true, true, false));
}

#[test]
fn sides_keep_their_order_and_a_part_that_has_its_tiles_back_is_whole() {
    let mask = draw(&["#######", "##   ##", "#######"]);
    let mut plot = Ownership::new(&mask);
    let whole = plot.reset(&mask, 9);
    let before = places(&plot, whole);
    // the second time the tiles stand in another order
    for [column, other] in [[4, 2], [3, 6]] {
        let here = places(&plot, whole);
        let sides = divide(&mut plot, whole, [4, 5], column);
        let of = |keep: fn(u32, u32) -> bool| -> Vec<_> {
            here.iter().copied().filter(|place| keep(place[0], column)).collect()
        };
        let expected = [of(|x, column| x < column), of(|x, column| x > column)];
        assert_eq!(sides.map(|side| places(&plot, side)), expected);
        assert_eq!(sides.map(|side| side.rooms), [4, 5]);
        for &tile in plot.all() {
            let is_in = [0, 1].map(|side| expected[side].contains(&plot.place(tile)));
            assert_eq!(sides.map(|side| plot.owns(side, tile)), is_in);
            let owner = is_in.iter().position(|is_in| *is_in).map(|side| sides[side].number);
            assert_eq!((plot.owner(tile), plot.owns(whole, tile)), (owner, false));
        }
        // cut once more, on the side where the column lies
        let again = sides[usize::from(other > column)];
        let rest = sides[usize::from(other < column)];
        let parts = divide(&mut plot, again, [1, 1], other);
        assert_eq!(places(&plot, rest), expected[usize::from(other < column)]);
        assert!(plot.tiles(rest).iter().all(|tile| plot.owns(rest, *tile)));
        assert!(parts.iter().all(|part| ![again, rest, whole].iter().any(|old| old.number == part.number)));
        plot.give_back(whole);
        assert!(plot.all().iter().all(|tile| plot.owner(*tile) == Some(whole.number)));
        let mut back = places(&plot, whole);
        back.sort_unstable_by_key(|[x, y]| (*y, *x));
        assert_eq!(back, before);
    }
    assert_ne!(places(&plot, whole), before, "else a reset has nothing to put in order");
    let whole = plot.reset(&mask, 1);
    assert_eq!(places(&plot, whole), before);
}

#[test]
fn a_tile_is_kept_as_long_as_a_door_beside_it_is_there() {
    let mask = draw(&["#####"; 5]);
    let mut plot = Ownership::new(&mask);
    plot.reset(&mask, 1);
    let endpoints = [[1, 1], [5, 5]];
    assert_eq!(kept(&plot), endpoints);
    let doors = [(Axis::X, plot.at([3, 3]), 2), (Axis::Y, plot.at([2, 2]), 3)];
    let claim = |plot: &mut Ownership, (axis, door, length): (Axis, u32, u32), claim: bool| {
        plot.keep_beside(axis, door, length, claim);
    };
    claim(&mut plot, doors[0], true);
    let first = [[1, 1], [2, 3], [4, 3], [2, 4], [4, 4], [5, 5]];
    assert_eq!(kept(&plot), first);
    claim(&mut plot, doors[1], true);
    assert_eq!(kept(&plot), [[1, 1], [2, 1], [3, 1], [4, 1], [2, 3], [3, 3], [4, 3], [2, 4], [4, 4], [5, 5]]);
    // both have [2,3] and [4,3] beside them
    claim(&mut plot, doors[1], false);
    assert_eq!(kept(&plot), first);
    claim(&mut plot, doors[1], true);
    claim(&mut plot, doors[0], false);
    assert_eq!(kept(&plot), [[1, 1], [2, 1], [3, 1], [4, 1], [2, 3], [3, 3], [4, 3], [5, 5]]);
    plot.reset(&mask, 1);
    assert_eq!(kept(&plot), endpoints, "a reset forgets all doors");
    let mask = draw(&["  #", "###", "#  "]);
    let mut plot = Ownership::new(&mask);
    plot.reset(&mask, 1);
    assert_eq!(kept(&plot), [[3, 1], [1, 3]]);
}

#[test]
fn rooms_are_numbered_in_row_order_of_their_first_tiles() {
    let mask = draw(&["  # # ", "# # ##", "####  "]);
    let mut plot = Ownership::new(&mask);
    let whole = plot.reset(&mask, 3);
    // so that the tiles of a part are not in row order any more
    divide(&mut plot, whole, [1, 2], 3);
    plot.give_back(whole);
    let [first, rest] = divide(&mut plot, whole, [1, 2], 2);
    let [second, third] = divide(&mut plot, rest, [1, 1], 5);
    assert_eq!(places(&plot, third), [[6, 2]]);
    let mut rooms = [first, third, second];
    plot.number_rooms(&mut rooms);
    assert_eq!(rooms.map(|room| room.number), [1, 2, 3]);
    assert_eq!(rooms.map(|room| plot.bounds(room)), [[[3, 4], [1, 3]], [[1, 1], [2, 3]], [[6, 6], [2, 2]]]);
    let owner = |place| plot.owner(plot.at(place));
    assert_eq!([[3, 1], [4, 3], [1, 2], [1, 3], [6, 2]].map(owner), [1, 1, 2, 2, 3].map(Some));
    assert_eq!([[2, 3], [5, 1], [5, 2], [2, 1]].map(owner), [None; 4]);
}
