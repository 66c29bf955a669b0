//! The finish, and what comes after it.

use super::super::sql;
use super::super::transaction::{Transaction, integer};
use super::Work;
use crate::store::guard::check_end;
use crate::store::{Error, EventKind, Finish, FinishBy, Late, Written, detail};

/// Writes the final state and result of an operation in progress.
pub(in super::super) fn finish(finish: Finish) -> Result<impl Work<Written>, Error> {
    check_end(finish.end.state)?;
    let event = detail::finished(finish.end.state, &finish.by)?;
    Ok(move |transaction: &Transaction<'_>| {
        let Some(key) = end(transaction, &finish)? else { return Ok(Written::NotNow) };
        for change in &finish.carried {
            let params = (key, change, transaction.now.as_millis());
            transaction.execute(sql::APPEND_CHANGE, params)?;
            transaction.event(key, EventKind::ChangeNoted, detail::change_noted(true))?;
        }
        transaction.execute(sql::END_RUNNING, (key,))?;
        transaction.execute(sql::FREE_OPEN_ACTION, (key,))?;
        transaction.event(key, EventKind::Ended, &event)?;
        Ok(Written::Done(transaction.now))
    })
}

/// Keeps an outcome that came after the end.
pub(in super::super) fn record_late(late: Late) -> Result<impl Work<()>, Error> {
    let event = detail::late(&late)?;
    Ok(move |transaction: &Transaction<'_>| {
        let (id, company) = (late.key.id.as_str(), &late.key.company);
        match transaction.first(sql::KEY_OF, (id, company), |row| integer(row, 0))? {
            Some(key) => transaction.event(key, EventKind::LateOutcome, &event),
            None => Err(Error::not_written(format!("there is no operation `{id}`"))),
        }
    })
}

fn end(transaction: &Transaction<'_>, finish: &Finish) -> Result<Option<i64>, Error> {
    let Finish { key, by, end, changes_seen, .. } = finish;
    let (id, company, state) = (key.id.as_str(), &key.company, end.state.as_str());
    let (summary, data, now) = (&end.summary, &end.data, transaction.now.as_millis());
    match by {
        FinishBy::Performer(ticket) => {
            let params = (id, company, state, summary, data, now, changes_seen, ticket.0);
            transaction.key(sql::FINISH_BY_PERFORMER, params)
        }
        FinishBy::Asker { epoch, fence } => {
            let params = (id, company, state, summary, data, now, changes_seen, epoch, fence);
            transaction.key(sql::FINISH_BY_ASKER, params)
        }
        FinishBy::Settler { .. } => {
            let params = (id, company, state, summary, data, now, changes_seen);
            transaction.key(sql::FINISH_BY_SETTLER, params)
        }
    }
}
