//! Kruskal: take the pairs of neighbouring cells in order of random weights and join two cells where no way between
//! them is open yet.
//!
//! Taken at face value that jumps about in memory: it is three times as slow on a large level as on a small one. So it
//! is done by blocks of 64 by 64 cells, each with its own edges only. Two rules say when a block's answer holds for the
//! whole level:
//!
//! - The cycle rule: an edge that is refused closes a cycle in which it is the heaviest, so it is in no minimum
//!   spanning tree.
//! - The cut rule: an edge that joins two parts is the lightest that leaves either. Where one part has no cell on the
//!   block's rim, *all* its edges are the block's, so the edge is in the tree.
//!
//! What is left joins two parts that both lie on the rim; it goes with the edges between blocks, under a tenth of an
//! edge a cell, to a pass over the whole level. The order of edges is a total one, so the tree is the one that the
//! plain algorithm finds; a test holds it to that.

use crate::level::algorithms::algorithm::Algorithm;
use crate::level::algorithms::blueprint::Blueprint;
use crate::level::algorithms::disjoint_set::{ROOT, SINGLE, find, union};
use crate::level::error::Error;
use crate::level::grid::{Bitmap, Layout, LevelKind, Passages, Shape};
use crate::level::parameters::options::OptionId;
use crate::level::rng::Streams;
use crate::level::work::{Cancel, Cancelled, Candidate, JobContext, recycled};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "kruskal",
    aliases: &[],
    summary: "opens the lightest wall that still joins two parts: a minimum spanning tree of random weights",
    character: "even texture without direction, many short dead ends; one family with prim, whose mazes are minimum \
                spanning trees of random weights too",
    source: "Joseph Kruskal, On the shortest spanning subtree of a graph, 1956; by blocks with the cycle and cut rules of \
             Robert Tarjan, Data structures and network algorithms, 1983",
    revision: 1,
    kind: LevelKind::Maze,
    masks: true,
    options: &[OptionId::Braid],
    work_bytes,
    generate,
};

/// Cells along a side of a block: a row of a block is one word of the grid.
const SIDE: usize = 64;
/// Cells of a block.
const CELLS: usize = SIDE * SIDE;
/// Bits of an edge's number in its block: row, column, and whether it leads downwards.
const EDGE_BITS: u32 = 13;
/// Bits of a weight: what an edge's number leaves of a `u32`.
const WEIGHT_BITS: u32 = 32 - EDGE_BITS;
/// Set beside [`ROOT`] where a part of the block has a cell on the rim. That cell is then the root, for no two parts on
/// the rim are ever joined here, and the flag outweighs any size; it holds its place on the rim above its size.
const RIM: u32 = 1 << 30;
/// Where the place on the rim begins, above any size.
const PLACE_SHIFT: u32 = 16;
/// Places on the rim of a block.
const RIM_CELLS: usize = 4 * SIDE;

/// What the random numbers are for.
const WEIGHTS: u8 = 0;
const TIES: u8 = 1;

/// What cells and their passages take, and what the blocks leave over: many are begun where a level is narrow.
fn work_bytes(blueprint: &Blueprint) -> u64 {
    let (columns, rows) = blueprint.size().cells();
    let blocks = columns.div_ceil(SIDE) * rows.div_ceil(SIDE);
    let left_over = (RIM_CELLS + 2 * SIDE) * size_of::<Candidate>() + RIM_CELLS * size_of::<u32>();
    blueprint.size().area() + (blocks * left_over) as u64
}

fn generate(blueprint: &Blueprint, context: &mut JobContext) -> Result<Layout, Error> {
    let field = Field::new(blueprint.streams(), blueprint.shape());
    Ok(Layout::maze(span(&field, context)?))
}

/// The minimum spanning tree.
fn span(field: &Field, context: &mut JobContext) -> Result<Passages, Cancelled> {
    let mut passages = context.buffers.planes.passages((field.columns, field.rows));
    let (words, candidates) = (&mut context.buffers.indices, &mut context.buffers.candidates);
    let blocks = field.block_columns * field.rows.div_ceil(SIDE);
    candidates.clear();
    if blocks > 1 {
        // of each block, fewer edges than its rim has cells on four sides, and those to other blocks on two
        let (columns, rows) = (field.columns * field.rows.div_ceil(SIDE), field.rows * field.block_columns);
        candidates.reserve_exact(3 * (columns + rows));
    }
    let mut block = BlockBuffers::split(recycled(words, BlockBuffers::WORDS));
    for number in 0..blocks {
        context.cancel.check()?;
        Block::new(field, number).solve(&mut block, candidates, &mut passages);
    }
    if blocks > 1 {
        join_blocks(field, candidates, recycled(words, blocks * RIM_CELLS), &mut passages, context.cancel)?;
    }
    Ok(passages)
}

/// The cells of a level and the random numbers that order their edges.
struct Field<'a> {
    streams: Streams,
    shape: Shape<'a>,
    columns: usize,
    rows: usize,
    block_columns: usize,
}

impl<'a> Field<'a> {
    const fn new(streams: Streams, shape: Shape<'a>) -> Self {
        let Shape { columns, rows, .. } = shape;
        Self { streams, shape, columns, rows, block_columns: columns.div_ceil(SIDE) }
    }

    /// The number of the edge to the right of a cell, or below it.
    const fn edge(&self, column: usize, row: usize, down: bool) -> u32 {
        ((row * self.columns + column) << 1) as u32 | down as u32
    }

    /// Whether an edge is between two of the cells `inside`.
    fn is_inside(&self, inside: &Bitmap, edge: u32) -> bool {
        let (cell, down) = (edge as usize >> 1, edge as usize & 1);
        let (column, row) = (cell % self.columns, cell / self.columns);
        inside.get(column, row) && inside.get(column + 1 - down, row + down)
    }

    /// What orders edges of equal weight: 64 random bits, then the number, so that the order is total.
    fn tie(&self, edge: u32) -> (u64, u32) {
        (self.streams.word(TIES, edge.into()), edge)
    }
}

/// The weights of the edges to the right of a cell and below it, from the cell's word.
const fn weights(word: u64) -> [u32; 2] {
    [(word >> (64 - WEIGHT_BITS)) as u32, word as u32 >> EDGE_BITS]
}

/// What one block works in.
struct BlockBuffers<'a> {
    edges: &'a mut [u32],
    spare: &'a mut [u32],
    cells: &'a mut [u32],
    rim: &'a mut [u32],
}

impl<'a> BlockBuffers<'a> {
    const WORDS: usize = 5 * CELLS + RIM_CELLS;

    fn split(words: &'a mut [u32]) -> Self {
        let (edges, words) = words.split_at_mut(2 * CELLS);
        let (spare, words) = words.split_at_mut(2 * CELLS);
        let (cells, rim) = words.split_at_mut(CELLS);
        Self { edges, spare, cells, rim }
    }
}

/// One block: where it lies, and on which sides there are others.
struct Block<'a> {
    field: &'a Field<'a>,
    number: usize,
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl<'a> Block<'a> {
    fn new(field: &'a Field<'a>, number: usize) -> Self {
        let (left, top) = (number % field.block_columns * SIDE, number / field.block_columns * SIDE);
        let (width, height) = (SIDE.min(field.columns - left), SIDE.min(field.rows - top));
        Self { field, number, left, top, width, height }
    }

    /// Opens what is certain in this block and leaves the rest to the candidates.
    fn solve(&self, block: &mut BlockBuffers, candidates: &mut Vec<Candidate>, passages: &mut Passages) {
        let before = candidates.len();
        let mut count = self.draw(block.edges, candidates);
        if let Some(inside) = self.field.shape.inside {
            count = self.keep_inside(inside, &mut block.edges[..count]);
            let drawn = candidates.split_off(before);
            candidates.extend(drawn.into_iter().filter(|candidate| self.field.is_inside(inside, candidate.edge)));
        }
        let edges = self.sort(&mut block.edges[..count], &mut block.spare[..count]);
        let (cells, rim) = (&mut *block.cells, &mut *block.rim);
        self.part(cells, rim);
        let mut open = [[0; SIDE]; 2];
        let mut joints = self.width * self.height - 1;
        for &edge in edges {
            if joints == 0 {
                break;
            }
            let (cell, down) = (edge >> 1 & (CELLS as u32 - 1), edge & 1);
            let a = find(cells, cell);
            let b = find(cells, cell + if down == 1 { SIDE as u32 } else { 1 });
            if a.0 == b.0 {
                continue;
            }
            if a.1 & b.1 & RIM == 0 {
                union(cells, a, b);
                open[down as usize][cell as usize / SIDE] |= 1 << (cell as usize % SIDE);
                joints -= 1;
            } else if let Some(endpoints) = self.join_on_rim(rim, [a.1, b.1]) {
                candidates.push(self.candidate(edge >> EDGE_BITS, cell as usize, down == 1, endpoints));
                joints -= 1;
            }
        }
        let [east, south] = open;
        for (y, (east, south)) in east.into_iter().zip(south).take(self.height).enumerate() {
            passages.east.row_mut(self.top + y)[self.left / SIDE] = east;
            passages.south.row_mut(self.top + y)[self.left / SIDE] = south;
        }
    }

    /// Joins two parts on the rim, of which the roots' words are given, unless a way between them is known already.
    /// Gives the numbers of their rim cells.
    #[inline(never)] // rare, and the loop around it is faster without it
    fn join_on_rim(&self, rim: &mut [u32], roots: [u32; 2]) -> Option<[u32; 2]> {
        let places = roots.map(|root| (root & !(ROOT | RIM)) >> PLACE_SHIFT);
        let [a, b] = places.map(|place| find(rim, place));
        if a.0 == b.0 {
            return None;
        }
        union(rim, a, b);
        Some(places.map(|place| self.node(place)))
    }

    /// Draws the weights of all edges that begin in this block: a word a cell. Those that stay in the block go to
    /// `edges`, and are counted; those that leave it are candidates.
    fn draw(&self, edges: &mut [u32], candidates: &mut Vec<Candidate>) -> usize {
        let mut rng = self.field.streams.stream(WEIGHTS, self.number as u64);
        let mut count = 0;
        for y in 0..self.height {
            for x in 0..self.width {
                let [right, below] = weights(rng.word());
                let cell = y * SIDE + x;
                if x + 1 < self.width {
                    edges[count] = right << EDGE_BITS | (cell << 1) as u32;
                    count += 1;
                } else if self.left + x + 1 < self.field.columns {
                    let next = Block::new(self.field, self.number + 1).rim_node(0, y);
                    candidates.push(self.candidate(right, cell, false, [self.rim_node(x, y), next]));
                }
                if y + 1 < self.height {
                    edges[count] = below << EDGE_BITS | (cell << 1) as u32 | 1;
                    count += 1;
                } else if self.top + y + 1 < self.field.rows {
                    let next = Block::new(self.field, self.number + self.field.block_columns).rim_node(x, 0);
                    candidates.push(self.candidate(below, cell, true, [self.rim_node(x, y), next]));
                }
            }
        }
        count
    }

    /// Keeps the edges between two of the cells `inside`, and counts them. They are drawn like the others, so that those
    /// of a block without void cells are none others than in no mask.
    fn keep_inside(&self, inside: &Bitmap, edges: &mut [u32]) -> usize {
        let mut kept = 0;
        for i in 0..edges.len() {
            if self.field.is_inside(inside, self.number_of(edges[i])) {
                edges[kept] = edges[i];
                kept += 1;
            }
        }
        kept
    }

    /// The number in the level of an edge of this block.
    const fn number_of(&self, edge: u32) -> u32 {
        let (x, y) = ((edge as usize >> 1) % SIDE, (edge as usize / (2 * SIDE)) % SIDE);
        self.field.edge(self.left + x, self.top + y, edge & 1 == 1)
    }

    /// Sorts edges by their order, with `spare` to work in.
    fn sort<'e>(&self, edges: &'e mut [u32], spare: &mut [u32]) -> &'e [u32] {
        radix_pass(edges, spare, EDGE_BITS);
        radix_pass(spare, edges, EDGE_BITS + RADIX_BITS);
        for run in edges.chunk_by_mut(|a, b| a >> EDGE_BITS == b >> EDGE_BITS).filter(|run| run.len() > 1) {
            run.sort_unstable_by_key(|edge| self.field.tie(self.number_of(*edge)));
        }
        edges
    }

    /// Makes a part of each cell, and a part of each cell on the rim in the sets of the rim.
    fn part(&self, cells: &mut [u32], rim: &mut [u32]) {
        cells.fill(SINGLE);
        rim.fill(SINGLE);
        let mut mark = |x, y| {
            if let Some(place) = self.rim_place(x, y) {
                cells[y * SIDE + x] = RIM | place << PLACE_SHIFT | SINGLE;
            }
        };
        for x in 0..self.width {
            mark(x, 0);
            mark(x, self.height - 1);
        }
        for y in 0..self.height {
            mark(0, y);
            mark(self.width - 1, y);
        }
    }

    /// The place on the rim of a cell that has an edge to another block.
    fn rim_place(&self, x: usize, y: usize) -> Option<u32> {
        let sides = [
            (y == 0 && self.top > 0, x),
            (y + 1 == self.height && self.top + y + 1 < self.field.rows, x),
            (x == 0 && self.left > 0, y),
            (x + 1 == self.width && self.left + x + 1 < self.field.columns, y),
        ];
        sides.iter().zip(0..).find_map(|((on, along), side)| on.then_some((side * SIDE + along) as u32))
    }

    /// The number through all blocks of the cell at a place on the rim.
    const fn node(&self, place: u32) -> u32 {
        (self.number * RIM_CELLS) as u32 + place
    }

    /// The same of a cell on the rim.
    fn rim_node(&self, x: usize, y: usize) -> u32 {
        self.node(self.rim_place(x, y).unwrap_or(0))
    }

    fn candidate(&self, weight: u32, cell: usize, down: bool, endpoints: [u32; 2]) -> Candidate {
        let edge = self.field.edge(self.left + cell % SIDE, self.top + cell / SIDE, down);
        let order = weight << EDGE_BITS | (self.field.tie(edge).0 >> (64 - EDGE_BITS)) as u32;
        Candidate { order, edge, endpoints }
    }
}

/// Half the bits of a weight, rounded up.
const RADIX_BITS: u32 = WEIGHT_BITS.div_ceil(2);

/// One pass of a radix sort: copies `from` to `to` in order of [`RADIX_BITS`] bits from `shift` on.
fn radix_pass(from: &[u32], to: &mut [u32], shift: u32) {
    let digit = |edge: u32| (edge >> shift) as usize & ((1 << RADIX_BITS) - 1);
    let mut places = [0_u32; 1 << RADIX_BITS];
    for &edge in from {
        places[digit(edge)] += 1;
    }
    let mut next = 0;
    for place in &mut places {
        next += std::mem::replace(place, next);
    }
    for &edge in from {
        let place = &mut places[digit(edge)];
        to[*place as usize] = edge;
        *place += 1;
    }
}

/// Kruskal over the whole level, on the edges that the blocks left over; the sets are those of the rim cells.
fn join_blocks(
    field: &Field,
    candidates: &mut [Candidate],
    sets: &mut [u32],
    passages: &mut Passages,
    cancel: Cancel,
) -> Result<(), Cancelled> {
    let by_tie = |a: &Candidate, b: &Candidate| field.tie(a.edge).cmp(&field.tie(b.edge));
    candidates.sort_unstable_by(|a, b| a.order.cmp(&b.order).then_with(|| by_tie(a, b)));
    sets.fill(SINGLE);
    for some in candidates.chunks(4096) {
        cancel.check()?;
        for candidate in some {
            let [a, b] = candidate.endpoints.map(|end| find(sets, end));
            if a.0 != b.0 {
                union(sets, a, b);
                let cell = candidate.edge as usize >> 1;
                let plane = if candidate.edge & 1 == 1 { &mut passages.south } else { &mut passages.east };
                plane.set(cell % field.columns, cell / field.columns);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::rng::Seed;
    use crate::level::work::Buffers;

    /// The same weights, with nothing clever: all edges of the level in one list.
    fn plain(field: &Field) -> Passages {
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
        let mut part: Vec<usize> = (0..field.columns * field.rows).collect();
        let mut passages = Passages::new((field.columns, field.rows));
        for (_, _, x, y, down) in edges {
            let cell = y * field.columns + x;
            let mut roots = [cell, if down { cell + field.columns } else { cell + 1 }];
            for root in &mut roots {
                while part[*root] != *root {
                    part[*root] = part[part[*root]];
                    *root = part[*root];
                }
            }
            if roots[0] != roots[1] {
                part[roots[0]] = roots[1];
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
                assert!(by_blocks(&field, &mut buffers) == plain(&field), "{size:?} seed {seed}");
            }
        }
    }

    #[test]
    fn in_a_mask_too_be_it_one_piece_or_many() {
        let mut buffers = Buffers::default();
        for (seed, size) in [(20, 20), (65, 66), (129, 64), (200, 150)].into_iter().cycle().take(40).enumerate() {
            let mut cells = Bitmap::new(size.0, size.1);
            let mut rng = Streams::new(&Seed::Integer(seed as i128), "mask", 0).stream(0, 0);
            let share = rng.below(10) + 1;
            for (x, y) in (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y))) {
                if rng.below(10) < share {
                    cells.set(x, y);
                }
            }
            let shape = Shape { inside: Some(&cells), ..Shape::rectangle(size) };
            let field = Field::new(Streams::new(&Seed::Integer(seed as i128), "kruskal", 3), shape);
            assert!(by_blocks(&field, &mut buffers) == plain(&field), "{size:?} seed {seed}");
        }
    }

    #[test]
    fn small_sizes_and_many_seeds_too() {
        let mut buffers = Buffers::default();
        for seed in 0..300 {
            let size = (seed * 37 % 130 + 1, seed * 53 % 140 + 1);
            let field = Field::new(Streams::new(&Seed::Integer(seed as i128), "kruskal", 1), Shape::rectangle(size));
            assert!(by_blocks(&field, &mut buffers) == plain(&field), "{size:?} seed {seed}");
        }
    }

    #[test]
    fn the_trees_of_a_square_come_up_as_often_as_the_orders_of_its_edges_say() {
        // a square of four cells has four edges in any order; the last one is left out: four trees, a quarter each
        let mut counts = [0; 4];
        for seed in 0..8_000 {
            let field = Field::new(Streams::new(&Seed::Integer(seed), "kruskal", 2), Shape::rectangle((2, 2)));
            let tree = by_blocks(&field, &mut Buffers::default());
            let shut = [(&tree.east, 0, 0), (&tree.east, 0, 1), (&tree.south, 0, 0), (&tree.south, 1, 0)];
            counts[shut.iter().position(|(plane, x, y)| !plane.get(*x, *y)).unwrap()] += 1;
        }
        // binomial with mean 2,000 and deviation 39
        assert!(counts.iter().all(|count| (1_800..2_200).contains(count)), "{counts:?}");
    }
}
