//! What an agent sets out to do, and takes up again when the company was away.

use serde_json::{Value, json};

use super::agent::{Agent, Answer};
use super::order;
use crate::Fault;

/// What an errand is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// To have this action performed, by a handler that behaves like this.
    Perform(&'static str, &'static str),
    /// The same, so slowly that it is asked about meanwhile.
    PerformSlowly(&'static str),
    /// To have it done in another way, before it is confirmed.
    Revise,
    /// To decline it.
    Decline,
    /// To stop it once it is in progress.
    Stop,
    /// To let it expire.
    LetExpire,
    /// To propose it and never look at it again: it expires all the same.
    Forget,
    /// To have operators hold an action back, and not any more.
    Pause,
    /// To have operators remove what somebody else had done.
    Purge,
    /// To have operators blank what somebody else had done.
    Erase,
}

/// An errand: one item, one operation.
#[derive(Debug, Clone)]
pub struct Errand {
    aim: Aim,
    item: String,
    /// The operation, once its proposal was answered.
    id: Option<String>,
    tries: u32,
    /// How long a slow handler's request is on its way, in milliseconds.
    slow_ms: u32,
}

/// Longer than a handler may take where it is to be asked about meanwhile.
const SLOW_MS: u32 = 400;

impl Errand {
    /// An errand for an item that no other has.
    pub fn new(aim: Aim, item: impl Into<String>) -> Self {
        Self { aim, item: item.into(), id: None, tries: 0, slow_ms: SLOW_MS }
    }

    /// The same, with handlers that are so many times as slow where they are slow.
    #[must_use]
    pub fn slower(self, times: u32) -> Self {
        Self { slow_ms: SLOW_MS.saturating_mul(times), ..self }
    }

    /// What it is about.
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// Its operation, as far as the agent knows.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// How often it was begun.
    pub fn tries(&self) -> u32 {
        self.tries
    }

    /// Whether its operation may stay unknown for ever: nothing can be fenced, and nothing took effect.
    pub fn may_stay_unknown(&self) -> bool {
        match self.aim {
            Aim::Perform(action, _) | Aim::PerformSlowly(action) => {
                !matches!(action, "fenced" | "two-steps")
            }
            Aim::Revise
            | Aim::Decline
            | Aim::Stop
            | Aim::LetExpire
            | Aim::Forget
            | Aim::Pause
            | Aim::Purge
            | Aim::Erase => false,
        }
    }

    /// Does it from its beginning: what was done of it before is found again by its item.
    ///
    /// # Errors
    ///
    /// If the company goes away meanwhile; the errand can be begun again, at the same or another node.
    pub async fn run(&mut self, agent: &Agent, node: &str) -> Result<(), Fault> {
        self.tries = self.tries.saturating_add(1);
        match self.aim {
            Aim::Pause => return order::pause(&self.item, agent, node).await,
            Aim::Purge => return order::purge(&self.item, agent, node).await,
            Aim::Erase => return order::erase(&self.item, agent, node).await,
            Aim::Perform(..)
            | Aim::PerformSlowly(_)
            | Aim::Revise
            | Aim::Decline
            | Aim::Stop
            | Aim::LetExpire
            | Aim::Forget => {}
        }
        let proposed = self.propose(agent, node, json!({ "item": self.item })).await?;
        match self.aim {
            Aim::Perform(..) | Aim::PerformSlowly(_) => {
                agent.confirm(node, id(&proposed)?, proposed.revision()).await?;
            }
            Aim::Revise => {
                let other = json!({ "item": self.item, "before_ms": 1 });
                let revised = self.propose(agent, node, other).await?;
                agent.confirm(node, id(&revised)?, revised.revision()).await?;
            }
            Aim::Decline => {
                agent.cancel(node, id(&proposed)?).await?;
            }
            Aim::Stop => self.stop(agent, node, &proposed).await?,
            Aim::LetExpire => {
                agent.until_ended(node, id(&proposed)?).await?;
            }
            Aim::Forget | Aim::Pause | Aim::Purge | Aim::Erase => {}
        }
        Ok(())
    }

    async fn propose(
        &mut self,
        agent: &Agent,
        node: &str,
        request: Value,
    ) -> Result<Answer, Fault> {
        let mut request = request;
        let mut say = |name: &str, value: Value| {
            if let Some(members) = request.as_object_mut() {
                members.entry(name).or_insert(value);
            }
        };
        let action = match self.aim {
            Aim::Perform(action, how) => {
                say("how", how.into());
                action
            }
            Aim::PerformSlowly(action) => {
                say("before_ms", self.slow_ms.into());
                action
            }
            Aim::Stop => {
                say("before_ms", self.slow_ms.into());
                "fenced"
            }
            Aim::LetExpire | Aim::Forget => {
                say("expires_ms", 1.into());
                "held"
            }
            Aim::Revise | Aim::Decline => "held",
            Aim::Pause | Aim::Purge | Aim::Erase => "kept",
        };
        let answer = match &self.id {
            // an expired one would be proposed anew
            Some(id) if matches!(self.aim, Aim::LetExpire | Aim::Forget) => {
                agent.read(node, id).await?
            }
            _ => agent.propose(node, action, &request).await?,
        };
        self.id = Some(id(&answer)?.to_owned());
        Ok(answer)
    }

    /// Confirms, and asks to stop while the handler runs.
    async fn stop(&self, agent: &Agent, node: &str, proposed: &Answer) -> Result<(), Fault> {
        let id = id(proposed)?;
        let stopping = async {
            let states = ["in_progress", "succeeded", "failed", "cancelled"];
            agent.until(node, id, &states).await?;
            agent.cancel(node, id).await?;
            agent.until_ended(node, id).await
        };
        let (confirmed, stopped) =
            tokio::join!(agent.confirm(node, id, proposed.revision()), stopping);
        confirmed.and(stopped).map(drop)
    }
}

fn id(answer: &Answer) -> Result<&str, Fault> {
    answer.id().ok_or_else(|| format!("{}: {}", answer.status, answer.json).into())
}
