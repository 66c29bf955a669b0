//! The next revision of an operation.

use super::super::sql;
use super::super::transaction::{Transaction, written};
use super::Work;
use super::propose::{insert_revision, scopes};
use crate::store::guard::check_new_revision;
use crate::store::{Error, EventKind, Revise, Written, detail};

/// Issues the next revision, while the operation can be confirmed.
pub(in super::super) fn revise(revise: Revise) -> Result<impl Work<Written>, Error> {
    check_new_revision(&revise.revision)?;
    let scopes = scopes(&revise.revision)?;
    let event = detail::revised(&revise)?;
    Ok(move |transaction: &Transaction<'_>| {
        let Revise { key, revision, request } = &revise;
        let params = (
            key.id.as_str(),
            &key.company,
            revision.number.get(),
            revision.expires_at.as_millis(),
            transaction.now.as_millis(),
        );
        let Some(row) = transaction.key(sql::REVISE, params)? else { return Ok(Written::NotNow) };
        insert_revision(transaction, row, revision, &scopes)?;
        if let Some(request) = request {
            transaction.execute(sql::REPLACE_REQUEST, (row, request))?;
        }
        transaction.event(row, EventKind::Revised, &event)?;
        Ok(written(Some(transaction.now)))
    })
}
