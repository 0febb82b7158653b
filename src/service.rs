//! From a recipe to bytes that many may share: cache, single flight, admission, and the pool that does the work.
//!
//! One way through: [`Service::answer`] looks for the finished body in the cache, else joins the flight that is making it,
//! else starts one. The flight looks for the level, joins the flight of the level or makes it, and writes the body, on a
//! blocking thread that admission has let in. Nothing here knows HTTP, nor what a body looks like: the caller brings the
//! address that names the body and the function that writes it.

mod admission;
mod cache;
mod flight;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;

use crate::level::recipe::Recipe;
use crate::level::work::{Halt, Scratch, Work};
use crate::level::{self, Level};
use crate::render;
use crate::telemetry::Metrics;
use admission::{Admission, Permit};
use cache::{Cache, Entry};
use flight::{Flights, Lead, Role};

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
    /// How long a request, and a job, may take.
    pub deadline: Duration,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The recipe names no level.
    Level(level::Refusal),
    /// The body cannot be written.
    Body(render::Refusal),
    /// Too many jobs wait already.
    Busy,
    /// It took too long.
    Deadline,
    /// The service is shutting down.
    Stopping,
    /// A job broke; its cause is in the log.
    Broken,
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
    /// The body; a clone shares its bytes.
    pub body: Bytes,
    /// How it came about.
    pub origin: Origin,
}

/// What a flight of bodies brings to all who wait for it.
type Landed = Result<Answer, Trouble>;

/// Makes levels and bodies, each once; a clone is the same service.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    cache: Cache,
    bodies: Flights<Landed>,
    levels: Flights<Result<Arc<Level>, Trouble>>,
    admission: Admission,
    /// Buffers that no job uses at the moment.
    scratch: Mutex<Vec<Scratch>>,
    deadline: Duration,
    stopping: AtomicBool,
    metrics: Arc<Metrics>,
}

/// A scratch that grew beyond this goes back to the system after its job.
const KEPT_SCRATCH_BYTES: usize = 8 << 20;

impl Service {
    /// A service with an empty cache.
    pub fn new(limits: Limits, metrics: Arc<Metrics>) -> Self {
        Self(Arc::new(Inner {
            cache: Cache::new(limits.cache_bytes),
            bodies: Flights::default(),
            levels: Flights::default(),
            admission: Admission::new(limits.workers, limits.queue, limits.work_bytes),
            scratch: Mutex::default(),
            deadline: limits.deadline,
            stopping: AtomicBool::new(false),
            metrics,
        }))
    }

    /// The body that `address` names, from the cache, or made from the level of `recipe` by `write`, which holds
    /// `body_bytes` or so while it works. An address names one recipe and one way to write it, for ever.
    ///
    /// # Errors
    /// Where there is no such level or body, or no room or time to make it.
    pub async fn answer<W>(&self, address: &str, recipe: Recipe, body_bytes: u64, write: W) -> Result<Answer, Trouble>
    where
        W: FnOnce(&Level, &mut Work) -> Result<Vec<u8>, render::Refusal> + Send + 'static,
    {
        let answer = match self.0.cache.body(address) {
            Some(body) => Ok(Answer { body, origin: Origin::Hit }),
            None => self.0.fetch(address, recipe, body_bytes, write).await,
        };
        let metrics = &self.0.metrics;
        match &answer {
            Ok(Answer { origin: Origin::Hit, .. }) => metrics.cache_hits.inc(),
            Ok(Answer { origin: Origin::Miss, .. }) => metrics.cache_misses.inc(),
            Ok(Answer { origin: Origin::Collapsed, .. }) => metrics.cache_collapsed.inc(),
            Err(Trouble::Busy) => metrics.shed.inc(),
            Err(_) => 0,
        };
        answer
    }

    /// Tells running jobs to end, and refuses new ones.
    pub fn stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
    }

    /// Brings the gauges of cache and jobs up to date.
    pub fn measure(&self) {
        let Inner { cache, admission, metrics, .. } = &*self.0;
        metrics.cache_entries.set(cache.entries().cast_signed());
        metrics.cache_bytes.set(cache.bytes().cast_signed());
        metrics.jobs_running.set(admission.running());
        metrics.jobs_queued.set(admission.queued());
    }
}

/// Where a job gets its level from.
enum Source {
    /// It is there.
    Held(Arc<Level>),
    /// The job makes it, for itself and for those who wait for it.
    Made(Recipe, Arc<str>, Lead<Result<Arc<Level>, Trouble>>),
}

impl Inner {
    /// Joins the flight that makes a body, or starts it.
    async fn fetch<W>(self: &Arc<Self>, address: &str, recipe: Recipe, body_bytes: u64, write: W) -> Landed
    where
        W: FnOnce(&Level, &mut Work) -> Result<Vec<u8>, render::Refusal> + Send + 'static,
    {
        let address = Arc::from(address);
        let (wait, leads) = match self.bodies.join(&address) {
            Role::Follower(wait) => (wait, false),
            Role::Leader(lead) => {
                let wait = lead.follow();
                let inner = Arc::clone(self);
                // a task of its own: whoever asked first may leave, the flight goes on for the others
                tokio::spawn(async move {
                    let landed = inner.make(&address, recipe, body_bytes, write).await;
                    lead.finish(landed);
                });
                (wait, true)
            }
        };
        let landed = tokio::time::timeout(self.deadline, wait.landed()).await.map_err(|_| Trouble::Deadline)?;
        let mut answer = landed.unwrap_or(Err(Trouble::Broken))?;
        if answer.origin == Origin::Miss && !leads {
            answer.origin = Origin::Collapsed;
        }
        Ok(answer)
    }

    /// Makes a body, and its level where that is neither in the cache nor under way.
    async fn make<W>(self: &Arc<Self>, address: &Arc<str>, recipe: Recipe, body_bytes: u64, write: W) -> Landed
    where
        W: FnOnce(&Level, &mut Work) -> Result<Vec<u8>, render::Refusal> + Send + 'static,
    {
        let deadline = Instant::now() + self.deadline;
        // looked up again, now as the only one: the last flight may have landed since the first look
        if let Some(body) = self.cache.body(address) {
            return Ok(Answer { body, origin: Origin::Hit });
        }
        let name = Arc::from(recipe.to_string());
        let (permit, source, origin) = match self.levels.join(&name) {
            Role::Follower(wait) => {
                let level = wait.landed().await.unwrap_or(Err(Trouble::Broken))?;
                (self.admission.admit(body_bytes, deadline).await?, Source::Held(level), Origin::Collapsed)
            }
            Role::Leader(lead) => {
                if let Some(level) = self.cache.level(&name) {
                    lead.finish(Ok(Arc::clone(&level)));
                    (self.admission.admit(body_bytes, deadline).await?, Source::Held(level), Origin::Hit)
                } else {
                    match self.admission.admit(recipe.work_bytes() + body_bytes, deadline).await {
                        Ok(permit) => (permit, Source::Made(recipe, name, lead), Origin::Miss),
                        Err(trouble) => {
                            lead.finish(Err(trouble.clone()));
                            return Err(trouble);
                        }
                    }
                }
            }
        };
        let (inner, address) = (Arc::clone(self), Arc::clone(address));
        let job = tokio::task::spawn_blocking(move || inner.run(permit, source, &address, write, deadline));
        let body = job.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a job broke");
            Err(Trouble::Broken)
        })?;
        Ok(Answer { body, origin })
    }

    /// The job, on a blocking thread. It holds its permit to the end, whether or not anybody still waits for it.
    fn run<W>(
        &self,
        _permit: Permit,
        source: Source,
        address: &Arc<str>,
        write: W,
        deadline: Instant,
    ) -> Result<Bytes, Trouble>
    where
        W: FnOnce(&Level, &mut Work) -> Result<Vec<u8>, render::Refusal>,
    {
        let stop = || self.stopping.load(Ordering::Relaxed) || Instant::now() >= deadline;
        let mut scratch = self.pool().pop().unwrap_or_default();
        let mut work = Work { scratch: &mut scratch, halt: Halt::when(&stop) };
        let body = self.level(source, &mut work).and_then(|level| {
            write(&level, &mut work).map(Bytes::from).map_err(|refusal| match refusal {
                render::Refusal::Stopped => self.stopped(),
                refusal @ render::Refusal::TooLarge(_) => Trouble::Body(refusal),
            })
        });
        if scratch.bytes() <= KEPT_SCRATCH_BYTES {
            self.pool().push(scratch);
        }
        if let Ok(body) = &body {
            self.cache.insert(address, Entry::Body(body.clone()));
        }
        body
    }

    /// The level of a job, made where need be, and handed at once to those who wait for it.
    fn level(&self, source: Source, work: &mut Work) -> Result<Arc<Level>, Trouble> {
        let (recipe, name, lead) = match source {
            Source::Held(level) => return Ok(level),
            Source::Made(recipe, name, lead) => (recipe, name, lead),
        };
        self.metrics.generations.inc();
        let level = Level::build(recipe, work).map(Arc::new).map_err(|refusal| match refusal {
            level::Refusal::Stopped => self.stopped(),
            refusal => Trouble::Level(refusal),
        });
        if let Ok(level) = &level {
            self.cache.insert(&name, Entry::Level(Arc::clone(level)));
        }
        lead.finish(level.clone());
        level
    }

    /// Why a job was told to stop.
    fn stopped(&self) -> Trouble {
        if self.stopping.load(Ordering::Relaxed) { Trouble::Stopping } else { Trouble::Deadline }
    }

    fn pool(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
