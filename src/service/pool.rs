//! The worker threads, and admission to them: how many jobs run at once, how much memory they hold together, and how
//! many may wait.
//!
//! Each worker stands for an equal share of the memory, and a job takes as many shares as it needs; the largest takes
//! them all and runs alone. Jobs begin in the order in which they came, so a large one is not overtaken for ever by
//! small ones; only those that are short and hold memory while they wait go first, and those that take long together have
//! no more than half of the shares, rounded up, so that the others need not wait for the end of one; but a job that alone
//! needs more gets it.
//!
//! The threads are the service's own: with tokio's blocking pool behind a semaphore, the end of each job first woke an
//! async task that then woke a thread for the next, which made a small level half as dear again.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::level::work::Buffers;
use crate::telemetry::panic_text;

/// Threads that take jobs from a queue. They end with this value, once the queue is empty.
pub(super) struct Pool {
    shared: Arc<Shared>,
    workers: u32,
    /// Bytes that each worker stands for.
    share: u64,
    /// Jobs that may wait while every worker runs one; while one job holds the shares of several, others wait in their
    /// stead.
    places: usize,
}

struct Shared {
    state: Mutex<State>,
    workers: u32,
    /// Something changed for those who look for a job.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    free_shares: u32,
    running: u32,
    /// Shares that are left to jobs that take long.
    free_slow: u32,
    /// Workers that sleep until something changes.
    idle: u32,
    closed: bool,
}

struct Waiting {
    shares: u32,
    place: Place,
    job: Job,
}

impl Waiting {
    const fn is_slow(&self) -> bool {
        matches!(self.place, Place::Slow { .. })
    }

    /// Shares that it takes of those for slow jobs.
    const fn slow_shares(&self, workers: u32) -> u32 {
        let most = slow_workers(workers);
        match self.place {
            Place::Slow { .. } if self.shares > most => most,
            Place::Slow { .. } => self.shares,
            _ => 0,
        }
    }

    /// The work of a slow job.
    const fn work(&self) -> u64 {
        if let Place::Slow { work } = self.place { work } else { 0 }
    }
}

/// Where a job waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Before all others: for short jobs that hold memory while they wait.
    First,
    /// Behind all others.
    Last,
    /// The same, for jobs that may take long: they hold up only each other. No more than half of the places are theirs,
    /// and no more wait than are done within a few seconds.
    Slow {
        /// The tiles of the level, which its time is in proportion to.
        work: u64,
    },
}

/// The work that may wait for each worker that slow jobs may have: that of the largest levels by default takes some ten
/// seconds, after which nobody waits for an answer any more.
const WAITING_WORK: u64 = 4 * 512 * 512;

/// What a job gets when its turn comes, or there is none.
pub(super) enum Turn<'a> {
    /// It runs now, with a worker's buffers.
    Run(&'a mut Buffers),
    /// Too many jobs wait already.
    Refused,
}

type Job = Box<dyn FnOnce(Turn) + Send>;

/// The shares that slow jobs may have together: as many as half of the workers stand for.
const fn slow_workers(workers: u32) -> u32 {
    workers.div_ceil(2)
}

/// A scratch that grew beyond this, or beyond a quarter of a worker's share, goes back to the system after its job.
const KEPT_SCRATCH_BYTES: u64 = 8 << 20;

impl Pool {
    /// Room for `workers` jobs that hold `bytes` together, and for `places` more that wait.
    pub(super) fn new(workers: u32, places: u32, bytes: u64) -> Self {
        let share = (bytes / u64::from(workers)).max(1);
        let kept = KEPT_SCRATCH_BYTES.min(share / 4) as usize;
        let state = State { free_shares: workers, free_slow: slow_workers(workers), ..State::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), workers, changed: Condvar::new() });
        for number in 0..workers {
            let shared = Arc::clone(&shared);
            let thread = thread::Builder::new().name(format!("worker-{number}"));
            if let Err(error) = thread.spawn(move || shared.work(kept)) {
                tracing::error!(%error, "a worker cannot be started");
            }
        }
        Self { shared, workers, share, places: places as usize }
    }

    /// Lets a job run that needs so many bytes, now or later; where too many wait already it is told so before this
    /// returns.
    pub(super) fn submit(&self, bytes: u64, place: Place, job: impl FnOnce(Turn) + Send + 'static) {
        // never more shares than there are: such a job would wait for ever
        let shares = bytes.div_ceil(self.share).clamp(1, self.workers.into()) as u32;
        let mut state = self.shared.lock();
        // a job may be on its way to a worker that has not taken it yet, so those who run count, too
        let no_place = state.running as usize + state.waiting.len() >= self.workers as usize + self.places;
        if no_place || self.has_no_place_for_slow(&state, place) {
            drop(state);
            return job(Turn::Refused);
        }
        let waiting = Waiting { shares, place, job: Box::new(job) };
        match place {
            Place::First => state.waiting.push_front(waiting),
            Place::Last | Place::Slow { .. } => state.waiting.push_back(waiting),
        }
        // a sleeper is woken by a system call, which is spared where all are busy
        if state.idle > 0 {
            self.shared.changed.notify_one();
        }
    }

    /// Whether a job is slow and too many such wait already.
    fn has_no_place_for_slow(&self, state: &State, place: Place) -> bool {
        let Place::Slow { work } = place else { return false };
        let slow = || state.waiting.iter().filter(|waiting| waiting.is_slow());
        let waiting: u64 = slow().map(Waiting::work).sum();
        let too_much = waiting > 0 && waiting + work > WAITING_WORK * u64::from(slow_workers(self.workers));
        too_much || slow().count() >= state.free_slow as usize + self.places / 2
    }

    /// Jobs that run.
    pub(super) fn running(&self) -> i64 {
        self.shared.lock().running.into()
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

    /// The life of a worker, which keeps a scratch of up to so many bytes between its jobs.
    fn work(&self, kept: usize) {
        let mut buffers = Buffers::default();
        while let Some(waiting) = self.next() {
            let slow = waiting.slow_shares(self.workers);
            let Waiting { shares, job, .. } = waiting;
            let ended = catch_unwind(AssertUnwindSafe(|| job(Turn::Run(&mut buffers))));
            if let Err(cause) = &ended {
                tracing::error!(cause = panic_text(cause.as_ref()), "a job broke");
            }
            if ended.is_err() || buffers.bytes() > kept {
                buffers = Buffers::default();
            }
            let mut state = self.lock();
            state.free_shares += shares;
            state.running -= 1;
            state.free_slow += slow;
            // this worker goes on by itself; more shares than one may let others begin, too
            if shares > 1 && state.idle > 0 {
                self.changed.notify_all();
            }
        }
    }

    /// Waits for the first job that may begin, and for the shares that it needs.
    fn next(&self) -> Option<Waiting> {
        let mut state = self.lock();
        let first = loop {
            let mut free_slow = state.free_slow;
            let may_begin = |waiting: &Waiting| {
                let fits = waiting.slow_shares(self.workers) <= free_slow;
                if !fits {
                    // nor do small ones that take long overtake a large one for ever
                    free_slow = 0;
                }
                fits
            };
            match state.waiting.iter().position(may_begin) {
                Some(first) if state.waiting[first].shares <= state.free_shares => break first,
                // jobs that take long are left to those workers that run such ones
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
        state.free_slow -= next.slow_shares(self.workers);
        state.running += 1;
        // who came while this worker was on its way may find another one asleep
        if !state.waiting.is_empty() && state.idle > 0 {
            self.changed.notify_one();
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use super::*;

    const SOON: Duration = Duration::from_millis(100);
    const PATIENCE: Duration = Duration::from_secs(20);

    /// Submits a job that tells when it begins, or that it is refused, and ends when its sender goes.
    fn submit(pool: &Pool, bytes: u64) -> (Receiver<bool>, Sender<()>) {
        submit_to(pool, bytes, Place::Last)
    }

    fn submit_to(pool: &Pool, bytes: u64, place: Place) -> (Receiver<bool>, Sender<()>) {
        let ((tell, told), (end, ends)) = (channel(), channel::<()>());
        pool.submit(bytes, place, move |turn| {
            let runs = matches!(turn, Turn::Run(_));
            let _ = tell.send(runs);
            if runs {
                let _ = ends.recv();
            }
        });
        (told, end)
    }

    #[test]
    fn no_more_run_than_there_are_workers_and_no_more_wait_than_there_are_places() {
        let pool = Pool::new(2, 1, 200);
        let jobs = [submit(&pool, 1), submit(&pool, 100)];
        assert!(jobs.iter().all(|(told, _)| told.recv_timeout(PATIENCE).unwrap()));
        let (waits, end) = submit(&pool, 1);
        assert!(waits.recv_timeout(SOON).is_err());
        assert_eq!((pool.running(), pool.queued()), (2, 1));
        assert_eq!(submit(&pool, 1).0.recv(), Ok(false), "refused at once");
        drop(jobs);
        assert!(waits.recv_timeout(PATIENCE).unwrap());
        drop(end);
    }

    #[test]
    fn a_job_larger_than_all_runs_alone_and_is_not_overtaken() {
        let pool = Pool::new(2, 9, 200);
        let small = submit(&pool, 1);
        assert!(small.0.recv_timeout(PATIENCE).unwrap());
        let large = submit(&pool, u64::MAX);
        let later = submit(&pool, 1);
        assert!(large.0.recv_timeout(SOON).is_err() && later.0.recv_timeout(SOON).is_err());
        drop(small);
        assert!(large.0.recv_timeout(PATIENCE).unwrap());
        assert!(later.0.recv_timeout(SOON).is_err());
        drop(large);
        assert!(later.0.recv_timeout(PATIENCE).unwrap());
    }

    #[test]
    fn jobs_that_take_long_leave_half_of_the_workers_to_others() {
        let pool = Pool::new(4, 9, 400);
        let slow = [(); 4].map(|()| submit_to(&pool, 1, Place::Slow { work: 1 }));
        assert!(slow[..2].iter().all(|(told, _)| told.recv_timeout(PATIENCE).unwrap()));
        assert!(slow[2..].iter().all(|(told, _)| told.recv_timeout(SOON).is_err()));
        let others = [(); 2].map(|()| submit(&pool, 1));
        assert!(others.iter().all(|(told, _)| told.recv_timeout(PATIENCE).unwrap()), "they pass those that wait");
        drop(others);
        assert!(slow[2].0.recv_timeout(SOON).is_err(), "still too many");
        let [one, other, third, fourth] = slow;
        drop(one);
        assert!(third.0.recv_timeout(PATIENCE).unwrap());
        drop(other);
        assert!(fourth.0.recv_timeout(PATIENCE).unwrap());
    }

    #[test]
    fn jobs_that_take_long_leave_half_of_the_places_to_others() {
        let pool = Pool::new(2, 4, 200);
        let slow = submit_to(&pool, 1, Place::Slow { work: 1 });
        assert!(slow.0.recv_timeout(PATIENCE).unwrap());
        let waiting = [(); 2].map(|()| submit_to(&pool, 1, Place::Slow { work: 1 }));
        assert_eq!(submit_to(&pool, 1, Place::Slow { work: 1 }).0.recv(), Ok(false), "refused at once");
        let others = [(); 3].map(|()| submit(&pool, 1));
        assert!(others[0].0.recv_timeout(PATIENCE).unwrap());
        drop((slow, others));
        assert!(waiting.iter().all(|(told, end)| told.recv_timeout(PATIENCE).unwrap() && end.send(()).is_ok()));
    }

    #[test]
    fn large_jobs_that_take_long_leave_half_of_the_shares_to_others() {
        let pool = Pool::new(4, 9, 400);
        let slow = [(); 2].map(|()| submit_to(&pool, 200, Place::Slow { work: 1 }));
        assert!(slow[0].0.recv_timeout(PATIENCE).unwrap());
        assert!(slow[1].0.recv_timeout(SOON).is_err());
        let small = submit_to(&pool, 1, Place::Slow { work: 1 });
        let others = [(); 2].map(|()| submit(&pool, 1));
        assert!(others.iter().all(|(told, _)| told.recv_timeout(PATIENCE).unwrap()));
        assert!(small.0.recv_timeout(SOON).is_err(), "behind the large one");
        drop(others);
        let [one, other] = slow;
        drop(one);
        assert!(other.0.recv_timeout(PATIENCE).unwrap());
        drop(other);
        assert!(small.0.recv_timeout(PATIENCE).unwrap());
    }

    #[test]
    fn no_more_work_waits_than_is_done_in_time() {
        let pool = Pool::new(2, 99, 200);
        let slow = |work| submit_to(&pool, 1, Place::Slow { work });
        let runs = slow(u64::MAX / 4);
        assert!(runs.0.recv_timeout(PATIENCE).unwrap(), "nothing else waits");
        let waits = [slow(WAITING_WORK / 2), slow(WAITING_WORK / 2)];
        assert_eq!(slow(1).0.recv(), Ok(false), "refused at once");
        assert!(submit(&pool, 1).0.recv_timeout(PATIENCE).unwrap());
        drop(runs);
        assert!(waits[0].0.recv_timeout(PATIENCE).unwrap());
        assert!(slow(1).0.recv_timeout(SOON).is_err(), "this one waits");
    }

    #[test]
    fn a_single_worker_takes_jobs_that_take_long_too() {
        let pool = Pool::new(1, 9, 100);
        let slow = submit_to(&pool, 1, Place::Slow { work: 1 });
        assert!(slow.0.recv_timeout(PATIENCE).unwrap());
        drop(slow);
        assert!(submit(&pool, 1).0.recv_timeout(PATIENCE).unwrap());
    }

    #[test]
    fn after_a_large_job_all_workers_go_on() {
        let pool = Pool::new(3, 9, 300);
        let large = submit(&pool, 300);
        assert!(large.0.recv_timeout(PATIENCE).unwrap());
        let jobs = [(); 3].map(|()| submit(&pool, 1));
        drop(large);
        assert!(jobs.iter().all(|(told, _)| told.recv_timeout(PATIENCE).unwrap()));
    }

    #[test]
    fn a_job_that_breaks_leaves_its_worker_alive() {
        let pool = Pool::new(1, 9, 100);
        pool.submit(1, Place::Last, |_| panic!("broken on purpose"));
        assert!(submit(&pool, 1).0.recv_timeout(PATIENCE).unwrap());
    }

    #[test]
    fn without_places_a_job_runs_where_a_worker_is_free() {
        let pool = Pool::new(1, 0, 100);
        let (told, end) = submit(&pool, 1);
        assert!(told.recv_timeout(PATIENCE).unwrap());
        assert_eq!(submit(&pool, 1).0.recv(), Ok(false));
        drop(end);
    }
}
