//! The load: one agent after another errand, at whichever node serves.

use std::time::Duration;

use tokio::sync::watch;

use crate::dice::Dice;
use crate::driver::errand::{Aim, Errand};
use crate::driver::street::Street;

/// What agents ask for, most of all what ends well.
const AIMS: [Aim; 20] = [
    Aim::Perform("fenced", "plainly"),
    Aim::Perform("fenced", "plainly"),
    Aim::Perform("fenced", "plainly"),
    Aim::Perform("checkpoint", "plainly"),
    Aim::Perform("checkpoint", "plainly"),
    Aim::Perform("two-steps", "plainly"),
    Aim::Perform("two-steps", "plainly"),
    Aim::Perform("unfenced", "plainly"),
    Aim::Perform("handed-over", ""),
    Aim::Perform("fenced", "lost"),
    Aim::Perform("checkpoint", "panicking"),
    Aim::Perform("fenced", "never sent"),
    Aim::Perform("held", "plainly"),
    Aim::Perform("same-store", "plainly"),
    Aim::Perform("same-store", "plainly"),
    Aim::Perform("same-store", "panicking"),
    Aim::Revise,
    Aim::Revise,
    Aim::Decline,
    Aim::Forget,
];

/// One in so many is stopped or slow, which takes its time.
const SLOWLY: u64 = 25;

/// An errand that came to no end so often is left to recovery.
const TRIES: u32 = 6;

/// Runs errands until it is told to end; every one of them.
pub(super) async fn goes_on(
    street: &Street,
    serving: watch::Receiver<Vec<String>>,
    ended: watch::Receiver<bool>,
    number: u64,
    mut dice: Dice,
) -> Vec<Errand> {
    let mut all = Vec::new();
    for round in 0_u64.. {
        if *ended.borrow() {
            break;
        }
        let slow = dice.below(SLOWLY) == 0;
        let aim = match (slow, dice.below(2)) {
            (true, 0) => Aim::Stop,
            (true, _) => Aim::PerformSlowly("fenced"),
            (false, _) => dice.one_of(&AIMS).copied().unwrap_or(Aim::Revise),
        };
        let mut errand = Errand::new(aim, format!("{number} {round}"));
        while errand.tries() < TRIES && !*ended.borrow() {
            let node = dice.one_of(&serving.borrow()).cloned();
            let done = match node {
                Some(node) => errand.run(&street.agent, &node).await.is_ok(),
                None => false,
            };
            if done {
                break;
            }
            // nobody serves, or whoever did is gone: the next is up in a moment
            tokio::time::sleep(Duration::from_millis(dice.below(100))).await;
        }
        all.push(errand);
    }
    all
}
