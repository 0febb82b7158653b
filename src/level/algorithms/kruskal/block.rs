//! One block: Kruskal's algorithm on 64 by 64 cells and the edges between them.

use crate::level::algorithms::disjoint_set::{ROOT, SINGLE, find, union};
use crate::level::algorithms::kruskal::field::{Field, SIDE, WEIGHTS};
use crate::level::grid::{Bitmap, Passages};
use crate::level::work::PendingEdge;

/// Cells of a block.
const CELLS: usize = SIDE * SIDE;
/// Bits of an edge's number in its block: six for the row, six for the column, one for the direction, right or down.
const EDGE_BITS: u32 = 13;
/// Bits of a weight. An edge is a `u32`: the weight, then the number in the lower bits.
const WEIGHT_BITS: u32 = 32 - EDGE_BITS;
/// The flag of a tree that has a cell on the rim, in the word of its root. A tree has at most one rim cell, because a
/// block never joins two trees with rim cells. The rim cell is always the root, because [`union`] keeps the root with
/// the larger word, and the flag outweighs every size. The word of the root also holds the cell's rim position, in bits
/// above the size.
const RIM: u32 = 1 << 30;
/// The lowest bit of the rim position in the word of a root; the size of the tree is in the bits below.
const RIM_SHIFT: u32 = 16;
/// The number of rim positions of a block: one for each cell along each of the four sides.
pub(crate) const RIM_CELLS: usize = 4 * SIDE;

/// The weights of the edges to the right of a cell and below it, from the cell's random word.
const fn weights(word: u64) -> [u32; 2] {
    [(word >> (64 - WEIGHT_BITS)) as u32, word as u32 >> EDGE_BITS]
}

/// The working memory of a block; the next block uses it again.
pub(crate) struct BlockBuffers<'a> {
    edges: &'a mut [u32],
    spare: &'a mut [u32],
    cells: &'a mut [u32],
    rim: &'a mut [u32],
}

impl<'a> BlockBuffers<'a> {
    /// The words of all four buffers together.
    pub(crate) const WORDS: usize = 5 * CELLS + RIM_CELLS;

    pub(crate) fn split(words: &'a mut [u32]) -> Self {
        let (edges, words) = words.split_at_mut(2 * CELLS);
        let (spare, words) = words.split_at_mut(2 * CELLS);
        let (cells, rim) = words.split_at_mut(CELLS);
        Self { edges, spare, cells, rim }
    }
}

/// One block, and its position in the level.
pub(crate) struct Block<'a> {
    field: &'a Field<'a>,
    number: usize,
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl<'a> Block<'a> {
    pub(crate) fn new(field: &'a Field<'a>, number: usize) -> Self {
        let (left, top) = (number % field.block_columns * SIDE, number / field.block_columns * SIDE);
        let (width, height) = (SIDE.min(field.columns - left), SIDE.min(field.rows - top));
        Self { field, number, left, top, width, height }
    }

    /// Opens the edges that are certainly in the minimum spanning tree. Adds the edges that this block cannot decide
    /// on, and those to other blocks, to the candidates for the pass over the whole level.
    pub(crate) fn solve(&self, buffers: &mut BlockBuffers, candidates: &mut Vec<PendingEdge>, passages: &mut Passages) {
        let before = candidates.len();
        let mut count = self.random_edges(buffers.edges, candidates);
        if let Some(inside) = self.field.shape.inside {
            count = self.keep_inside(inside, &mut buffers.edges[..count]);
            let leaving = candidates.split_off(before);
            candidates.extend(leaving.into_iter().filter(|candidate| self.field.is_inside(inside, candidate.edge)));
        }
        let edges = self.sort(&mut buffers.edges[..count], &mut buffers.spare[..count]);
        let (cells, rim) = (&mut *buffers.cells, &mut *buffers.rim);
        self.reset_sets(cells, rim);
        let mut open = [[0; SIDE]; 2];
        let mut joins_left = self.width * self.height - 1;
        for &edge in edges {
            if joins_left == 0 {
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
                joins_left -= 1;
            } else if let Some(endpoints) = self.join_on_rim(rim, [a.1, b.1]) {
                candidates.push(self.candidate(edge >> EDGE_BITS, cell as usize, down == 1, endpoints));
                joins_left -= 1;
            }
        }
        let [east, south] = open;
        for (y, (east, south)) in east.into_iter().zip(south).take(self.height).enumerate() {
            passages.east.row_mut(self.top + y)[self.left / SIDE] = east;
            passages.south.row_mut(self.top + y)[self.left / SIDE] = south;
        }
    }

    /// Records that an undecided edge joins two trees with rim cells, given by the words of their roots. Returns the
    /// numbers of the two rim cells; `None` if earlier undecided edges join them already, so that this edge closes a
    /// cycle.
    #[inline(never)] // rare, and the calling loop is faster without this code in it
    fn join_on_rim(&self, rim: &mut [u32], roots: [u32; 2]) -> Option<[u32; 2]> {
        let positions = roots.map(|root| (root & !(ROOT | RIM)) >> RIM_SHIFT);
        let [a, b] = positions.map(|position| find(rim, position));
        if a.0 == b.0 {
            return None;
        }
        union(rim, a, b);
        Some(positions.map(|position| self.node(position)))
    }

    /// Takes random weights for all edges that begin in this block, one word for each cell. An edge within the block
    /// goes to `edges`, an edge that leaves the block goes to `candidates`. Returns the number of edges within the
    /// block.
    fn random_edges(&self, edges: &mut [u32], candidates: &mut Vec<PendingEdge>) -> usize {
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

    /// Keeps only the edges between two cells of `inside`, and returns their number. The other edges have got random
    /// weights too, so that a block without void cells has the same weights with a mask as without one.
    fn keep_inside(&self, inside: &Bitmap, edges: &mut [u32]) -> usize {
        let mut count = 0;
        for i in 0..edges.len() {
            if self.field.is_inside(inside, self.number_of(edges[i])) {
                edges[count] = edges[i];
                count += 1;
            }
        }
        count
    }

    /// The number in the whole level of an edge of this block.
    const fn number_of(&self, edge: u32) -> u32 {
        let (x, y) = ((edge as usize >> 1) % SIDE, (edge as usize / (2 * SIDE)) % SIDE);
        self.field.edge(self.left + x, self.top + y, edge & 1 == 1)
    }

    /// Sorts edges by weight and tie-break, with `spare` as working memory.
    fn sort<'e>(&self, edges: &'e mut [u32], spare: &mut [u32]) -> &'e [u32] {
        radix_pass(edges, spare, EDGE_BITS);
        radix_pass(spare, edges, EDGE_BITS + RADIX_BITS);
        for run in edges.chunk_by_mut(|a, b| a >> EDGE_BITS == b >> EDGE_BITS).filter(|run| run.len() > 1) {
            run.sort_unstable_by_key(|edge| self.field.tie(self.number_of(*edge)));
        }
        edges
    }

    /// Makes each cell a tree of its own, and each rim position a set of its own.
    fn reset_sets(&self, cells: &mut [u32], rim: &mut [u32]) {
        cells.fill(SINGLE);
        rim.fill(SINGLE);
        let mut mark = |x, y| {
            if let Some(position) = self.rim_position(x, y) {
                cells[y * SIDE + x] = RIM | position << RIM_SHIFT | SINGLE;
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

    /// The rim position of a cell that has an edge to another block; `None` for any other cell.
    fn rim_position(&self, x: usize, y: usize) -> Option<u32> {
        let sides = [
            (y == 0 && self.top > 0, x),
            (y + 1 == self.height && self.top + y + 1 < self.field.rows, x),
            (x == 0 && self.left > 0, y),
            (x + 1 == self.width && self.left + x + 1 < self.field.columns, y),
        ];
        sides.iter().zip(0..).find_map(|((on, along), side)| on.then_some((side * SIDE + along) as u32))
    }

    /// The number of the cell at a rim position. No other cell in any block has the same number.
    const fn node(&self, position: u32) -> u32 {
        (self.number * RIM_CELLS) as u32 + position
    }

    /// The number of a rim cell, from its column and row. No other cell in any block has the same number.
    fn rim_node(&self, x: usize, y: usize) -> u32 {
        self.node(self.rim_position(x, y).unwrap_or(0))
    }

    fn candidate(&self, weight: u32, cell: usize, down: bool, endpoints: [u32; 2]) -> PendingEdge {
        let edge = self.field.edge(self.left + cell % SIDE, self.top + cell / SIDE, down);
        let order = weight << EDGE_BITS | (self.field.tie(edge).0 >> (64 - EDGE_BITS)) as u32;
        PendingEdge { order, edge, endpoints }
    }
}

/// The bits of one pass: half of those of a weight, rounded up, so that two passes sort by the whole weight.
const RADIX_BITS: u32 = WEIGHT_BITS.div_ceil(2);

/// One pass of a radix sort: copies `from` to `to` in order of [`RADIX_BITS`] bits from `shift` on.
fn radix_pass(from: &[u32], to: &mut [u32], shift: u32) {
    let digit = |edge: u32| (edge >> shift) as usize & ((1 << RADIX_BITS) - 1);
    let mut starts = [0_u32; 1 << RADIX_BITS];
    for &edge in from {
        starts[digit(edge)] += 1;
    }
    let mut next = 0;
    for start in &mut starts {
        next += std::mem::replace(start, next);
    }
    for &edge in from {
        let start = &mut starts[digit(edge)];
        to[*start as usize] = edge;
        *start += 1;
    }
}
