//! Tests of the worker pool: jobs that begin, wait, are refused, and end when the test lets them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::*;

const SOON: Duration = Duration::from_millis(100);
const TIMEOUT: Duration = Duration::from_secs(20);

/// Submits a job that sends `true` when it begins, or `false` if it is refused. It ends when the returned sender is
/// dropped.
fn submit(pool: &Pool, bytes: u64) -> (Receiver<bool>, Sender<()>) {
    submit_to(pool, bytes, Priority::Normal)
}

fn submit_to(pool: &Pool, bytes: u64, priority: Priority) -> (Receiver<bool>, Sender<()>) {
    let ((report, reports), (end, ends)) = (channel(), channel::<()>());
    pool.submit(bytes, priority, move |admission| {
        let runs = matches!(admission, Admission::Run(_));
        let _ = report.send(runs);
        if runs {
            let _ = ends.recv_timeout(TIMEOUT);
        }
    });
    (reports, end)
}

#[test]
fn no_more_run_than_there_are_workers_and_no_more_wait_than_there_are_queue_slots() {
    let pool = Pool::new(2, 1, 200);
    let jobs = [submit(&pool, 1), submit(&pool, 100)];
    assert!(jobs.iter().all(|(reports, _)| reports.recv_timeout(TIMEOUT).unwrap()));
    let (waits, end) = submit(&pool, 1);
    assert!(waits.recv_timeout(SOON).is_err());
    assert_eq!((pool.running(), pool.queued()), (2, 1));
    assert_eq!(submit(&pool, 1).0.recv_timeout(TIMEOUT), Ok(false), "refused at once");
    drop(jobs);
    assert!(waits.recv_timeout(TIMEOUT).unwrap());
    drop(end);
}

#[test]
fn a_job_larger_than_all_shares_runs_alone_and_is_not_overtaken() {
    let pool = Pool::new(2, 9, 200);
    let small = submit(&pool, 1);
    assert!(small.0.recv_timeout(TIMEOUT).unwrap());
    let large = submit(&pool, u64::MAX);
    let later = submit(&pool, 1);
    assert!(large.0.recv_timeout(SOON).is_err() && later.0.recv_timeout(SOON).is_err());
    drop(small);
    assert!(large.0.recv_timeout(TIMEOUT).unwrap());
    assert!(later.0.recv_timeout(SOON).is_err());
    drop(large);
    assert!(later.0.recv_timeout(TIMEOUT).unwrap());
}

#[test]
fn jobs_that_take_long_leave_half_of_the_workers_to_others() {
    let pool = Pool::new(4, 9, 400);
    let slow = [(); 4].map(|()| submit_to(&pool, 1, Priority::Slow { work: 1 }));
    assert!(slow[..2].iter().all(|(reports, _)| reports.recv_timeout(TIMEOUT).unwrap()));
    assert!(slow[2..].iter().all(|(reports, _)| reports.recv_timeout(SOON).is_err()));
    let others = [(); 2].map(|()| submit(&pool, 1));
    assert!(others.iter().all(|(reports, _)| reports.recv_timeout(TIMEOUT).unwrap()), "they pass those that wait");
    drop(others);
    assert!(slow[2].0.recv_timeout(SOON).is_err(), "still too many");
    let [one, other, third, fourth] = slow;
    drop(one);
    assert!(third.0.recv_timeout(TIMEOUT).unwrap());
    drop(other);
    assert!(fourth.0.recv_timeout(TIMEOUT).unwrap());
}

#[test]
fn jobs_that_take_long_leave_half_of_the_queue_slots_to_others() {
    let pool = Pool::new(2, 4, 200);
    let slow = submit_to(&pool, 1, Priority::Slow { work: 1 });
    assert!(slow.0.recv_timeout(TIMEOUT).unwrap());
    let waiting = [(); 2].map(|()| submit_to(&pool, 1, Priority::Slow { work: 1 }));
    assert_eq!(submit_to(&pool, 1, Priority::Slow { work: 1 }).0.recv_timeout(TIMEOUT), Ok(false), "refused at once");
    let others = [(); 3].map(|()| submit(&pool, 1));
    assert!(others[0].0.recv_timeout(TIMEOUT).unwrap());
    drop((slow, others));
    assert!(waiting.iter().all(|(reports, end)| reports.recv_timeout(TIMEOUT).unwrap() && end.send(()).is_ok()));
}

#[test]
fn large_jobs_that_take_long_leave_half_of_the_shares_to_others() {
    let pool = Pool::new(4, 9, 400);
    let slow = [(); 2].map(|()| submit_to(&pool, 200, Priority::Slow { work: 1 }));
    assert!(slow[0].0.recv_timeout(TIMEOUT).unwrap());
    assert!(slow[1].0.recv_timeout(SOON).is_err());
    let small = submit_to(&pool, 1, Priority::Slow { work: 1 });
    let others = [(); 2].map(|()| submit(&pool, 1));
    assert!(others.iter().all(|(reports, _)| reports.recv_timeout(TIMEOUT).unwrap()));
    assert!(small.0.recv_timeout(SOON).is_err(), "behind the large one");
    drop(others);
    let [one, other] = slow;
    drop(one);
    assert!(other.0.recv_timeout(TIMEOUT).unwrap());
    drop(other);
    assert!(small.0.recv_timeout(TIMEOUT).unwrap());
}

#[test]
fn slow_work_that_could_not_end_in_time_is_refused() {
    let pool = Pool::new(2, 99, 200);
    let slow = |work| submit_to(&pool, 1, Priority::Slow { work });
    let runs = slow(u64::MAX / 4);
    assert!(runs.0.recv_timeout(TIMEOUT).unwrap(), "nothing else waits");
    let waits = [slow(MAX_WAITING_WORK / 2), slow(MAX_WAITING_WORK / 2)];
    assert_eq!(slow(1).0.recv_timeout(TIMEOUT), Ok(false), "refused at once");
    assert!(submit(&pool, 1).0.recv_timeout(TIMEOUT).unwrap());
    drop(runs);
    assert!(waits[0].0.recv_timeout(TIMEOUT).unwrap());
    assert!(slow(1).0.recv_timeout(SOON).is_err(), "this one waits");
}

#[test]
fn a_single_worker_takes_jobs_that_take_long_too() {
    let pool = Pool::new(1, 9, 100);
    let slow = submit_to(&pool, 1, Priority::Slow { work: 1 });
    assert!(slow.0.recv_timeout(TIMEOUT).unwrap());
    drop(slow);
    assert!(submit(&pool, 1).0.recv_timeout(TIMEOUT).unwrap());
}

#[test]
fn after_a_large_job_all_workers_go_on() {
    let pool = Pool::new(3, 9, 300);
    let large = submit(&pool, 300);
    assert!(large.0.recv_timeout(TIMEOUT).unwrap());
    let jobs = [(); 3].map(|()| submit(&pool, 1));
    drop(large);
    assert!(jobs.iter().all(|(reports, _)| reports.recv_timeout(TIMEOUT).unwrap()));
}

#[test]
fn a_job_that_breaks_leaves_its_worker_alive() {
    let pool = Pool::new(1, 9, 100);
    pool.submit(1, Priority::Normal, |_| panic!("broken on purpose"));
    assert!(submit(&pool, 1).0.recv_timeout(TIMEOUT).unwrap());
}

#[test]
fn without_queue_slots_a_job_runs_where_a_worker_is_free() {
    let pool = Pool::new(1, 0, 100);
    let (reports, end) = submit(&pool, 1);
    assert!(reports.recv_timeout(TIMEOUT).unwrap());
    assert_eq!(submit(&pool, 1).0.recv_timeout(TIMEOUT), Ok(false));
    drop(end);
}

#[test]
fn a_worker_keeps_its_buffers_for_the_next_job_unless_they_are_large() {
    let pool = Pool::new(1, 9, 400 << 20);
    let (report, reports) = channel();
    let grow = |bytes: usize| {
        let report = report.clone();
        move |admission: Admission| {
            let Admission::Run(buffers) = admission else { return };
            let held = buffers.bytes();
            buffers.indices.reserve_exact(bytes / 4);
            let _ = report.send(held);
        }
    };
    for bytes in [4_000, (MAX_IDLE_BUFFER_BYTES + 4) as usize, 4_000] {
        pool.submit(1, Priority::Normal, grow(bytes));
    }
    let held = [(); 3].map(|()| reports.recv_timeout(TIMEOUT).unwrap());
    assert_eq!(held, [0, 4_000, 0], "small ones are kept, large ones go back");
}
