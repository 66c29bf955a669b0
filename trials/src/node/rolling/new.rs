//! As the new code has it: what has a new name and a new term is made of what the old code wrote.

use pap_runtime::{
    Confirmed, Finding, NotOffered, Operations, Outcome, Retry, Shape, Terms, operation, operations,
};
use serde::{Deserialize, Serialize};

use super::{World, old};
use crate::node::told;

pub(super) fn operations() -> Operations<World> {
    operations![Rolling]
}

/// What an agent asks for.
#[derive(Debug, Serialize, Deserialize, Shape)]
pub(crate) struct NewRequest {
    /// What makes two requests the same action.
    item: String,
    /// How the handler behaves: `plainly` unless said.
    how: Option<String>,
}

/// What the User approves.
#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(version = 2, upgrades = [old::RollingTerms], summary = "Do {thing} {how}, painted {colour}.")]
pub(crate) struct RollingTerms {
    /// What.
    thing: String,
    /// How the handler behaves.
    how: String,
    /// What the old code did not ask.
    colour: String,
}

impl From<old::RollingTerms> for RollingTerms {
    fn from(older: old::RollingTerms) -> Self {
        Self { thing: older.item, how: older.how, colour: "as it was".to_owned() }
    }
}

/// How the result tells the effect, in the new code's words.
fn painted(op: &Confirmed<RollingTerms>) -> String {
    format!("{} Painted {}.", told("effect"), op.terms.colour)
}

pub(crate) enum Rolling {}

/// One effect, with a colour.
#[operation(action = "trial.rolling", route = "POST /rolling", scopes = ["trials:write"], identity(item))]
impl Rolling {
    async fn propose(_: &World, request: NewRequest) -> Result<RollingTerms, NotOffered> {
        let how = request.how.unwrap_or_else(|| "plainly".to_owned());
        Ok(RollingTerms { thing: request.item, how, colour: "red".to_owned() })
    }

    async fn perform(world: &World, op: Confirmed<RollingTerms>) -> Outcome {
        let (key, told) = (op.idempotency_key("effect"), painted(&op));
        super::effect(world, key, &op.terms.how, told).await
    }

    async fn reconcile(world: &World, op: &Confirmed<RollingTerms>) -> Result<Finding, Retry> {
        super::look(world, &op.idempotency_key("effect"), painted(op)).await
    }
}
