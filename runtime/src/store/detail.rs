//! What the record says about each event: ids, numbers, who and why, never terms or summaries.

use pap_protocol::operation::{ApprovedBy, Revision, State};
use serde::Serialize;

use super::{AskLater, AskLaterBy, Claim, Closing, Error, FinishBy, Late, Revise, StoredRevision};

/// Revision 1 was issued, of this action, to this agent.
pub(super) fn proposed(new: &super::NewOperation) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Proposed<'a> {
        action: &'a str,
        client: &'a str,
        session: &'a str,
        account: Option<&'a str>,
        revision: u32,
        digest: String,
    }
    json(&Proposed {
        action: &new.open.action,
        client: &new.owner.client,
        session: &new.owner.session,
        account: new.owner.account.as_deref(),
        revision: new.revision.number.get(),
        digest: hex(&new.revision.digest),
    })
}

/// A later revision was issued.
pub(super) fn revised(revise: &Revise) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Revised {
        revision: u32,
        digest: String,
    }
    let StoredRevision { number, digest, .. } = &revise.revision;
    json(&Revised { revision: number.get(), digest: hex(digest) })
}

/// The evidence of a confirmation (section 8).
pub(super) fn confirmed(claim: &Claim) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Confirmed<'a> {
        client: &'a str,
        key_thumbprint: &'a str,
        session: &'a str,
        account: Option<&'a str>,
        revision: Revision,
        digest: String,
        approved_by: ApprovedBy,
    }
    json(&Confirmed {
        client: &claim.by.client,
        key_thumbprint: &claim.by.key_thumbprint,
        session: &claim.by.session,
        account: claim.by.account.as_deref(),
        revision: claim.revision,
        digest: hex(&claim.by.digest),
        approved_by: claim.approved_by,
    })
}

/// It was started, having waited for that.
pub(super) const STARTED: &str = "{}";

/// The company was told that a revision will not be performed.
pub(super) fn released(revision: Revision) -> String {
    format!(r#"{{"revision":{revision}}}"#)
}

/// It was proposed in a copy of the store that was taken into use, or in progress (`None`).
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(super) fn restored(
    state: Option<State>,
    by: Option<&super::RestoredBy>,
) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Restored<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<State>,
        by: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        who: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<&'a str>,
    }
    let (who, why) = by.map(|by| (by.who.as_str(), by.why.as_str())).unzip();
    json(&Restored { state, by: "restored", who, why })
}

/// What an event says once its operation was blanked, and of the blanking itself.
pub(super) const ERASED: &str = "{}";

/// A change was noted while performing, or came with the finish.
pub(super) fn change_noted(with_the_finish: bool) -> &'static str {
    if with_the_finish { r#"{"with_the_finish":true}"# } else { "{}" }
}

/// A checkpoint of this name was written.
pub(super) fn remembered(name: &str) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Remembered<'a> {
        name: &'a str,
    }
    json(&Remembered { name })
}

/// The User asked to stop.
pub(super) const STOP_REQUESTED: &str = "{}";

/// Nobody knows yet, or others finish it.
pub(super) fn unsettled(later: &AskLater) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Unsettled<'a> {
        by: &'static str,
        epoch: Option<u32>,
        ask_after: String,
        due: Option<String>,
        attention: bool,
        why: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        who: Option<&'a str>,
    }
    let (by, epoch, who) = match &later.by {
        AskLaterBy::Performer(_) => ("performer", None, None),
        AskLaterBy::Asker { epoch } => ("asker", Some(*epoch), None),
        AskLaterBy::Operator { who } => ("operator", None, Some(who.as_str())),
    };
    json(&Unsettled {
        by,
        epoch,
        ask_after: later.ask_after.at_utc().to_string(),
        due: later.due.map(|due| due.at_utc().to_string()),
        attention: later.attention,
        why: &later.why,
        who,
    })
}

/// Recovery took the question.
pub(super) fn asked(epoch: u32, asks: u32, died_asking: u32) -> String {
    format!(r#"{{"epoch":{epoch},"asks":{asks},"died_asking":{died_asking}}}"#)
}

/// It ended without having been confirmed.
pub(super) fn closed(closing: Closing) -> &'static str {
    match closing {
        Closing::Cancelled => r#"{"state":"cancelled","by":"cancelled"}"#,
        Closing::Expired => r#"{"state":"expired","by":"expired"}"#,
    }
}

/// It ended after having been confirmed.
pub(super) fn finished(state: State, by: &FinishBy) -> Result<String, Error> {
    #[derive(Serialize, Default)]
    struct Finished<'a> {
        state: &'static str,
        by: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        epoch: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        fence: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        who: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<&'a str>,
    }
    let ended = Finished { state: state.as_str(), ..Finished::default() };
    json(&match by {
        FinishBy::Performer(_) => Finished { by: "performer", ..ended },
        FinishBy::Asker { epoch, fence } => {
            Finished { by: "asker", epoch: Some(*epoch), fence: fence.as_deref(), ..ended }
        }
        FinishBy::AskerInPart { epoch } => Finished { by: "asker", epoch: Some(*epoch), ..ended },
        FinishBy::NotStarted => Finished { by: "not_started", ..ended },
        FinishBy::Settler { who, why } => {
            Finished { by: "settler", who: Some(who), why: Some(why), ..ended }
        }
    })
}

/// An outcome came after the end.
pub(super) fn late(late: &Late) -> Result<String, Error> {
    outcome(late.state, &late.what)
}

/// The same of an operation that was blanked: nothing of it is kept in words.
pub(super) fn late_blanked(late: &Late) -> Result<String, Error> {
    outcome(late.state, "")
}

fn outcome(state: Option<State>, what: &str) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Outcome<'a> {
        state: Option<State>,
        what: &'a str,
    }
    json(&Outcome { state, what })
}

fn json(detail: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(detail)
        .map_err(|error| Error::not_written("an event cannot be put in words").from_source(error))
}

fn hex(bytes: &[u8]) -> String {
    let digit = |digit: u8| char::from_digit(u32::from(digit), 16).unwrap_or_default();
    let mut hex = String::with_capacity(bytes.len() * 2);
    hex.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
    hex
}
