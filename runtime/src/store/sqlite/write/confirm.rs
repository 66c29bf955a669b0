//! The claim: the one write that spends the right to perform.

use super::super::sql;
use super::super::transaction::{Proof, Transaction};
use super::Work;
use crate::store::{Claim, Error, EventKind, Written, detail};

/// Moves an operation to `in_progress`, with its confirmation and its ticket.
pub(in super::super) fn claim(claim: Claim) -> Result<impl Work<Written>, Error> {
    let event = detail::confirmed(&claim)?;
    let proof = claim.proof.as_ref().map(Proof::of);
    Ok(move |transaction: &Transaction<'_>| {
        if transaction.spent.contains(&claim.ticket) {
            return Err(Error::not_written(
                "this ticket was part of a commit that nobody knows about: make a new one",
            ));
        }
        if !transaction.accept_proof(proof.as_ref())? {
            return Ok(Written::Replayed);
        }
        let Some(key) = transaction.key_of(&claim.key)? else { return Ok(Written::NotNow) };
        let params = (
            key,
            claim.revision.get(),
            transaction.now.as_millis(),
            claim.ticket.0,
            claim.approved_by.as_str(),
            &claim.by.client,
            &claim.by.key_thumbprint,
            &claim.by.session,
            &claim.by.account,
            claim.by.digest,
        );
        if !transaction.changes(sql::CLAIM, params)? {
            return Ok(Written::NotNow);
        }
        let running = (key, &claim.key.company, claim.life.0, transaction.now.as_millis());
        transaction.execute(sql::INSERT_RUNNING, running)?;
        transaction.event(key, EventKind::Confirmed, &event)?;
        failpoint!("store.claim.within", or return Err(Error::not_written("a fail-point")));
        Ok(Written::Done(transaction.now))
    })
}
