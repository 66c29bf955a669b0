//! Confirmed terms for a handler's unit test.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pap_protocol::operation::{ApprovedBy, Confirmation, OperationId, Revision};
use pap_protocol::value::Instant;
use tokio::sync::watch;

use crate::action::Ending;
use crate::confirmed::{Confirmed, NotRemembered, NotSettled, Record, Seen};
use crate::private::Pending;
use crate::released::{Lapsed, Released, ReleasedBecause};
use crate::store::{Finish, Transaction};
use crate::terms::Terms;

/// Confirmed terms, as a handler gets them.
///
/// # Examples
///
/// ```
/// use pap_runtime::testing::confirmed;
/// use pap_runtime::{Confirmed, Outcome, failed_unchanged, operation, succeeded};
///
/// struct Shop;
///
/// /// Adds a gift note to an order before it ships.
/// #[operation(action = "orders.gift_note", scopes = ["orders:write"],
///             summary = "Put the note “{note}” into order {order_id}.", terms = { order_id: String, note: String },
///             reconcile = operator)]
/// async fn gift_note(_shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {
///     if op.terms.note.is_empty() {
///         return failed_unchanged("There is no note to put into the parcel");
///     }
///     succeeded("The note is in the parcel.", ())
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let note = |note: &str| GiftNoteTerms { order_id: "ord_7Hk2".into(), note: note.into() };
/// assert!(gift_note(&Shop, confirmed(note("Happy birthday"))).await.is_ok());
/// assert!(gift_note(&Shop, confirmed(note(""))).await.is_err());
/// # }
/// ```
pub fn confirmed<T: Terms>(terms: T) -> Confirmed<T> {
    confirmed_observed(terms).0
}

/// Confirmed terms, and a view of what the handler puts on record.
pub fn confirmed_observed<T: Terms>(terms: T) -> (Confirmed<T>, Observed) {
    let observed =
        Observed(Arc::new(Kept { stop: watch::channel(false).0, notes: Mutex::default() }));
    let record: Arc<dyn Record> = Arc::<Kept>::clone(&observed.0);
    (Confirmed { terms, seen: seen(), record }, observed)
}

/// A revision that ended without being performed, as a `released` function gets it.
pub fn released<T: Terms>(terms: T, why: ReleasedBecause) -> Released<T> {
    let lapsed = Lapsed { id: test_id(), account: Some("acc_test".to_owned()), why };
    Released { terms, revision: Revision::FIRST, lapsed }
}

#[expect(clippy::expect_used, reason = "the text is a constant in the identifiers' alphabet")]
fn test_id() -> OperationId {
    "op_test".parse().expect("an identifier")
}

fn seen() -> Seen {
    let at = Instant::from_millis(0);
    Seen {
        id: test_id(),
        revision: Revision::FIRST,
        confirmation: Confirmation::new(Revision::FIRST, ApprovedBy::User, at),
        account: Some("acc_test".to_owned()),
        user: "usr_test".to_owned(),
    }
}

/// What a handler put on record, and the means to ask it to stop.
#[derive(Clone)]
pub struct Observed(Arc<Kept>);

struct Kept {
    stop: watch::Sender<bool>,
    notes: Mutex<Notes>,
}

#[derive(Default)]
struct Notes {
    changes: Vec<String>,
    checkpoints: BTreeMap<String, String>,
    recovery_began: bool,
}

impl Observed {
    /// The changes noted so far.
    pub fn changes(&self) -> Vec<String> {
        self.0.notes().changes.clone()
    }

    /// Whether a checkpoint of this name was put on record.
    pub fn has_checkpoint(&self, name: &str) -> bool {
        self.0.notes().checkpoints.contains_key(name)
    }

    /// Asks the handler to stop, as a cancel does.
    pub fn request_stop(&self) {
        self.0.stop.send_replace(true);
    }

    /// From now on no checkpoint can be written, as after recovery has begun.
    pub fn begin_recovery(&self) {
        self.0.notes().recovery_began = true;
    }
}

impl std::fmt::Debug for Observed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Observed(…)")
    }
}

impl Kept {
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Record for Kept {
    fn note_change(&self, text: String) -> Pending<'_, ()> {
        self.notes().changes.push(text);
        Box::pin(std::future::ready(()))
    }

    fn remember(&self, name: String, value: String) -> Pending<'_, Result<(), NotRemembered>> {
        let mut notes = self.notes();
        let refused = notes.recovery_began || notes.checkpoints.contains_key(&name);
        let answer = if refused {
            Err(NotRemembered(format!(
                "checkpoint `{name}`: recovery has begun, or it was written before"
            )))
        } else {
            notes.checkpoints.insert(name, value);
            Ok(())
        };
        Box::pin(std::future::ready(answer))
    }

    fn recalled(&self, name: &str) -> Option<String> {
        self.notes().checkpoints.get(name).cloned()
    }

    fn stop_requested(&self) -> bool {
        *self.stop.borrow()
    }

    fn finish(&self, _ending: Ending) -> Pending<'_, Result<Finish, NotSettled>> {
        let why = "a unit test has no store: use a `Bench` on one".to_owned();
        Box::pin(std::future::ready(Err(NotSettled(why))))
    }

    fn settle_in<'a>(
        &'a self,
        _transaction: &'a mut dyn Transaction,
        _ending: Ending,
    ) -> Pending<'a, Result<(), NotSettled>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn stop_signal(&self) -> Pending<'_, ()> {
        let mut stop = self.stop.subscribe();
        Box::pin(async move {
            if stop.wait_for(|requested| *requested).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}
