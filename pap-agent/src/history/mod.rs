//! What a Company has said before: what it says now must agree with it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pap_protocol::operation::{Confirmation, Operation, OperationId, Revision, State};
use pap_protocol::value::Instant;

use crate::digest::Digest;
use crate::open::OpenOperation;

/// How many operations are remembered; the final ones go first.
const REMEMBERED_MAX: usize = 1024;

/// The Company contradicts what it said before about the same operation. Nothing it says about this
/// operation is to be relied on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// Revisions are fixed once issued (section 3.1).
    #[error("revision {revision} of `{operation_id}` does not say what it said before")]
    ChangedTerms {
        /// The operation.
        operation_id: OperationId,
        /// The revision.
        revision: Revision,
    },
    /// Revision numbers only grow (section 3.1).
    #[error("`{operation_id}` went back from revision {before} to {now}")]
    RevisionWentBack {
        /// The operation.
        operation_id: OperationId,
        /// The revision that was seen before.
        before: Revision,
        /// The revision that was seen now.
        now: Revision,
    },
    /// After an operation is confirmed, its terms cannot change (section 3.1).
    #[error("`{operation_id}` has a new revision {now} after it was confirmed")]
    RevisedAfterConfirm {
        /// The operation.
        operation_id: OperationId,
        /// The new revision.
        now: Revision,
    },
    /// A final operation never changes state, and a confirmed one is never proposed again (section 3).
    #[error("`{operation_id}` went from `{before}` to `{now}`")]
    StateWentBack {
        /// The operation.
        operation_id: OperationId,
        /// The state that was seen before.
        before: State,
        /// The state that was seen now.
        now: State,
    },
    /// There is one confirmation, and it stays.
    #[error("the confirmation of `{operation_id}` is not what it was before")]
    ConfirmationChanged {
        /// The operation.
        operation_id: OperationId,
    },
    /// What happened is said once.
    #[error("the result of `{operation_id}` is not what it was before")]
    ResultChanged {
        /// The operation.
        operation_id: OperationId,
    },
}

/// Everything that one agent has seen.
#[derive(Debug, Default)]
pub(crate) struct History(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    steps: u64,
    seen: HashMap<(String, OperationId), Seen>,
}

/// A moment in the history: taken before a request, so that an answer that was overtaken is told from
/// one that contradicts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mark {
    /// After that many answers.
    After(u64),
    /// Nobody knows when what is said was written, as in a message.
    Unknown,
}

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It is the newest that is known.
    Newest,
    /// Another answer overtook it: ask again.
    Overtaken,
}

/// What was seen last of one operation.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    at: u64,
    pub(crate) revision: Revision,
    pub(crate) state: State,
    /// Not to be read before that.
    pub(crate) read_at: Option<Instant>,
    confirmation: Option<Confirmation>,
    result: Option<Digest>,
    digests: BTreeMap<Revision, Digest>,
}

impl History {
    pub(crate) fn mark(&self) -> Mark {
        Mark::After(self.inner().steps)
    }

    pub(crate) fn seen(&self, company: &str, id: &OperationId) -> Option<Seen> {
        self.inner().seen.get(&(company.to_owned(), id.clone())).cloned()
    }

    /// Takes over what the answer to a request after `mark` says, if it agrees with what is known here
    /// and with what was kept before the last restart.
    pub(crate) fn take(
        &self,
        (company, mark): (&str, Mark),
        operation: &Operation,
        digest: Digest,
        kept: Option<&OpenOperation>,
    ) -> Result<Taken, Contradiction> {
        let mut inner = self.inner();
        let key = (company.to_owned(), operation.operation_id.clone());
        let before = inner.seen.get(&key).cloned().or_else(|| kept.map(Seen::from_kept));
        if let Some(before) = &before {
            before.same_revision_says_the_same(operation, digest)?;
            match before.contradiction(operation) {
                Some(_) if mark.is_before(before.at) => return Ok(Taken::Overtaken),
                Some(contradiction) => return Err(contradiction),
                None => {}
            }
        }
        inner.steps += 1;
        let seen = Seen::next(before, inner.steps, operation, digest);
        inner.seen.insert(key, seen);
        inner.forget_final_ones();
        Ok(Taken::Newest)
    }

    /// The Company wants to be left alone until then.
    pub(crate) fn wait_until(&self, company: &str, id: &OperationId, read_at: Instant) {
        if let Some(seen) = self.inner().seen.get_mut(&(company.to_owned(), id.clone())) {
            seen.read_at = Some(read_at);
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mark {
    fn is_before(self, at: u64) -> bool {
        match self {
            Self::After(steps) => at > steps,
            Self::Unknown => true,
        }
    }
}

impl Inner {
    fn forget_final_ones(&mut self) {
        if self.seen.len() <= REMEMBERED_MAX {
            return;
        }
        let mut ages: Vec<u64> =
            self.seen.values().filter(|seen| seen.state.is_final()).map(|seen| seen.at).collect();
        ages.sort_unstable();
        // half of them at once, so that this is not done for every answer
        if let Some(limit) = ages.get(ages.len() / 2).copied() {
            self.seen.retain(|_, seen| !seen.state.is_final() || seen.at > limit);
        }
    }
}

impl Seen {
    fn from_kept(open: &OpenOperation) -> Self {
        Self {
            at: 0,
            revision: open.revision,
            state: open.state,
            read_at: None,
            confirmation: None,
            result: None,
            digests: BTreeMap::from([(open.revision, open.digest)]),
        }
    }

    fn next(before: Option<Self>, at: u64, operation: &Operation, digest: Digest) -> Self {
        let mut digests = before.map(|before| before.digests).unwrap_or_default();
        digests.insert(operation.revision, digest);
        Self {
            at,
            revision: operation.revision,
            state: operation.state,
            read_at: None,
            confirmation: operation.confirmation.clone(),
            result: result_digest(operation),
            digests,
        }
    }

    /// No order of answers can explain two texts of one revision.
    fn same_revision_says_the_same(
        &self,
        operation: &Operation,
        digest: Digest,
    ) -> Result<(), Contradiction> {
        match self.digests.get(&operation.revision) {
            Some(before) if *before != digest => Err(Contradiction::ChangedTerms {
                operation_id: operation.operation_id.clone(),
                revision: operation.revision,
            }),
            Some(_) | None => Ok(()),
        }
    }

    fn contradiction(&self, now: &Operation) -> Option<Contradiction> {
        let operation_id = now.operation_id.clone();
        if now.revision < self.revision {
            let (before, now) = (self.revision, now.revision);
            return Some(Contradiction::RevisionWentBack { operation_id, before, now });
        }
        if now.revision > self.revision && self.state != State::Proposed {
            return Some(Contradiction::RevisedAfterConfirm { operation_id, now: now.revision });
        }
        if !may_follow(self.state, now.state) {
            let (before, now) = (self.state, now.state);
            return Some(Contradiction::StateWentBack { operation_id, before, now });
        }
        let confirmed = self.confirmation.as_ref();
        if confirmed.is_some_and(|confirmed| now.confirmation.as_ref() != Some(confirmed)) {
            return Some(Contradiction::ConfirmationChanged { operation_id });
        }
        let result_changed = self.result.is_some() && self.result != result_digest(now);
        result_changed.then_some(Contradiction::ResultChanged { operation_id })
    }
}

/// Which states can be seen after which (section 3).
fn may_follow(before: State, now: State) -> bool {
    if before.is_final() {
        return now == before;
    }
    before == State::Proposed || !matches!(now, State::Proposed | State::Expired)
}

fn result_digest(operation: &Operation) -> Option<Digest> {
    let result = operation.result.as_ref()?;
    let data = result.data.as_ref().map(|data| pap_protocol::json::canonical(data.get()));
    Some(Digest::of([result.summary.as_str(), data.as_deref().unwrap_or_default()]))
}

#[cfg(test)]
mod tests;
