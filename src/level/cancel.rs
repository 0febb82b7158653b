//! Cancellation: how a job learns that its result is no longer wanted.

/// The job was cancelled before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

/// Says whether a job must end early. The caller decides what cancels the job (a clock, a signal).
#[derive(Clone, Copy)]
pub struct Cancel<'a>(&'a dyn Fn() -> bool);

impl<'a> Cancel<'a> {
    /// Cancels the job once `stop` returns `true`.
    pub fn when(stop: &'a dyn Fn() -> bool) -> Self {
        Self(stop)
    }

    /// Never cancels the job.
    pub fn never() -> Self {
        Self(&|| false)
    }

    /// A job calls this every few thousand steps.
    ///
    /// # Errors
    /// [`Cancelled`] if the job is to end.
    pub fn check(&self) -> Result<(), Cancelled> {
        if (self.0)() { Err(Cancelled) } else { Ok(()) }
    }
}
