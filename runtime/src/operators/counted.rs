//! What a purge or a blanking would take, without doing it.

use pap_protocol::value::Instant;

use super::{AT_ONCE, OperatorError, Operators};
use crate::store::{Erased, Search, Stored};

impl Operators {
    /// How many operations [`Operators::purge`] would look at as old enough. It removes no more than these:
    /// one with a release that was not told yet stays.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    pub async fn would_purge(
        &self,
        action: &str,
        ended_before: Instant,
    ) -> Result<u32, OperatorError> {
        let of_action = Search { action: Some(action.to_owned()), ..Search::default() };
        let mut old = 0_u32;
        self.each(of_action, |stored| {
            old += u32::from(stored.result.is_some_and(|result| result.at < ended_before));
        })
        .await?;
        Ok(old)
    }

    /// What [`Operators::erase`] would come to: how many final operations of the account it would blank, and
    /// how many are open.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    pub async fn would_erase(&self, account: &str) -> Result<Erased, OperatorError> {
        let of_account = Search { account: Some(account.to_owned()), ..Search::default() };
        let mut counted = Erased { erased: 0, open: 0, more: false };
        self.each(of_account, |stored| {
            counted.erased += u32::from(stored.state.is_final());
            counted.open += u32::from(!stored.state.is_final());
        })
        .await?;
        Ok(counted)
    }

    /// Every operation that a search finds, page by page.
    async fn each(
        &self,
        search: Search,
        mut look: impl FnMut(Stored),
    ) -> Result<(), OperatorError> {
        let mut after = None;
        loop {
            let page = self.find(Search { after, limit: AT_ONCE, ..search.clone() }).await?;
            page.operations.into_iter().for_each(&mut look);
            after = page.next;
            if after.is_none() {
                return Ok(());
            }
        }
    }
}
