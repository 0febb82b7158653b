//! Binary tree: each cell opens to the right or downwards, by one fair coin.
//!
//! A cell of the last row has only its right to open, one of the last column only what lies below, and the last cell
//! nothing. Every way leads right and down to the last cell, so the maze is perfect, and its last row and last column are
//! two long corridors.

use super::super::grid::Passages;
use super::super::layout::Layout;
use super::super::recipe::Recipe;
use super::super::work::Work;
use super::{Algorithm, Failure, Sides};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "binary_tree",
    aliases: &[],
    summary: "each cell opens to the right or downwards with equal chance",
    character: "strong diagonal bias, a corridor along the last row and the last column; the fastest of all",
    source: "Jamis Buck, Mazes for Programmers, 2015",
    revision: 1,
    sides: Sides::Odd,
    options: &[],
    bytes_per_tile: 1,
    generate,
};

/// Rows that share one stream of coins.
const BAND: usize = 64;

/// Draws 64 coins a word: a one opens to the right, a zero downwards.
fn generate(recipe: &Recipe, work: &mut Work) -> Result<Layout, Failure> {
    let (columns, rows) = recipe.size().cells();
    let mut passages = Passages::new((columns, rows));
    let last_column = 1 << ((columns - 1) % 64);
    let valid = passages.east.last_word_mask();
    for band in (0..rows).step_by(BAND) {
        work.halt.check()?;
        let mut coins = recipe.streams().stream(0, (band / BAND) as u64);
        for y in band..rows.min(band + BAND) {
            let (east, south) = (passages.east.row_mut(y), passages.south.row_mut(y));
            let last_row = y + 1 == rows;
            for (east, south) in east.iter_mut().zip(south.iter_mut()) {
                let word = if last_row { u64::MAX } else { coins.word() };
                (*east, *south) = (word, if last_row { 0 } else { !word });
            }
            if let (Some(east), Some(south)) = (east.last_mut(), south.last_mut()) {
                *east &= valid & !last_column;
                *south = *south & valid | if last_row { 0 } else { last_column };
            }
        }
    }
    Ok(Layout::maze(passages))
}
