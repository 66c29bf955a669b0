//! As the old code has it.

use pap_runtime::{
    Confirmed, Finding, NotOffered, Operations, Outcome, Retry, Shape, Terms, operation, operations,
};
use serde::{Deserialize, Serialize};

use super::World;
use crate::node::told;

pub(super) fn operations() -> Operations<World> {
    operations![Rolling]
}

/// What an agent asks for.
#[derive(Debug, Serialize, Deserialize, Shape)]
pub(crate) struct OldRequest {
    /// What makes two requests the same action.
    item: String,
    /// How the handler behaves: `plainly` unless said.
    how: Option<String>,
}

/// What the User approves.
#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(summary = "Do {item} {how}.")]
pub(crate) struct RollingTerms {
    /// What.
    pub(super) item: String,
    /// How the handler behaves.
    pub(super) how: String,
}

pub(crate) enum Rolling {}

/// One effect, which the old code knows without a colour.
#[operation(action = "trial.rolling", route = "POST /rolling", scopes = ["trials:write"], identity(item))]
impl Rolling {
    async fn propose(_: &World, request: OldRequest) -> Result<RollingTerms, NotOffered> {
        let how = request.how.unwrap_or_else(|| "plainly".to_owned());
        Ok(RollingTerms { item: request.item, how })
    }

    async fn perform(world: &World, op: Confirmed<RollingTerms>) -> Outcome {
        super::effect(world, op.idempotency_key("effect"), &op.terms.how, told("effect")).await
    }

    async fn reconcile(world: &World, op: &Confirmed<RollingTerms>) -> Result<Finding, Retry> {
        super::look(world, &op.idempotency_key("effect"), told("effect")).await
    }
}
