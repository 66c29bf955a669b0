//! Everything on record about an account, for the person it is about.

use pap_protocol::operation::{Confirmation, OperationId, Revision, State};
use pap_protocol::value::Instant;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{AT_ONCE, OperatorError, Operators};
use crate::store::{History, NoteKind, Place, Search, StoredRevision};

/// One operation of an account, as one line of JSON.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Exported {
    /// Its id.
    pub operation_id: OperationId,
    /// The declared action.
    pub action: String,
    /// What the company calls the thing that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Its state.
    pub state: State,
    /// The agent's `client_id`.
    pub client: String,
    /// The agent's identifier of the User.
    pub user: String,
    /// The account.
    pub account: Option<String>,
    revisions: Vec<ExportedRevision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmation: Option<Confirmation>,
    changes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<ExportedResult>,
    events: Vec<ExportedEvent>,
}

#[derive(Debug, Serialize)]
struct ExportedRevision {
    revision: Revision,
    summary: String,
    terms: Box<RawValue>,
    issued_at: Instant,
    expires_at: Instant,
}

#[derive(Debug, Serialize)]
struct ExportedResult {
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Box<RawValue>>,
    at: Instant,
}

#[derive(Debug, Serialize)]
struct ExportedEvent {
    at: Instant,
    kind: &'static str,
}

impl Operators {
    /// Everything on record about an account, operation by operation in proposal order: `line` gets each as
    /// one line of JSON, and ends the export by answering `false`. What is private in terms is not told:
    /// it is the company's. Answers how many operations were told.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Store`], also if a stored text is no JSON.
    pub async fn export(
        &self,
        account: &str,
        mut line: impl FnMut(String) -> bool,
    ) -> Result<u64, OperatorError> {
        let (mut told, mut after): (u64, Option<Place>) = (0, None);
        loop {
            let account = Some(account.to_owned());
            let page =
                self.find(Search { account, after, limit: AT_ONCE, ..Search::default() }).await?;
            for stored in page.operations {
                let exported = exported(self.history(&stored.key.id).await?)?;
                let json = serde_json::to_string(&exported).map_err(unreadable)?;
                told += 1;
                if !line(json) {
                    return Ok(told);
                }
            }
            after = page.next;
            if after.is_none() {
                return Ok(told);
            }
        }
    }
}

fn exported(history: History) -> Result<Exported, OperatorError> {
    let History { stored, revisions, notes, events } = history;
    let result = stored.result.map(|result| {
        let data = result.data.map(raw).transpose()?;
        Ok::<_, OperatorError>(ExportedResult { summary: result.summary, data, at: result.at })
    });
    let changes = notes.into_iter().filter_map(|note| match note.note {
        NoteKind::Change(text) => Some(text),
        NoteKind::Checkpoint { .. } => None,
    });
    Ok(Exported {
        operation_id: stored.key.id,
        action: stored.action,
        reference: stored.reference,
        state: stored.state,
        client: stored.owner.client,
        user: stored.owner.user,
        account: stored.owner.account,
        revisions: revisions.into_iter().map(revision).collect::<Result<_, _>>()?,
        confirmation: stored.confirmed.map(|by| by.confirmation),
        changes: changes.collect(),
        result: result.transpose()?,
        events: events
            .into_iter()
            .map(|event| ExportedEvent { at: event.at, kind: event.kind.word() })
            .collect(),
    })
}

fn revision(stored: StoredRevision) -> Result<ExportedRevision, OperatorError> {
    Ok(ExportedRevision {
        revision: stored.number,
        summary: stored.summary,
        terms: raw(stored.wire)?,
        issued_at: stored.issued_at,
        expires_at: stored.expires_at,
    })
}

fn raw(json: String) -> Result<Box<RawValue>, OperatorError> {
    RawValue::from_string(json).map_err(unreadable)
}

fn unreadable(error: serde_json::Error) -> OperatorError {
    crate::store::Error::corrupt("a stored text is no JSON").from_source(error).into()
}
