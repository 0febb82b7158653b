//! Tests of callers that join a leader: they share its result, and each keeps its own deadline.

use super::*;

/// A source that counts how often it is made.
struct Counted {
    key: Key,
    made: Arc<AtomicUsize>,
    /// Whether making it ends only when it is cancelled.
    is_endless: bool,
}

impl Source for Counted {
    type Output = Vec<u8>;

    fn key(&self) -> Key {
        self.key.clone()
    }

    fn algorithm(&self) -> &'static str {
        "none"
    }

    fn too_large(&self, _: u64, _: u64) -> ParameterError {
        ParameterError::new("source", "is too large")
    }

    fn levels(_: &Vec<u8>) -> Levels {
        Levels { made: 1, refused: 0 }
    }

    fn build(self, context: &mut JobContext) -> Result<Vec<u8>, level::error::Error> {
        self.made.fetch_add(1, Ordering::SeqCst);
        if !self.is_endless {
            return Ok(vec![]);
        }
        loop {
            context.cancel.check()?;
            std::thread::yield_now();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_made_twice_however_callers_meet() {
    // many rounds: if a caller looked into the cache before it leads, the last leader would put its value there in
    // between only in some rounds
    let service = service(Limits { queue: 1_000, ..LIMITS });
    for round in 0..3_000 {
        let (sources, values) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let callers: Vec<_> = (0..8)
            .map(|caller| {
                let (service, values) = (service.clone(), Arc::clone(&values));
                let source =
                    Counted { key: format!("source {round}").into(), made: Arc::clone(&sources), is_endless: false };
                // two values with four callers each, all from one source
                let key = Some(Key::from(format!("value {round} {}", caller % 2)));
                let run = move |_: &Arc<Vec<u8>>, _: &mut JobContext, _: Reservation| {
                    values.fetch_add(1, Ordering::SeqCst);
                    Ok::<Vec<u8>, Error>(vec![])
                };
                let deadline = Instant::now() + TIMEOUT;
                tokio::spawn(async move {
                    // the callers do not come at exactly the same time
                    for _ in 0..caller * round % 50 {
                        tokio::task::yield_now().await;
                    }
                    service
                        .run(Job {
                            key,
                            source,
                            source_price: Price::default(),
                            price: Price::default(),
                            response: 0..0,
                            deadline,
                            run,
                        })
                        .await
                })
            })
            .collect();
        for caller in callers {
            caller.await.unwrap().unwrap();
        }
        let made = (sources.load(Ordering::SeqCst), values.load(Ordering::SeqCst));
        assert_eq!(made, (1, 2), "round {round}: one source, two values");
    }
}

#[tokio::test]
async fn callers_join_a_source_that_is_being_made_already() {
    let service = service(Limits { workers: 2, queue: 9, ..LIMITS });
    let made = Arc::new(AtomicUsize::new(0));
    let until = |millis| Instant::now() + Duration::from_millis(millis);
    let run = |key: &'static str, deadline| {
        let source = Counted { key: "source".into(), made: Arc::clone(&made), is_endless: true };
        let run = |_: &Arc<Vec<u8>>, _: &mut JobContext, _: Reservation| Ok::<Vec<u8>, Error>(vec![]);
        let job = Job {
            key: Some(Key::from(key)),
            source,
            source_price: Price::default(),
            price: Price::default(),
            response: 0..0,
            deadline,
            run,
        };
        let service = service.clone();
        tokio::spawn(async move { service.run(job).await })
    };
    let first = run("/a", Instant::now() + TIMEOUT);
    let begun = Instant::now();
    while made.load(Ordering::SeqCst) == 0 {
        assert!(begun.elapsed() < TIMEOUT, "the source is not begun");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // a worker is free, but the other worker makes the source already
    assert_eq!(run("/b", until(50)).await.unwrap().unwrap_err(), Error::Deadline);
    assert_eq!(made.load(Ordering::SeqCst), 1);
    service.stop();
    assert_eq!(first.await.unwrap().unwrap_err(), Error::Deadline);
}

#[tokio::test]
async fn a_follower_of_a_source_that_comes_too_late_still_has_its_own_time() {
    let time = Duration::from_millis(300);
    let service = service(Limits { queue: 9, ..LIMITS });
    let made = Arc::new(AtomicUsize::new(0));
    let run = |key: &'static str| {
        let source = Counted { key: "source".into(), made: Arc::clone(&made), is_endless: true };
        let run = |_: &Arc<Vec<u8>>, _: &mut JobContext, _: Reservation| Ok::<Vec<u8>, Error>(vec![]);
        let key = Some(Key::from(key));
        let job = Job {
            key,
            source,
            source_price: Price::default(),
            price: Price::default(),
            response: 0..0,
            deadline: Instant::now() + time,
            run,
        };
        let service = service.clone();
        tokio::spawn(async move { service.run(job).await })
    };
    let first = run("/a");
    tokio::time::sleep(time * 2 / 3).await;
    let begun = Instant::now();
    assert_eq!(run("/b").await.unwrap().unwrap_err(), Error::Deadline);
    assert!(begun.elapsed() >= time);
    assert_eq!(first.await.unwrap().unwrap_err(), Error::Deadline);
    assert_eq!(made.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_source_is_made_for_its_followers_although_its_own_job_is_abandoned() {
    let service = service(Limits { workers: 1, queue: 9, ..LIMITS });
    let (run, begins, end) = held();
    let busy = spawn(&service, job("/busy", "1", run));
    begins.await.unwrap();
    let left = spawn(&service, job("/left", "7", must_not_run));
    tokio::time::sleep(Duration::from_millis(50)).await;
    let follower = spawn(&service, job("/b", "7", |_, _, _| Ok(vec![1])));
    tokio::time::sleep(Duration::from_millis(50)).await;
    left.abort();
    let _ = left.await;
    drop(end);
    busy.await.unwrap().unwrap();
    let outcome = follower.await.unwrap().unwrap();
    assert_eq!((&outcome.value[..], outcome.status), (&[1][..], CacheStatus::Collapsed));
    assert_eq!(levels_made(&service), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follower_does_not_wait_past_its_own_deadline() {
    let service = service(LIMITS);
    let (run, begins, end) = held();
    let leader = spawn(&service, job("/a", "7", run));
    begins.await.unwrap();
    let begun = Instant::now();
    let hasty = Job { deadline: begun + Duration::from_millis(50), ..job("/a", "7", must_not_run) };
    assert_eq!(service.run(hasty).await.unwrap_err(), Error::Deadline);
    assert!(begun.elapsed() < TIMEOUT / 2, "it waited for the end of the leader");
    drop(end);
    assert!(leader.await.unwrap().is_ok());
}

#[test]
fn a_value_that_a_caller_put_is_found() {
    let service = service(LIMITS);
    let key = Key::from_static(b"/put");
    assert!(service.get::<Vec<u8>>(&key, |_| true).is_none());
    service.put(&key, Arc::new(vec![7_u8]));
    assert_eq!(service.get::<Vec<u8>>(&key, |_| true).as_deref(), Some(&vec![7]));
    assert_eq!(service.0.metrics.cache_hits.get(), 1, "a missing value is no hit");
}
