//! Which operations are open, so that no action is asked for twice (section 6), also after a restart.

mod file;
mod memory;

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use pap_protocol::operation::{ApprovedBy, Operation, OperationId, Revision, State};
use pap_protocol::value::Instant;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

pub use file::InFile;
pub use memory::InMemory;

use crate::digest::Digest;
use crate::request::ActionKey;

/// An operation that is not known to be final, as the agent keeps it.
///
/// It holds no terms and no summary: those are read from the Company again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OpenOperation {
    /// The domain of the Company whose operation it is.
    pub company: String,
    /// The operation.
    pub operation_id: OperationId,
    /// The latest revision that was seen.
    pub revision: Revision,
    /// What that revision says, as a digest of its summary and terms.
    pub digest: Digest,
    /// The state that was seen last.
    pub state: State,
    /// The last time the revision can be confirmed; there while proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Instant>,
    /// What was asked for when it came up. Empty if it came up in a conversation or a tool.
    pub actions: Vec<ActionKey>,
    /// The confirm that was begun, if one was. From then on the action can happen at any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<BegunConfirm>,
}

/// A confirm that was begun: it is kept before the first byte of it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BegunConfirm {
    /// The revision that was approved.
    pub revision: Revision,
    /// How it was approved.
    pub approved_by: ApprovedBy,
    /// When it was begun, on the agent's clock.
    pub begun_at: Instant,
}

/// Where open operations are kept.
///
/// [`InFile`] survives a restart, [`InMemory`] does not; an agent with a database implements this on it.
/// One agent is the only writer at a time: the client orders its own calls, and reads before it writes.
pub trait OpenOperations: Send + Sync {
    /// Every open operation at that Company.
    ///
    /// # Errors
    ///
    /// [`NotKept`] if it cannot be read. Nothing is asked for or confirmed then.
    fn of(&self, company: &str)
    -> impl Future<Output = Result<Vec<OpenOperation>, NotKept>> + Send;

    /// Keeps it, in the place of what was kept for the same Company and operation.
    ///
    /// # Crash safety
    ///
    /// Returns once it is durable: a confirm is sent after that.
    ///
    /// # Errors
    ///
    /// [`NotKept`] if it is not known to be durable.
    fn keep(&self, operation: OpenOperation) -> impl Future<Output = Result<(), NotKept>> + Send;

    /// Drops it, because it is final. Nothing happens if it is not there.
    ///
    /// # Errors
    ///
    /// [`NotKept`] if the change is not known to be durable.
    fn drop_final(
        &self,
        company: &str,
        id: &OperationId,
    ) -> impl Future<Output = Result<(), NotKept>> + Send;
}

/// The open operations could not be read or kept, and why.
#[derive(Debug, thiserror::Error)]
#[error("the open operations could not be read or kept")]
pub struct NotKept {
    #[source]
    source: Arc<dyn Error + Send + Sync>,
}

impl NotKept {
    /// For that reason.
    pub fn new(source: impl Error + Send + Sync + 'static) -> Self {
        Self { source: Arc::new(source) }
    }
}

/// The one door to [`OpenOperations`]: reading and writing again is one step, also between clients. A
/// write that was begun comes to its end also if nobody waits for it any more.
#[derive(Clone)]
pub(crate) struct Table(Arc<Mutex<Box<dyn AnyOpenOperations>>>);

impl Table {
    pub(crate) fn new(kept: impl OpenOperations + 'static) -> Self {
        Self(Arc::new(Mutex::new(Box::new(kept))))
    }

    pub(crate) async fn of(&self, company: &str) -> Result<Vec<OpenOperation>, NotKept> {
        self.0.lock().await.of(company).await
    }

    pub(crate) async fn find(
        &self,
        company: &str,
        id: &OperationId,
    ) -> Result<Option<OpenOperation>, NotKept> {
        let open = self.of(company).await?;
        Ok(open.into_iter().find(|open| open.operation_id == *id))
    }

    pub(crate) async fn asked_for(
        &self,
        company: &str,
        action: &ActionKey,
    ) -> Result<Option<OpenOperation>, NotKept> {
        let open = self.of(company).await?;
        Ok(open.into_iter().find(|open| open.actions.contains(action)))
    }

    /// Takes over what the Company said: keeps what is open, drops what is final.
    pub(crate) async fn update(
        &self,
        company: &str,
        operation: &Operation,
        digest: Digest,
        action: Option<&ActionKey>,
    ) -> Result<(), NotKept> {
        let id = &operation.operation_id;
        if operation.state.is_final() {
            return self.forget(company, id).await;
        }
        let said = OpenOperation {
            company: company.to_owned(),
            operation_id: id.clone(),
            revision: operation.revision,
            digest,
            state: operation.state,
            expires_at: operation.expires_at,
            actions: action.cloned().into_iter().collect(),
            confirm: None,
        };
        self.change(company, id, |before| Some(said.after(before))).await
    }

    /// Keeps that a confirm is begun, or that none of it was carried out after all.
    pub(crate) async fn set_confirm(
        &self,
        company: &str,
        id: &OperationId,
        confirm: Option<BegunConfirm>,
    ) -> Result<(), NotKept> {
        self.change(company, id, |before| Some(OpenOperation { confirm, ..before? })).await
    }

    /// It is final, or the host has found out by other means that it is over.
    pub(crate) async fn forget(&self, company: &str, id: &OperationId) -> Result<(), NotKept> {
        let (table, company, id) = (Arc::clone(&self.0), company.to_owned(), id.clone());
        to_its_end(async move { table.lock().await.drop_final(&company, &id).await }).await
    }

    async fn change(
        &self,
        company: &str,
        id: &OperationId,
        change: impl FnOnce(Option<OpenOperation>) -> Option<OpenOperation> + Send + 'static,
    ) -> Result<(), NotKept> {
        let (table, company, id) = (Arc::clone(&self.0), company.to_owned(), id.clone());
        to_its_end(async move {
            let table = table.lock().await;
            let open = table.of(&company).await?;
            let before = open.into_iter().find(|open| open.operation_id == id);
            match change(before.clone()) {
                Some(now) if before.as_ref() != Some(&now) => table.keep(now).await,
                Some(_) | None => Ok(()),
            }
        })
        .await
    }
}

impl OpenOperation {
    /// What is kept after the Company said this: what was asked for and begun before stays.
    fn after(mut self, before: Option<Self>) -> Self {
        let Some(before) = before else { return self };
        let asked = std::mem::replace(&mut self.actions, before.actions);
        let new = asked.into_iter().filter(|action| !self.actions.contains(action));
        let new: Vec<_> = new.collect();
        self.actions.extend(new);
        Self { confirm: before.confirm, ..self }
    }
}

/// In a task of its own: dropping what waits for it stops no write halfway, and lets no later write pass.
async fn to_its_end(
    work: impl Future<Output = Result<(), NotKept>> + Send + 'static,
) -> Result<(), NotKept> {
    tokio::spawn(work).await.map_err(NotKept::new)?
}

type Promise<'a, T> = Pin<Box<dyn Future<Output = Result<T, NotKept>> + Send + 'a>>;

/// [`OpenOperations`] behind a pointer.
trait AnyOpenOperations: Send + Sync {
    fn of<'a>(&'a self, company: &'a str) -> Promise<'a, Vec<OpenOperation>>;
    fn keep(&self, operation: OpenOperation) -> Promise<'_, ()>;
    fn drop_final<'a>(&'a self, company: &'a str, id: &'a OperationId) -> Promise<'a, ()>;
}

impl<T: OpenOperations> AnyOpenOperations for T {
    fn of<'a>(&'a self, company: &'a str) -> Promise<'a, Vec<OpenOperation>> {
        Box::pin(OpenOperations::of(self, company))
    }

    fn keep(&self, operation: OpenOperation) -> Promise<'_, ()> {
        Box::pin(OpenOperations::keep(self, operation))
    }

    fn drop_final<'a>(&'a self, company: &'a str, id: &'a OperationId) -> Promise<'a, ()> {
        Box::pin(OpenOperations::drop_final(self, company, id))
    }
}
