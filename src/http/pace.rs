//! How fast a client reads a response, and when that is too slow.

use std::time::Duration;

use tokio::time::Instant;

/// The fewest bytes that a client must read in a second, on average over the time limit. A client of any modern network
/// is faster. One that reads just enough not to stand still would hold the bytes of a large response for hours.
const LEAST_BYTES_PER_SECOND: u128 = 16 << 10;

/// How fast a client reads a response. The measurement begins when a write has to wait for the first time: until then
/// the bytes fill the buffers of the system and say nothing about the client.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Since when the bytes are counted.
    since: Option<Instant>,
    bytes: u64,
    /// Since when no write has made progress.
    blocked_since: Option<Instant>,
}

/// The client reads too slowly.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooSlow;

impl Pace {
    /// Records that bytes were written.
    pub(super) fn wrote(&mut self, bytes: usize) {
        self.blocked_since = None;
        if self.since.is_some() {
            self.bytes += bytes as u64;
        }
    }

    /// Records that a write has to wait. Returns when to look again.
    ///
    /// # Errors
    /// If no write has made progress for `limit`, or all together have been too slow for as long.
    pub(super) fn blocked(&mut self, now: Instant, limit: Duration) -> Result<Instant, TooSlow> {
        let blocked_since = *self.blocked_since.get_or_insert(now);
        let since = self.since.get_or_insert(now);
        let time = now - *since;
        if now - blocked_since >= limit {
            return Err(TooSlow);
        }
        if time >= limit {
            if u128::from(self.bytes) * 1_000 < LEAST_BYTES_PER_SECOND * time.as_millis() {
                return Err(TooSlow);
            }
            (*since, self.bytes) = (now, 0);
        }
        Ok((blocked_since + limit).min(*since + limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const LIMIT: Duration = Duration::from_secs(75);

    /// Writes `bytes` each `period` until the client is too slow, for an hour at most. Returns the time that took.
    fn time_to_cut(bytes: usize, period: Duration) -> Option<Duration> {
        let begin = Instant::now();
        let mut pace = Pace::default();
        pace.wrote(4 << 20);
        let mut written = begin;
        let mut now = begin;
        while now < begin + 3600 * SECOND {
            let Ok(deadline) = pace.blocked(now, LIMIT) else { return Some(now - begin) };
            let next = written + period;
            now = deadline.min(next);
            if now == next {
                pace.wrote(bytes);
                written = now;
            }
        }
        None
    }

    #[test]
    fn a_client_that_reads_nothing_is_cut_at_the_limit() {
        assert_eq!(time_to_cut(1, 3600 * SECOND), Some(LIMIT));
    }

    #[test]
    fn a_client_that_reads_one_buffer_now_and_then_is_cut() {
        assert_eq!(time_to_cut(512 << 10, 74 * SECOND), Some(LIMIT));
        assert_eq!(time_to_cut(16_000, SECOND), Some(LIMIT));
    }

    #[test]
    fn a_client_of_the_least_speed_is_not_cut() {
        assert_eq!(time_to_cut(20_000, SECOND), None);
        assert_eq!(time_to_cut(2 << 20, 74 * SECOND), None);
    }

    #[test]
    fn a_client_that_becomes_slow_is_cut_after_the_next_measurement() {
        let (begin, mut pace) = (Instant::now(), Pace::default());
        assert_eq!(pace.blocked(begin, LIMIT), Ok(begin + LIMIT));
        pace.wrote(60 << 20);
        let later = begin + LIMIT;
        assert_eq!(pace.blocked(later, LIMIT), Ok(later + LIMIT));
        pace.wrote(1_000_000);
        assert_eq!(pace.blocked(later + LIMIT, LIMIT), Err(TooSlow));
    }
}
