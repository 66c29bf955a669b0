//! A new operation with its first revision.

use pap_protocol::operation::OperationId;
use sha2::{Digest, Sha256};
use tokio_postgres::Row;

use super::base::{Base, failed};
use super::bound::{Bound, check_texts};
use super::clock::ServerClock;
use super::failure::Failure;
use super::rows::Columns;
use super::writes::{check_revision, scopes};
use crate::store::guard::{check_first, check_new_revision};
use crate::store::row::Row as _;
use crate::store::{Closing, EXPIRED, Error, NewOperation, OpenAction, Proposed, detail};

/// So often a proposal is decided again because its place changed hands meanwhile.
const AGAIN: u32 = 8;

/// The constraint behind "an id is issued once".
const ISSUED_ONCE: &str = "operations_operation_id_company_key";
/// The constraint behind "one open operation".
const ONE_OPEN: &str = "open_actions_pkey";

/// Puts a new operation on record, unless its owner has an open one.
pub(super) async fn propose(base: &Base, new: NewOperation) -> Result<Proposed, Error> {
    check(&new)?;
    let (scopes, event) = (scopes(&new.revision)?, detail::proposed(&new)?);
    for _ in 0..AGAIN {
        match propose_once(base, &new, &scopes, &event).await {
            Ok(Some(Once::Proposed(proposed))) => return Ok(proposed),
            Ok(Some(Once::IssuedBefore)) => return Err(issued_before(&new)),
            Ok(None) => {}
            Err(failure) if failure.passes() || failure.is_duplicate_of(ONE_OPEN) => {}
            Err(failure) if failure.is_duplicate_of(ISSUED_ONCE) => {
                return Err(issued_before(&new));
            }
            Err(failure) => return Err(failed(failure)),
        }
    }
    Err(Error::not_written("the place of this action changes hands too often: ask again"))
}

/// What became of one attempt; `None`: the place changed hands meanwhile.
enum Once {
    Proposed(Proposed),
    IssuedBefore,
}

fn issued_before(new: &NewOperation) -> Error {
    Error::not_written(format!("the id `{}` was issued before", new.key.id))
}

fn check(new: &NewOperation) -> Result<(), Error> {
    check_first(&new.revision)?;
    check_new_revision(&new.revision)?;
    check_revision(&new.revision)?;
    let NewOperation { key, owner, open, .. } = new;
    check_texts([&key.company, &owner.client, &owner.user, &owner.session].map(String::as_str))?;
    check_texts(owner.account.as_deref().into_iter().chain(new.reference.as_deref()))?;
    check_texts(open.owners.iter().chain([&open.company, &open.action]).map(String::as_str))?;
    if open.owners.is_empty() {
        return Err(Error::not_written("an operation is opened under an owner tag, and has none"));
    }
    Ok(())
}

async fn propose_once(
    base: &Base,
    new: &NewOperation,
    scopes: &str,
    event: &str,
) -> Result<Option<Once>, Failure> {
    let lock = base.patience().number(lock_of(&new.open));
    let bound = bound(base, new, scopes, event);
    let sent = ServerClock::sending();
    let taken = base.pool.take().await?;
    let one_at_a_time = (base.sql.one_at_a_time.as_str(), &lock);
    let answer = taken.link.rows_after(one_at_a_time, (&base.sql.propose, &bound)).await;
    let rows = taken.after(answer)?;
    let answer = rows.first().map(|row| decided(base, sent, row));
    answer
        .and_then(Result::ok)
        .ok_or_else(|| Failure::Lost("the server's answer cannot be understood".to_owned()))
}

fn decided(
    base: &Base,
    sent: pap_protocol::value::Instant,
    row: &Row,
) -> Result<Option<Once>, Error> {
    let mut columns = Columns::of(row);
    base.heard(sent, columns.moment()?);
    let (opened, is_held, was_issued) = (columns.take()?, columns.take()?, columns.take()?);
    let standing: Option<String> = columns.take()?;
    match (opened, &standing) {
        (true, _) => return Ok(Some(Once::Proposed(Proposed::New))),
        (false, None) if is_held => return Ok(Some(Once::Proposed(Proposed::Paused))),
        (false, None) if was_issued => return Ok(Some(Once::IssuedBefore)),
        (false, _) => {}
    }
    let standing = standing
        .map(OperationId::try_from)
        .transpose()
        .map_err(|error| Error::corrupt("an open action names no operation").from_source(error))?;
    Ok(standing.map(|id| Once::Proposed(Proposed::Open(id))))
}

fn bound<'n>(base: &'n Base, new: &'n NewOperation, scopes: &'n str, event: &'n str) -> Bound<'n> {
    let NewOperation { key, owner, open, request, revision, .. } = new;
    base.read()
        .text(key.company.clone())
        .text(key.id.to_string())
        .texts(open.owners.iter().map(String::as_str))
        .text(open.action.clone())
        .bytes(open.identity)
        .text(EXPIRED)
        .text(detail::closed(Closing::Expired))
        .text(owner.client.clone())
        .text(owner.user.clone())
        .text_if_any(owner.account.clone())
        .text(owner.session.clone())
        .bytes(*request)
        .number(revision.expires_at.as_millis())
        .number(revision.schema_version.into())
        .text(revision.full.clone())
        .text(revision.wire.clone())
        .text(revision.summary.clone())
        .bytes(revision.digest)
        .yes_or_no(revision.user_approval_required)
        .text(scopes)
        .text_if_any(revision.url.clone())
        .number(revision.issued_at.as_millis())
        .text(event)
        .text_if_any(new.reference.clone())
        .yes_or_no(new.tells_release)
}

/// What proposals that could stand in each other's way have in common: their last owner tag, which is that
/// of the Session. Others may share it by chance, and then wait for each other a little.
fn lock_of(open: &OpenAction) -> i64 {
    let OpenAction { company, owners, action, identity } = open;
    let mut digest = Sha256::new();
    for part in [company, action].into_iter().chain(owners.last()) {
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part);
    }
    digest.update(identity);
    let digest: [u8; 32] = digest.finalize().into();
    digest.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes))
}
