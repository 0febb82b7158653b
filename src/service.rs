//! From a recipe to bytes that many may share: cache, single flight, and the pool of workers that admits jobs.
//!
//! One way through: [`Service::answer`] looks for the finished body in the cache, else joins the flight that is making
//! it, else starts one. The flight looks for the level, joins the flight of the level or makes it, and writes the body,
//! on a thread of the pool. Nothing here knows HTTP, nor what a body looks like: the caller brings the address that
//! names the body and the function that writes it.

mod cache;
mod flight;
mod pool;
mod shelf;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use prometheus_client::metrics::counter::Counter;

use crate::level::Level;
use crate::level::error::{Error, ParameterError};
use crate::level::recipe::Recipe;
use crate::level::work::{Buffers, Cancel, JobContext};
use crate::telemetry::Metrics;
use cache::{Cache, Entry};
use flight::{Flights, Lead, Role, Wait};
use pool::{Place, Pool, Turn};
use shelf::Shelf;

/// What the service may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of levels and bodies that are kept.
    pub cache_bytes: u64,
    /// Jobs that run at once.
    pub workers: u32,
    /// Bytes that running jobs may hold together.
    pub work_bytes: u64,
    /// Jobs that may wait for a worker.
    pub queue: u32,
    /// Bytes of answers that clients may hold up beside those in the cache.
    pub unread_bytes: u64,
    /// How long a request, and a job, may take.
    pub deadline: Duration,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// A tile that was named is not open in this level.
    Misplaced(Vec<ParameterError>),
    /// No seed has such a level, or this one has not what is asked for.
    Unbuildable(Vec<ParameterError>),
    /// The body would pass its limit.
    TooLarge(ParameterError),
    /// Too many jobs wait already, or too many bytes of answers wait to be read.
    Busy,
    /// It took too long.
    Deadline,
    /// A job broke; its cause is in the log.
    Broken,
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        match error {
            // the end of the service cancels jobs too, and then no client is left to tell the difference
            Error::Cancelled => Self::Deadline,
            Error::Misplaced(errors) => Self::Misplaced(errors),
            Error::Unbuildable(errors) => Self::Unbuildable(errors),
            Error::TooLarge(error) => Self::TooLarge(error),
        }
    }
}

/// How an answer came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// No level was made for it.
    Hit,
    /// A level was made for it.
    Miss,
    /// It waited for a level that was made for another request.
    Collapsed,
}

/// A finished body.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What is kept.
    pub kept: Kept,
    /// How it came about.
    pub origin: Origin,
}

/// A body and what goes with it; a clone shares the bytes.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The body.
    pub body: Bytes,
    /// What the caller wants back with the body.
    pub label: Bytes,
}

/// What is asked for.
#[derive(Debug)]
pub struct Ask {
    /// Names the body: one recipe and one way to write it, for ever.
    pub address: Arc<str>,
    /// Kept with the body.
    pub label: Bytes,
    /// Names the level.
    pub recipe: Recipe,
    /// Most memory that writing the body takes beside the level, the body included.
    pub write_bytes: u64,
    /// What is worth keeping.
    pub keep: Keep,
}

/// What of an answer is kept for later ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The level and the body.
    All,
    /// The level: the body is for one request alone, whose address may be that of others.
    Level,
    /// The body: the level is one of many that are looked at once.
    Body,
}

/// What writes a body.
pub trait Write: FnOnce(&Level, &mut JobContext) -> Result<Vec<u8>, Error> + Send + 'static {}

impl<W: FnOnce(&Level, &mut JobContext) -> Result<Vec<u8>, Error> + Send + 'static> Write for W {}

/// What a flight of bodies brings to all who wait for it.
type Landed = Result<Answer, Trouble>;

/// Makes levels and bodies, each once; a clone is the same service.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    cache: Cache,
    bodies: Flights<Landed>,
    levels: Flights<Result<Arc<Level>, Trouble>>,
    pool: Pool,
    shelf: Shelf,
    deadline: Duration,
    stopping: AtomicBool,
    /// Counts the bodies that are not to be kept.
    unkept: AtomicU64,
    metrics: Arc<Metrics>,
}

impl Service {
    /// A service with an empty cache.
    pub fn new(limits: Limits, metrics: Arc<Metrics>) -> Self {
        Self(Arc::new(Inner {
            cache: Cache::new(limits.cache_bytes),
            bodies: Flights::default(),
            levels: Flights::default(),
            pool: Pool::new(limits.workers, limits.queue, limits.work_bytes),
            shelf: Shelf::new(limits.cache_bytes + limits.unread_bytes),
            deadline: limits.deadline,
            stopping: AtomicBool::new(false),
            unkept: AtomicU64::new(0),
            metrics,
        }))
    }

    /// The body of an address, if it is in the cache.
    pub fn kept(&self, address: &str) -> Option<Answer> {
        let kept = self.0.cache.body(address)?;
        self.0.metrics.cache_hits.inc();
        Some(Answer { kept, origin: Origin::Hit })
    }

    /// Keeps a body that the caller made himself, for those who ask for it by its address.
    pub fn keep(&self, address: &str, kept: Kept) {
        self.0.cache.insert(&address.into(), Entry::Body(kept));
    }

    /// The body that is asked for, from the cache, or made from its level by `write`.
    ///
    /// # Errors
    /// Where there is no such level or body, or no room or time to make it.
    pub async fn answer<W: Write>(&self, ask: Ask, write: W) -> Result<Answer, Trouble> {
        let mut ask = ask;
        if ask.keep == Keep::Level {
            // an address of its own, for which nobody waits
            let number = self.0.unkept.fetch_add(1, Ordering::Relaxed);
            ask.address = format!("{}#{number}", ask.address).into();
        } else if let Some(answer) = self.kept(&ask.address) {
            return Ok(answer);
        }
        let answer = self.0.fetch(ask, write).await;
        let metrics = &self.0.metrics;
        let counter = match &answer {
            Ok(Answer { origin: Origin::Hit, .. }) => Some(&metrics.cache_hits),
            Ok(Answer { origin: Origin::Miss, .. }) => Some(&metrics.cache_misses),
            Ok(Answer { origin: Origin::Collapsed, .. }) => Some(&metrics.cache_collapsed),
            Err(Trouble::Busy) => Some(&metrics.shed),
            Err(_) => None,
        };
        counter.map(Counter::inc);
        answer
    }

    /// Tells running jobs to end.
    pub fn stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
    }

    /// Brings the gauges of cache and jobs up to date.
    pub fn measure(&self) {
        let Inner { cache, pool, metrics, .. } = &*self.0;
        cache.upkeep();
        metrics.cache_entries.set(cache.entries().cast_signed());
        metrics.cache_bytes.set(cache.bytes().cast_signed());
        metrics.jobs_running.set(pool.running());
        metrics.jobs_queued.set(pool.queued());
    }
}

/// A body to be made, with the duty to tell those who wait for it.
struct Job<W> {
    lead: Lead<Landed>,
    address: Arc<str>,
    label: Bytes,
    write_bytes: u64,
    write: W,
    keep: Keep,
    deadline: Instant,
}

/// Where a job gets its level from.
enum Source {
    /// It is there, and came about like this.
    Held(Arc<Level>, Origin),
    /// The job makes it, for itself and for those who wait for it.
    Made(Box<Recipe>, Arc<str>, Lead<Result<Arc<Level>, Trouble>>),
}

impl Inner {
    /// Joins the flight that makes a body, or starts it. Nothing of a flight hangs on whoever started it: he may leave.
    async fn fetch<W: Write>(self: &Arc<Self>, ask: Ask, write: W) -> Landed {
        let deadline = Instant::now() + self.deadline;
        loop {
            match self.bodies.join(&ask.address) {
                Role::Follower(wait) => match land(wait, deadline).await {
                    // the flight began before this request, which has time left for another
                    Err(Trouble::Deadline) if Instant::now() < deadline => {}
                    Ok(answer) if answer.origin == Origin::Miss => {
                        return Ok(Answer { origin: Origin::Collapsed, ..answer });
                    }
                    landed => return landed,
                },
                Role::Leader(lead) => {
                    let wait = lead.follow();
                    let Ask { address, label, recipe, write_bytes, keep } = ask;
                    self.find_level(Job { lead, address, label, write_bytes, write, keep, deadline }, recipe);
                    return land(wait, deadline).await;
                }
            }
        }
    }

    /// Gives a job its level, or the duty to make it.
    fn find_level<W: Write>(self: &Arc<Self>, job: Job<W>, recipe: Recipe) {
        // looked up again, now as the only one: the last flight may have landed since the first look
        if let Some(kept) = self.cache.body(&job.address) {
            return job.lead.finish(Ok(Answer { kept, origin: Origin::Hit }));
        }
        let name = Arc::from(recipe.to_string());
        match self.levels.join(&name) {
            Role::Leader(lead) => match self.cache.level(&name) {
                Some(level) => {
                    lead.finish(Ok(Arc::clone(&level)));
                    self.submit(job, Source::Held(level, Origin::Hit));
                }
                None => self.submit(job, Source::Made(Box::new(recipe), name, lead)),
            },
            Role::Follower(wait) => {
                let inner = Arc::clone(self);
                tokio::spawn(async move {
                    match land(wait, job.deadline).await {
                        Ok(level) => {
                            // whoever made it may not have thought it worth a place
                            if job.keep != Keep::Body {
                                inner.cache.insert(&name, Entry::Level(Arc::clone(&level)));
                            }
                            inner.submit(job, Source::Held(level, Origin::Collapsed));
                        }
                        // the flight began before this job, which has time left for another
                        Err(Trouble::Deadline) if Instant::now() < job.deadline => inner.find_level(job, recipe),
                        Err(trouble) => job.lead.finish(Err(trouble)),
                    }
                });
            }
        }
    }

    /// Hands a job to the workers.
    fn submit<W: Write>(self: &Arc<Self>, job: Job<W>, source: Source) {
        let bytes = job.write_bytes + source.work_bytes();
        let place = match &source {
            // a level in hand is memory that nothing counts, and what is left to do with it is short
            Source::Held(..) => Place::First,
            Source::Made(recipe, ..) if recipe.is_slow() => Place::Slow { work: recipe.size().area() },
            Source::Made(..) => Place::Last,
        };
        let inner = Arc::clone(self);
        self.pool.submit(bytes, place, move |turn| match turn {
            Turn::Run(buffers) => inner.run(job, source, buffers),
            Turn::Refused => {
                source.fail(Trouble::Busy);
                job.lead.finish(Err(Trouble::Busy));
            }
        });
    }

    /// The job, on a worker, whether or not anybody still waits for it once it has begun.
    fn run<W: Write>(&self, job: Job<W>, source: Source, buffers: &mut Buffers) {
        let Job { lead, address, label, write, keep, deadline, .. } = job;
        let unwanted = lead.leave_if_unwanted();
        if unwanted && source.is_unwanted() {
            return;
        }
        let stop = || self.stopping.load(Ordering::Relaxed) || Instant::now() >= deadline;
        let mut work = JobContext { buffers, cancel: Cancel::when(&stop) };
        let level = self.level(source, keep, &mut work);
        if unwanted {
            // the level was for others, who have it now
            return;
        }
        let landed = level.and_then(|(level, origin)| {
            let body = write(&level, &mut work)?;
            let kept = Kept { body: self.shelf.hold(body).ok_or(Trouble::Busy)?, label };
            if keep != Keep::Level {
                self.cache.insert(&address, Entry::Body(kept.clone()));
            }
            Ok(Answer { kept, origin })
        });
        lead.finish(landed);
    }

    /// The level of a job, made where need be, and handed at once to those who wait for it.
    fn level(&self, source: Source, keep: Keep, work: &mut JobContext) -> Result<(Arc<Level>, Origin), Trouble> {
        let (recipe, name, lead) = match source {
            Source::Held(level, origin) => return Ok((level, origin)),
            Source::Made(recipe, name, lead) => (recipe, name, lead),
        };
        self.metrics.generations.inc();
        let level = Level::build(*recipe, work).map(Arc::new).map_err(Trouble::from);
        if keep != Keep::Body
            && let Ok(level) = &level
        {
            self.cache.insert(&name, Entry::Level(Arc::clone(level)));
        }
        lead.finish(level.clone());
        level.map(|level| (level, Origin::Miss))
    }
}

impl Source {
    /// Bytes that it takes to get the level.
    fn work_bytes(&self) -> u64 {
        match self {
            Self::Held(..) => 0,
            Self::Made(recipe, ..) => recipe.work_bytes(),
        }
    }

    /// Whether nobody but the job wants the level.
    fn is_unwanted(&self) -> bool {
        match self {
            Self::Held(..) => true,
            Self::Made(.., lead) => lead.leave_if_unwanted(),
        }
    }

    /// Tells those who wait for the level why there is none.
    fn fail(self, trouble: Trouble) {
        if let Self::Made(.., lead) = self {
            lead.finish(Err(trouble));
        }
    }
}

/// Waits for a flight, but not beyond the deadline.
async fn land<T: Clone>(wait: Wait<Result<T, Trouble>>, deadline: Instant) -> Result<T, Trouble> {
    match tokio::time::timeout_at(deadline.into(), wait.landed()).await {
        Ok(landed) => landed.unwrap_or(Err(Trouble::Broken)),
        Err(_) => Err(Trouble::Deadline),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::mpsc;

    use super::*;
    use crate::level::recipe;

    const LIMITS: Limits = Limits {
        cache_bytes: 64 << 20,
        workers: 2,
        work_bytes: 64 << 20,
        queue: 1,
        unread_bytes: 64 << 20,
        deadline: Duration::from_secs(20),
    };

    fn service(limits: Limits) -> Service {
        Service::new(limits, Arc::new(Metrics::new(["/maze"])))
    }

    fn recipe(seed: &str) -> Recipe {
        let pairs = [("algo", "binary_tree"), ("size", "41"), ("seed", seed)];
        Recipe::from_pairs(&pairs, recipe::Limits::of_side(4001)).unwrap()
    }

    fn ask(address: &str, seed: &str) -> Ask {
        Ask { address: Arc::from(address), label: Bytes::new(), recipe: recipe(seed), write_bytes: 0, keep: Keep::All }
    }

    fn generations(service: &Service) -> u64 {
        service.0.metrics.generations.get()
    }

    /// Waits until no job runs or waits.
    async fn idle(service: &Service) {
        while service.0.pool.running() + service.0.pool.queued() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// A writer that tells when it begins and ends when it is told to.
    #[expect(clippy::type_complexity, reason = "said once, here")]
    fn held() -> (
        impl FnOnce(&Level, &mut JobContext) -> Result<Vec<u8>, Error> + Send + 'static,
        tokio::sync::oneshot::Receiver<()>,
        mpsc::Sender<()>,
    ) {
        let (began, begins) = tokio::sync::oneshot::channel();
        let (end, ends) = mpsc::channel::<()>();
        let write = move |_: &Level, _: &mut JobContext| {
            let _ = began.send(());
            let _ = ends.recv();
            Ok(b"body".to_vec())
        };
        (write, begins, end)
    }

    #[tokio::test]
    async fn a_level_serves_every_body_and_a_body_every_request() {
        let service = service(LIMITS);
        let get = |address: &'static str| service.answer(ask(address, "7"), |level, _| Ok(vec![0; level.bytes()]));
        assert_eq!(get("/a").await.unwrap().origin, Origin::Miss);
        assert_eq!(get("/a").await.unwrap().origin, Origin::Hit);
        assert_eq!(get("/b").await.unwrap().origin, Origin::Hit, "the level is there, no generation runs");
        assert_eq!(generations(&service), 1);
    }

    #[tokio::test]
    async fn the_first_caller_may_leave_and_the_others_get_the_one_body() {
        let service = service(LIMITS);
        let (write, begins, end) = held();
        let first = tokio::spawn({
            let service = service.clone();
            async move { service.answer(ask("/a", "7"), write).await }
        });
        begins.await.unwrap();
        first.abort();
        let follower = tokio::spawn({
            let service = service.clone();
            async move { service.answer(ask("/a", "7"), |_, _| panic!("made twice")).await }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        drop(end);
        let answer = follower.await.unwrap().unwrap();
        assert_eq!((&answer.kept.body[..], answer.origin), (&b"body"[..], Origin::Collapsed));
        assert_eq!(generations(&service), 1);
    }

    #[tokio::test]
    async fn different_bodies_of_one_level_run_one_generation() {
        let service = service(Limits { queue: 100, ..LIMITS });
        let asks = (0..100).map(|i| {
            let service = service.clone();
            tokio::spawn(async move { service.answer(ask(&format!("/{i}"), "7"), |_, _| Ok(vec![1])).await.unwrap() })
        });
        for ask in asks.collect::<Vec<_>>() {
            ask.await.unwrap();
        }
        assert_eq!(generations(&service), 1);
    }

    #[tokio::test]
    async fn a_broken_job_breaks_only_its_own_request() {
        let service = service(LIMITS);
        let broken = service.answer(ask("/a", "7"), |_, _| panic!("broken on purpose")).await;
        assert_eq!(broken.unwrap_err(), Trouble::Broken);
        assert!(service.answer(ask("/a", "7"), |_, _| Ok(vec![])).await.is_ok());
        idle(&service).await;
    }

    #[tokio::test]
    async fn a_refusal_is_not_kept() {
        let service = service(LIMITS);
        let refusal = Error::TooLarge(ParameterError::new("grid", "too large"));
        let refused = service
            .answer(ask("/a", "7"), {
                let refusal = refusal.clone();
                |_, _| Err(refusal)
            })
            .await;
        assert_eq!(refused.unwrap_err(), refusal.into());
        assert!(service.answer(ask("/a", "7"), |_, _| Ok(vec![])).await.is_ok());
    }

    #[tokio::test]
    async fn past_the_queue_requests_are_refused_at_once() {
        let service = service(LIMITS);
        let mut held_jobs = vec![];
        for i in 0..3 {
            let (write, begins, end) = held();
            let service = service.clone();
            let ask = async move { service.answer(ask(&format!("/{i}"), &i.to_string()), write).await };
            held_jobs.push((tokio::spawn(ask), end));
            if i < 2 {
                begins.await.unwrap();
            } else {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        service.measure();
        assert_eq!((service.0.metrics.jobs_running.get(), service.0.metrics.jobs_queued.get()), (2, 1));
        let refused = service.answer(ask("/more", "7"), |_, _| Ok(vec![])).await;
        assert_eq!(refused.unwrap_err(), Trouble::Busy);
        assert_eq!(service.0.metrics.shed.get(), 1);
        for (ask, end) in held_jobs {
            drop(end);
            assert!(ask.await.unwrap().is_ok());
        }
    }

    #[tokio::test]
    async fn many_timeouts_in_a_row_never_run_more_jobs_than_workers() {
        let service = service(Limits { deadline: Duration::from_millis(50), queue: 100, ..LIMITS });
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let asks = (0..8).map(|i| {
            let (service, running, most) = (service.clone(), Arc::clone(&running), Arc::clone(&most));
            tokio::spawn(async move {
                let write = move |_: &Level, _: &mut JobContext| {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    // a job that reads no stop flag: it outlives its request
                    std::thread::sleep(Duration::from_millis(120));
                    running.fetch_sub(1, Ordering::SeqCst);
                    Ok(vec![])
                };
                service.answer(ask(&format!("/{i}"), &i.to_string()), write).await
            })
        });
        for ask in asks.collect::<Vec<_>>() {
            assert_eq!(ask.await.unwrap().unwrap_err(), Trouble::Deadline);
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_job_that_reads_its_halt_ends_at_the_deadline_and_at_a_stop() {
        let endless = |_: &Level, work: &mut JobContext| loop {
            work.cancel.check()?;
            std::thread::yield_now();
        };
        let hasty = service(Limits { deadline: Duration::from_millis(50), ..LIMITS });
        assert_eq!(hasty.answer(ask("/a", "7"), endless).await.unwrap_err(), Trouble::Deadline);
        let stopped = service(LIMITS);
        let ask = tokio::spawn({
            let stopped = stopped.clone();
            async move { stopped.answer(ask("/a", "7"), endless).await }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        stopped.stop();
        assert_eq!(ask.await.unwrap().unwrap_err(), Trouble::Deadline);
    }

    #[tokio::test]
    async fn a_follower_with_time_left_outlives_the_flight_that_it_joined() {
        let service = service(Limits { deadline: Duration::from_millis(400), ..LIMITS });
        let endless = |_: &Level, work: &mut JobContext| loop {
            work.cancel.check()?;
            std::thread::yield_now();
        };
        let first = tokio::spawn({
            let service = service.clone();
            async move { service.answer(ask("/a", "7"), endless).await }
        });
        tokio::time::sleep(Duration::from_millis(200)).await;
        let second = service.answer(ask("/a", "7"), |_, _| Ok(vec![1])).await;
        assert_eq!(first.await.unwrap().unwrap_err(), Trouble::Deadline);
        assert_eq!(second.unwrap().kept.body, vec![1]);
    }

    #[tokio::test]
    async fn whoever_joins_a_level_that_comes_too_late_still_has_his_own_time() {
        let deadline = Duration::from_millis(300);
        let service = service(Limits { deadline, queue: 9, ..LIMITS });
        let large = [("algo", "prim"), ("size", "16001"), ("seed", "7")];
        let recipe = Recipe::from_pairs(&large, recipe::Limits::of_side(16_001)).unwrap();
        let get = |address: &str| {
            let (service, ask) = (service.clone(), Ask { recipe: recipe.clone(), ..ask(address, "7") });
            tokio::spawn(async move { service.answer(ask, |_, _| Ok(vec![])).await.map(drop) })
        };
        let first = get("/a");
        tokio::time::sleep(deadline * 2 / 3).await;
        let begun = Instant::now();
        assert_eq!(get("/b").await.unwrap(), Err(Trouble::Deadline));
        assert!(begun.elapsed() >= deadline);
        assert_eq!(first.await.unwrap(), Err(Trouble::Deadline));
        assert_eq!(generations(&service), 2);
    }

    #[tokio::test]
    async fn a_job_that_nobody_waits_for_any_more_does_not_start() {
        let service = service(Limits { workers: 1, ..LIMITS });
        let (write, begins, end) = held();
        let busy = tokio::spawn({
            let service = service.clone();
            async move { service.answer(ask("/busy", "7"), write).await }
        });
        begins.await.unwrap();
        let left = tokio::spawn({
            let service = service.clone();
            async move { service.answer(ask("/left", "8"), |_, _| panic!("nobody wants it")).await }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        left.abort();
        let _ = left.await;
        drop(end);
        busy.await.unwrap().unwrap();
        idle(&service).await;
        assert!(service.answer(ask("/left", "8"), |_, _| Ok(vec![])).await.is_ok());
        assert_eq!(generations(&service), 2);
    }

    #[tokio::test]
    async fn answers_that_nobody_reads_hold_no_more_than_their_budget() {
        let service = service(Limits { cache_bytes: 1 << 20, unread_bytes: 2 << 20, ..LIMITS });
        let mut unread = vec![];
        let refused = loop {
            let address = format!("/{}", unread.len());
            match service.answer(ask(&address, "7"), |_, _| Ok(vec![0; 900_000])).await {
                Ok(answer) => unread.push(answer.kept.body),
                Err(trouble) => break trouble,
            }
        };
        assert_eq!((refused, unread.len()), (Trouble::Busy, 3));
        unread.clear();
        assert!(service.answer(ask("/more", "7"), |_, _| Ok(vec![0; 900_000])).await.is_ok());
    }
}
