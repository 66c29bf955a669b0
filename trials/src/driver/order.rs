//! Errands of the people on call, each about something that no other errand is about. What is answered and must
//! not be goes on the agent's record.

use serde_json::json;

use super::agent::Agent;
use crate::Fault;
use crate::node::Order;

/// Has an action held back, and not any more.
pub(super) async fn pause(item: &str, agent: &Agent, node: &str) -> Result<(), Fault> {
    let action = format!("trial.nothing.{}", item.replace(' ', "_"));
    let must_be = async |paused: u32| {
        let is = agent.order(node, &Order::IsPaused(action.clone())).await?;
        if is != paused {
            agent.record().must_not_be(format!("{action}: paused is {is}, and not {paused}"));
        }
        Ok::<_, Fault>(())
    };
    agent.order(node, &Order::Pause(action.clone())).await?;
    must_be(1).await?;
    agent.order(node, &Order::Resume(action.clone())).await?;
    must_be(0).await
}

/// Has what ended removed.
pub(super) async fn purge(item: &str, agent: &Agent, node: &str) -> Result<(), Fault> {
    let guest = Agent::guest("guest")?;
    let id = decline(item, &guest, node).await?;
    agent.order(node, &Order::Purge("trial.kept".to_owned())).await?;
    let gone = guest.confirm(node, &id, 1).await?;
    // an old approval is for nothing (row E19)
    if gone.error() != "operation_not_found" && gone.status != 503 {
        agent.record().must_not_be(format!("{id}: removed, and then {}", gone.json));
    }
    Ok(())
}

/// Has what somebody had done blanked.
pub(super) async fn erase(item: &str, agent: &Agent, node: &str) -> Result<(), Fault> {
    let account = format!("guest_{}", item.replace(' ', "_"));
    let guest = Agent::guest(&account)?;
    let id = decline(item, &guest, node).await?;
    agent.order(node, &Order::Erase(account)).await?;
    let read = guest.read(node, &id).await?;
    if read.json.to_string().contains(item) {
        agent.record().must_not_be(format!("{id}: blanked, and then {}", read.json));
    }
    Ok(())
}

/// Has something declined, and answers which.
async fn decline(item: &str, guest: &Agent, node: &str) -> Result<String, Fault> {
    let proposed = guest.propose(node, "kept", &json!({ "item": item })).await?;
    let id = proposed.id().ok_or_else(|| format!("{}: {}", proposed.status, proposed.json))?;
    guest.cancel(node, id).await?;
    Ok(id.to_owned())
}
