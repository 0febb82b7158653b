//! What a job works with: buffers that outlive it and a way to be told to stop.
//!
//! Touching fresh memory for the first time often costs more than the work done in it, so buffers are handed from job
//! to job. A job reads its [`Halt`] every few thousand steps; what makes it say stop (a clock, a signal) is the
//! caller's.

use super::algorithms::Candidate;
use super::layout::Layout;
use super::planes::Planes;

/// The job was told to stop before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Asks whether to go on.
#[derive(Clone, Copy)]
pub struct Halt<'a>(&'a dyn Fn() -> bool);

impl<'a> Halt<'a> {
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
    /// [`Stopped`] where the job shall end.
    pub fn check(&self) -> Result<(), Stopped> {
        if (self.0)() { Err(Stopped) } else { Ok(()) }
    }
}

/// Buffers to be used again; what they hold between two jobs means nothing.
#[derive(Debug, Default)]
pub struct Scratch {
    /// A byte for each tile or cell.
    pub board: Vec<u8>,
    /// A byte for each step of a walk.
    pub(super) trail: Vec<u8>,
    /// Tile or cell numbers: a stack, a queue, a disjoint set.
    pub indices: Vec<u32>,
    /// Steps to each tile.
    pub(super) steps: Vec<i32>,
    /// Edges of a maze that wait for a decision.
    pub(super) candidates: Vec<Candidate>,
    /// Planes of levels that nobody needs any more.
    pub(super) planes: Planes,
}

impl Scratch {
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
    pub fn reclaim(&mut self, layout: Layout) {
        self.planes.give_all(layout);
    }
}

/// The first `len` items of a buffer, with whatever they hold.
pub(super) fn recycled<T: Copy + Default>(buffer: &mut Vec<T>, len: usize) -> &mut [T] {
    if buffer.len() < len {
        // what is too short goes first; items that come zeroed cost nothing until they are reached
        *buffer = Vec::new();
        *buffer = vec![T::default(); len];
    }
    &mut buffer[..len]
}

/// A job's tools.
pub struct Work<'a> {
    /// Buffers.
    pub scratch: &'a mut Scratch,
    /// Whether to go on.
    pub halt: Halt<'a>,
}
