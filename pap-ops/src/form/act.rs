//! What operators did.

use pap_protocol::value::Instant;
use pap_runtime::store::{self, ActKind};
use serde::{Deserialize, Serialize};

use super::{VERSION, What};

/// `GET acts`, as its query.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadActs {
    /// After the one of this number; absent: from the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// At most so many, 1 to 500; 100 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// What operators did: each thing that changed something, with who and why.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Acts {
    /// 1.
    pub version: u32,
    /// Oldest first.
    pub acts: Vec<ActLine>,
    /// What `after` is to go on with; absent: that was all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next: Option<u64>,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "what is kept with who and why; settling is in events")]
pub enum Act {
    /// Something was held back.
    Pause,
    /// It is held back no longer.
    Resume,
    /// Operations were removed.
    Purge,
    /// Operations of an account were blanked. Which account is not kept.
    Erase,
}

/// One act.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ActLine {
    /// Its number, from 1 on and without gaps.
    pub number: u64,
    /// When; of a purge or an erasure, when the first operation went.
    pub at: Instant,
    /// What was done.
    pub act: Act,
    /// What was held back, or is no longer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub what: Option<What>,
    /// The action; absent: all of them, or an account was blanked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub action: Option<String>,
    /// How many operations were removed, or blanked, so far.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub operations: Option<u32>,
    /// Who did it.
    pub who: String,
    /// Why.
    pub why: String,
}

impl Acts {
    pub(crate) fn of(acts: Vec<store::Act>, limit: u32) -> Self {
        let is_full = u32::try_from(acts.len()).is_ok_and(|many| many == limit);
        let next = acts.last().map(|act| act.number).filter(|_| is_full);
        Self { version: VERSION, acts: acts.into_iter().map(ActLine::of).collect(), next }
    }
}

impl ActLine {
    fn of(act: store::Act) -> Self {
        let store::Act { number, at, kind, action, who, why, operations } = act;
        let (act, operations) = match kind {
            ActKind::Pause(_) => (Act::Pause, None),
            ActKind::Resume(_) => (Act::Resume, None),
            ActKind::Purge => (Act::Purge, Some(operations)),
            ActKind::Erase => (Act::Erase, Some(operations)),
        };
        let what = kind.of().map(What::from);
        Self { number, at: at.at_utc(), act, what, action, operations, who, why }
    }
}
