//! The grid of a level as JSON, in each of its forms.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::level::error::Error;
use crate::level::grid::{Bitmap, Grid, OpenTiles, Outline, Passages, Size};
use crate::level::work::JobContext;
use crate::render::options::GridForm;

/// The text before the grid: the name of its field.
pub(crate) const fn field(form: GridForm) -> &'static str {
    match form {
        GridForm::Matrix => r#","grid":"#,
        GridForm::Rows => r#","rows":"#,
        GridForm::Bits => r#","bits":"#,
        GridForm::None => "",
    }
}

/// Bytes of a grid in this form, with `void` void tiles.
pub(crate) fn bytes(form: GridForm, size: Size, void: u64) -> u64 {
    let (width, height) = (u64::from(size.width), u64::from(size.height));
    // each row with the comma or closing bracket after it, and the opening bracket before all rows
    match form {
        // a void tile is `-1`, one character more than a wall or an open tile
        GridForm::Matrix => 1 + height * (2 * width + 2) + void,
        GridForm::Rows => 1 + height * (width + 3),
        GridForm::Bits => 2 + (width.div_ceil(8) * height).div_ceil(3) * 4,
        GridForm::None => 0,
    }
}

/// Fills `out`, which has just the right length.
pub(crate) fn write(form: GridForm, grid: &Grid, out: &mut [u8], context: &mut JobContext) -> Result<(), Error> {
    match form {
        GridForm::Matrix => write_rows(grid, out, context, &NUMBERS, *b"[]"),
        GridForm::Rows => write_rows(grid, out, context, &CHARACTERS, *b"\"\""),
        GridForm::Bits => write_bits(grid, out, context),
        GridForm::None => Ok(()),
    }
}

/// For each byte of a packed grid the text of its eight bits. There is a table for each kind of row, so a row is
/// written straight from the packed bits: no code unpacks it to tiles first.
struct Texts<const TILE: usize, const EIGHT: usize, const SIXTEEN: usize> {
    wall: [u8; TILE],
    open: [u8; TILE],
    void: &'static [u8],
    /// For a row of a room map: each bit is a tile.
    tiles: [[u8; EIGHT]; 256],
    /// For a row of cells: each bit stands for two tiles, an open cell and its passage to the right.
    cells: [[u8; SIXTEEN]; 256],
    /// For a row between two rows of cells: each bit stands for two tiles, a passage downwards and the wall to its
    /// right.
    between: [[u8; SIXTEEN]; 256],
}

static NUMBERS: Texts<2, 16, 32> = Texts::new(*b"1,", *b"0,", b"-1,");

static CHARACTERS: Texts<1, 8, 16> = Texts::new(*b"#", *b".", b" ");

/// A tile of the pattern that [`table`] repeats.
#[derive(Clone, Copy)]
enum Sign {
    Wall,
    Open,
    /// Open where the next bit is set.
    Bit,
}

impl<const TILE: usize, const EIGHT: usize, const SIXTEEN: usize> Texts<TILE, EIGHT, SIXTEEN> {
    const fn new(wall: [u8; TILE], open: [u8; TILE], void: &'static [u8]) -> Self {
        Self {
            wall,
            open,
            void,
            tiles: table(&[Sign::Bit], wall, open),
            cells: table(&[Sign::Open, Sign::Bit], wall, open),
            between: table(&[Sign::Bit, Sign::Wall], wall, open),
        }
    }

    /// Writes row `y` to the front of `text` and returns its length.
    fn write_row(&self, grid: &Grid, y: usize, text: &mut [u8]) -> usize {
        if let Some(Outline { void, .. }) = &grid.outline {
            return self.write_masked_row(grid, void, y, text);
        }
        let text = &mut text[..grid.size().width as usize * TILE];
        match &grid.open_tiles {
            OpenTiles::Rooms(open) => write_bytes(text, open.row(y), &self.tiles),
            OpenTiles::Maze(Passages { east, south }) => {
                // the left border; the right border is the last column's passage to the right, which is never open
                let (border, text) = text.split_at_mut(TILE);
                border.copy_from_slice(&self.wall);
                if y % 2 == 1 {
                    write_bytes(text, east.row(y / 2), &self.cells);
                } else {
                    // the upper border is written like the lower one: from the last row of cells, which has no passages
                    // downwards
                    let above = y.checked_sub(2).map_or(south.height() - 1, |y| y / 2);
                    write_bytes(text, south.row(above), &self.between);
                }
            }
        }
        for tile in grid.openings.iter().flatten().filter(|tile| tile.y as usize == y) {
            text[tile.x as usize * TILE..][..TILE].copy_from_slice(&self.open);
        }
        text.len()
    }

    /// Writes a row of a level in a mask, tile by tile, because the text of a void tile may be longer than the others.
    fn write_masked_row(&self, grid: &Grid, void: &Bitmap, y: usize, text: &mut [u8]) -> usize {
        let mut open = vec![0; grid.words_per_row()];
        grid.read_row(y, &mut open);
        let void = void.row(y);
        let bit = |words: &[u64], x: usize| words[x / 64] >> (x % 64) & 1 == 1;
        let mut at = 0;
        for x in 0..grid.size().width as usize {
            let tile = match (bit(&open, x), bit(void, x)) {
                (true, _) => &self.open[..],
                (false, true) => self.void,
                (false, false) => &self.wall[..],
            };
            text[at..][..tile.len()].copy_from_slice(tile);
            at += tile.len();
        }
        at
    }
}

/// For each byte its text: the pattern once for each of the eight bits.
const fn table<const TILE: usize, const BYTE: usize>(
    pattern: &[Sign],
    wall: [u8; TILE],
    open: [u8; TILE],
) -> [[u8; BYTE]; 256] {
    let mut table = [[0; BYTE]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut i = 0;
        while i < BYTE {
            let tile = i / TILE;
            let is_open = match pattern[tile % pattern.len()] {
                Sign::Wall => false,
                Sign::Open => true,
                Sign::Bit => byte >> (tile / pattern.len()) & 1 == 1,
            };
            table[byte][i] = if is_open { open[i % TILE] } else { wall[i % TILE] };
            i += 1;
        }
        byte += 1;
    }
    table
}

/// Writes an array with an element for each row, between the two `quotes`. If commas divide the tiles, the closing
/// quote overwrites the comma after the last tile.
fn write_rows<const TILE: usize, const EIGHT: usize, const SIXTEEN: usize>(
    grid: &Grid,
    out: &mut [u8],
    context: &mut JobContext,
    texts: &Texts<TILE, EIGHT, SIXTEEN>,
    quotes: [u8; 2],
) -> Result<(), Error> {
    out[0] = b'[';
    let mut rest = &mut out[1..];
    for y in 0..grid.size().height as usize {
        if y.is_multiple_of(64) {
            context.cancel.check()?;
        }
        rest[0] = quotes[0];
        let end = texts.write_row(grid, y, &mut rest[1..]) + 2 - TILE;
        (rest[end], rest[end + 1]) = (quotes[1], b',');
        rest = &mut rest[end + 2..];
    }
    if let Some(last) = out.last_mut() {
        *last = b']';
    }
    Ok(())
}

/// Writes the texts of the bytes of `words` one after the other, until `text` is full.
fn write_bytes<const BYTE: usize>(text: &mut [u8], words: &[u64], table: &[[u8; BYTE]; 256]) {
    let mut whole = text.chunks_exact_mut(8 * BYTE);
    for (chunk, word) in whole.by_ref().zip(words) {
        for (piece, byte) in chunk.chunks_exact_mut(BYTE).zip(word.to_le_bytes()) {
            piece.copy_from_slice(&table[byte as usize]);
        }
    }
    let rest = whole.into_remainder();
    if let Some(word) = words.last() {
        for (piece, byte) in rest.chunks_mut(BYTE).zip(word.to_le_bytes()) {
            piece.copy_from_slice(&table[byte as usize][..piece.len()]);
        }
    }
}

/// Packs all walls, then encodes all bytes at once, so that base64 adds padding only at the end and not in each row.
fn write_bits(grid: &Grid, out: &mut [u8], context: &mut JobContext) -> Result<(), Error> {
    let size = grid.size();
    let row_bytes = size.width.div_ceil(8) as usize;
    let padding = (row_bytes * 8) as u32 - size.width;
    let mut words = vec![0_u64; grid.words_per_row()];
    let packed = &mut context.buffers.tile_map;
    packed.clear();
    packed.reserve_exact(row_bytes * size.height as usize);
    for y in 0..size.height as usize {
        if y.is_multiple_of(64) {
            context.cancel.check()?;
        }
        grid.read_row(y, &mut words);
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).take(row_bytes);
        packed.extend(bytes.map(|open| !open.reverse_bits()));
        if let Some(last) = packed.last_mut() {
            *last &= u8::MAX << padding;
        }
    }
    let end = out.len() - 1;
    (out[0], out[end]) = (b'"', b'"');
    let written = BASE64.encode_slice(packed, &mut out[1..end]);
    debug_assert_eq!(written.ok(), Some(end - 1), "the size of base64 is known before");
    Ok(())
}
