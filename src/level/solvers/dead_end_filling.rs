//! Dead-end filling: shut every dead end that is neither start nor exit, and those that this makes, until there is
//! none. In a perfect maze the path is what is left.
//!
//! A dead end is a cell with one open passage. Bits tell 64 cells at once which they are, so most is done by a few
//! sweeps down and up over a copy of the level; what they leave is filled cell by cell.
//!
//! No path without detours comes by a cell that is filled, so it works for mazes with loops too: there a breadth-first
//! search finds the way through what is left. What was filled hung on the rest by one passage; a search of the whole
//! enters it and finds nothing behind it. So of several shortest paths it is the same one that [`bfs`] finds.

use super::super::Level;
use super::super::grid::{Bits, Direction, Floor, Grid, Passages, Tile};
use super::super::planes::Planes;
use super::super::work::{Halt, Stopped, Work};
use super::only_way::Search;
use super::{Route, Solver, bfs, border};

pub(super) const DEAD_END_FILLING: Solver = Solver {
    name: "dead_end_filling",
    summary: "a shortest path, by filling dead ends until it is left; the one that bfs finds too",
    shortest: true,
    revision: 1,
    solve,
};

/// A map of rooms has hardly any dead ends, so there the search is all there is to do.
fn solve(level: &Level, from: Tile, to: Tile, work: &mut Work) -> Result<Route, Stopped> {
    match &level.grid().floor {
        Floor::Maze(passages) => {
            border::inside(level.grid(), [from, to], |[from, to]| in_maze(passages, from, to, work, bfs::search))
        }
        Floor::Rooms(_) => bfs::search(level.grid(), from, to, work),
    }
}

/// The path in a maze between two tiles inside its border, with loops or without: where what is left is not one path,
/// the one that `search` finds in it.
pub(super) fn in_maze(
    passages: &Passages,
    start: Tile,
    exit: Tile,
    work: &mut Work,
    search: Search,
) -> Result<Route, Stopped> {
    let mut maze = Maze::copy(passages, &mut work.scratch.planes, [start, exit]);
    maze.fill(&mut (), work.halt)?;
    if let Some(moves) = maze.follow(start, exit, work.halt)? {
        work.scratch.planes.give(maze.plane);
        return Ok(Route::Found(moves));
    }
    let left = Grid::new(Floor::Maze(maze.passages(&mut work.scratch.planes)));
    work.scratch.planes.give(maze.plane);
    let route = search(&left, start, exit, work);
    work.scratch.planes.give_grid(left);
    route
}

/// Sweeps over a level, unless one finds no dead end before. Of a `kruskal` level of 4001 tiles a side they leave a
/// seventh of the cells; each further one would take longer than what it saves.
const SWEEPS: usize = 16;

/// What is left of a maze. A cell is known by its place: the number of the bit of its passage to the right. A set of
/// directions is a mask, bit `d` for the direction numbered `d`.
pub(super) struct Maze {
    /// For each row of cells the words of its passages to the right, then those of its passages downwards. Before them
    /// is a row of shut ones, and behind the last column at least one bit, so that no cell lacks a neighbour to look
    /// at.
    pub(super) plane: Bits,
    columns: usize,
    /// Words of either kind in a row.
    pub(super) stride: usize,
    /// What to add, wrapping, to a place for the next cell in a direction, by the mask of it alone.
    steps: [usize; 16],
    /// And what for the bit of the passage there.
    doors: [usize; 16],
    /// The cells of start and exit, two where one of them is the passage between these. They are not filled.
    kept: [usize; 4],
}

/// Is told of each cell that is filled, with its one passage.
pub(super) trait Notes {
    /// Of the 64 cells of a word those that `dead` has are filled. A one in the other words is a passage of a cell to
    /// the right, downwards, to the left.
    fn cells(&mut self, word: usize, dead: u64, ways: [u64; 3]);

    /// The cell at a place is filled, of which `way` is the mask of the direction that is open.
    fn cell(&mut self, place: usize, way: usize);
}

/// Who only wants to know what is left takes no notes.
impl Notes for () {
    fn cells(&mut self, _: usize, _: u64, _: [u64; 3]) {}

    fn cell(&mut self, _: usize, _: usize) {}
}

impl Maze {
    /// The maze, to be filled but for the cells of two tiles inside the border.
    #[expect(clippy::inline_always, reason = "41 tiles a side take 5.5 ns a cell to fill instead of 6.2")]
    #[inline(always)]
    pub(super) fn copy(Passages { east, south }: &Passages, planes: &mut Planes, ends: [Tile; 2]) -> Self {
        let (columns, rows) = (east.width(), east.height());
        let stride = columns / 64 + 1;
        let pitch = 128 * stride;
        let mut plane = planes.take(pitch, rows + 1);
        plane.row_mut(0).fill(0);
        for row in 0..rows {
            let (right, down) = plane.row_mut(row + 1).split_at_mut(stride);
            copy_row(east.row(row), right);
            copy_row(south.row(row), down);
        }
        let place = |tile: Tile| (tile.y as usize / 2 + 1) * pitch + tile.x as usize / 2;
        let [[a, b], [c, d]] = ends.map(|end| cells_of(end).map(place));
        Self {
            plane,
            columns,
            stride,
            steps: by_mask([pitch.wrapping_neg(), 1, pitch, usize::MAX]),
            doors: by_mask([(pitch / 2).wrapping_neg(), 0, pitch / 2, usize::MAX]),
            kept: [a, b, c, d],
        }
    }

    /// What is left, as it came.
    fn passages(&self, planes: &mut Planes) -> Passages {
        let rows = self.plane.height() - 1;
        let mut passages = planes.passages((self.columns, rows));
        for row in 0..rows {
            let (right, down) = self.plane.row(row + 1).split_at(self.stride);
            copy_row(right, passages.east.row_mut(row));
            copy_row(down, passages.south.row_mut(row));
        }
        passages
    }

    /// Fills all dead ends.
    pub(super) fn fill(&mut self, notes: &mut impl Notes, halt: Halt) -> Result<(), Stopped> {
        let rows = self.plane.height() - 1;
        let kept = self.kept.map(|place| place / self.plane.width());
        for sweep in 0..SWEEPS {
            halt.check()?;
            let mut filled = 0;
            for i in 0..rows {
                let row = if sweep % 2 == 0 { 1 + i } else { rows - i };
                // that most rows need not look out for start and exit is worth leaving theirs to the end
                if !kept.contains(&row) {
                    filled |= self.fill_row(row, notes);
                }
            }
            if filled == 0 {
                break;
            }
        }
        for row in 1..=rows {
            if row % 64 == 0 {
                halt.check()?;
            }
            self.fill_chains(row, notes);
        }
        Ok(())
    }

    /// Fills the dead ends of a row, 64 cells at once. The result is zero where there are none.
    fn fill_row(&mut self, row: usize, notes: &mut impl Notes) -> u64 {
        let stride = self.stride;
        let words = &mut self.plane.words_mut()[(2 * row - 1) * stride..][..3 * stride];
        let (north, here) = words.split_at_mut(stride);
        let (east, south) = here.split_at_mut(stride);
        // the passages to the right of the word before; written once it is known what this word fills
        let (mut before, mut all) = (0, 0);
        for i in 0..stride {
            let [up, right, down] = [north[i], east[i], south[i]];
            let left = right << 1 | before >> 63;
            let dead = one_of([up, right, down, left]);
            notes.cells(2 * row * stride + i, dead, [right, down, left]);
            north[i] = up & !dead;
            south[i] = down & !dead;
            if i > 0 {
                east[i - 1] = before & !(dead << 63);
            }
            before = right & !(dead | dead >> 1);
            all |= dead;
        }
        east[stride - 1] = before;
        all
    }

    /// Fills each dead end of a row, and what it makes one, to the next junction.
    fn fill_chains(&mut self, row: usize, notes: &mut impl Notes) {
        let first = 2 * row * self.stride;
        for i in first..first + self.stride {
            let words = self.plane.words();
            let left = words[i] << 1 | words[i - 1] >> 63;
            let mut dead = one_of([words[i - self.stride], words[i], words[i + self.stride], left]);
            while dead > 0 {
                self.fill_chain(64 * i + dead.trailing_zeros() as usize, notes);
                dead &= dead - 1;
            }
        }
    }

    /// Fills cell by cell, as long as each is a dead end. A passage is shut one step late, so that no step waits for
    /// what the one before it wrote.
    fn fill_chain(&mut self, mut place: usize, notes: &mut impl Notes) {
        let mut ways = self.ways(place);
        // at first a bit of the row of shut ones
        let mut late = 0;
        while ways.is_power_of_two() && !self.kept.contains(&place) {
            let way = ways;
            notes.cell(place, way);
            let door = place.wrapping_add(self.doors[way]);
            place = place.wrapping_add(self.steps[way]);
            ways = self.ways(place) & !back(way);
            self.shut(late);
            late = door;
        }
        self.shut(late);
    }

    fn shut(&mut self, door: usize) {
        self.plane.words_mut()[door / 64] &= !(1 << (door % 64));
    }

    /// The directions that are open from a cell.
    #[inline]
    fn ways(&self, place: usize) -> usize {
        let words = self.plane.words();
        let open = |door: usize| (words[door / 64] >> (door % 64) & 1) as usize;
        (0..4).fold(0, |ways, i| ways | open(place.wrapping_add(self.doors[1 << i])) << i)
    }

    /// The steps from start to exit, if what is left is one path.
    fn follow(&self, start: Tile, exit: Tile, halt: Halt) -> Result<Option<Vec<Direction>>, Stopped> {
        let mut moves = Vec::new();
        let (mut tile, mut place) = (start, self.kept[0]);
        let mut ways = self.ways(place);
        if start.cell().is_none() && start != exit {
            // off the passage, to the cell that is the exit or leads on
            let onwards = if start.y % 2 == 1 { Direction::Right } else { Direction::Down };
            let directions = [onwards.back(), onwards];
            let good = |i: usize| start.step(directions[i]) == exit || !self.ways(self.kept[i]).is_power_of_two();
            if good(0) == good(1) {
                return Ok(None);
            }
            let i = usize::from(good(1));
            moves.push(directions[i]);
            (tile, place) = (start.step(directions[i]), self.kept[i]);
            ways = self.ways(place) & !back(1 << directions[i] as usize);
        }
        while tile != exit {
            if moves.len() % 8192 < 2 {
                halt.check()?;
            }
            if !ways.is_power_of_two() {
                return Ok(None);
            }
            let direction = Direction::from_bits(ways.trailing_zeros() as u8);
            moves.push(direction);
            tile = tile.step(direction);
            // the exit may be the passage
            if tile != exit {
                moves.push(direction);
                tile = tile.step(direction);
            }
            place = place.wrapping_add(self.steps[ways]);
            ways = self.ways(place) & !back(ways);
        }
        Ok(Some(moves))
    }
}

/// The cell that a tile is, twice, or the two that it joins, the left or upper one first.
fn cells_of(tile: Tile) -> [Tile; 2] {
    match (tile.x % 2, tile.y % 2) {
        (0, _) => [Direction::Left, Direction::Right].map(|direction| tile.step(direction)),
        (_, 0) => [Direction::Up, Direction::Down].map(|direction| tile.step(direction)),
        _ => [tile; 2],
    }
}

/// What each direction has, by the mask of it alone.
const fn by_mask(of: [usize; 4]) -> [usize; 16] {
    let mut table = [0; 16];
    [table[1], table[2], table[4], table[8]] = of;
    table
}

/// The mask of the opposite direction.
const fn back(way: usize) -> usize {
    (way << 2 | way >> 2) & 15
}

/// Copies the words that both rows have; what `to` has beyond them is zero.
fn copy_row(from: &[u64], to: &mut [u64]) {
    let shared = from.len().min(to.len());
    to[..shared].copy_from_slice(&from[..shared]);
    to[shared..].fill(0);
}

/// A one where exactly one of four words has a one.
const fn one_of([a, b, c, d]: [u64; 4]) -> u64 {
    (a ^ b ^ c ^ d) & !(a & b | c & d)
}

#[cfg(test)]
mod tests {
    use super::super::super::recipe::{Limits, Recipe};
    use super::super::super::rng::{Rng, Seed, Streams};
    use super::super::super::work::Scratch;
    use super::super::astar;
    use super::*;

    /// A tree of random shape, and more passages than it needs in so many places of a hundred.
    fn maze(columns: usize, rows: usize, percent: u32, rng: &mut Rng, work: &mut Work) -> Passages {
        let [width, height] = [columns, rows].map(|cells| (2 * cells + 1).to_string());
        let seed = rng.below(1_000).to_string();
        let pairs = [("algo", "kruskal"), ("width", &width), ("height", &height), ("seed", &seed)];
        let level = Level::build(Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap(), work).unwrap();
        let Floor::Maze(mut passages) = level.into_layout().grid.floor else { unreachable!() };
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            if x + 1 < columns && rng.below(100) < percent {
                passages.east.set(x, y);
            }
            if y + 1 < rows && rng.below(100) < percent {
                passages.south.set(x, y);
            }
        }
        passages
    }

    #[test]
    fn the_path_is_the_one_that_a_search_of_the_whole_finds() {
        let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
        let mut scratch = Scratch::default();
        let mut work = Work { scratch: &mut scratch, halt: Halt::never() };
        for round in 0..600 {
            let [columns, rows] = [round % 3, round / 3 % 3].map(|kind| match kind {
                0 => rng.below(5) as usize + 1,
                1 => rng.below(20) as usize + 1,
                _ => rng.below(70) as usize + 62,
            });
            let percent = [0, 1, 5, 30, 100][round % 5];
            let grid = Grid::new(Floor::Maze(maze(columns, rows, percent, &mut rng, &mut work)));
            let Floor::Maze(passages) = &grid.floor else { unreachable!() };
            let mut any = || loop {
                let [x, y] = [columns, rows].map(|cells| rng.below(2 * cells as u32) + 1);
                if grid.is_open(Tile { x, y }) {
                    return Tile { x, y };
                }
            };
            for _ in 0..10 {
                let start = any();
                // next to each other too
                let near = Direction::ALL.map(|direction| start.step(direction)).into_iter().find(|t| grid.is_open(*t));
                for exit in [any(), near.unwrap_or(start), start] {
                    for search in [bfs::search, astar::search] {
                        let found = in_maze(passages, start, exit, &mut work, search);
                        let expected = search(&grid, start, exit, &mut work);
                        assert_eq!(found, expected, "{columns}x{rows} {percent} {start:?} {exit:?}");
                    }
                }
            }
        }
    }
}
