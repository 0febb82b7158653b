//! Parents for a perfect maze whose generator left none: filling its dead ends up to one cell tells each cell's way to
//! that one.
//!
//! A dead end has one passage, and whatever lies behind it was filled before, so this passage is the way to the cell
//! that is never filled, the root. It takes as long as to solve the maze once by
//! dead-end filling, and a little for the notes.

use crate::level::grid::{Bitmap, Parents, Passages, Tile, Tree, spread};
use crate::level::search::dead_ends::{Maze, Notes};
use crate::level::work::{Cancelled, JobContext};

/// The parents of all cells, with the cell that a tile inside the border is, or the one to the left of it or above, as
/// their root.
pub(crate) fn grow(passages: &Passages, root: Tile, context: &mut JobContext) -> Result<Parents, Cancelled> {
    let root = ((root.x as usize - 1) / 2, (root.y as usize - 1) / 2);
    let planes = &mut context.buffers.planes;
    let tile = Tile { x: 2 * root.0 as u32 + 1, y: 2 * root.1 as u32 + 1 };
    let mut maze = Maze::copy(passages, planes, [tile; 2]);
    let mut ways = Ways { plane: planes.take(maze.plane.width(), maze.plane.height()), stride: maze.stride };
    ways.plane.clear();
    maze.fill(&mut ways, context.cancel)?;
    let directions = ways.directions(passages);
    planes.give(maze.plane);
    planes.give(ways.plane);
    Ok(Parents::Stored(Tree { root, directions, way: None }))
}

/// The ways out of the cells that were filled: for each row the lower bits of the numbers of their directions, then the
/// higher ones, at the places that their passages have in the maze.
struct Ways {
    plane: Bitmap,
    /// Words of either kind in a row.
    stride: usize,
}

impl Ways {
    /// The same in two columns of bits a cell.
    fn directions(&self, passages: &Passages) -> Bitmap {
        let (columns, rows) = (passages.east.width(), passages.east.height());
        // fresh words: a level keeps them, and is weighed by the least that they can take
        let mut directions = Bitmap::new(2 * columns, rows);
        for y in 0..rows {
            let (low, high) = self.plane.row(y + 1).split_at(self.stride);
            for (pair, (low, high)) in directions.row_mut(y).chunks_mut(2).zip(low.iter().zip(high)) {
                for (i, word) in pair.iter_mut().enumerate() {
                    *word = spread((low >> (32 * i)) as u32) | spread((high >> (32 * i)) as u32) << 1;
                }
            }
        }
        directions
    }
}

impl Notes for Ways {
    #[inline]
    fn cells(&mut self, word: usize, dead: u64, [right, down, left]: [u64; 3]) {
        let words = self.plane.words_mut();
        words[word] |= dead & (right | left);
        words[word + self.stride] |= dead & (down | left);
    }

    #[inline]
    fn cell(&mut self, place: usize, way: usize) {
        let direction = u64::from(way.trailing_zeros());
        let words = self.plane.words_mut();
        words[place / 64] |= (direction & 1) << (place % 64);
        words[place / 64 + self.stride] |= (direction >> 1) << (place % 64);
    }
}
