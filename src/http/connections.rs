//! The limit on connections of a listener.
//!
//! At the limit the connection that has been idle longest ends, so that a new client gets its slot. If all are busy, a
//! few further ones are accepted all the same: only probes are answered on them, so that a full service still shows
//! that it is alive.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::http::activity::Activity;

/// Connections above the limit, on which only probes are answered.
pub(super) const KEPT_BACK: usize = 32;

/// A connection that has been idle for less does not end for another one: a request may be on its way.
const LEAST_IDLE: Duration = Duration::from_millis(100);

/// How long a request waits until the idle connection that was asked to end has made room for it.
const HANDOVER: Duration = Duration::from_millis(250);

/// The open connections of a listener.
#[derive(Debug)]
pub(super) struct Connections {
    /// One permit for each connection, those above the limit included.
    all: Arc<Semaphore>,
    /// One permit for each connection within the limit. A connection takes it once it is accepted, or later.
    within_limit: Arc<Semaphore>,
    count: Gauge,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    activities: HashMap<u64, Arc<Activity>>,
}

impl Connections {
    pub(super) fn new(limit: usize, count: Gauge) -> Arc<Self> {
        Arc::new(Self {
            all: Arc::new(Semaphore::new(limit + KEPT_BACK)),
            within_limit: Arc::new(Semaphore::new(limit)),
            count,
            open: Mutex::default(),
        })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a connection may be accepted.
    pub(super) async fn reserve(&self) -> OwnedSemaphorePermit {
        loop {
            if let Ok(permit) = Arc::clone(&self.all).try_acquire_owned() {
                return permit;
            }
            self.end_longest_idle(|_| true);
            // when it ends a permit is free; and if none was idle, one may become so
            let _elapsed = timeout(LEAST_IDLE, self.all.acquire()).await;
        }
    }

    /// The slot of a connection that was accepted.
    pub(super) fn take(self: &Arc<Self>, permit: OwnedSemaphorePermit) -> Arc<Slot> {
        let activity = Activity::new();
        let id = {
            let mut open = self.open();
            open.next += 1;
            let id = open.next;
            open.activities.insert(id, Arc::clone(&activity));
            id
        };
        self.count.inc();
        let connections = Arc::clone(self);
        let slot = Slot { connections, id, activity, _permit: permit, within_limit: OnceLock::new() };
        slot.is_kept_back();
        Arc::new(slot)
    }

    /// Asks the connection that has been idle longest to end, of those that fit. Returns whether there is one.
    fn end_longest_idle(&self, fits: impl Fn(&Activity) -> bool) -> bool {
        let open = self.open();
        let fitting = open.activities.values().filter(|activity| fits(activity));
        let idle = fitting.filter_map(|activity| Some((activity.idle_since()?, activity)));
        let longest = idle.min_by_key(|(since, _)| *since).filter(|(since, _)| since.elapsed() >= LEAST_IDLE);
        let Some((_, activity)) = longest else { return false };
        activity.ask_to_end();
        true
    }
}

/// The slot of an open connection. It is free again when the connection's task ends.
#[derive(Debug)]
pub(super) struct Slot {
    connections: Arc<Connections>,
    id: u64,
    activity: Arc<Activity>,
    _permit: OwnedSemaphorePermit,
    /// Empty while the connection is above the limit.
    within_limit: OnceLock<OwnedSemaphorePermit>,
}

impl Slot {
    pub(super) const fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }

    /// Whether the connection is above the limit. It comes within the limit as soon as another one has ended.
    pub(super) fn is_kept_back(&self) -> bool {
        if self.within_limit.get().is_some() {
            return false;
        }
        let permit = Arc::clone(&self.connections.within_limit).try_acquire_owned();
        permit.map(|permit| self.come_within_limit(permit)).is_err()
    }

    /// Whether the connection stays above the limit although an idle one was asked to end for it.
    pub(super) async fn stays_kept_back(&self) -> bool {
        if !self.is_kept_back() {
            return false;
        }
        if !self.connections.end_longest_idle(Activity::is_within_limit) {
            return true;
        }
        let permit = timeout(HANDOVER, Arc::clone(&self.connections.within_limit).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else { return true };
        self.come_within_limit(permit);
        false
    }

    fn come_within_limit(&self, permit: OwnedSemaphorePermit) {
        self.activity.come_within_limit();
        self.within_limit.get_or_init(|| permit);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.connections.open().activities.remove(&self.id);
        self.connections.count.dec();
    }
}
