//! What a company's own code does beside the path of an operation.

use super::Company;
use crate::operators::{OperatorError, Operators};
use crate::refusal::Refusal;
use crate::store::{Cursor, Erased, Feed, PauseOf};

impl<S: Send + Sync + 'static> Company<S> {
    /// The operators' handle of this company: to find, look at and settle operations, and the rest of what
    /// people on call do.
    pub fn operators(&self) -> Operators {
        Operators::of(&self.engine)
    }

    /// Holds an action back on every node: its new operations, or its confirmations. Such a request is
    /// answered `temporarily_unavailable` until [`Operators::resume`].
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    ///
    /// # Crash safety
    ///
    /// When it returns, it is durable, and no process writes what it holds back.
    pub async fn pause(
        &self,
        action: &str,
        of: PauseOf,
        who: &str,
        why: &str,
    ) -> Result<(), OperatorError> {
        self.operators().pause(Some(action), of, who, why).await
    }

    /// What happened to this company's operations after a cursor: ids, kinds and moments. Every event comes
    /// once and none is passed over; those of one operation come in their order. Keep the answer's `next`
    /// with what you made of the events, and go on from there.
    ///
    /// # Errors
    ///
    /// [`OperatorError::NoSuchPlace`] for a cursor of another store, [`OperatorError::Store`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pap_runtime::Company;
    /// use pap_runtime::operators::OperatorError;
    /// use pap_runtime::store::Cursor;
    ///
    /// # struct Shop;
    /// async fn count(company: &Company<Shop>, mut after: Cursor) -> Result<(usize, Cursor), OperatorError> {
    ///     let mut seen = 0;
    ///     loop {
    ///         let feed = company.events(after, 500).await?;
    ///         seen += feed.events.len();
    ///         after = feed.next;
    ///         if feed.events.is_empty() {
    ///             return Ok((seen, after));
    ///         }
    ///     }
    /// }
    /// ```
    pub async fn events(&self, after: Cursor, limit: u32) -> Result<Feed, OperatorError> {
        self.operators().events(after, limit).await
    }

    /// Blanks the final operations of an account, as [`Operators::erase`] does.
    ///
    /// # Errors
    ///
    /// [`OperatorError::NamesTheAccount`], [`OperatorError::Store`].
    ///
    /// # Crash safety
    ///
    /// When it returns, it is durable, with who and why. A crash before may leave some of them as they were: call
    /// it again.
    pub async fn erase(
        &self,
        account: &str,
        who: &str,
        why: &str,
    ) -> Result<Erased, OperatorError> {
        self.operators().erase(account, who, why).await
    }

    /// Sweeps now what the company's own tasks sweep all the time: expiry and retention, and then a few of the
    /// releases that are due, which are told at the same time.
    ///
    /// # Errors
    ///
    /// [`Refusal::Unavailable`] if the store does not answer.
    ///
    /// # Crash safety
    ///
    /// What was not swept is swept later, by any process; a release that was being told is told again.
    pub async fn sweep(&self) -> Result<(), Refusal> {
        let swept = async {
            crate::sweep::sweep(&self.engine).await?;
            crate::sweep::tell_releases(&self.engine).await
        };
        swept.await.map(drop).map_err(|error| crate::engine::unavailable(&error))
    }

    /// Starts now what waits to be started, as far as this process has room, and answers how many. The
    /// company's own task does this all the time.
    ///
    /// # Errors
    ///
    /// [`Refusal::Unavailable`] if the store does not answer.
    ///
    /// # Crash safety
    ///
    /// Each is started by one process, once. What a crash interrupts is asked about, never started again.
    pub async fn start_waiting(&self) -> Result<usize, Refusal> {
        let started = super::path::start_waiting(&self.engine).await;
        started.map_err(|error| crate::engine::unavailable(&error))
    }
}
