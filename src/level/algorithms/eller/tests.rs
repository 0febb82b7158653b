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
    let mut coins = recipe.streams().stream(0, 0);
    for y in 0..rows {
        if y % BAND == 0 {
            coins = recipe.streams().stream(0, (y / BAND) as u64);
        }
        let last = y + 1 == rows;
        let words = if last { 0 } else { columns.div_ceil(64) };
        let coins: Vec<_> = (0..words).map(|_| [coins.word(), coins.word()]).collect();
        let coin = |x: usize, which: usize| coins[x / 64][which] >> (x % 64) & 1 == 1;
        for x in 0..columns - 1 {
            let (a, b) = (sets[x], sets[x + 1]);
            if a != b && (last || coin(x, 0)) {
                passages.east.set(x, y);
                sets.iter_mut().filter(|set| **set == b).for_each(|set| *set = a);
            }
        }
        for x in (0..columns).filter(|_| !last) {
            let others = sets.iter().filter(|set| **set == sets[x]).count() - 1;
            if coin(x, 1) && others > 0 {
                sets[x] = unused;
                unused += 1;
            } else {
                passages.south.set(x, y);
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
fn coins_are_fair() {
    // in the first row no coin of a pair is ignored; and each cell joined to its right neighbour may be shut below,
    // because it is not the last of its set
    let (mut pairs, mut joined, mut free, mut open) = (0_u32, 0_u32, 0_u32, 0_u32);
    for seed in 0..2_000 {
        let passages = passages(&recipe(203, 5, seed), &mut Buffers::default());
        for x in 0..100 {
            let joins = passages.east.get(x, 0);
            pairs += 1;
            joined += u32::from(joins);
            free += u32::from(joins);
            open += u32::from(joins && passages.south.get(x, 0));
        }
    }
    // 200,000 and 100,000 coins: standard deviations of 224 and 158; four are allowed
    assert!(joined.abs_diff(pairs / 2) < 894, "{joined} of {pairs}");
    assert!(open.abs_diff(free / 2) < 632, "{open} of {free}");
}

#[test]
fn only_one_row_of_links_is_held_beside_the_maze() {
    let mut buffers = Buffers::default();
    drop(passages(&recipe(201, 4001, 7), &mut buffers));
    assert_eq!(buffers.bytes(), 100 * 8);
}
