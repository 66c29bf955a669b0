//! What is removed and blanked by hand, and what is on record about who did it.

use pap_protocol::value::Instant;

use super::{AT_ONCE, OperatorError, Operators};
use crate::store::{Act, ActBy, Erase, Erased, Purge, ReadActs};

impl Operators {
    /// Removes operations of an action that ended before a moment, in small batches, and answers how many.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`]: what was removed until then stays removed.
    ///
    /// # Crash safety
    ///
    /// Each batch is there with who and why, see [`Operators::acts`], or not at all.
    pub async fn purge(
        &self,
        action: &str,
        ended_before: Instant,
        who: &str,
        why: &str,
    ) -> Result<u32, OperatorError> {
        let (mut removed, mut after, by) = (0, None, ActBy::new(who, why)?);
        loop {
            let purge = Purge {
                company: self.engine.company.clone(),
                action: action.to_owned(),
                ended_before,
                after,
                limit: AT_ONCE,
                by: Some(by.clone()),
            };
            failpoint!("purge.before", await);
            let purged = self.engine.store.keeping().purge(purge).await?;
            failpoint!("purge.after", await);
            removed += purged.removed;
            after = purged.next;
            if after.is_none() {
                return Ok(removed);
            }
        }
    }

    /// Blanks the final operations of an account: who, terms, summaries, notes and results go; ids, moments
    /// and salted digests stay. What is still open is counted and stays. Who did it and why is kept, the account is
    /// not: neither may name it. Where people have their own account blanked, say which part of the service did.
    ///
    /// # Errors
    ///
    /// [`OperatorError::NamesTheAccount`]; [`OperatorError::Store`]: what was blanked until then stays blanked.
    ///
    /// # Crash safety
    ///
    /// Each batch is there with who and why, see [`Operators::acts`], or not at all.
    pub async fn erase(
        &self,
        account: &str,
        who: &str,
        why: &str,
    ) -> Result<Erased, OperatorError> {
        if names(who, account) || names(why, account) {
            return Err(OperatorError::NamesTheAccount);
        }
        let (mut erased, by) = (0, ActBy::new(who, why)?);
        loop {
            let (company, account) = (self.engine.company.clone(), account.to_owned());
            let erase = Erase { company, account, limit: AT_ONCE, by: by.clone() };
            failpoint!("erase.before", await);
            let batch = self.engine.store.keeping().erase(erase).await?;
            failpoint!("erase.after", await);
            erased += batch.erased;
            if !batch.more {
                return Ok(Erased { erased, ..batch });
            }
        }
    }

    /// What operators did, oldest first, from behind the one of this number on; 0: from the first. Pauses, their
    /// ends, purges and erasures, each with who, why and how many operations went; what changed nothing is not
    /// there. How an operation was settled is in its own [history](Operators::history). What the company's own
    /// sweeping removes, as its declaration says for how long it is kept, is nobody's act and not there either:
    /// it was decided with the code, and each sweep would add to a list that is never removed.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`].
    pub async fn acts(&self, after: u64, limit: u32) -> Result<Vec<Act>, OperatorError> {
        let read = ReadActs { company: self.engine.company.clone(), after, limit };
        Ok(self.engine.store.keeping().acts(read).await?)
    }
}

/// Whether a text has this name in it as a word of its own, in small letters or large.
fn names(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let goes_on = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !name.is_empty()
        && text.char_indices().any(|(at, _)| {
            let (before, from) = text.split_at(at);
            let behind = from.strip_prefix(&name);
            behind.is_some_and(|behind| {
                !goes_on(before.chars().next_back()) && !goes_on(behind.chars().next())
            })
        })
}
