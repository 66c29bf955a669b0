//! What the people on call do: find, look, settle, hold back, blank, and what is read off a store.

use std::error::Error as _;
use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use pap_protocol::operation::{OperationId, State};
use pap_protocol::value::Instant;

use crate::action::Ending;
use crate::engine::{Engine, Settings};
use crate::refusal::Refusal;
use crate::settle::{SettledBy, Settling, settle};
use crate::store::{
    AskLater, AskLaterBy, Cursor, Feed, History, Life, NoSuchPlace, OpenWork, Page, Pause, PauseOf,
    Paused, ReadFeed, Resume, Search, Store, Stored, Written,
};

mod acting;
mod counted;
mod ended;
mod export;

pub use ended::HowItEnded;
pub use export::{Exported, ExportedPage};

/// How many rows are looked at in one transaction.
const AT_ONCE: u32 = 100;

/// The operators' handle: over a company of this process, or over a store alone, without the company's code.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use pap_runtime::operators::Operators;
/// use pap_runtime::store::memory::Memory;
/// use pap_runtime::store::{PauseOf, Search};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let operators = Operators::over(Arc::new(Memory::new()), "Example Outfitters");
/// operators.pause(Some("orders.exchange"), PauseOf::Claims, "ada", "the warehouse is flooded").await?;
/// assert_eq!(operators.pauses().await?.len(), 1);
///
/// let page = operators.find(Search { limit: 50, ..Search::default() }).await?;
/// assert!(page.operations.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Operators {
    engine: Arc<Engine>,
}

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorError {
    /// There is no operation of this id.
    #[error("there is no operation `{0}` of this company")]
    NoSuchOperation(OperationId),
    /// Only an operation in progress can be settled or asked about.
    #[error("operation `{id}` is {state}: only one in progress can be settled or asked about")]
    NotInProgress {
        /// Which.
        id: OperationId,
        /// Its state.
        state: State,
    },
    /// It was confirmed and waits to be started, so there is nothing to ask about.
    #[error(
        "operation `{0}` waits to be started: nothing was performed, so there is nothing to ask about"
    )]
    NotStarted(OperationId),
    /// The outcome given is none.
    #[error("the outcome is unknown or handed over: settle with what happened")]
    Undecided,
    /// This cursor is none of the store's: it was mistyped, or another store told it.
    #[error(transparent)]
    NoSuchPlace(NoSuchPlace),
    /// What was given for who blanks an account, or for why, names it, and would stay.
    #[error(
        "who or why names the account that is blanked, and both stay on record: write them without, such as \
         `privacy desk` and `request 17`"
    )]
    NamesTheAccount,
    /// The store did not do it, or does not say whether it did.
    #[error("the store: {0}")]
    Store(#[from] crate::store::Error),
    /// The store did not answer.
    #[error("the store did not answer")]
    NoAnswer,
}

/// What settling came to.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "it ended now, or it had ended")]
pub enum Settled {
    /// It ended now, as said.
    Now(Box<Stored>),
    /// It had ended before: the first final state stands, and a different one is kept on its record as late.
    Before(Box<Stored>),
}

impl Operators {
    /// Over a store, of the company of this name, without its code.
    pub fn over(store: Arc<dyn Store>, company: impl Into<String>) -> Self {
        // a life that was never begun: nothing is claimed under it
        let settings = Settings::default();
        let engine = Engine::new(
            company.into(),
            store,
            std::collections::BTreeMap::new(),
            settings,
            Life([0; 16]),
        );
        Self { engine: Arc::new(engine) }
    }

    pub(crate) fn of(engine: &Arc<Engine>) -> Self {
        Self { engine: Arc::clone(engine) }
    }

    /// The company that this is about.
    pub fn company(&self) -> &str {
        &self.engine.company
    }

    /// The store's clock: what ages are counted from.
    pub fn now(&self) -> Instant {
        self.engine.clock.now()
    }

    /// Operations by what is known about them, in proposal order; `company` of the search is filled in.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    pub async fn find(&self, search: Search) -> Result<Page, OperatorError> {
        let search = Search { company: self.engine.company.clone(), ..search };
        Ok(self.engine.store.keeping().search(search).await?)
    }

    /// Everything on record about an operation.
    ///
    /// # Errors
    ///
    /// [`OperatorError::NoSuchOperation`], [`OperatorError::Store`].
    pub async fn history(&self, id: &OperationId) -> Result<History, OperatorError> {
        let history = self.engine.store.history(&self.engine.key(id)).await?;
        history.ok_or_else(|| OperatorError::NoSuchOperation(id.clone()))
    }

    /// Ends an operation in progress, as [`Company::settle`](crate::Company::settle) does.
    ///
    /// # Errors
    ///
    /// [`OperatorError`]; nothing was changed unless it is [`OperatorError::NoAnswer`].
    ///
    /// # Crash safety
    ///
    /// When it returns, the final state is durable, with who and why.
    pub async fn settle(
        &self,
        id: &OperationId,
        outcome: crate::outcome::Outcome<serde_json::Value>,
        by: SettledBy,
    ) -> Result<Settled, OperatorError> {
        self.close(id, Ending::of(outcome), by).await
    }

    async fn close(
        &self,
        id: &OperationId,
        ending: Ending,
        by: SettledBy,
    ) -> Result<Settled, OperatorError> {
        match settle(&self.engine, id, ending, by).await {
            Ok(Settling::Settled(stored)) => Ok(Settled::Now(Box::new(stored))),
            Ok(Settling::HadEnded(stored)) => Ok(Settled::Before(Box::new(stored))),
            Ok(Settling::NotInProgress(stored)) => {
                Err(OperatorError::NotInProgress { id: id.clone(), state: stored.state })
            }
            Ok(Settling::Undecided) => Err(OperatorError::Undecided),
            Err(Refusal::OperationNotFound) => Err(OperatorError::NoSuchOperation(id.clone())),
            Err(_) => Err(OperatorError::NoAnswer),
        }
    }

    /// Has an operation in progress asked about now, also one that was put aside because processes died
    /// asking about it.
    ///
    /// # Errors
    ///
    /// [`OperatorError::NoSuchOperation`], [`OperatorError::NotInProgress`], [`OperatorError::NotStarted`],
    /// [`OperatorError::Store`].
    pub async fn ask_now(
        &self,
        id: &OperationId,
        who: &str,
        why: &str,
    ) -> Result<(), OperatorError> {
        let later = AskLater {
            key: self.engine.key(id),
            by: AskLaterBy::Operator { who: who.to_owned() },
            ask_after: self.engine.clock.now(),
            due: None,
            attention: false,
            why: why.to_owned(),
        };
        if matches!(self.engine.store.ask_later(later).await?, Written::Done(_)) {
            self.engine.ask_soon.notify_one();
            return Ok(());
        }
        let stored = self.history(id).await?.stored;
        let state = stored.state;
        if stored.running.is_some_and(|running| running.life.is_none()) {
            return Err(OperatorError::NotStarted(id.clone()));
        }
        Err(OperatorError::NotInProgress { id: id.clone(), state })
    }

    /// Holds an action back on every node, or all actions: new operations, or confirmations. From when it
    /// returns, none of them is written by any process.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    ///
    /// # Crash safety
    ///
    /// Durable when it returns.
    pub async fn pause(
        &self,
        action: Option<&str>,
        of: PauseOf,
        who: &str,
        why: &str,
    ) -> Result<(), OperatorError> {
        let pause = Pause {
            company: self.engine.company.clone(),
            action: action.map(str::to_owned),
            of,
            who: who.to_owned(),
            why: why.to_owned(),
        };
        failpoint!("pause.before", await);
        self.engine.store.keeping().pause(pause).await?;
        failpoint!("pause.after", await);
        tracing::warn!(action = action.unwrap_or("*"), of = of.word(), who, "paused");
        Ok(())
    }

    /// Ends a pause; `false` if there was none.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    ///
    /// # Crash safety
    ///
    /// Durable when it returns, with who and why if there was one.
    pub async fn resume(
        &self,
        action: Option<&str>,
        of: PauseOf,
        who: &str,
        why: &str,
    ) -> Result<bool, OperatorError> {
        let (company, action_of) = (self.engine.company.clone(), action.map(str::to_owned));
        let (by, because) = (who.to_owned(), why.to_owned());
        let resume = Resume { company, action: action_of, of, who: by, why: because };
        failpoint!("resume.before", await);
        let resumed = self.engine.store.keeping().resume(resume).await?;
        failpoint!("resume.after", await);
        tracing::warn!(action = action.unwrap_or("*"), of = of.word(), who, resumed, "resumed");
        Ok(resumed)
    }

    /// What is held back.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    pub async fn pauses(&self) -> Result<Vec<Paused>, OperatorError> {
        Ok(self.engine.store.keeping().pauses(&self.engine.company).await?)
    }

    /// What happened after a cursor: every event once, those of one operation in their order.
    ///
    /// # Errors
    ///
    /// [`OperatorError::NoSuchPlace`] for a cursor of another store, [`OperatorError::Store`].
    pub async fn events(&self, after: Cursor, limit: u32) -> Result<Feed, OperatorError> {
        let read = ReadFeed { company: self.engine.company.clone(), after, limit };
        let feed = self.engine.store.keeping().feed(read).await;
        feed.map_err(|error| {
            let place = error.source().and_then(|source| source.downcast_ref::<NoSuchPlace>());
            place.cloned().map_or_else(|| OperatorError::Store(error), OperatorError::NoSuchPlace)
        })
    }

    /// What is in progress, action by action.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    pub async fn open_work(&self) -> Result<Vec<OpenWork>, OperatorError> {
        Ok(self.engine.store.keeping().open_work(&self.engine.company).await?)
    }

    /// Looks whether everything on record fits together; one line for each thing that does not.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    pub async fn verify(&self) -> Result<Vec<String>, OperatorError> {
        Ok(self.engine.store.keeping().verify(&self.engine.company).await?)
    }
}

impl Debug for Operators {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operators").field("company", &self.engine.company).finish_non_exhaustive()
    }
}
