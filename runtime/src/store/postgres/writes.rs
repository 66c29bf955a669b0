//! Each write of the contract that goes alone: one statement, on a connection of the pool.

use super::base::{Base, failed};
use super::bound::{Bound, Proof, check_texts, millis};
use super::failure::Failure;
use crate::store::guard::check_new_revision;
use crate::store::{
    AskLater, AskLaterBy, Beat, CloseProposed, Closing, Error, EventKind, Key, Late, Life,
    NoteKind, ProofUse, RequestStop, Revise, StoredRevision, WriteNote, Written, detail,
};

/// Puts a life on record.
pub(super) async fn begin_life(base: &Base, life: Life) -> Result<(), Error> {
    base.record_identity().await.map_err(failed)?;
    let bound = || base.write().bytes(life.0);
    match again_if_lost(base, &base.sql.begin_life, bound).await? {
        Written::Done(_) => {
            base.remember_life(life, true);
            Ok(())
        }
        Written::NotNow | Written::Replayed => {
            Err(Error::not_written("a life that has ended does not begin again: take a new one"))
        }
    }
}

/// Ends a life.
pub(super) async fn end_life(base: &Base, life: Life) -> Result<(), Error> {
    drop(again_if_lost(base, &base.sql.end_life, || base.write().bytes(life.0)).await?);
    base.remember_life(life, false);
    Ok(())
}

/// A sign of life; ends lives that have given none for too long.
pub(super) async fn heartbeat(base: &Base, beat: Beat) -> Result<bool, Error> {
    let dead_after = i64::try_from(beat.dead_after.as_millis()).unwrap_or(i64::MAX);
    let bound = || base.write().bytes(beat.life.0).number(dead_after);
    let goes_on = match again_if_lost(base, &base.sql.heartbeat, bound).await? {
        Written::Done(_) => true,
        Written::NotNow | Written::Replayed => false,
    };
    base.remember_life(beat.life, goes_on);
    Ok(goes_on)
}

/// Puts the use of a proof on record.
pub(super) async fn record_proof(base: &Base, proof: &ProofUse) -> Result<Written, Error> {
    let proof = Proof::of(proof);
    again_if_lost(base, &base.sql.record_proof, || base.write().proof(Some(&proof))).await
}

/// Puts the first request to stop on record; a later one is answered with the moment of the first.
pub(super) async fn request_stop(base: &Base, stop: RequestStop) -> Result<Written, Error> {
    let proof = stop.proof.as_ref().map(Proof::of);
    let bound = || about(base, &stop.key).proof(proof.as_ref()).text(detail::STOP_REQUESTED);
    again_if_lost(base, &base.sql.request_stop, bound).await
}

/// Ends an operation that is still proposed.
pub(super) async fn close_proposed(base: &Base, close: CloseProposed) -> Result<Written, Error> {
    check_texts([close.summary.as_str()])?;
    let proof = close.proof.as_ref().map(Proof::of);
    let state = match close.closing {
        Closing::Cancelled => "cancelled",
        Closing::Expired => "expired",
    };
    let bound = about(base, &close.key)
        .proof(proof.as_ref())
        .text(state)
        .text(close.summary)
        .text(detail::closed(close.closing));
    base.written(&base.sql.close_proposed, bound).await.map_err(failed)
}

/// Issues the next revision, while the operation can be confirmed.
pub(super) async fn revise(base: &Base, revise: Revise) -> Result<Written, Error> {
    check_new_revision(&revise.revision)?;
    check_revision(&revise.revision)?;
    let event = detail::revised(&revise)?;
    let Revise { key, revision, request } = revise;
    let scopes = scopes(&revision)?;
    let bound = about(base, &key)
        .small(revision.number.get())
        .number(revision.expires_at.as_millis())
        .number(revision.schema_version.into())
        .text(revision.full)
        .text(revision.wire)
        .text(revision.summary)
        .bytes(revision.digest)
        .yes_or_no(revision.user_approval_required)
        .text(scopes)
        .text_if_any(revision.url)
        .number(revision.issued_at.as_millis())
        .bytes_if_any(request.map(Into::into))
        .text(event);
    base.written(&base.sql.revise, bound).await.map_err(failed)
}

/// Appends a change, or a checkpoint while nobody has asked.
pub(super) async fn write_note(base: &Base, write: WriteNote) -> Result<Written, Error> {
    let (word, kind, name, value, event) = match write.note {
        NoteKind::Change(text) => {
            let event = detail::change_noted(false).to_owned();
            ("change", EventKind::ChangeNoted, None, text, event)
        }
        NoteKind::Checkpoint { name, value } => {
            let event = detail::remembered(&name)?;
            ("checkpoint", EventKind::Remembered, Some(name), value, event)
        }
    };
    check_texts(name.as_deref())?;
    check_texts([value.as_str()])?;
    let bound = about(base, &write.key)
        .bytes(write.ticket.0)
        .text(word)
        .text_if_any(name)
        .text(value)
        .text(kind.word())
        .text(event);
    match base.written(&base.sql.write_note, bound).await {
        // of two at the same time, the other came first
        Err(failure) if failure.is_duplicate_of("checkpoints") => Ok(Written::NotNow),
        answer => answer.map_err(failed),
    }
}

/// Says when to ask: the performer, who does not know, or whoever asked.
pub(super) async fn ask_later(base: &Base, later: AskLater) -> Result<Written, Error> {
    let event = detail::unsettled(&later)?;
    check_texts([later.why.as_str()])?;
    let (word, ticket, epoch) = match later.by {
        AskLaterBy::Performer(ticket) => ("performer", Some(ticket.0.to_vec()), None),
        AskLaterBy::Asker { epoch } => ("asker", None, Some(epoch)),
        AskLaterBy::Operator { .. } => ("operator", None, None),
    };
    let bound = about(base, &later.key)
        .bytes_if_any(ticket)
        .text(word)
        .small_if_any(epoch)
        .number(later.ask_after.as_millis())
        .number_if_any(millis(later.due))
        .yes_or_no(later.attention)
        .text(event);
    base.written(&base.sql.ask_later, bound).await.map_err(failed)
}

/// Keeps an outcome that came after the end.
pub(super) async fn record_late(base: &Base, late: Late) -> Result<(), Error> {
    let bound =
        about(base, &late.key).text(detail::late(&late)?).text(detail::late_blanked(&late)?);
    match base.written(&base.sql.record_late, bound).await.map_err(failed)? {
        Written::Done(_) => Ok(()),
        Written::NotNow | Written::Replayed => {
            Err(Error::not_written(format!("there is no operation `{}`", late.key.id)))
        }
    }
}

/// The first values of a write about one operation.
pub(super) fn about<'k>(base: &'k Base, key: &'k Key) -> Bound<'k> {
    base.write().text(&key.company).text(key.id.as_str())
}

/// Runs a write that changes nothing when it is run again, and once more when its answer was lost.
pub(super) async fn again_if_lost<'b>(
    base: &Base,
    sql: &str,
    bound: impl Fn() -> Bound<'b>,
) -> Result<Written, Error> {
    match base.written(sql, bound()).await {
        Err(Failure::Lost(why)) => {
            tracing::debug!(why, "an answer was lost: the same is asked again");
            base.written(sql, bound()).await.map_err(|failure| match failure {
                // the first may have been written
                Failure::NotSent(why) => failed(Failure::Lost(why)),
                failure @ (Failure::Refused(_) | Failure::Lost(_)) => failed(failure),
            })
        }
        answer => answer.map_err(failed),
    }
}

/// Refuses a revision that cannot be kept as it is.
pub(super) fn check_revision(revision: &StoredRevision) -> Result<(), Error> {
    let StoredRevision { full, wire, summary, url, scopes, .. } = revision;
    check_texts([full.as_str(), wire, summary])?;
    check_texts(url.as_deref())?;
    check_texts(scopes.iter().map(String::as_str))
}

/// The scopes of a revision as JSON.
pub(super) fn scopes(revision: &StoredRevision) -> Result<String, Error> {
    serde_json::to_string(&revision.scopes)
        .map_err(|error| Error::not_written("scopes cannot be written as JSON").from_source(error))
}
