use super::*;
use crate::level::algorithms::bsp::masked::fixtures::mask_of;

fn positions(ownership: &Ownership, part: MaskPart) -> Vec<[u32; 2]> {
    ownership.tiles(part).iter().map(|tile| ownership.position(*tile)).collect()
}

/// The positions of the reserved tiles.
fn reserved(ownership: &Ownership) -> Vec<[u32; 2]> {
    (0..ownership.board() as u32)
        .filter(|tile| ownership.is_reserved(*tile))
        .map(|tile| ownership.position(tile))
        .collect()
}

/// Divides a part by a column.
fn divide(ownership: &mut Ownership, part: MaskPart, rooms: [u32; 2], column: u32) -> [MaskPart; 2] {
    let columns = (1 << ownership.shift) - 1;
    ownership.divide(part, rooms, |tile| match (tile & columns).cmp(&column) {
        std::cmp::Ordering::Less => CutSide::First,
        std::cmp::Ordering::Equal => CutSide::Wall,
        std::cmp::Ordering::Greater => CutSide::Second,
    })
}

#[test]
fn tiles_are_at_the_positions_of_the_drawing() {
    // eight columns with the border, a power of two: the board is no wider
    let mask = mask_of(&["  ## #", "#    #"]);
    let mut ownership = Ownership::new(&mask);
    assert_eq!(ownership.board(), 8 * 4);
    let whole = ownership.reset(&mask, 3);
    assert_eq!((whole.area(), whole.rooms), (5, 3));
    assert_eq!(positions(&ownership, whole), [[3, 1], [4, 1], [6, 1], [1, 2], [6, 2]]);
    for &tile in ownership.all() {
        let [x, y] = ownership.position(tile);
        assert_eq!((ownership.at([x, y]), ownership.tile(tile)), (tile, Tile { x, y }));
        assert_eq!(ownership.position(tile + ownership.step(Axis::X)), [x + 1, y]);
        assert_eq!(ownership.position(tile - ownership.step(Axis::Y)), [x, y - 1]);
    }
    assert_eq!(ownership.bounds(whole), [[1, 6], [1, 2]]);
    let mut open = Bitmap::new(8, 4);
    ownership.paint(whole, &mut open);
    assert_eq!((open.count(), open.get(3, 1), open.get(1, 2), open.get(5, 1)), (5, true, true, false));
}

#[test]
fn sides_keep_their_order_and_a_restored_part_is_whole() {
    let mask = mask_of(&["#######", "##   ##", "#######"]);
    let mut ownership = Ownership::new(&mask);
    let whole = ownership.reset(&mask, 9);
    let before = positions(&ownership, whole);
    // the second time the tiles are in another order
    for [column, other] in [[4, 2], [3, 6]] {
        let here = positions(&ownership, whole);
        let sides = divide(&mut ownership, whole, [4, 5], column);
        let of = |keep: fn(u32, u32) -> bool| -> Vec<_> {
            here.iter().copied().filter(|position| keep(position[0], column)).collect()
        };
        let expected = [of(|x, column| x < column), of(|x, column| x > column)];
        assert_eq!(sides.map(|side| positions(&ownership, side)), expected);
        assert_eq!(sides.map(|side| side.rooms), [4, 5]);
        for &tile in ownership.all() {
            let is_in = [0, 1].map(|side| expected[side].contains(&ownership.position(tile)));
            assert_eq!(sides.map(|side| ownership.owns(side, tile)), is_in);
            let owner = is_in.iter().position(|is_in| *is_in).map(|side| sides[side].number);
            assert_eq!((ownership.owner(tile), ownership.owns(whole, tile)), (owner, false));
        }
        // cut once more, on the side where the column lies
        let again = sides[usize::from(other > column)];
        let rest = sides[usize::from(other < column)];
        let parts = divide(&mut ownership, again, [1, 1], other);
        assert_eq!(positions(&ownership, rest), expected[usize::from(other < column)]);
        assert!(ownership.tiles(rest).iter().all(|tile| ownership.owns(rest, *tile)));
        assert!(parts.iter().all(|part| ![again, rest, whole].iter().any(|old| old.number == part.number)));
        ownership.restore(whole);
        assert!(ownership.all().iter().all(|tile| ownership.owner(*tile) == Some(whole.number)));
        let mut back = positions(&ownership, whole);
        back.sort_unstable_by_key(|[x, y]| (*y, *x));
        assert_eq!(back, before);
    }
    assert_ne!(positions(&ownership, whole), before, "otherwise a reset has nothing to sort");
    let whole = ownership.reset(&mask, 1);
    assert_eq!(positions(&ownership, whole), before);
}

#[test]
fn a_tile_is_reserved_as_long_as_there_is_a_door_beside_it() {
    let mask = mask_of(&["#####"; 5]);
    let mut ownership = Ownership::new(&mask);
    ownership.reset(&mask, 1);
    let first_and_last = [[1, 1], [5, 5]];
    assert_eq!(reserved(&ownership), first_and_last);
    let doors = [(Axis::X, ownership.at([3, 3]), 2), (Axis::Y, ownership.at([2, 2]), 3)];
    let reserve = |ownership: &mut Ownership, (axis, door, length): (Axis, u32, u32), is_reserved: bool| {
        ownership.set_reserved_beside(axis, door, length, is_reserved);
    };
    reserve(&mut ownership, doors[0], true);
    let first = [[1, 1], [2, 3], [4, 3], [2, 4], [4, 4], [5, 5]];
    assert_eq!(reserved(&ownership), first);
    reserve(&mut ownership, doors[1], true);
    assert_eq!(reserved(&ownership), [[1, 1], [2, 1], [3, 1], [4, 1], [2, 3], [3, 3], [4, 3], [2, 4], [4, 4], [5, 5]]);
    // both doors have [2,3] and [4,3] beside them
    reserve(&mut ownership, doors[1], false);
    assert_eq!(reserved(&ownership), first);
    reserve(&mut ownership, doors[1], true);
    reserve(&mut ownership, doors[0], false);
    assert_eq!(reserved(&ownership), [[1, 1], [2, 1], [3, 1], [4, 1], [2, 3], [3, 3], [4, 3], [5, 5]]);
    ownership.reset(&mask, 1);
    assert_eq!(reserved(&ownership), first_and_last, "a reset removes all reservations");
    let mask = mask_of(&["  #", "###", "#  "]);
    let mut ownership = Ownership::new(&mask);
    ownership.reset(&mask, 1);
    assert_eq!(reserved(&ownership), [[3, 1], [1, 3]]);
}

#[test]
fn rooms_are_numbered_in_row_major_order_of_their_first_tiles() {
    let mask = mask_of(&["  # # ", "# # ##", "####  "]);
    let mut ownership = Ownership::new(&mask);
    let whole = ownership.reset(&mask, 3);
    // after a division the tiles of a part are no longer in row-major order
    divide(&mut ownership, whole, [1, 2], 3);
    ownership.restore(whole);
    let [first, rest] = divide(&mut ownership, whole, [1, 2], 2);
    let [second, third] = divide(&mut ownership, rest, [1, 1], 5);
    assert_eq!(positions(&ownership, third), [[6, 2]]);
    let mut rooms = [first, third, second];
    ownership.number_rooms(&mut rooms);
    assert_eq!(rooms.map(|room| room.number), [1, 2, 3]);
    assert_eq!(rooms.map(|room| ownership.bounds(room)), [[[3, 4], [1, 3]], [[1, 1], [2, 3]], [[6, 6], [2, 2]]]);
    let owner = |position| ownership.owner(ownership.at(position));
    assert_eq!([[3, 1], [4, 3], [1, 2], [1, 3], [6, 2]].map(owner), [1, 1, 2, 2, 3].map(Some));
    assert_eq!([[2, 3], [5, 1], [5, 2], [2, 1]].map(owner), [None; 4]);
}
