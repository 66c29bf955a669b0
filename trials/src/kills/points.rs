//! What has to be done so that a process comes to a fail-point.

use crate::dice::Dice;
use crate::driver::errand::Aim;

/// How a process is brought to its fail-point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// It comes there before it serves.
    Start,
    /// It is asked for these two things.
    Ask([Aim; 2]),
    /// The same, by handlers that are slower than they may be.
    AskTooMuch([Aim; 2]),
    /// It is told to end.
    End,
}

/// Every way in which an action is performed and ends well.
const WELL: [Aim; 5] = [
    Aim::Perform("fenced", "plainly"),
    Aim::Perform("checkpoint", "plainly"),
    Aim::Perform("unfenced", "plainly"),
    Aim::Perform("two-steps", "plainly"),
    Aim::Revise,
];

/// Every way in which it does not.
const BADLY: [Aim; 4] = [
    Aim::Perform("fenced", "lost"),
    Aim::Perform("checkpoint", "lost"),
    Aim::Perform("unfenced", "panicking"),
    Aim::Perform("fenced", "never sent"),
];

/// How a process comes to this point, and at which passage it dies there.
pub(super) fn way_to(point: &str, dice: &mut Dice) -> (Way, u64) {
    // the write of a store's point, or the step of another
    let step = point.strip_prefix("store.").unwrap_or(point);
    let step = step.split('.').next().unwrap_or_default();
    let well = |dice: &mut Dice| dice.one_of(&WELL).copied().unwrap_or(Aim::Revise);
    let badly = |dice: &mut Dice| dice.one_of(&BADLY).copied().unwrap_or(Aim::Revise);
    let either = dice.below(2).saturating_add(1);
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
        "late" | "record_late" => (Way::AskTooMuch([Aim::PerformSlowly("fenced"), well(dice)]), 1),
        "ask_again" => (Way::Ask([Aim::Perform("unfenced", "never sent"), well(dice)]), 1),
        "ask_later" => (Way::Ask([Aim::Perform("handed-over", ""), badly(dice)]), 1),
        "take_askable" | "reconcile" => (Way::Ask([badly(dice), badly(dice)]), 1),
        "perform" if point == "perform.overdue" => {
            (Way::AskTooMuch([Aim::PerformSlowly("unfenced"), well(dice)]), 1)
        }
        _ => (Way::Ask([well(dice), well(dice)]), either),
    }
}
