//! The next revision of an operation.

use super::super::sql;
use super::super::transaction::Transaction;
use super::Work;
use super::propose::{insert_revision, scopes, will_expire};
use crate::store::guard::check_new_revision;
use crate::store::{Error, EventKind, ReleaseWhy, Revise, Written, detail};

/// Issues the next revision, while the operation can be confirmed.
pub(in super::super) fn revise(revise: Revise) -> Result<impl Work<Written>, Error> {
    check_new_revision(&revise.revision)?;
    let scopes = scopes(&revise.revision)?;
    let event = detail::revised(&revise)?;
    Ok(move |transaction: &Transaction<'_>| {
        let Revise { key, revision, request } = &revise;
        let Some(row) = transaction.key_of(key)? else { return Ok(Written::NotNow) };
        let params = (
            row,
            revision.number.get(),
            revision.expires_at.as_millis(),
            transaction.now.as_millis(),
        );
        if !transaction.changes(sql::REVISE, params)? {
            return Ok(Written::NotNow);
        }
        insert_revision(transaction, row, revision, &scopes)?;
        will_expire(transaction, row, &key.company, revision)?;
        let before = revision.number.get().saturating_sub(1);
        transaction.will_release(row, Some(before), ReleaseWhy::Revised)?;
        if let Some(request) = request {
            transaction.execute(sql::REPLACE_REQUEST, (row, request))?;
        }
        transaction.event(row, EventKind::Revised, &event)?;
        Ok(Written::Done(transaction.now))
    })
}
