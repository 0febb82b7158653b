//! Single flight: of all callers that need the same value at the same time, one makes it and the others wait.
//!
//! The first caller of a key leads: it gets a [`Leader`], which its job takes along to the worker. [`Leader::finish`]
//! hands the result to all followers. If the leader is dropped without a result, for example by a panic, the followers
//! get `None`. So no follower waits for a leader that is gone, and the next caller can lead.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::service::job::Key;

/// The values that are being made, by key.
pub(super) struct SingleFlight<T>(Arc<Registry<T>>);

struct Registry<T>(Mutex<HashMap<Key, watch::Receiver<Option<T>>>>);

/// What a caller that joins has to do.
pub(super) enum Role<T> {
    /// Make the value.
    Leader(Leader<T>),
    /// Wait for the value.
    Follower(Follower<T>),
}

/// The duty to make a value.
pub(super) struct Leader<T> {
    /// `None` where no other caller can join.
    key: Option<Key>,
    registry: Arc<Registry<T>>,
    sender: watch::Sender<Option<T>>,
}

/// Waits for the value of a leader.
pub(super) struct Follower<T>(watch::Receiver<Option<T>>);

impl<T> Default for SingleFlight<T> {
    fn default() -> Self {
        Self(Arc::new(Registry(Mutex::default())))
    }
}

impl<T> Registry<T> {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, watch::Receiver<Option<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> SingleFlight<T> {
    /// Joins the callers of this key; the first one leads.
    pub(super) fn join(&self, key: &Key) -> Role<T> {
        let mut registered = self.0.lock();
        if let Some(receiver) = registered.get(key) {
            return Role::Follower(Follower(receiver.clone()));
        }
        let (sender, receiver) = watch::channel(None);
        registered.insert(key.clone(), receiver);
        Role::Leader(Leader { key: Some(key.clone()), registry: Arc::clone(&self.0), sender })
    }

    /// A leader that no other caller can follow.
    pub(super) fn alone(&self) -> Leader<T> {
        Leader { key: None, registry: Arc::clone(&self.0), sender: watch::channel(None).0 }
    }
}

impl<T> Leader<T> {
    /// Hands the result to all followers. A value that later callers must find in the cache has to be there before this
    /// call.
    pub(super) fn finish(self, result: T) {
        // Unregister before publishing: a caller that retries after an error must start a new computation.
        self.unregister();
        self.sender.send_replace(Some(result));
    }

    fn unregister(&self) {
        let Some(key) = &self.key else { return };
        let mut registered = self.registry.lock();
        // another leader may have the key by now
        if registered.get(key).is_some_and(|receiver| receiver.same_channel(&self.sender.subscribe())) {
            registered.remove(key);
        }
    }

    /// Returns whether no caller waits for this leader any more. If so, it is unregistered, and the next caller of the
    /// key leads.
    pub(super) fn cancel_if_abandoned(&self) -> bool {
        let mut registered = self.registry.lock();
        // the registry holds one receiver itself
        let abandoned = self.sender.receiver_count() <= usize::from(self.key.is_some());
        if abandoned && let Some(key) = &self.key {
            registered.remove(key);
        }
        abandoned
    }

    /// A follower of this leader.
    pub(super) fn follow(&self) -> Follower<T> {
        Follower(self.sender.subscribe())
    }
}

impl<T> Drop for Leader<T> {
    fn drop(&mut self) {
        self.unregister();
    }
}

impl<T: Clone> Follower<T> {
    /// The result, or `None` where the leader is gone without one.
    pub(super) async fn wait(mut self) -> Option<T> {
        self.0.wait_for(Option::is_some).await.ok()?.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &'static str) -> Key {
        Key::from_static(name.as_bytes())
    }

    fn lead(single_flight: &SingleFlight<u32>, name: &'static str) -> Leader<u32> {
        match single_flight.join(&key(name)) {
            Role::Leader(leader) => leader,
            Role::Follower(_) => panic!("the key has a leader"),
        }
    }

    fn follow(single_flight: &SingleFlight<u32>, name: &'static str) -> Follower<u32> {
        match single_flight.join(&key(name)) {
            Role::Leader(_) => panic!("the key has no leader"),
            Role::Follower(follower) => follower,
        }
    }

    #[tokio::test]
    async fn all_followers_get_what_the_leader_made() {
        let single_flight = SingleFlight::default();
        let leader = lead(&single_flight, "a");
        let (first, second) = (follow(&single_flight, "a"), leader.follow());
        leader.finish(7);
        assert_eq!(first.wait().await, Some(7));
        assert_eq!(second.wait().await, Some(7));
    }

    #[tokio::test]
    async fn a_leader_that_is_gone_leaves_no_follower_waiting() {
        let single_flight = SingleFlight::default();
        let gone = lead(&single_flight, "a");
        let follower = follow(&single_flight, "a");
        drop(gone);
        assert_eq!(follower.wait().await, None);
        lead(&single_flight, "a").finish(1);
    }

    #[test]
    fn other_keys_have_other_leaders() {
        let single_flight = SingleFlight::default();
        let _a = lead(&single_flight, "a");
        let _b = lead(&single_flight, "b");
        assert_eq!(single_flight.0.lock().len(), 2);
    }

    #[tokio::test]
    async fn a_caller_that_has_the_result_and_tries_again_leads() {
        // many rounds: if the result came before the key is free, only some rounds would notice
        let single_flight = SingleFlight::default();
        for round in 0..2_000 {
            let leader = lead(&single_flight, "a");
            let follower = leader.follow();
            let finishing = std::thread::spawn(move || leader.finish(round));
            let begun = std::time::Instant::now();
            while follower.0.borrow().is_none() {
                assert!(begun.elapsed().as_secs() < 20, "the result does not come");
                std::hint::spin_loop();
            }
            assert!(matches!(single_flight.join(&key("a")), Role::Leader(_)), "round {round}");
            finishing.join().unwrap();
        }
    }

    #[test]
    fn an_old_leader_does_not_unregister_the_new_one() {
        let single_flight = SingleFlight::default();
        let abandoned = lead(&single_flight, "a");
        assert!(abandoned.cancel_if_abandoned());
        let new = lead(&single_flight, "a");
        drop(abandoned);
        let follower = follow(&single_flight, "a");
        assert!(!new.cancel_if_abandoned(), "it has a follower");
        drop(follower);
        assert!(new.cancel_if_abandoned());
        lead(&single_flight, "a").finish(1);
    }

    #[test]
    fn a_leader_alone_is_abandoned_once_its_follower_is_gone() {
        let single_flight = SingleFlight::<u32>::default();
        let leader = single_flight.alone();
        let follower = leader.follow();
        assert!(!leader.cancel_if_abandoned());
        drop(follower);
        assert!(leader.cancel_if_abandoned());
        assert!(single_flight.0.lock().is_empty());
    }
}
