//! What a handler gets: the confirmed terms, and the means to keep its steps on record.

use std::fmt::{Debug, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use pap_protocol::json;
use pap_protocol::operation::{Confirmation, OperationId, Revision};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::action::Ending;
use crate::finding::Retry;
use crate::outcome::{Ended, NotSucceeded, Outcome, SaysIfItHappened, Settled};
#[cfg(feature = "sqlite")]
use crate::store::Written;
use crate::store::{Finish, Stored, Transaction};

type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A confirmed operation. You cannot make, copy or clone one: the runtime makes it, once, after the
/// confirmation is durable (section 5.2).
///
/// `terms` are the stored terms of the confirmed revision and nothing else: what the code would
/// propose today is not reachable from here.
#[must_use = "the right to perform is spent: perform, and say what happened"]
pub struct Confirmed<T> {
    /// The terms the User approved.
    pub terms: T,
    pub(crate) seen: Seen,
    pub(crate) record: Arc<dyn Record>,
}

/// What is known about the operation beside its terms.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) id: OperationId,
    pub(crate) revision: Revision,
    pub(crate) confirmation: Confirmation,
    pub(crate) account: Option<String>,
    pub(crate) user: String,
}

/// Keeps a handler's steps on record.
pub(crate) trait Record: Send + Sync {
    fn note_change(&self, text: String) -> Pending<'_, ()>;
    fn remember(&self, name: String, value: String) -> Pending<'_, Result<(), NotRemembered>>;
    fn recalled(&self, name: &str) -> Option<String>;
    fn stop_requested(&self) -> bool;
    fn stop_signal(&self) -> Pending<'_, ()>;
    /// The write that would put this end on record.
    fn finish(&self, ending: Ending) -> Pending<'_, Result<Finish, NotSettled>>;
    /// Puts this end on record within the company's transaction.
    fn settle_in<'a>(
        &'a self,
        transaction: &'a mut dyn Transaction,
        ending: Ending,
    ) -> Pending<'a, Result<(), NotSettled>>;
}

impl<T> Confirmed<T> {
    /// The operation's id: the same in every call about this operation, for ever.
    pub fn id(&self) -> &OperationId {
        &self.seen.id
    }

    /// The confirmed revision.
    pub fn revision(&self) -> Revision {
        self.seen.revision
    }

    /// Which revision was confirmed, how it was approved, and when.
    pub fn confirmation(&self) -> &Confirmation {
        &self.seen.confirmation
    }

    /// The account the operation belongs to, if its Session was signed in.
    pub fn account(&self) -> Option<&str> {
        self.seen.account.as_deref()
    }

    /// The User's identifier at this company, as the agent's Session states it.
    pub fn user(&self) -> &str {
        &self.seen.user
    }

    /// A key for one step at a downstream system: the same in `perform`, `reconcile` and `stop`, in
    /// every process, for the operation's whole life. Never derived from time, node or attempt.
    pub fn idempotency_key(&self, step: &str) -> String {
        format!("{}:{step}", self.seen.id)
    }

    /// Puts a change that was made on record, in the User's words. Every final state tells it
    /// (section 6), whatever happens next. In `reconcile` it may state in the same words what `perform`
    /// had put on record: that is told once.
    ///
    /// # Crash safety
    ///
    /// Durable when it returns, where the store answers; where it does not, the note is carried in
    /// the record of the outcome.
    pub async fn note_change(&self, text: impl Into<String>) {
        self.record.note_change(text.into()).await;
    }

    /// Puts a checkpoint on record *before* an effect, so that recovery can tell whether the effect
    /// may have begun.
    ///
    /// # Errors
    ///
    /// [`NotRemembered`] if recovery has begun or the store cannot take it: the effect behind it must
    /// not be started. By `?` it ends the handler as unknown, which is the truth.
    ///
    /// # Crash safety
    ///
    /// Durable when it returns `Ok`. Once recovery has begun it can never succeed, so an effect placed
    /// behind it can then no longer happen: [`crate::Fence::checkpoint`] rests on that.
    pub async fn remember<V: Serialize + Sync>(
        &self,
        name: &str,
        value: &V,
    ) -> Result<(), NotRemembered> {
        let value = serde_json::to_string(value)
            .map_err(|error| NotRemembered(format!("checkpoint `{name}`: {error}")))?;
        self.record.remember(name.to_owned(), value).await
    }

    /// The checkpoint of this name, if it was put on record.
    ///
    /// # Errors
    ///
    /// [`Retry`] if it does not read back as this type.
    pub fn recalled<V: DeserializeOwned>(&self, name: &str) -> Result<Option<V>, Retry> {
        let Some(text) = self.record.recalled(name) else { return Ok(None) };
        // the reason goes on record, so it repeats no value
        json::decode(&text).map(Some).map_err(|refused| {
            Retry::because(format!("checkpoint `{name}` does not read back: {refused}"))
        })
    }

    /// Writes the outcome within the company's own transaction, beside the rows that are the effect: both
    /// come to be with the commit, or neither does. It goes with `reconcile = same_store`, which needs no
    /// `reconcile` function: what was not committed did not happen, and once recovery has ended the operation
    /// it no longer can.
    ///
    /// # Errors
    ///
    /// [`NotSettled`] if the operation was ended meanwhile, or the store takes nothing within a transaction:
    /// roll the transaction back. By `?` it ends the handler as unknown, and what is on record counts.
    ///
    /// # Crash safety
    ///
    /// Nothing is on record until the company's commit.
    pub async fn settle_in<R: Serialize>(
        &self,
        transaction: &mut dyn Transaction,
        outcome: Outcome<R>,
    ) -> Result<Settled<R>, NotSettled> {
        let settled = Settled::of(&outcome).ok_or_else(NotSettled::no_end)?;
        failpoint!("settle_in.before", await);
        self.record.settle_in(transaction, Ending::of(outcome)).await?;
        failpoint!("settle_in.after", await);
        Ok(settled)
    }

    /// The same on the embedded store: `work` writes the company's rows in the file that operations are kept
    /// in, and the outcome is written with them. It may be run again after it was undone, and must not end
    /// the transaction that it runs in.
    ///
    /// # Errors
    ///
    /// [`NotSettled`] if the operation was ended meanwhile or `work` failed: nothing of it was written; and if
    /// nobody knows whether it was.
    ///
    /// # Crash safety
    ///
    /// Rows and outcome are on the device together when it returns `Ok`, and together or not at all
    /// otherwise.
    #[cfg(feature = "sqlite")]
    pub async fn settle_with<R: Serialize>(
        &self,
        store: &crate::store::sqlite::Sqlite,
        outcome: Outcome<R>,
        work: impl crate::store::sqlite::Rows,
    ) -> Result<Settled<R>, NotSettled> {
        let settled = Settled::of(&outcome).ok_or_else(NotSettled::no_end)?;
        let finish = self.record.finish(Ending::of(outcome)).await?;
        failpoint!("settle_with.before", await);
        let written = store.finish_with(finish, work).await;
        failpoint!("settle_with.after", await);
        match written {
            Ok(Written::Done(_)) => Ok(settled),
            Ok(Written::NotNow | Written::Replayed) => Err(NotSettled::ended()),
            Err(error) => Err(NotSettled(error.to_string())),
        }
    }

    /// Whether the User asked to stop (section 7). Look before each step that can still be left out.
    pub fn stop_requested(&self) -> bool {
        self.record.stop_requested()
    }

    /// Resolves when the User asks to stop; never otherwise.
    pub async fn until_stop_requested(&self) {
        self.record.stop_signal().await;
    }
}

impl<T> Debug for Confirmed<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        // never the terms: they must not reach a log
        f.debug_struct("Confirmed").field("id", &self.seen.id).finish_non_exhaustive()
    }
}

/// A checkpoint was not put on record, so the effect behind it must not be started.
#[derive(Debug, thiserror::Error)]
#[error("not remembered: {0}")]
pub struct NotRemembered(pub(crate) String);

impl SaysIfItHappened for NotRemembered {
    fn into_not_succeeded(self) -> NotSucceeded {
        NotSucceeded(Ended::Unknown { reason: self.to_string() })
    }
}

/// An outcome was not written with the company's rows: they must not be committed.
#[derive(Debug, thiserror::Error)]
#[error("not settled: {0}")]
pub struct NotSettled(pub(crate) String);

impl NotSettled {
    /// It is no outcome yet.
    pub(crate) fn no_end() -> Self {
        Self("an outcome that is unknown or handed over is no end".to_owned())
    }

    /// Somebody else was first.
    pub(crate) fn ended() -> Self {
        Self("the operation was ended meanwhile, or is not this handler's to end".to_owned())
    }
}

impl SaysIfItHappened for NotSettled {
    fn into_not_succeeded(self) -> NotSucceeded {
        NotSucceeded(Ended::Unknown { reason: self.to_string() })
    }
}

/// What the handler may know beside the terms.
pub(crate) fn seen(stored: &Stored) -> Option<Seen> {
    let confirmed = stored.confirmed.as_ref()?;
    Some(Seen {
        id: stored.key.id.clone(),
        revision: confirmed.confirmation.revision,
        confirmation: confirmed.confirmation.clone(),
        account: stored.owner.account.clone(),
        user: stored.owner.user.clone(),
    })
}
