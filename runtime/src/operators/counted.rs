//! What a purge or a blanking would take, without doing it.

use pap_protocol::value::Instant;

use super::{OperatorError, Operators};
use crate::store::{Count, CountOf, Counted, Erased};

impl Operators {
    /// How many operations [`Operators::purge`] would remove now. Counted by the store: none of them is read.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    pub async fn would_purge(
        &self,
        action: &str,
        ended_before: Instant,
    ) -> Result<u32, OperatorError> {
        let of = CountOf::Purge { action: action.to_owned(), ended_before };
        Ok(self.count(of).await?.would)
    }

    /// What [`Operators::erase`] would come to now: how many final operations of the account it would blank, and
    /// how many are open, or have a release that was not told. Counted by the store: none of them is read.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    pub async fn would_erase(&self, account: &str) -> Result<Erased, OperatorError> {
        let counted = self.count(CountOf::Erase { account: account.to_owned() }).await?;
        Ok(Erased { erased: counted.would, open: counted.open, more: false })
    }

    async fn count(&self, of: CountOf) -> Result<Counted, OperatorError> {
        let count = Count { company: self.engine.company.clone(), of };
        Ok(self.engine.store.keeping().count(count).await?)
    }
}
