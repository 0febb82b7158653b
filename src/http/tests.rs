//! Tests of the start and the end of the service.

use std::time::Instant;

use bytes::Bytes;
use tokio::time::timeout;

use super::*;
use crate::http::fixtures::{TIMEOUT, service, settings};
use crate::http::reply::CachedBody;
use crate::level::Level;
use crate::level::error::Error;
use crate::level::recipe::Recipe;
use crate::level::work::{JobContext, Price};
use crate::service::{Error as ServiceError, Job, Reservation};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_jobs_that_still_run_are_cancelled_when_the_last_connection_is_gone() {
    let metrics = Arc::new(Metrics::new(["/maze"]));
    let service = service(Arc::clone(&metrics));
    let source = Recipe::from_pairs(&[("size", "5"), ("seed", "7")], recipe::Limits::of_side(41)).unwrap();
    let (began, begins) = tokio::sync::oneshot::channel();
    let endless = Job {
        key: None,
        source,
        source_price: Price::default(),
        price: Price::default(),
        response: 0..0,
        deadline: Instant::now() + TIMEOUT,
        run: move |_: &Arc<Level>, context: &mut JobContext, _: Reservation| {
            _ = began.send(());
            while context.cancel.check().is_ok() {
                std::thread::yield_now();
            }
            context.cancel.check().map_err(Error::from)?;
            Ok(CachedBody { bytes: Bytes::new(), media_type: "", coding: None, etag: None })
        },
    };
    let job = tokio::spawn({
        let service = service.clone();
        async move { service.run(endless).await }
    });
    timeout(TIMEOUT, begins).await.unwrap().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let settings = settings(&["--readiness-delay", "0", "--drain-timeout", "0"]);
    let begun = Instant::now();
    serve_by(service, metrics, listener.into(), settings, async {}).await;
    assert_eq!(job.await.unwrap().unwrap_err(), ServiceError::Deadline);
    assert!(begun.elapsed() < TIMEOUT / 2, "the end of the service cancelled the job, not its own deadline");
}
