//! How a line splits a part.
//!
//! The segments of a line are the maximal runs of the part's tiles along the line. If all of them became wall, the part
//! would fall into pieces. So segments are opened one by one, in random order, except those that would join the two
//! largest pieces. The segments that stay wall separate the part into two connected sides, and each of them touches
//! both sides. Segments with a reserved tile are opened first, then those where no door fits. Small leftover pieces
//! that only touch walls become wall too.
//!
//! A simpler rule would be to open segments as long as two pieces are left. But in a cave one of these is then mostly a
//! small piece, and the other is all the rest.

use std::cmp::Reverse;

use crate::level::algorithms::bsp::cut::Axis;
use crate::level::algorithms::bsp::masked::ownership::{CutSide, MaskPart, Ownership};
use crate::level::algorithms::disjoint_set::{ROOT, find, union};
use crate::level::rng::Rng;

/// Leftovers may become wall if together they have at most the tiles of their part divided by this number.
const LEFTOVER_DIVISOR: u32 = 32;

/// A column or row of the board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    /// The axis across the line; the line itself runs along the other axis.
    pub(crate) axis: Axis,
    /// The column or row.
    pub(crate) position: u32,
}

/// A maximal run of a part's tiles along a line.
#[derive(Debug, Clone, Copy)]
struct Segment {
    /// The segment's first tile.
    first: u32,
    /// The number of its tiles.
    length: u32,
    /// The end of the pieces that it touches, in the list of all touched pieces.
    touches: u32,
    /// When it is opened, compared with the other segments.
    opening_order: OpeningOrder,
    is_wall: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum OpeningOrder {
    /// First: one of its tiles is reserved.
    Reserved,
    /// Second: no door fits.
    Doorless,
    Last,
}

/// Two sides of a part, separated by segments of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Split {
    /// The root of the set of each side.
    roots: [u32; 2],
    /// The tiles of each side.
    pub(crate) areas: [u32; 2],
    /// The number of positions where a door fits.
    pub(crate) doors: u32,
}

/// Splits parts along lines, one after the other. For each line the segments are numbered from 0 on, then the pieces.
#[derive(Debug)]
pub(crate) struct Splitter {
    axis: Axis,
    segments: Vec<Segment>,
    /// The pieces that each segment touches; a piece may be listed twice.
    touches: Vec<u32>,
    /// For each tile of the board the number of its segment or piece plus `base`. A value below `base` is left from an
    /// earlier line.
    numbers: Vec<u32>,
    base: u32,
    /// The disjoint sets of segments and pieces; the size of a set counts its tiles.
    links: Vec<u32>,
    /// A copy of `links` from before any segment was opened.
    initial_links: Vec<u32>,
    /// The segments in the order in which they are opened.
    order: Vec<u32>,
    /// The roots of the sets that were listed last, by `list_sets` or `largest`.
    sets: Vec<u32>,
    /// The tiles of a piece whose neighbours have not been visited.
    pending: Vec<u32>,
}

impl Splitter {
    pub(crate) fn new(ownership: &Ownership) -> Self {
        Self {
            axis: Axis::X,
            segments: Vec::new(),
            touches: Vec::new(),
            numbers: vec![0; ownership.board()],
            base: 1,
            links: Vec::new(),
            initial_links: Vec::new(),
            order: Vec::new(),
            sets: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Forgets all lines, so that the numbers start over and never overflow.
    pub(crate) fn reset(&mut self) {
        self.numbers.fill(0);
        self.base = 1;
        self.links.clear();
    }

    /// Splits a part along a line into two sides between which a door of `door` tiles fits; `None` if there are no such
    /// sides. Along the line the part lies within `range`, and it has tiles on both sides of the line.
    pub(crate) fn split(
        &mut self,
        ownership: &Ownership,
        part: MaskPart,
        line: Line,
        range: [u32; 2],
        door: u32,
        rng: &mut Rng,
    ) -> Option<Split> {
        self.axis = line.axis;
        self.find_segments(ownership, part, line, range);
        self.find_pieces(ownership, part, door);
        self.initial_links.clone_from(&self.links);
        // The first try keeps the two largest pieces apart; if that leaves a third large piece, retry in random order.
        [true, false].into_iter().find_map(|keeps_halves_apart| {
            self.links.clone_from(&self.initial_links);
            self.segments.iter_mut().for_each(|segment| segment.is_wall = true);
            self.open_segments(keeps_halves_apart, rng)?;
            self.largest_sides(ownership, part, door)
        })
    }

    /// The two largest sets as the two sides, if a door fits between them and everything else may become wall.
    fn largest_sides(&mut self, ownership: &Ownership, part: MaskPart, door: u32) -> Option<Split> {
        let roots = self.largest(None)?;
        let leftovers = &self.sets[2..];
        let wasted: u32 = leftovers.iter().map(|root| self.links[*root as usize] ^ ROOT).sum();
        if wasted > part.area() / LEFTOVER_DIVISOR || wasted > 0 && self.has_reserved_leftover(ownership, part, roots) {
            return None;
        }
        let first = find(&mut self.links, self.segments.len() as u32).0;
        let roots = if first == roots[1] { [roots[1], roots[0]] } else { roots };
        let doors = self.doors(ownership, part, door, roots, None).0;
        let areas = roots.map(|root| self.links[root as usize] ^ ROOT);
        (doors > 0).then_some(Split { roots, areas, doors })
    }

    /// Whether a leftover has a reserved tile. Segments that are still wall have none.
    fn has_reserved_leftover(&mut self, ownership: &Ownership, part: MaskPart, roots: [u32; 2]) -> bool {
        ownership.tiles(part).iter().any(|tile| {
            let number = self.numbers[*tile as usize] - self.base;
            ownership.is_reserved(*tile) && !roots.contains(&find(&mut self.links, number).0)
        })
    }

    /// The first tile of the door with this number, among all positions where one fits.
    pub(crate) fn door(
        &mut self,
        ownership: &Ownership,
        part: MaskPart,
        door: u32,
        split: &Split,
        number: u32,
    ) -> Option<u32> {
        self.doors(ownership, part, door, split.roots, Some(number)).1
    }

    /// The side of a tile of the part.
    pub(crate) fn side_of(&mut self, split: &Split, tile: u32) -> CutSide {
        let number = self.numbers[tile as usize] - self.base;
        match find(&mut self.links, number).0 {
            root if root == split.roots[0] => CutSide::First,
            root if root == split.roots[1] => CutSide::Second,
            _ => CutSide::Wall,
        }
    }

    fn find_segments(&mut self, ownership: &Ownership, part: MaskPart, line: Line, [low, high]: [u32; 2]) {
        self.base += self.links.len() as u32;
        self.links.clear();
        self.segments.clear();
        let position = |along| match line.axis {
            Axis::X => [line.position, along],
            Axis::Y => [along, line.position],
        };
        let mut length = 0;
        for along in low..=high + 1 {
            let tile = ownership.at(position(along));
            if ownership.owns(part, tile) {
                self.numbers[tile as usize] = self.base + self.segments.len() as u32;
                length += 1;
            } else if length > 0 {
                let first = tile - length * ownership.step(line.axis.other());
                self.segments.push(Segment {
                    first,
                    length,
                    touches: 0,
                    opening_order: OpeningOrder::Last,
                    is_wall: true,
                });
                self.links.push(ROOT | length);
                length = 0;
            }
        }
    }

    /// Finds the pieces, each by a flood fill from a tile beside a segment. This finds all of them: the part is
    /// connected, so every piece touches a segment.
    fn find_pieces(&mut self, ownership: &Ownership, part: MaskPart, door: u32) {
        self.touches.clear();
        let (along, across) = (ownership.step(self.axis.other()), ownership.step(self.axis));
        for i in 0..self.segments.len() {
            let Segment { first, length, .. } = self.segments[i];
            let (mut reserved, mut run, mut fits) = (false, 0, false);
            let touches = self.touches.len();
            for tile in (0..length).map(|i| first + i * along) {
                let mut sides = 0;
                for beside in [tile - across, tile + across] {
                    if ownership.owns(part, beside) {
                        sides += 1;
                        let piece = self.piece_at(ownership, part, beside);
                        if self.touches[touches..].last() != Some(&piece) {
                            self.touches.push(piece);
                        }
                    }
                }
                run = if sides == 2 { run + 1 } else { 0 };
                fits |= run >= door;
                reserved |= ownership.is_reserved(tile);
            }
            let segment = &mut self.segments[i];
            segment.touches = self.touches.len() as u32;
            segment.opening_order = match (reserved, fits) {
                (true, _) => OpeningOrder::Reserved,
                (_, false) => OpeningOrder::Doorless,
                _ => OpeningOrder::Last,
            };
        }
    }

    /// The piece that a tile belongs to. If the tile has no number yet, a flood fill numbers all tiles of its piece.
    fn piece_at(&mut self, ownership: &Ownership, part: MaskPart, tile: u32) -> u32 {
        let number = self.numbers[tile as usize];
        if number >= self.base {
            return number - self.base;
        }
        let piece = self.links.len() as u32;
        let number = self.base + piece;
        let mut area = 0;
        self.numbers[tile as usize] = number;
        self.pending.push(tile);
        let steps = [ownership.step(Axis::Y).wrapping_neg(), 1, ownership.step(Axis::Y), 1_u32.wrapping_neg()];
        while let Some(tile) = self.pending.pop() {
            area += 1;
            for step in steps {
                let next = tile.wrapping_add(step);
                if ownership.owns(part, next) && self.numbers[next as usize] < self.base {
                    self.numbers[next as usize] = number;
                    self.pending.push(next);
                }
            }
        }
        self.links.push(ROOT | area);
        piece
    }

    /// Opens segments in random order within each [`OpeningOrder`]. With `keeps_halves_apart` all are opened but those
    /// that would join the two largest pieces; this may leave small pieces besides the two. Without it segments are
    /// opened as long as at least two pieces are left. `None` if there cannot be two sides.
    fn open_segments(&mut self, keeps_halves_apart: bool, rng: &mut Rng) -> Option<()> {
        let mut pieces = self.links.len() - self.segments.len();
        self.order_segments(rng);
        let reserved = self
            .order
            .iter()
            .take_while(|&&segment| self.segments[segment as usize].opening_order == OpeningOrder::Reserved)
            .count();
        for i in 0..reserved {
            let joined = self.list_sets(self.order[i]);
            pieces = pieces.checked_sub(joined)?;
            self.open_segment(self.order[i]);
        }
        let halves = if keeps_halves_apart { Some(self.largest(Some(rng))?) } else { None };
        for i in reserved..self.order.len() {
            let joined = self.list_sets(self.order[i]);
            let separates = match halves {
                Some(halves) => halves.iter().all(|half| self.sets.contains(&find(&mut self.links, *half).0)),
                None => pieces < joined + 2,
            };
            if !separates {
                pieces = pieces.checked_sub(joined)?;
                self.open_segment(self.order[i]);
            }
        }
        (keeps_halves_apart || pieces == 2).then_some(())
    }

    fn order_segments(&mut self, rng: &mut Rng) {
        self.order.clear();
        for opening_order in [OpeningOrder::Reserved, OpeningOrder::Doorless, OpeningOrder::Last] {
            let before = self.order.len();
            let segments = self.segments.iter().zip(0..).filter(|(segment, _)| segment.opening_order == opening_order);
            self.order.extend(segments.map(|(_, number)| number));
            if opening_order != OpeningOrder::Reserved {
                rng.shuffle(&mut self.order[before..]);
            }
        }
    }

    /// The two sets of pieces with the most tiles; if there is a `tie_break`, equal sets come in random order. `sets`
    /// lists these two first, then all others.
    fn largest(&mut self, tie_break: Option<&mut Rng>) -> Option<[u32; 2]> {
        self.sets.clear();
        for piece in self.segments.len() as u32..self.links.len() as u32 {
            self.sets.push(find(&mut self.links, piece).0);
        }
        self.sets.sort_unstable();
        self.sets.dedup();
        if let Some(rng) = tie_break {
            rng.shuffle(&mut self.sets);
        }
        self.sets.sort_by_key(|root| Reverse(self.links[*root as usize]));
        Some([*self.sets.first()?, *self.sets.get(1)?])
    }

    /// Opens a segment: joins the sets that [`list_sets`](Self::list_sets) listed.
    fn open_segment(&mut self, segment: u32) {
        self.segments[segment as usize].is_wall = false;
        for i in 0..self.sets.len() {
            let sets = [find(&mut self.links, segment), find(&mut self.links, self.sets[i])];
            union(&mut self.links, sets[0], sets[1]);
        }
    }

    /// Lists the different sets that a segment touches in `sets`. Returns by how many the number of sets decreases when
    /// the segment is opened.
    fn list_sets(&mut self, segment: u32) -> usize {
        let first = segment.checked_sub(1).map_or(0, |before| self.segments[before as usize].touches);
        self.sets.clear();
        for touch in first..self.segments[segment as usize].touches {
            let piece = self.touches[touch as usize];
            self.sets.push(find(&mut self.links, piece).0);
        }
        self.sets.sort_unstable();
        self.sets.dedup();
        self.sets.len() - 1
    }

    /// Counts the positions for a door in the segments that are wall, and finds the first tile of the door number
    /// `wanted`.
    fn doors(
        &mut self,
        ownership: &Ownership,
        part: MaskPart,
        door: u32,
        roots: [u32; 2],
        wanted: Option<u32>,
    ) -> (u32, Option<u32>) {
        let (along, across) = (ownership.step(self.axis.other()), ownership.step(self.axis));
        let mut count = 0;
        for i in 0..self.segments.len() {
            let Segment { first, length, is_wall: true, .. } = self.segments[i] else { continue };
            let mut run = 0;
            for tile in (0..length).map(|i| first + i * along) {
                let beside = [tile - across, tile + across];
                let sides = beside.map(|tile| {
                    let number = self.numbers[tile as usize].wrapping_sub(self.base);
                    ownership.owns(part, tile).then(|| find(&mut self.links, number).0)
                });
                let separates = roots.iter().all(|root| sides.contains(&Some(*root)));
                run = if separates { run + 1 } else { 0 };
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
