//! A new operation with its first revision.

use pap_protocol::operation::OperationId;

use super::super::sql;
use super::super::transaction::{Transaction, integer};
use super::Work;
use crate::store::guard::{check_first, check_new_revision};
use crate::store::sqlite::failure::store_error;
use crate::store::{
    Closing, EXPIRED, Error, EventKind, NewOperation, OpenAction, PauseOf, Proposed, ReleaseWhy,
    StoredRevision, detail,
};

/// Puts a new operation on record, unless its owner has an open one.
pub(in super::super) fn propose(new: NewOperation) -> Result<impl Work<Proposed>, Error> {
    check_first(&new.revision)?;
    check_new_revision(&new.revision)?;
    let scopes = scopes(&new.revision)?;
    let event = detail::proposed(&new)?;
    let Some(owner) = new.open.owners.first().cloned() else {
        return Err(Error::not_written("an operation is opened under an owner tag, and has none"));
    };
    Ok(move |transaction: &Transaction<'_>| {
        let expired = match in_place(transaction, &new.open)? {
            Place::Taken(id) => return Ok(Proposed::Open(id)),
            Place::Free { expired } => expired,
        };
        let held = (&new.key.company, PauseOf::Proposals.word(), &new.open.action);
        if transaction.first(sql::PAUSED, held, |_| Ok(()))?.is_some() {
            return Ok(Proposed::Paused);
        }
        for key in expired {
            if !expire(transaction, key, EXPIRED)? {
                return Err(Error::corrupt("an expired operation could not expire"));
            }
        }
        let key = insert(transaction, &new)?;
        insert_revision(transaction, key, &new.revision, &scopes)?;
        let OpenAction { company, action, identity, .. } = &new.open;
        let place = (company, &owner, action, identity, key, new.request);
        transaction.execute(sql::INSERT_OPEN_ACTION, place)?;
        will_expire(transaction, key, &new.key.company, &new.revision)?;
        transaction.event(key, EventKind::Proposed, &event)?;
        Ok(Proposed::New)
    })
}

/// Puts a revision on record.
pub(super) fn insert_revision(
    transaction: &Transaction<'_>,
    key: i64,
    revision: &StoredRevision,
    scopes: &str,
) -> Result<(), Error> {
    let params = rusqlite::params![
        key,
        revision.number.get(),
        revision.schema_version,
        revision.full,
        revision.wire,
        revision.summary,
        revision.digest,
        revision.user_approval_required,
        scopes,
        revision.url,
        revision.expires_at.as_millis(),
        revision.issued_at.as_millis(),
    ];
    transaction.execute(sql::INSERT_REVISION, params).map(drop)
}

/// Sees to it that the end of a revision is found, should nobody confirm it.
pub(super) fn will_expire(
    transaction: &Transaction<'_>,
    key: i64,
    company: &str,
    revision: &StoredRevision,
) -> Result<(), Error> {
    let params = (company, revision.expires_at.as_millis(), key);
    transaction.execute(sql::INSERT_EXPIRING, params).map(drop)
}

/// The scopes of a revision as JSON.
pub(super) fn scopes(revision: &StoredRevision) -> Result<String, Error> {
    serde_json::to_string(&revision.scopes)
        .map_err(|error| Error::not_written("scopes cannot be written as JSON").from_source(error))
}

enum Place {
    Taken(OperationId),
    Free { expired: Vec<i64> },
}

fn in_place(transaction: &Transaction<'_>, open: &OpenAction) -> Result<Place, Error> {
    let mut expired = Vec::new();
    for owner in &open.owners {
        let now = transaction.now.as_millis();
        let params = (&open.company, owner, &open.action, open.identity, now);
        let found = transaction.first(sql::OPEN_ACTION, params, |row| {
            let failed = |error| store_error("a row cannot be read", error);
            let id: String = row.get(1).map_err(failed)?;
            Ok((integer(row, 0)?, id, row.get::<_, bool>(2).map_err(failed)?))
        })?;
        match found {
            Some((key, _, true)) => expired.push(key),
            Some((_, id, false)) => {
                let id = OperationId::try_from(id).map_err(|error| {
                    Error::corrupt("an open action names no operation").from_source(error)
                })?;
                return Ok(Place::Taken(id));
            }
            None => {}
        }
    }
    Ok(Place::Free { expired })
}

/// Records that a proposal has expired, if it has.
pub(super) fn expire(
    transaction: &Transaction<'_>,
    key: i64,
    summary: &str,
) -> Result<bool, Error> {
    let params = (key, summary, transaction.now.as_millis());
    if !transaction.changes(sql::EXPIRE, params)? {
        return Ok(false);
    }
    transaction.will_release(key, None, ReleaseWhy::Expired)?;
    transaction.execute(sql::FREE_OPEN_ACTION, (key,))?;
    transaction.event(key, EventKind::Ended, detail::closed(Closing::Expired))?;
    Ok(true)
}

fn insert(transaction: &Transaction<'_>, new: &NewOperation) -> Result<i64, Error> {
    let params = (
        &new.key.company,
        new.key.id.as_str(),
        &new.open.action,
        &new.owner.client,
        &new.owner.user,
        &new.owner.account,
        &new.owner.session,
        new.revision.number.get(),
        new.revision.expires_at.as_millis(),
        &new.reference,
        new.tells_release,
    );
    if !transaction.changes(sql::INSERT_OPERATION, params)? {
        return Err(Error::not_written("this id was issued before"));
    }
    Ok(transaction.connection.last_insert_rowid())
}
