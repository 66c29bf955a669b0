//! The minimal honest prototype: it verifies the proof, makes two durable commits, and answers.

use std::sync::Arc;

use axum::extract::{Path as InPath, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::json;

use super::keep::Keep;
use super::proof::{Wanted, jti};
use crate::agent::{ORIGIN, TOKEN};
use crate::bare::{Step, Write};
use crate::error::Error;
use crate::usage::now;

/// A handle of the prototype.
#[derive(Clone)]
pub(super) struct Prototype {
    keep: Keep,
    thumbprint: Arc<str>,
}

impl Prototype {
    pub(super) fn new(keep: Keep, thumbprint: &str) -> Self {
        Self { keep, thumbprint: thumbprint.into() }
    }

    pub(super) async fn propose(&self, count: usize) -> Result<Vec<String>, Error> {
        self.keep.propose(count).await
    }

    pub(super) fn router(self) -> Router {
        Router::new().route("/poppy/operations/{id}/confirm", post(confirm)).with_state(self)
    }

    async fn written(&self, id: &str, step: Step, jti: [u8; 16]) -> bool {
        self.keep.written(Write { id: id.to_owned(), step, jti }).await
    }
}

async fn confirm(
    State(prototype): State<Prototype>,
    InPath(id): InPath<String>,
    headers: HeaderMap,
) -> Response {
    let Some(jti) = proved(&prototype, &id, &headers) else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    let done = prototype.written(&id, Step::Claim, jti).await
        && prototype.written(&id, Step::Finish, jti).await;
    if done { Json(operation(&id)).into_response() } else { StatusCode::CONFLICT.into_response() }
}

fn proved(prototype: &Prototype, id: &str, headers: &HeaderMap) -> Option<[u8; 16]> {
    let token = headers.get("authorization")?.to_str().ok()?.strip_prefix("DPoP ")?;
    let wanted = Wanted {
        token: Some(token).filter(|token| *token == TOKEN)?,
        thumbprint: &prototype.thumbprint,
        url: &format!("{ORIGIN}/poppy/operations/{id}/confirm"),
        now: now(),
    };
    jti(headers.get("dpop")?.to_str().ok()?, wanted)
}

fn operation(id: &str) -> serde_json::Value {
    json!({
        "operation_id": id,
        "revision": 1,
        "state": "succeeded",
        "summary": "Exchange the Stormline Jacket (M) on order ord_7Hk2 for the Stormline Insulated Jacket (M), for $70.00 more, charged to the card used for the order.",
        "terms": {
            "order_id": "ord_7Hk2",
            "item_id": "itm_4Qa",
            "replacement_sku": "stormline-insulated-m",
            "price_difference": {"amount": "70.00", "currency": "USD"}
        },
        "confirmation": {
            "revision": 1,
            "approved_by": "user",
            "confirmed_at": "2026-10-08T12:04:31-07:00"
        },
        "result": {
            "summary": "The exchange is placed.",
            "data": {"exchange_id": "exc_5Rt2", "return_id": "rtn_8Lp3"}
        }
    })
}
