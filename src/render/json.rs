//! A level as JSON. The bulk of an answer, grid and path, is written straight from the packed level into one body whose
//! size is known before; serde writes everything small.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::{GridForm, Parts, PathForm, Refusal, View};
use crate::level::Level;
use crate::level::grid::{Direction, Grid, Size, Tile};
use crate::level::layout::{Door, Plan, Room};
use crate::level::options::{FRACTION_UNIT, Kind, Opt};
use crate::level::recipe::Recipe;
use crate::level::solvers::Route;
use crate::level::work::Work;

/// Counts the times that the bytes of an answer changed; part of every entity tag.
pub const REVISION: u32 = 1;

/// Writes what `view` shows of `level`, in at most `limit` bytes.
///
/// # Errors
/// Where the body would pass the limit, or the job is told to stop.
pub fn level(level: &Level, view: &View, limit: u64, work: &mut Work) -> Result<Vec<u8>, Refusal> {
    let route = match view.solver {
        Some(solver) => Some((solver.name, (solver.solve)(level, work)?)),
        None => None,
    };
    let size = level.grid().size();
    // each part with the text that goes before it; the first part is the head without its closing brace
    let mut head = serde_json::to_vec(&Head(level.recipe())).unwrap_or_default();
    head.pop();
    head.extend_from_slice(grid_field(view.grid).as_bytes());
    let mut middle = level.plan().map(plan_fields).unwrap_or_default();
    let mut moves: &[Direction] = &[];
    let mut path = PathForm::None;
    let mut tail = String::from("}");
    match &route {
        Some((solver, Route::Found(found))) => {
            (moves, path) = (found, view.path);
            let solution = format!(r#","solution":{{"solver":"{solver}","length":{}{}"#, found.len(), path_field(path));
            middle.push_str(&solution);
            tail.push('}');
        }
        Some((solver, Route::Lost(reason))) => {
            let solution = format!(r#","solution":{{"solver":"{solver}","found":false,"reason":"{reason}"}}"#);
            middle.push_str(&solution);
        }
        None => {}
    }
    let grid_bytes = grid_bytes(view.grid, size);
    let path_bytes = path_bytes(path, level.start(), moves);
    let bytes = (head.len() + middle.len() + tail.len()) as u64 + grid_bytes + path_bytes;
    if bytes > limit {
        let parts = Parts { grid: grid_bytes, plan: middle.len() as u64, path: path_bytes };
        return Err(Refusal::TooLarge(view.too_large(parts, limit)));
    }
    let mut body = vec![0; bytes as usize];
    let rest = put(&mut body, head.as_slice());
    let (grid, rest) = rest.split_at_mut(grid_bytes as usize);
    write_grid(view.grid, level.grid(), grid, work)?;
    let rest = put(rest, middle.as_bytes());
    let (steps, rest) = rest.split_at_mut(path_bytes as usize);
    write_path(path, level.start(), moves, steps);
    put(rest, tail.as_bytes());
    Ok(body)
}

/// Copies `bytes` to the front of `out` and gives what is left of it.
fn put<'a>(out: &'a mut [u8], bytes: &[u8]) -> &'a mut [u8] {
    let (front, rest) = out.split_at_mut(bytes.len());
    front.copy_from_slice(bytes);
    rest
}

/// The fields that every answer about a level begins with: its recipe, defaults filled in.
struct Head<'a>(&'a Recipe);

impl Serialize for Head<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let recipe = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("algorithm", recipe.algorithm().name)?;
        map.serialize_entry("seed", &recipe.seed().to_string())?;
        map.serialize_entry("width", &recipe.size().width)?;
        map.serialize_entry("height", &recipe.size().height)?;
        map.serialize_entry("options", &OptionValues(recipe))?;
        map.serialize_entry("start", &recipe.start())?;
        map.serialize_entry("exit", &recipe.exit())?;
        map.end()
    }
}

/// The recipe's options as an object of numbers.
struct OptionValues<'a>(&'a Recipe);

impl Serialize for OptionValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let options = self.0.algorithm().options;
        let mut map = serializer.serialize_map(Some(options.len()))?;
        for row in options.iter().map(|option| option.row()) {
            map.serialize_entry(row.name, &option_value(row.kind, self.0.options().get(row.option)))?;
        }
        map.end()
    }
}

/// An option's value as a number.
pub fn option_value(kind: Kind, value: u64) -> Value {
    match kind {
        Kind::Fraction { .. } if !value.is_multiple_of(FRACTION_UNIT) => {
            // four decimal places survive the way through a double: the shortest text that gives it back is theirs
            (f64::from(value as u32) / f64::from(FRACTION_UNIT as u32)).into()
        }
        Kind::Fraction { .. } => (value / FRACTION_UNIT).into(),
        Kind::Count => value.into(),
    }
}

impl Serialize for Door {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("tiles", &self.tiles().collect::<Vec<_>>())?;
        map.serialize_entry("rooms", &self.rooms)?;
        map.end()
    }
}

impl Serialize for Room {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("x", &self.x)?;
        map.serialize_entry("y", &self.y)?;
        map.serialize_entry("width", &self.width)?;
        map.serialize_entry("height", &self.height)?;
        map.serialize_entry("area", &self.area)?;
        map.end()
    }
}

/// The fields of a room map.
fn plan_fields(plan: &Plan) -> String {
    let text = |json: serde_json::Result<String>| json.unwrap_or_default();
    format!(
        r#","rooms":{},"doors":{}"#,
        text(serde_json::to_string(&plan.rooms)),
        text(serde_json::to_string(&plan.doors))
    )
}

/// Fewest bytes that the rooms and doors of a recipe take, if it can be built: each with numbers of one digit, and no more
/// rooms than there is place for.
pub(super) fn least_plan_bytes(recipe: &Recipe) -> u64 {
    if !recipe.algorithm().options.contains(&Opt::Rooms) {
        return 0;
    }
    let room = r#"{"x":1,"y":1,"width":1,"height":1,"area":1},"#.len() as u64;
    let door = r#"{"tiles":[[1,1]],"rooms":[0,1]},"#.len() as u64;
    let (columns, rows) = recipe.size().cells();
    recipe.options().get(Opt::Rooms).min(columns as u64 * rows as u64) * (room + door)
}

/// Most bytes of a point of a path.
pub(super) const MOST_POINT_BYTES: u64 = "[16000,16000],".len() as u64;

/// What goes before the grid.
const fn grid_field(form: GridForm) -> &'static str {
    match form {
        GridForm::Matrix => r#","grid":"#,
        GridForm::Rows => r#","rows":"#,
        GridForm::Bits => r#","bits":"#,
        GridForm::None => "",
    }
}

/// Bytes of the grid in this form.
pub(super) const fn grid_bytes(form: GridForm, size: Size) -> u64 {
    let (width, height) = (size.width as u64, size.height as u64);
    // each row with the comma or closing bracket behind it, and the opening bracket before all
    match form {
        GridForm::Matrix => 1 + height * (2 * width + 2),
        GridForm::Rows => 1 + height * (width + 3),
        GridForm::Bits => 2 + (width.div_ceil(8) * height).div_ceil(3) * 4,
        GridForm::None => 0,
    }
}

/// Fills `out`, which has just the right length.
fn write_grid(form: GridForm, grid: &Grid, out: &mut [u8], work: &mut Work) -> Result<(), Refusal> {
    match form {
        GridForm::Matrix => write_rows::<16>(grid, out, work, &DIGITS, [b'[', b']']),
        GridForm::Rows => write_rows::<8>(grid, out, work, &CHARACTERS, [b'"', b'"']),
        GridForm::Bits => write_bits(grid, out, work),
        GridForm::None => Ok(()),
    }
}

/// For each byte of open bits its eight tiles as `1,` or `0,`.
static DIGITS: [[u8; 16]; 256] = table(*b"1,", *b"0,");

/// For each byte of open bits its eight tiles as `#` or `.`.
static CHARACTERS: [[u8; 8]; 256] = table(*b"#", *b".");

const fn table<const TILE: usize, const BYTE: usize>(wall: [u8; TILE], open: [u8; TILE]) -> [[u8; BYTE]; 256] {
    let mut table = [[0; BYTE]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut i = 0;
        while i < BYTE {
            table[bits][i] = if bits >> (i / TILE) & 1 == 1 { open[i % TILE] } else { wall[i % TILE] };
            i += 1;
        }
        bits += 1;
    }
    table
}

/// Writes an array with an element a row, by a table that turns eight tiles into `BYTE` bytes. `quotes` stand around a
/// row; where tiles are divided by commas, the closing one overwrites the last comma.
fn write_rows<const BYTE: usize>(
    grid: &Grid,
    out: &mut [u8],
    work: &mut Work,
    table: &[[u8; BYTE]; 256],
    quotes: [u8; 2],
) -> Result<(), Refusal> {
    let width = grid.size().width as usize;
    let mut words = vec![0_u64; grid.words_per_row()];
    let (first, rows) = out.split_at_mut(1);
    first[0] = b'[';
    let stride = rows.len() / grid.size().height as usize;
    for (y, row) in rows.chunks_exact_mut(stride).enumerate() {
        if y.is_multiple_of(64) {
            work.halt.check()?;
        }
        grid.read_row(y, &mut words);
        row[0] = quotes[0];
        write_tiles(&mut row[1..=width * BYTE / 8], &words, table);
        row[stride - 2] = quotes[1];
        row[stride - 1] = b',';
    }
    if let Some(last) = rows.last_mut() {
        *last = b']';
    }
    Ok(())
}

/// Writes the tiles of one row; `text` ends with the last of them.
fn write_tiles<const BYTE: usize>(text: &mut [u8], words: &[u64], table: &[[u8; BYTE]; 256]) {
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

/// Packs the walls, then encodes them in one go, so that no row needs a padding of base64's own.
fn write_bits(grid: &Grid, out: &mut [u8], work: &mut Work) -> Result<(), Refusal> {
    let size = grid.size();
    let row_bytes = size.width.div_ceil(8) as usize;
    let padding = (row_bytes * 8) as u32 - size.width;
    let mut words = vec![0_u64; grid.words_per_row()];
    let packed = &mut work.scratch.board;
    packed.clear();
    for y in 0..size.height as usize {
        if y.is_multiple_of(64) {
            work.halt.check()?;
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

/// What goes before the path.
const fn path_field(form: PathForm) -> &'static str {
    match form {
        PathForm::Points => r#","path":"#,
        PathForm::Moves => r#","moves":"#,
        PathForm::None => "",
    }
}

/// The tiles of a path, its first one included.
fn tiles(start: Tile, moves: &[Direction]) -> impl Iterator<Item = Tile> {
    let steps = moves.iter().scan(start, |tile, &step| {
        *tile = tile.step(step);
        Some(*tile)
    });
    std::iter::once(start).chain(steps)
}

/// Bytes of the path in this form.
fn path_bytes(form: PathForm, start: Tile, moves: &[Direction]) -> u64 {
    match form {
        // each point with the comma or closing bracket behind it
        PathForm::Points => 1 + tiles(start, moves).map(|tile| digits(tile.x) + digits(tile.y) + 4).sum::<u64>(),
        PathForm::Moves => moves.len() as u64 + 2,
        PathForm::None => 0,
    }
}

fn digits(value: u32) -> u64 {
    value.checked_ilog10().map_or(1, |log| u64::from(log) + 1)
}

/// Fills `out`, which has just the right length.
fn write_path(form: PathForm, start: Tile, moves: &[Direction], out: &mut [u8]) {
    let Some(end) = out.len().checked_sub(1) else { return };
    match form {
        PathForm::Points => {
            out[0] = b'[';
            let mut rest = &mut out[1..];
            for tile in tiles(start, moves) {
                rest = put(rest, b"[");
                rest = put_number(rest, tile.x);
                rest = put(rest, b",");
                rest = put_number(rest, tile.y);
                rest = put(rest, b"],");
            }
            out[end] = b']';
        }
        PathForm::Moves => {
            (out[0], out[end]) = (b'"', b'"');
            for (letter, step) in out[1..end].iter_mut().zip(moves) {
                *letter = step.letter();
            }
        }
        PathForm::None => {}
    }
}

/// Writes `value` to the front of `out` and gives what is left of it.
fn put_number(out: &mut [u8], mut value: u32) -> &mut [u8] {
    let (text, rest) = out.split_at_mut(digits(value) as usize);
    for digit in text.iter_mut().rev() {
        *digit = b'0' + (value % 10) as u8;
        value /= 10;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::parameters::Parameters;
    use crate::level::recipe::Limits;
    use crate::level::work::{Halt, Scratch};

    fn build(pairs: &[(&str, &str)]) -> Level {
        let recipe = Recipe::from_pairs(pairs, Limits { max_side: 4001 }).unwrap();
        Level::build(recipe, &mut Work { scratch: &mut Scratch::default(), halt: Halt::never() }).unwrap()
    }

    fn view(pairs: &[(&'static str, &'static str)]) -> View {
        View::read(&mut Parameters::new(pairs.iter().map(|&(name, value)| (name.into(), Ok(value.into()))).collect()))
            .unwrap()
    }

    fn body(level: &Level, view: &View) -> Vec<u8> {
        let mut scratch = Scratch::default();
        super::level(level, view, u64::MAX, &mut Work { scratch: &mut scratch, halt: Halt::never() }).unwrap()
    }

    fn json(level: &Level, pairs: &[(&'static str, &'static str)]) -> Value {
        serde_json::from_slice(&body(level, &view(pairs))).unwrap()
    }

    #[test]
    fn every_form_shows_the_same_tiles() {
        for width in ["3", "5", "7", "9", "15", "17", "31", "33", "63", "65", "67", "127", "129", "131"] {
            let level = build(&[("algo", "binary_tree"), ("width", width), ("height", "7"), ("seed", "7")]);
            let size = level.grid().size();
            let (matrix, rows, bits) =
                (json(&level, &[]), json(&level, &[("grid", "rows")]), json(&level, &[("grid", "bits")]));
            let packed = BASE64.decode(bits["bits"].as_str().unwrap()).unwrap();
            let row_bytes = size.width.div_ceil(8) as usize;
            assert_eq!(packed.len(), row_bytes * size.height as usize);
            for y in 0..size.height as usize {
                assert_eq!(matrix["grid"][y].as_array().unwrap().len(), size.width as usize);
                assert_eq!(rows["rows"][y].as_str().unwrap().len(), size.width as usize);
                for x in 0..row_bytes * 8 {
                    let wall = packed[y * row_bytes + x / 8] << (x % 8) & 0x80 != 0;
                    if x >= size.width as usize {
                        assert!(!wall, "padding is zero");
                        continue;
                    }
                    assert_eq!(wall, !level.grid().is_open(Tile { x: x as u32, y: y as u32 }));
                    assert_eq!(matrix["grid"][y][x], u8::from(wall));
                    assert_eq!(rows["rows"][y].as_str().unwrap().as_bytes()[x], if wall { b'#' } else { b'.' });
                }
            }
        }
    }

    #[test]
    fn points_and_moves_tell_the_same_path() {
        let level = build(&[("algo", "binary_tree"), ("size", "201"), ("seed", "7")]);
        let (points, moves) = (json(&level, &[]), json(&level, &[("path", "moves")]));
        let mut tile = level.start();
        let letters = moves["solution"]["moves"].as_str().unwrap();
        assert_eq!(points["solution"]["length"], letters.len());
        assert_eq!(points["solution"]["path"][0], serde_json::to_value(tile).unwrap());
        for (i, letter) in letters.bytes().enumerate() {
            tile = tile.step(Direction::ALL.into_iter().find(|step| step.letter() == letter).unwrap());
            assert_eq!(points["solution"]["path"][i + 1], serde_json::to_value(tile).unwrap());
        }
        assert_eq!(tile, level.exit());
    }

    #[test]
    fn what_is_not_asked_for_is_left_out() {
        let level = build(&[("algo", "binary_tree"), ("size", "5"), ("seed", "a\"b")]);
        let keys = |pairs: &[_]| json(&level, pairs).as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let head = ["algorithm", "seed", "width", "height", "options", "start", "exit"];
        assert_eq!(keys(&[("solver", "none"), ("grid", "none")]), head);
        let short = json(&level, &[("path", "none")]);
        assert_eq!(short["solution"].as_object().unwrap().keys().collect::<Vec<_>>(), ["solver", "length"]);
        assert_eq!(short["seed"], "a\"b");
    }

    #[test]
    fn a_body_past_the_limit_is_refused_and_one_at_it_is_not() {
        let level = build(&[("algo", "binary_tree"), ("size", "41"), ("seed", "7")]);
        let mut scratch = Scratch::default();
        let mut work = Work { scratch: &mut scratch, halt: Halt::never() };
        for (pairs, parameter) in [(&[][..], "grid"), (&[("grid", "none")], "path"), (&[("grid", "bits")], "path")] {
            let view = view(pairs);
            let bytes = body(&level, &view).len() as u64;
            assert!(super::level(&level, &view, bytes, &mut work).is_ok());
            let refused = super::level(&level, &view, bytes - 1, &mut work).unwrap_err();
            assert!(matches!(refused, Refusal::TooLarge(fault) if fault.parameter == parameter));
        }
    }
}
