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
mod tests;
