use super::*;
use crate::level::grid::{OpenTiles, Passages};
use crate::level::recipe::{Limits, Recipe};
use crate::level::work::{Buffers, Cancel};

fn recipe(width: u32, height: u32, seed: u64) -> Recipe {
    let [width, height, seed] = [width.into(), height.into(), seed].map(|number: u64| number.to_string());
    let pairs = [("algo", "eller"), ("width", &width), ("height", &height), ("seed", &seed)];
    Recipe::from_pairs(&pairs, Limits::of_side(4001)).unwrap()
}

fn passages(recipe: &Recipe, buffers: &mut Buffers) -> Passages {
    let layout = generate(recipe.blueprint(), &mut JobContext { buffers, cancel: Cancel::never() }).unwrap();
    let OpenTiles::Maze(passages) = layout.grid.open_tiles else { unreachable!() };
    passages
}

/// The reference implementation: stores for each column the name of its set, and scans the whole row for every join.
fn oracle(recipe: &Recipe) -> Passages {
    let (columns, rows) = recipe.size().cells();
    let mut passages = Passages::new((columns, rows));
    let mut sets: Vec<_> = (0..columns).collect();
    let mut unused = columns;
    let mut stream = recipe.streams().stream(0, 0);
    for y in 0..rows {
        if y % BAND == 0 {
            stream = recipe.streams().stream(0, (y / BAND) as u64);
        }
        let last = y + 1 == rows;
        let words = if last { 0 } else { columns.div_ceil(64) };
        let coins: Vec<_> = (0..words).map(|_| [stream.word(), stream.word()]).collect();
        let coin = |x: usize, which: usize| coins[x / 64][which] >> (x % 64) & 1 == 1;
        for x in 0..columns - 1 {
            let (a, b) = (sets[x], sets[x + 1]);
            if a != b && (last || coin(x, 0)) {
                passages.east.set(x, y);
                sets.iter_mut().filter(|set| **set == b).for_each(|set| *set = a);
            }
        }
        let above = sets.clone();
        for last in (0..columns).filter(|_| !last) {
            let set: Vec<_> = (0..columns).filter(|x| above[*x] == above[last]).collect();
            if set.last() == Some(&last) {
                let mut open: Vec<_> = set.iter().copied().filter(|x| !coin(*x, 1)).collect();
                if open.is_empty() {
                    // a draw of 0 is the last one, as in the program
                    let draw = if set.len() > 1 { stream.below(set.len() as u32) as usize } else { 0 };
                    open.push(set[(draw + set.len() - 1) % set.len()]);
                }
                for x in &open {
                    passages.south.set(*x, y);
                }
                for x in set.into_iter().filter(|x| !open.contains(x)) {
                    sets[x] = unused;
                    unused += 1;
                }
            }
        }
    }
    passages
}

#[test]
fn rings_give_what_the_reference_gives() {
    let mut buffers = Buffers::default();
    for seed in 0..400 {
        let odd = |n: u64, most: u64| (n % (most / 2) * 2 + 3) as u32;
        let most = if seed % 8 == 0 { 400 } else { 60 };
        let recipe = recipe(odd(seed * 7919 / 3, most), odd(seed * 104_729 / 5, most), seed);
        assert_eq!(passages(&recipe, &mut buffers), oracle(&recipe), "{recipe}");
    }
}

#[test]
fn coins_are_fair_and_so_are_the_cells_that_stay_open() {
    // in the first row no coin of a pair is ignored
    let (mut pairs, mut joined) = (0_u32, 0_u32);
    // for sets of one to five cells: passages below the first cell and below the last cell, and the number of sets
    let mut openings = [[0_u32; 3]; 5];
    for seed in 0..2_000 {
        let passages = passages(&recipe(203, 5, seed), &mut Buffers::default());
        let mut start = 0;
        for x in 0..100 {
            let joins = passages.east.get(x, 0);
            pairs += 1;
            joined += u32::from(joins);
            if !joins {
                let below = |x| u32::from(passages.south.get(x, 0));
                if let Some([first, last, sets]) = openings.get_mut(x - start) {
                    *first += below(start);
                    *last += below(x);
                    *sets += 1;
                }
                start = x + 1;
            }
        }
    }
    // 200,000 coins: a standard deviation of 224; four are allowed
    assert!(joined.abs_diff(pairs / 2) < 894, "{joined} of {pairs}");
    for ([first, last, sets], cells) in openings.into_iter().zip(1..) {
        // a coin opens it, or no coin opens any and it is drawn: 1/2 + 1 / (n 2^n)
        let share = 0.5 + 1.0 / f64::from(cells << cells);
        let sets = f64::from(sets);
        let deviation = (sets * share * (1.0 - share)).sqrt();
        for count in [first, last] {
            assert!((f64::from(count) - sets * share).abs() <= 4.0 * deviation, "{cells} cells: {count} of {sets}");
        }
    }
}

#[test]
fn only_one_row_of_links_is_held_beside_the_maze() {
    let mut buffers = Buffers::default();
    drop(passages(&recipe(201, 4001, 7), &mut buffers));
    assert_eq!(buffers.bytes(), 100 * 12);
}
