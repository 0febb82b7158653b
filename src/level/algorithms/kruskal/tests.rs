use super::*;
use crate::level::algorithms::kruskal::field::WEIGHTS;
use crate::level::grid::{Bitmap, Shape};
use crate::level::rng::{Seed, Streams};
use crate::level::work::{Buffers, Cancel};

/// The reference implementation: all edges of the level in one list.
fn oracle(field: &Field) -> Passages {
    let mut edges = Vec::new();
    for block in 0..field.block_columns * field.rows.div_ceil(SIDE) {
        let mut rng = field.streams.stream(WEIGHTS, block as u64);
        let (left, top) = (block % field.block_columns * SIDE, block / field.block_columns * SIDE);
        for y in top..field.rows.min(top + SIDE) {
            for x in left..field.columns.min(left + SIDE) {
                let word = rng.word();
                for (down, weight) in [(false, word >> 45), (true, word << 32 >> 45)] {
                    let (next, shape) = (if down { (x, y + 1) } else { (x + 1, y) }, field.shape);
                    let inside = next.0 < field.columns && next.1 < field.rows;
                    if inside && shape.contains(x, y) && shape.contains(next.0, next.1) {
                        edges.push((weight, field.tie(field.edge(x, y, down)), x, y, down));
                    }
                }
            }
        }
    }
    edges.sort_unstable();
    let mut parents: Vec<usize> = (0..field.columns * field.rows).collect();
    let mut passages = Passages::new((field.columns, field.rows));
    for (_, _, x, y, down) in edges {
        let cell = y * field.columns + x;
        let mut roots = [cell, if down { cell + field.columns } else { cell + 1 }];
        for root in &mut roots {
            while parents[*root] != *root {
                parents[*root] = parents[parents[*root]];
                *root = parents[*root];
            }
        }
        if roots[0] != roots[1] {
            parents[roots[0]] = roots[1];
            if down { passages.south.set(x, y) } else { passages.east.set(x, y) }
        }
    }
    passages
}

fn by_blocks(field: &Field, buffers: &mut Buffers) -> Passages {
    let mut context = JobContext { buffers, cancel: Cancel::never() };
    span(field, &mut context).unwrap()
}

#[test]
fn blocks_find_the_tree_of_the_plain_algorithm() {
    let mut buffers = Buffers::default();
    let sizes = [
        (1, 1),
        (1, 2),
        (2, 1),
        (1, 300),
        (300, 1),
        (20, 20),
        (63, 65),
        (64, 64),
        (65, 64),
        (64, 65),
        (65, 65),
        (66, 129),
        (100, 100),
        (128, 128),
        (129, 127),
        (192, 2),
        (2, 193),
        (200, 150),
        (257, 63),
        (300, 301),
    ];
    for size in sizes {
        for seed in 0..10 {
            let field = Field::new(Streams::new(&Seed::Integer(seed), "kruskal", 0), Shape::rectangle(size));
            assert!(by_blocks(&field, &mut buffers) == oracle(&field), "{size:?} seed {seed}");
        }
    }
}

#[test]
fn masks_of_one_piece_or_many_give_the_tree_of_the_plain_algorithm() {
    let mut buffers = Buffers::default();
    for (seed, size) in [(20, 20), (65, 66), (129, 64), (200, 150)].into_iter().cycle().take(40).enumerate() {
        let mut cells = Bitmap::new(size.0, size.1);
        let mut rng = Streams::new(&Seed::Integer(seed as i128), "mask", 0).stream(0, 0);
        let tenths = rng.below(10) + 1;
        for (x, y) in (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y))) {
            if rng.below(10) < tenths {
                cells.set(x, y);
            }
        }
        let shape = Shape { inside: Some(&cells), ..Shape::rectangle(size) };
        let field = Field::new(Streams::new(&Seed::Integer(seed as i128), "kruskal", 3), shape);
        assert!(by_blocks(&field, &mut buffers) == oracle(&field), "{size:?} seed {seed}");
    }
}

#[test]
fn small_sizes_give_the_tree_of_the_plain_algorithm() {
    let mut buffers = Buffers::default();
    for seed in 0..300 {
        let size = (seed * 37 % 130 + 1, seed * 53 % 140 + 1);
        let field = Field::new(Streams::new(&Seed::Integer(seed as i128), "kruskal", 1), Shape::rectangle(size));
        assert!(by_blocks(&field, &mut buffers) == oracle(&field), "{size:?} seed {seed}");
    }
}

#[test]
fn the_trees_of_a_square_come_up_as_often_as_the_orders_of_its_edges_say() {
    // a square of four cells has four edges; all but the heaviest are opened: four trees, each with a chance of a
    // quarter
    let mut counts = [0; 4];
    for seed in 0..8_000 {
        let field = Field::new(Streams::new(&Seed::Integer(seed), "kruskal", 2), Shape::rectangle((2, 2)));
        let tree = by_blocks(&field, &mut Buffers::default());
        let shut = [(&tree.east, 0, 0), (&tree.east, 0, 1), (&tree.south, 0, 0), (&tree.south, 1, 0)];
        counts[shut.iter().position(|(plane, x, y)| !plane.get(*x, *y)).unwrap()] += 1;
    }
    // binomial with mean 2,000 and standard deviation 39
    assert!(counts.iter().all(|count| (1_800..2_200).contains(count)), "{counts:?}");
}
