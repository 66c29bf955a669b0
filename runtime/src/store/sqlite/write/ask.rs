//! Who is asked about an operation in progress, and when.

use std::time::Duration;

use pap_protocol::value::Instant;

use super::super::rows::Columns;
use super::super::sql;
use super::super::transaction::{Transaction, all};
use super::Work;
use crate::store::row::{Unchecked, note};
use crate::store::{
    AskLater, AskLaterBy, Asked, Error, EventKind, Note, Stored, TakeAskable, Written, detail,
};

/// Says when to ask: the performer, who does not know, or whoever asked.
pub(in super::super) fn ask_later(later: AskLater) -> Result<impl Work<Written>, Error> {
    let event = detail::unsettled(&later)?;
    Ok(move |transaction: &Transaction<'_>| {
        let Some(key) = transaction.key_of(&later.key)? else { return Ok(Written::NotNow) };
        let (ask_after, due) = (later.ask_after.as_millis(), later.due.map(Instant::as_millis));
        let said = match later.by {
            AskLaterBy::Performer(ticket) => transaction.changes(
                sql::ASK_LATER_BY_PERFORMER,
                (key, ticket.0, ask_after, due, later.attention),
            )?,
            AskLaterBy::Asker { epoch } => transaction
                .changes(sql::ASK_LATER_BY_ASKER, (key, epoch, ask_after, due, later.attention))?,
            AskLaterBy::Operator { .. } => transaction
                .changes(sql::ASK_LATER_BY_OPERATOR, (key, ask_after, due, later.attention))?,
        };
        if !said {
            return Ok(Written::NotNow);
        }
        transaction.event(key, EventKind::Unsettled, &event)?;
        failpoint!("store.ask_later.within", or return Err(Error::not_written("a fail-point")));
        Ok(Written::Done(transaction.now))
    })
}

/// An operation whose question was taken, as it was read on the writing thread.
pub(in super::super) struct Taken {
    stored: Unchecked<Stored>,
    notes: Vec<Note>,
}

impl Taken {
    /// What its asker gets.
    pub(in super::super) fn check(self) -> Result<Asked, Error> {
        Ok(Asked { stored: self.stored.check()?, notes: self.notes })
    }
}

/// Takes those of the candidates that may still be asked about. One that cannot be read does not keep
/// the others from being asked about; its counts are raised with theirs, so that it is put aside in time.
pub(in super::super) fn take_askable(
    take: &TakeAskable,
    candidates: Vec<i64>,
) -> impl Work<Vec<Result<Taken, Error>>> + use<> {
    let lease = take.lease;
    move |transaction: &Transaction<'_>| {
        let mut taken = Vec::with_capacity(candidates.len());
        for &key in &candidates {
            if raise(transaction, key, lease)? {
                taken.push(read(transaction, key));
            }
        }
        failpoint!("store.take_askable.within", or return Err(Error::not_written("a fail-point")));
        Ok(taken)
    }
}

/// Raises the epoch and the counts, if it may still be asked about.
fn raise(transaction: &Transaction<'_>, key: i64, lease: Duration) -> Result<bool, Error> {
    let now = transaction.now;
    let params = (key, now.as_millis(), now.saturating_add(lease).as_millis());
    let raised = transaction.first(sql::TAKE_ASKABLE, params, |row| {
        let mut columns = Columns::of(row);
        Ok((columns.take()?, columns.take()?, columns.take()?))
    })?;
    let Some((epoch, asks, died_asking)) = raised else { return Ok(false) };
    transaction.event(key, EventKind::Asked, &detail::asked(epoch, asks, died_asking))?;
    Ok(true)
}

fn read(transaction: &Transaction<'_>, key: i64) -> Result<Taken, Error> {
    let stored = transaction.first(sql::READ_BY_KEY, (key,), |row| {
        Unchecked::take_stored(&mut Columns::of(row), transaction.now).map(|(_, stored)| stored)
    })?;
    let stored =
        stored.ok_or_else(|| Error::corrupt("the list of open work names no operation"))?;
    let notes = all(transaction.connection, sql::NOTES, (key,), |row| note(&mut Columns::of(row)))?;
    Ok(Taken { stored, notes })
}
