//! How many handlers and questions of one action this process runs at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Limits of one action in one process. What is over them waits: a confirmed operation in the store, until
/// some process has room for it.
///
/// # Examples
///
/// ```
/// use pap_runtime::Limits;
///
/// // the warehouse takes eight orders at a time, and answers two questions
/// let limits = Limits::new().perform(8).reconcile(2);
/// # assert_eq!(format!("{limits:?}"), "Limits { perform: Some(8), reconcile: Some(2) }");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[must_use]
pub struct Limits {
    perform: Option<u32>,
    reconcile: Option<u32>,
}

impl Limits {
    /// No limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// At most so many handlers at once, at least one.
    pub fn perform(mut self, at_most: u32) -> Self {
        self.perform = Some(at_most);
        self
    }

    /// At most so many questions (`stop` and `reconcile`) at once, at least one.
    pub fn reconcile(mut self, at_most: u32) -> Self {
        self.reconcile = Some(at_most);
        self
    }

    /// Whether one of them lets nothing through.
    pub(crate) fn lets_nothing_through(self) -> bool {
        self.perform == Some(0) || self.reconcile == Some(0)
    }
}

/// The room that each limited action has left.
#[derive(Debug, Default)]
pub(crate) struct Rooms {
    perform: BTreeMap<String, Arc<Semaphore>>,
    reconcile: BTreeMap<String, Arc<Semaphore>>,
}

/// A place for one handler or question; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Room {
    held: Option<OwnedSemaphorePermit>,
}

impl Room {
    /// Whether others may wait for it.
    pub(crate) fn is_one_of_few(&self) -> bool {
        self.held.is_some()
    }
}

impl Rooms {
    pub(crate) fn new(limits: &BTreeMap<String, Limits>) -> Self {
        let of = |at_most: fn(&Limits) -> Option<u32>| {
            let limited = limits.iter().filter_map(|(action, limits)| {
                let places = usize::try_from(at_most(limits)?).unwrap_or(Semaphore::MAX_PERMITS);
                let places = places.min(Semaphore::MAX_PERMITS);
                Some((action.clone(), Arc::new(Semaphore::new(places))))
            });
            limited.collect()
        };
        Self { perform: of(|limits| limits.perform), reconcile: of(|limits| limits.reconcile) }
    }

    /// Room for a handler; `None`: all of it is taken.
    pub(crate) fn to_perform(&self, action: &str) -> Option<Room> {
        match self.perform.get(action) {
            None => Some(Room { held: None }),
            Some(limit) => {
                Arc::clone(limit).try_acquire_owned().ok().map(|held| Room { held: Some(held) })
            }
        }
    }

    /// Whether there is room for a handler now.
    pub(crate) fn has_room(&self, action: &str) -> bool {
        self.perform.get(action).is_none_or(|limit| limit.available_permits() > 0)
    }

    /// Room for a question, once there is some.
    pub(crate) async fn to_reconcile(&self, action: &str) -> Room {
        let Some(limit) = self.reconcile.get(action) else { return Room { held: None } };
        // an error says that the limit is gone, which only its owner could do
        Room { held: Arc::clone(limit).acquire_owned().await.ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_limited_has_so_much_room_and_what_is_not_has_all() {
        let limits = BTreeMap::from([("a".to_owned(), Limits::new().perform(1))]);
        let rooms = Rooms::new(&limits);
        let held = rooms.to_perform("a");
        assert!(held.is_some() && rooms.to_perform("a").is_none() && !rooms.has_room("a"));
        assert!(rooms.to_perform("b").is_some() && rooms.has_room("b"));
        drop(held);
        assert!(rooms.has_room("a"));
    }
}
