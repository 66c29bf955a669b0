//! Step 6 of 6: read the operation until it is final.

use std::time::Duration;

use pap_protocol::operation::OperationId;
use pap_protocol::value::Instant;
use tracing::Instrument;

use super::OperationsClient;
use super::tell::{Told, Verb};
use crate::error::{Error, NotSent};
use crate::outcome::{Followed, InProgress};

impl OperationsClient {
    /// Reads the operation once (section 6).
    ///
    /// # Errors
    ///
    /// [`NotSent::TooEarly`] if it is in progress and the Company wants it to be read later;
    /// [`Error::Refused`]; [`Error::Unreadable`] or [`Error::Unanswered`], which mean nothing for the
    /// operation; [`Error::Contradiction`].
    pub async fn read(&self, id: &OperationId) -> Result<Followed, Error> {
        self.read_named(id, None).await
    }

    /// Reads the operation until it is final or waits to be confirmed, for at most `limit`, and never
    /// earlier than the Company's `Retry-After` says (section 6). Lost answers are read again.
    ///
    /// If the next read would come after the limit, it returns at once, with the operation in progress.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read), but what is lost is an error only when it was the last read in the limit.
    pub async fn follow(&self, id: &OperationId, limit: Duration) -> Result<Followed, Error> {
        let span = tracing::info_span!(
            "operation",
            step = "follow",
            company = self.company.domain(),
            operation_id = %id,
        );
        self.follow_until(id, self.now().saturating_add(limit)).instrument(span).await
    }

    pub(super) async fn read_named(
        &self,
        id: &OperationId,
        action: Option<String>,
    ) -> Result<Followed, Error> {
        if let Some(InProgress { operation_id, read_at, .. }) = self.too_early(id) {
            return Err(NotSent::TooEarly { operation_id, read_at }.into());
        }
        match self.tell(Verb::Read, id).await? {
            Told::Operation(operation, retry_at) => {
                Ok(self.stands(operation, action, self.try_again_at(retry_at, 0)))
            }
            Told::Refused(refusal) => Err(refusal.into()),
            Told::Lost(why, _) => Err(why),
        }
    }

    async fn follow_until(&self, id: &OperationId, until: Instant) -> Result<Followed, Error> {
        let mut attempts = 0;
        let mut read_at = self.now();
        if let Some(early) = self.too_early(id) {
            if early.read_at > until {
                return Ok(Followed::InProgress(early));
            }
            read_at = early.read_at;
        }
        loop {
            self.sleep_until(read_at).await;
            let (followed, next) = match self.tell(Verb::Read, id).await? {
                Told::Operation(operation, retry_at) => {
                    let next = self.try_again_at(retry_at, attempts);
                    (Ok(self.stands(operation, None, next)), next)
                }
                Told::Refused(refusal) => return Err(refusal.into()),
                Told::Lost(why, retry_at) => {
                    tracing::warn!(%why, attempts, "the answer to a read is lost");
                    (Err(why), self.try_again_at(retry_at, attempts))
                }
            };
            let goes_on = matches!(&followed, Ok(Followed::InProgress(_)) | Err(_));
            if !goes_on || next > until {
                return followed;
            }
            (read_at, attempts) = (next, attempts + 1);
        }
    }

    /// The operation, if it is in progress and the Company wants it to be read later.
    pub(super) fn too_early(&self, id: &OperationId) -> Option<InProgress> {
        let seen = self.shared.history.seen(self.company.domain(), id)?;
        let read_at = seen.read_at.filter(|read_at| *read_at > self.now())?;
        Some(InProgress { operation_id: id.clone(), revision: seen.revision, read_at })
    }
}
