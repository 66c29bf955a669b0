//! Off the path: the User declines, or wants it stopped.

use pap_protocol::operation::OperationId;
use tracing::Instrument;

use super::OperationsClient;
use super::confirm::{no_longer_proposed, unknown};
use super::tell::{Told, Verb};
use crate::approval::Withdrawal;
use crate::error::{Error, NotSent};
use crate::outcome::Followed;

impl OperationsClient {
    /// Declines a proposal, or asks the Company to stop what is in progress (section 7).
    ///
    /// A proposal is final then. What is in progress stays so until the Company knows whether it was
    /// stopped: follow it. A final operation comes back as it is. A lost answer is recovered by asking
    /// again for the same operation.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`]; [`Error::OutcomeUnknown`] if nothing usable came back in time;
    /// [`Error::Contradiction`].
    pub async fn cancel(&self, id: &OperationId) -> Result<Followed, Error> {
        let span = tracing::info_span!(
            "operation",
            step = "cancel",
            company = self.company.domain(),
            operation_id = %id,
        );
        self.cancel_until_known(id).instrument(span).await
    }

    /// Takes an approval back (section 7). If nothing was sent yet, nothing will be; if a confirm was
    /// sent, also one whose answer is still awaited elsewhere, the operation is cancelled.
    ///
    /// # Errors
    ///
    /// [`NotSent::OtherCompany`] if the approval is for another Company's operation; otherwise as
    /// [`cancel`](Self::cancel).
    pub async fn withdraw(&self, withdrawal: &Withdrawal) -> Result<Followed, Error> {
        if withdrawal.company != self.company.domain() {
            return Err(NotSent::OtherCompany.into());
        }
        if withdrawal.phase.withdraw() {
            self.cancel(&withdrawal.operation_id).await
        } else {
            Ok(Followed::NotConfirmed)
        }
    }

    async fn cancel_until_known(&self, id: &OperationId) -> Result<Followed, Error> {
        let give_up_at = self.now().saturating_add(self.shared.recover_within);
        let mut attempts = 0;
        loop {
            match self.tell(Verb::Cancel, id).await? {
                Told::Operation(operation, retry_at) => {
                    let read_at = self.try_again_at(retry_at, 0);
                    return no_longer_proposed(self.stands(operation, None, read_at), id);
                }
                Told::Refused(refusal) => return Err(refusal.into()),
                Told::Lost(why, retry_at) => {
                    tracing::warn!(%why, attempts, "the answer to a cancel is lost");
                    let try_again_at = self.try_again_at(retry_at, attempts);
                    if try_again_at > give_up_at {
                        return Err(unknown(id, why));
                    }
                    self.sleep_until(try_again_at).await;
                    attempts += 1;
                }
            }
        }
    }
}
