//! Single flight: of all who want the same thing at the same time, one makes it and the others wait.
//!
//! The leader holds a [`Lead`] wherever its work goes. Finishing it hands the result to all; dropping it, by a panic or
//! otherwise, tells them that there is none. So nobody waits for a flight that is gone, and the next one may start.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// The flights under way, by name.
pub(super) struct Flights<T>(Arc<UnderWay<T>>);

struct UnderWay<T>(Mutex<HashMap<Arc<str>, watch::Receiver<Option<T>>>>);

/// What somebody who joins a flight has to do.
pub(super) enum Role<T> {
    /// Make the thing.
    Leader(Lead<T>),
    /// Wait for it.
    Follower(Wait<T>),
}

/// The duty to make the thing.
pub(super) struct Lead<T> {
    name: Arc<str>,
    flights: Arc<UnderWay<T>>,
    sender: watch::Sender<Option<T>>,
}

/// A place among those who wait.
pub(super) struct Wait<T>(watch::Receiver<Option<T>>);

impl<T> Default for Flights<T> {
    fn default() -> Self {
        Self(Arc::new(UnderWay(Mutex::default())))
    }
}

impl<T> UnderWay<T> {
    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, watch::Receiver<Option<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Flights<T> {
    /// Joins the flight of this name; the first to do so leads it.
    pub(super) fn join(&self, name: &Arc<str>) -> Role<T> {
        let mut under_way = self.0.lock();
        if let Some(receiver) = under_way.get(name) {
            return Role::Follower(Wait(receiver.clone()));
        }
        let (sender, receiver) = watch::channel(None);
        under_way.insert(Arc::clone(name), receiver);
        Role::Leader(Lead { name: Arc::clone(name), flights: Arc::clone(&self.0), sender })
    }
}

impl<T> Lead<T> {
    /// Hands the result to all who wait. What later comers shall find elsewhere must be there before.
    pub(super) fn finish(self, result: T) {
        // whoever asks again once he has the result shall not be given the same one: it may be a refusal
        self.leave();
        self.sender.send_replace(Some(result));
    }

    /// Leaves the flights that can be joined.
    fn leave(&self) {
        let mut under_way = self.flights.lock();
        // the name may be another flight's by now
        if under_way.get(&self.name).is_some_and(|receiver| receiver.same_channel(&self.sender.subscribe())) {
            under_way.remove(&self.name);
        }
    }

    /// Leaves the flights that can be joined if nobody waits for this one any more; says whether it did. Whoever comes
    /// later leads a flight of his own.
    pub(super) fn leave_if_unwanted(&self) -> bool {
        let mut under_way = self.flights.lock();
        // one receiver is the map's own
        let unwanted = self.sender.receiver_count() <= 1;
        if unwanted {
            under_way.remove(&self.name);
        }
        unwanted
    }

    /// Waits for this very flight.
    pub(super) fn follow(&self) -> Wait<T> {
        Wait(self.sender.subscribe())
    }
}

impl<T> Drop for Lead<T> {
    fn drop(&mut self) {
        self.leave();
    }
}

impl<T: Clone> Wait<T> {
    /// The result, or `None` where the leader went without one.
    pub(super) async fn landed(mut self) -> Option<T> {
        self.0.wait_for(Option::is_some).await.ok()?.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(flights: &Flights<u32>, name: &str) -> Lead<u32> {
        match flights.join(&Arc::from(name)) {
            Role::Leader(lead) => lead,
            Role::Follower(_) => panic!("a flight of this name is under way"),
        }
    }

    fn follow(flights: &Flights<u32>, name: &str) -> Wait<u32> {
        match flights.join(&Arc::from(name)) {
            Role::Leader(_) => panic!("no flight of this name is under way"),
            Role::Follower(wait) => wait,
        }
    }

    #[tokio::test]
    async fn all_followers_get_what_the_leader_made() {
        let flights = Flights::default();
        let lead = lead(&flights, "a");
        let (first, second) = (follow(&flights, "a"), lead.follow());
        lead.finish(7);
        assert_eq!(first.landed().await, Some(7));
        assert_eq!(second.landed().await, Some(7));
    }

    #[tokio::test]
    async fn a_leader_that_is_gone_leaves_nobody_waiting() {
        let flights = Flights::default();
        let gone = lead(&flights, "a");
        let follower = follow(&flights, "a");
        drop(gone);
        assert_eq!(follower.landed().await, None);
        lead(&flights, "a").finish(1);
    }

    #[test]
    fn flights_of_other_names_are_apart() {
        let flights = Flights::default();
        let _a = lead(&flights, "a");
        let _b = lead(&flights, "b");
        assert_eq!(flights.0.lock().len(), 2);
    }
}
