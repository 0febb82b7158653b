//! What a test reads from the JSON of a level.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// Which tiles are open, row by row, from any encoding of the grid. `None` if there is no grid.
pub(crate) fn open_tiles(level: &Value) -> Option<Vec<Vec<bool>>> {
    let (width, height) = sides(level);
    let rows: Vec<Vec<bool>> = if let Some(rows) = level["grid"].as_array() {
        rows.iter().map(|row| row.as_array().unwrap().iter().map(|tile| tile == 0).collect()).collect()
    } else if let Some(rows) = level["rows"].as_array() {
        rows.iter().map(|row| row.as_str().unwrap().chars().map(|tile| tile == '.').collect()).collect()
    } else {
        let bytes = STANDARD.decode(level["bits"].as_str()?).unwrap();
        assert_eq!(bytes.len(), width.div_ceil(8) * height);
        let open = |row: &[u8], x: usize| row[x / 8] >> (7 - x % 8) & 1 == 0;
        bytes.chunks(width.div_ceil(8)).map(|row| (0..width).map(|x| open(row, x)).collect()).collect()
    };
    assert_eq!(rows.len(), height);
    assert!(rows.iter().all(|row| row.len() == width));
    Some(rows)
}

/// Columns and rows.
pub(crate) fn sides(level: &Value) -> (usize, usize) {
    (level["width"].as_u64().unwrap() as usize, level["height"].as_u64().unwrap() as usize)
}

/// Column and row of a tile.
pub(crate) fn tile(value: &Value) -> (usize, usize) {
    let [x, y] = value.as_array().unwrap().as_slice() else { panic!("{value} is no tile") };
    (x.as_u64().unwrap() as usize, y.as_u64().unwrap() as usize)
}

/// The tiles of a solution's path.
pub(crate) fn path(solution: &Value) -> Vec<(usize, usize)> {
    solution["path"].as_array().unwrap().iter().map(tile).collect()
}

/// The tiles on the path of these moves, the start included.
pub(crate) fn walk(start: (usize, usize), moves: &str) -> Vec<(usize, usize)> {
    let mut tiles = vec![start];
    let (mut x, mut y) = start;
    for letter in moves.chars() {
        match letter {
            'U' => y -= 1,
            'R' => x += 1,
            'D' => y += 1,
            'L' => x -= 1,
            other => panic!("{other} is no move"),
        }
        tiles.push((x, y));
    }
    tiles
}

/// The fields that do not depend on solver and encodings: all but the grid and the solution.
pub(crate) fn without_query(level: &Value) -> Value {
    let mut fields = level.as_object().unwrap().clone();
    for field in ["grid", "rows", "bits", "solution"] {
        fields.remove(field);
    }
    fields.into()
}
