//! The answer of `/maze/distances` as JSON. Its largest part is a matrix of the steps from one tile to every tile.

use crate::level::Level;
use crate::level::error::{Error, ParameterError};
use crate::level::grid::Size;
use crate::level::queries::distances::DistancesQuery;
use crate::level::search::distances::Distances;
use crate::level::work::{Cancel, Cancelled, FIXED_BYTES, JobContext};
use crate::render::format::Format;
use crate::render::json::buffer::{put, text};
use crate::render::json::head::Head;
use crate::render::json::row;

/// The answers of `/maze/distances`.
pub const FORMAT: Format<DistancesQuery> = Format {
    name: row::NAME,
    media_type: row::MEDIA_TYPE,
    revision: row::REVISION,
    compressible: true,
    parameters: &[],
    check: Some(|rendering, recipe| check(recipe.size(), rendering.limit)),
    work_bytes: |rendering, recipe| work_bytes(recipe.size(), rendering.limit),
    answer_bytes: |rendering, recipe| {
        least_bytes(recipe.size())..(most_bytes(recipe.size()) + row::HEAD_BYTES).min(rendering.limit)
    },
    write: |rendering, level, context| write_answer(rendering.query, level, rendering.limit, context),
};

/// Measures the steps from a tile to every tile of `level` and writes them, in at most `limit` bytes.
///
/// # Errors
/// If the tile is not open, the body would pass the limit, or the job is cancelled.
pub fn write_answer(
    query: &DistancesQuery,
    level: &Level,
    limit: u64,
    context: &mut JobContext,
) -> Result<Vec<u8>, Error> {
    let (cancel, from) = (context.cancel, query.origin(level)?);
    let steps = query.measure(level, context)?;
    let mut head = text(&Head::of(level));
    head.pop();
    head.push_str(r#","from":"#);
    head.push_str(&text(&from));
    head.push_str(r#","distances":"#);
    let matrix = bytes(&steps, cancel)?;
    let bytes = head.len() as u64 + matrix + 1;
    if bytes > limit {
        return Err(Error::TooLarge(too_large(bytes, limit)));
    }
    let mut body = vec![0; bytes as usize];
    let (out, end) = put(&mut body, head.as_bytes()).split_at_mut(matrix as usize);
    write(&steps, out, cancel)?;
    put(end, b"}");
    Ok(body)
}

/// Rejects a level whose answer is known to exceed `limit`, before any work is done for the answer.
///
/// # Errors
/// Says how many bytes there would be.
pub fn check(size: Size, limit: u64) -> Result<(), ParameterError> {
    let least = least_bytes(size);
    if least <= limit { Ok(()) } else { Err(too_large(least, limit)) }
}

/// A lower bound for the bytes of an answer for a level of this size. Each number has at least two characters, except
/// for less than ten steps. Tiles at less than ten steps lie in a diamond of at most `2 * 9 * 10 + 1` tiles.
pub const fn least_bytes(size: Size) -> u64 {
    let diamond = 2 * 9 * 10 + 1;
    let short = if size.area() < diamond { size.area() } else { diamond };
    matrix_bytes(size, 3 * size.area() - short)
}

/// Most bytes that writing an answer takes, without the counted steps themselves.
pub fn work_bytes(size: Size, limit: u64) -> u64 {
    most_bytes(size).min(limit) + FIXED_BYTES
}

/// Most bytes of the matrix of an answer.
fn most_bytes(size: Size) -> u64 {
    // no path has more steps than the level has tiles; -1, for a tile that cannot be reached, takes two characters
    let signs = u64::from(size.area().ilog10() + 1).max(2);
    matrix_bytes(size, size.area() * (signs + 1))
}

/// Bytes of a matrix. `numbers` counts the bytes of all numbers, each with the comma or bracket after it. To these come
/// the opening bracket of the matrix, and for each row its opening bracket and the comma or closing bracket after the
/// row.
const fn matrix_bytes(size: Size, numbers: u64) -> u64 {
    1 + 2 * size.height as u64 + numbers
}

fn too_large(bytes: u64, limit: u64) -> ParameterError {
    let message = format!("the answer would have {bytes} bytes or more, the limit is {limit}; ask for a smaller level");
    ParameterError::new("size", message)
}

/// Bytes of the matrix.
fn bytes(steps: &Distances, cancel: Cancel) -> Result<u64, Cancelled> {
    let mut numbers = 0;
    for y in 0..steps.size().height {
        if y.is_multiple_of(64) {
            cancel.check()?;
        }
        numbers += u64::from(steps.row(y).map(number_bytes).sum::<u32>());
    }
    Ok(matrix_bytes(steps.size(), numbers))
}

/// Bytes of a number and the comma after it. The code has no branch, so that the processor counts several numbers at
/// once.
fn number_bytes(number: i32) -> u32 {
    let powers = [10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
    powers.iter().fold(2 + u32::from(number < 0), |bytes, power| bytes + u32::from(number >= *power))
}

/// Fills `out`, which has just the right length.
fn write(steps: &Distances, out: &mut [u8], cancel: Cancel) -> Result<(), Cancelled> {
    out[0] = b'[';
    let mut at = 1;
    for y in 0..steps.size().height {
        if y.is_multiple_of(64) {
            cancel.check()?;
        }
        out[at] = b'[';
        at += 1;
        for number in steps.row(y) {
            at += put_number(&mut out[at..], number);
        }
        // the bracket overwrites the last comma
        out[at - 1] = b']';
        out[at] = b',';
        at += 1;
    }
    out[at - 1] = b']';
    Ok(())
}

/// Writes a number and a comma to the front of `out` and returns their length. If there is room, sixteen bytes are
/// written, more than the text has: the next text overwrites the others. Neighbouring tiles have steps that differ by
/// one, so their texts lie close together in [`TEXTS`] and are in the processor's cache. The code does not branch on
/// which tiles are walls, because the processor cannot predict that.
#[inline]
fn put_number(out: &mut [u8], number: i32) -> usize {
    match out.first_chunk_mut::<16>() {
        Some(out) if number < BLOCK * BLOCK => {
            let (high, low) = (number / BLOCK, number % BLOCK);
            // for -1, `high` is 0 and `low` is -1: the text of `high` then adds no digits, and the text of `low` is
            // `-1,`
            let [high, low] = [high + 1, low + 1 + i32::from(high > 0) * BLOCK].map(text_at);
            let before = high.digits();
            out[..8].copy_from_slice(&high.0.to_le_bytes());
            out[before..before + 8].copy_from_slice(&low.0.to_le_bytes());
            before + low.len()
        }
        _ => put_slowly(out, number),
    }
}

/// [`TEXTS`] holds the texts of all numbers below this one, which have up to four digits. A larger number is written as
/// two of these texts, its digits above the last four and its last four digits.
const BLOCK: i32 = 10_000;

/// Eight bytes. The lowest ones are the text of a number and a comma, for example `42,`. The highest byte is the length
/// of this text. The byte below is the number of digits that the text adds if it is the first of two texts: all digits,
/// but none for the number zero.
#[derive(Clone, Copy)]
struct Text(u64);

impl Text {
    const fn len(self) -> usize {
        (self.0 >> 56) as usize
    }

    const fn digits(self) -> usize {
        (self.0 >> 48 & 7) as usize
    }

    /// The text of a number below [`BLOCK`], with leading zeros up to `least` digits.
    const fn of(number: u64, least: u64) -> Self {
        let (mut text, mut length, mut rest) = (b',' as u64, 1, number);
        while rest > 0 || length <= least {
            text = (text << 8) | (b'0' as u64 + rest % 10);
            rest /= 10;
            length += 1;
        }
        let digits = if number == 0 { 0 } else { length - 1 };
        Self(length << 56 | digits << 48 | text)
    }
}

/// The texts of -1 and of the numbers below [`BLOCK`]; then of the same numbers with leading zeros up to four digits.
static TEXTS: [Text; 2 * BLOCK as usize + 1] = {
    let minus_one = u32::from_le_bytes(*b"-1,\0") as u64 | 3 << 56;
    let mut texts = [Text(minus_one); 2 * BLOCK as usize + 1];
    let mut number = 0;
    while number < BLOCK as usize {
        texts[1 + number] = Text::of(number as u64, 1);
        texts[1 + BLOCK as usize + number] = Text::of(number as u64, 4);
        number += 1;
    }
    texts
};

#[inline]
fn text_at(index: i32) -> Text {
    TEXTS[index.cast_unsigned() as usize]
}

/// Like [`put_number`], for any number and however little room there is.
#[cold]
fn put_slowly(out: &mut [u8], number: i32) -> usize {
    let text = format!("{number},");
    out[..text.len()].copy_from_slice(text.as_bytes());
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_written_right(number: i32) {
        let expected = format!("{number},");
        assert_eq!(number_bytes(number) as usize, expected.len(), "{number}");
        // with no room after the number, and with some
        for room in [0, 3, 20] {
            let mut out = vec![b'?'; expected.len() + room];
            assert_eq!(put_number(&mut out, number), expected.len(), "{number}");
            assert_eq!(&out[..expected.len()], expected.as_bytes());
        }
    }

    #[test]
    fn every_number_is_written_right() {
        (-1..200_000).for_each(is_written_right);
        (0..10_000).for_each(|i| is_written_right(i * 25_601 + i));
        for power in (0..=8).map(|digits| 10_i32.pow(digits)) {
            [power - 1, power, power + 1].into_iter().for_each(is_written_right);
        }
        is_written_right(16_001 * 16_001);
    }
}
