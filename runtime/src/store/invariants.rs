//! What fits together on the record of one operation, whichever store keeps it.

use pap_protocol::operation::State;

use super::guard::{can_be, is_blank, is_sound};
use super::{EventKind, History};

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
