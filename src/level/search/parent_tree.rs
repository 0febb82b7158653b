//! Computes the parents of a perfect maze whose algorithm stored none, by filling all of its dead ends except the root.
//!
//! When a cell is filled, one of its passages is open. All cells behind its other passages are filled already, so the
//! open passage leads to its parent. This takes a little longer than to solve the maze once by dead-end filling.

use crate::level::grid::{Bitmap, Parents, Passages, Tile, Tree, spread};
use crate::level::search::dead_ends::{DeadEndFiller, FillObserver};
use crate::level::work::{Cancelled, JobContext};

/// The parents of all cells. The root of the tree is the cell on the tile `root` inside the border; if that tile is a
/// passage, the root is the cell to its left or above it.
pub(crate) fn grow(passages: &Passages, root: Tile, context: &mut JobContext) -> Result<Parents, Cancelled> {
    let root = ((root.x as usize - 1) / 2, (root.y as usize - 1) / 2);
    let bitmaps = &mut context.buffers.bitmaps;
    let tile = Tile { x: 2 * root.0 as u32 + 1, y: 2 * root.1 as u32 + 1 };
    let mut filler = DeadEndFiller::new(passages, bitmaps, [tile; 2]);
    let mut recorder =
        Recorder { bits: bitmaps.take(filler.open.width(), filler.open.height()), stride: filler.stride };
    recorder.bits.clear();
    filler.fill(&mut recorder, context.cancel)?;
    let directions = recorder.directions(passages);
    bitmaps.give(filler.open);
    bitmaps.give(recorder.bits);
    Ok(Parents::Stored(Tree { root, directions, path: None }))
}

/// Records the direction of the parent of each filled cell: for each row the lower bits of the numbers of the
/// directions, then the higher bits, laid out as the passages of [`DeadEndFiller`].
struct Recorder {
    bits: Bitmap,
    /// Words of a row for the lower bits, and as many for the higher bits.
    stride: usize,
}

impl Recorder {
    /// The directions in two columns of bits a cell.
    fn directions(&self, passages: &Passages) -> Bitmap {
        let (columns, rows) = (passages.east.width(), passages.east.height());
        // a new bitmap, because one of the pool may be larger, and `Level::bytes` counts these bytes before they exist
        let mut directions = Bitmap::new(2 * columns, rows);
        for y in 0..rows {
            let (low, high) = self.bits.row(y + 1).split_at(self.stride);
            for (pair, (low, high)) in directions.row_mut(y).chunks_mut(2).zip(low.iter().zip(high)) {
                for (i, word) in pair.iter_mut().enumerate() {
                    *word = spread((low >> (32 * i)) as u32) | spread((high >> (32 * i)) as u32) << 1;
                }
            }
        }
        directions
    }
}

impl FillObserver for Recorder {
    #[inline]
    fn on_cells(&mut self, word: usize, filled: u64, [right, down, left]: [u64; 3]) {
        let words = self.bits.words_mut();
        words[word] |= filled & (right | left);
        words[word + self.stride] |= filled & (down | left);
    }

    #[inline]
    fn on_cell(&mut self, index: usize, direction: usize) {
        let number = u64::from(direction.trailing_zeros());
        let words = self.bits.words_mut();
        words[index / 64] |= (number & 1) << (index % 64);
        words[index / 64 + self.stride] |= (number >> 1) << (index % 64);
    }
}
