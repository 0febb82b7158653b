//! A lane: the workers of one class of jobs, and the jobs that wait for them.
//!
//! Jobs begin in the order of arrival. A job begins once a worker is free and the lane's memory has room for it; until
//! then later jobs wait behind it, or small ones could overtake a large one for ever. There is one exception: jobs that
//! hold a level while they wait go before those that hold nothing, but after [`MOST_IN_A_ROW`] of them one of the
//! others begins.
//!
//! The service has threads of its own: with tokio's blocking pool behind a semaphore, the end of each job first woke an
//! async task, which then woke a thread for the next job, and a small level took 1.5 times as long.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::level::work::{Buffers, Price};
use crate::service::admission::{Admission, Class, ClassLimits, Load};
use crate::telemetry::panic_text;

/// The workers of a class. Once this value is dropped and no job waits, they end.
pub(super) struct Lane(Arc<Shared>);

struct Shared {
    limits: ClassLimits,
    /// What all jobs that run at one time may hold together.
    bytes: u64,
    state: Mutex<State>,
    /// Signals a change to workers that look for a job.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Jobs that hold the output of a source, which no memory limit counts.
    holding: VecDeque<Waiting>,
    others: VecDeque<Waiting>,
    /// Jobs that have begun from `holding` since the last one from `others`.
    in_a_row: u32,
    waiting_nanos: u64,
    held_bytes: u64,
    running: usize,
    /// Workers that sleep until something changes.
    idle: usize,
    closed: bool,
}

struct Waiting {
    price: Price,
    job: Job,
}

type Job = Box<dyn FnOnce(Admission) + Send>;

/// So many jobs that hold a level begin before one that holds none.
const MOST_IN_A_ROW: u32 = 4;

/// An hour: no job takes as long.
const MAX_NANOS: u64 = 3_600 * 1_000_000_000;

/// Buffers that grew beyond this, or beyond an eighth of a worker's part of the memory, go back to the system after
/// their job.
const MAX_IDLE_BUFFER_BYTES: u64 = 8 << 20;

impl Lane {
    /// Starts the workers. All jobs that run at one time may hold `bytes` together.
    pub(super) fn new(class: Class, limits: ClassLimits, bytes: u64) -> Self {
        let max_idle_bytes = MAX_IDLE_BUFFER_BYTES.min(bytes / 8 / limits.workers as u64) as usize;
        let shared = Arc::new(Shared { limits, bytes, state: Mutex::default(), changed: Condvar::new() });
        for number in 0..limits.workers {
            let shared = Arc::clone(&shared);
            let name = format!("{class:?}-{number}").to_lowercase();
            let work = move || {
                step_back(class.niceness());
                shared.work(max_idle_bytes);
            };
            if let Err(error) = thread::Builder::new().name(name).spawn(work) {
                tracing::error!(%error, "a worker cannot be started");
            }
        }
        Self(shared)
    }

    /// Runs a job of the lane's class, now or later. If the job is refused, this call hands it [`Admission::Refused`]
    /// before it returns. `holds_output` says whether the job holds memory while it waits.
    pub(super) fn submit(
        &self,
        price: Price,
        holds_output: bool,
        time_left: Duration,
        job: impl FnOnce(Admission) + Send + 'static,
    ) {
        let mut state = self.0.lock();
        if let Err(busy) = self.0.limits.admit(state.load(), price, time_left) {
            drop(state);
            return job(Admission::Refused(busy));
        }
        // a price that no lane allows would wait for ever; the number of waiting jobs times this time fits into a u64
        let price = Price { bytes: price.bytes.min(self.0.bytes), nanos: price.nanos.min(MAX_NANOS) };
        state.waiting_nanos += price.nanos;
        let waiting = Waiting { price, job: Box::new(job) };
        if holds_output {
            state.holding.push_back(waiting);
        } else {
            state.others.push_back(waiting);
        }
        // waking a worker is a system call, which is needless if all are busy
        if state.idle > 0 {
            self.0.changed.notify_one();
        }
    }

    /// What its jobs take now.
    pub(super) fn load(&self) -> Load {
        self.0.lock().load()
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

impl State {
    fn load(&self) -> Load {
        Load {
            running: self.running,
            waiting: self.holding.len() + self.others.len(),
            waiting_nanos: self.waiting_nanos,
            held_bytes: self.held_bytes,
        }
    }

    /// The queue whose first job begins next. It is empty if no job waits.
    fn next_queue(&mut self) -> &mut VecDeque<Waiting> {
        let is_turn_of_others = self.in_a_row >= MOST_IN_A_ROW && !self.others.is_empty();
        if self.holding.is_empty() || is_turn_of_others { &mut self.others } else { &mut self.holding }
    }

    /// Takes the next job and its memory, if a job waits and there is room for it. All jobs may hold `bytes` together.
    fn take(&mut self, bytes: u64) -> Option<Waiting> {
        let free_bytes = bytes - self.held_bytes;
        let held = self.holding.len();
        let next = self.next_queue().pop_front_if(|next| next.price.bytes <= free_bytes)?;
        self.in_a_row = if self.holding.len() < held { self.in_a_row + 1 } else { 0 };
        self.waiting_nanos -= next.price.nanos;
        self.held_bytes += next.price.bytes;
        self.running += 1;
        Some(next)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a worker does: it runs jobs until the lane is closed and no job waits. Between jobs it keeps buffers of up
    /// to `max_idle_bytes`.
    fn work(&self, max_idle_bytes: usize) {
        let mut buffers = Buffers::default();
        while let Some(Waiting { price, job }) = self.next() {
            let ended = catch_unwind(AssertUnwindSafe(|| job(Admission::Run(&mut buffers))));
            if let Err(cause) = &ended {
                tracing::error!(cause = panic_text(cause.as_ref()), "a job panicked");
            }
            if ended.is_err() || buffers.bytes() > max_idle_bytes {
                buffers = Buffers::default();
            }
            let mut state = self.lock();
            state.held_bytes -= price.bytes;
            state.running -= 1;
        }
    }

    /// Waits for the next job. `None` once the lane is closed and no job is left.
    fn next(&self) -> Option<Waiting> {
        let mut state = self.lock();
        let next = loop {
            if let Some(next) = state.take(self.bytes) {
                break next;
            }
            if state.closed && state.load().waiting == 0 {
                // one that slept while jobs waited for memory was woken before the last of them was gone
                self.changed.notify_all();
                return None;
            }
            state.idle += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        };
        // Another worker may be asleep: a job may have arrived while this one was waking up, and the memory that became
        // free may be enough for several.
        if state.load().waiting > 0 && state.idle > 0 {
            self.changed.notify_one();
        }
        Some(next)
    }
}

/// Puts this thread behind others by so much, as a nice value.
#[cfg(target_os = "linux")]
fn step_back(niceness: i32) {
    if niceness > 0
        && let Err(error) = rustix::process::nice(niceness)
    {
        tracing::debug!(%error, "a worker has the priority of all others");
    }
}

/// On other systems a nice value is that of the whole process.
#[cfg(not(target_os = "linux"))]
fn step_back(_: i32) {}

#[cfg(test)]
mod tests;
