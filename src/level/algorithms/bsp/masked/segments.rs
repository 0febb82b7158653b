//! The chord rule: what a line makes of a part.
//!
//! A line meets a part in chords, the longest runs of the part's tiles along it. With all of them walled up the part
//! falls into pieces. One chord after the other is opened again, in random order, but for those that would join the two
//! largest pieces; what then is still walled up parts the part into two sides, each connected, and touches both of them.
//! (To open all but the last that keeps two pieces apart is simpler, and in a cave it leaves one pocket and the rest.) A
//! chord that must stay open is opened first, and one that has no place for a door before those that have. Small pockets
//! that hang on nothing but what stays walled are filled in.

use std::cmp::Reverse;

use crate::level::algorithms::disjoint_set::{ROOT, find, union};
use crate::level::rng::Rng;

use crate::level::algorithms::bsp::cut::Axis;
use crate::level::algorithms::bsp::masked::ownership::{Ownership, Part, Side};

/// Pockets may be filled in as long as they are no more than one in so many tiles of their part.
const MOST_WASTE: u32 = 32;

/// A column or row of the board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    /// Along this axis the two sides of the line follow each other; the line itself runs along the other one.
    pub(crate) axis: Axis,
    /// Column or row.
    pub(crate) place: u32,
}

/// A longest run of a part's tiles along a line.
#[derive(Debug, Clone, Copy)]
struct Chord {
    /// Its first tile.
    first: u32,
    /// Tiles.
    length: u32,
    /// Where the pieces that it touches end in the list of all touches.
    touches: u32,
    /// When it is its turn to be opened.
    turn: Turn,
    walled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// First, for one of its tiles must stay open.
    Kept,
    /// Then, for no door fits.
    Doorless,
    Last,
}

/// Two sides of a part that chords of a line divide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parting {
    /// A piece of each side that stands for it.
    roots: [u32; 2],
    /// Tiles of each side.
    pub(crate) areas: [u32; 2],
    /// In how many places a door fits.
    pub(crate) doors: u32,
}

/// What the last line made of its part. The chords are numbered along the line from 0 on, then the pieces.
#[derive(Debug)]
pub(crate) struct ChordRule {
    axis: Axis,
    chords: Vec<Chord>,
    /// The pieces that each chord touches, some of them twice.
    touches: Vec<u32>,
    /// For each tile of the board the number of its chord or piece, above `base` where it is one of the last line.
    numbers: Vec<u32>,
    base: u32,
    /// The disjoint sets of chords and pieces; the size of a set is its tiles.
    links: Vec<u32>,
    /// The same before any chord was opened.
    found: Vec<u32>,
    /// Numbers of chords in the order in which they are opened; then pieces of one of them.
    order: Vec<u32>,
    met: Vec<u32>,
    waiting: Vec<u32>,
}

impl ChordRule {
    pub(crate) fn new(plot: &Ownership) -> Self {
        Self {
            axis: Axis::X,
            chords: Vec::new(),
            touches: Vec::new(),
            numbers: vec![0; plot.board()],
            base: 1,
            links: Vec::new(),
            found: Vec::new(),
            order: Vec::new(),
            met: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Forgets all lines, so that numbers start over and never run out.
    pub(crate) fn reset(&mut self) {
        self.numbers.fill(0);
        self.base = 1;
        self.links.clear();
    }

    /// What a line makes of a part, for doors of a length; `None` where it does not leave two sides with a door between
    /// them. The part lies within `ends` along the line, and on both sides of it.
    pub(crate) fn part(
        &mut self,
        plot: &Ownership,
        part: Part,
        line: Line,
        endpoints: [u32; 2],
        door: u32,
        rng: &mut Rng,
    ) -> Option<Parting> {
        self.axis = line.axis;
        self.find_chords(plot, part, line, endpoints);
        self.find_pieces(plot, part, door);
        self.found.clone_from(&self.links);
        // where a large piece hangs on nothing but what is between the halves, only a random order may come to two sides
        [true, false].into_iter().find_map(|halves_apart| {
            self.links.clone_from(&self.found);
            self.chords.iter_mut().for_each(|chord| chord.walled = true);
            self.open(halves_apart, rng)?;
            self.parting(plot, part, door)
        })
    }

    /// The two largest sets as sides, if a door fits between them and what else is left can be spared.
    fn parting(&mut self, plot: &Ownership, part: Part, door: u32) -> Option<Parting> {
        let roots = self.largest(None)?;
        let pockets = &self.met[2..];
        let waste: u32 = pockets.iter().map(|root| self.links[*root as usize] ^ ROOT).sum();
        if waste > part.area() / MOST_WASTE || waste > 0 && self.keeps_a_pocket(plot, part, roots) {
            return None;
        }
        let first = find(&mut self.links, self.chords.len() as u32).0;
        let roots = if first == roots[1] { [roots[1], roots[0]] } else { roots };
        let doors = self.doors(plot, part, door, roots, None).0;
        let areas = roots.map(|root| self.links[root as usize] ^ ROOT);
        (doors > 0).then_some(Parting { roots, areas, doors })
    }

    /// Whether a tile that must stay open lies in neither side, nor in a chord: a walled one has none.
    fn keeps_a_pocket(&mut self, plot: &Ownership, part: Part, roots: [u32; 2]) -> bool {
        plot.tiles(part).iter().any(|tile| {
            let number = self.numbers[*tile as usize] - self.base;
            plot.is_kept(*tile) && !roots.contains(&find(&mut self.links, number).0)
        })
    }

    /// The first tile of the door at a place out of those where one fits.
    pub(crate) fn door(
        &mut self,
        plot: &Ownership,
        part: Part,
        door: u32,
        parting: &Parting,
        place: u32,
    ) -> Option<u32> {
        self.doors(plot, part, door, parting.roots, Some(place)).1
    }

    /// The side of a tile of the part.
    pub(crate) fn side_of(&mut self, parting: &Parting, tile: u32) -> Side {
        let number = self.numbers[tile as usize] - self.base;
        match find(&mut self.links, number).0 {
            root if root == parting.roots[0] => Side::First,
            root if root == parting.roots[1] => Side::Second,
            _ => Side::Wall,
        }
    }

    fn find_chords(&mut self, plot: &Ownership, part: Part, line: Line, [low, high]: [u32; 2]) {
        self.base += self.links.len() as u32;
        self.links.clear();
        self.chords.clear();
        let place = |along| match line.axis {
            Axis::X => [line.place, along],
            Axis::Y => [along, line.place],
        };
        let mut length = 0;
        for along in low..=high + 1 {
            let tile = plot.at(place(along));
            if plot.owns(part, tile) {
                self.numbers[tile as usize] = self.base + self.chords.len() as u32;
                length += 1;
            } else if length > 0 {
                let first = tile - length * plot.step(line.axis.other());
                self.chords.push(Chord { first, length, touches: 0, turn: Turn::Last, walled: true });
                self.links.push(ROOT | length);
                length = 0;
            }
        }
    }

    /// Finds the pieces, each from a tile beside a chord: the part is connected, so that none is far from all.
    fn find_pieces(&mut self, plot: &Ownership, part: Part, door: u32) {
        self.touches.clear();
        let (along, across) = (plot.step(self.axis.other()), plot.step(self.axis));
        for i in 0..self.chords.len() {
            let Chord { first, length, .. } = self.chords[i];
            let (mut kept, mut run, mut fits) = (false, 0, false);
            let touches = self.touches.len();
            for tile in (0..length).map(|i| first + i * along) {
                let mut sides = 0;
                for beside in [tile - across, tile + across] {
                    if plot.owns(part, beside) {
                        sides += 1;
                        let piece = self.piece_at(plot, part, beside);
                        if self.touches[touches..].last() != Some(&piece) {
                            self.touches.push(piece);
                        }
                    }
                }
                run = if sides == 2 { run + 1 } else { 0 };
                fits |= run >= door;
                kept |= plot.is_kept(tile);
            }
            let chord = &mut self.chords[i];
            chord.touches = self.touches.len() as u32;
            chord.turn = match (kept, fits) {
                (true, _) => Turn::Kept,
                (_, false) => Turn::Doorless,
                _ => Turn::Last,
            };
        }
    }

    /// The piece that a tile belongs to.
    fn piece_at(&mut self, plot: &Ownership, part: Part, tile: u32) -> u32 {
        let number = self.numbers[tile as usize];
        if number >= self.base {
            return number - self.base;
        }
        let piece = self.links.len() as u32;
        let number = self.base + piece;
        let mut area = 0;
        self.numbers[tile as usize] = number;
        self.waiting.push(tile);
        let steps = [plot.step(Axis::Y).wrapping_neg(), 1, plot.step(Axis::Y), 1_u32.wrapping_neg()];
        while let Some(tile) = self.waiting.pop() {
            area += 1;
            for step in steps {
                let next = tile.wrapping_add(step);
                if plot.owns(part, next) && self.numbers[next as usize] < self.base {
                    self.numbers[next as usize] = number;
                    self.waiting.push(next);
                }
            }
        }
        self.links.push(ROOT | area);
        piece
    }

    /// Opens chords in random order, each in its turn: where the largest two pieces are to stay apart, all that do not
    /// join these, which may leave pockets beside them, else as many as leave two pieces. `None` where there are not two
    /// in the end.
    fn open(&mut self, halves_apart: bool, rng: &mut Rng) -> Option<()> {
        let mut pieces = self.links.len() - self.chords.len();
        self.put_in_order(rng);
        let kept = self.order.iter().take_while(|&&chord| self.chords[chord as usize].turn == Turn::Kept).count();
        for i in 0..kept {
            let joined = self.meet(self.order[i]);
            pieces = pieces.checked_sub(joined)?;
            self.join(self.order[i]);
        }
        let halves = if halves_apart { Some(self.largest(Some(rng))?) } else { None };
        for i in kept..self.order.len() {
            let joined = self.meet(self.order[i]);
            let parts = match halves {
                Some(halves) => halves.iter().all(|half| self.met.contains(&find(&mut self.links, *half).0)),
                None => pieces < joined + 2,
            };
            if !parts {
                pieces = pieces.checked_sub(joined)?;
                self.join(self.order[i]);
            }
        }
        (halves_apart || pieces == 2).then_some(())
    }

    fn put_in_order(&mut self, rng: &mut Rng) {
        self.order.clear();
        for turn in [Turn::Kept, Turn::Doorless, Turn::Last] {
            let before = self.order.len();
            let chords = self.chords.iter().zip(0..).filter(|(chord, _)| chord.turn == turn);
            self.order.extend(chords.map(|(_, number)| number));
            if turn != Turn::Kept {
                rng.shuffle(&mut self.order[before..]);
            }
        }
    }

    /// The sets of pieces that have the most tiles, among equals by lot if there is one; lists all others behind them.
    fn largest(&mut self, lot: Option<&mut Rng>) -> Option<[u32; 2]> {
        self.met.clear();
        for piece in self.chords.len() as u32..self.links.len() as u32 {
            self.met.push(find(&mut self.links, piece).0);
        }
        self.met.sort_unstable();
        self.met.dedup();
        if let Some(rng) = lot {
            rng.shuffle(&mut self.met);
        }
        self.met.sort_by_key(|root| Reverse(self.links[*root as usize]));
        Some([*self.met.first()?, *self.met.get(1)?])
    }

    /// Opens a chord between the sets that it [meets](Self::meet).
    fn join(&mut self, chord: u32) {
        self.chords[chord as usize].walled = false;
        for i in 0..self.met.len() {
            let sets = [find(&mut self.links, chord), find(&mut self.links, self.met[i])];
            union(&mut self.links, sets[0], sets[1]);
        }
    }

    /// Lists the different sets that a chord touches, and tells how many are lost when it is opened.
    fn meet(&mut self, chord: u32) -> usize {
        let first = chord.checked_sub(1).map_or(0, |before| self.chords[before as usize].touches);
        self.met.clear();
        for touch in first..self.chords[chord as usize].touches {
            let piece = self.touches[touch as usize];
            self.met.push(find(&mut self.links, piece).0);
        }
        self.met.sort_unstable();
        self.met.dedup();
        self.met.len() - 1
    }

    /// Counts the places for a door in the walled chords, and finds the first tile of the one that is asked for.
    fn doors(
        &mut self,
        plot: &Ownership,
        part: Part,
        door: u32,
        roots: [u32; 2],
        wanted: Option<u32>,
    ) -> (u32, Option<u32>) {
        let (along, across) = (plot.step(self.axis.other()), plot.step(self.axis));
        let mut count = 0;
        for i in 0..self.chords.len() {
            let Chord { first, length, walled: true, .. } = self.chords[i] else { continue };
            let mut run = 0;
            for tile in (0..length).map(|i| first + i * along) {
                let beside = [tile - across, tile + across];
                let sides = beside.map(|tile| {
                    let number = self.numbers[tile as usize].wrapping_sub(self.base);
                    plot.owns(part, tile).then(|| find(&mut self.links, number).0)
                });
                let parts = roots.iter().all(|root| sides.contains(&Some(*root)));
                run = if parts { run + 1 } else { 0 };
                if run >= door {
                    if wanted == Some(count) {
                        return (count, Some(tile - (door - 1) * along));
                    }
                    count += 1;
                }
            }
        }
        (count, None)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::level::algorithms::bsp::masked::ownership::tests::draw;
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
}
