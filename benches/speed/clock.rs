//! Times and their medians.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// How long to measure one point.
const BUDGET: Duration = Duration::from_millis(1_500);

/// The processor time that `run` takes on this thread, so that other work on the machine hardly counts.
pub(super) fn time(run: impl FnOnce()) -> Duration {
    let begin = cpu_time();
    run();
    cpu_time().saturating_sub(begin)
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_nanos(time.tv_nsec.unsigned_abs())
}

/// The median, in nanoseconds, of each time that `round` returns, over at least three rounds.
pub(super) fn median_ns<const N: usize>(mut round: impl FnMut() -> [Duration; N]) -> [f64; N] {
    let (begin, mut rounds) = (Instant::now(), Vec::new());
    while rounds.len() < 3 || (begin.elapsed() < BUDGET * N as u32 && rounds.len() < 5_001) {
        rounds.push(round());
    }
    std::array::from_fn(|i| {
        let mut times: Vec<_> = rounds.iter().map(|round| round[i]).collect();
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1e9
    })
}
