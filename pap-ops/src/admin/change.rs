//! What is changed: by whom comes from the guard, never from the body.

use std::time::Duration;

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::{Extension, Json};
use pap_protocol::operation::OperationId;
use pap_runtime::SettledBy;
use pap_runtime::operators::{self, Operators};

use super::fault::{Refused, may_change};
use super::guard::Operator;
use super::read::{operation_id, pauses};
use crate::form::{
    AskNow, Asking, Ended, EraseAccount, Erased, HoldBack, OperationLine, Pauses, PurgeAction,
    Purged, Resumed, Settle, Settled, VERSION,
};

pub(super) async fn settle(
    State(operators): State<Operators>,
    Extension(operator): Extension<Operator>,
    Path(id): Path<String>,
    settle: Result<Json<Settle>, JsonRejection>,
) -> Result<Json<Settled>, Refused> {
    may_change(&operator)?;
    let (id, Json(settle)) = (operation_id(&id)?, settle?);
    let why = reason(&settle.why)?.to_owned();
    let ended = settle.ended().map_err(Refused::request)?;
    let by = SettledBy::new(operator.who(), &why);
    let (now, stored) = match operators.settle_as(&id, ended, by).await? {
        operators::Settled::Now(stored) => (Ended::Now, stored),
        operators::Settled::Before(stored) => (Ended::Before, stored),
    };
    tracing::warn!(operation = %id, who = operator.who(), why, state = %stored.state, "settled");
    Ok(Json(Settled { version: VERSION, now, operation: OperationLine::of(&stored) }))
}

pub(super) async fn ask_now(
    State(operators): State<Operators>,
    Extension(operator): Extension<Operator>,
    Path(id): Path<String>,
    ask: Result<Json<AskNow>, JsonRejection>,
) -> Result<Json<Asking>, Refused> {
    may_change(&operator)?;
    let (id, Json(AskNow { why })) = (operation_id(&id)?, ask?);
    operators.ask_now(&id, operator.who(), reason(&why)?).await?;
    tracing::warn!(operation = %id, who = operator.who(), why, "is to be asked about now");
    Ok(Json(Asking { version: VERSION, operation: line(&operators, &id).await? }))
}

pub(super) async fn pause(
    State(operators): State<Operators>,
    Extension(operator): Extension<Operator>,
    hold: Result<Json<HoldBack>, JsonRejection>,
) -> Result<Json<Pauses>, Refused> {
    may_change(&operator)?;
    let Json(HoldBack { action, what, why }) = hold?;
    let (action, why) = (action.as_deref(), reason(&why)?);
    operators.pause(action, what.into(), operator.who(), why).await?;
    pauses(State(operators)).await
}

pub(super) async fn resume(
    State(operators): State<Operators>,
    Extension(operator): Extension<Operator>,
    hold: Result<Json<HoldBack>, JsonRejection>,
) -> Result<Json<Resumed>, Refused> {
    may_change(&operator)?;
    let Json(HoldBack { action, what, why }) = hold?;
    let (action, why) = (action.as_deref(), reason(&why)?);
    let was_paused = operators.resume(action, what.into(), operator.who(), why).await?;
    let (action, what) = (action.unwrap_or("*"), what.word());
    tracing::warn!(action, what, who = operator.who(), why, was_paused, "a pause was ended");
    Ok(Json(Resumed { version: VERSION, was_paused }))
}

pub(super) async fn purge(
    State(operators): State<Operators>,
    Extension(operator): Extension<Operator>,
    purge: Result<Json<PurgeAction>, JsonRejection>,
) -> Result<Json<Purged>, Refused> {
    may_change(&operator)?;
    let Json(purge) = purge?;
    let ended_before = match (purge.ended_before, purge.older_than_seconds) {
        (Some(moment), None) => moment.at_utc(),
        (None, Some(age)) => operators.now().at_utc().saturating_sub(Duration::from_secs(age)),
        _ => return Err(Refused::request("one of `ended_before` and `older_than_seconds`")),
    };
    let PurgeAction { action, dry_run, why, .. } = purge;
    let operations = if dry_run {
        operators.would_purge(&action, ended_before).await?
    } else {
        let (who, why) = (operator.who(), reason(&why)?);
        tracing::warn!(action, %ended_before, who, why, "a purge begins");
        let operations = operators.purge(&action, ended_before, who, why).await?;
        tracing::warn!(action, operations, "a purge is over");
        operations
    };
    Ok(Json(Purged { version: VERSION, dry_run, ended_before, operations }))
}

pub(super) async fn erase(
    State(operators): State<Operators>,
    Extension(operator): Extension<Operator>,
    erase: Result<Json<EraseAccount>, JsonRejection>,
) -> Result<Json<Erased>, Refused> {
    may_change(&operator)?;
    let Json(EraseAccount { account, dry_run, why }) = erase?;
    let erased = if dry_run {
        operators.would_erase(&account).await?
    } else {
        let (who, why) = (operator.who(), reason(&why)?);
        let erased = operators.erase(&account, who, why).await?;
        // never the account: the log would keep what was blanked
        tracing::warn!(who, why, operations = erased.erased, "an account was blanked");
        erased
    };
    let (operations, open) = (erased.erased, erased.open);
    Ok(Json(Erased { version: VERSION, dry_run, operations, open }))
}

async fn line(operators: &Operators, id: &OperationId) -> Result<OperationLine, Refused> {
    Ok(OperationLine::of(&operators.history(id).await?.stored))
}

fn reason(why: &str) -> Result<&str, Refused> {
    let why = why.trim();
    if why.is_empty() {
        return Err(Refused::request("`why` is empty: what is changed is kept with a reason"));
    }
    Ok(why)
}
