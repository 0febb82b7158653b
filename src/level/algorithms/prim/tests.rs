use super::*;
use crate::level::algorithms::disjoint_set::{SINGLE, find, union};
use crate::level::grid::{OpenTiles, Shape};
use crate::level::rng::{Rng, Seed, Streams};
use crate::level::work::BitmapPool;

/// The weight of Kruskal's tree over edges of cell numbers.
fn kruskal_weight(mut edges: Vec<(u8, usize, usize)>, cells: usize) -> u64 {
    edges.sort_unstable();
    let mut sets = vec![SINGLE; cells];
    let mut total = 0;
    for (weight, a, b) in edges {
        let (a, b) = (find(&mut sets, a as u32), find(&mut sets, b as u32));
        if a.0 != b.0 {
            union(&mut sets, a, b);
            total += u64::from(weight);
        }
    }
    total
}

/// Grows a tree over random weights below `most` and compares it with Kruskal's.
fn assert_minimal(columns: usize, rows: usize, most: u32, rng: &mut Rng) {
    // for each cell two weights: of the edge to the right, then of the edge down
    let weights: Vec<u8> = (0..2 * columns * rows).map(|_| rng.below(most) as u8).collect();
    let mut edges = Vec::new();
    for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
        let cell = y * columns + x;
        if x + 1 < columns {
            edges.push((weights[2 * cell], cell, cell + 1));
        }
        if y + 1 < rows {
            edges.push((weights[2 * cell + 1], cell, cell + columns));
        }
    }
    let (mut board, mut pool) = (Vec::new(), Vec::new());
    let mut cells = CellBytes::fill(&mut board, Shape::rectangle((columns, rows)), UNTOUCHED, IN_TREE);
    let first = cells.first();
    let stride = cells.steps()[2];
    let weigh = |index: usize| {
        let cell = (index - first) / stride * columns + (index - first) % stride;
        // where there is no neighbour the border ignores the weight
        let at = |edge: usize| weights.get(edge).copied().unwrap_or(0);
        [at((2 * cell + 1).wrapping_sub(2 * columns)), at(2 * cell), at(2 * cell + 1), at((2 * cell).wrapping_sub(2))]
    };
    grow(&mut cells, &mut Stacks::new(&mut pool, 0), weigh, Cancel::never()).unwrap();
    let OpenTiles::Maze(tree) = cells.tree(&mut BitmapPool::default(), None).grid.open_tiles else { unreachable!() };
    let mut total = 0;
    for (weight, a, b) in &edges {
        let plane = if *b == a + 1 && columns > 1 { &tree.east } else { &tree.south };
        if plane.get(a % columns, a / columns) {
            total += u64::from(*weight);
        }
    }
    assert_eq!(tree.east.count() + tree.south.count(), (columns * rows - 1) as u64);
    assert_eq!(total, kruskal_weight(edges, columns * rows), "{columns}x{rows}, weights below {most}");
}

#[test]
fn the_tree_is_minimal() {
    let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
    for _ in 0..1_000 {
        let (columns, rows) = (rng.below(40) as usize + 1, rng.below(40) as usize + 1);
        let most = rng.below(WEIGHTS as u32) + 1;
        assert_minimal(columns, rows, most, &mut rng);
    }
    assert_minimal(300, 200, WEIGHTS as u32, &mut rng);
}

#[test]
fn stacks_give_the_newest_of_the_lightest() {
    let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(1, 0);
    let mut pool = Vec::new();
    let mut stacks = Stacks::new(&mut pool, 0);
    let mut expected = vec![Vec::new(); WEIGHTS];
    for entry in 0..100_000 {
        // more pushes than pops at first, fewer later
        if rng.below(100_000) > entry {
            let weight = rng.below(WEIGHTS as u32) as u8;
            stacks.push_if(true, weight, entry);
            stacks.push_if(false, weight, 0);
            expected[usize::from(weight)].push(entry);
        } else {
            assert_eq!(stacks.pop(), expected.iter_mut().find_map(Vec::pop));
        }
    }
}
