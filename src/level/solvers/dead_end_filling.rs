//! Dead-end filling: close every dead end that is neither start nor exit, and each dead end that this makes, until
//! there is none. In a perfect maze only the path is left.
//!
//! No shortest path enters a filled cell, so the method works for mazes with loops too: a breadth-first search finds
//! the path through the rest. A filled part was joined to the rest by one passage, so a search of the whole maze would
//! find nothing behind that passage. So if several paths are shortest, the method finds the same one as [`bfs`].

use crate::level::Level;
use crate::level::grid::{OpenTiles, Tile};
use crate::level::solvers::solver::{Solution, Solver};
use crate::level::solvers::unique_path::in_maze;
use crate::level::solvers::{bfs, border};
use crate::level::work::{Cancelled, JobContext};

pub(crate) const DEAD_END_FILLING: Solver = Solver {
    name: "dead_end_filling",
    summary: "a shortest path, by filling dead ends until it is left; the one that bfs finds too",
    shortest: true,
    revision: 1,
    solve,
};

/// A room map has hardly any dead ends, so it is searched at once.
fn solve(level: &Level, from: Tile, to: Tile, context: &mut JobContext) -> Result<Solution, Cancelled> {
    match &level.grid().open_tiles {
        OpenTiles::Maze(passages) => {
            border::inside(level.grid(), [from, to], |[from, to]| in_maze(passages, from, to, context, bfs::search))
        }
        OpenTiles::Rooms(_) => bfs::search(level.grid(), from, to, context),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::grid::{Direction, Grid, Passages};
    use crate::level::recipe::{Limits, Recipe};
    use crate::level::rng::{Rng, Seed, Streams};
    use crate::level::solvers::astar;
    use crate::level::work::Buffers;
    use crate::level::work::Cancel;

    /// A random perfect maze in which about `percent` of a hundred closed passages are opened.
    fn maze(columns: usize, rows: usize, percent: u32, rng: &mut Rng, context: &mut JobContext) -> Passages {
        let [width, height] = [columns, rows].map(|cells| (2 * cells + 1).to_string());
        let seed = rng.below(1_000).to_string();
        let pairs = [("algo", "kruskal"), ("width", &width), ("height", &height), ("seed", &seed)];
        let level = Level::build(Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap(), context).unwrap();
        let OpenTiles::Maze(mut passages) = level.into_layout().grid.open_tiles else { unreachable!() };
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
    fn the_path_is_the_one_that_a_search_of_the_whole_maze_finds() {
        let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
        let mut buffers = Buffers::default();
        let mut context = JobContext { buffers: &mut buffers, cancel: Cancel::never() };
        for round in 0..600 {
            let [columns, rows] = [round % 3, round / 3 % 3].map(|kind| match kind {
                0 => rng.below(5) as usize + 1,
                1 => rng.below(20) as usize + 1,
                _ => rng.below(70) as usize + 62,
            });
            let percent = [0, 1, 5, 30, 100][round % 5];
            let grid = Grid::new(OpenTiles::Maze(maze(columns, rows, percent, &mut rng, &mut context)));
            let OpenTiles::Maze(passages) = &grid.open_tiles else { unreachable!() };
            let mut any = || loop {
                let [x, y] = [columns, rows].map(|cells| rng.below(2 * cells as u32) + 1);
                if grid.is_open(Tile { x, y }) {
                    return Tile { x, y };
                }
            };
            for _ in 0..10 {
                let start = any();
                // an exit next to the start too, and the start itself
                let near = Direction::ALL.map(|direction| start.step(direction)).into_iter().find(|t| grid.is_open(*t));
                for exit in [any(), near.unwrap_or(start), start] {
                    for search in [bfs::search, astar::search] {
                        let found = in_maze(passages, start, exit, &mut context, search);
                        let expected = search(&grid, start, exit, &mut context);
                        assert_eq!(found, expected, "{columns}x{rows} {percent} {start:?} {exit:?}");
                    }
                }
            }
        }
    }
}
