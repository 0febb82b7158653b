//! Tests of the budget of responses, and of what is counted of the levels that the service sets out to make.

use super::*;

const MEGABYTE: u64 = 1 << 20;

/// Little room for responses, and none in the cache.
const SMALL: Limits = Limits { cache_bytes: 0, unread_bytes: 2 * MEGABYTE, queue: 9, ..LIMITS };

/// A job whose response has so many bytes. Its value is not the response, so that the test can hold the response.
fn respond(
    seed: &str,
    bytes: usize,
    responses: &mpsc::Sender<bytes::Bytes>,
) -> Job<Recipe, impl Run<Recipe, Vec<u8>> + use<>> {
    let responses = responses.clone();
    let run = move |_: &Arc<Level>, _: &mut JobContext, reservation: Reservation| {
        let response = reservation.settle(vec![0; bytes]).ok_or(Error::Busy(Busy::soon(Overload::Unread)))?;
        responses.send(response).unwrap();
        Ok(vec![])
    };
    Job { response: bytes as u64..bytes as u64, ..job(seed, seed, run) }
}

#[tokio::test]
async fn no_level_is_made_for_a_response_that_has_no_room() {
    let service = service(SMALL);
    let (sender, unread) = mpsc::channel();
    for seed in ["1", "2"] {
        service.run(respond(seed, 850_000, &sender)).await.unwrap();
    }
    let refused = service.run(respond("3", 850_000, &sender)).await;
    assert_eq!(limit_of(&refused.unwrap_err()), Some(Overload::Unread));
    assert!(service.run(respond("4", 60_000, &sender)).await.is_ok(), "a smaller one has room");
    assert_eq!(levels_made(&service), 3);
    // the client of the first reads on
    drop(unread.recv().unwrap());
    assert!(service.run(respond("3", 850_000, &sender)).await.is_ok());
    assert_eq!(levels_made(&service), 4);
}

#[tokio::test]
async fn room_that_is_gone_when_a_job_begins_costs_no_level() {
    let service = service(Limits { workers: 1, ..SMALL });
    let (sender, _unread) = mpsc::channel();
    let (run, begins, end) = held();
    let busy = spawn(&service, job("/busy", "1", run));
    timeout(TIMEOUT, begins).await.unwrap().unwrap();
    // both have room while they wait, and the first takes it
    let first = spawn(&service, respond("2", 1_500_000, &sender));
    tokio::time::sleep(Duration::from_millis(50)).await;
    let second = spawn(&service, respond("3", 1_500_000, &sender));
    tokio::time::sleep(Duration::from_millis(50)).await;
    // another job needs the level of the second
    let other = spawn(&service, job("/other", "3", |_, _, _| Ok(vec![1])));
    let third = spawn(&service, respond("4", 1_500_000, &sender));
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(end);
    busy.await.unwrap().unwrap();
    assert!(first.await.unwrap().is_ok());
    assert_eq!(limit_of(&second.await.unwrap().unwrap_err()), Some(Overload::Unread));
    assert_eq!(limit_of(&third.await.unwrap().unwrap_err()), Some(Overload::Unread));
    assert_eq!(&other.await.unwrap().unwrap().value[..], [1]);
    assert_eq!(levels_made(&service), 3, "the third level is made for no one");
}

#[tokio::test]
async fn only_levels_that_were_made_count_as_made() {
    let service = service(LIMITS);
    let counted = |outcome| service.0.metrics.generations(outcome);
    let wall = [("algo", "binary_tree"), ("size", "41"), ("seed", "7"), ("start", "2,2")];
    let wall = Recipe::from_pairs(&wall, recipe::Limits::of_side(4001));
    // a tile with two even coordinates is a wall in every maze, so the recipe is refused before any job
    assert!(wall.is_err());
    let mut refused = 0;
    for seed in 0..16 {
        let pairs = [("algo", "kruskal"), ("size", "41"), ("seed", &*seed.to_string()), ("start", "2,1")];
        let source = Recipe::from_pairs(&pairs, recipe::Limits::of_side(4001)).unwrap();
        refused += u64::from(service.make(source, Price::default(), Instant::now() + TIMEOUT).await.is_err());
    }
    assert!(refused > 0 && refused < 16, "the tile is a wall in some levels: {refused}");
    assert_eq!((counted(Generation::Made), counted(Generation::Refused)), (16 - refused, refused));
    service.stop();
    let cancelled = service.run(job("/a", "7", must_not_run)).await;
    assert_eq!(cancelled.unwrap_err(), Error::Deadline);
    assert_eq!((counted(Generation::Made), counted(Generation::Cancelled)), (16 - refused, 1));
}

/// A source that breaks.
struct Broken;

impl Source for Broken {
    type Output = Vec<u8>;

    fn key(&self) -> Key {
        Key::from_static(b"broken")
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

    fn build(self, _: &mut JobContext) -> Result<Vec<u8>, level::error::Error> {
        panic!("broken on purpose")
    }
}

#[tokio::test]
async fn a_source_that_panics_counts_as_failed() {
    let service = service(LIMITS);
    assert_eq!(service.make(Broken, Price::default(), Instant::now() + TIMEOUT).await.unwrap_err(), Error::Broken);
    let counted = |outcome| service.0.metrics.generations(outcome);
    assert_eq!((counted(Generation::Made), counted(Generation::Failed)), (0, 1));
}
