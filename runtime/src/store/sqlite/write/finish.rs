//! The finish, and what comes after it.

use super::super::transaction::{Transaction, integer};
use super::super::{Rows, sql};
use super::Work;
use crate::store::guard::check_end;
use crate::store::{Error, EventKind, Finish, FinishBy, Late, Written, detail};

/// Writes the final state and result of an operation in progress.
pub(in super::super) fn finish(finish: Finish) -> Result<impl Work<Written>, Error> {
    check_end(finish.end.state)?;
    let event = detail::finished(finish.end.state, &finish.by)?;
    Ok(move |transaction: &Transaction<'_>| {
        let Some(key) = transaction.key_of(&finish.key)? else { return Ok(Written::NotNow) };
        if !end(transaction, key, &finish)? {
            return Ok(Written::NotNow);
        }
        for change in &finish.carried {
            let number = transaction.next_note(key)?;
            let params = (key, number, change, transaction.now.as_millis());
            transaction.execute(sql::APPEND_CHANGE, params)?;
            transaction.event(key, EventKind::ChangeNoted, detail::change_noted(true))?;
        }
        transaction.execute(sql::END_RUNNING, (key,))?;
        transaction.event(key, EventKind::Ended, &event)?;
        failpoint!("store.finish.within", or return Err(Error::not_written("a fail-point")));
        Ok(Written::Done(transaction.now))
    })
}

/// The same with the company's own rows.
pub(in super::super) fn finish_with(
    finish: Finish,
    work: impl Rows,
) -> Result<impl Work<Written>, Error> {
    let end = self::finish(finish)?;
    Ok(move |transaction: &Transaction<'_>| {
        let written = end(transaction)?;
        if written == Written::NotNow {
            return Ok(written);
        }
        let worked = work(transaction.connection);
        if transaction.connection.is_autocommit() {
            return Err(Error::not_written(
                "the company's rows were not written: what writes them must not end the transaction",
            ));
        }
        worked.map_err(|error| {
            Error::not_written("the company's rows were not written").from_source(error)
        })?;
        Ok(written)
    })
}

/// Keeps an outcome that came after the end.
pub(in super::super) fn record_late(late: Late) -> Result<impl Work<()>, Error> {
    let (event, blanked) = (detail::late(&late)?, detail::late_blanked(&late)?);
    Ok(move |transaction: &Transaction<'_>| match transaction.key_of(&late.key)? {
        Some(key) => {
            let is_blanked = transaction.first(sql::IS_BLANKED, (key,), |row| integer(row, 0))?;
            let event = if is_blanked == Some(1) { &blanked } else { &event };
            transaction.event(key, EventKind::LateOutcome, event)?;
            failpoint!("store.record_late.within", or return Err(Error::not_written("a fail-point")));
            Ok(())
        }
        None => Err(Error::not_written(format!("there is no operation `{}`", late.key.id))),
    })
}

fn end(transaction: &Transaction<'_>, key: i64, finish: &Finish) -> Result<bool, Error> {
    let Finish { by, end, changes_seen, .. } = finish;
    let (state, now) = (end.state.as_str(), transaction.now.as_millis());
    let (summary, data) = (&end.summary, &end.data);
    match by {
        FinishBy::Performer(ticket) => {
            let params = (key, state, summary, data, now, changes_seen, ticket.0);
            transaction.changes(sql::FINISH_BY_PERFORMER, params)
        }
        FinishBy::Asker { epoch, fence } => {
            let params = (key, state, summary, data, now, changes_seen, epoch, fence, false);
            transaction.changes(sql::FINISH_BY_ASKER, params)
        }
        FinishBy::AskerInPart { epoch } => {
            let none = None::<&str>;
            let params = (key, state, summary, data, now, changes_seen, epoch, none, true);
            transaction.changes(sql::FINISH_BY_ASKER, params)
        }
        FinishBy::NotStarted => {
            let params = (key, state, summary, data, now, changes_seen);
            transaction.changes(sql::FINISH_NOT_STARTED, params)
        }
        FinishBy::Settler { .. } => {
            let params = (key, state, summary, data, now, changes_seen);
            transaction.changes(sql::FINISH_BY_SETTLER, params)
        }
    }
}
