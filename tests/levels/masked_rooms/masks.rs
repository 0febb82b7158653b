//! The masks of these tests.

use std::fmt;

use mazed::level::grid::{Direction, Tile};

use crate::masked_rooms::SIDE;
use crate::planes::{Plane, flood, plane, positions, size, tile};

pub(crate) struct Mask {
    pub(crate) name: String,
    pub(crate) rows: Vec<String>,
    /// The tiles whose characters are spaces.
    pub(crate) spaces: Plane,
    /// The tiles that may be open.
    pub(crate) inside: Plane,
    /// The longest door that fits everywhere; 0 if none does.
    pub(crate) widest_door: u64,
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n", self.name, self.rows.join("\n"))
    }
}

impl Mask {
    pub(crate) fn read(name: &str, rows: Vec<String>, widest_door: u64) -> Self {
        let spaces: Plane = rows.iter().map(|row| row.chars().map(|character| character == ' ').collect()).collect();
        let inside = plane(size(&spaces), |x, y| !spaces[y][x] && !is_on_border(size(&spaces), x, y));
        Self { name: name.to_owned(), rows, spaces, inside, widest_door }
    }

    pub(crate) fn of_plane(name: &str, plane: &Plane, widest_door: u64) -> Self {
        // every character but a space is inside, however many bytes it has
        let character = |(column, inside): (usize, &bool)| match (inside, column % 7) {
            (false, _) => ' ',
            (true, 3) => '░',
            (true, _) => '#',
        };
        Self::read(name, plane.iter().map(|row| row.iter().enumerate().map(character).collect()).collect(), widest_door)
    }

    pub(crate) fn draw(name: &str, widest_door: u64, is_inside: impl Fn(usize, usize) -> bool) -> Self {
        Self::of_plane(name, &plane((SIDE, SIDE), is_inside), widest_door)
    }

    pub(crate) fn tiles(&self) -> u64 {
        self.inside.iter().flatten().filter(|inside| **inside).count() as u64
    }

    /// An upper bound for the number of rooms: each room takes its area, and each but one a door.
    pub(crate) fn bound(&self, area: u64, door: u64) -> u64 {
        (self.tiles() + door) / (area + door)
    }
}

pub(crate) const fn is_on_border((width, height): (usize, usize), x: usize, y: usize) -> bool {
    x == 0 || y == 0 || x + 1 == width || y + 1 == height
}

/// The largest connected component of a set of tiles without those on the border.
pub(crate) fn largest_piece(plane: &Plane) -> Plane {
    let inner = self::plane(size(plane), |x, y| plane[y][x] && !is_on_border(size(plane), x, y));
    let (labels, sets) = flood(&inner);
    let largest = (0..).zip(&sets).max_by_key(|(_, set)| set.area).map(|(label, _)| label);
    self::plane(size(plane), |x, y| inner[y][x] && labels[y][x] == largest)
}

/// A small random number generator, for masks that are the same in every run.
struct Numbers(u64);

impl Numbers {
    const fn below(&mut self, bound: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound) as usize
    }
}

pub(crate) fn masks() -> Vec<Mask> {
    let from_middle = |at: usize| at.abs_diff(SIDE / 2);
    let distance = move |x, y| from_middle(x).pow(2) + from_middle(y).pow(2);
    let between = |at: usize| (8..=10).contains(&(at % 10)) || at.is_multiple_of(10);
    vec![
        Mask::draw("ring", 3, move |x, y| (64..=380).contains(&distance(x, y))),
        Mask::draw("cross", 3, move |x, y| from_middle(x) <= 6 || from_middle(y) <= 6),
        Mask::draw("L", 3, |x, y| x <= 13 || y >= 27),
        Mask::draw("disc", 3, move |x, y| distance(x, y) <= 380),
        Mask::draw("pillars of one tile", 3, |x, y| !(x % 4 == 0 && y % 4 == 0)),
        Mask::draw("pillars of four tiles", 3, |x, y| (1..4).contains(&(x % 5)) || (1..4).contains(&(y % 5))),
        holes(),
        Mask::draw("blobs on necks", 1, move |x, y| {
            x < 38 && y < 38 && (!between(x) || y % 10 == 4) && (!between(y) || x % 10 == 4)
        }),
        Mask::draw("comb of teeth one wide", 1, |x, y| y <= 3 || x % 2 == 1),
        Mask::draw("comb of teeth three wide", 3, |x, y| y <= 3 || x % 4 > 0),
        spiral("spiral one wide", 1, 20, 1),
        spiral("spiral three wide", 3, 10, 3),
        spiral("spiral six wide", 3, 5, 6),
        cave(),
        Mask::draw("hourglass", 3, move |x, y| from_middle(x) < from_middle(y).clamp(2, 17)),
        Mask::draw("diagonal steps two wide", 2, |x, y| {
            let (i, j) = (x.wrapping_sub(1) / 2, y.wrapping_sub(1) / 2);
            i <= 18 && j <= 18 && ((i + j) % 3 > 0 || j == 0 || i == 18)
        }),
        staircase(),
    ]
}

/// A hall with holes of random sizes, three tiles or more between them.
fn holes() -> Mask {
    let mut numbers = Numbers(1);
    let mut inside = plane((SIDE, SIDE), |_, _| true);
    for _ in 0..400 {
        let (width, height) = (2 + numbers.below(5), 2 + numbers.below(5));
        let (x, y) = (4 + numbers.below((SIDE - width - 7) as u64), 4 + numbers.below((SIDE - height - 7) as u64));
        let is_free = (y - 3..y + height + 3).all(|y| inside[y][x - 3..x + width + 3].iter().all(|inside| *inside));
        if is_free {
            (y..y + height).for_each(|y| inside[y][x..x + width].fill(false));
        }
    }
    Mask::of_plane("holes", &inside, 3)
}

/// A corridor that winds inwards through a square of `stations` by `stations` points, with one tile between its arms.
fn spiral(name: &str, widest_door: u64, stations: usize, width: usize) -> Mask {
    let mut inside = plane((SIDE, SIDE), |_, _| false);
    let mut visited = plane((stations, stations), |_, _| false);
    let (mut here, mut direction) = (tile(0, 0), Direction::Right);
    visited[0][0] = true;
    for _ in 1..stations * stations {
        let is_new = |next: Tile| visited.get(next.y as usize).and_then(|row| row.get(next.x as usize)) == Some(&false);
        if !is_new(here.step(direction)) {
            direction = direction.to_the_right();
        }
        let next = here.step(direction);
        let from = |a: u32, b: u32| 1 + a.min(b) as usize * (width + 1);
        let to = |a: u32, b: u32| 1 + a.max(b) as usize * (width + 1) + width;
        for row in &mut inside[from(here.y, next.y)..to(here.y, next.y)] {
            row[from(here.x, next.x)..to(here.x, next.x)].fill(true);
        }
        visited[next.y as usize][next.x as usize] = true;
        here = next;
    }
    Mask::of_plane(name, &inside, widest_door)
}

fn cave() -> Mask {
    cave_of(SIDE, 43, 4)
}

/// The largest cave of a cellular automaton that begins with `percent` of rock. With no round it is the space between
/// scattered rocks.
pub(crate) fn cave_of(side: usize, percent: usize, rounds: usize) -> Mask {
    let mut numbers = Numbers(5);
    let mut rock = plane((side, side), |_, _| false);
    rock.iter_mut().flatten().for_each(|rock| *rock = numbers.below(100) < percent);
    for _ in 0..rounds {
        let around = |at: usize| at - 1..=at + 1;
        let next = plane((side, side), |x, y| {
            let rocks = |y: usize| rock[y][around(x)].iter().filter(|rock| **rock).count();
            is_on_border((side, side), x, y) || around(y).map(rocks).sum::<usize>() >= 5
        });
        rock = next;
    }
    Mask::of_plane("cave", &largest_piece(&plane((side, side), |x, y| !rock[y][x])), 1)
}

/// A corridor one tile wide, in which no three tiles lie in a straight line: so no tile can be a door between two
/// others.
pub(crate) fn staircase() -> Mask {
    Mask::draw("staircase one wide", 0, |x, y| x == y || x == y + 1)
}

/// Whether a square of `side` by `side` tiles can be pushed to every position where it fits, and covers every tile on
/// its way.
fn is_as_wide_as(inside: &Plane, side: usize) -> bool {
    let fits = |x: usize, y: usize| {
        let rows = inside.get(y..y + side);
        rows.is_some_and(|rows| {
            rows.iter().all(|row| row.get(x..x + side).is_some_and(|run| run.iter().all(|inside| *inside)))
        })
    };
    let squares = plane(size(inside), fits);
    let is_covered =
        |x: usize, y: usize| (y + 1 - side.min(y)..=y).any(|y| squares[y][x + 1 - side.min(x)..=x].contains(&true));
    flood(&squares).1.len() == 1 && positions(inside).all(|(x, y)| !inside[y][x] || is_covered(x, y))
}

#[test]
fn the_masks_are_in_one_piece_and_as_wide_as_they_say() {
    for mask in masks() {
        assert_eq!(flood(&mask.inside).1.len(), 1, "{mask:?}");
        assert!(mask.tiles() < 39 * 39, "{mask:?}");
        for door in 2..=3 {
            assert_eq!(is_as_wide_as(&mask.inside, door as usize), door <= mask.widest_door, "{door}: {mask:?}");
        }
    }
}
