//! What has to be done so that a process comes to a fail-point.

use pap_runtime::failpoint::ALL;

use crate::dice::Dice;
use crate::driver::errand::Aim;
use crate::place::Kind;

/// How a process is brought to its fail-point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// It comes there before it serves.
    Start,
    /// It is asked for these two things.
    Ask([Aim; 2]),
    /// The same, by handlers that are slower than they may be.
    AskTooMuch([Aim; 2]),
    /// The same, of a node that has room for one at a time.
    Crowd([Aim; 2]),
    /// The same, of a node that sweeps all the time.
    Sweep([Aim; 2]),
    /// It is told to end.
    End,
}

impl Way {
    /// What it is asked for.
    pub(super) fn aims(self) -> Option<[Aim; 2]> {
        match self {
            Self::Ask(aims) | Self::AskTooMuch(aims) | Self::Crowd(aims) | Self::Sweep(aims) => {
                Some(aims)
            }
            Self::Start | Self::End => None,
        }
    }
}

/// The fail-points that a node over such a store can come to.
pub fn points_of(kind: Kind) -> impl Iterator<Item = &'static str> + Clone {
    // the company's own rows are written in one way here and in another there
    let elsewhere = match kind {
        Kind::Sqlite => "settle_in.",
        Kind::Postgres => "settle_with.",
    };
    ALL.iter().copied().filter(move |point| !point.starts_with(elsewhere))
}

/// Every way in which an action is performed and ends well.
const WELL: [Aim; 7] = [
    Aim::Perform("fenced", "plainly"),
    Aim::Perform("checkpoint", "plainly"),
    Aim::Perform("unfenced", "plainly"),
    Aim::Perform("two-steps", "plainly"),
    Aim::Perform("held", "plainly"),
    Aim::Perform("same-store", "plainly"),
    Aim::Revise,
];

/// Every way in which it does not, and somebody is asked.
const BADLY: [Aim; 4] = [
    Aim::Perform("fenced", "lost"),
    Aim::Perform("checkpoint", "lost"),
    Aim::Perform("unfenced", "panicking"),
    Aim::Perform("fenced", "never sent"),
];

/// The same for what is written in the store's own database.
const BESIDE: [Aim; 4] = [
    Aim::Perform("same-store", "plainly"),
    Aim::Perform("same-store", "lost"),
    Aim::Perform("same-store", "panicking"),
    Aim::Perform("same-store", "never sent"),
];

/// How a process over such a store comes to this point, and at which passage it dies there.
pub(super) fn way_to(point: &str, kind: Kind, dice: &mut Dice) -> (Way, u64) {
    // the write of a store's point, or the step of another
    let of_store = point.strip_prefix("store.");
    let step = of_store.unwrap_or(point).split('.').next().unwrap_or_default();
    let well = |dice: &mut Dice| dice.one_of(&WELL).copied().unwrap_or(Aim::Revise);
    let badly = |dice: &mut Dice| dice.one_of(&BADLY).copied().unwrap_or(Aim::Revise);
    let either = dice.below(2).saturating_add(1);
    // a file's points of what is swept are passed where there is something; the others each time
    let each_time = kind == Kind::Postgres || of_store.is_none();
    let swept = if each_time { dice.below(6).saturating_add(1) } else { 1 };
    let slowly = Aim::PerformSlowly("fenced");
    match step {
        "life" | "begin_life" => (Way::Start, 1),
        "close" | "end_life" => (Way::End, 1),
        "revise" => (Way::Ask([Aim::Revise, well(dice)]), 1),
        "note" | "write_note" => {
            (Way::Ask([Aim::Perform("two-steps", "plainly"), well(dice)]), either)
        }
        "checkpoint" => (
            Way::Ask([Aim::Perform("checkpoint", "plainly"), Aim::Perform("handed-over", "")]),
            either,
        ),
        "decline" | "close_proposed" => (Way::Ask([Aim::Decline, well(dice)]), 1),
        "request_stop" | "stop" => (Way::Ask([Aim::Stop, well(dice)]), 1),
        "expire" => (Way::Ask([Aim::LetExpire, well(dice)]), 1),
        "late" | "record_late" => (Way::AskTooMuch([slowly, well(dice)]), 1),
        "ask_again" => (Way::Ask([Aim::Perform("unfenced", "never sent"), well(dice)]), 1),
        "ask_later" => (Way::Ask([Aim::Perform("handed-over", ""), badly(dice)]), 1),
        "take_askable" | "reconcile" => (Way::Ask([badly(dice), badly(dice)]), 1),
        "perform" if point == "perform.overdue" => {
            (Way::AskTooMuch([Aim::PerformSlowly("unfenced"), well(dice)]), 1)
        }
        "settle_in" | "settle_with" => {
            let other = dice.one_of(&BESIDE).copied().unwrap_or(Aim::Revise);
            (Way::Ask([Aim::Perform("same-store", "plainly"), other]), either)
        }
        "handler" if point == "handler.committing" => {
            (Way::Ask([Aim::Perform("same-store", "plainly"), well(dice)]), 1)
        }
        "start" => (Way::Crowd([slowly, slowly]), 1),
        "waiting" => (Way::Crowd([slowly, Aim::Stop]), dice.below(20).saturating_add(1)),
        "heartbeat" => (Way::Ask([well(dice), well(dice)]), dice.below(4).saturating_add(1)),
        "expire_due" => (Way::Sweep([Aim::Forget, well(dice)]), swept),
        "take_releases" if point == "take_releases.after" => {
            (Way::Sweep([Aim::Forget, Aim::Decline]), 1)
        }
        "take_releases" => (Way::Sweep([Aim::Forget, Aim::Decline]), swept),
        "released" | "end_release" => (Way::Sweep([Aim::Forget, Aim::Decline]), 1),
        "pause" | "resume" => (Way::Ask([Aim::Pause, well(dice)]), 1),
        "purge" => (Way::Ask([Aim::Purge, well(dice)]), 1),
        "erase" => (Way::Ask([Aim::Erase, well(dice)]), 1),
        _ => (Way::Ask([well(dice), well(dice)]), either),
    }
}
