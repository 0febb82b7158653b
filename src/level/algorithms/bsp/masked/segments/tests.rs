use std::collections::BTreeSet;

use super::*;
use crate::level::algorithms::bsp::masked::fixtures::draw;
use crate::level::rng::{Seed, Streams};

fn rng(index: u64) -> Rng {
    Streams::new(&Seed::Integer(7), "test", 0).stream(0, index)
}

/// A drawn part, and what its lines make of it.
struct Drawn {
    plot: Ownership,
    part: Part,
    rule: ChordRule,
    size: [u32; 2],
}

impl Drawn {
    fn new(rows: &[&str]) -> Self {
        let mask = draw(rows);
        let mut plot = Ownership::new(&mask);
        let part = plot.reset(&mask, 2);
        let rule = ChordRule::new(&plot);
        Self { plot, part, rule, size: [rows[0].len() as u32, rows.len() as u32] }
    }

    fn part(&mut self, (axis, place): (Axis, u32), door: u32, rng: &mut Rng) -> Option<Parting> {
        let endpoints = self.plot.bounds(self.part)[axis.other() as usize];
        self.rule.part(&self.plot, self.part, Line { axis, place }, endpoints, door, rng)
    }

    /// The drawing with each tile's side, or `#` for wall.
    fn picture(&mut self, parting: &Parting) -> Vec<String> {
        let [width, height] = self.size;
        let mut character = |x, y| {
            let tile = self.plot.at([x, y]);
            if !self.plot.owns(self.part, tile) {
                return ' ';
            }
            match self.rule.side_of(parting, tile) {
                Side::First => '1',
                Side::Second => '2',
                Side::Wall => '#',
            }
        };
        (1..=height).map(|y| (1..=width).map(|x| character(x, y)).collect()).collect()
    }

    /// What a line makes of the drawing, and the places for a door.
    fn cut(&mut self, line: (Axis, u32), door: u32, rng: &mut Rng) -> Option<(Vec<String>, Vec<[u32; 2]>)> {
        let parting = self.part(line, door, rng)?;
        let picture = self.picture(&parting);
        let count = |side| picture.iter().map(|row| row.matches(side).count() as u32).sum::<u32>();
        assert_eq!(parting.areas, ['1', '2'].map(count), "{picture:?}");
        let mut place = |number| self.rule.door(&self.plot, self.part, door, &parting, number);
        assert_eq!(place(parting.doors), None);
        let doors = (0..parting.doors).map(|number| self.plot.place(place(number).unwrap())).collect();
        Some((picture, doors))
    }
}

/// The same with columns for rows.
fn turned(rows: &[&str]) -> Vec<String> {
    let column = |x: usize| rows.iter().map(|row| char::from(row.as_bytes()[x])).collect();
    (0..rows[0].len()).map(column).collect()
}

/// Whatever the stream, a row makes this of a drawing, and the same column of the drawing turned; with these places
/// for a door, or nothing where there are none.
fn assert_cut(rows: &[&str], row: u32, door: u32, picture: &[&str], doors: &[[u32; 2]]) {
    let other = turned(rows);
    let other: Vec<_> = other.iter().map(String::as_str).collect();
    for stream in 0..20 {
        if doors.is_empty() {
            assert!(Drawn::new(rows).part((Axis::Y, row), door, &mut rng(stream)).is_none());
            assert!(Drawn::new(&other).part((Axis::X, row), door, &mut rng(stream)).is_none());
            continue;
        }
        let cut = Drawn::new(rows).cut((Axis::Y, row), door, &mut rng(stream)).unwrap();
        assert_eq!((cut.0, &cut.1[..]), (picture.iter().map(ToString::to_string).collect(), doors));
        let cut = Drawn::new(&other).cut((Axis::X, row), door, &mut rng(stream)).unwrap();
        assert_eq!(cut, (turned(picture), doors.iter().map(|[x, y]| [*y, *x]).collect()));
    }
}

#[test]
fn across_a_ring_both_chords_are_walled_up() {
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
    // a hole interrupts them
    let holed = ["#######", "#######", "### ###", "#######"];
    let cut = ["1111111", "#######", "222 222", "2222222"];
    assert_cut(&holed, 2, 2, &cut, &[[1, 2], [2, 2], [5, 2], [6, 2]]);
    assert_cut(&holed, 2, 3, &cut, &[[1, 2], [5, 2]]);
    assert_cut(&holed, 2, 4, &cut, &[]);
    // the first chord is opened, so that the fourth column has one side above and below
    let hooked = ["####  #", "#  #  #", "#  ####", "#  #  #", "#######"];
    assert_cut(&hooked, 3, 1, &["1111  2", "1  1  2", "1  ####", "1  1  1", "1111111"], &[[7, 3]]);
}

#[test]
fn a_staircase_has_no_place_for_a_door() {
    let staircase = ["##   ", " ##  ", "  ## ", "   ##"];
    for line in [(Axis::Y, 2), (Axis::Y, 3), (Axis::X, 2), (Axis::X, 3), (Axis::X, 4)] {
        assert!(Drawn::new(&staircase).part(line, 1, &mut rng(0)).is_none(), "{line:?}");
    }
}

/// How often each chord of a row, told by its first tile, is walled up alone.
fn walled(drawn: &mut Drawn, row: u32, firsts: &[u32], door: u32, streams: u64) -> Vec<u32> {
    let mut counts = vec![0; firsts.len()];
    for stream in 0..streams {
        let (picture, _) = drawn.cut((Axis::Y, row), door, &mut rng(stream)).unwrap();
        let is_walled = |first: &u32| picture[row as usize - 1].as_bytes()[*first as usize - 1] == b'#';
        assert_eq!(firsts.iter().filter(|first| is_walled(first)).count(), 1, "{picture:?}");
        counts[firsts.iter().position(is_walled).unwrap()] += 1;
    }
    counts
}

#[test]
fn of_a_comb_any_one_tooth_is_walled_off() {
    let mut comb = Drawn::new(&["# # # # #", "# # # # #", "# # # # #", "#########"]);
    let counts = walled(&mut comb, 2, &[1, 3, 5, 7, 9], 1, 5_000);
    // each of five teeth a thousand times, give or take four standard deviations of 28
    assert!(counts.iter().all(|count| count.abs_diff(1_000) < 113), "{counts:?}");
}

#[test]
fn a_chord_with_a_tile_that_must_stay_open_is_never_walled_up() {
    let mut comb = Drawn::new(&["# # # # #", "# # # # #", "# # # # #", "#########"]);
    // keeps the second and the third tooth
    let door = comb.plot.at([4, 2]);
    comb.plot.keep_beside(Axis::X, door, 1, true);
    let counts = walled(&mut comb, 2, &[1, 3, 5, 7, 9], 1, 3_000);
    assert_eq!(counts[1..3], [0, 0]);
    assert!([0, 3, 4].iter().all(|tooth| counts[*tooth].abs_diff(1_000) < 104), "{counts:?}");
    let mut ring = Drawn::new(&["#####", "##  #", "#   #", "#####"]);
    let door = ring.plot.at([3, 2]);
    assert!(ring.part((Axis::Y, 2), 1, &mut rng(0)).is_some());
    ring.plot.keep_beside(Axis::X, door, 1, true);
    assert!(ring.part((Axis::Y, 2), 1, &mut rng(0)).is_none(), "the two sides are joined");
    assert!(ring.part((Axis::Y, 3), 1, &mut rng(0)).is_some());
}

#[test]
fn a_chord_where_no_door_fits_is_opened_before_those_where_one_does() {
    let mut comb = Drawn::new(&["#       ", "#   # ##", "##  # ##", " #  # ##", "########"]);
    let firsts = [1, 5, 7];
    assert_eq!(walled(&mut comb, 3, &firsts, 1, 100)[0], 0, "though it is as large as any");
    let mut comb = Drawn::new(&["#   #   ", "#   # ##", "##  # ##", " #  # ##", "########"]);
    let counts = walled(&mut comb, 3, &firsts, 1, 1_000);
    assert_eq!(counts[0], 0);
    // half a thousand times, give or take four standard deviations of 16
    assert!(counts[1].abs_diff(500) < 64, "{counts:?}");
    assert_eq!(walled(&mut comb, 3, &firsts, 2, 100), [0, 0, 100]);
}

#[test]
fn where_three_pieces_are_left_there_are_no_two_sides() {
    for crossing in [["# #", "# #", "###", " # ", " # "], ["# #", "# #", "###", "# #", "# #"]] {
        for stream in 0..20 {
            assert!(Drawn::new(&crossing).part((Axis::Y, 3), 1, &mut rng(stream)).is_none(), "{crossing:?}");
        }
    }
    // a plus has but two
    let plus = Drawn::new(&["  #  ", "#####", "  #  "]).cut((Axis::Y, 2), 1, &mut rng(0));
    assert_eq!(plus, Some((["  1  ", "#####", "  2  "].map(str::to_owned).to_vec(), vec![[3, 2]])));
    // the first chord joins three pieces of four: where the second, which joins two, is opened first, three are left
    let mut both = Drawn::new(&["# # #", "# # #", "### #", "#   #", "#####"]);
    let cuts = (0..1_000).filter_map(|stream| both.cut((Axis::Y, 3), 1, &mut rng(stream)));
    let pictures: Vec<_> = cuts.map(|(picture, _)| picture).collect();
    assert!(pictures.iter().all(|picture| *picture == ["1 1 2", "1 1 2", "111 #", "1   1", "11111"]));
    assert!((400..900).contains(&pictures.len()), "{}", pictures.len());
}

#[test]
fn a_small_pocket_is_filled_in_unless_it_must_stay_open() {
    let whole = "########";
    let cut = |drawn: &mut Drawn| drawn.cut((Axis::Y, 4), 1, &mut rng(0)).map(|(picture, _)| picture);
    // the tile above the row hangs on it alone, for what is above it is left out
    let rows = [whole, "#####   ", "##### # ", whole, whole, whole];
    let filled = ["11111111", "11111   ", "11111 # ", "########", "22222222", "22222222"];
    let mut drawn = Drawn::new(&rows);
    assert_eq!(cut(&mut drawn), Some(filled.map(str::to_owned).to_vec()));
    let door = drawn.plot.at([6, 3]);
    drawn.plot.keep_beside(Axis::X, door, 1, true);
    let kept = cut(&mut drawn);
    assert!(kept.is_none_or(|picture| picture[2] != filled[2]));
}

/// The pieces that the tiles of a board fall into, as far as they lie side by side.
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

/// Checks what a row made of a board.
fn check(picture: &[String], doors: &[[u32; 2]], row: usize, door: usize) {
    let at = |x: usize, y: usize| picture[y].as_bytes()[x];
    for side in [b'1', b'2'] {
        assert_eq!(count_pieces(|x, y| at(x, y) == side), 1, "{picture:?}");
    }
    assert_eq!(count_pieces(|x, y| [b'1', b'2'].contains(&at(x, y))), 2, "{picture:?}");
    assert!(picture[row].contains('#'), "{picture:?}");
    // elsewhere only pockets, beside nothing but walls, are filled in
    let filled: Vec<_> = (0..81).map(|i| (i % 9, i / 9)).filter(|&(x, y)| y != row && at(x, y) == b'#').collect();
    assert!(filled.len() <= 81 / MOST_WASTE as usize, "{picture:?}");
    for (x, y) in filled {
        let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        let mut near = around.into_iter().filter(|&(x, y)| x < 9 && y < 9);
        assert!(!near.any(|(x, y)| [b'1', b'2'].contains(&at(x, y))), "{picture:?}");
    }
    let beside = |x: usize| [at(x, row - 1), at(x, row + 1)];
    let parts = |x: usize| at(x, row) == b'#' && [*b"12", *b"21"].contains(&beside(x));
    let fits = (0..=9 - door).filter(|x| (*x..x + door).all(parts)).map(|x| [x as u32 + 1, row as u32 + 1]);
    assert_eq!(doors, fits.collect::<Vec<_>>(), "{picture:?}");
    let mut first = 0;
    for chord in picture[row].split(' ') {
        if chord.contains('#') {
            assert!(chord.bytes().all(|tile| tile == b'#'), "{picture:?}");
            let touched = (first..first + chord.len()).flat_map(beside).collect::<BTreeSet<_>>();
            assert!(touched.is_superset(&BTreeSet::from(*b"12")), "{picture:?}");
        }
        first += chord.len() + 1;
    }
}

#[test]
fn both_sides_are_connected_and_every_wall_is_between_them() {
    let mut cuts = 0;
    for number in 0..300 {
        let mut rng = rng(number);
        // tiles out of a square, as long as it stays in one piece
        let mut is_open = [[true; 9]; 9];
        for _ in 0..40 {
            let [x, y] = [0; 2].map(|_: u32| rng.below(9) as usize);
            let was = is_open[y][x];
            is_open[y][x] = false;
            is_open[y][x] = was && count_pieces(|x, y| is_open[y][x]) > 1;
        }
        let rows = is_open.map(|row| row.map(|is_open| if is_open { '#' } else { ' ' }).iter().collect::<String>());
        let mut drawn = Drawn::new(&rows.each_ref().map(String::as_str));
        let bounds = drawn.plot.bounds(drawn.part);
        for (axis, door) in [(Axis::X, 1), (Axis::X, 2), (Axis::Y, 1), (Axis::Y, 2)] {
            let [low, high] = bounds[axis as usize];
            for place in low + 1..high {
                let mut same = rng.clone();
                let Some(cut) = drawn.cut((axis, place), door, &mut rng) else { continue };
                let mut fresh = Drawn::new(&rows.each_ref().map(String::as_str));
                assert_eq!(fresh.cut((axis, place), door, &mut same).as_ref(), Some(&cut), "lines before it count");
                let (picture, doors) = cut;
                let kept = |x: u32, y: u32| drawn.plot.is_kept(drawn.plot.at([x + 1, y + 1]));
                let mut walls = (0..81).filter(|i| picture[*i as usize / 9].as_bytes()[*i as usize % 9] == b'#');
                assert!(!walls.any(|i| kept(i % 9, i / 9)), "{picture:?}");
                if axis == Axis::Y {
                    check(&picture, &doors, place as usize - 1, door as usize);
                } else {
                    let doors: Vec<_> = doors.iter().map(|[x, y]| [*y, *x]).collect();
                    let picture: Vec<_> = picture.iter().map(String::as_str).collect();
                    check(&turned(&picture), &doors, place as usize - 1, door as usize);
                }
                cuts += 1;
            }
        }
    }
    assert!(cuts > 3_000, "{cuts}");
}
