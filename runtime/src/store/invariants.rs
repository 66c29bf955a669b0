//! What fits together on the record of one operation, and among what operators did, whichever store keeps it.

use pap_protocol::operation::State;

use super::guard::{can_be, is_blank, is_sound};
use super::{Act, ActKind, EventKind, History, Paused};

/// What does not.
pub(super) fn broken(history: &History) -> Vec<&'static str> {
    let History { stored, revisions, notes, events } = history;
    let count = |kind: EventKind| events.iter().filter(|event| event.kind == kind).count();
    let whole = if stored.erased.is_some() { is_blank } else { is_sound };
    let numbered = (1_u32..).zip(revisions).all(|(number, is)| is.number.get() == number);
    let ended = count(EventKind::Ended);
    let checks = [
        (
            can_be(stored.state, stored.confirmed.is_some()),
            "its state does not follow from its confirmation",
        ),
        (revisions.iter().all(whole), "the digest of a revision is not that of its words"),
        (
            numbered && revisions.last() == Some(&stored.latest),
            "its revisions are not numbered from 1 to the latest",
        ),
        (
            stored.running.is_some() == (stored.state == State::InProgress),
            "it is on the list of open work and not in progress, or the other way round",
        ),
        (
            stored.result.is_some() == stored.state.is_final(),
            "it has a result and is not final, or the other way round",
        ),
        (stored.erased.is_none() || stored.state.is_final(), "it was blanked and is not final"),
        (
            events.first().is_some_and(|first| first.kind == EventKind::Proposed)
                && events.is_sorted_by(|one, next| one.sequence < next.sequence),
            "its record does not begin with its proposal, or is out of order",
        ),
        (ended == usize::from(stored.state.is_final()), "its record tells another end than it has"),
        (
            count(EventKind::Confirmed) == usize::from(stored.confirmed.is_some()),
            "its record tells another confirmation than it has",
        ),
        (
            count(EventKind::Revised) + 1 == revisions.len(),
            "its record tells other revisions than it has",
        ),
        (
            count(EventKind::ChangeNoted) + count(EventKind::Remembered) == notes.len(),
            "its record tells other notes than it has",
        ),
    ];
    checks.into_iter().filter(|(holds, _)| !holds).map(|(_, what)| what).collect()
}

/// What operators of a company did, beside what is there of it: read in this order, since a company at work may blank,
/// hold back and remove meanwhile.
pub(super) struct Acted {
    /// So many of its operations are blanked.
    pub(super) blanked: u64,
    pub(super) pauses: Vec<Paused>,
    /// All of its acts, in order.
    pub(super) acts: Vec<Act>,
    /// So many of its operations were removed, by somebody or by nobody.
    pub(super) removed: u64,
}

impl Acted {
    /// What does not fit together.
    pub(super) fn broken(&self) -> Vec<String> {
        let numbered = (1_u64..).zip(&self.acts).all(|(number, act)| act.number == number);
        let told = |kind: ActKind| {
            let of_kind = self.acts.iter().filter(|act| act.kind == kind);
            of_kind.map(|act| u64::from(act.operations)).sum::<u64>()
        };
        let checks = [
            (numbered, "they are not numbered from 1 on without gaps"),
            (
                self.acts.iter().all(|act| act.kind.of().is_some() == (act.operations == 0)),
                "one of them is on record with operations of another kind of act",
            ),
            (self.blanked <= told(ActKind::Erase), "more operations are blanked than they tell"),
            (
                told(ActKind::Purge) <= self.removed,
                "they tell of more removed operations than are gone",
            ),
            (
                self.pauses.iter().all(|paused| self.acts.iter().any(|act| is_pause(act, paused))),
                "something is held back, and they do not tell by whom",
            ),
        ];
        let broken = checks.into_iter().filter(|(holds, _)| !holds);
        broken.map(|(_, what)| format!("what operators did: {what}")).collect()
    }
}

fn is_pause(act: &Act, paused: &Paused) -> bool {
    act.kind == ActKind::Pause(paused.of)
        && (&act.action, act.at, &act.who, &act.why)
            == (&paused.action, paused.since, &paused.who, &paused.why)
}
