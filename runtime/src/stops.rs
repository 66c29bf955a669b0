//! How a request to stop reaches the handler that this process runs (section 7).

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use pap_protocol::operation::OperationId;
use tokio::sync::watch;

type Signal = watch::Sender<bool>;

/// Who listens for a request to stop, and for which operations `stop` is being asked.
#[derive(Default)]
pub(crate) struct Stops {
    listening: Mutex<HashMap<OperationId, Weak<Signal>>>,
    asking: Mutex<HashSet<OperationId>>,
}

impl Stops {
    /// Listens for as long as the answer is held. Begun before the claim, so that no request to stop falls
    /// between the claim and the handler; all who listen for one operation hear the same.
    pub(crate) fn listen(self: &Arc<Self>, id: &OperationId) -> Listening {
        let mut listening = lock(&self.listening);
        let there = listening.get(id).and_then(Weak::upgrade);
        let signal = there.unwrap_or_else(|| {
            let signal = Arc::new(watch::channel(false).0);
            listening.insert(id.clone(), Arc::downgrade(&signal));
            signal
        });
        let forgets = Forgets { stops: Arc::clone(self), id: id.clone() };
        Listening { signal, _forgets: Some(forgets) }
    }

    /// Tells whoever listens that the User asked to stop.
    pub(crate) fn stop(&self, id: &OperationId) {
        let signal = lock(&self.listening).get(id).and_then(Weak::upgrade);
        if let Some(signal) = signal {
            signal.send_replace(true);
        }
    }

    /// Leave to ask `stop` about this operation, for as long as it is held; `None` while it is being
    /// asked, so that cancelling again and again piles up no questions.
    pub(crate) fn ask(self: &Arc<Self>, id: &OperationId) -> Option<Asking> {
        let new = lock(&self.asking).insert(id.clone());
        new.then(|| Asking { stops: Arc::clone(self), id: id.clone() })
    }
}

/// Hears a request to stop.
pub(crate) struct Listening {
    signal: Arc<Signal>,
    // after the signal: fields are dropped in this order, and whoever is last forgets it
    _forgets: Option<Forgets>,
}

impl Listening {
    /// Hears nothing more: what is known already.
    pub(crate) fn known(requested: bool) -> Self {
        Self { signal: Arc::new(watch::channel(requested).0), _forgets: None }
    }

    pub(crate) fn requested(&self) -> bool {
        *self.signal.borrow()
    }

    /// Resolves when the User asks to stop; never otherwise.
    pub(crate) async fn until_requested(&self) {
        let heard = self.signal.subscribe().wait_for(|requested| *requested).await.is_ok();
        if !heard {
            std::future::pending::<()>().await;
        }
    }
}

struct Forgets {
    stops: Arc<Stops>,
    id: OperationId,
}

impl Drop for Forgets {
    fn drop(&mut self) {
        let mut listening = lock(&self.stops.listening);
        if listening.get(&self.id).is_some_and(|signal| signal.strong_count() == 0) {
            listening.remove(&self.id);
        }
    }
}

/// `stop` is being asked about one operation.
pub(crate) struct Asking {
    stops: Arc<Stops>,
    id: OperationId,
}

impl Drop for Asking {
    fn drop(&mut self) {
        lock(&self.stops.asking).remove(&self.id);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> OperationId {
        text.parse().unwrap()
    }

    #[test]
    fn all_who_listen_for_one_operation_hear_the_same_and_others_do_not() {
        let stops = Arc::new(Stops::default());
        let (one, same, other) =
            (stops.listen(&id("a")), stops.listen(&id("a")), stops.listen(&id("b")));
        stops.stop(&id("a"));
        assert!(one.requested() && same.requested() && !other.requested());
        drop(one);
        assert!(stops.listen(&id("a")).requested(), "somebody still listens");
    }

    #[test]
    fn what_nobody_listens_for_is_forgotten() {
        let stops = Arc::new(Stops::default());
        let (one, same) = (stops.listen(&id("a")), stops.listen(&id("a")));
        stops.stop(&id("a"));
        drop((one, same));
        stops.stop(&id("b"));
        assert!(lock(&stops.listening).is_empty());
        assert!(!stops.listen(&id("a")).requested());
    }

    #[test]
    fn stop_is_asked_about_an_operation_once_at_a_time() {
        let stops = Arc::new(Stops::default());
        let asking = stops.ask(&id("a")).unwrap();
        assert!(stops.ask(&id("a")).is_none() && stops.ask(&id("b")).is_some());
        drop(asking);
        assert!(stops.ask(&id("a")).is_some());
    }
}
