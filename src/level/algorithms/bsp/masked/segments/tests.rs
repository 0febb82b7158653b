use std::collections::BTreeSet;

use super::*;
use crate::level::algorithms::bsp::masked::fixtures::mask_of;
use crate::level::rng::{Seed, Streams};

fn rng(index: u64) -> Rng {
    Streams::new(&Seed::Integer(7), "test", 0).stream(0, index)
}

/// A part with the tiles of a picture, and the splitter for it.
struct Fixture {
    ownership: Ownership,
    part: MaskPart,
    splitter: Splitter,
    size: [u32; 2],
}

impl Fixture {
    fn new(rows: &[&str]) -> Self {
        let mask = mask_of(rows);
        let mut ownership = Ownership::new(&mask);
        let part = ownership.reset(&mask, 2);
        let splitter = Splitter::new(&ownership);
        Self { ownership, part, splitter, size: [rows[0].len() as u32, rows.len() as u32] }
    }

    fn part(&mut self, (axis, position): (Axis, u32), door: u32, rng: &mut Rng) -> Option<Split> {
        let range = self.ownership.bounds(self.part)[axis.other() as usize];
        self.splitter.split(&self.ownership, self.part, Line { axis, position }, range, door, rng)
    }

    /// The picture with the side of each tile, or `#` for wall.
    fn picture(&mut self, split: &Split) -> Vec<String> {
        let [width, height] = self.size;
        let mut character = |x, y| {
            let tile = self.ownership.at([x, y]);
            if !self.ownership.owns(self.part, tile) {
                return ' ';
            }
            match self.splitter.side_of(split, tile) {
                CutSide::First => '1',
                CutSide::Second => '2',
                CutSide::Wall => '#',
            }
        };
        (1..=height).map(|y| (1..=width).map(|x| character(x, y)).collect()).collect()
    }

    /// The picture after a cut along a line, and the positions where a door fits.
    fn cut(&mut self, line: (Axis, u32), door: u32, rng: &mut Rng) -> Option<(Vec<String>, Vec<[u32; 2]>)> {
        let split = self.part(line, door, rng)?;
        let picture = self.picture(&split);
        let count = |side| picture.iter().map(|row| row.matches(side).count() as u32).sum::<u32>();
        assert_eq!(split.areas, ['1', '2'].map(count), "{picture:?}");
        let mut door_at = |number| self.splitter.door(&self.ownership, self.part, door, &split, number);
        assert_eq!(door_at(split.doors), None);
        let doors = (0..split.doors).map(|number| self.ownership.position(door_at(number).unwrap())).collect();
        Some((picture, doors))
    }
}

/// The picture with columns for rows.
fn turned(rows: &[&str]) -> Vec<String> {
    let column = |x: usize| rows.iter().map(|row| char::from(row.as_bytes()[x])).collect();
    (0..rows[0].len()).map(column).collect()
}

/// Checks for many streams that a cut along a row gives a picture and positions for a door, or fails if there are no
/// positions, and that a cut along the same column of the turned picture gives the same.
fn assert_cut(rows: &[&str], row: u32, door: u32, picture: &[&str], doors: &[[u32; 2]]) {
    let other = turned(rows);
    let other: Vec<_> = other.iter().map(String::as_str).collect();
    for stream in 0..20 {
        if doors.is_empty() {
            assert!(Fixture::new(rows).part((Axis::Y, row), door, &mut rng(stream)).is_none());
            assert!(Fixture::new(&other).part((Axis::X, row), door, &mut rng(stream)).is_none());
            continue;
        }
        let cut = Fixture::new(rows).cut((Axis::Y, row), door, &mut rng(stream)).unwrap();
        assert_eq!((cut.0, &cut.1[..]), (picture.iter().map(ToString::to_string).collect(), doors));
        let cut = Fixture::new(&other).cut((Axis::X, row), door, &mut rng(stream)).unwrap();
        assert_eq!(cut, (turned(picture), doors.iter().map(|[x, y]| [*y, *x]).collect()));
    }
}

#[test]
fn across_a_ring_both_segments_become_wall() {
    let ring = ["#####", "#   #", "#   #", "#####"];
    assert_cut(&ring, 2, 1, &["11111", "#   #", "2   2", "22222"], &[[1, 2], [5, 2]]);
    let wide = ["#######", "##   ##", "##   ##", "##   ##", "#######"];
    let cut = ["1111111", "11   11", "##   ##", "22   22", "2222222"];
    assert_cut(&wide, 3, 1, &cut, &[[1, 3], [2, 3], [6, 3], [7, 3]]);
    assert_cut(&wide, 3, 2, &cut, &[[1, 3], [6, 3]]);
    assert_cut(&wide, 3, 3, &cut, &[]);
}

#[test]
fn doors_fit_where_the_two_sides_face_each_other() {
    let whole = ["####", "####", "####"];
    let cut = ["1111", "####", "2222"];
    assert_cut(&whole, 2, 1, &cut, &[[1, 2], [2, 2], [3, 2], [4, 2]]);
    assert_cut(&whole, 2, 3, &cut, &[[1, 2], [2, 2]]);
    // a hole beside the wall interrupts the positions
    let holed = ["#######", "#######", "### ###", "#######"];
    let cut = ["1111111", "#######", "222 222", "2222222"];
    assert_cut(&holed, 2, 2, &cut, &[[1, 2], [2, 2], [5, 2], [6, 2]]);
    assert_cut(&holed, 2, 3, &cut, &[[1, 2], [5, 2]]);
    assert_cut(&holed, 2, 4, &cut, &[]);
    // the first segment is opened, so that the second one has the same side above and below its first tile
    let hooked = ["####  #", "#  #  #", "#  ####", "#  #  #", "#######"];
    assert_cut(&hooked, 3, 1, &["1111  2", "1  1  2", "1  ####", "1  1  1", "1111111"], &[[7, 3]]);
}

#[test]
fn in_a_staircase_no_door_fits() {
    let staircase = ["##   ", " ##  ", "  ## ", "   ##"];
    for line in [(Axis::Y, 2), (Axis::Y, 3), (Axis::X, 2), (Axis::X, 3), (Axis::X, 4)] {
        assert!(Fixture::new(&staircase).part(line, 1, &mut rng(0)).is_none(), "{line:?}");
    }
}

/// How often each segment of a row, given by its first tile, is the only one that becomes wall.
fn wall_counts(fixture: &mut Fixture, row: u32, firsts: &[u32], door: u32, streams: u64) -> Vec<u32> {
    let mut counts = vec![0; firsts.len()];
    for stream in 0..streams {
        let (picture, _) = fixture.cut((Axis::Y, row), door, &mut rng(stream)).unwrap();
        let is_wall = |first: &u32| picture[row as usize - 1].as_bytes()[*first as usize - 1] == b'#';
        assert_eq!(firsts.iter().filter(|first| is_wall(first)).count(), 1, "{picture:?}");
        counts[firsts.iter().position(is_wall).unwrap()] += 1;
    }
    counts
}

#[test]
fn each_tooth_of_a_comb_is_equally_likely_to_be_cut_off() {
    let mut comb = Fixture::new(&["# # # # #", "# # # # #", "# # # # #", "#########"]);
    let counts = wall_counts(&mut comb, 2, &[1, 3, 5, 7, 9], 1, 5_000);
    // each of five teeth a thousand times, plus or minus four standard deviations of 28
    assert!(counts.iter().all(|count| count.abs_diff(1_000) < 113), "{counts:?}");
}

#[test]
fn a_segment_with_a_reserved_tile_never_becomes_wall() {
    let mut comb = Fixture::new(&["# # # # #", "# # # # #", "# # # # #", "#########"]);
    // reserves the second and the third tooth
    let door = comb.ownership.at([4, 2]);
    comb.ownership.set_reserved_beside(Axis::X, door, 1, true);
    let counts = wall_counts(&mut comb, 2, &[1, 3, 5, 7, 9], 1, 3_000);
    assert_eq!(counts[1..3], [0, 0]);
    assert!([0, 3, 4].iter().all(|tooth| counts[*tooth].abs_diff(1_000) < 104), "{counts:?}");
    let mut ring = Fixture::new(&["#####", "##  #", "#   #", "#####"]);
    let door = ring.ownership.at([3, 2]);
    assert!(ring.part((Axis::Y, 2), 1, &mut rng(0)).is_some());
    ring.ownership.set_reserved_beside(Axis::X, door, 1, true);
    assert!(ring.part((Axis::Y, 2), 1, &mut rng(0)).is_none(), "the two sides stay joined");
    assert!(ring.part((Axis::Y, 3), 1, &mut rng(0)).is_some());
}

#[test]
fn segments_without_room_for_a_door_are_opened_first() {
    let mut comb = Fixture::new(&["#       ", "#   # ##", "##  # ##", " #  # ##", "########"]);
    let firsts = [1, 5, 7];
    assert_eq!(wall_counts(&mut comb, 3, &firsts, 1, 100)[0], 0, "though its side is as large as the others");
    let mut comb = Fixture::new(&["#   #   ", "#   # ##", "##  # ##", " #  # ##", "########"]);
    let counts = wall_counts(&mut comb, 3, &firsts, 1, 1_000);
    assert_eq!(counts[0], 0);
    // half of a thousand times, plus or minus four standard deviations of 16
    assert!(counts[1].abs_diff(500) < 64, "{counts:?}");
    assert_eq!(wall_counts(&mut comb, 3, &firsts, 2, 100), [0, 0, 100]);
}

#[test]
fn three_remaining_pieces_are_not_two_sides() {
    for crossing in [["# #", "# #", "###", " # ", " # "], ["# #", "# #", "###", "# #", "# #"]] {
        for stream in 0..20 {
            assert!(Fixture::new(&crossing).part((Axis::Y, 3), 1, &mut rng(stream)).is_none(), "{crossing:?}");
        }
    }
    // a plus falls into only two pieces
    let plus = Fixture::new(&["  #  ", "#####", "  #  "]).cut((Axis::Y, 2), 1, &mut rng(0));
    assert_eq!(plus, Some((["  1  ", "#####", "  2  "].map(str::to_owned).to_vec(), vec![[3, 2]])));
    // the first segment joins three of four pieces; if the second, which joins two, is opened first, three remain
    let mut both = Fixture::new(&["# # #", "# # #", "### #", "#   #", "#####"]);
    let cuts = (0..1_000).filter_map(|stream| both.cut((Axis::Y, 3), 1, &mut rng(stream)));
    let pictures: Vec<_> = cuts.map(|(picture, _)| picture).collect();
    assert!(pictures.iter().all(|picture| *picture == ["1 1 2", "1 1 2", "111 #", "1   1", "11111"]));
    assert!((400..900).contains(&pictures.len()), "{}", pictures.len());
}

#[test]
fn a_small_leftover_becomes_wall_unless_it_is_reserved() {
    let whole = "########";
    let cut = |fixture: &mut Fixture| fixture.cut((Axis::Y, 4), 1, &mut rng(0)).map(|(picture, _)| picture);
    // the tile at column 7 of row 3 touches only the line, because the tile above it is outside
    let rows = [whole, "#####   ", "##### # ", whole, whole, whole];
    let filled = ["11111111", "11111   ", "11111 # ", "########", "22222222", "22222222"];
    let mut fixture = Fixture::new(&rows);
    assert_eq!(cut(&mut fixture), Some(filled.map(str::to_owned).to_vec()));
    let door = fixture.ownership.at([6, 3]);
    fixture.ownership.set_reserved_beside(Axis::X, door, 1, true);
    let reserved = cut(&mut fixture);
    assert!(reserved.is_none_or(|picture| picture[2] != filled[2]));
}

/// The number of connected pieces.
fn count_pieces(is_in: impl Fn(usize, usize) -> bool) -> usize {
    let mut left: BTreeSet<_> = (0..81).map(|i| [i % 9, i / 9]).filter(|[x, y]| is_in(*x, *y)).collect();
    let mut count = 0;
    while let Some(first) = left.pop_first() {
        count += 1;
        let mut waiting = vec![first];
        while let Some([x, y]) = waiting.pop() {
            let around = [[x.wrapping_sub(1), y], [x + 1, y], [x, y.wrapping_sub(1)], [x, y + 1]];
            waiting.extend(around.into_iter().filter(|next| left.remove(next)));
        }
    }
    count
}

/// Checks a cut along a row.
fn check(picture: &[String], doors: &[[u32; 2]], row: usize, door: usize) {
    let at = |x: usize, y: usize| picture[y].as_bytes()[x];
    for side in [b'1', b'2'] {
        assert_eq!(count_pieces(|x, y| at(x, y) == side), 1, "{picture:?}");
    }
    assert_eq!(count_pieces(|x, y| [b'1', b'2'].contains(&at(x, y))), 2, "{picture:?}");
    assert!(picture[row].contains('#'), "{picture:?}");
    // off the line, only leftovers that touch nothing but walls became wall
    let filled: Vec<_> = (0..81).map(|i| (i % 9, i / 9)).filter(|&(x, y)| y != row && at(x, y) == b'#').collect();
    assert!(filled.len() <= 81 / LEFTOVER_DIVISOR as usize, "{picture:?}");
    for (x, y) in filled {
        let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        let mut near = around.into_iter().filter(|&(x, y)| x < 9 && y < 9);
        assert!(!near.any(|(x, y)| [b'1', b'2'].contains(&at(x, y))), "{picture:?}");
    }
    let beside = |x: usize| [at(x, row - 1), at(x, row + 1)];
    let separates = |x: usize| at(x, row) == b'#' && [*b"12", *b"21"].contains(&beside(x));
    let fits = (0..=9 - door).filter(|x| (*x..x + door).all(separates)).map(|x| [x as u32 + 1, row as u32 + 1]);
    assert_eq!(doors, fits.collect::<Vec<_>>(), "{picture:?}");
    let mut first = 0;
    for segment in picture[row].split(' ') {
        if segment.contains('#') {
            assert!(segment.bytes().all(|tile| tile == b'#'), "{picture:?}");
            let touched = (first..first + segment.len()).flat_map(beside).collect::<BTreeSet<_>>();
            assert!(touched.is_superset(&BTreeSet::from(*b"12")), "{picture:?}");
        }
        first += segment.len() + 1;
    }
}

#[test]
fn both_sides_are_connected_and_every_wall_is_between_them() {
    let mut cuts = 0;
    for number in 0..300 {
        let mut rng = rng(number);
        // removes random tiles of a square, as long as it stays in one piece
        let mut is_open = [[true; 9]; 9];
        for _ in 0..40 {
            let [x, y] = [0; 2].map(|_: u32| rng.below(9) as usize);
            let was = is_open[y][x];
            is_open[y][x] = false;
            is_open[y][x] = was && count_pieces(|x, y| is_open[y][x]) > 1;
        }
        let rows = is_open.map(|row| row.map(|is_open| if is_open { '#' } else { ' ' }).iter().collect::<String>());
        let mut fixture = Fixture::new(&rows.each_ref().map(String::as_str));
        let bounds = fixture.ownership.bounds(fixture.part);
        for (axis, door) in [(Axis::X, 1), (Axis::X, 2), (Axis::Y, 1), (Axis::Y, 2)] {
            let [low, high] = bounds[axis as usize];
            for position in low + 1..high {
                let mut same = rng.clone();
                let Some(cut) = fixture.cut((axis, position), door, &mut rng) else { continue };
                let mut fresh = Fixture::new(&rows.each_ref().map(String::as_str));
                assert_eq!(fresh.cut((axis, position), door, &mut same).as_ref(), Some(&cut), "earlier lines matter");
                let (picture, doors) = cut;
                let reserved = |x: u32, y: u32| fixture.ownership.is_reserved(fixture.ownership.at([x + 1, y + 1]));
                let mut walls = (0..81).filter(|i| picture[*i as usize / 9].as_bytes()[*i as usize % 9] == b'#');
                assert!(!walls.any(|i| reserved(i % 9, i / 9)), "{picture:?}");
                if axis == Axis::Y {
                    check(&picture, &doors, position as usize - 1, door as usize);
                } else {
                    let doors: Vec<_> = doors.iter().map(|[x, y]| [*y, *x]).collect();
                    let picture: Vec<_> = picture.iter().map(String::as_str).collect();
                    check(&turned(&picture), &doors, position as usize - 1, door as usize);
                }
                cuts += 1;
            }
        }
    }
    assert!(cuts > 3_000, "{cuts}");
}
