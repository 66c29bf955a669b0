//! A request to stop an operation in progress.

use pap_protocol::value::Instant;

use super::super::sql;
use super::super::transaction::{Proof, Transaction, integer};
use super::Work;
use crate::store::{EventKind, RequestStop, Written, detail};

/// Puts the first request to stop on record; a later one is answered with the moment of the first.
pub(in super::super) fn request_stop(stop: RequestStop) -> impl Work<Written> {
    let proof = stop.proof.as_ref().map(Proof::of);
    move |transaction: &Transaction<'_>| {
        if !transaction.accept_proof(proof.as_ref())? {
            return Ok(Written::Replayed);
        }
        let Some(key) = transaction.key_of(&stop.key)? else { return Ok(Written::NotNow) };
        if transaction.changes(sql::REQUEST_STOP, (key, transaction.now.as_millis()))? {
            transaction.event(key, EventKind::StopRequested, detail::STOP_REQUESTED)?;
            failpoint!(
                "store.request_stop.within",
                or return Err(crate::store::Error::not_written("a fail-point"))
            );
            return Ok(Written::Done(transaction.now));
        }
        let first = transaction.first(sql::STOP_REQUESTED, (key,), |row| integer(row, 0))?;
        Ok(first.map_or(Written::NotNow, |first| Written::Done(Instant::from_millis(first))))
    }
}
