//! The operations of the trials: one effect or two, and each way to find out about them.

use std::time::Duration;

use pap_runtime::{
    Confirmed, Fence, Finding, NotOffered, Operations, OrSay, Outcome, Proposal, Retry, Shape,
    StopAnswer, Terms, did_not_and_cannot, failed_unchanged, failpoint, handed_over, happened,
    not_seen_yet, operation, operations, partly, stopped_unchanged, succeeded, unknown,
};
use rustix::process::{Signal, getpid, kill_process};
use serde::{Deserialize, Serialize};

use super::{World, Wrong};
use crate::downstream::{Answer, Ask};

/// The actions, as their routes end.
pub const ACTIONS: [&str; 9] = [
    "fenced",
    "checkpoint",
    "unfenced",
    "handed-over",
    "two-steps",
    "operator",
    "held",
    "same-store",
    "kept",
];

/// The steps of an action, as its keys end.
pub fn steps_of(action: &str) -> &'static [&'static str] {
    match action {
        "trial.two_steps" => &["first", "second"],
        _ => &["effect"],
    }
}

/// How a result's summary tells an effect.
pub fn told(step: &str) -> String {
    format!("The step {step} took effect.")
}

pub(super) fn operations() -> Operations<World> {
    operations![Fenced, WithCheckpoint, Unfenced, HandedOver, TwoSteps, ByOperator]
        .and(super::hooked::operations())
}

/// What an agent asks for.
#[derive(Debug, Serialize, Deserialize, Shape)]
pub(crate) struct Request {
    /// What makes two requests the same action.
    item: String,
    /// How the handler behaves: `plainly` unless said.
    how: Option<String>,
    /// How long the request is on its way before it takes effect.
    before_ms: Option<u32>,
    /// How long its answer is on its way.
    after_ms: Option<u32>,
    /// How long it can be confirmed.
    expires_ms: Option<u32>,
}

/// What the User approves.
#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(summary = "Do {item} {how}, {before_ms} ms there and {after_ms} ms back.")]
pub(crate) struct TrialTerms {
    /// What.
    pub(crate) item: String,
    /// How the handler behaves.
    pub(crate) how: String,
    /// How long the request is on its way before it takes effect.
    pub(crate) before_ms: u32,
    /// How long its answer is on its way.
    pub(crate) after_ms: u32,
    /// What is held for it downstream, if anything is.
    #[term(private = "which hold it uses; the User decides nothing by it")]
    pub(crate) hold: Option<String>,
}

pub(super) type Op = Confirmed<TrialTerms>;

pub(super) fn proposal(request: Request) -> Proposal<TrialTerms> {
    holding(request, None)
}

pub(super) fn holding(request: Request, hold: Option<String>) -> Proposal<TrialTerms> {
    let proposal = Proposal::new(TrialTerms {
        hold,
        item: request.item,
        how: request.how.unwrap_or_else(|| "plainly".to_owned()),
        before_ms: request.before_ms.unwrap_or_default(),
        after_ms: request.after_ms.unwrap_or_default(),
    });
    match request.expires_ms {
        Some(ms) => proposal.expires_in(Duration::from_millis(ms.into())),
        None => proposal,
    }
}

pub(super) fn key(op: &Op, step: &str) -> String {
    op.idempotency_key(step)
}

/// One step of a handler, with the fail-points around it.
pub(super) async fn step(world: &World, op: &Op, step: &str) -> Outcome {
    failpoint::passed_waiting("handler.before_effect").await;
    let how = op.terms.how.as_str();
    if how == "declined" {
        return failed_unchanged("The downstream declined it");
    }
    if how == "never sent" {
        return unknown("the request was lost before it was sent");
    }
    let ask = Ask {
        key: key(op, step),
        before_ms: op.terms.before_ms.into(),
        after_ms: op.terms.after_ms.into(),
        accepts: how == "accepted",
        held: how == "held",
    };
    if world.wrong == Some(Wrong::SucceedEarly) {
        return succeeded(told(step), ());
    }
    let answer = world.downstream.effect(&ask).await.or_unknown("downstream")?;
    failpoint::passed_waiting("handler.after_effect").await;
    match (answer, how) {
        (None, _) if op.stop_requested() => stopped_unchanged("Stopped as you asked"),
        (None, _) => failed_unchanged("The downstream refused it"),
        (Some(Answer::Accepted), _) => handed_over("the downstream", Duration::from_millis(20)),
        (Some(_), "lost" | "deadly to ask about") => unknown("the answer was lost"),
        #[expect(clippy::panic, reason = "a handler of the trials can be told to")]
        (Some(_), "panicking") => panic!("as it was told to"),
        (Some(_), "too large") => {
            // longer than any agent reads
            succeeded(told(step).repeat(20_000), ())
        }
        (Some(_), _) => succeeded(told(step), ()),
    }
}

/// What a defective node does instead of asking.
async fn wrongly(world: &World, op: &Op) -> Result<Option<Finding>, Retry> {
    let ask = Ask { key: key(op, "effect"), ..Ask::default() };
    match world.wrong {
        Some(Wrong::PerformAgain) => {
            world.downstream.effect(&ask).await?;
            happened(told("effect"), ()).map(Some)
        }
        Some(Wrong::FailUnseen) if world.downstream.look(&ask.key).await? == Answer::NotSeen => {
            did_not_and_cannot(Fence::downstream("nothing was seen, which is no fence")).map(Some)
        }
        Some(Wrong::FailUnseen | Wrong::SucceedEarly) | None => Ok(None),
    }
}

/// Whether it took effect; that it did not is no proof that it will not.
async fn look(world: &World, op: &Op) -> Result<Finding, Retry> {
    match world.downstream.look(&key(op, "effect")).await? {
        Answer::Happened => happened(told("effect"), ()),
        Answer::Done | Answer::Accepted | Answer::Fenced | Answer::NotSeen => not_seen_yet(),
    }
}

/// The one step, after a checkpoint that says that it may have been sent.
async fn step_behind_checkpoint(world: &World, op: &Op) -> Outcome {
    op.remember("sent", &()).await?;
    step(world, op, "effect").await
}

/// Whether it took effect; without the checkpoint it was never sent.
async fn look_behind_checkpoint(world: &World, op: &Op) -> Result<Finding, Retry> {
    if op.recalled::<()>("sent")?.is_none() {
        return did_not_and_cannot(Fence::checkpoint("sent"));
    }
    look(world, op).await
}

/// Whether it took effect, and if it did not it never will.
pub(super) async fn fence(world: &World, op: &Op) -> Result<Finding, Retry> {
    match world.downstream.fence(&key(op, "effect")).await? {
        Answer::Happened => happened(told("effect"), ()),
        Answer::Fenced => did_not_and_cannot(Fence::downstream("its key is refused from now on")),
        Answer::Done | Answer::Accepted | Answer::NotSeen => not_seen_yet(),
    }
}

pub(crate) enum Fenced {}

/// One effect, at a downstream that can be told to refuse it.
#[operation(action = "trial.fenced", route = "POST /fenced", scopes = ["trials:write"], identity(item))]
impl Fenced {
    async fn propose(_: &World, request: Request) -> Result<Proposal<TrialTerms>, NotOffered> {
        Ok(proposal(request))
    }

    async fn perform(world: &World, op: Confirmed<TrialTerms>) -> Outcome {
        step(world, &op, "effect").await
    }

    async fn reconcile(world: &World, op: &Confirmed<TrialTerms>) -> Result<Finding, Retry> {
        if op.terms.how == "deadly to ask about" {
            kill_process(getpid(), Signal::KILL).map_err(Retry::because)?;
        }
        match wrongly(world, op).await? {
            Some(finding) => Ok(finding),
            None => fence(world, op).await,
        }
    }

    async fn stop(world: &World, op: &Confirmed<TrialTerms>) -> Result<StopAnswer, Retry> {
        if op.terms.how == "not to be stopped" {
            return Err(Retry::because("stopping fails, as it was told to"));
        }
        assert_ne!(op.terms.how, "panicking when stopped", "as it was told to");
        Ok(match world.downstream.fence(&key(op, "effect")).await? {
            Answer::Fenced => StopAnswer::stopped(Fence::downstream("its key is refused")),
            Answer::Happened | Answer::Done | Answer::Accepted | Answer::NotSeen => {
                StopAnswer::cannot()
            }
        })
    }
}

pub(crate) enum WithCheckpoint {}

/// One effect behind a checkpoint, at a downstream that can only be looked at.
#[operation(action = "trial.checkpoint", route = "POST /checkpoint", scopes = ["trials:write"], identity(item))]
impl WithCheckpoint {
    async fn propose(_: &World, request: Request) -> Result<Proposal<TrialTerms>, NotOffered> {
        Ok(proposal(request))
    }

    async fn perform(world: &World, op: Confirmed<TrialTerms>) -> Outcome {
        step_behind_checkpoint(world, &op).await
    }

    async fn reconcile(world: &World, op: &Confirmed<TrialTerms>) -> Result<Finding, Retry> {
        look_behind_checkpoint(world, op).await
    }
}

pub(crate) enum Unfenced {}

/// One effect that nothing can be done about once it was confirmed.
#[operation(action = "trial.unfenced", route = "POST /unfenced", scopes = ["trials:write"], identity(item))]
impl Unfenced {
    async fn propose(_: &World, request: Request) -> Result<Proposal<TrialTerms>, NotOffered> {
        Ok(proposal(request))
    }

    async fn perform(world: &World, op: Confirmed<TrialTerms>) -> Outcome {
        step(world, &op, "effect").await
    }

    async fn reconcile(world: &World, op: &Confirmed<TrialTerms>) -> Result<Finding, Retry> {
        look(world, op).await
    }
}

pub(crate) enum HandedOver {}

/// One effect that the downstream accepts now and makes later.
#[operation(action = "trial.handed_over", route = "POST /handed-over", scopes = ["trials:write"], identity(item))]
impl HandedOver {
    async fn propose(_: &World, request: Request) -> Result<Proposal<TrialTerms>, NotOffered> {
        let how = Some("accepted".to_owned());
        Ok(proposal(Request { how, ..request }))
    }

    async fn perform(world: &World, op: Confirmed<TrialTerms>) -> Outcome {
        step_behind_checkpoint(world, &op).await
    }

    async fn reconcile(world: &World, op: &Confirmed<TrialTerms>) -> Result<Finding, Retry> {
        look_behind_checkpoint(world, op).await
    }
}

pub(crate) enum TwoSteps {}

/// Two effects, of which the first can be all that happens.
#[operation(action = "trial.two_steps", route = "POST /two-steps", scopes = ["trials:write"], identity(item))]
impl TwoSteps {
    async fn propose(_: &World, request: Request) -> Result<Proposal<TrialTerms>, NotOffered> {
        Ok(proposal(request))
    }

    async fn perform(world: &World, op: Confirmed<TrialTerms>) -> Outcome {
        let _first = step(world, &op, "first").await?;
        op.note_change(told("first")).await;
        let _second = step(world, &op, "second").await?;
        op.note_change(told("second")).await;
        succeeded("Both were done", ())
    }

    async fn reconcile(world: &World, op: &Confirmed<TrialTerms>) -> Result<Finding, Retry> {
        // the second first: nothing of it can come after the first was looked at
        let second = world.downstream.fence(&key(op, "second")).await?;
        let first = world.downstream.fence(&key(op, "first")).await?;
        match (first, second) {
            (Answer::Happened, Answer::Happened) => {
                op.note_change(told("first")).await;
                op.note_change(told("second")).await;
                happened("Both were done", ())
            }
            (Answer::Happened, _) => partly([&told("first")], "Only the first was done"),
            (_, Answer::Happened) => not_seen_yet(),
            _ => did_not_and_cannot(Fence::downstream("both keys are refused from now on")),
        }
    }
}

pub(crate) enum ByOperator {}

/// One effect that only a person can find out about.
#[operation(action = "trial.operator", route = "POST /operator", scopes = ["trials:write"], identity(item),
            reconcile = operator)]
impl ByOperator {
    async fn propose(_: &World, request: Request) -> Result<Proposal<TrialTerms>, NotOffered> {
        Ok(proposal(request))
    }

    async fn perform(world: &World, op: Confirmed<TrialTerms>) -> Outcome {
        step(world, &op, "effect").await
    }
}
