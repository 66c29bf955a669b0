//! What a trial has a node's operators do.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use pap_runtime::operators::{OperatorError, Operators};
use pap_runtime::store::PauseOf;
use serde::{Deserialize, Serialize};

/// Kept with what is done.
const WHY: &str = "as it was told to";

/// An order to the people on call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// To hold back new operations of this action.
    Pause(String),
    /// To hold them back no longer.
    Resume(String),
    /// To say whether they are held back.
    IsPaused(String),
    /// To remove what has ended of this action.
    Purge(String),
    /// To blank what has ended of this account.
    Erase(String),
}

/// Takes orders at `/operate`; a number answers how many it was about.
pub(super) fn router(operators: Operators) -> Router {
    Router::new().route("/operate", post(operate)).with_state(operators)
}

async fn operate(
    State(operators): State<Operators>,
    Json(order): Json<Order>,
) -> Result<Json<u32>, StatusCode> {
    let done = carry_out(&operators, order).await;
    done.map(Json).map_err(|error| {
        tracing::warn!(%error, "an order was not carried out");
        StatusCode::SERVICE_UNAVAILABLE
    })
}

async fn carry_out(operators: &Operators, order: Order) -> Result<u32, OperatorError> {
    match order {
        Order::Pause(action) => {
            operators.pause(Some(&action), PauseOf::Proposals, "trials", WHY).await.map(|()| 1)
        }
        Order::Resume(action) => {
            operators.resume(Some(&action), PauseOf::Proposals, "trials", WHY).await.map(u32::from)
        }
        Order::IsPaused(action) => {
            let pauses = operators.pauses().await?;
            let paused = pauses.iter().any(|pause| pause.action.as_deref() == Some(&action));
            Ok(u32::from(paused))
        }
        Order::Purge(action) => {
            // what ended in this very millisecond too
            let ended_before = operators.now().saturating_add(Duration::from_millis(1));
            operators.purge(&action, ended_before, "trials", WHY).await
        }
        Order::Erase(account) => {
            operators.erase(&account, "trials", WHY).await.map(|erased| erased.erased)
        }
    }
}
