//! Tests of the service with jobs that the test holds up, breaks and abandons.

use std::sync::atomic::AtomicUsize;
use std::sync::mpsc;
use std::time::Duration;

use tokio::time::timeout;

use super::*;
use crate::level::error::ParameterError;
use crate::level::recipe::{self, Recipe};
use crate::level::{self, Level};

mod joining;
mod responses;

const LIMITS: Limits =
    Limits { cache_bytes: 64 << 20, workers: 2, work_bytes: 64 << 20, queue: 1, unread_bytes: 64 << 20 };

/// Longer than any test takes.
const TIMEOUT: Duration = Duration::from_secs(20);

fn service(limits: Limits) -> Service {
    Service::new(limits, Arc::new(Metrics::new(["/maze"])))
}

fn recipe(seed: &str) -> Recipe {
    let pairs = [("algo", "binary_tree"), ("size", "41"), ("seed", seed)];
    Recipe::from_pairs(&pairs, recipe::Limits::of_side(4001)).unwrap()
}

/// A job under this key about the level of this seed.
fn job<F>(key: &str, seed: &str, run: F) -> Job<Recipe, F>
where
    F: FnOnce(&Arc<Level>, &mut JobContext, Reservation) -> Result<Vec<u8>, Error> + Send + 'static,
{
    let key = Some(Key::copy_from_slice(key.as_bytes()));
    Job {
        key,
        source: recipe(seed),
        source_price: Price::default(),
        price: Price::default(),
        response: 0..0,
        deadline: Instant::now() + TIMEOUT,
        run,
    }
}

/// The function of a job that must not run.
fn must_not_run(_: &Arc<Level>, _: &mut JobContext, _: Reservation) -> Result<Vec<u8>, Error> {
    panic!("the job ran")
}

/// The function of a job that runs until it is cancelled.
fn endless(_: &Arc<Level>, context: &mut JobContext, _: Reservation) -> Result<Vec<u8>, Error> {
    loop {
        context.cancel.check().map_err(level::error::Error::from)?;
        std::thread::yield_now();
    }
}

/// The limit that a refused job met.
fn limit_of(error: &Error) -> Option<Overload> {
    if let Error::Busy(busy) = error { Some(busy.limit) } else { None }
}

fn levels_made(service: &Service) -> u64 {
    service.0.metrics.generations(Generation::Made)
}

/// Waits until no job runs or waits.
async fn idle(service: &Service) {
    let begun = Instant::now();
    while service.0.pool.load().running + service.0.pool.load().waiting > 0 {
        assert!(begun.elapsed() < TIMEOUT, "a job does not end");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// A function of a job, a receiver that gets a message when it begins, and a sender: dropping it ends the function.
#[expect(clippy::type_complexity, reason = "this type is used only here")]
fn held() -> (
    impl FnOnce(&Arc<Level>, &mut JobContext, Reservation) -> Result<Vec<u8>, Error> + Send + 'static,
    tokio::sync::oneshot::Receiver<()>,
    mpsc::Sender<()>,
) {
    let (began, begins) = tokio::sync::oneshot::channel();
    let (end, ends) = mpsc::channel::<()>();
    let run = move |_: &Arc<Level>, _: &mut JobContext, _: Reservation| {
        let _ = began.send(());
        let _ = ends.recv_timeout(TIMEOUT);
        Ok(b"body".to_vec())
    };
    (run, begins, end)
}

/// Runs a job in a task of its own.
fn spawn<F>(service: &Service, job: Job<Recipe, F>) -> tokio::task::JoinHandle<Result<Outcome<Vec<u8>>, Error>>
where
    F: FnOnce(&Arc<Level>, &mut JobContext, Reservation) -> Result<Vec<u8>, Error> + Send + 'static,
{
    let service = service.clone();
    tokio::spawn(async move { service.run(job).await })
}

#[tokio::test]
async fn a_level_serves_every_job_and_a_value_every_caller() {
    let service = service(LIMITS);
    let run = |key: &'static str| service.run(job(key, "7", |level, _, _| Ok(vec![0; level.bytes()])));
    assert_eq!(run("/a").await.unwrap().status, CacheStatus::Miss);
    assert_eq!(run("/a").await.unwrap().status, CacheStatus::Hit);
    assert_eq!(run("/b").await.unwrap().status, CacheStatus::Hit, "the level is there, none is made");
    assert_eq!(levels_made(&service), 1);
    assert!(service.get::<Vec<u8>>(b"/a", |_| true).is_some());
}

#[tokio::test]
async fn the_first_caller_may_leave_and_the_others_get_the_one_value() {
    let service = service(LIMITS);
    let (run, begins, end) = held();
    let first = spawn(&service, job("/a", "7", run));
    timeout(TIMEOUT, begins).await.unwrap().unwrap();
    first.abort();
    let follower = spawn(&service, job("/a", "7", must_not_run));
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(end);
    let outcome = follower.await.unwrap().unwrap();
    assert_eq!((&outcome.value[..], outcome.status), (&b"body"[..], CacheStatus::Collapsed));
    assert_eq!(levels_made(&service), 1);
}

#[tokio::test]
async fn different_values_of_one_level_make_it_once() {
    let service = service(Limits { queue: 100, ..LIMITS });
    let tasks: Vec<_> = (0..100).map(|i| spawn(&service, job(&format!("/{i}"), "7", |_, _, _| Ok(vec![1])))).collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(levels_made(&service), 1);
}

#[tokio::test]
async fn a_job_without_a_key_runs_for_its_caller_alone_and_is_not_kept() {
    let service = service(LIMITS);
    for value in 0..2 {
        let job = Job { key: None, ..job("", "7", move |_, _, _| Ok(vec![value])) };
        assert_eq!(*service.run(job).await.unwrap().value, [value]);
    }
    assert_eq!(levels_made(&service), 1, "its level is kept");
    service.measure();
    assert_eq!(service.0.metrics.cache_entries.get(), 1);
}

#[tokio::test]
async fn the_cached_output_of_a_source_needs_no_worker() {
    let service = service(Limits { workers: 1, queue: 0, ..LIMITS });
    let deadline = Instant::now() + TIMEOUT;
    assert_eq!(service.make(recipe("7"), Price::default(), deadline).await.unwrap().status, CacheStatus::Miss);
    idle(&service).await;
    let (run, begins, end) = held();
    let busy = spawn(&service, job("/busy", "1", run));
    timeout(TIMEOUT, begins).await.unwrap().unwrap();
    assert_eq!(service.make(recipe("7"), Price::default(), deadline).await.unwrap().status, CacheStatus::Hit);
    assert_eq!(
        limit_of(&service.make(recipe("8"), Price::default(), deadline).await.unwrap_err()),
        Some(Overload::Queue)
    );
    drop(end);
    busy.await.unwrap().unwrap();
    assert_eq!(levels_made(&service), 2);
}

#[tokio::test]
async fn a_source_that_no_caller_waits_for_is_not_made() {
    let service = service(Limits { workers: 1, ..LIMITS });
    let (run, begins, end) = held();
    let busy = spawn(&service, job("/busy", "1", run));
    timeout(TIMEOUT, begins).await.unwrap().unwrap();
    let left = tokio::spawn({
        let service = service.clone();
        async move { service.make(recipe("7"), Price::default(), Instant::now() + TIMEOUT).await.map(|_| ()) }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    left.abort();
    let _ = left.await;
    drop(end);
    busy.await.unwrap().unwrap();
    idle(&service).await;
    assert_eq!(levels_made(&service), 1);
}

#[tokio::test]
async fn a_job_that_panics_breaks_only_its_own_request() {
    let service = service(LIMITS);
    let broken = service.run(job("/a", "7", |_, _, _| panic!("broken on purpose"))).await;
    assert_eq!(broken.unwrap_err(), Error::Broken);
    assert!(service.run(job("/a", "7", |_, _, _| Ok(vec![]))).await.is_ok());
    idle(&service).await;
}

#[tokio::test]
async fn an_error_is_not_kept() {
    let service = service(LIMITS);
    let error = Error::Level(level::error::Error::TooLarge(ParameterError::new("grid", "too large")));
    let failed = service
        .run(job("/a", "7", {
            let error = error.clone();
            move |_, _, _| Err(error)
        }))
        .await;
    assert_eq!(failed.unwrap_err(), error);
    assert!(service.run(job("/a", "7", |_, _, _| Ok(vec![]))).await.is_ok());
}

#[tokio::test]
async fn past_the_queue_jobs_are_refused_at_once() {
    let service = service(LIMITS);
    let mut held_jobs = vec![];
    for i in 0..3 {
        let (run, begins, end) = held();
        held_jobs.push((spawn(&service, job(&format!("/{i}"), &i.to_string(), run)), end));
        if i < 2 {
            timeout(TIMEOUT, begins).await.unwrap().unwrap();
        } else {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    service.measure();
    assert_eq!((service.0.metrics.jobs_running.get(), service.0.metrics.jobs_queued.get()), (2, 1));
    let refused = service.run(job("/more", "7", |_, _, _| Ok(vec![]))).await;
    assert_eq!(limit_of(&refused.unwrap_err()), Some(Overload::Queue));
    for (task, end) in held_jobs {
        drop(end);
        assert!(task.await.unwrap().is_ok());
    }
}

#[tokio::test]
async fn a_job_waits_only_for_jobs_of_its_own_class() {
    let service = service(Limits { workers: 1, queue: 0, ..LIMITS });
    let medium = Price { bytes: 0, nanos: 2_000_000 };
    let large = Price { bytes: 0, nanos: 200_000_000 };
    let mut held_jobs = vec![];
    for (i, price) in [Price::default(), medium, large].into_iter().enumerate() {
        let (run, begins, end) = held();
        held_jobs.push((spawn(&service, Job { price, ..job(&format!("/{i}"), &i.to_string(), run) }), end));
        timeout(TIMEOUT, begins).await.unwrap().unwrap();
        let more = Job { price, ..job("/more", "7", must_not_run) };
        assert_eq!(limit_of(&service.run(more).await.unwrap_err()), Some(Overload::Queue), "{price:?}");
        let source = service.make(recipe("7"), price, Instant::now() + TIMEOUT).await;
        assert_eq!(limit_of(&source.unwrap_err()), Some(Overload::Queue), "{price:?}");
    }
    for (task, end) in held_jobs {
        drop(end);
        assert!(task.await.unwrap().is_ok());
    }
}

#[tokio::test]
async fn the_price_of_a_job_is_that_of_its_source_and_its_own() {
    let service = service(Limits { workers: 1, queue: 0, ..LIMITS });
    let nearly = Price { bytes: 0, nanos: 600_000 };
    let (run, begins, end) = held();
    let first = spawn(&service, Job { price: nearly, source_price: nearly, ..job("/a", "1", run) });
    timeout(TIMEOUT, begins).await.unwrap().unwrap();
    let same = Job { price: nearly, source_price: nearly, ..job("/b", "2", must_not_run) };
    assert_eq!(limit_of(&service.run(same).await.unwrap_err()), Some(Overload::Queue));
    // the source of this one is in the cache, so only its own price counts
    let ready = Job { price: nearly, source_price: nearly, ..job("/c", "1", |_, _, _| Ok(vec![])) };
    assert_eq!(service.run(ready).await.unwrap().status, CacheStatus::Hit);
    drop(end);
    first.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_job_above_the_memory_of_all_classes_is_refused_for_good() {
    let service = service(LIMITS);
    let bytes = LIMITS.work_bytes / 4 * 3;
    let fits = Price { bytes, nanos: 0 };
    let one_more = Price { bytes: 1, nanos: 0 };
    assert!(service.run(Job { price: fits, ..job("/a", "1", |_, _, _| Ok(vec![])) }).await.is_ok());
    let refused = service.run(Job { source_price: one_more, price: fits, ..job("/b", "1", must_not_run) }).await;
    let Err(Error::Level(level::error::Error::Unbuildable(errors))) = refused else { panic!("{refused:?}") };
    assert_eq!(errors[0].parameter, "size");
    assert!(errors[0].message.contains("49 MiB of memory with this query, where 48 MiB"), "{}", errors[0].message);
    let refused = service.make(recipe("2"), fits + one_more, Instant::now() + TIMEOUT).await;
    assert!(matches!(refused, Err(Error::Level(_))));
    assert_eq!(levels_made(&service), 1);
}

#[tokio::test]
async fn many_timeouts_in_a_row_never_run_more_jobs_than_workers() {
    let service = service(Limits { queue: 100, ..LIMITS });
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let deadline = Instant::now() + Duration::from_millis(50);
    let tasks = (0..8).map(|i| {
        let (running, most) = (Arc::clone(&running), Arc::clone(&most));
        let run = move |_: &Arc<Level>, _: &mut JobContext, _: Reservation| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // this job does not check whether it is cancelled, so it outlives its request
            std::thread::sleep(Duration::from_millis(120));
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(vec![])
        };
        spawn(&service, Job { deadline, ..job(&format!("/{i}"), &i.to_string(), run) })
    });
    for task in tasks.collect::<Vec<_>>() {
        assert_eq!(task.await.unwrap().unwrap_err(), Error::Deadline);
    }
    idle(&service).await;
    assert_eq!(most.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_job_that_checks_whether_it_is_cancelled_ends_at_the_deadline_and_at_a_stop() {
    let service = service(LIMITS);
    let hasty = Job { deadline: Instant::now() + Duration::from_millis(50), ..job("/a", "7", endless) };
    assert_eq!(service.run(hasty).await.unwrap_err(), Error::Deadline);
    idle(&service).await;
    let task = spawn(&service, job("/a", "7", endless));
    tokio::time::sleep(Duration::from_millis(50)).await;
    let begun = Instant::now();
    service.stop();
    assert_eq!(task.await.unwrap().unwrap_err(), Error::Deadline);
    assert!(begun.elapsed() < TIMEOUT / 2, "the stop ended it, not its own deadline");
}

#[tokio::test]
async fn a_follower_with_time_left_outlives_the_leader_that_it_joined() {
    let service = service(LIMITS);
    let until = |millis| Instant::now() + Duration::from_millis(millis);
    let first = spawn(&service, Job { deadline: until(300), ..job("/a", "7", endless) });
    tokio::time::sleep(Duration::from_millis(100)).await;
    let second = service.run(job("/a", "7", |_, _, _| Ok(vec![1]))).await;
    assert_eq!(first.await.unwrap().unwrap_err(), Error::Deadline);
    assert_eq!(*second.unwrap().value, [1]);
}

#[tokio::test]
async fn a_job_that_no_caller_waits_for_does_not_begin() {
    let service = service(Limits { workers: 1, ..LIMITS });
    let (run, begins, end) = held();
    let busy = spawn(&service, job("/busy", "7", run));
    timeout(TIMEOUT, begins).await.unwrap().unwrap();
    let left = spawn(&service, job("/left", "8", must_not_run));
    tokio::time::sleep(Duration::from_millis(50)).await;
    left.abort();
    let _ = left.await;
    drop(end);
    busy.await.unwrap().unwrap();
    idle(&service).await;
    assert_eq!(levels_made(&service), 1, "nor is its level made");
    assert!(service.run(job("/left", "8", |_, _, _| Ok(vec![]))).await.is_ok());
    assert_eq!(levels_made(&service), 2);
}
