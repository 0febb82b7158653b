//! The worker threads, and admission to them: how many jobs run at once, how much memory they hold together, and how
//! many may wait.
//!
//! Each worker stands for an equal share of the memory, and a job takes as many shares as it needs; the largest takes
//! all of them and runs alone. Jobs begin in the order of arrival, so small ones do not overtake a large one for ever.
//! There are two exceptions. Short jobs that hold memory while they wait go first. Slow jobs together get no more than
//! half of the shares, rounded up, so that the others need not wait for one to end; a single job that needs more gets
//! it.
//!
//! The service has threads of its own: with tokio's blocking pool behind a semaphore, the end of each job first woke an
//! async task, which then woke a thread for the next job, and a small level took 1.5 times as long.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::level::recipe::DEFAULT_ROOM_MASK_SIDE;
use crate::level::work::Buffers;
use crate::service::job::Priority;
use crate::telemetry::{Overload, panic_text};

/// Threads that take jobs from a queue. Once this value is dropped and the queue is empty, they end.
pub(super) struct Pool {
    shared: Arc<Shared>,
    workers: u32,
    /// Bytes of one share.
    share: u64,
    /// Jobs that may wait while every worker runs one. The total limit is workers + queue: a job that takes several
    /// shares leaves room for more waiting ones.
    queue: usize,
}

struct Shared {
    state: Mutex<State>,
    workers: u32,
    /// Signals a change to workers that look for a job.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    free_shares: u32,
    running: u32,
    /// Shares that slow jobs may still take.
    free_slow_shares: u32,
    /// Workers that sleep until something changes.
    idle: u32,
    closed: bool,
}

struct Waiting {
    shares: u32,
    priority: Priority,
    job: Job,
}

impl Waiting {
    const fn is_slow(&self) -> bool {
        matches!(self.priority, Priority::Slow { .. })
    }

    /// How many of the shares for slow jobs this job takes.
    const fn slow_shares(&self, workers: u32) -> u32 {
        let most = max_slow_shares(workers);
        match self.priority {
            Priority::Slow { .. } if self.shares > most => most,
            Priority::Slow { .. } => self.shares,
            _ => 0,
        }
    }

    /// The work of a slow job.
    const fn work(&self) -> u64 {
        if let Priority::Slow { work } = self.priority { work } else { 0 }
    }
}

/// How much slow work may wait, for each worker that slow jobs may use: four levels in the largest masks that the
/// default settings allow. They take some ten seconds, after which no client waits any more.
const MAX_WAITING_WORK: u64 = 4 * (DEFAULT_ROOM_MASK_SIDE as u64).pow(2);

/// What the pool decides about a job.
pub(super) enum Admission<'a> {
    /// The job runs now, with the buffers of a worker.
    Run(&'a mut Buffers),
    /// Too many jobs wait already: as many as this limit allows.
    Refused(Overload),
}

type Job = Box<dyn FnOnce(Admission) + Send>;

/// The shares that slow jobs may have together: as many as half of the workers stand for.
const fn max_slow_shares(workers: u32) -> u32 {
    workers.div_ceil(2)
}

/// Buffers that grew beyond this, or beyond a quarter of a worker's share, go back to the system after their job.
const MAX_IDLE_BUFFER_BYTES: u64 = 8 << 20;

impl Pool {
    /// Starts `workers` threads. All jobs that run at one time may hold `bytes` together, and `queue` more may wait.
    pub(super) fn new(workers: u32, queue: u32, bytes: u64) -> Self {
        let share = (bytes / u64::from(workers)).max(1);
        let max_idle_bytes = MAX_IDLE_BUFFER_BYTES.min(share / 4) as usize;
        let state = State { free_shares: workers, free_slow_shares: max_slow_shares(workers), ..State::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), workers, changed: Condvar::new() });
        for number in 0..workers {
            let shared = Arc::clone(&shared);
            let thread = thread::Builder::new().name(format!("worker-{number}"));
            if let Err(error) = thread.spawn(move || shared.work(max_idle_bytes)) {
                tracing::error!(%error, "a worker cannot be started");
            }
        }
        Self { shared, workers, share, queue: queue as usize }
    }

    /// Runs a job that needs so many bytes, now or later. If too many jobs wait already, this call hands it
    /// [`Admission::Refused`] before it returns.
    pub(super) fn submit(&self, bytes: u64, priority: Priority, job: impl FnOnce(Admission) + Send + 'static) {
        // a job that needed more shares than there are would wait for ever
        let shares = bytes.div_ceil(self.share).clamp(1, self.workers.into()) as u32;
        let mut state = self.shared.lock();
        // A job that can run at once is in the queue until a worker takes it. So the limit is on waiting and running
        // jobs together.
        let is_full = state.running as usize + state.waiting.len() >= self.workers as usize + self.queue;
        let is_full_for_slow = || self.is_full_for_slow(&state, priority).then_some(Overload::SlowQueue);
        let overload = if is_full { Some(Overload::Queue) } else { is_full_for_slow() };
        if let Some(overload) = overload {
            drop(state);
            return job(Admission::Refused(overload));
        }
        let waiting = Waiting { shares, priority, job: Box::new(job) };
        match priority {
            Priority::First => state.waiting.push_front(waiting),
            Priority::Normal | Priority::Slow { .. } => state.waiting.push_back(waiting),
        }
        // waking a worker is a system call, which is needless if all are busy
        if state.idle > 0 {
            self.shared.changed.notify_one();
        }
    }

    /// Whether a job is slow, and too many slow jobs or too much slow work wait already.
    fn is_full_for_slow(&self, state: &State, priority: Priority) -> bool {
        let Priority::Slow { work } = priority else { return false };
        let slow = || state.waiting.iter().filter(|waiting| waiting.is_slow());
        let waiting: u64 = slow().map(Waiting::work).sum();
        let too_much = waiting > 0 && waiting + work > MAX_WAITING_WORK * u64::from(max_slow_shares(self.workers));
        too_much || slow().count() >= state.free_slow_shares as usize + self.queue / 2
    }

    /// Jobs that run.
    pub(super) fn running(&self) -> i64 {
        self.shared.lock().running.into()
    }

    /// Bytes that the running jobs may hold: their shares.
    pub(super) fn work_bytes(&self) -> u64 {
        u64::from(self.workers - self.shared.lock().free_shares) * self.share
    }

    /// Jobs that wait.
    pub(super) fn queued(&self) -> i64 {
        self.shared.lock().waiting.len().cast_signed() as i64
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a worker does: it runs jobs until the pool is closed and no job waits. Between jobs it keeps buffers of up
    /// to `max_idle_bytes`.
    fn work(&self, max_idle_bytes: usize) {
        let mut buffers = Buffers::default();
        while let Some(waiting) = self.next() {
            let slow_shares = waiting.slow_shares(self.workers);
            let Waiting { shares, job, .. } = waiting;
            let ended = catch_unwind(AssertUnwindSafe(|| job(Admission::Run(&mut buffers))));
            if let Err(cause) = &ended {
                tracing::error!(cause = panic_text(cause.as_ref()), "a job panicked");
            }
            if ended.is_err() || buffers.bytes() > max_idle_bytes {
                buffers = Buffers::default();
            }
            let mut state = self.lock();
            state.free_shares += shares;
            state.running -= 1;
            state.free_slow_shares += slow_shares;
            // this worker takes the next job itself; if it frees several shares, other workers may begin jobs too
            if shares > 1 && state.idle > 0 {
                self.changed.notify_all();
            }
        }
    }

    /// Waits for the first job that may begin and for its shares, and takes them. `None` once the pool is closed and no
    /// job is left to begin.
    fn next(&self) -> Option<Waiting> {
        let mut state = self.lock();
        let first = loop {
            let mut free_slow_shares = state.free_slow_shares;
            let may_begin = |waiting: &Waiting| {
                let fits = waiting.slow_shares(self.workers) <= free_slow_shares;
                if !fits {
                    // later slow jobs must not overtake this one, or it might wait for ever
                    free_slow_shares = 0;
                }
                fits
            };
            match state.waiting.iter().position(may_begin) {
                Some(first) if state.waiting[first].shares <= state.free_shares => break first,
                None if state.closed => return None,
                _ => {
                    state.idle += 1;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.idle -= 1;
                }
            }
        };
        let next = state.waiting.remove(first)?;
        state.free_shares -= next.shares;
        state.free_slow_shares -= next.slow_shares(self.workers);
        state.running += 1;
        // a job may have arrived while this worker was waking up, and another worker may be asleep
        if !state.waiting.is_empty() && state.idle > 0 {
            self.changed.notify_one();
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests;
