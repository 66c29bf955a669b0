//! The comparison: what took effect, what is on record, and what agents were told.

use std::collections::BTreeSet;
use std::fmt::{Display, Formatter};
use std::ops::AddAssign;
use std::sync::Arc;

use pap_runtime::State;
use pap_runtime::store::{EventKind, History, Key, Store};

use super::record::{Acknowledged, Record};
use crate::Fault;
use crate::downstream::ledger::Counts;
use crate::node::{steps_of, told};

/// What a comparison found. Each line names an operation.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// How many operations were compared.
    pub operations: usize,
    /// How many of them are confirmed.
    pub confirms: usize,
    /// Steps that took effect more than once.
    pub double_effects: Vec<String>,
    /// What was acknowledged and is not on record.
    pub lost: Vec<String>,
    /// Final states that are not true, and effects of what was never confirmed.
    pub wrong_finals: Vec<String>,
    /// Operations that are still in progress.
    pub unknown: Vec<String>,
    /// What was let go of and must not be, or was not and nobody will.
    pub wrong_releases: Vec<String>,
    /// Holds that were let go.
    pub let_go: usize,
    /// Holds that are on record to be let go.
    pub owed: usize,
    /// What the store itself finds broken.
    pub broken: Vec<String>,
}

/// What happened outside of the operations' record.
#[derive(Debug, Clone, Default)]
pub struct Happened {
    /// How often each key took effect.
    pub effects: Counts,
    /// How often each hold was taken.
    pub held: Counts,
    /// How often each hold was let go.
    pub let_go: Counts,
    /// Releases that are still to be told, as `id:revision`.
    pub owed: Vec<String>,
}

impl Found {
    /// Whether nothing is wrong. What is still unknown is not.
    pub fn is_good(&self) -> bool {
        self.wrong().next().is_none()
    }

    /// Every line that is wrong.
    pub fn wrong(&self) -> impl Iterator<Item = &String> {
        let told = self.double_effects.iter().chain(&self.lost).chain(&self.wrong_finals);
        told.chain(&self.wrong_releases).chain(&self.broken)
    }
}

impl AddAssign for Found {
    fn add_assign(&mut self, other: Self) {
        self.operations = self.operations.saturating_add(other.operations);
        self.confirms = self.confirms.saturating_add(other.confirms);
        self.double_effects.extend(other.double_effects);
        self.lost.extend(other.lost);
        self.wrong_finals.extend(other.wrong_finals);
        self.unknown.extend(other.unknown);
        self.wrong_releases.extend(other.wrong_releases);
        self.let_go = self.let_go.saturating_add(other.let_go);
        self.owed = self.owed.saturating_add(other.owed);
        self.broken.extend(other.broken);
    }
}

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} double effects, {} lost acknowledged records, {} wrong finals, {} wrong releases, \
             {} broken records, {} still unknown; {} holds let go, {} still to be",
            self.double_effects.len(),
            self.lost.len(),
            self.wrong_finals.len(),
            self.wrong_releases.len(),
            self.broken.len(),
            self.unknown.len(),
            self.let_go,
            self.owed
        )
    }
}

/// Compares operation by operation.
///
/// # Errors
///
/// If the store does not answer.
pub async fn compare(
    store: &Arc<dyn Store>,
    happened: &Happened,
    record: &Record,
) -> Result<Found, Fault> {
    let effects = &happened.effects;
    let mut found = Found::default();
    let acknowledged = record.operations();
    let mut ids: BTreeSet<&str> = acknowledged.keys().map(String::as_str).collect();
    ids.extend(effects.keys().filter_map(|key| key.rsplit_once(':')).map(|(id, _)| id));
    for (key, count) in effects.iter().filter(|(_, count)| **count > 1) {
        found.double_effects.push(format!("{key}: {count} times"));
    }
    // a client that was told two things has lost one of them
    found.lost.extend(record.contradictions());
    for id in ids {
        found.operations = found.operations.saturating_add(1);
        let key = Key { company: "Trials".to_owned(), id: id.parse()? };
        match store.history(&key).await? {
            None => found.lost.push(format!("{id}: not on record at all")),
            Some(history) => {
                one(&mut found, id, &history, effects, acknowledged.get(id));
                released(&mut found, &history, happened);
            }
        }
    }
    found.broken = store.keeping().verify("Trials").await?;
    Ok(found)
}

fn one(
    found: &mut Found,
    id: &str,
    history: &History,
    effects: &Counts,
    acknowledged: Option<&Acknowledged>,
) {
    let stored = &history.stored;
    let confirmed = usize::from(stored.confirmed.is_some());
    found.confirms = found.confirms.saturating_add(confirmed);
    if stored.state == State::InProgress {
        found.unknown.push(id.to_owned());
    }
    let lost = acknowledged.and_then(|acknowledged| lost(history, acknowledged));
    found.lost.extend(lost.map(|lost| format!("{id}: {lost}")));
    let took = |step: &str| effects.get(&format!("{id}:{step}")).copied().unwrap_or_default() > 0;
    let steps = steps_of(&stored.action).iter().map(|step| (*step, took(step)));
    let wrong = steps.filter_map(|(step, took)| wrong(history, step, took));
    found.wrong_finals.extend(wrong.map(|wrong| format!("{id}: {wrong}")));
}

/// Each hold of a revision that will not be performed was let go, or is on record to be; none that was
/// performed with was.
fn released(found: &mut Found, history: &History, happened: &Happened) {
    let stored = &history.stored;
    let id = &stored.key.id;
    let confirmed = stored.confirmed.as_ref().map(|confirmed| confirmed.confirmation.revision);
    for revision in &history.revisions {
        let terms: Terms = serde_json::from_str(&revision.full).unwrap_or_default();
        let Some(hold) = terms.hold else { continue };
        let number = revision.number;
        let let_go = happened.let_go.get(&hold).copied().unwrap_or_default() > 0;
        let owed = happened.owed.contains(&format!("{id}:{number}"));
        found.let_go = found.let_go.saturating_add(usize::from(let_go));
        found.owed = found.owed.saturating_add(usize::from(owed));
        let open = number == stored.latest.number && stored.state == State::Proposed;
        let wrong = match (open || confirmed == Some(number), let_go || owed) {
            (true, true) => "was or will be let go, and may still be used",
            (false, false) => "is let go by nobody",
            _ if !happened.held.contains_key(&hold) => "was never taken",
            _ => continue,
        };
        found.wrong_releases.push(format!("{hold} of revision {number}: {wrong}"));
    }
}

/// What of an operation's terms this is about.
#[derive(Default, serde::Deserialize)]
struct Terms {
    hold: Option<String>,
}

/// What an agent was told that is not on record.
fn lost(history: &History, acknowledged: &Acknowledged) -> Option<String> {
    let stored = &history.stored;
    if u64::from(stored.latest.number.get()) < acknowledged.revision {
        return Some(format!("revision {} is not on record", acknowledged.revision));
    }
    if acknowledged.confirmed && stored.confirmed.is_none() {
        return Some(format!("it was confirmed, and is {}", stored.state));
    }
    let stop = history.events.iter().any(|event| event.kind == EventKind::StopRequested);
    if acknowledged.stop && !stop {
        return Some("the request to stop is not on record".to_owned());
    }
    let (state, summary) = acknowledged.ended.as_ref()?;
    let now = stored.result.as_ref().map(|result| result.summary.as_str()).unwrap_or_default();
    (stored.state.as_str() != state || now != summary)
        .then(|| format!("it was told to be {state}, and is {}", stored.state))
}

/// What a state says that is not true of a step.
fn wrong(history: &History, step: &str, took: bool) -> Option<String> {
    let stored = &history.stored;
    let result = stored.result.as_ref();
    let tells = result.is_some_and(|result| result.summary.contains(&told(step)));
    match (stored.state, took) {
        (State::Succeeded, false) => Some(format!("succeeded, and {step} did not take effect")),
        (State::Failed | State::Cancelled, true) if !tells => {
            Some(format!("{}, and {step} took effect untold", stored.state))
        }
        (State::Failed | State::Cancelled, false) if tells => {
            Some(format!("{}, and tells {step}, which did not take effect", stored.state))
        }
        (State::Proposed | State::Expired, true) => {
            Some(format!("{}, and {step} took effect", stored.state))
        }
        _ => None,
    }
}
