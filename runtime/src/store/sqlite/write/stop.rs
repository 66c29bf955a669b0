//! A request to stop an operation in progress.

use pap_protocol::value::Instant;

use super::super::sql;
use super::super::transaction::{Proof, Transaction, integer, written};
use super::Work;
use crate::store::{EventKind, RequestStop, Written, detail};

/// Puts the first request to stop on record; a later one is answered with the moment of the first.
pub(in super::super) fn request_stop(stop: RequestStop) -> impl Work<Written> {
    let proof = stop.proof.as_ref().map(Proof::of);
    move |transaction: &Transaction<'_>| {
        if !transaction.accept_proof(proof.as_ref())? {
            return Ok(Written::Replayed);
        }
        let (id, company) = (stop.key.id.as_str(), &stop.key.company);
        let params = (id, company, transaction.now.as_millis());
        if let Some(key) = transaction.key(sql::REQUEST_STOP, params)? {
            transaction.event(key, EventKind::StopRequested, detail::STOP_REQUESTED)?;
            return Ok(Written::Done(transaction.now));
        }
        let first = transaction.first(sql::STOP_REQUESTED, (id, company), |row| integer(row, 0))?;
        Ok(written(first.map(Instant::from_millis)))
    }
}
