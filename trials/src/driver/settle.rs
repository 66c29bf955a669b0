//! Until everything is known that can be.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::errand::Errand;
use super::street::Street;
use crate::Fault;
use crate::node::DEAD_AFTER;

/// Until when a question that can be answered has been asked, at a node that asks soon, once it is known
/// that nobody performs.
const ASKED_WITHIN: Duration = Duration::from_millis(500);

/// Waits at this node until every errand's operation has ended, but for those that nothing can end: nothing
/// can be fenced, and nothing took effect. What has not ended by then is for the comparison to tell.
///
/// # Errors
///
/// If the node or the ledger cannot be read.
pub async fn settle(
    street: &Street,
    node: &str,
    errands: &[Errand],
    within: Duration,
) -> Result<(), Fault> {
    let begun = Instant::now();
    let alone = street.options.place.nodes() == 1;
    let asked_within = if alone { ASKED_WITHIN } else { ASKED_WITHIN + 2 * DEAD_AFTER };
    let told = street.agent.record().operations();
    let has_ended = |id: &str| told.get(id).is_some_and(|told| told.ended.is_some());
    let mut open: Vec<&Errand> =
        errands.iter().filter(|errand| errand.id().is_some_and(|id| !has_ended(id))).collect();
    while !open.is_empty() && begun.elapsed() < within {
        let asked = begun.elapsed() > asked_within;
        let effects = street.all_effects().await?;
        let mut still = Vec::new();
        for errand in open {
            let Some(id) = errand.id() else { continue };
            let none = asked && !effects.contains_key(&format!("{id}:effect"));
            let state = street.agent.read(node, id).await?;
            if state.state() == "in_progress" && !(errand.may_stay_unknown() && none) {
                still.push(errand);
            }
        }
        open = still;
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}
