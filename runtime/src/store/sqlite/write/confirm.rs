//! The claim and the start: the writes that spend the right to perform.

use super::super::sql;
use super::super::transaction::{Proof, Transaction};
use super::Work;
use crate::store::{Claim, Error, EventKind, Performer, Start, Written, detail};

/// Moves an operation to `in_progress`, with its confirmation and its ticket.
pub(in super::super) fn claim(claim: Claim) -> Result<impl Work<Written>, Error> {
    let event = detail::confirmed(&claim)?;
    let proof = claim.proof.as_ref().map(Proof::of);
    Ok(move |transaction: &Transaction<'_>| {
        check_ticket(transaction, claim.performer)?;
        if !transaction.accept_proof(proof.as_ref())? {
            return Ok(Written::Replayed);
        }
        let Some(key) = transaction.key_of(&claim.key)? else { return Ok(Written::NotNow) };
        let params = (
            key,
            claim.revision.get(),
            transaction.now.as_millis(),
            claim.performer.map(|performer| performer.ticket.0),
            claim.approved_by.as_str(),
            &claim.by.client,
            &claim.by.key_thumbprint,
            &claim.by.session,
            &claim.by.account,
            claim.by.digest,
        );
        let paused = transaction.paused.get();
        let statement = if paused { sql::CLAIM_UNLESS_PAUSED } else { sql::CLAIM };
        if !transaction.changes(statement, params)? {
            return Ok(Written::NotNow);
        }
        let life = claim.performer.map(|performer| performer.life.0);
        let running = (key, &claim.key.company, life, transaction.now.as_millis());
        transaction.execute(sql::INSERT_RUNNING, running)?;
        transaction.event(key, EventKind::Confirmed, &event)?;
        failpoint!("store.claim.within", or return Err(Error::not_written("a fail-point")));
        Ok(Written::Done(transaction.now))
    })
}

/// Spends the right to perform what was claimed without a performer.
pub(in super::super) fn start(start: Start) -> impl Work<Written> {
    move |transaction: &Transaction<'_>| {
        let Start { key, performer } = &start;
        check_ticket(transaction, Some(*performer))?;
        let Some(key) = transaction.key_of(key)? else { return Ok(Written::NotNow) };
        if !transaction.changes(sql::START, (key, performer.ticket.0))? {
            return Ok(Written::NotNow);
        }
        let running = (key, performer.life.0, transaction.now.as_millis());
        transaction.execute(sql::START_RUNNING, running)?;
        transaction.event(key, EventKind::Started, detail::STARTED)?;
        failpoint!("store.start.within", or return Err(Error::not_written("a fail-point")));
        Ok(Written::Done(transaction.now))
    }
}

fn check_ticket(transaction: &Transaction<'_>, performer: Option<Performer>) -> Result<(), Error> {
    if performer.is_some_and(|performer| transaction.spent.contains(&performer.ticket)) {
        return Err(Error::not_written(
            "this ticket was part of a commit that nobody knows about: make a new one",
        ));
    }
    Ok(())
}
