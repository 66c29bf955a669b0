//! Looking: nothing here changes anything.

use std::time::Duration;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::{Extension, Json};
use pap_protocol::operation::OperationId;
use pap_runtime::operators::Operators;
use pap_runtime::store::{Cursor, Place, Search};
use serde::Deserialize;

use super::fault::{Refused, may_change};
use super::guard::Operator;
use crate::form::{
    Acts, Events, ExportAccount, Exported, Feed, FeedLine, Find, Listing, OpenLine, OpenWork,
    OperationLine, PauseLine, Pauses, ReadActs, Shown, VERSION, Verified,
};

/// The most that one answer lists.
const LIMIT_MAX: u32 = 500;
/// How many operations of an account one answer carries whole.
const EXPORT_LIMIT: u32 = 50;

pub(super) async fn find(
    State(operators): State<Operators>,
    find: Result<Json<Find>, JsonRejection>,
) -> Result<Json<Listing>, Refused> {
    let Json(find) = find?;
    let now = operators.now();
    let age = find.older_than_seconds.map(Duration::from_secs);
    let page = operators.find(Search {
        company: String::new(),
        state: find.state,
        action: find.action,
        account: find.account,
        reference: find.reference,
        proposed_before: age.map(|age| now.saturating_sub(age)),
        attention_before: find.attention.then_some(now),
        after: find.after.map(Place),
        limit: limit(find.limit, 50)?,
    });
    let page = page.await?;
    Ok(Json(Listing {
        version: VERSION,
        now: now.at_utc(),
        operations: page.operations.iter().map(OperationLine::of).collect(),
        next: page.next.map(|place| place.0),
    }))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Show {
    #[serde(default)]
    terms: bool,
}

pub(super) async fn show(
    State(operators): State<Operators>,
    Extension(operator): Extension<Operator>,
    Path(id): Path<String>,
    show: Result<Query<Show>, QueryRejection>,
) -> Result<Json<Shown>, Refused> {
    let (id, Query(Show { terms })) = (operation_id(&id)?, show?);
    if terms {
        may_change(&operator)?;
        tracing::warn!(operation = %id, who = operator.who(), "what an operation says was read");
    }
    Ok(Json(Shown::of(operators.history(&id).await?, terms)))
}

pub(super) async fn open_work(
    State(operators): State<Operators>,
) -> Result<Json<OpenWork>, Refused> {
    let work = operators.open_work().await?;
    Ok(Json(OpenWork {
        version: VERSION,
        now: operators.now().at_utc(),
        actions: work.into_iter().map(OpenLine::of).collect(),
    }))
}

pub(super) async fn pauses(State(operators): State<Operators>) -> Result<Json<Pauses>, Refused> {
    let pauses = operators.pauses().await?;
    Ok(Json(Pauses {
        version: VERSION,
        now: operators.now().at_utc(),
        pauses: pauses.into_iter().map(PauseLine::of).collect(),
    }))
}

pub(super) async fn acts(
    State(operators): State<Operators>,
    acts: Result<Query<ReadActs>, QueryRejection>,
) -> Result<Json<Acts>, Refused> {
    let Query(ReadActs { after, limit: at_most }) = acts?;
    let limit = limit(at_most, 100)?;
    Ok(Json(Acts::of(operators.acts(after.unwrap_or(0), limit).await?, limit)))
}

pub(super) async fn events(
    State(operators): State<Operators>,
    events: Result<Query<Events>, QueryRejection>,
) -> Result<Json<Feed>, Refused> {
    let Query(Events { after, limit: at_most }) = events?;
    let after = after.map_or(Cursor::START, Cursor::at);
    let feed = operators.events(after, limit(at_most, 100)?).await?;
    Ok(Json(Feed {
        version: VERSION,
        events: feed.events.into_iter().map(FeedLine::of).collect(),
        next: feed.next.place().to_owned(),
    }))
}

pub(super) async fn export(
    State(operators): State<Operators>,
    Extension(operator): Extension<Operator>,
    export: Result<Json<ExportAccount>, JsonRejection>,
) -> Result<Json<Exported>, Refused> {
    may_change(&operator)?;
    let Json(ExportAccount { account, after }) = export?;
    let page = operators.export_page(&account, after.map(Place), EXPORT_LIMIT).await?;
    if after.is_none() {
        tracing::warn!(who = operator.who(), "an account is exported");
    }
    let operations = page.operations.iter().map(serde_json::to_value).collect::<Result<_, _>>();
    Ok(Json(Exported {
        version: VERSION,
        operations: operations.map_err(|error| Refused::request(error.to_string()))?,
        next: page.next.map(|place| place.0),
    }))
}

pub(super) async fn verify(State(operators): State<Operators>) -> Result<Json<Verified>, Refused> {
    Ok(Json(Verified::of(operators.verify().await?)))
}

pub(super) fn operation_id(id: &str) -> Result<OperationId, Refused> {
    id.parse().map_err(|error| Refused::request(format!("`{id}`: {error}")))
}

fn limit(asked: Option<u32>, usual: u32) -> Result<u32, Refused> {
    match asked.unwrap_or(usual) {
        limit @ 1..=LIMIT_MAX => Ok(limit),
        limit => Err(Refused::request(format!("`limit` is {limit}: 1 to {LIMIT_MAX}"))),
    }
}
