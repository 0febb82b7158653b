use super::*;
use crate::level::algorithms::disjoint_set::{SINGLE, find, union};
use crate::level::grid::{OpenTiles, Shape};
use crate::level::rng::{Rng, Seed, Streams};
use crate::level::work::BitmapPool;

/// The parents of Prim's tree, taken literally: of all edges that leave the tree the lightest, of equal ones the
/// newest. An edge is its weight, its age (the newer, the less), and the two cells.
fn parents(weights: &[u8], columns: usize, rows: usize) -> Vec<Option<usize>> {
    let mut parents = vec![None; columns * rows];
    let (mut in_tree, mut edges, mut age) = (vec![false; columns * rows], Vec::new(), u32::MAX);
    let mut cell = 0;
    loop {
        in_tree[cell] = true;
        let (x, y) = (cell % columns, cell / columns);
        let up = (y > 0).then(|| (cell - columns, 2 * (cell - columns) + 1));
        let right = (x + 1 < columns).then_some((cell + 1, 2 * cell));
        let down = (y + 1 < rows).then_some((cell + columns, 2 * cell + 1));
        let left = (x > 0).then(|| (cell - 1, 2 * (cell - 1)));
        for (neighbour, edge) in [up, right, down, left].into_iter().flatten() {
            age -= 1;
            edges.push((weights[edge], age, neighbour, cell));
        }
        edges.retain(|(.., to, _)| !in_tree[*to]);
        let Some(&(.., to, from)) = edges.iter().min() else { return parents };
        parents[to] = Some(from);
        cell = to;
    }
}

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

/// Grows a tree over random weights below `most`, and compares it with that of the reference implementation, edge by
/// edge, and its weight with that of Kruskal's tree.
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
    let parents = if columns * rows < 2_000 { parents(&weights, columns, rows) } else { vec![] };
    let mut total = 0;
    for (weight, a, b) in &edges {
        let plane = if *b == a + 1 && columns > 1 { &tree.east } else { &tree.south };
        let is_open = plane.get(a % columns, a / columns);
        if !parents.is_empty() {
            let expected = parents[*a] == Some(*b) || parents[*b] == Some(*a);
            assert_eq!(is_open, expected, "between {a} and {b} of {columns}x{rows}, weights below {most}");
        }
        total += if is_open { u64::from(*weight) } else { 0 };
    }
    assert_eq!(tree.east.count() + tree.south.count(), (columns * rows - 1) as u64);
    assert_eq!(total, kruskal_weight(edges, columns * rows), "{columns}x{rows}, weights below {most}");
}

#[test]
fn the_tree_is_minimal_and_of_equal_edges_it_has_the_newest() {
    let mut rng = Streams::new(&Seed::Integer(7), "test", 0).stream(0, 0);
    for _ in 0..1_000 {
        let (columns, rows) = (rng.below(16) as usize + 1, rng.below(16) as usize + 1);
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
