//! Runs jobs and shares their values: cache, single flight, and the pool of workers that admits jobs.
//!
//! A [`Job`] makes a value from the output of a [`Source`]: for example, a response from a level. [`Service::run`]
//! takes these steps:
//!
//! 1. Of all callers that want the value of one key at the same time, the first one leads. The others wait for it.
//! 2. If the cache has the value, the leader hands it out and the job does not run.
//! 3. Otherwise the leader gets the output of the source: from the cache, from another job that is making it, or by
//!    making it on a worker.
//! 4. The leader makes the value from this output on a worker, puts the value into the cache and hands it to all.
//!
//! Only `sources` knows what sources make. Nothing here knows HTTP.

mod admission;
mod cache;
mod error;
mod job;
mod lane;
mod pool;
mod response_budget;
mod single_flight;
mod sources;
mod task;

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::level;
use crate::level::work::{Buffers, Cancel, JobContext, Price};
use crate::telemetry::{Generation, JobTimes, Metrics, Overload};
use admission::Admission;
use cache::Cache;
use pool::Pool;
use response_budget::ResponseBudget;
use single_flight::{Follower, Leader, Role, SingleFlight};
use task::{Priced, Shared, Supply, Task};

pub use admission::Busy;
pub use error::Error;
pub use job::{CacheStatus, Job, Key, Levels, Outcome, Run, Source, Weigh};
pub use response_budget::Reservation;

/// What the service may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of values that the cache keeps.
    pub cache_bytes: u64,
    /// Jobs of each class that run at once.
    pub workers: u32,
    /// Bytes that running jobs may hold together.
    pub work_bytes: u64,
    /// Jobs of each class that may wait for a worker.
    pub queue: u32,
    /// Bytes of responses that clients have not read yet, in addition to `cache_bytes`.
    pub unread_bytes: u64,
}

/// Runs jobs, each once for all callers that need it; a clone is the same service.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    cache: Cache,
    single_flight: SingleFlight<Shared>,
    pool: Pool,
    responses: ResponseBudget,
    stopping: AtomicBool,
    metrics: Arc<Metrics>,
}

impl Service {
    /// A service with an empty cache.
    pub fn new(limits: Limits, metrics: Arc<Metrics>) -> Self {
        Self(Arc::new(Inner {
            cache: Cache::new(limits.cache_bytes, &metrics.cache_evictions),
            single_flight: SingleFlight::default(),
            pool: Pool::new(limits.workers, limits.queue, limits.work_bytes),
            responses: ResponseBudget::new(limits.cache_bytes, limits.unread_bytes),
            stopping: AtomicBool::new(false),
            metrics,
        }))
    }

    /// The value of this key, if the cache has it, it is of this type, and it is what the caller wants.
    pub fn get<V: Weigh>(&self, key: &[u8], is_wanted: impl FnOnce(&V) -> bool) -> Option<Arc<V>> {
        let value = self.0.cache.get(key).filter(|value| is_wanted(value))?;
        self.0.metrics.cache_hits.inc();
        Some(value)
    }

    /// Caches a value that the caller made from the values of jobs.
    pub fn put<V: Weigh>(&self, key: &Key, value: Arc<V>) {
        self.0.cache.put(key, value);
    }

    /// The value of a job, from the cache or made by its function.
    ///
    /// # Errors
    /// If the level cannot be built, too many jobs wait, the deadline passes, or the job panics.
    pub async fn run<S: Source, V: Weigh>(&self, job: Job<S, impl Run<S, V>>) -> Result<Outcome<V>, Error> {
        self.counted(self.0.run(job).await)
    }

    /// The output of a source, from the cache or made on a worker at this price.
    ///
    /// # Errors
    /// If the output cannot be made, too many jobs wait, the deadline passes, or the job panics.
    pub async fn make<S: Source>(
        &self,
        source: S,
        price: Price,
        deadline: Instant,
    ) -> Result<Outcome<S::Output>, Error> {
        self.counted(self.0.make(source, price, deadline).await)
    }

    fn counted<V>(&self, outcome: Result<Outcome<V>, Error>) -> Result<Outcome<V>, Error> {
        if let Ok(Outcome { status, .. }) = &outcome {
            let metrics = &self.0.metrics;
            let counter = match status {
                CacheStatus::Hit => &metrics.cache_hits,
                CacheStatus::Miss => &metrics.cache_misses,
                CacheStatus::Collapsed => &metrics.cache_collapsed,
            };
            counter.inc();
        }
        outcome
    }

    /// Cancels the jobs that run.
    pub fn stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
    }

    /// Brings the gauges of cache and jobs up to date.
    pub fn measure(&self) {
        let Inner { cache, pool, responses, metrics, .. } = &*self.0;
        cache.upkeep();
        metrics.cache_entries.set(cache.entries().cast_signed());
        metrics.cache_bytes.set(cache.bytes().cast_signed());
        metrics.responses_bytes.set(responses.used().cast_signed() as i64);
        let load = pool.load();
        metrics.work_bytes.set(load.held_bytes.cast_signed());
        metrics.jobs_running.set(load.running.cast_signed() as i64);
        metrics.jobs_queued.set(load.waiting.cast_signed() as i64);
    }
}

/// The result of joining the callers that want the value of one key.
enum Joined<V> {
    /// The cache had the value, or another caller's job made it.
    Shared(Outcome<V>),
    /// This caller leads: it has to make the value.
    Leads(Leader<Shared>),
}

impl Inner {
    /// Runs a job. The caller may leave: a job that has begun, or that other callers wait for, goes on without it.
    async fn run<S: Source, V: Weigh>(self: &Arc<Self>, job: Job<S, impl Run<S, V>>) -> Result<Outcome<V>, Error> {
        let Job { key, source, source_price, price, response, deadline, run } = job;
        self.check_price(&source, source_price + price)?;
        let leader = match &key {
            None => self.single_flight.alone(),
            Some(key) => match self.join(key, deadline).await? {
                Joined::Shared(outcome) => return Ok(outcome),
                Joined::Leads(leader) => leader,
            },
        };
        // the worker looks again, but a client that has to come back should learn it before it has queued
        if !self.responses.has_room(&response) {
            let error = Error::Busy(Busy::soon(Overload::Unread));
            leader.finish(Err(error.clone()));
            return Err(error);
        }
        let follower = leader.follow();
        let (algorithm, times) = (source.algorithm(), JobTimes::current());
        let task = Task { leader, times, algorithm, key, price, response, deadline, run };
        self.find_source(task, Priced { source, price: source_price });
        wait(follower, deadline).await
    }

    /// Makes the output of a source, without a job that uses it.
    async fn make<S: Source>(
        self: &Arc<Self>,
        source: S,
        price: Price,
        deadline: Instant,
    ) -> Result<Outcome<S::Output>, Error> {
        self.check_price(&source, price)?;
        let key = source.key();
        let leader = match self.join(&key, deadline).await? {
            Joined::Shared(outcome) => return Ok(outcome),
            Joined::Leads(leader) => leader,
        };
        let follower = leader.follow();
        let inner = Arc::clone(self);
        let (times, queued) = (JobTimes::current(), Instant::now());
        let source = Priced { source, price };
        self.pool.lane(price).submit(price, false, time_left(deadline), move |admission| match admission {
            Admission::Run(_) if leader.cancel_if_abandoned() => {}
            Admission::Run(buffers) => {
                inner.metrics.observe_wait(source.source.algorithm(), queued.elapsed());
                times.add_wait(queued.elapsed());
                let stop = || inner.must_stop(deadline);
                let mut context = JobContext { buffers, cancel: Cancel::when(&stop) };
                let _shared = inner.supply(Supply::Make(source, key, leader), &mut context, &times);
            }
            Admission::Refused(busy) => leader.finish(Err(Error::Busy(busy))),
        });
        wait(follower, deadline).await
    }

    /// Joins the leader that makes the value of this key, or becomes that leader.
    async fn join<V: Weigh>(&self, key: &Key, deadline: Instant) -> Result<Joined<V>, Error> {
        let leader = loop {
            match self.single_flight.join(key) {
                Role::Leader(leader) => break leader,
                Role::Follower(follower) => match wait(follower, deadline).await {
                    // the leader's deadline passed; this caller came later and has time left, so it joins again
                    Err(Error::Deadline) if Instant::now() < deadline => {}
                    Ok(Outcome { value, status: CacheStatus::Miss }) => {
                        return Ok(Joined::Shared(Outcome { value, status: CacheStatus::Collapsed }));
                    }
                    outcome => return outcome.map(Joined::Shared),
                },
            }
        };
        // Look in the cache only now that this caller leads: the leader before it put its value there and only then let
        // go of the key.
        let Some(value) = self.cache.get::<V>(key) else { return Ok(Joined::Leads(leader)) };
        leader.finish(Ok(share(&value, CacheStatus::Hit)));
        Ok(Joined::Shared(Outcome { value, status: CacheStatus::Hit }))
    }

    /// Refuses a job that needs more memory than jobs of any class may hold.
    fn check_price<S: Source>(&self, source: &S, price: Price) -> Result<(), Error> {
        let max_bytes = self.pool.max_job_bytes();
        if price.bytes <= max_bytes {
            return Ok(());
        }
        Err(level::error::Error::Unbuildable(vec![source.too_large(price.bytes, max_bytes)]).into())
    }

    /// Whether a job with this deadline must end now.
    fn must_stop(&self, deadline: Instant) -> bool {
        self.stopping.load(Ordering::Relaxed) || Instant::now() >= deadline
    }

    /// Hands a task to the workers, with the output of its source or with the duty to make it.
    fn find_source<S: Source, V: Weigh>(self: &Arc<Self>, task: Task<impl Run<S, V>>, source: Priced<S>) {
        let key = source.source.key();
        match self.single_flight.join(&key) {
            Role::Leader(leader) => match self.cache.get::<S::Output>(&key) {
                Some(output) => {
                    leader.finish(Ok(share(&output, CacheStatus::Hit)));
                    self.submit(task, Supply::Ready(output, CacheStatus::Hit));
                }
                None => self.submit(task, Supply::Make(source, key, leader)),
            },
            Role::Follower(follower) => {
                let inner = Arc::clone(self);
                tokio::spawn(async move {
                    match wait::<S::Output>(follower, task.deadline).await {
                        Ok(Outcome { value, .. }) => {
                            inner.submit(task, Supply::<S>::Ready(value, CacheStatus::Collapsed));
                        }
                        // the other job's deadline passed; this task has time left, so it looks for the source again
                        Err(Error::Deadline) if Instant::now() < task.deadline => inner.find_source(task, source),
                        Err(error) => task.leader.finish(Err(error)),
                    }
                });
            }
        }
    }

    /// Hands a task to the workers.
    fn submit<S: Source, V: Weigh>(self: &Arc<Self>, task: Task<impl Run<S, V>>, supply: Supply<S>) {
        let (price, holds_output) = match &supply {
            Supply::Ready(..) => (task.price, true),
            Supply::Make(source, ..) => (task.price + source.price, false),
        };
        let inner = Arc::clone(self);
        let queued = Instant::now();
        self.pool.lane(price).submit(price, holds_output, time_left(task.deadline), move |admission| match admission {
            Admission::Run(buffers) => {
                inner.metrics.observe_wait(task.algorithm, queued.elapsed());
                task.times.add_wait(queued.elapsed());
                inner.execute(task, supply, buffers);
            }
            Admission::Refused(busy) => {
                if let Supply::Make(.., leader) = supply {
                    leader.finish(Err(Error::Busy(busy)));
                }
                task.leader.finish(Err(Error::Busy(busy)));
            }
        });
    }

    /// Executes a task on a worker. A task that no caller waits for does not begin; a task that has begun goes on even
    /// if all callers leave.
    fn execute<S: Source, V: Weigh>(&self, task: Task<impl Run<S, V>>, supply: Supply<S>, buffers: &mut Buffers) {
        let (deadline, times) = (task.deadline, task.times.clone());
        let task = self.with_room(task);
        // if callers wait for the task, its source stays registered, so that later callers can join it
        if task.is_none() && supply.cancel_if_abandoned() {
            return;
        }
        let stop = || self.must_stop(deadline);
        let mut context = JobContext { buffers, cancel: Cancel::when(&stop) };
        let source = self.supply(supply, &mut context, &times);
        // without a task, other callers needed the source and have its output now
        let Some((task, reservation)) = task else { return };
        let outcome = source.and_then(|(output, status)| {
            let began = Instant::now();
            let value = (task.run)(&output, &mut context, reservation);
            times.add_work(began.elapsed());
            let value = Arc::new(value?);
            if let Some(key) = &task.key {
                self.cache.put(key, Arc::clone(&value));
            }
            Ok(share(&value, status))
        });
        task.leader.finish(outcome);
    }

    /// A task that callers wait for, with the room that its response needs. If there is no room, the callers get an
    /// error.
    fn with_room<F>(&self, task: Task<F>) -> Option<(Task<F>, Reservation)> {
        if task.leader.cancel_if_abandoned() {
            return None;
        }
        let Some(reservation) = self.responses.reserve(&task.response) else {
            task.leader.finish(Err(Error::Busy(Busy::soon(Overload::Unread))));
            return None;
        };
        Some((task, reservation))
    }

    /// Returns the output of a task's source. If it has to be made here, the callers that wait for it get it at once.
    fn supply<S: Source>(
        &self,
        supply: Supply<S>,
        context: &mut JobContext,
        times: &JobTimes,
    ) -> Result<(Arc<S::Output>, CacheStatus), Error> {
        let (source, key, leader) = match supply {
            Supply::Ready(output, status) => return Ok((output, status)),
            Supply::Make(source, key, leader) => (source, key, leader),
        };
        let (algorithm, began) = (source.source.algorithm(), Instant::now());
        let failed = CountFailure(&self.metrics);
        let built = source.source.build(context);
        std::mem::forget(failed);
        self.metrics.observe_generation(algorithm, began.elapsed());
        times.add_work(began.elapsed());
        match built {
            Ok(output) => {
                let Levels { made, refused } = S::levels(&output);
                self.metrics.count_generations(Generation::Made, made);
                self.metrics.count_generations(Generation::Refused, refused);
                let output = Arc::new(output);
                self.cache.put(&key, Arc::clone(&output));
                leader.finish(Ok(share(&output, CacheStatus::Miss)));
                Ok((output, CacheStatus::Miss))
            }
            Err(error) => {
                let is_cancelled = error == level::error::Error::Cancelled;
                let outcome = if is_cancelled { Generation::Cancelled } else { Generation::Refused };
                self.metrics.count_generations(outcome, 1);
                let error = Error::from(error);
                leader.finish(Err(error.clone()));
                Err(error)
            }
        }
    }
}

/// Counts a level that could not be made because its job panicked, when it is dropped.
struct CountFailure<'a>(&'a Metrics);

impl Drop for CountFailure<'_> {
    fn drop(&mut self) {
        self.0.count_generations(Generation::Failed, 1);
    }
}

/// A value in the form that a leader hands to its followers.
fn share<V: Weigh>(value: &Arc<V>, status: CacheStatus) -> (Arc<dyn Any + Send + Sync>, CacheStatus) {
    (Arc::clone(value) as _, status)
}

/// The time until a deadline.
fn time_left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Waits for a leader, but not past the deadline.
async fn wait<V: Weigh>(follower: Follower<Shared>, deadline: Instant) -> Result<Outcome<V>, Error> {
    let shared = tokio::time::timeout_at(deadline.into(), follower.wait()).await.map_err(|_| Error::Deadline)?;
    // a leader that ended without a result has panicked
    let (value, status) = shared.unwrap_or(Err(Error::Broken))?;
    let value = value.downcast().map_err(|_| {
        tracing::error!("one key names values of two types");
        Error::Broken
    })?;
    Ok(Outcome { value, status })
}

#[cfg(test)]
mod tests;
