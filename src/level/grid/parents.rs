//! The parents of the cells of a perfect maze.

use crate::level::cancel::{Cancel, Cancelled};
use crate::level::grid::bitmap::Bitmap;
use crate::level::grid::passages::Passages;
use crate::level::grid::tile::Direction;

/// A perfect maze as a rooted tree: for each cell but the root the direction of its parent, the next cell on the path
/// to the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parents {
    /// Two bits for each cell.
    Stored(Tree),
    /// Not stored: a rule of the algorithm computes the parent of a cell from the passages.
    Derived(&'static ParentRule),
}

/// How the parents of a maze follow from its passages.
#[derive(Debug)]
pub struct ParentRule {
    /// Column and row of the root.
    pub(crate) root: fn(&Passages) -> (usize, usize),
    /// The direction of the parent of the cell at a column and row.
    pub(crate) direction: fn(&Passages, usize, usize) -> Direction,
    /// Climbs from two cells until they meet: [`until_met`](crate::level::search::climb::until_met) with this rule.
    /// Each rule has its own copy of that loop, with the rule compiled into it: a call of `direction` for each step
    /// would double its time.
    pub(crate) climb: Climb,
}

/// Climbs from two cells until they meet, and appends the steps of each to its list.
pub(crate) type Climb = fn(&Passages, &mut [Vec<Direction>; 2], [(usize, usize); 2], Cancel) -> Result<(), Cancelled>;

/// Each rule is a static, so its address identifies it.
impl PartialEq for ParentRule {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for ParentRule {}

/// Parents that are stored, two bits for each cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Column and row of the root.
    pub(crate) root: (usize, usize),
    /// For each cell the number of the direction to its parent, in two neighbouring bits, so that a step reads one
    /// word. The root has no parent and holds the number of up.
    pub(crate) directions: Bitmap,
    /// The path from the root to one cell, if the algorithm had it at hand.
    pub(crate) path: Option<StoredPath>,
}

/// The path from the root of a tree to one of its cells, two bits a step.
///
/// When depth-first search reaches the cell, its stack is this path. The copy takes at most a quarter of a byte for
/// each cell of the level. It saves the solver a climb through the tree, in which each step must wait for the one
/// before. From corner to corner of a level of 401 tiles a side, the solver takes 0.04 ns for each cell of the level
/// instead of 0.9.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPath {
    /// Column and row of the cell.
    pub(crate) cell: (usize, usize),
    /// The number of steps from cell to cell.
    pub(crate) length: usize,
    /// The numbers of the directions of the steps, four to a byte, the first one in the lowest bits.
    pub(crate) packed: Vec<u8>,
}

impl Tree {
    /// Bytes on the heap of a tree over this many columns and rows of cells that has no [`StoredPath`].
    pub(crate) const fn bytes_of((columns, rows): (usize, usize)) -> usize {
        Bitmap::words_of(2 * columns, rows) * size_of::<u64>()
    }
}

impl StoredPath {
    /// The path to a cell, from the numbers of its directions.
    pub(crate) fn pack(cell: (usize, usize), steps: &[u8]) -> Self {
        let four = |[a, b, c, d]: [u8; 4]| a & 3 | (b & 3) << 2 | (c & 3) << 4 | d << 6;
        let (whole, rest) = steps.as_chunks::<4>();
        let mut packed: Vec<_> = whole.iter().copied().map(four).collect();
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        packed.push(four(last));
        Self { cell, length: steps.len(), packed }
    }
}

impl Parents {
    /// Column and row of the root.
    pub fn root(&self, passages: &Passages) -> (usize, usize) {
        match self {
            Self::Stored(tree) => tree.root,
            Self::Derived(rule) => (rule.root)(passages),
        }
    }

    /// The direction of the parent of a cell that is not the root.
    pub fn direction(&self, passages: &Passages, column: usize, row: usize) -> Direction {
        match self {
            Self::Stored(tree) => {
                Direction::from_bits((tree.directions.row(row)[column / 32] >> (2 * (column % 32))) as u8)
            }
            Self::Derived(rule) => (rule.direction)(passages, column, row),
        }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Stored(tree) => tree.directions.bytes() + tree.path.as_ref().map_or(0, |path| path.packed.capacity()),
            Self::Derived(_) => 0,
        }
    }
}
