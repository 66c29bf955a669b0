//! An action whose terms have another shape in the code of the next deployment.

mod new;
mod old;

use pap_runtime::{
    Finding, Operations, OrSay, Outcome, Retry, failed_unchanged, failpoint, happened,
    not_seen_yet, succeeded, unknown,
};

use super::World;
use crate::downstream::{Answer, Ask};

/// Which code a node runs: each is a program of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// What `pap-trials` is.
    Old,
    /// What `pap-trials-next` is: it knows the old terms as well, and new ones that the old does not know.
    New,
}

pub(super) fn operations(code: Code) -> Operations<World> {
    match code {
        Code::Old => old::operations(),
        Code::New => new::operations(),
    }
}

/// The one effect, and how the result tells it.
async fn effect(world: &World, key: String, how: &str, told: String) -> Outcome {
    failpoint::passed_waiting("handler.before_effect").await;
    let ask = Ask { key, ..Ask::default() };
    let answer = world.downstream.effect(&ask).await.or_unknown("downstream")?;
    failpoint::passed_waiting("handler.after_effect").await;
    match (answer, how) {
        (None, _) => failed_unchanged("The downstream refused it"),
        (Some(_), "lost") => unknown("the answer was lost"),
        (Some(_), _) => succeeded(told, ()),
    }
}

/// Whether it took effect.
async fn look(world: &World, key: &str, told: String) -> Result<Finding, Retry> {
    match world.downstream.look(key).await? {
        Answer::Happened => happened(told, ()),
        Answer::Done | Answer::Accepted | Answer::Fenced | Answer::NotSeen => not_seen_yet(),
    }
}
