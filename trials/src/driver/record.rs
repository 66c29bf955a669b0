//! What agents were told: nothing of it may be gone or other later.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// What agents were told about each operation. Clones are one.
#[derive(Debug, Clone, Default)]
pub struct Record(Arc<Mutex<Told>>);

#[derive(Debug, Default)]
struct Told {
    operations: BTreeMap<String, Acknowledged>,
    contradictions: Vec<String>,
    now: Moment,
}

impl Told {
    fn next(&mut self) -> Moment {
        self.now = Moment(self.now.0.saturating_add(1));
        self.now
    }
}

/// The most that was acknowledged about one operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Acknowledged {
    /// The latest revision that was shown.
    pub revision: u64,
    /// It was confirmed: it was said to be in progress, or to have ended as only a confirmed one can.
    pub confirmed: bool,
    /// The request to stop was taken.
    pub stop: bool,
    /// The final state and its summary.
    pub ended: Option<(String, String)>,
    /// When that was heard first.
    ended_at: Moment,
    /// When it was first heard to be confirmed.
    confirmed_at: Moment,
}

/// A moment in the order in which requests were sent and answers heard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u64);

impl Record {
    /// The moment at which a request is sent.
    pub fn sends(&self) -> Moment {
        self.lock().next()
    }

    /// An agent was told this about an operation, in answer to a request that was sent then. What it says may
    /// be older than what another request heard meanwhile; it may not be older than what was heard before.
    pub fn told(&self, id: &str, operation: &Value, sent: Moment) {
        let text =
            |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let state = text(operation.get("state"));
        let mut told = self.lock();
        let now = told.next();
        let Told { operations, contradictions, .. } = &mut *told;
        let known = operations.entry(id.to_owned()).or_default();
        let revision = operation.get("revision").and_then(Value::as_u64).unwrap_or_default();
        known.revision = known.revision.max(revision);
        if !known.confirmed && matches!(state.as_str(), "in_progress" | "succeeded" | "failed") {
            known.confirmed = true;
            known.confirmed_at = now;
        }
        if matches!(state.as_str(), "proposed" | "in_progress") {
            if let Some((ended, _)) = known.ended.as_ref().filter(|_| known.ended_at < sent) {
                contradictions.push(format!("{id}: {ended}, and then {state}"));
            }
            if state == "proposed" && known.confirmed && known.confirmed_at < sent {
                contradictions.push(format!("{id}: confirmed, and then proposed"));
            }
            return;
        }
        let summary = text(operation.get("result").and_then(|result| result.get("summary")));
        let end = (state, summary);
        match &known.ended {
            None => {
                known.ended = Some(end);
                known.ended_at = now;
            }
            Some(first) if *first == end => {}
            Some(first) => contradictions.push(format!("{id}: {first:?}, and then {end:?}")),
        }
    }

    /// The request to stop this operation was taken.
    pub fn asked_to_stop(&self, id: &str) {
        self.lock().operations.entry(id.to_owned()).or_default().stop = true;
    }

    /// What was acknowledged about each operation.
    pub fn operations(&self) -> BTreeMap<String, Acknowledged> {
        self.lock().operations.clone()
    }

    /// An answer was one that must never be.
    pub fn must_not_be(&self, what: String) {
        self.lock().contradictions.push(what);
    }

    /// Answers that contradict an earlier one.
    pub fn contradictions(&self) -> Vec<String> {
        self.lock().contradictions.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
