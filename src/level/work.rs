//! What a job works with: buffers that outlive it and a way to be told to stop.
//!
//! Touching fresh memory for the first time often costs more than the work done in it, so buffers are handed from job
//! to job. A job reads its [`Cancel`] every few thousand steps; what makes it say stop (a clock, a signal) is the
//! caller's.

mod bitmap_pool;

use crate::level::grid::Layout;
pub(crate) use bitmap_pool::BitmapPool;

/// The job was told to stop before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

/// Asks whether to go on.
#[derive(Clone, Copy)]
pub struct Cancel<'a>(&'a dyn Fn() -> bool);

impl<'a> Cancel<'a> {
    /// Stops once `stop` says `true`.
    pub fn when(stop: &'a dyn Fn() -> bool) -> Self {
        Self(stop)
    }

    /// Never stops.
    pub fn never() -> Self {
        Self(&|| false)
    }

    /// To be called every few thousand steps.
    ///
    /// # Errors
    /// [`Cancelled`] where the job shall end.
    pub fn check(&self) -> Result<(), Cancelled> {
        if (self.0)() { Err(Cancelled) } else { Ok(()) }
    }
}

/// An edge that no block could decide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// The weight, then the first bits of what orders equal weights.
    pub(crate) order: u32,
    /// The number of the edge in the level.
    pub(crate) edge: u32,
    /// The rim cells whose parts it joins, numbered through all blocks.
    pub(crate) endpoints: [u32; 2],
}

/// Buffers to be used again; what they hold between two jobs means nothing.
#[derive(Debug, Default)]
pub struct Buffers {
    /// A byte for each tile or cell.
    pub board: Vec<u8>,
    /// A byte for each step of a walk.
    pub(crate) trail: Vec<u8>,
    /// Tile or cell numbers: a stack, a queue, a disjoint set.
    pub indices: Vec<u32>,
    /// Steps to each tile.
    pub(crate) steps: Vec<i32>,
    /// Edges of a maze that wait for a decision.
    pub(crate) candidates: Vec<Candidate>,
    /// Planes of levels that nobody needs any more.
    pub(crate) planes: BitmapPool,
}

impl Buffers {
    /// Bytes that the buffers hold.
    pub fn bytes(&self) -> usize {
        self.board.capacity()
            + self.trail.capacity()
            + self.indices.capacity() * size_of::<u32>()
            + self.steps.capacity() * size_of::<i32>()
            + self.candidates.capacity() * size_of::<Candidate>()
            + self.planes.bytes()
    }

    /// Takes the planes of a layout that nobody needs any more.
    pub fn recycle(&mut self, layout: Layout) {
        self.planes.give_all(layout);
    }
}

/// The first `len` items of a buffer, with whatever they hold.
pub(crate) fn recycled<T: Copy + Default>(buffer: &mut Vec<T>, len: usize) -> &mut [T] {
    if buffer.len() < len {
        // what is too short goes first; items that come zeroed cost nothing until they are reached
        *buffer = Vec::new();
        *buffer = vec![T::default(); len];
    }
    &mut buffer[..len]
}

/// Most bytes that a run holds whatever the size of the level: tables, and buffers for one part of it.
pub const FIXED_BYTES: u64 = 128 << 10;

/// A job's tools.
pub struct JobContext<'a> {
    /// Buffers.
    pub buffers: &'a mut Buffers,
    /// Whether to go on.
    pub cancel: Cancel<'a>,
}
