//! Tests of a lane: jobs that begin, wait, are refused, and end when the test lets them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use super::*;
use crate::service::admission::Busy;
use crate::telemetry::Overload;

const SOON: Duration = Duration::from_millis(100);
const TIMEOUT: Duration = Duration::from_secs(20);

fn lane(workers: usize, queue: usize, bytes: u64) -> Lane {
    Lane::new(Class::Medium, ClassLimits { workers, queue }, bytes)
}

/// A job of a test.
struct Submitted {
    /// The refusal, or nothing once the job runs.
    reports: Receiver<Option<Busy>>,
    /// The job ends when this is dropped.
    _end: Sender<()>,
}

impl Submitted {
    fn begins(&self) -> bool {
        self.reports.recv_timeout(TIMEOUT).unwrap().is_none()
    }

    fn waits(&self) -> bool {
        self.reports.recv_timeout(SOON).is_err()
    }

    fn refused(&self) -> Option<Busy> {
        self.reports.recv_timeout(TIMEOUT).unwrap()
    }
}

fn submit(lane: &Lane, bytes: u64) -> Submitted {
    submit_as(lane, Price { bytes, nanos: 1 }, false)
}

fn submit_as(lane: &Lane, price: Price, holds_output: bool) -> Submitted {
    let ((report, reports), (end, ends)) = (channel(), channel::<()>());
    lane.submit(price, holds_output, TIMEOUT, move |admission| {
        let refusal = if let Admission::Refused(busy) = admission { Some(busy) } else { None };
        let _ = report.send(refusal);
        if refusal.is_none() {
            let _ = ends.recv_timeout(TIMEOUT);
        }
    });
    Submitted { reports, _end: end }
}

#[test]
fn no_more_run_than_there_are_workers_and_no_more_wait_than_there_are_queue_slots() {
    let lane = lane(2, 1, 200);
    let jobs = [submit(&lane, 1), submit(&lane, 100)];
    assert!(jobs.iter().all(Submitted::begins));
    let third = submit(&lane, 1);
    assert!(third.waits());
    let load = lane.load();
    assert_eq!((load.running, load.waiting, load.waiting_nanos), (2, 1, 1));
    assert_eq!(submit(&lane, 1).refused().unwrap().limit, Overload::Queue);
    drop(jobs);
    assert!(third.begins());
}

#[test]
fn a_job_begins_once_there_is_memory_for_it_and_is_not_overtaken() {
    let lane = lane(2, 9, 200);
    let small = submit(&lane, 1);
    assert!(small.begins());
    let large = submit(&lane, 200);
    let later = submit(&lane, 1);
    assert!(large.waits() && later.waits());
    drop(small);
    assert!(large.begins());
    assert!(later.waits());
    drop(large);
    assert!(later.begins());
}

#[test]
fn a_price_above_all_limits_counts_as_the_limit() {
    let lane = lane(2, 9, 200);
    let one = submit_as(&lane, Price { bytes: u64::MAX, nanos: u64::MAX }, false);
    assert!(one.begins());
    let other = submit_as(&lane, Price { bytes: u64::MAX, nanos: 1 }, false);
    assert!(other.waits());
    drop(one);
    assert!(other.begins());
    drop(other);
    assert!(submit(&lane, 200).begins(), "all memory came back");
}

#[test]
fn a_job_that_would_begin_too_late_is_refused_with_the_time_to_wait() {
    let lane = lane(1, 9, 200);
    let second = Price { bytes: 1, nanos: 1_000_000_000 };
    let jobs = [(); 3].map(|()| submit_as(&lane, second, false));
    assert!(jobs[0].begins());
    let too_long = Price { bytes: 1, nanos: TIMEOUT.as_nanos() as u64 };
    let busy = submit_as(&lane, too_long, false).refused().unwrap();
    assert_eq!((busy.limit, busy.retry_after), (Overload::Wait, Duration::from_secs(2)));
    assert!(jobs[1].waits() && jobs[2].waits());
}

#[test]
fn jobs_that_hold_a_level_go_first_but_not_for_ever() {
    let lane = lane(1, 99, 200);
    let (report, reports) = channel();
    let busy = submit(&lane, 1);
    assert!(busy.begins());
    let others = ["a", "b"].map(|name| (name, false));
    for (name, holds_output) in others.into_iter().chain(["1", "2", "3", "4", "5", "6"].map(|name| (name, true))) {
        let report = report.clone();
        lane.submit(Price { bytes: 1, nanos: 1 }, holds_output, TIMEOUT, move |admission| {
            let is_refused = matches!(admission, Admission::Refused(_));
            let _ = report.send(if is_refused { "refused" } else { name });
        });
    }
    drop(busy);
    let order = [(); 8].map(|()| reports.recv_timeout(TIMEOUT).unwrap());
    assert_eq!(order, ["1", "2", "3", "4", "a", "5", "6", "b"]);
}

#[test]
fn after_a_large_job_all_workers_go_on() {
    let lane = lane(3, 9, 300);
    let large = submit(&lane, 300);
    assert!(large.begins());
    let jobs = [(); 3].map(|()| submit(&lane, 1));
    assert!(jobs.iter().all(Submitted::waits));
    drop(large);
    assert!(jobs.iter().all(Submitted::begins));
}

#[test]
fn a_job_that_breaks_leaves_its_worker_alive() {
    let lane = lane(1, 9, 100);
    lane.submit(Price::default(), false, TIMEOUT, |_| panic!("broken on purpose"));
    assert!(submit(&lane, 100).begins());
}

#[test]
fn without_queue_slots_a_job_runs_where_a_worker_is_free() {
    let lane = lane(1, 0, 100);
    let job = submit(&lane, 1);
    assert!(job.begins());
    assert!(submit(&lane, 1).refused().is_some());
}

#[test]
fn a_worker_keeps_its_buffers_for_the_next_job_unless_they_are_large() {
    let lane = lane(1, 9, 400 << 20);
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
        lane.submit(Price::default(), false, TIMEOUT, grow(bytes));
    }
    let held = [(); 3].map(|()| reports.recv_timeout(TIMEOUT).unwrap());
    assert_eq!(held, [0, 4_000, 0], "small ones are kept, large ones go back");
}

#[cfg(target_os = "linux")]
#[test]
fn workers_of_large_jobs_stand_back_behind_others() {
    let nice_value = |class| {
        let lane = Lane::new(class, ClassLimits { workers: 1, queue: 1 }, 100);
        let (report, reports) = channel();
        lane.submit(Price::default(), false, TIMEOUT, move |_| {
            // the 19th field, counted from the state on, which follows the name in brackets
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let field = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(16).unwrap().to_owned();
            let _ = report.send(field.parse::<i32>().unwrap());
        });
        reports.recv_timeout(TIMEOUT).unwrap()
    };
    let small = nice_value(Class::Small);
    assert_eq!(nice_value(Class::Medium), (small + Class::Medium.niceness()).min(19));
    assert_eq!(nice_value(Class::Large), (small + Class::Large.niceness()).min(19));
}

#[test]
fn memory_that_becomes_free_is_used_by_all_workers_that_are_idle() {
    let lane = lane(3, 9, 200);
    let large = submit(&lane, 200);
    assert!(large.begins());
    let small = [submit(&lane, 1), submit(&lane, 1), submit(&lane, 1)];
    assert!(small.iter().all(Submitted::waits));
    drop(large);
    // none of them ends before all have begun
    assert!(small.iter().all(Submitted::begins));
}

#[test]
fn the_workers_run_what_waits_and_end_once_the_lane_is_gone() {
    let lane = lane(2, 9, 200);
    let shared = Arc::downgrade(&lane.0);
    let (first, second) = (submit(&lane, 200), submit(&lane, 200));
    assert!(first.begins() && second.waits());
    drop(lane);
    drop(first);
    assert!(second.begins());
    drop(second);
    let deadline = Instant::now() + TIMEOUT;
    while shared.strong_count() > 0 {
        assert!(Instant::now() < deadline, "a worker still runs");
        thread::sleep(Duration::from_millis(5));
    }
}
