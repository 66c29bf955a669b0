//! What is listed: operations, open work, pauses, what does not fit together.

use pap_protocol::operation::{OperationId, Revision, State};
use pap_protocol::value::Instant;
use pap_runtime::store::{self, Paused, Running, Stored};
use serde::{Deserialize, Serialize};

use super::VERSION;

/// An operation in a list: ids, moments and counts, nothing of what it says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OperationLine {
    /// Its id.
    pub operation_id: OperationId,
    /// The declared action.
    pub action: String,
    /// As last written.
    pub state: State,
    /// The latest revision: the confirmed one once there is a confirmation.
    pub revision: Revision,
    /// Since when it is in this state; `proposed`: since its latest revision.
    pub since: Instant,
    /// What the company calls the thing that it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reference: Option<String>,
    /// The account.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub account: Option<String>,
    /// Last moment at which it can be confirmed; while `proposed`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expires_at: Option<Instant>,
    /// What is known while in progress.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unsettled: Option<Unsettled>,
    /// When what it said was blanked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub erased_at: Option<Instant>,
}

/// What is known while an operation is in progress.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Unsettled {
    /// Whether a person has to look.
    pub attention: bool,
    /// Whether its handler has not answered yet.
    pub performing: bool,
    /// Whether it waits to be started.
    pub deferred: bool,
    /// How often it was asked about.
    pub asks: u32,
    /// How many processes died asking, in a row. From three on nobody asks until somebody says so.
    pub died_asking: u32,
    /// Not asked about before.
    pub ask_after: Instant,
    /// Until when others were given to finish it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub due: Option<Instant>,
    /// When the User asked to stop.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stop_requested: Option<Instant>,
}

/// From how many processes that died asking on nobody asks by himself.
pub(crate) const PUT_ASIDE: u32 = 3;

impl OperationLine {
    pub(crate) fn of(stored: &Stored) -> Self {
        let confirmed = stored.confirmed.as_ref().map(|by| by.confirmation.confirmed_at);
        let ended = stored.result.as_ref().map(|result| result.at);
        let proposed = stored.state == State::Proposed;
        Self {
            operation_id: stored.key.id.clone(),
            action: stored.action.clone(),
            state: stored.state,
            revision: stored.latest.number,
            since: ended.or(confirmed).unwrap_or(stored.latest.issued_at).at_utc(),
            reference: stored.reference.clone(),
            account: stored.owner.account.clone(),
            expires_at: proposed.then(|| stored.latest.expires_at.at_utc()),
            unsettled: stored.running.as_ref().map(Unsettled::of),
            erased_at: stored.erased.map(|erasure| erasure.at.at_utc()),
        }
    }
}

impl Unsettled {
    fn of(running: &Running) -> Self {
        Self {
            attention: running.attention,
            performing: running.performing,
            deferred: running.life.is_none(),
            asks: running.asks,
            died_asking: running.died_asking,
            ask_after: running.ask_after.at_utc(),
            due: running.due.map(Instant::at_utc),
            stop_requested: running.stop_requested.map(Instant::at_utc),
        }
    }
}

/// Operations in proposal order.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Listing {
    /// 1.
    pub version: u32,
    /// The store's clock.
    pub now: Instant,
    /// The operations.
    pub operations: Vec<OperationLine>,
    /// What `after` is to go on with; absent: that was all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next: Option<i64>,
}

/// What is in progress.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OpenWork {
    /// 1.
    pub version: u32,
    /// The store's clock.
    pub now: Instant,
    /// Action by action; one with nothing in progress is left out.
    pub actions: Vec<OpenLine>,
}

/// What is in progress of one action.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OpenLine {
    /// The action.
    pub action: String,
    /// How many.
    pub in_progress: u64,
    /// When the oldest of them was confirmed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub oldest: Option<Instant>,
    /// How many a person has to look at.
    pub attention: u64,
    /// How many wait to be started.
    pub deferred: u64,
    /// How many were given to others to finish.
    pub handed_over: u64,
}

impl OpenLine {
    pub(crate) fn of(open: store::OpenWork) -> Self {
        let store::OpenWork { action, in_progress, oldest, attention, deferred, handed_over } =
            open;
        let oldest = oldest.map(Instant::at_utc);
        Self { action, in_progress, oldest, attention, deferred, handed_over }
    }
}

/// What is held back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Pauses {
    /// 1.
    pub version: u32,
    /// The store's clock.
    pub now: Instant,
    /// Oldest first.
    pub pauses: Vec<PauseLine>,
}

/// One pause.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PauseLine {
    /// The action; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub action: Option<String>,
    /// `proposals` or `claims`.
    pub what: super::What,
    /// Since when.
    pub since: Instant,
    /// Who paused it.
    pub who: String,
    /// Why.
    pub why: String,
}

impl PauseLine {
    pub(crate) fn of(paused: Paused) -> Self {
        let Paused { action, of, since, who, why } = paused;
        Self { action, what: of.into(), since: since.at_utc(), who, why }
    }
}

/// Whether everything on record fits together.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Verified {
    /// 1.
    pub version: u32,
    /// What does not, one line each; empty: everything does.
    pub broken: Vec<String>,
}

impl Verified {
    pub(crate) fn of(broken: Vec<String>) -> Self {
        Self { version: VERSION, broken }
    }
}
