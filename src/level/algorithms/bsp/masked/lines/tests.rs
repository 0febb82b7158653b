use super::*;
use crate::level::algorithms::bsp::masked::fixtures::mask_of;
use crate::level::rng::{Seed, Streams};

fn rng(index: u64) -> Rng {
    Streams::new(&Seed::Integer(7), "test", 0).stream(0, index)
}

const fn demand(rooms: u32, jitter: u64) -> MaskDemand {
    MaskDemand { rooms, area: 9, door: 1, jitter }
}

/// A part with the tiles of a picture. The expected ranks are right only for an even number of rooms, of which both
/// sides get half.
struct Fixture {
    ownership: Ownership,
    part: MaskPart,
    demand: MaskDemand,
}

impl Fixture {
    fn new(rows: &[String], demand: MaskDemand) -> Self {
        let mask = mask_of(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let mut ownership = Ownership::new(&mask);
        let part = ownership.reset(&mask, demand.rooms);
        Self { ownership, part, demand }
    }

    fn rectangle(width: usize, height: usize, demand: MaskDemand) -> Self {
        Self::new(&vec!["#".repeat(width); height], demand)
    }

    /// The lines in the order in which they are tried.
    fn lines(&self, rng: &mut Rng) -> Vec<(Axis, u32)> {
        let mut found = Vec::new();
        let bounds = LineFinder::default().find(&self.ownership, self.part, &self.demand, rng, &mut found);
        assert_eq!(bounds, self.ownership.bounds(self.part));
        found.into_iter().rev().map(|line| (line.axis, line.position)).collect()
    }

    /// All lines that have tiles of the part before and after them.
    fn all(&self) -> Vec<(Axis, u32)> {
        let bounds = self.ownership.bounds(self.part);
        let inside = |axis: Axis| bounds[axis as usize][0] + 1..bounds[axis as usize][1];
        [Axis::X, Axis::Y].into_iter().flat_map(|axis| inside(axis).map(move |position| (axis, position))).collect()
    }

    /// The numbers of tiles before a line, on it and after it.
    fn tiles(&self, (axis, position): (Axis, u32)) -> [u32; 3] {
        let mut tiles = [0; 3];
        for &tile in self.ownership.tiles(self.part) {
            let at = self.ownership.position(tile)[axis as usize];
            tiles[usize::from(at >= position) + usize::from(at > position)] += 1;
        }
        tiles
    }

    fn distance(&self, line: (Axis, u32)) -> u32 {
        let [before, _, after] = self.tiles(line);
        before.abs_diff(after)
    }

    fn is_within(&self, line: (Axis, u32)) -> bool {
        let [before, _, after] = self.tiles(line);
        let (near, far) = self.demand.window(self.part, before + after);
        (near..=far).contains(&before)
    }

    /// The expected wall cost of a line.
    fn wall_cost(&self, line: (Axis, u32)) -> u32 {
        let [low, high] = self.ownership.bounds(self.part)[line.0 as usize];
        let is_neck = self.tiles(line)[1] * 2 * (high - low + 1) < self.part.area();
        let leaves_rows = (line.1 - low) % self.demand.pitch() == self.demand.pitch() - 1;
        match (self.demand.is_dense(self.part), is_neck, leaves_rows) {
            (true, true, _) => 0,
            (true, false, true) => 1,
            _ => 2,
        }
    }

    /// Checks the order of the lines, and returns the number of random ones.
    fn check(&self, lines: &[(Axis, u32)]) -> usize {
        let all = self.all();
        let within =
            |axis| all.iter().filter(|line| line.0 == axis && self.is_within(**line)).count().min(RANDOM_LINES);
        let [columns, rows] = [Axis::X, Axis::Y].map(within);
        let random = &lines[..columns + rows];
        let mut others: Vec<_> = all.into_iter().filter(|line| !random.contains(line)).collect();
        others.sort_by_key(|line| (self.wall_cost(*line), self.distance(*line), line.0 as u8, line.1));
        others.truncate(MAX_LINES - random.len());
        assert_eq!(lines[random.len()..], others, "after {random:?}");
        let [[left, right], [top, bottom]] = self.ownership.bounds(self.part);
        for axis in [Axis::X, Axis::Y] {
            let here = |line: &&(Axis, u32)| line.0 == axis;
            let wall_costs: Vec<_> = random.iter().filter(here).map(|line| self.wall_cost(*line)).collect();
            assert!(wall_costs.is_sorted(), "{random:?}");
            let rest = others.iter().filter(here).filter(|line| self.is_within(**line));
            assert!(rest.clone().all(|line| Some(&self.wall_cost(*line)) >= wall_costs.last()), "{random:?}");
        }
        // alternately, as long as there are lines of both axes
        let [alternating, one_axis] = random.split_at(2 * columns.min(rows)).into();
        assert!(alternating.iter().skip(1).zip(alternating).all(|(line, before)| line.0 != before.0), "{random:?}");
        assert!(one_axis.iter().skip(1).zip(one_axis).all(|(line, before)| line.0 == before.0), "{random:?}");
        assert!(random.iter().all(|line| self.is_within(*line)), "{random:?}");
        if columns > 0 && rows > 0 && right - left != bottom - top {
            assert_eq!(random[0].0, if right - left > bottom - top { Axis::X } else { Axis::Y });
        }
        random.len()
    }
}

/// Two squares of nine tiles a side, with a corridor of three tiles between them.
fn squares() -> Vec<String> {
    let row = |y| format!("#########{}#########", if y == 4 { "###" } else { "   " });
    (0..9).map(row).collect()
}

#[test]
fn every_line_is_found_once_up_to_the_limit() {
    for (width, height) in [(1, 9), (9, 2), (3, 3), (20, 10), (50, 50), (60, 60), (3, 200)] {
        for stream in 0..10 {
            let fixture = Fixture::rectangle(width, height, demand(2, 2_000));
            let (mut lines, mut all) = (fixture.lines(&mut rng(stream)), fixture.all());
            assert_eq!(lines.len(), all.len().min(MAX_LINES), "{width} by {height}");
            let key = |line: &(Axis, u32)| (line.0 as u8, line.1);
            lines.sort_by_key(key);
            lines.dedup();
            assert_eq!(lines.len(), all.len().min(MAX_LINES), "{width} by {height}");
            all.retain(|line| lines.contains(line));
            assert_eq!(all, lines);
        }
    }
}

#[test]
fn lines_are_added_to_those_of_other_parts() {
    let fixture = Fixture::rectangle(5, 4, demand(2, 2_000));
    let other = Line { axis: Axis::X, position: 99 };
    let (mut lines, mut found) = (LineFinder::default(), vec![other; 3]);
    for count in [8, 13] {
        lines.find(&fixture.ownership, fixture.part, &fixture.demand, &mut rng(0), &mut found);
        assert_eq!(found.len(), count);
        assert!(found[..3].iter().all(|line| line.position == 99) && found[3..].iter().all(|line| line.position < 5));
    }
}

#[test]
fn random_lines_within_the_window_come_first_and_the_nearest_next() {
    let mut bitten: Vec<_> = vec!["#".repeat(30); 24];
    bitten[..9].fill(format!("{}{}", "#".repeat(21), " ".repeat(9)));
    for stream in 0..100 {
        let check = |fixture: Fixture| fixture.check(&fixture.lines(&mut rng(stream)));
        assert_eq!(check(Fixture::rectangle(20, 10, demand(2, 2_000))), 4 + 2);
        assert_eq!(check(Fixture::rectangle(10, 20, demand(2, 2_000))), 4 + 2);
        assert_eq!(check(Fixture::rectangle(60, 40, demand(4, 9_000))), 2 * RANDOM_LINES);
        assert_eq!(check(Fixture::rectangle(20, 10, demand(2, 0))), 0, "there is no middle row or column");
        assert!(check(Fixture::new(&bitten, demand(6, 3_000))) > 4);
    }
}

#[test]
fn in_a_dense_part_the_wall_sparing_lines_come_first() {
    for stream in 0..100 {
        let fixture = Fixture::new(&squares(), demand(8, 9_000));
        assert!(fixture.demand.is_dense(fixture.part));
        let lines = fixture.lines(&mut rng(stream));
        fixture.check(&lines);
        assert!(
            lines[0].0 == Axis::X && (10..=12).contains(&lines[0].1),
            "the corridor between the squares: {lines:?}"
        );
        let fixture = Fixture::rectangle(40, 27, demand(60, 0));
        assert!(fixture.demand.is_dense(fixture.part));
        let lines = fixture.lines(&mut rng(stream));
        assert_eq!(fixture.check(&lines), 8 + 5);
        assert!([16, 20, 24].contains(&lines[0].1) && [12, 16].contains(&lines[1].1), "{lines:?}");
    }
    let fixture = Fixture::new(&squares(), demand(2, 9_000));
    assert!((0..20).any(|stream| fixture.lines(&mut rng(stream))[0].1 < 9), "elsewhere they do not");
}

#[test]
fn every_line_within_the_window_is_equally_likely_to_be_first() {
    let count = |fixture: &Fixture, first: &dyn Fn((Axis, u32)) -> usize| {
        let mut counts = [0_u32; 8];
        for stream in 0..4_000 {
            counts[first(fixture.lines(&mut rng(stream))[0])] += 1;
        }
        counts
    };
    // 39 columns without the line: 16 to 23 are before it, each 500 times, plus or minus four standard deviations of 21
    let columns = count(&Fixture::rectangle(40, 20, demand(2, 2_000)), &|line| {
        assert_eq!(line.0, Axis::X);
        line.1 as usize - 17
    });
    assert!(columns.iter().all(|count| count.abs_diff(500) < 84), "{columns:?}");
    // a third of them is 13, before the line or after it; each half the time, with a standard deviation of 32
    let thirds = count(&Fixture::rectangle(40, 10, demand(3, 0)), &|line| match line {
        (Axis::X, 14) => 0,
        (Axis::X, 27) => 1,
        _ => 2,
    });
    assert!(thirds[0].abs_diff(2_000) < 127 && thirds[0] + thirds[1] == 4_000, "{thirds:?}");
    let axes = count(&Fixture::rectangle(15, 15, demand(2, 2_000)), &|line| line.0 as usize);
    assert!(axes[0].abs_diff(2_000) < 127, "{axes:?}");
}

#[test]
fn without_jitter_the_nearest_line_is_the_first() {
    let shapes = [Fixture::rectangle(41, 20, demand(2, 0)), Fixture::rectangle(20, 12, demand(4, 0))];
    for fixture in shapes.into_iter().chain([Fixture::new(&squares(), demand(2, 0))]) {
        let least = fixture.all().into_iter().map(|line| fixture.distance(line)).min();
        for stream in 0..20 {
            assert_eq!(Some(fixture.distance(fixture.lines(&mut rng(stream))[0])), least);
        }
    }
}
