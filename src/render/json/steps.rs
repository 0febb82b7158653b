//! The steps of a path as JSON, in each of their forms.

use crate::level::grid::{Direction, Size, Tile};
use crate::render::options::PathForm;

/// Most bytes of a point of a path.
const MAX_POINT_BYTES: u64 = "[16000,16000],".len() as u64;

/// Most bytes that a path of so many steps takes.
pub(super) const fn max_bytes(form: PathForm, steps: u64) -> u64 {
    match form {
        PathForm::Points => MAX_POINT_BYTES * steps,
        PathForm::Moves => steps,
        PathForm::None => 0,
    }
}

/// Bytes of the tables of texts that points are written from.
pub(super) const fn table_bytes(form: PathForm, size: Size) -> u64 {
    match form {
        PathForm::Points => (size.width as u64 + size.height as u64) * size_of::<Text>() as u64,
        PathForm::Moves | PathForm::None => 0,
    }
}

/// The text before the path: the name of its field.
pub(crate) const fn field(form: PathForm) -> &'static str {
    match form {
        PathForm::Points => r#","path":"#,
        PathForm::Moves => r#","moves":"#,
        PathForm::None => "",
    }
}

/// A path in one of the forms, with the tables that are needed to write it.
pub(crate) enum Steps<'a> {
    Points { start: Tile, moves: &'a [Direction], texts: Texts },
    Moves(&'a [Direction]),
    None,
}

impl<'a> Steps<'a> {
    /// The steps `moves` from `start`, in a level of this size.
    pub(crate) fn new(form: PathForm, size: Size, start: Tile, moves: &'a [Direction]) -> Self {
        match form {
            PathForm::Points => Self::Points { start, moves, texts: Texts::new(size) },
            PathForm::Moves => Self::Moves(moves),
            PathForm::None => Self::None,
        }
    }

    /// The number of bytes of the path. Neither this function nor `write` is ever inlined: in a larger function the
    /// compiler would keep the variables of their loops in memory instead of registers.
    #[inline(never)]
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            // the opening bracket; after each point comes a comma or the closing bracket
            Self::Points { start, moves, texts } => 1 + tiles(*start, moves).map(|tile| texts.bytes(tile)).sum::<u64>(),
            Self::Moves(moves) => moves.len() as u64 + 2,
            Self::None => 0,
        }
    }

    /// Fills `out`, which has just the right length.
    #[inline(never)]
    pub(crate) fn write(&self, out: &mut [u8]) {
        let Some(end) = out.len().checked_sub(1) else { return };
        match self {
            Self::Points { start, moves, texts } => {
                out[0] = b'[';
                let mut tile = *start;
                let mut at = 1 + texts.put(tile, &mut out[1..]);
                for step in *moves {
                    tile = tile.step(*step);
                    at += texts.put(tile, &mut out[at..]);
                }
                out[end] = b']';
            }
            Self::Moves(moves) => {
                (out[0], out[end]) = (b'"', b'"');
                for (letter, step) in out[1..end].iter_mut().zip(*moves) {
                    *letter = step.letter();
                }
            }
            Self::None => {}
        }
    }
}

/// The tiles of a path, including the first one.
fn tiles(start: Tile, moves: &[Direction]) -> impl Iterator<Item = Tile> {
    let steps = moves.iter().scan(start, |tile, &step| {
        *tile = tile.step(step);
        Some(*tile)
    });
    std::iter::once(start).chain(steps)
}

/// The halves of every point that a level can have, ready to be copied: `[x,` and `y],`.
pub(crate) struct Texts {
    columns: Vec<Text>,
    rows: Vec<Text>,
}

impl Texts {
    fn new(size: Size) -> Self {
        let column = |x| Text::default().push(b'[').number(x).push(b',');
        let row = |y| Text::default().number(y).push(b']').push(b',');
        Self { columns: (0..size.width).map(column).collect(), rows: (0..size.height).map(row).collect() }
    }

    fn point(&self, tile: Tile) -> [Text; 2] {
        [self.columns[tile.x as usize], self.rows[tile.y as usize]]
    }

    fn bytes(&self, tile: Tile) -> u64 {
        self.point(tile).map(|text| text.len() as u64).iter().sum()
    }

    /// Writes the text of a tile to the front of `out` and returns its length.
    #[inline]
    fn put(&self, tile: Tile, out: &mut [u8]) -> usize {
        let [column, row] = self.point(tile);
        let bytes = column.put(out);
        bytes + row.put(&mut out[bytes..])
    }
}

/// At most seven bytes of text: the five digits that a coordinate has at most, and two more characters. The first
/// character is in the lowest byte, and the highest byte is the length.
#[derive(Clone, Copy, Default)]
struct Text(u64);

impl Text {
    const fn len(self) -> usize {
        (self.0 >> 56) as usize
    }

    const fn push(self, byte: u8) -> Self {
        debug_assert!(self.len() < 7);
        Self((self.0 | (byte as u64) << (self.len() * 8)) + (1 << 56))
    }

    const fn number(self, value: u32) -> Self {
        let front = if value < 10 { self } else { self.number(value / 10) };
        front.push(b'0' + (value % 10) as u8)
    }

    /// Writes the text to the front of `out` and returns its length. If there is room, all eight bytes are written: the
    /// next text overwrites those that do not belong to this one.
    fn put(self, out: &mut [u8]) -> usize {
        let bytes = self.0.to_le_bytes();
        match out.first_chunk_mut() {
            Some(eight) => *eight = bytes,
            None => out[..self.len()].copy_from_slice(&bytes[..self.len()]),
        }
        self.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_the_largest_level_is_written_right() {
        let side = 16_001;
        let texts = Texts::new(Size { width: side, height: side });
        for (x, y) in (0..side).map(|x| (x, side - 1 - x)) {
            let tile = Tile { x, y };
            let expected = format!("[{x},{y}],");
            // with no room after the point, and with some
            for room in [0, 3, 20] {
                let mut out = vec![b'?'; expected.len() + room];
                assert_eq!(texts.put(tile, &mut out), expected.len());
                assert_eq!(&out[..expected.len()], expected.as_bytes());
            }
            assert_eq!(texts.bytes(tile), expected.len() as u64);
        }
    }
}
