//! What shapes a level besides its size: masks, braiding, openings, and farthest endpoints.

mod braid;
mod endpoints;
mod masks;
mod openings;

use mazed::level::Level;
use mazed::level::grid::Direction;
use mazed::level::work::Buffers;

use crate::fixtures::{context, recipe};

fn build(pairs: &[(&str, &str)], mask: &[String], buffers: &mut Buffers) -> Level {
    Level::build(recipe(pairs, mask).unwrap(), &mut context(buffers)).unwrap()
}

/// A mask from a picture with one character for each cell. A cell covers its tile and the eight tiles around it.
fn mask_of_cells(cells: &[&str]) -> Vec<String> {
    let (columns, rows) = (cells[0].len(), cells.len());
    let inside = |x: usize, y: usize| {
        let near = |at: usize, most: usize| [at.wrapping_sub(1) / 2, at / 2].into_iter().filter(move |at| *at < most);
        near(y, rows).any(|row| near(x, columns).any(|column| cells[row].as_bytes()[column] != b' '))
    };
    let row = |y| (0..=2 * columns).map(|x| if inside(x, y) { '#' } else { ' ' }).collect();
    (0..=2 * rows).map(row).collect()
}

/// The cells of a square spiral, one cell wide, with one cell between its arms.
fn spiral(side: usize) -> Vec<String> {
    let mut cells = vec![vec![b' '; side]; side];
    let (mut x, mut y, mut direction) = (0_usize, 0_usize, Direction::Right);
    cells[0][0] = b'#';
    let ahead = |x: usize, y: usize, direction: Direction, steps: i32| {
        let (dx, dy) = direction.offset();
        (x.wrapping_add_signed((dx * steps) as isize), y.wrapping_add_signed((dy * steps) as isize))
    };
    let mut turns = 0;
    while turns < 2 {
        let (next, beyond) = (ahead(x, y, direction, 1), ahead(x, y, direction, 2));
        let taken = |(x, y): (usize, usize)| cells.get(y).and_then(|row| row.get(x)).map(|cell| *cell == b'#');
        if taken(next) == Some(false) && taken(beyond) != Some(true) {
            (x, y) = next;
            cells[y][x] = b'#';
            turns = 0;
        } else {
            direction = direction.to_the_right();
            turns += 1;
        }
    }
    cells.into_iter().map(|row| String::from_utf8(row).unwrap()).collect()
}

/// Masks by name.
fn masks() -> Vec<(&'static str, Vec<String>)> {
    let mask = |cells: &[&str]| mask_of_cells(cells);
    let spiral = spiral(21);
    let spiral: Vec<_> = spiral.iter().map(String::as_str).collect();
    let wide: Vec<_> = (0..18)
        .map(|y: u32| {
            (0..70).map(|x: u32| if (x / 3 + y / 2).is_multiple_of(5) && y % 7 > 2 { ' ' } else { '#' }).collect()
        })
        .collect::<Vec<String>>();
    let wide: Vec<_> = wide.iter().map(String::as_str).collect();
    vec![
        ("ring", mask(&["#########", "#########", "##     ##", "##     ##", "##     ##", "#########", "#########"])),
        ("cross", mask(&["   ###   ", "   ###   ", "#########", "#########", "   ###   ", "   ###   "])),
        ("spiral", mask(&spiral)),
        (
            "holes",
            mask(&["##########", "## ## ## #", "##########", "# ### ## #", "##########", "##  ###  #", "##########"]),
        ),
        ("necks", mask(&["####    ###", "####    ###", "###########", "####    ###", "   #      #", "####  #####"])),
        ("comb", mask(&["# # # # # #", "# # # # # #", "# # # # # #", "###########"])),
        ("hanging comb", mask(&["###########", "# # # # # #", "# # # # # #", "# # # # # #"])),
        ("late first cell", mask(&["        #", "       ##", " ########", "##       ", "#        "])),
        ("one cell", mask(&["   ", " # ", "   "])),
        ("words", mask(&wide)),
    ]
}
