//! What the admin router is asked, and what it answers to that.

use pap_protocol::operation::State;
use pap_protocol::value::Instant;
use pap_runtime::operators::HowItEnded;
use pap_runtime::store::PauseOf;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::OperationLine;

/// `POST find`. What is absent does not matter.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Find {
    /// In this state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// Of this action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Of this account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// With this reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Proposed at least so many seconds ago.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older_than_seconds: Option<u64>,
    /// Only those in progress that a person has to look at.
    #[serde(default)]
    pub attention: bool,
    /// The `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
    /// At most so many, 1 to 500; 50 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// How an operation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the ways a confirmed operation can end")]
pub enum Outcome {
    /// The action was performed.
    Succeeded,
    /// It will not be completed.
    Failed,
    /// It was stopped because the User asked.
    Cancelled,
}

/// `POST operations/{id}/settle`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settle {
    /// How it ended.
    pub outcome: Outcome,
    /// For the User: what happened.
    pub summary: String,
    /// For the User: what was changed although it did not succeed. Not with `succeeded`: there the summary
    /// tells it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// `result.data`, with `succeeded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// What this rests on, for the record.
    pub why: String,
}

impl Settle {
    /// The outcome in the runtime's words, or what is wrong with it.
    pub(crate) fn ended(self) -> Result<HowItEnded, &'static str> {
        let Self { outcome, summary, changes, data, why: _ } = self;
        let blank = |text: &String| text.trim().is_empty();
        if blank(&summary) || changes.iter().any(blank) {
            return Err("the summary, or a change, is empty: the User is told what happened by it");
        }
        match outcome {
            Outcome::Succeeded if !changes.is_empty() => Err(
                "`changes` go with `failed` and `cancelled`: what was done is said in the summary",
            ),
            Outcome::Failed | Outcome::Cancelled if data.is_some() => {
                Err("`data` goes with `succeeded`")
            }
            Outcome::Succeeded => Ok(HowItEnded::Succeeded { summary, data }),
            Outcome::Failed => Ok(HowItEnded::Failed { summary, changes }),
            Outcome::Cancelled => Ok(HowItEnded::Stopped { summary, changes }),
        }
    }
}

/// The answer to [`Settle`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Settled {
    /// 1.
    pub version: u32,
    /// Whether it ended now. If not, it had ended before: its first end stands, and what was said now is kept
    /// beside it as late if it differs.
    pub now: Ended,
    /// The operation as it is.
    pub operation: OperationLine,
}

/// Whether an operation ended now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "it ended now, or it had ended")]
pub enum Ended {
    /// It ended now, as said.
    Now,
    /// It had ended before.
    Before,
}

/// The answer to [`AskNow`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Asking {
    /// 1.
    pub version: u32,
    /// The operation as it is.
    pub operation: OperationLine,
}

/// `POST operations/{id}/ask-now`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskNow {
    /// For the record.
    pub why: String,
}

/// What a pause holds back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the two things a store holds back")]
pub enum What {
    /// New operations.
    Proposals,
    /// Confirmations.
    Claims,
}

impl What {
    /// The word.
    pub fn word(self) -> &'static str {
        PauseOf::from(self).word()
    }
}

impl From<PauseOf> for What {
    fn from(of: PauseOf) -> Self {
        match of {
            PauseOf::Proposals => Self::Proposals,
            PauseOf::Claims => Self::Claims,
        }
    }
}

impl From<What> for PauseOf {
    fn from(what: What) -> Self {
        match what {
            What::Proposals => Self::Proposals,
            What::Claims => Self::Claims,
        }
    }
}

/// `POST pause`, answered by [`Pauses`](super::Pauses), and `POST resume`, answered by [`Resumed`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HoldBack {
    /// The action; absent: all of them at once, which is a pause of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// What of it.
    pub what: What,
    /// For the record.
    pub why: String,
}

/// The answer to `POST resume`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Resumed {
    /// 1.
    pub version: u32,
    /// Whether there was such a pause.
    pub was_paused: bool,
}

/// `POST purge`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PurgeAction {
    /// Of this action.
    pub action: String,
    /// That ended before this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_before: Option<Instant>,
    /// Or at least so many seconds ago. One of the two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older_than_seconds: Option<u64>,
    /// Count them, and remove nothing.
    #[serde(default)]
    pub dry_run: bool,
    /// For the record; a dry run needs none.
    #[serde(default)]
    pub why: String,
}

/// The answer to [`PurgeAction`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Purged {
    /// 1.
    pub version: u32,
    /// Whether nothing was removed, because it was not to be.
    pub dry_run: bool,
    /// The moment that was meant.
    pub ended_before: Instant,
    /// How many operations were removed; of a dry run, how many would be now.
    pub operations: u32,
}

/// `POST erase`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EraseAccount {
    /// Of this account.
    pub account: String,
    /// Count them, and blank nothing.
    #[serde(default)]
    pub dry_run: bool,
    /// For the record, so without the account; a dry run needs none.
    #[serde(default)]
    pub why: String,
}

/// The answer to [`EraseAccount`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Erased {
    /// 1.
    pub version: u32,
    /// Whether nothing was blanked, because it was not to be.
    pub dry_run: bool,
    /// How many operations were blanked; of a dry run, how many would be now.
    pub operations: u32,
    /// How many are not over, and stay as they are: ask again when they are.
    pub open: u32,
}

/// `POST export`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportAccount {
    /// Of this account.
    pub account: String,
    /// The `next` of the piece before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
}

/// A piece of an export: everything on record about an account, for the person it is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Exported {
    /// 1.
    pub version: u32,
    /// In proposal order.
    pub operations: Vec<Value>,
    /// What `after` is to go on with; absent: that was all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next: Option<i64>,
}

/// `GET events`, as its query.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Events {
    /// After this cursor; absent: from the first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// At most so many, 1 to 500; 100 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// What `restore` came to: of the command alone, as a store that was restored has no process to ask.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Restored {
    /// 1.
    pub version: u32,
    /// How the store was seen to be a copy; absent: nothing showed it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seen: Option<String>,
    /// How many proposals expired, of all companies in the store.
    pub expired: u64,
    /// How many operations in progress are asked about, of all companies in the store.
    pub asked: u64,
}

/// Something was not done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Fault {
    /// 1.
    pub version: u32,
    /// A word that does not change.
    pub error: String,
    /// For a person.
    pub message: String,
}
