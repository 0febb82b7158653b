//! What a connection is doing: a request is under way on it, or it has waited for one since some moment.
//!
//! The stream and the service of a connection report what happens. The limit on connections reads it, to close the
//! connection that has waited longest if there are too many.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

/// What a connection is doing.
#[derive(Debug)]
pub(super) struct Activity {
    state: Mutex<State>,
    asked_to_end: Notify,
}

/// Where a connection is between two heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A head is awaited: the system has all of the last response.
    Waiting,
    /// A head is complete, and hyper does not have the whole response.
    Answering,
    /// Hyper has the whole response, and has not written all of it.
    Writing,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// Whether the rest of a body is read and discarded.
    is_discarding: bool,
    /// When the connection was accepted, its last response was written, or the first byte of the next head arrived.
    waits_since: Instant,
    /// When the head that is awaited began to take time: at the first byte, or as soon as the connection was accepted.
    head_since: Option<Instant>,
    is_asked_to_end: bool,
    is_within_limit: bool,
}

impl State {
    fn is_idle(&self) -> bool {
        self.phase == Phase::Waiting && !self.is_discarding
    }
}

impl Activity {
    /// A connection that was just accepted.
    pub(super) fn new() -> Arc<Self> {
        let now = Instant::now();
        let state = State {
            phase: Phase::Waiting,
            is_discarding: false,
            waits_since: now,
            head_since: Some(now),
            is_asked_to_end: false,
            is_within_limit: false,
        };
        Arc::new(Self { state: Mutex::new(state), asked_to_end: Notify::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the client has sent something.
    pub(super) fn received(&self) {
        let mut state = self.state();
        if state.is_idle() && state.head_since.is_none() {
            let now = Instant::now();
            // later bytes do not count, or a head that trickles would never be old
            (state.waits_since, state.head_since) = (now, Some(now));
        }
    }

    /// Records that a request's head is complete. The request is under way until the result is dropped.
    pub(super) fn begin_request(self: &Arc<Self>) -> Answering {
        let mut state = self.state();
        (state.phase, state.head_since, state.is_asked_to_end) = (Phase::Answering, None, false);
        Answering(Arc::clone(self))
    }

    /// Records that the rest of a body is discarded until the result is dropped.
    pub(super) fn begin_discard(self: Arc<Self>) -> Discarding {
        self.state().is_discarding = true;
        Discarding(self)
    }

    /// Records that everything that hyper had to write is written. Returns whether that was the end of a response.
    pub(super) fn flushed(&self) -> bool {
        let mut state = self.state();
        let ends_response = state.phase == Phase::Writing;
        if ends_response {
            (state.phase, state.waits_since) = (Phase::Waiting, Instant::now());
        }
        ends_response
    }

    /// Since when the client has been sending a head, if it is.
    pub(super) fn head_since(&self) -> Option<Instant> {
        let state = self.state();
        state.head_since.filter(|_| state.is_idle())
    }

    /// Records that the connection is within the limit on connections.
    pub(super) fn come_within_limit(&self) {
        self.state().is_within_limit = true;
    }

    /// Whether the connection is within the limit on connections.
    pub(super) fn is_within_limit(&self) -> bool {
        self.state().is_within_limit
    }

    /// Since when the connection has waited, unless it is busy or was asked to end.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.is_idle() && !state.is_asked_to_end).then_some(state.waits_since)
    }

    /// Asks the connection to end, if it is still idle when its task runs.
    pub(super) fn ask_to_end(&self) {
        self.state().is_asked_to_end = true;
        self.asked_to_end.notify_one();
    }

    /// Resolves if the connection shall end for the sake of another one.
    pub(super) async fn shall_end(&self) {
        loop {
            self.asked_to_end.notified().await;
            // a request may have arrived in between
            let state = self.state();
            if state.is_idle() && state.is_asked_to_end {
                return;
            }
        }
    }
}

/// A request under way.
#[derive(Debug)]
pub(super) struct Answering(Arc<Activity>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.state().phase = Phase::Writing;
    }
}

/// The rest of a body that is being discarded.
#[derive(Debug)]
pub(super) struct Discarding(Arc<Activity>);

impl Drop for Discarding {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_discarding = false;
        state.waits_since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::advance;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_connection_waits_from_its_start_its_last_response_or_the_first_byte_of_a_head() {
        let activity = Activity::new();
        let begin = Instant::now();
        advance(SECOND).await;
        activity.received();
        assert_eq!((activity.idle_since(), activity.head_since()), (Some(begin), Some(begin)));
        let request = activity.begin_request();
        assert!(!activity.flushed());
        assert_eq!((activity.idle_since(), activity.head_since()), (None, None));
        drop(request);
        assert_eq!(activity.idle_since(), None, "the response is not written");
        advance(SECOND).await;
        assert!(activity.flushed() && !activity.flushed());
        assert_eq!((activity.idle_since(), activity.head_since()), (Some(begin + 2 * SECOND), None));
        advance(SECOND).await;
        activity.received();
        advance(SECOND).await;
        activity.received();
        let first_byte = Some(begin + 3 * SECOND);
        assert_eq!((activity.idle_since(), activity.head_since()), (first_byte, first_byte));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_is_discarded_is_no_head_and_no_idleness() {
        let activity = Activity::new();
        drop(activity.begin_request());
        let discarding = Arc::clone(&activity).begin_discard();
        assert!(activity.flushed());
        activity.received();
        assert_eq!((activity.idle_since(), activity.head_since()), (None, None));
        drop(discarding);
        assert_eq!((activity.idle_since(), activity.head_since()), (Some(Instant::now()), None));
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_became_busy_need_not_end() {
        let activity = Activity::new();
        activity.ask_to_end();
        assert_eq!(activity.idle_since(), None, "it is asked once");
        let request = activity.begin_request();
        assert!(tokio::time::timeout(SECOND, activity.shall_end()).await.is_err());
        drop(request);
        activity.flushed();
        activity.ask_to_end();
        tokio::time::timeout(SECOND, activity.shall_end()).await.unwrap();
    }
}
