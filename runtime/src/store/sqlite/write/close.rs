//! The end of an operation that was never confirmed.

use super::super::sql;
use super::super::transaction::{Proof, Transaction};
use super::Work;
use crate::store::{CloseProposed, Closing, EventKind, ReleaseWhy, Written, detail};

/// Ends an operation that is still proposed.
pub(in super::super) fn close_proposed(close: CloseProposed) -> impl Work<Written> {
    let proof = close.proof.as_ref().map(Proof::of);
    move |transaction: &Transaction<'_>| {
        if !transaction.accept_proof(proof.as_ref())? {
            return Ok(Written::Replayed);
        }
        let statement = match close.closing {
            Closing::Cancelled => sql::CANCEL_PROPOSED,
            Closing::Expired => sql::EXPIRE,
        };
        let Some(key) = transaction.key_of(&close.key)? else { return Ok(Written::NotNow) };
        if !transaction.changes(statement, (key, &close.summary, transaction.now.as_millis()))? {
            return Ok(Written::NotNow);
        }
        let why = match close.closing {
            Closing::Cancelled => ReleaseWhy::Cancelled,
            Closing::Expired => ReleaseWhy::Expired,
        };
        transaction.will_release(key, None, why)?;
        transaction.execute(sql::FREE_OPEN_ACTION, (key,))?;
        transaction.event(key, EventKind::Ended, detail::closed(close.closing))?;
        Ok(Written::Done(transaction.now))
    }
}
